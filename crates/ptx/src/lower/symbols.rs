//! Arrays in shared, local, global and constant memory: where they lie and what they hold.

use super::Lowering;
use crate::opcode::Type;
use crate::parser::shorten;
use crate::{Function, Operand as Tree, Statement, StatementKind, Variable};
use lanescope_ir::{AddressSpace, Array, ArrayId, PlaceId, Register, ScalarType};
use lanescope_locale::ptx_fault::PtxFault;
use std::collections::{BTreeMap, BTreeSet};

/// An array by its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    pub(super) space: AddressSpace,
    pub(super) array: ArrayId,
    /// First byte from the first of its space; of no use for global memory.
    pub(super) base: u64,
}

/// A parameter or result of a call: bytes in registers, by offset and bits.
#[derive(Default)]
pub(super) struct Slots {
    pub(super) pieces: BTreeMap<(u64, u32), Register>,
}

/// Undeclared arrays of shared memory stand so many bytes apart, so that they do not overlap.
const UNDECLARED_GAP: u64 = 0x8000;

fn space_of(variable: &Variable<'_>) -> Option<AddressSpace> {
    Some(match variable.space {
        "shared" => AddressSpace::Shared,
        "local" => AddressSpace::Local,
        "global" => AddressSpace::Global,
        "const" => AddressSpace::Constant,
        _ => return None,
    })
}

/// Bytes of one element, all lanes of a vector.
pub(super) fn element_bytes(variable: &Variable<'_>) -> u64 {
    let scalar = match Type::named(variable.element) {
        Some(Type::Wide) => 16,
        Some(ty) => ty.storage().map_or(4, |storage| u64::from(storage.bytes())),
        // Textures, samplers and surfaces are handles.
        None => 8,
    };
    scalar * u64::from(variable.vector.max(1))
}

/// Bytes of a variable; `None` for `name[]`.
pub(super) fn total_bytes(variable: &Variable<'_>) -> Option<u64> {
    variable
        .extents
        .iter()
        .try_fold(element_bytes(variable), |bytes, extent| {
            Some(bytes.saturating_mul((*extent)?))
        })
}

fn alignment(variable: &Variable<'_>) -> u64 {
    variable
        .alignment
        .filter(|bytes| bytes.is_power_of_two())
        .unwrap_or_else(|| element_bytes(variable).next_power_of_two().min(16))
}

fn align(at: u64, alignment: u64) -> u64 {
    at.checked_next_multiple_of(alignment.max(1)).unwrap_or(at)
}

