//! The variables of a module that a kernel uses: arrays, parameters, and what each thread has for itself.

use super::Lower;
use super::layout::Shape;
use super::number::{Number, Value};
use super::place::{Memory, Object, Place};
use crate::{Binding, Holds};
use lanescope_frontend::{ArrayId, Construct, DiagnosticKind, Span};
use lanescope_ir::{AddressSpace, Array, Op, Parameter, ScalarType, eval};
use naga::valid::{FunctionInfo, GlobalUse};
use naga::{AddressSpace as Space, GlobalVariable, Handle, StorageAccess, Type};

/// The alignment of a buffer: that of an allocation.
const BUFFER_ALIGN: u64 = 256;

/// The most bytes of an array.
const MOST_BYTES: u64 = 1 << 40;

impl<'m> Lower<'m> {
    /// Places all variables of the module that the kernel uses.
    pub(super) fn globals(&mut self, used: &FunctionInfo) {
        let module = self.module;
        let mut open = Vec::new();
        for (handle, global) in module.global_variables.iter() {
            if used[handle].is_empty() {
                continue;
            }
            let span = super::span_of(module.global_variables.get_span(handle));
            let name = match &global.name {
                Some(name) => name.clone(),
                None => format!("global {}", handle.index()),
            };
            self.bind(global, &name, used[handle]);
            if let Some(place) = self.global(global, &name, span, &mut open) {
                self.globals.insert(handle, place);
            }
        }
        self.place_buffers();
        for (place, shape, init) in open {
            self.store(&place, shape, &init, false, Span::default());
        }
    }

    /// Notes an override and its value: for readers, and for the pipeline where the text does not say it.
    fn note_override(&mut self, one: &naga::Override, number: Number, is_given: bool) {
        let Some(value) = constant_value(number) else {
            return;
        };
        let name = one.name.clone().unwrap_or_default();
        let key = match one.id {
            Some(id) => id.to_string(),
            None => name.clone(),
        };
        let told = match (name.is_empty(), number.ty) {
            (true, _) => None,
            (false, ScalarType::Bool) => Some((value != 0.0).to_string()),
            (false, _) => Some(value.to_string()),
        };
        self.told_overrides.extend(told.map(|told| (name, told)));
        if is_given {
            self.interface.constants.push((key, value));
        }
    }

    /// Notes what a launch binds for a variable.
    fn bind(&mut self, global: &GlobalVariable, name: &str, used: GlobalUse) {
        let shape = self.layouts.of(global.ty);
        let holds = match global.space {
            Space::WorkGroup | Space::Private => return,
            Space::Storage { .. } => Holds::Buffer {
                is_read: used.contains(GlobalUse::READ),
                is_written: used.contains(GlobalUse::WRITE),
            },
            Space::Uniform if self.layouts.has_array(shape) => Holds::UniformBuffer,
            Space::Uniform => Holds::Numbers {
                offset: self.uniform_offset(shape),
            },
            _ => Holds::Foreign,
        };
        let least_bytes = match self.layouts.open_tail(shape) {
            Some((header, element)) => header.saturating_add(self.layouts.stride(element)),
            None => self.layouts.extent(shape).bytes,
        };
        let (group, binding) = global.binding.map_or((0, 0), |at| (at.group, at.binding));
        self.interface.bindings.push(Binding {
            group,
            binding,
            name: name.to_owned(),
            least_bytes,
            holds,
        });
    }

    /// Where the numbers of the next uniform begin among those of the launch.
    fn uniform_offset(&self, shape: Shape<'m>) -> u64 {
        let align = self.layouts.extent(shape).align;
        self.parameter_bytes.next_multiple_of(align)
    }

