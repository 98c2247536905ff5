//! Expressions into values.

use super::layout::Shape;
use super::number::{Number, Value};
use super::place::{Object, Place, slice};
use super::uses::is_array_value;
use super::{Info, Lower, span_of};
use lanescope_frontend::{Construct, DiagnosticKind, Span};
use lanescope_ir::{BinaryOp, Comparison, Op, ScalarType, SpecialRegister, UnaryOp, eval};
use naga::{BinaryOperator, Expression, Handle, Literal, RelationalFunction, Type, UnaryOperator};

impl<'m> Lower<'m> {
    pub(super) fn expression(&self, handle: Handle<Expression>) -> &'m Expression {
        &self.frame().expressions[handle]
    }

    pub(super) fn span(&self, handle: Handle<Expression>) -> Span {
        span_of(self.frame().expressions.get_span(handle))
    }

    /// Computes an expression where naga says so.
    pub(super) fn emit(&mut self, handle: Handle<Expression>) {
        if !self.spend(1) {
            return;
        }
        let keeps = self.frame().uses.keeps(handle);
        if self.inner(handle).pointer_space().is_some() {
            let place = self.find_place(handle);
            let place = if keeps { self.kept_place(place) } else { place };
            self.frame_mut().places.insert(handle, place);
            return;
        }
        let value = self.evaluate(handle);
        // Large values cost more than a step.
        if !self.spend(value.len() / 32) {
            return;
        }
        let value = if keeps { self.kept(value) } else { value };
        self.set(handle, value);
    }

    /// Notes what an expression is.
    pub(super) fn set(&mut self, handle: Handle<Expression>, value: Value) {
        if self.frame().uses.indexes(handle) {
            self.spill(handle, &value);
        }
        self.frame_mut().values.insert(handle, value);
    }

    /// A value that later assignments of variables leave alone.
    pub(super) fn kept(&mut self, mut value: Value) -> Value {
        for number in &mut value {
            if self.ranges.is_variable(*number) {
                *number = self.copied(*number);
            }
        }
        value
    }

    /// A place whose indices later assignments leave alone.
    fn kept_place(&mut self, place: Place) -> Place {
        let Place::Memory(mut memory) = place else {
            return place;
        };
        for bound in &mut memory.bounds {
            if self.ranges.is_variable(bound.index) {
                bound.index = self.copied(bound.index);
            }
        }
        Place::Memory(memory)
    }

    /// Puts an array that is indexed into a thread's own memory.
    pub(super) fn spill(&mut self, handle: Handle<Expression>, value: &Value) {
        let (shape, span) = (self.shape(handle), self.span(handle));
        let place = self.room(shape, span);
        self.store(&place, shape, value, false, span);
        self.frame_mut().places.insert(handle, place);
    }

    /// The value of an expression where it is used.
    pub(super) fn value(&mut self, handle: Handle<Expression>) -> Value {
        match self.frame().values.get(&handle) {
            Some(value) => value.clone(),
            None => self.evaluate(handle),
        }
    }

    /// The first scalar of a value.
    pub(super) fn scalar(&mut self, handle: Handle<Expression>) -> Number {
        let value = self.value(handle);
        let nothing = Number::bits(ScalarType::U32, 0);
        value.first().copied().unwrap_or(nothing)
    }

    fn evaluate(&mut self, handle: Handle<Expression>) -> Value {
        use Expression as E;
        match *self.expression(handle) {
            E::Literal(literal) => vec![literal_of(literal)],
            E::Constant(constant) => {
                let init = self.module.constants[constant].init;
                self.of_module(init)
            }
            E::Override(one) => {
                let known = self.overrides.get(one.index());
                known.map(|number| vec![*number]).unwrap_or_default()
            }
            E::ZeroValue(of) => self.zero_of(of),
            E::Compose { ref components, .. } => {
                let parts = components.iter();
                parts.flat_map(|part| self.value(*part)).collect()
            }
            E::Access { base, index } => self.element_value(base, index),
            E::AccessIndex { base, index } => {
                let value = self.value(base);
                match self.layouts.part(self.shape(base), index) {
                    Some((part, _, before)) => slice(&value, before, self.layouts.leaf_count(part)),
                    None => value,
                }
            }
            E::Splat { size, value } => vec![self.scalar(value); size as usize],
            E::Swizzle {
                size,
                vector,
                pattern,
            } => {
                let value = self.value(vector);
                let parts = pattern.iter().take(size as usize);
                let parts = parts.filter_map(|part| value.get(*part as usize).copied());
                parts.collect()
            }
            E::FunctionArgument(at) => {
                let found = self.frame().arguments.get(at as usize);
                found.cloned().unwrap_or_default()
            }
            E::Load { pointer } => {
                if let Some(joined) = self.joined(pointer) {
                    return vec![joined];
                }
                let (place, shape) = (self.place(pointer), self.shape(pointer));
                let (is_volatile, span) = (self.is_atomic(pointer), self.span(handle));
                self.load(&place, shape, is_volatile, span)
            }
            E::ArrayLength(array) => self.array_length(array),
            E::Unary { op, expr } => self.unary_value(op, expr),
            E::Binary { op, left, right } => self.binary_value(op, left, right),
            E::Select {
                condition,
                accept,
                reject,
            } => {
                let condition = self.value(condition);
                let (yes, no) = (self.value(accept), self.value(reject));
                self.zip(&yes, &no, |this, at, yes, no| {
                    let own = condition.get(at).or(condition.first());
                    this.select(own.copied().unwrap_or(Number::boolean(false)), yes, no)
                })
            }
            E::Relational { fun, argument } => self.relational(fun, argument),
            E::Math {
                fun,
                arg,
                arg1,
                arg2,
                arg3,
            } => {
                let given = [Some(arg), arg1, arg2, arg3].into_iter().flatten();
                let given: Vec<Value> = given.map(|one| self.value(one)).collect();
                let (from, to) = (self.shape(arg), self.shape(handle));
                self.math(fun, from, to, &given)
            }
            E::As {
                expr,
                kind,
                convert,
            } => self.converted(expr, kind, convert, handle),
            E::ImageSample { .. } | E::ImageLoad { .. } | E::ImageQuery { .. } => {
                self.nothing(handle, Construct::Texture)
            }
            E::Derivative { .. } => self.nothing(handle, Construct::Derivative),
            _ => self.nothing(handle, Construct::AnExpression),
        }
    }

    /// What is not read: it says so.
    fn nothing(&mut self, handle: Handle<Expression>, what: Construct) -> Value {
        let span = self.span(handle);
        self.say(span, DiagnosticKind::Unsupported { what });
        self.zero(self.shape(handle))
    }

    fn zero_of(&self, of: Handle<Type>) -> Value {
        self.zero(self.layouts.of(of))
    }

    pub(super) fn zero(&self, shape: Shape<'m>) -> Value {
        let leaves = self.layouts.leaves(shape);
        leaves.iter().map(|leaf| Number::bits(leaf.ty, 0)).collect()
    }

    /// The value of an expression of the module.
    pub(super) fn of_module(&mut self, handle: Handle<Expression>) -> Value {
        if let Some(known) = self.constants.get(&handle) {
            return known.clone();
        }
        let frame = super::Frame::new(&self.module.global_expressions, Info::Module(self.info));
        self.frames.push(frame);
        let value = self.evaluate(handle);
        self.frames.pop();
        self.constants.insert(handle, value.clone());
        value
    }

    /// The element of a value that an index takes.
    fn element_value(&mut self, base: Handle<Expression>, index: Handle<Expression>) -> Value {
        let shape = self.shape(base);
        let index = self.scalar(index);
        let known = index.constant().is_some();
        let spilled = is_array_value(self.inner(base)) && !known;
        let place = match self.frame().places.get(&base) {
            Some(place) if spilled => place.clone(),
            _ => Place::Registers(self.value(base)),
        };
        let Some((element, ..)) = self.layouts.element(shape) else {
            return Value::new();
        };
        let place = self.element_of(place, shape, index);
        let span = self.span(base);
        self.load(&place, element, false, span)
    }

    /// The elements of a buffer that the launch counts.
    fn array_length(&mut self, array: Handle<Expression>) -> Value {
        let Place::Memory(memory) = self.place(array) else {
            return vec![Number::bits(ScalarType::U32, 0)];
        };
        let (Object::Counted(id) | Object::Constant(id)) = memory.object else {
            return vec![Number::bits(ScalarType::U32, 0)];
        };
        let register = SpecialRegister::Elements(id);
        let count = self
            .builder
            .at_entry(ScalarType::U64, |dst| Op::Special { dst, register });
        vec![self.convert(Number::new(ScalarType::U64, count.into()), ScalarType::U32)]
    }

    /// Two values scalar by scalar; one of a single scalar goes with each of the other's.
    pub(super) fn zip(
        &mut self,
        a: &Value,
        b: &Value,
        mut one: impl FnMut(&mut Self, usize, Number, Number) -> Number,
    ) -> Value {
        let at = |value: &Value, at: usize| value.get(at).or(value.first()).copied();
        let count = if a.is_empty() || b.is_empty() {
            0
        } else {
            a.len().max(b.len())
        };
        let pairs = (0..count).filter_map(|i| Some((i, at(a, i)?, at(b, i)?)));
        pairs.map(|(i, a, b)| one(self, i, a, b)).collect()
    }

    fn unary_value(&mut self, op: UnaryOperator, of: Handle<Expression>) -> Value {
        let op = match op {
            UnaryOperator::Negate => UnaryOp::Negate,
            UnaryOperator::LogicalNot | UnaryOperator::BitwiseNot => UnaryOp::Not,
        };
        let value = self.value(of);
        value.into_iter().map(|one| self.unary(op, one)).collect()
    }

    fn binary_value(
        &mut self,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Value {
        let (a, b) = (self.value(left), self.value(right));
        if op == BinaryOperator::Multiply
            && let Some(product) =
                self.matrix_product((self.shape(left), &a), (self.shape(right), &b))
        {
            return product;
        }
        self.zip(&a, &b, |this, _, a, b| this.operator(op, a, b))
    }

    fn operator(&mut self, op: BinaryOperator, a: Number, b: Number) -> Number {
        use BinaryOperator as B;
        let op = match op {
            B::Equal => return self.compare(Comparison::Equal, a, b),
            B::NotEqual => return self.compare(Comparison::NotEqual, a, b),
            B::Less => return self.compare(Comparison::Less, a, b),
            B::LessEqual => return self.compare(Comparison::LessEqual, a, b),
            B::Greater => return self.compare(Comparison::Greater, a, b),
            B::GreaterEqual => return self.compare(Comparison::GreaterEqual, a, b),
            B::Add => BinaryOp::Add,
            B::Subtract => BinaryOp::Subtract,
            B::Multiply => BinaryOp::Multiply,
            B::Divide => BinaryOp::Divide,
            B::Modulo => BinaryOp::Remainder,
            B::And | B::LogicalAnd => BinaryOp::And,
            B::ExclusiveOr => BinaryOp::Xor,
            B::InclusiveOr | B::LogicalOr => BinaryOp::Or,
            B::ShiftLeft => BinaryOp::ShiftLeft,
            B::ShiftRight => BinaryOp::ShiftRight,
        };
        self.binary(op, a, b)
    }

    fn relational(&mut self, fun: RelationalFunction, argument: Handle<Expression>) -> Value {
        let value = self.value(argument);
        let joined = match fun {
            RelationalFunction::All => (BinaryOp::And, true),
            RelationalFunction::Any => (BinaryOp::Or, false),
            RelationalFunction::IsNan => {
                let each = value.into_iter();
                return each.map(|one| self.unary(UnaryOp::IsNan, one)).collect();
            }
            RelationalFunction::IsInf => {
                let each = value.into_iter();
                return each.map(|one| self.is_infinite(one)).collect();
            }
        };
        let start = Number::boolean(joined.1);
        let all = value.into_iter();
        vec![all.fold(start, |all, one| self.binary(joined.0, all, one))]
    }

    fn is_infinite(&mut self, one: Number) -> Number {
        let size = self.unary(UnaryOp::Abs, one);
        let infinity = Number::real(one.ty, f64::INFINITY);
        self.compare(Comparison::Equal, size, infinity)
    }
}

pub(super) fn literal_of(literal: Literal) -> Number {
    use ScalarType as T;
    match literal {
        Literal::F64(value) | Literal::AbstractFloat(value) => Number::real(T::F64, value),
        Literal::F32(value) => Number::bits(T::F32, value.to_bits().into()),
        Literal::F16(value) => Number::bits(T::F16, value.to_bits().into()),
        Literal::U16(value) => Number::bits(T::U16, value.into()),
        Literal::I16(value) => Number::bits(T::I16, value.cast_unsigned().into()),
        Literal::U32(value) => Number::bits(T::U32, value.into()),
        Literal::I32(value) => Number::bits(T::I32, value.cast_unsigned().into()),
        Literal::U64(value) => Number::bits(T::U64, value),
        Literal::I64(value) | Literal::AbstractInt(value) => {
            Number::bits(T::I64, value.cast_unsigned())
        }
        Literal::Bool(value) => Number::boolean(value),
    }
}

/// A whole number as a constant holds it.
pub(super) fn whole_value(number: Number) -> Option<i128> {
    let bits = number.constant()?;
    (!number.ty.is_float()).then(|| eval::integer_value(number.ty, bits))
}
