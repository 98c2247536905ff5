//! Kernel parameters: their places in the parameter buffer.

use super::Lowering;
use super::names::Entity;
use super::symbols::{element_bytes, total_bytes};
use crate::opcode::{Opcode, Type};
use crate::{Function, Operand as Tree, StatementKind};
use lanescope_ir::{Parameter, ScalarType};
use lanescope_locale::ptx_fault::PtxFault;
use std::collections::{BTreeMap, BTreeSet};

/// A bare body may name parameters up to this number; the ones it does not read are taken as eight bytes.
const MAX_BARE_PARAMETERS: usize = 512;

/// What the instructions of a bare body tell of a parameter.
#[derive(Clone, Copy, Default)]
struct Seen {
    bytes: u64,
    scalar: Option<ScalarType>,
}

impl<'t> Lowering<'_, 't> {
    /// Declares a kernel's parameters, from its head or, where that is missing, from what the body reads.
    pub(super) fn declare_parameters(&mut self, function: &Function<'t>) {
        let pointers = pointer_parameters(function);
        if function.is_bare {
            self.bare_parameters(function, &pointers);
            return;
        }
        let mut offset = 0_u64;
        for variable in &function.parameters {
            let bytes = total_bytes(variable).unwrap_or(0);
            let natural = element_bytes(variable).next_power_of_two().min(16);
            let alignment = variable
                .alignment
                .filter(|bytes| bytes.is_power_of_two())
                .unwrap_or(natural);
            offset = offset.checked_next_multiple_of(alignment).unwrap_or(offset);
            let scalar = if variable.extents.is_empty() {
                Type::named(variable.element).and_then(Type::storage)
            } else {
                None
            };
            self.set_place(variable.span);
            let is_pointer = variable.is_pointer || pointers.contains(variable.name);
            self.add_parameter(variable.name, (offset, bytes), scalar, is_pointer);
            offset = offset.saturating_add(bytes);
        }
    }

    fn add_parameter(
        &mut self,
        name: &'t str,
        (offset, bytes): (u64, u64),
        scalar: Option<ScalarType>,
        is_pointer: bool,
    ) {
        let narrow = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let array = is_pointer.then(|| self.add_buffer(name, self.place));
        if !name.is_empty()
            && let Some(scope) = self.scopes.first_mut()
        {
            scope.names.insert(name, Entity::Parameter(narrow(offset)));
        }
        self.kernel.parameters.push(Parameter {
            name: name.to_owned(),
            place: self.place,
            declared: String::new(),
            offset: narrow(offset),
            bytes: narrow(bytes),
            scalar,
            array,
        });
    }

    fn bare_parameters(&mut self, function: &Function<'t>, pointers: &BTreeSet<&'t str>) {
        let seen = seen_parameters(function);
        let names: BTreeMap<usize, &'t str> = seen
            .keys()
            .filter_map(|name| Some((parameter_number(name)?, *name)))
            .collect();
        let count = names.last_key_value().map_or(0, |(&number, _)| number + 1);
        let mut offset = 0_u64;
        for number in 0..count.min(MAX_BARE_PARAMETERS) {
            let name = names.get(&number).copied().unwrap_or("");
            let what = seen.get(name).copied().unwrap_or(Seen {
                bytes: 8,
                scalar: None,
            });
            // Sixteen bytes at least, so that a structure of which only the head is read keeps its tail.
            offset = offset.next_multiple_of(16);
            self.add_parameter(
                name,
                (offset, what.bytes),
                what.scalar,
                pointers.contains(name),
            );
            offset += what.bytes.max(16);
        }
        if count > 0 {
            self.note(PtxFault::MissingHead);
        }
    }
}

/// The number behind `_param_`.
fn parameter_number(name: &str) -> Option<usize> {
    let (_, digits) = name.rsplit_once("_param_")?;
    digits
        .parse()
        .ok()
        .filter(|&number| number < MAX_BARE_PARAMETERS)
}

/// Instructions that read parameters: opcode, destination, name, offset.
fn parameter_loads<'a, 't>(
    function: &'a Function<'t>,
) -> impl Iterator<Item = (Opcode<'t>, &'a Tree<'t>, &'t str, u64)> {
    let body = function.body.as_deref().unwrap_or(&[]);
    body.iter().filter_map(|statement| {
        let StatementKind::Instruction(instruction) = &statement.kind else {
            return None;
        };
        if !instruction.opcode.starts_with("ld.param") {
            return None;
        }
        let [destination, Tree::Address(address), ..] = instruction.operands.as_slice() else {
            return None;
        };
        let (name, offset) = match address.first()? {
            Tree::Name(name) => (*name, 0),
            Tree::Sum(name, offset) => (*name, u64::try_from(*offset).ok()?),
            _ => return None,
        };
        Some((Opcode::new(instruction.opcode), destination, name, offset))
    })
}

fn seen_parameters<'t>(function: &Function<'t>) -> BTreeMap<&'t str, Seen> {
    let mut seen: BTreeMap<&str, Seen> = BTreeMap::new();
    for (opcode, _, name, offset) in parameter_loads(function) {
        if parameter_number(name).is_none() {
            continue;
        }
        let Some(scalar) = opcode.last_type().and_then(Type::storage) else {
            continue;
        };
        let lanes = u64::from(crate::token::offset(opcode.vector()));
        // A structure by value takes 4 KiB at most.
        let end = offset.min(0x1_0000) + u64::from(scalar.bytes()) * lanes;
        let entry = seen.entry(name).or_default();
        entry.bytes = entry.bytes.max(end);
        let is_whole = offset == 0 && lanes == 1 && entry.bytes == end;
        entry.scalar = is_whole.then_some(scalar);
    }
    // Parameters whose address is taken: an array by value.
    let body = function.body.as_deref().unwrap_or(&[]);
    for statement in body {
        if let StatementKind::Instruction(instruction) = &statement.kind
            && instruction.opcode.starts_with("mov")
            && let [_, Tree::Name(name)] = instruction.operands.as_slice()
            && parameter_number(name).is_some()
        {
            let entry = seen.entry(name).or_default();
            entry.bytes = entry.bytes.max(4096);
            entry.scalar = None;
        }
    }
    seen
}

/// Parameters that are turned into global addresses, or used as such.
fn pointer_parameters<'t>(function: &Function<'t>) -> BTreeSet<&'t str> {
    let mut held: BTreeMap<&str, &'t str> = BTreeMap::new();
    for (opcode, destination, name, offset) in parameter_loads(function) {
        let bytes = opcode
            .last_type()
            .and_then(Type::storage)
            .map(ScalarType::bytes);
        if let (Tree::Name(register), 0, Some(8)) = (destination, offset, bytes) {
            held.insert(register, name);
        }
    }
    let mut pointers = BTreeSet::new();
    let body = function.body.as_deref().unwrap_or(&[]);
    for statement in body {
        let StatementKind::Instruction(instruction) = &statement.kind else {
            continue;
        };
        let is_cast = instruction.opcode.starts_with("cvta.to.global");
        for operand in &instruction.operands {
            let register = match operand {
                Tree::Name(register) if is_cast => *register,
                Tree::Address(items) => match items.first() {
                    Some(Tree::Name(register) | Tree::Sum(register, _)) => *register,
                    _ => continue,
                },
                _ => continue,
            };
            if let Some(name) = held.get(register) {
                pointers.insert(*name);
            }
        }
    }
    pointers
}