    fn global(
        &mut self,
        global: &'m GlobalVariable,
        name: &str,
        span: Span,
        open: &mut Vec<(Place, Shape<'m>, Value)>,
    ) -> Option<Place> {
        let shape = self.layouts.of(global.ty);
        match global.space {
            Space::WorkGroup => self.workgroup(global.ty, name, span),
            Space::Storage { access } => {
                let id = self.buffer(global.ty, name, span, AddressSpace::Global);
                let is_read_only = !access.contains(StorageAccess::STORE);
                let address = self.array_address(id);
                let object = Object::Counted(id);
                Some(Place::Memory(Memory::of(object, is_read_only, address)))
            }
            Space::Uniform | Space::Immediate if self.layouts.has_array(shape) => {
                let what = Construct::ConstantMemory(name.to_owned());
                self.say(span, DiagnosticKind::Ignored { what });
                let id = self.buffer(global.ty, name, span, AddressSpace::Constant);
                let address = self.array_address(id);
                Some(Place::Memory(Memory::of(
                    Object::Constant(id),
                    true,
                    address,
                )))
            }
            Space::Uniform | Space::Immediate => {
                Some(Place::Registers(self.uniform(global.ty, name, span)))
            }
            Space::Private => {
                let place = self.variable(shape, span);
                let init = match global.init {
                    Some(init) => self.of_module(init),
                    None => self.zero(shape),
                };
                open.push((place.clone(), shape, init));
                Some(place)
            }
            _ => None,
        }
    }

    /// A variable of the workgroup: they follow one another as closely as their types allow.
    fn workgroup(&mut self, of: Handle<Type>, name: &str, span: Span) -> Option<Place> {
        let shape = self.layouts.of(of);
        let extent = self.layouts.extent(shape);
        if extent.bytes > MOST_BYTES {
            let limit = MOST_BYTES;
            self.say(span, DiagnosticKind::TooManyBytes { limit });
            return None;
        }
        let base = self.shared_bytes.next_multiple_of(extent.align);
        self.shared_bytes = base.saturating_add(extent.bytes);
        let array = self.array(of, name, span, AddressSpace::Shared);
        let id = self.add_array(Array {
            alignment: extent.align,
            base,
            ..array
        });
        let address = self.array_address(id);
        Some(Place::Memory(Memory::of(
            Object::Counted(id),
            false,
            address,
        )))
    }

    /// A buffer, which the launch describes by a parameter. What one binding writes is never the memory of another.
    fn buffer(&mut self, of: Handle<Type>, name: &str, span: Span, space: AddressSpace) -> ArrayId {
        let array = self.array(of, name, span, space);
        let declared = array.element.clone();
        let id = self.add_array(Array {
            alignment: BUFFER_ALIGN,
            is_restrict: true,
            ..array
        });
        let place = self.place_id(span);
        self.parameters.push(Parameter {
            name: name.to_owned(),
            place,
            declared,
            offset: 0,
            bytes: 0,
            scalar: None,
            array: Some(id),
        });
        id
    }

    fn add_array(&mut self, array: Array) -> ArrayId {
        let id = ArrayId(u32::try_from(self.arrays.len()).unwrap_or(u32::MAX));
        self.arrays.push(array);
        id
    }

    fn array(&mut self, of: Handle<Type>, name: &str, span: Span, space: AddressSpace) -> Array {
        let place = self.place_id(span);
        let shape = self.layouts.of(of);
        let mut array = Array {
            name: name.to_owned(),
            place,
            space,
            element: String::new(),
            element_bytes: 0,
            header_bytes: 0,
            extents: Vec::new(),
            bytes: None,
            alignment: 1,
            base: 0,
            is_restrict: false,
            initial: Vec::new(),
        };
        if let Some((header, element)) = self.layouts.open_tail(shape) {
            array.header_bytes = header;
            array.element_bytes = self.layouts.stride(element);
            array.element = match shape {
                Shape::Array(base, _) => self.layouts.name(base),
                _ => self.layouts.name(of),
            };
            return array;
        }
        array.bytes = Some(self.layouts.extent(shape).bytes);
        let mut element = of;
        while let Shape::Array(base, size) = self.layouts.of(element) {
            array.extents.push(self.layouts.count(size));
            element = base;
        }
        array.element = self.layouts.name(element);
        array.element_bytes = self.layouts.stride(self.layouts.of(element));
        array
    }

    /// A uniform's numbers: parameters of the launch, by the names of the fields.
    fn uniform(&mut self, of: Handle<Type>, name: &str, span: Span) -> Value {
        let shape = self.layouts.of(of);
        let extent = self.layouts.extent(shape);
        let first = self.uniform_offset(shape);
        self.parameter_bytes = first.saturating_add(extent.bytes);
        let mut names = Vec::new();
        self.leaf_names(of, name, &mut names);
        let place = self.place_id(span);
        let mut value = Value::new();
        for (leaf, name) in self.layouts.leaves(shape).into_iter().zip(names) {
            let ty = leaf.ty;
            let offset = u32::try_from(first + leaf.offset).unwrap_or(u32::MAX);
            self.parameters.push(Parameter {
                name,
                place,
                declared: ty.name().to_owned(),
                offset,
                bytes: ty.bytes(),
                scalar: Some(ty),
                array: None,
            });
            let dst = self.builder.at_entry(ty, |dst| Op::Parameter {
                ty,
                dst,
                offset,
                index: None,
            });
            value.push(Number::new(ty, dst.into()));
        }
        value
    }

    /// The names of the numbers in a value, as in `size.x` and `turn.c0.y`.
    fn leaf_names(&self, of: Handle<Type>, name: &str, list: &mut Vec<String>) {
        let axis = |at: u64| ["x", "y", "z", "w"].get(small(at)).copied().unwrap_or("");
        match self.layouts.of(of) {
            Shape::Struct(members, _) => {
                for (at, member) in members.iter().enumerate() {
                    let own = match &member.name {
                        Some(own) => format!("{name}.{own}"),
                        None => format!("{name}.field {at}"),
                    };
                    self.leaf_names(member.ty, &own, list);
                }
            }
            Shape::Vector(count, _) => {
                list.extend((0..count).map(|at| format!("{name}.{}", axis(at))));
            }
            Shape::Matrix { columns, rows, .. } => {
                for column in 0..columns {
                    list.extend((0..rows).map(|row| format!("{name}.c{column}.{}", axis(row))));
                }
            }
            Shape::Scalar(_) | Shape::Array(..) | Shape::Opaque => list.push(name.to_owned()),
        }
    }

    /// Buffers have no place among the numbers of the launch: they come behind them.
    fn place_buffers(&mut self) {
        let mut behind = self.parameter_bytes.min(1 << 30).next_multiple_of(8);
        for parameter in &mut self.parameters {
            if parameter.array.is_some() {
                parameter.offset = u32::try_from(behind).unwrap_or(u32::MAX);
                behind = behind.saturating_add(8);
            }
        }
    }

    /// The values of overrides: those given, else those of the text.
    pub(super) fn overrides(&mut self, defines: &[(String, String)]) {
        let module = self.module;
        for (handle, one) in module.overrides.iter() {
            let span = super::span_of(module.overrides.get_span(handle));
            let scalar = module.types[one.ty].inner.scalar();
            let ty = scalar.map_or(ScalarType::U32, super::layout::scalar_type);
            let given = defines.iter().rev().find(|(name, _)| names(one, name));
            let value = match (given, one.init) {
                (Some((_, text)), _) => number(text, ty).unwrap_or_else(|| {
                    let name = one.name.as_deref().unwrap_or("");
                    let message = format!("`{text}` is no value of the override `{name}`");
                    self.say(span, DiagnosticKind::Wgsl { message });
                    Number::whole(ty, 1)
                }),
                (None, Some(init)) => {
                    let value = self.of_module(init);
                    let value = value.first().copied().unwrap_or(Number::whole(ty, 1));
                    self.convert(value, ty)
                }
                (None, None) => {
                    let name = one.name.clone().unwrap_or_default();
                    let assumed = "1".to_owned();
                    let kind = DiagnosticKind::MissingTemplateArgument { name, assumed };
                    self.say(span, kind);
                    Number::whole(ty, 1)
                }
            };
            let is_given = given.is_some() || one.init.is_none();
            self.note_override(one, value, is_given);
            self.overrides.push(value);
            let count = super::expression::whole_value(value);
            let count = count.and_then(|count| u64::try_from(count).ok());
            self.layouts.counts.push(count.unwrap_or(1));
        }
    }
}

/// The value of a constant, as a pipeline is given it.
#[expect(
    clippy::cast_precision_loss,
    reason = "an override has 32 bits at most"
)]
fn constant_value(number: Number) -> Option<f64> {
    let bits = number.constant()?;
    match number.ty.is_float() {
        true => Some(eval::to_f64(number.ty, bits)),
        false => super::expression::whole_value(number).map(|value| value as f64),
    }
}

fn small(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// Whether a text names an override: by its name or its `@id`.
fn names(one: &naga::Override, text: &str) -> bool {
    one.name.as_deref() == Some(text) || one.id.is_some_and(|id| id.to_string() == text)
}

/// A number of a type, from a text as in `32`, `32u`, `0x20`, `2.5f` or `true`.
fn number(text: &str, ty: ScalarType) -> Option<Number> {
    let text = text.trim();
    if ty == ScalarType::Bool {
        return match text {
            "true" | "1" => Some(Number::boolean(true)),
            "false" | "0" => Some(Number::boolean(false)),
            _ => None,
        };
    }
    if ty.is_float() {
        let digits = text.trim_end_matches(['f', 'h']);
        let value = digits.parse::<f64>().ok().filter(|one| one.is_finite())?;
        return Some(Number::real(ty, value));
    }
    let digits = text.trim_end_matches(['u', 'i', 'l']);
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<i64>().ok()?,
    };
    Some(Number::bits(ty, value.cast_unsigned()))
}
