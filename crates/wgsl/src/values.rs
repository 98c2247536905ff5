//! naga's expressions as lang's.

mod operation;

use lanescope_frontend::{Construct, DiagnosticKind, Span};
use std::collections::BTreeMap;

use lanescope_syntax::tree::{Declaration, Expr, Name, Scalar, TypeExpr};
use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{
    AddressSpace, Arena, ArraySize, Expression, GlobalVariable, Handle, Literal, Module, Type,
    TypeInner,
};

use crate::make;
use crate::types::{COLUMNS, COMPONENTS, Types, field_name, override_name, span_of};

/// What cannot be read, and where.
pub(crate) type Said = Vec<(Span, DiagnosticKind)>;

/// Where the types of expressions are written down.
#[derive(Clone, Copy)]
pub(crate) enum Info<'m> {
    Function(&'m FunctionInfo),
    Module(&'m ModuleInfo),
}

/// Writes the expressions of one function, or of the module.
pub(crate) struct Values<'t, 'm> {
    pub(crate) module: &'m Module,
    module_info: &'m ModuleInfo,
    expressions: &'m Arena<Expression>,
    info: Info<'m>,
    pub(crate) types: &'t mut Types<'m>,
    pub(crate) said: &'t mut Said,
    /// Expressions written already: a name, or what stands for the one place that uses it.
    pub(crate) written: BTreeMap<Handle<Expression>, Expr>,
    /// The function's arguments and variables.
    pub(crate) arguments: Vec<Name>,
    pub(crate) variables: Vec<Name>,
    /// What is indexed and has no place of its own, as tables of constants, to be declared before
    /// the function's body.
    pub(crate) tables: Vec<Declaration>,
}

impl<'t, 'm> Values<'t, 'm> {
    pub(crate) fn new(
        module: &'m Module,
        module_info: &'m ModuleInfo,
        expressions: &'m Arena<Expression>,
        info: Info<'m>,
        types: &'t mut Types<'m>,
        said: &'t mut Said,
    ) -> Self {
        Self {
            module,
            module_info,
            expressions,
            info,
            types,
            said,
            written: BTreeMap::new(),
            arguments: Vec::new(),
            variables: Vec::new(),
            tables: Vec::new(),
        }
    }

    pub(crate) fn expression(&self, handle: Handle<Expression>) -> &'m Expression {
        &self.expressions[handle]
    }

    pub(crate) fn span(&self, handle: Handle<Expression>) -> Span {
        span_of(self.expressions.get_span(handle))
    }

    pub(crate) fn inner(&self, handle: Handle<Expression>) -> &'m TypeInner {
        match self.info {
            Info::Function(info) => info[handle].ty.inner_with(&self.module.types),
            Info::Module(info) => info[handle].inner_with(&self.module.types),
        }
    }

    /// The type of an expression, as written.
    pub(crate) fn type_of(&mut self, handle: Handle<Expression>) -> TypeExpr {
        let span = self.span(handle);
        let found = match self.info {
            Info::Function(info) => info[handle].ty.handle(),
            Info::Module(info) => info[handle].handle(),
        };
        match found {
            Some(of) => self.types.written(of, span),
            None => self.types.written_inner(self.inner(handle), span),
        }
    }

    pub(crate) fn unsupported(&mut self, span: Span, what: Construct) {
        self.said.push((span, DiagnosticKind::Unsupported { what }));
    }

    /// The expression where it is used; of a pointer, the place that it points to.
    pub(crate) fn value(&mut self, handle: Handle<Expression>) -> Expr {
        if let Some(written) = self.written.get(&handle) {
            return written.clone();
        }
        self.write(handle)
    }

    /// The expression where it is computed.
    pub(crate) fn write(&mut self, handle: Handle<Expression>) -> Expr {
        use Expression as E;
        let span = self.span(handle);
        match *self.expression(handle) {
            E::Literal(literal) => literal_of(span, literal),
            E::Constant(constant) => self.constant(constant, span),
            E::Override(one) => make::name(span, &override_name(one)),
            E::ZeroValue(of) => self.zero(of, span),
            E::Compose { ty, ref components } => self.compose(ty, components, span),
            E::Access { base, index } => {
                let (base, index) = (self.indexed(base), self.value(index));
                make::index(span, base, index)
            }
            E::AccessIndex { base, index } => self.access_index(base, index, span),
            E::Splat { size, value } => {
                let of = self.vector_of(size, value, span);
                let value = self.value(value);
                make::cast(span, of, value)
            }
            E::Swizzle {
                size,
                vector,
                pattern,
            } => {
                let of = self.vector_of(size, vector, span);
                let parts = pattern[..size as usize]
                    .iter()
                    .map(|one| self.component(vector, *one as usize))
                    .collect();
                make::construct(span, of, parts)
            }
            E::FunctionArgument(at) => {
                let argument = self.arguments.get(at as usize).cloned();
                make::name(span, &argument.unwrap_or_else(|| "".into()))
            }
            E::GlobalVariable(global) => global_place(self.module, global, span),
            E::LocalVariable(variable) => {
                let name = self.variables.get(variable.index()).cloned();
                make::name(span, &name.unwrap_or_else(|| "".into()))
            }
            E::Load { pointer } => self.load(pointer, span),
            E::ArrayLength(array) => {
                let array = self.array_of(array);
                make::call(span, "arrayLength", vec![array])
            }
            E::Unary { op, expr } => self.unary(op, expr, span),
            E::Binary { op, left, right } => self.binary(op, left, right, handle, span),
            E::Select {
                condition,
                accept,
                reject,
            } => self.select(condition, accept, reject, handle, span),
            E::Relational { fun, argument } => self.relational(fun, argument, handle, span),
            E::Math {
                fun,
                arg,
                arg1,
                arg2,
                arg3,
            } => self.math(fun, [Some(arg), arg1, arg2, arg3], handle, span),
            E::As {
                expr,
                kind,
                convert,
            } => self.convert(expr, kind, convert, handle, span),
            E::ImageSample { .. } | E::ImageLoad { .. } | E::ImageQuery { .. } => {
                self.nothing(handle, span, Construct::Texture)
            }
            E::Derivative { .. } => self.nothing(handle, span, Construct::Derivative),
            _ => self.nothing(handle, span, Construct::AnExpression),
        }
    }

    /// Zero, where there is no value to compute.
    fn nothing(&mut self, handle: Handle<Expression>, span: Span, what: Construct) -> Expr {
        self.unsupported(span, what);
        let of = self.type_of(handle);
        make::construct(span, of, Vec::new())
    }

    pub(crate) fn zero(&mut self, of: Handle<Type>, span: Span) -> Expr {
        let of = self.types.written(of, span);
        make::construct(span, of, Vec::new())
    }

    /// A constant's value, with the place where it is used.
    fn constant(&mut self, constant: Handle<naga::Constant>, span: Span) -> Expr {
        let init = self.module.constants[constant].init;
        let mut expr = self.of_module(init);
        expr.span = span;
        expr
    }

    /// An expression of the module.
    pub(crate) fn of_module(&mut self, handle: Handle<Expression>) -> Expr {
        let module = self.module;
        let expressions = &module.global_expressions;
        let info = Info::Module(self.module_info);
        let (types, said) = (&mut *self.types, &mut *self.said);
        Values::new(module, self.module_info, expressions, info, types, said).write(handle)
    }

    /// The base of an index: an array, or a vector or matrix in memory.
    fn indexed(&mut self, base: Handle<Expression>) -> Expr {
        let value = self.value(base);
        let has_no_place = match self.expression(base) {
            Expression::Constant(_) | Expression::ZeroValue(_) | Expression::Compose { .. } => true,
            Expression::FunctionArgument(_) => !matches!(
                self.inner(base),
                TypeInner::Array { .. }
                    | TypeInner::Pointer { .. }
                    | TypeInner::ValuePointer { .. }
            ),
            _ => false,
        };
        if !has_no_place || self.written.contains_key(&base) {
            return value;
        }
        let span = self.span(base);
        let name: Name = format!("table {}", base.index()).into();
        let of = self.type_of(base);
        let mut table = make::declaration(name.clone(), span, of);
        table.of.is_const = true;
        table.storage.in_memory = true;
        table.init = Some(value);
        self.tables.push(table);
        let written = make::name(span, &name);
        self.written.insert(base, written.clone());
        written
    }

    fn access_index(&mut self, base: Handle<Expression>, index: u32, span: Span) -> Expr {
        if let Expression::AtomicResult {
            comparison: true, ..
        } = self.expression(base)
            && index == 1
        {
            return make::name(span, &exchanged_name(base));
        }
        let inner = self.pointee(base);
        let at = index as usize;
        match inner {
            TypeInner::Vector { .. } if self.inner(base).pointer_space().is_none() => {
                self.component(base, at)
            }
            TypeInner::Vector { .. } => make::member(span, self.value(base), COMPONENTS[at.min(3)]),
            TypeInner::Matrix { .. } => make::member(span, self.value(base), COLUMNS[at.min(3)]),
            TypeInner::Struct { members, .. } => {
                let field = members.get(at).map(|one| field_name(one, at));
                match self.expression(base) {
                    // Its only field that is read here is the old value.
                    Expression::AtomicResult { .. } => self.value(base),
                    _ => make::member(span, self.value(base), &field.unwrap_or_else(|| "".into())),
                }
            }
            _ => {
                let base = self.indexed(base);
                make::index(span, base, make::unsigned(span, index.into()))
            }
        }
    }

    /// The type of a value, or of what a pointer points to.
    fn pointee(&self, handle: Handle<Expression>) -> &'m TypeInner {
        match self.inner(handle) {
            TypeInner::Pointer { base, .. } => self.types.inner(*base),
            other => other,
        }
    }

    /// A buffer's array, as its length is asked for.
    fn array_of(&mut self, array: Handle<Expression>) -> Expr {
        self.value(array)
    }

    /// What a pointer points to, read.
    fn load(&mut self, pointer: Handle<Expression>, span: Span) -> Expr {
        let mut place = self.value(pointer);
        place.span = span;
        match *self.inner(pointer) {
            TypeInner::Pointer { base, .. }
                if matches!(self.types.inner(base), TypeInner::Array { .. }) =>
            {
                let of = self.types.written(base, span);
                make::cast(span, of, place)
            }
            TypeInner::Pointer { base, .. }
                if matches!(self.types.inner(base), TypeInner::Atomic(_))
                    && !self.is_volatile(pointer) =>
            {
                self.volatile(base, place, span)
            }
            _ => place,
        }
    }

    /// Whether the variable that a place lies in is volatile as a whole.
    fn is_volatile(&self, mut pointer: Handle<Expression>) -> bool {
        loop {
            match *self.expression(pointer) {
                Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
                    pointer = base;
                }
                Expression::GlobalVariable(global) => {
                    return self
                        .types
                        .is_atomic(self.module.global_variables[global].ty);
                }
                _ => return false,
            }
        }
    }

    /// A place that is read anew each time.
    fn volatile(&mut self, of: Handle<Type>, place: Expr, span: Span) -> Expr {
        use lanescope_syntax::tree::TypeKind;
        let mut to = self.types.written(of, span);
        to.is_volatile = true;
        let kind = TypeKind::Pointer {
            to: Box::new(to),
            restrict: false,
        };
        let pointer = make::prefix(span, "&", place);
        let pointer = make::cast(span, make::type_of(span, kind), pointer);
        make::prefix(span, "*", pointer)
    }
}

