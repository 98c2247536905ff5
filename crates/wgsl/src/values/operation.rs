//! Operators, conversions and vectors, component by component.

use lanescope_frontend::{Construct, Span};
use lanescope_syntax::tree::{Expr, Scalar, TypeExpr};
use naga::{
    BinaryOperator, Expression, Handle, ScalarKind, Type, TypeInner, UnaryOperator, VectorSize,
};

use super::Values;
use crate::make;
use crate::types::{COMPONENTS, scalar_of};

impl<'t, 'm> Values<'t, 'm> {
    pub(crate) fn vector_of(
        &mut self,
        size: VectorSize,
        like: Handle<Expression>,
        span: Span,
    ) -> TypeExpr {
        let scalar = self.scalar(like);
        self.types
            .written_inner(&TypeInner::Vector { size, scalar }, span)
    }

    /// The scalar of a number, a vector or a matrix.
    pub(crate) fn scalar(&self, handle: Handle<Expression>) -> naga::Scalar {
        self.inner(handle).scalar().unwrap_or(naga::Scalar::U32)
    }

    /// Components of a vector; `None` of a number.
    pub(crate) fn size(&self, handle: Handle<Expression>) -> Option<VectorSize> {
        match self.inner(handle) {
            TypeInner::Vector { size, .. } => Some(*size),
            _ => None,
        }
    }

    /// One component of a vector; of a number, the number.
    pub(crate) fn component(&mut self, handle: Handle<Expression>, at: usize) -> Expr {
        let span = self.span(handle);
        if self.size(handle).is_none() {
            return self.value(handle);
        }
        match *self.expression(handle) {
            Expression::Splat { value, .. } => self.value(value),
            Expression::Compose { ref components, .. }
                if !self.written.contains_key(&handle)
                    && components.iter().all(|one| self.size(*one).is_none()) =>
            {
                match components.get(at) {
                    Some(one) => self.value(*one),
                    None => make::unsigned(span, 0),
                }
            }
            _ => make::member(span, self.value(handle), COMPONENTS[at.min(3)]),
        }
    }

    /// A value made component by component, or, of a number, made once.
    pub(crate) fn each(
        &mut self,
        size: Option<VectorSize>,
        result: Handle<Expression>,
        span: Span,
        mut one: impl FnMut(&mut Self, usize) -> Expr,
    ) -> Expr {
        let Some(size) = size else {
            return one(self, 0);
        };
        let of = self.type_of(result);
        let parts = (0..size as usize).map(|at| one(self, at)).collect();
        make::construct(span, of, parts)
    }

    pub(super) fn compose(
        &mut self,
        of: Handle<Type>,
        components: &[Handle<Expression>],
        span: Span,
    ) -> Expr {
        let written = self.types.written(of, span);
        let flat = matches!(self.types.inner(of), TypeInner::Vector { .. });
        let mut parts = Vec::new();
        for one in components {
            match self.size(*one) {
                Some(size) if flat => {
                    parts.extend((0..size as usize).map(|at| self.component(*one, at)));
                }
                _ => parts.push(self.value(*one)),
            }
        }
        make::construct(span, written, parts)
    }

    pub(super) fn unary(&mut self, op: UnaryOperator, of: Handle<Expression>, span: Span) -> Expr {
        let op = match op {
            UnaryOperator::Negate => "-",
            UnaryOperator::LogicalNot => "!",
            UnaryOperator::BitwiseNot => "~",
        };
        let size = self.size(of);
        self.each(size, of, span, |values, at| {
            make::prefix(span, op, values.component(of, at))
        })
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
        result: Handle<Expression>,
        span: Span,
    ) -> Expr {
        let matrix = |one| matches!(self.inner(one), TypeInner::Matrix { .. });
        if op == BinaryOperator::Multiply && (matrix(left) || matrix(right)) {
            return self.multiply_matrix(left, right, result, span);
        }
        let written = operator(op);
        if crate::uses::compares(op) {
            let size = self.size(left);
            return self.each(size, result, span, |values, at| {
                let (a, b) = (values.component(left, at), values.component(right, at));
                make::binary(span, written, a, b)
            });
        }
        let (a, b) = (self.value(left), self.value(right));
        make::binary(span, written, a, b)
    }

    pub(super) fn select(
        &mut self,
        condition: Handle<Expression>,
        accept: Handle<Expression>,
        reject: Handle<Expression>,
        result: Handle<Expression>,
        span: Span,
    ) -> Expr {
        let size = self.size(condition);
        if size.is_none() {
            let condition = self.value(condition);
            let (yes, no) = (self.value(accept), self.value(reject));
            return make::choice(span, condition, yes, no);
        }
        self.each(size, result, span, |values, at| {
            let condition = values.component(condition, at);
            let (yes, no) = (values.component(accept, at), values.component(reject, at));
            make::choice(span, condition, yes, no)
        })
    }

    pub(super) fn convert(
        &mut self,
        of: Handle<Expression>,
        kind: ScalarKind,
        convert: Option<u8>,
        result: Handle<Expression>,
        span: Span,
    ) -> Expr {
        let from = self.scalar(of);
        if let TypeInner::Matrix { .. } = self.inner(of) {
            return self.value(of);
        }
        let size = self.size(of);
        let Some(width) = convert else {
            if size != self.size(result) {
                return self.nothing(result, span, Construct::Bitcast);
            }
            let to = scalar_of(self.scalar(result));
            return self.each(size, result, span, |values, at| {
                recast(span, scalar_of(from), to, values.component(of, at))
            });
        };
        let to = match kind {
            ScalarKind::Bool => Scalar::Bool,
            _ => scalar_of(naga::Scalar { kind, width }),
        };
        self.each(size, result, span, |values, at| {
            make::to_scalar(span, to, values.component(of, at))
        })
    }
}

/// A value's bits as another type's.
fn recast(span: Span, from: Scalar, to: Scalar, value: Expr) -> Expr {
    let is_float = |one: Scalar| matches!(one, Scalar::F16 | Scalar::F32 | Scalar::F64);
    let call = match (is_float(from), is_float(to)) {
        (true, false) if from == Scalar::F64 => "__double_as_longlong",
        (true, false) => "__float_as_uint",
        (false, true) if to == Scalar::F64 => "__longlong_as_double",
        (false, true) => "__uint_as_float",
        _ => return make::to_scalar(span, to, value),
    };
    make::to_scalar(span, to, make::call(span, call, vec![value]))
}

fn operator(op: BinaryOperator) -> &'static str {
    use BinaryOperator as B;
    match op {
        B::Add => "+",
        B::Subtract => "-",
        B::Multiply => "*",
        B::Divide => "/",
        B::Modulo => "%",
        B::Equal => "==",
        B::NotEqual => "!=",
        B::Less => "<",
        B::LessEqual => "<=",
        B::Greater => ">",
        B::GreaterEqual => ">=",
        B::And => "&",
        B::ExclusiveOr => "^",
        B::InclusiveOr => "|",
        B::LogicalAnd => "&&",
        B::LogicalOr => "||",
        B::ShiftLeft => "<<",
        B::ShiftRight => ">>",
    }
}
