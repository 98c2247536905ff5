//! A kernel's parameters and template arguments, with the values of the launch.

use std::rc::Rc;

use super::accesses::{leaf_names, named_values};
use super::shown;
use crate::source::ctype::{Target, Type};
use crate::source::lower::calls::FunctionEffects;
use crate::source::lower::registers::{BuiltinValue, scalar_type};
use crate::source::lower::resolve::scalar_or_int;
use crate::source::lower::{Binding, Lower, Place, Value};
use lanescope_frontend::{ArrayId, KernelOptions, Passed, Span};
use lanescope_ir::{AddressSpace, Parameter, ScalarType};
use lanescope_syntax::{
    sink::Sink,
    tree::{Declaration, Function, Name},
};

impl Lower<'_> {
    pub(super) fn template_values(&mut self, kernel: &Function, options: &KernelOptions) {
        let named = options.kernel.as_deref().map(named_values);
        let inline = named.unwrap_or_default();
        for (at, parameter) in kernel.templates.iter().enumerate() {
            let given = options
                .defines
                .iter()
                .rev()
                .find(|(name, _)| *name == *parameter.name)
                .map(|(_, text)| text.clone())
                .or_else(|| options.templates.get(at).cloned())
                .or_else(|| inline.get(at).cloned());
            let binding = given
                .and_then(|text| self.template_text(&text))
                .or_else(|| {
                    parameter
                        .default
                        .as_ref()
                        .and_then(|argument| self.template_binding(argument))
                })
                .unwrap_or_else(|| {
                    self.assumed(&parameter.name, parameter.span, parameter.ty.is_none())
                });
            self.bind(&parameter.name, binding);
        }
    }

    /// A template argument given as text: a type or a number.
    fn template_text(&mut self, text: &str) -> Option<Binding> {
        // An enumerator as a demangler writes it: its type in parentheses, then its number.
        let text = match text.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((_, number)) if number.parse::<i64>().is_ok() => number,
            _ => text,
        };
        let mut quiet = Sink::new(text);
        let tokens = lanescope_syntax::lexer::lex(text, &mut quiet);
        let named = self.scopes.iter().flatten();
        let types = named.filter(|(_, one)| matches!(one, Binding::Type(_)));
        let own = self.structs.keys().chain(self.specialised_structs.keys());
        let mut types: Vec<Name> = own.chain(types.map(|(name, _)| name)).cloned().collect();
        // `ns::Add`: a type inside a namespace is known by its last name.
        let path = text
            .split('<')
            .next()
            .unwrap_or(text)
            .trim()
            .replace(' ', "");
        let last = path.rsplit("::").next().unwrap_or_default();
        if path.contains("::") && types.iter().any(|known| **known == *last) {
            types.push(path.into());
        }
        let argument =
            lanescope_syntax::parser::parse_argument(tokens, types.into_iter(), &mut quiet);
        self.template_binding(&argument)
    }

    pub(super) fn kernel_parameter(
        &mut self,
        function_effects: &FunctionEffects,
        position: u32,
        declaration: &Declaration,
    ) {
        let (ty, is_unread) = self.reading_types(|this| this.resolve(&declaration.ty));
        let ty = if let Type::Array(element, _) = ty {
            Type::pointer_to((*element).clone(), Target::Unknown)
        } else {
            ty
        };
        let first = self.parameters.len();
        let value = match &ty {
            Type::Pointer(pointer) => self.buffer_parameter(declaration, pointer),
            Type::Group { .. } => self.zero(&ty),
            _ => self.scalar_parameters(declaration, &ty),
        };
        let value = if is_unread || ty.is_unread() {
            self.unread(&declaration.name, Some(declaration.span), &value.ty)
        } else {
            value
        };
        for (passed, leaf) in self.passed.iter_mut().skip(first).zip(ty.leaves()) {
            *passed = Some(Passed {
                position,
                offset: leaf.offset,
                of_bytes: ty.bytes(),
            });
        }
        if function_effects.changed.contains(&declaration.name) {
            let kept = self.variable(&value.ty.clone(), Some(&value));
            self.bind(&declaration.name, Binding::Place(Place::Registers(kept)));
        } else {
            self.bind(&declaration.name, Binding::Value(value));
        }
    }

    fn buffer_parameter(
        &mut self,
        declaration: &Declaration,
        pointer: &crate::source::ctype::Pointer,
    ) -> Value {
        let ty = shown(&declaration.ty, pointer);
        let offset = self.place_parameter(8, 8);
        self.buffer(declaration, pointer, ty, offset)
    }

    /// The offset of a parameter of so many bytes behind those before it.
    fn place_parameter(&mut self, bytes: u64, align: u64) -> u32 {
        let at = self
            .parameter_bytes
            .div_ceil(align.max(1))
            .saturating_mul(align.max(1));
        self.parameter_bytes = at.saturating_add(bytes);
        u32::try_from(at).unwrap_or(u32::MAX)
    }

    /// A buffer that a parameter, or a part of one, points to.
    fn buffer(
        &mut self,
        declaration: &Declaration,
        pointer: &crate::source::ctype::Pointer,
        ty: String,
        offset: u32,
    ) -> Value {
        let id = self.array(declaration, &pointer.to, AddressSpace::Global, 0, None);
        self.arrays[id.0 as usize].extents.clear();
        self.arrays[id.0 as usize].is_restrict = pointer.restrict;
        self.add_buffer(declaration, ty, id, (offset, 8));
        let mut pointer = pointer.clone();
        pointer.target = Target::Array(id);
        let reg = self.builtin_value(BuiltinValue::Array(id));
        Value {
            ty: Type::Pointer(Rc::new(pointer)),
            regs: vec![reg],
        }
    }

    /// Adds the parameter through which a launch describes a buffer; `place` is its offset and bytes.
    pub(in crate::source::lower) fn add_buffer(
        &mut self,
        declaration: &Declaration,
        ty: String,
        id: ArrayId,
        place: (u32, u32),
    ) {
        let name = declaration.name.to_string();
        self.add_parameter(declaration.span, (name, ty), Some(id), None, place);
    }

    fn add_parameter(
        &mut self,
        span: Span,
        (name, declared): (String, String),
        array: Option<ArrayId>,
        scalar: Option<ScalarType>,
        (offset, bytes): (u32, u32),
    ) {
        let place = self.place_id(span);
        self.parameters.push(Parameter {
            name,
            place,
            declared,
            offset,
            bytes,
            scalar,
            array,
        });
        self.passed.push(None);
    }

    /// A parameter that is a number, or a structure of numbers and pointers.
    pub(super) fn scalar_parameters(&mut self, declaration: &Declaration, ty: &Type) -> Value {
        let mut names = Vec::new();
        leaf_names(ty, &declaration.name, &mut names);
        let leaves = ty.leaves();
        let first = self.place_parameter(ty.bytes(), ty.align());
        let regs = leaves
            .iter()
            .zip(names)
            .map(|(leaf, name)| {
                let offset = u32::try_from(leaf.offset).unwrap_or(u32::MAX);
                let offset = first.saturating_add(offset);
                if let Type::Pointer(pointer) = &leaf.ty {
                    let part = Declaration {
                        name: name.into(),
                        ..declaration.clone()
                    };
                    let value = self.buffer(&part, pointer, leaf.ty.shown(), offset);
                    return value.regs.first().copied().unwrap_or(0);
                }
                let at = u16::try_from(self.parameters.len()).unwrap_or(u16::MAX);
                let scalar = scalar_type(scalar_or_int(&leaf.ty));
                let bytes = u32::try_from(leaf.ty.bytes()).unwrap_or(u32::MAX);
                let place = (offset, bytes);
                let named = (name, leaf.ty.shown());
                self.add_parameter(declaration.span, named, None, Some(scalar), place);
                self.builtin_value(BuiltinValue::Parameter(at))
            })
            .collect();
        Value {
            ty: ty.clone(),
            regs,
        }
    }
}