/// The name of the second field of what an exchange by comparison gives.
pub(crate) fn exchanged_name(result: Handle<Expression>) -> String {
    format!("exchanged {}", result.index())
}

/// Where a variable of the module lies.
fn global_place(module: &Module, handle: Handle<GlobalVariable>, span: Span) -> Expr {
    let global = &module.global_variables[handle];
    let name = make::name(span, &global_name(global, handle));
    let by_pointer = matches!(global.space, AddressSpace::Storage { .. })
        && matches!(module.types[global.ty].inner, TypeInner::Struct { .. })
        && is_open(module, global.ty);
    if by_pointer {
        make::prefix(span, "*", name)
    } else {
        name
    }
}

/// Whether a type has no size of its own: it is or ends with an array of any size.
pub(crate) fn is_open(module: &Module, of: Handle<Type>) -> bool {
    match &module.types[of].inner {
        TypeInner::Array { size, .. } => *size == ArraySize::Dynamic,
        TypeInner::Struct { members, .. } => {
            members.last().is_some_and(|last| is_open(module, last.ty))
        }
        _ => false,
    }
}

/// The name of a variable of the module, as the launch knows it.
pub(crate) fn global_name(global: &GlobalVariable, handle: Handle<GlobalVariable>) -> String {
    match &global.name {
        Some(name) => name.clone(),
        None => format!("global {}", handle.index()),
    }
}

#[allow(
    clippy::cast_sign_loss,
    reason = "the bits of a number are what a literal holds"
)]
fn literal_of(span: Span, literal: Literal) -> Expr {
    match literal {
        Literal::F64(value) | Literal::AbstractFloat(value) => make::real(span, value, Scalar::F64),
        Literal::F32(value) => make::real(span, value.into(), Scalar::F32),
        Literal::F16(value) => make::real(span, value.into(), Scalar::F16),
        Literal::U16(value) => make::whole(span, value.into(), Scalar::U16),
        Literal::I16(value) => make::whole(span, i64::from(value) as u64, Scalar::I16),
        Literal::U32(value) => make::unsigned(span, value.into()),
        Literal::I32(value) => make::whole(span, i64::from(value) as u64, Scalar::I32),
        Literal::U64(value) => make::whole(span, value, Scalar::U64),
        Literal::I64(value) | Literal::AbstractInt(value) => {
            make::whole(span, value as u64, Scalar::I64)
        }
        Literal::Bool(value) => make::unsigned(span, value.into()),
    }
}