impl<'t> Lowering<'_, 't> {
    /// Gives every array that the kernel or a function it calls names its place: declared ones first, in order, then
    /// dynamic shared memory.
    pub(super) fn declare_arrays(&mut self, entry: usize) {
        let module = self.module;
        let (functions, used) = self.reachable_functions(entry);
        let mut shared = 0_u64;
        let mut local = 0_u64;
        let mut constant = 0_u64;
        for pass in 0..2 {
            for variable in &module.variables {
                if used.contains(variable.name) && is_dynamic(variable) == (pass == 1) {
                    let cursor = (&mut shared, &mut local, &mut constant);
                    if let Some(symbol) = self.place_array(variable, cursor) {
                        self.symbols.insert(variable.name, symbol);
                    }
                }
            }
            for &index in &functions {
                let body = module
                    .functions
                    .get(index)
                    .and_then(|function| function.body.as_deref());
                for (at, statement) in body.unwrap_or(&[]).iter().enumerate() {
                    let StatementKind::Variable(variable) = &statement.kind else {
                        continue;
                    };
                    if is_dynamic(variable) == (pass == 1) {
                        let cursor = (&mut shared, &mut local, &mut constant);
                        if let Some(symbol) = self.place_array(variable, cursor) {
                            self.inner_symbols.insert((index, at), symbol);
                        }
                    }
                }
            }
        }
        self.next_undeclared = align(shared, 1024);
        self.kernel.shared_bytes = Some(shared);
        self.kernel.local_bytes = local;
    }

    /// Functions that an entry reaches through calls, and all names that stand in them.
    fn reachable_functions(&self, entry: usize) -> (Vec<usize>, BTreeSet<&'t str>) {
        let module = self.module;
        let by_name: BTreeMap<&str, usize> = module
            .functions
            .iter()
            .enumerate()
            .filter(|(_, function)| function.body.is_some())
            .map(|(index, function)| (function.name, index))
            .collect();
        let mut functions = vec![entry];
        let mut names = BTreeSet::new();
        let mut next = 0;
        while let Some(&index) = functions.get(next) {
            next += 1;
            let body = module
                .functions
                .get(index)
                .and_then(|function: &Function<'t>| function.body.as_deref());
            for statement in body.unwrap_or(&[]) {
                let StatementKind::Instruction(instruction) = &statement.kind else {
                    continue;
                };
                instruction
                    .operands
                    .iter()
                    .for_each(|operand| collect_names(operand, &mut names));
                if !instruction.opcode.starts_with("call") {
                    continue;
                }
                for operand in &instruction.operands {
                    if let Tree::Name(name) = operand
                        && let Some(&callee) = by_name.get(name)
                        && !functions.contains(&callee)
                    {
                        functions.push(callee);
                    }
                }
            }
        }
        (functions, names)
    }

    /// Puts an array behind the others of its space.
    fn place_array(
        &mut self,
        variable: &Variable<'t>,
        (shared, local, constant): (&mut u64, &mut u64, &mut u64),
    ) -> Option<Symbol> {
        let space = space_of(variable)?;
        let bytes = total_bytes(variable);
        let is_dynamic = is_dynamic(variable);
        let mut fixed = 0;
        let cursor = match space {
            AddressSpace::Shared => shared,
            AddressSpace::Local => local,
            AddressSpace::Constant => constant,
            AddressSpace::Global | AddressSpace::Generic | AddressSpace::SharedCluster => {
                &mut fixed
            }
        };
        let base = align(*cursor, alignment(variable));
        // All dynamic arrays begin at one place.
        if !is_dynamic {
            *cursor = base.saturating_add(bytes.unwrap_or(0));
        }
        let array = self.add_array(variable, space, base, bytes);
        Some(Symbol { space, array, base })
    }

    fn add_array(
        &mut self,
        variable: &Variable<'t>,
        space: AddressSpace,
        base: u64,
        bytes: Option<u64>,
    ) -> ArrayId {
        self.set_place(variable.span);
        let extents = if bytes.is_none() {
            Vec::new()
        } else {
            variable.extents.iter().copied().flatten().collect()
        };
        let initial = self.contents(variable);
        let id = ArrayId(crate::token::offset(self.kernel.arrays.len()));
        self.kernel.arrays.push(Array {
            name: variable.name.to_owned(),
            place: self.place,
            space,
            element: variable.element.to_owned(),
            element_bytes: element_bytes(variable),
            header_bytes: 0,
            extents,
            bytes,
            alignment: alignment(variable),
            base,
            is_restrict: false,
            initial,
        });
        id
    }

    /// What an initializer says, as one run of bytes.
    fn contents(&mut self, variable: &Variable<'t>) -> Vec<(u64, Vec<u8>)> {
        let Some(scalar) = Type::named(variable.element).and_then(Type::storage) else {
            return Vec::new();
        };
        let mut bytes = Vec::new();
        for value in &variable.initial {
            let bits = match constant_bits(value, scalar) {
                Some(bits) => bits,
                None => {
                    self.note(PtxFault::HoldsAddresses(shorten(variable.name)));
                    0
                }
            };
            let width = scalar.bytes() as usize;
            bytes.extend(bits.to_le_bytes().into_iter().take(width));
        }
        if bytes.is_empty() {
            Vec::new()
        } else {
            vec![(0, bytes)]
        }
    }

    /// The pointer parameter's buffer.
    pub(super) fn add_buffer(&mut self, name: &str, place: PlaceId) -> ArrayId {
        let id = ArrayId(crate::token::offset(self.kernel.arrays.len()));
        self.kernel.arrays.push(Array {
            name: name.to_owned(),
            place,
            space: AddressSpace::Global,
            element: String::new(),
            element_bytes: 1,
            header_bytes: 0,
            extents: Vec::new(),
            bytes: None,
            alignment: 1,
            base: 0,
            is_restrict: false,
            initial: Vec::new(),
        });
        id
    }

    /// An array that the text names and does not declare: a body alone leaves out what stands before it.
    pub(super) fn undeclared_symbol(&mut self, name: &'t str, space: AddressSpace) -> Symbol {
        if !self.is_bare {
            self.error(PtxFault::NotDeclared(shorten(name)));
        } else if space == AddressSpace::Constant {
            self.note(PtxFault::ContentsNotKnown(shorten(name)));
        }
        let base = if space == AddressSpace::Shared {
            let base = self.next_undeclared;
            self.next_undeclared = base.saturating_add(UNDECLARED_GAP);
            self.kernel.shared_bytes = None;
            base
        } else {
            0
        };
        let array = self.add_buffer(name, self.place);
        if let Some(entry) = self.kernel.arrays.get_mut(array.index()) {
            entry.space = space;
            entry.base = base;
            entry.alignment = 16;
        }
        let symbol = Symbol { space, array, base };
        self.symbols.insert(name, symbol);
        symbol
    }

    /// Declares what stands in a body: registers, arrays, parameters of calls.
    pub(super) fn declare(&mut self, function: usize, at: usize, statement: &Statement<'t>) {
        let StatementKind::Variable(variable) = &statement.kind else {
            return;
        };
        let entity = match variable.space {
            "reg" => {
                self.declare_register(variable);
                return;
            }
            "param" => {
                self.slots.push(Slots::default());
                super::names::Entity::Slots(self.slots.len() - 1)
            }
            _ => match self.inner_symbols.get(&(function, at)) {
                Some(&symbol) => super::names::Entity::Symbol(symbol),
                None => return,
            },
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(variable.name, entity);
        }
    }
}

