//! Values that a condition chooses.

use crate::source::ctype::{Target, Type};
use crate::source::lower::registers::Reg;
use crate::source::lower::resolve::scalar_or_int;
use crate::source::lower::{Lower, Value};
use lanescope_frontend::Span;
use lanescope_ir::{BinaryOp, UnaryOp};
use lanescope_syntax::{scalar::Scalar, tree::Expr};

impl Lower<'_> {
    pub(super) fn short_circuit(&mut self, op: &str, a: &Expr, b: &Expr) -> Value {
        let left = self.value(a);
        let left = self.truth(&left, a.span);
        if let Some(known) = self.known(left)
            && (known != 0) == (op == "||")
        {
            let reg = self.constant(known);
            return Value::scalar(Scalar::Bool, reg);
        }
        let start = self.builder.position();
        let temporaries = self.temporaries_before();
        let right = self.value(b);
        self.refuse_temporaries(temporaries);
        let right = self.truth(&right, b.span);
        if self.builder.is_pure_since(start) {
            let op = if op == "&&" {
                BinaryOp::And
            } else {
                BinaryOp::Or
            };
            let reg = self.binary_reg(op, Scalar::Bool, left, right);
            return Value::scalar(Scalar::Bool, reg);
        }
        // What touches memory, or more, is done only by the lanes that want it.
        let looks_right = self.builder.cut(start);
        let result = self.kept(Scalar::Bool);
        self.give(result, left);
        let condition = if op == "||" {
            self.unary_reg(UnaryOp::Not, Scalar::Bool, left)
        } else {
            left
        };
        self.begin_if(condition);
        self.builder.append(looks_right);
        self.give(result, right);
        self.builder.end_if();
        Value::scalar(Scalar::Bool, result)
    }

    pub(super) fn conditional(
        &mut self,
        condition: &Expr,
        yes: &Expr,
        no: &Expr,
        span: Span,
    ) -> Value {
        let truth = self.value(condition);
        let truth = self.truth(&truth, condition.span);
        if let Some(known) = self.known(truth) {
            let (taken, other) = if known != 0 { (yes, no) } else { (no, yes) };
            let value = self.value(taken);
            return self.as_common(value, other, span);
        }
        let start = self.builder.position();
        let temporaries = self.temporaries_before();
        let a = self.value(yes);
        let finds_a = self.builder.cut(start);
        let b = self.value(no);
        self.refuse_temporaries(temporaries);
        let ty = self.common_type(&a, &b);
        let finds_b = self.builder.cut(start);
        self.builder.append(finds_a);
        let a = self.convert(a, &ty, yes.span);
        let is_pure = self.builder.is_pure_since(start);
        let finds_a = self.builder.cut(start);
        self.builder.append(finds_b);
        let b = self.convert(b, &ty, no.span);
        if is_pure && self.builder.is_pure_since(start) {
            let finds_b = self.builder.cut(start);
            self.builder.append(finds_a);
            self.builder.append(finds_b);
            let chosen = self.select(truth, &a, &b);
            return Value { ty, ..chosen };
        }
        let finds_b = self.builder.cut(start);
        let leaves = ty.leaves();
        let result: Vec<Reg> = leaves
            .iter()
            .map(|leaf| self.kept(scalar_or_int(&leaf.ty)))
            .collect();
        self.begin_if(truth);
        self.builder.append(finds_a);
        for (dst, src) in result.iter().zip(&a.regs) {
            self.give(*dst, *src);
        }
        self.builder.begin_else();
        self.builder.append(finds_b);
        for (dst, src) in result.iter().zip(&b.regs) {
            self.give(*dst, *src);
        }
        self.builder.end_if();
        Value { ty, regs: result }
    }

    fn select(&mut self, condition: Reg, a: &Value, b: &Value) -> Value {
        let leaves = a.ty.leaves();
        let regs = a
            .regs
            .iter()
            .zip(&b.regs)
            .enumerate()
            .map(|(at, (yes, no))| {
                if yes == no {
                    return *yes;
                }
                let ty = leaves.get(at);
                let scalar = ty.map_or(Scalar::I32, |leaf| scalar_or_int(&leaf.ty));
                self.select_reg(scalar, condition, (*yes, *no))
            })
            .collect();
        Value {
            ty: a.ty.clone(),
            regs,
        }
    }

    fn common_type(&self, a: &Value, b: &Value) -> Type {
        match (&a.ty, &b.ty) {
            (Type::Scalar(x), Type::Scalar(y)) if x == y => a.ty.clone(),
            (Type::Scalar(x), Type::Scalar(y)) => Type::Scalar(x.common(*y)),
            (Type::Pointer(x), Type::Pointer(y)) => {
                let mut ty = (**x).clone();
                ty.target = self.joined(x.target, y.target);
                ty.read_only &= y.read_only;
                Type::Pointer(std::rc::Rc::new(ty))
            }
            (Type::Pointer(_), _) => a.ty.clone(),
            (_, Type::Pointer(_)) => b.ty.clone(),
            (Type::Struct(_), _) => a.ty.clone(),
            (_, Type::Struct(_)) => b.ty.clone(),
            _ => a.ty.clone(),
        }
    }

    fn joined(&self, a: Target, b: Target) -> Target {
        let space = |target| match target {
            Target::Array(id) => Some(self.array_space(id)),
            Target::Within(space) => Some(space),
            _ => None,
        };
        match (space(a), space(b)) {
            _ if a == b => a,
            (Some(x), Some(y)) if x == y => Target::Within(x),
            _ => Target::Unknown,
        }
    }
}
