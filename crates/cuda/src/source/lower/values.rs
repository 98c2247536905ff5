//! Expressions into values.

mod assignment;
mod choice;

use super::calls::names_bytes;
use super::places::part;
use super::resolve::scalar_or_int;
use super::{Binding, Lower, Memory, Place, Value};
use crate::source::ctype::{Struct, Target, Type};
use lanescope_frontend::{Construct, Span};
use lanescope_ir::UnaryOp;
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Expr, ExprKind, TypeExpr},
};

/// Expressions inside one another, those of functions put in place counted, at most.
pub(super) const DEEPEST: u32 = 400;

impl Lower<'_> {
    /// The value of an expression.
    pub(super) fn value(&mut self, expr: &Expr) -> Value {
        if self.depth > DEEPEST {
            let limit = u64::from(DEEPEST);
            self.stop(DiagnosticKind::TooDeep { limit });
        }
        if !self.spend(1) {
            return self.nothing();
        }
        self.depth += 1;
        let value = self.value_inner(expr);
        self.depth -= 1;
        value
    }

    fn value_inner(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Whole { value, scalar } => {
                let reg = self.constant(scalar.wrap(value.cast_signed()));
                Value::scalar(*scalar, reg)
            }
            ExprKind::Real { value, scalar } => {
                let value = if *scalar == Scalar::F32 {
                    narrowed(*value)
                } else {
                    *value
                };
                let reg = self.constant(value.to_bits().cast_signed());
                Value::scalar(*scalar, reg)
            }
            ExprKind::Text(_) => self.whole(0, Scalar::I32),
            ExprKind::Missing => self.nothing(),
            ExprKind::Name(name) => self.name_value(name, expr.span),
            ExprKind::Prefix(op, inner) => self.prefix(op, inner, expr),
            ExprKind::Postfix(op, inner) => self.step(op, inner, true, expr.span),
            ExprKind::Designated(_, value) => self.value(value),
            ExprKind::Expand(_) => {
                let what = Construct::ParameterPack;
                self.say(expr.span, DiagnosticKind::Unsupported { what });
                self.nothing()
            }
            ExprKind::Fold { op, left, right } => {
                match self.folded(op, left.as_deref(), right.as_deref(), expr.span) {
                    Some(folded) => self.value(&folded),
                    None => {
                        let what = Construct::ParameterPack;
                        self.say(expr.span, DiagnosticKind::Unsupported { what });
                        self.nothing()
                    }
                }
            }
            ExprKind::SizeofPack(name) => self.size_of_pack(name, expr.span),
            ExprKind::Binary(",", a, b) => {
                self.value(a);
                self.value(b)
            }
            ExprKind::Binary(op @ ("&&" | "||"), a, b) => self.short_circuit(op, a, b),
            ExprKind::Binary(op, a, b) => {
                if let Some(outcome) = self.binary_of_object(op, a, b, expr.span) {
                    return self.outcome_value(outcome, expr.span);
                }
                let a = self.value(a);
                let b = self.value(b);
                self.binary(op, &a, &b, expr.span)
            }
            ExprKind::Assign(op, target, source) => self.assignment(op, target, source, expr.span),
            ExprKind::Conditional(condition, yes, no) => {
                self.conditional(condition, yes, no, expr.span)
            }
            ExprKind::Call {
                callee,
                templates,
                arguments,
            } => self.call(callee, templates, arguments, expr.span),
            ExprKind::Index(..) => self.place_value(expr),
            ExprKind::Member(object, field) => {
                match self.builtin_member(object, field, expr.span) {
                    Some(value) => value,
                    None => self.place_value(expr),
                }
            }
            ExprKind::Cast(ty, inner) => self.cast(ty, inner, expr.span),
            ExprKind::Construct(ty, list) => self.construct(ty, list, expr.span),
            ExprKind::SizeofType(ty) => {
                let (ty, is_unread) = self.reading_types(|this| this.resolve(ty));
                self.size(&ty, is_unread, expr.span)
            }
            ExprKind::AlignofType(ty) => {
                let bytes = self.resolve(ty).align();
                self.whole(bytes.cast_signed(), Scalar::U64)
            }
            ExprKind::SizeofValue(inner) => {
                let (ty, is_unread) = self.reading_types(|this| this.type_of(inner));
                self.size(&ty, is_unread, expr.span)
            }
            ExprKind::Lambda(function, captures) => self.lambda(function, captures),
            ExprKind::List(list) => list
                .first()
                .map_or_else(Value::void, |first| self.value(first)),
        }
    }

    /// The type of an expression, without what it does.
    pub(super) fn type_of(&mut self, expr: &Expr) -> Type {
        if let ExprKind::Text(text) = &expr.kind {
            let bytes = lanescope_syntax::lexer::characters(text).saturating_add(1);
            let byte = Type::Scalar(Scalar::I8);
            return Type::Array(std::rc::Rc::new(byte), bytes);
        }
        if let ExprKind::Name(name) = &expr.kind
            && let Some(ty) = self.member_type(name)
        {
            return ty;
        }
        let before = self.mark();
        let ty = match self.place(expr) {
            Some(place) => place.of().clone(),
            None => self.value_off_place(expr).ty,
        };
        self.rewind(before);
        ty
    }

    /// The type of a member that is named without an object, as in `sizeof(A::field)`.
    fn member_type(&self, name: &str) -> Option<Type> {
        let (around, last) = name.rsplit_once("::")?;
        let found = self.lookup(around).or_else(|| self.qualified(around));
        match found {
            Some(Binding::Type(Type::Struct(ty))) => match ty.field(last) {
                Some(field) => Some(field.ty.clone()),
                // A type inside it, which the text does not show to be one.
                None => match self.instances.get(&ty.name)?.scope.get(last) {
                    Some(Binding::Type(inner)) => Some(inner.clone()),
                    Some(Binding::Value(_) | Binding::Place(_)) | None => None,
                },
            },
            Some(Binding::Type(_) | Binding::Value(_) | Binding::Place(_)) | None => None,
        }
    }

    fn place_value(&mut self, expr: &Expr) -> Value {
        if let ExprKind::Index(base, index) = &expr.kind
            && let Some(value) = self.builtin_index(base, index, expr.span)
        {
            return value;
        }
        match self.place(expr) {
            Some(place) => self.read(&place, expr.span),
            None => self.nothing(),
        }
    }

    fn name_value(&mut self, name: &str, span: Span) -> Value {
        let found = self.lookup(name).or_else(|| self.qualified(name));
        match found.cloned() {
            Some(Binding::Value(value)) => self.copy_of_closure(value, span),
            Some(Binding::Place(place)) => self.read(&place, span),
            Some(Binding::Type(_)) => self.nothing(),
            None => match self.builtin_name(name, span) {
                Some(value) => value,
                None => {
                    if let Some(function) = self.function_value(name) {
                        return function;
                    }
                    self.unknown_name(name, span);
                    self.unread(name, Some(span), &Type::INT)
                }
            },
        }
    }

    pub(super) fn unknown_name(&mut self, name: &str, span: Span) {
        if self.sink.is_full() {
            return;
        }
        let this = match self.lookup("this") {
            Some(Binding::Place(place)) => self.inside_of(place.of()),
            _ => None,
        };
        let inside = this.iter().flat_map(|this| this.names());
        let built_in = self.builtin_names();
        let base = self.calls.last().map_or(0, |call| call.base);
        let seen = self.scopes.first().into_iter().chain(&self.scopes[base..]);
        let bound = seen.flat_map(super::Scope::keys);
        let known = bound.chain(inside).map(|one| &**one).chain(built_in);
        self.sink.unknown(span, name, known, |name, suggestion| {
            DiagnosticKind::UnknownName { name, suggestion }
        });
    }

    fn prefix(&mut self, op: &'static str, inner: &Expr, whole: &Expr) -> Value {
        match op {
            "++" | "--" => self.step(op, inner, false, whole.span),
            _ if self.has_operators
                && let Some(outcome) = self.unary_operator(op, inner, false, whole.span) =>
            {
                self.outcome_value(outcome, whole.span)
            }
            "*" => self.place_value(whole),
            "&" => match &inner.kind {
                ExprKind::Name(name) if self.lookup(name).is_none() => {
                    let function = self.function_value(name);
                    function.unwrap_or_else(|| self.address_of(inner))
                }
                _ => self.address_of(inner),
            },
            _ => {
                let value = self.value(inner);
                let (scalar, reg) = self.scalar(&value, inner.span);
                if op == "!" {
                    let reg = self.convert_reg(reg, scalar, Scalar::Bool);
                    let reg = self.unary_reg(UnaryOp::Not, Scalar::Bool, reg);
                    return Value::scalar(Scalar::Bool, reg);
                }
                let common = scalar.promoted();
                let reg = self.convert_reg(reg, scalar, common);
                let reg = match op {
                    "-" => self.unary_reg(UnaryOp::Negate, common, reg),
                    "~" => self.unary_reg(UnaryOp::Not, common, reg),
                    _ => reg,
                };
                Value::scalar(common, reg)
            }
        }
    }

    fn address_of(&mut self, inner: &Expr) -> Value {
        match self.place(inner) {
            Some(Place::Memory(memory)) => {
                let ty = memory.ty.clone();
                let value = self.pointer_at(&memory, ty);
                match self.is_constant(inner) {
                    true => constant_pointer(value),
                    false => value,
                }
            }
            found => {
                if found.is_some() {
                    let what = Construct::AddressOfValue;
                    self.say(inner.span, DiagnosticKind::Unsupported { what });
                }
                let ty = Type::pointer_to(Type::INT, Target::Local(None));
                self.unread("", Some(inner.span), &ty)
            }
        }
    }

    /// A copy that later assignments leave alone.
    pub(super) fn copied(&mut self, value: &Value) -> Value {
        let leaves = value.ty.leaves();
        let regs = value
            .regs
            .iter()
            .enumerate()
            .map(|(at, src)| {
                let ty = leaves
                    .get(at)
                    .map_or(Scalar::I32, |leaf| scalar_or_int(&leaf.ty));
                self.copy(*src, ty)
            })
            .collect();
        Value {
            ty: value.ty.clone(),
            regs,
        }
    }

    fn cast(&mut self, ty: &TypeExpr, inner: &Expr, span: Span) -> Value {
        let (to, is_unread) = self.reading_types(|this| this.resolve(ty));
        if is_unread || to.is_unread() {
            self.value(inner);
            return self.unread("", Some(span), &to);
        }
        if let ExprKind::List(list) = &inner.kind {
            return self.listed(&to, list, span);
        }
        if names_bytes(ty)
            && is_named_place(inner)
            && let Some(Place::Memory(memory)) = self.place(inner)
        {
            // The bytes that stand there, not their value.
            return self.read(&Place::Memory(Memory { ty: to, ..memory }), span);
        }
        let place = if matches!(to, Type::Array(..)) {
            self.place(inner)
        } else {
            None
        };
        let value = match (place, &to) {
            (Some(Place::Memory(memory)), _) if memory.ty == to => return self.load(&memory, span),
            (Some(place), _) => self.read(&place, span),
            (None, Type::Array(..)) => self.value_off_place(inner),
            (None, _) => self.value(inner),
        };
        match (&value.ty, &to) {
            (Type::Scalar(from), Type::Scalar(target)) => {
                let reg = self.convert_reg(value.regs[0], *from, *target);
                Value::scalar(*target, reg)
            }
            _ => self.convert(value, &to, span),
        }
    }

    fn construct(&mut self, ty: &TypeExpr, list: &[Expr], span: Span) -> Value {
        let list = &*self.expanded(list);
        let deduced = self.deduced_class(ty, list);
        let to = deduced.unwrap_or_else(|| self.resolve(ty));
        if self.is_built(&to) || self.is_copied(&to) {
            let made = self.object_of(&to, super::objects::Start::List(list), span);
            self.ends_with_statement(&made, span);
            return made;
        }
        match (&to, list) {
            (Type::Scalar(_), [one]) => self.cast(ty, one, span),
            (Type::Struct(_), [one]) if !matches!(one.kind, ExprKind::List(_)) => {
                let is_first = |found: &Type, ty: &Struct| {
                    ty.fields.first().is_some_and(|one| one.ty == *found)
                };
                match (self.type_of(one), &to) {
                    (found @ Type::Struct(_), Type::Struct(ty)) if !is_first(&found, ty) => {
                        let value = self.value(one);
                        self.convert(value, &to, span)
                    }
                    _ => self.listed(&to, list, span),
                }
            }
            (Type::Group { .. }, _) => {
                for one in list {
                    self.value(one);
                }
                let zero = self.constant(0);
                Value {
                    ty: to,
                    regs: vec![zero],
                }
            }
            _ => self.listed(&to, list, span),
        }
    }

    /// A value of type `of` from the values of a list.
    pub(super) fn listed(&mut self, ty: &Type, list: &[Expr], span: Span) -> Value {
        let list = &*self.expanded(list);
        let list = &*self.positional(ty, list, span);
        let list = &*self.braced(ty, list);
        if let Type::Struct(structure) = ty
            && structure.has_bit_fields()
        {
            return self.listed_bit_fields(ty, structure, list, span);
        }
        let mut value_of = |expr: &Expr, ty: &Type| match &expr.kind {
            ExprKind::List(inner) => self.listed(ty, inner, expr.span),
            _ if self.is_built(ty) || self.is_copied(ty) => {
                self.object_of(ty, super::objects::Start::of(expr), expr.span)
            }
            _ => self.value(expr),
        };
        let values = match ty {
            Type::Struct(structure) => list
                .iter()
                .zip(&structure.fields)
                .map(|(one, field)| value_of(one, &field.ty))
                .collect(),
            Type::Array(element, _) => list.iter().map(|one| value_of(one, element)).collect(),
            _ => list.iter().map(|one| self.value(one)).collect(),
        };
        self.fields_of(ty, values, span)
    }

    /// A structure with bit-fields from a list: made in memory, where fields share units.
    fn listed_bit_fields(
        &mut self,
        ty: &Type,
        structure: &Struct,
        list: &[Expr],
        span: Span,
    ) -> Value {
        let Some(room) = self.room(ty.clone(), span) else {
            return self.zero(ty);
        };
        let zero = self.zero(ty);
        self.store(&room, &zero, span);
        let place = Place::Memory(room);
        for (one, field) in list.iter().zip(&structure.fields) {
            let value = match &one.kind {
                ExprKind::List(inner) => self.listed(&field.ty, inner, one.span),
                _ => self.value(one),
            };
            let value = self.convert(value, &field.ty, one.span);
            self.assign(&part(&place, field), &value, one.span);
        }
        self.read(&place, span)
    }

    /// A value of type `of` whose fields are `values`; what is not given is zero.
    pub(super) fn fields_of(&mut self, ty: &Type, values: Vec<Value>, span: Span) -> Value {
        let parts: Vec<Type> = match ty {
            Type::Struct(structure) => structure
                .fields
                .iter()
                .map(|field| field.ty.clone())
                .collect(),
            Type::Array(element, count) => {
                vec![(**element).clone(); usize::try_from((*count).min(256)).unwrap_or(0)]
            }
            _ => {
                return match values.into_iter().next() {
                    Some(value) => self.convert(value, ty, span),
                    None => self.zero(ty),
                };
            }
        };
        let mut values = values.into_iter();
        let mut regs = Vec::new();
        for part in &parts {
            let value = match values.next() {
                Some(value) => self.convert(value, part, span),
                // What is not said of a grid or a block is one.
                None if ty.shown() == "dim3" => self.whole(1, Scalar::U32),
                None => self.zero(part),
            };
            regs.extend(value.regs);
        }
        Value {
            ty: ty.clone(),
            regs,
        }
    }

    /// What an expression statement does: a place alone is touched.
    pub(super) fn touch(
        &mut self,
        memory: &Memory,
        operation: lanescope_model::Operation,
        span: Span,
    ) {
        let pieces = self.requests(memory, operation, span);
        self.touched(memory, operation, &pieces, span);
    }
}

/// The same pointer to what is not changed through it.
fn constant_pointer(value: Value) -> Value {
    let Type::Pointer(ty) = &value.ty else {
        return value;
    };
    let mut ty = (**ty).clone();
    ty.constant = true;
    Value {
        ty: Type::Pointer(std::rc::Rc::new(ty)),
        regs: value.regs,
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a float literal has that precision"
)]
fn narrowed(value: f64) -> f64 {
    f64::from(value as f32)
}

/// Whether an expression names a place, and calls nothing to do so.
fn is_named_place(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) => true,
        ExprKind::Index(object, _)
        | ExprKind::Member(object, _)
        | ExprKind::Prefix("*", object) => is_named_place(object),
        _ => false,
    }
}