/// Whether only the launch says how large an array of shared memory is.
fn is_dynamic(variable: &Variable<'_>) -> bool {
    variable.space == "shared" && total_bytes(variable).is_none()
}

fn collect_names<'t>(operand: &Tree<'t>, names: &mut BTreeSet<&'t str>) {
    match operand {
        Tree::Name(name) | Tree::Sum(name, _) => {
            if !name.starts_with('%') {
                names.insert(name);
            }
        }
        Tree::Vector(items) | Tree::Address(items) | Tree::Group(items) => {
            items.iter().for_each(|item| collect_names(item, names));
        }
        Tree::Pair(a, b) => {
            collect_names(a, names);
            collect_names(b, names);
        }
        Tree::Not(inner) | Tree::Negated(inner) => collect_names(inner, names),
        Tree::Integer(_) | Tree::Float(_) | Tree::Float32(_) | Tree::Float64(_) | Tree::Sink => {}
    }
}

/// The bits of a constant as a type has them; `None` if it is no constant.
pub(super) fn constant_bits(value: &Tree<'_>, ty: ScalarType) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a constant is rounded to its type"
    )]
    let narrow = |value: f64| u64::from((value as f32).to_bits());
    #[expect(
        clippy::cast_precision_loss,
        reason = "a constant is rounded to its type"
    )]
    let float = |value: u64| value.cast_signed() as f64;
    let bits = match (value, ty) {
        (Tree::Integer(value), ScalarType::F32) => narrow(float(*value)),
        (Tree::Integer(value), ScalarType::F64) => float(*value).to_bits(),
        (Tree::Integer(value), _) => *value,
        (Tree::Float(value), ScalarType::F64 | ScalarType::U64) => value.to_bits(),
        (Tree::Float(value), _) => narrow(*value),
        (Tree::Float32(bits), ScalarType::F64) => f64::from(f32::from_bits(*bits)).to_bits(),
        (Tree::Float32(bits), _) => u64::from(*bits),
        (Tree::Float64(bits), ScalarType::F32) => narrow(f64::from_bits(*bits)),
        (Tree::Float64(bits), _) => *bits,
        _ => return None,
    };
    Some(bits & ty.mask())
}
