//! Values that a condition chooses.

use crate::source::Span;
use crate::source::code::{Inst, Reg, Unary};
use crate::source::ctype::{Target, Type};
use crate::source::lower::branches::is_pure;
use crate::source::lower::{Lower, Value};
use crate::source::scalar::Scalar;
use crate::source::syntax::Expr;

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
        let start = self.insts.len();
        let right = self.value(b);
        let right = self.truth(&right, b.span);
        if is_pure(&self.insts[start..]) {
            let op = if op == "&&" {
                crate::source::code::Binary::And
            } else {
                crate::source::code::Binary::Or
            };
            let reg = self.binary_reg(op, Scalar::Bool, left, right);
            return Value::scalar(Scalar::Bool, reg);
        }
        let result = self.kept();
        let mut before = vec![Inst::Init {
            dst: result,
            src: left,
        }];
        let mut condition = left;
        if op == "||" {
            condition = self.temp();
            before.push(Inst::Unary {
                op: Unary::Not,
                scalar: Scalar::Bool,
                dst: condition,
                a: left,
            });
        }
        before.push(Inst::If {
            condition,
            otherwise: 0,
        });
        let at = start + before.len() - 1;
        self.insert(start, before);
        self.emit(Inst::Move {
            dst: result,
            src: right,
        });
        self.close_if(at);
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
        let start = self.insts.len();
        let a = self.value(yes);
        let middle = self.insts.len();
        let b = self.value(no);
        let of = self.common_type(&a, &b, span);
        let tail = self.insts.split_off(middle.min(self.insts.len()));
        let a = self.convert(a, &of, yes.span);
        let middle_now = self.insts.len();
        self.append(tail, middle, middle_now);
        let b = self.convert(b, &of, no.span);
        if is_pure(&self.insts[start..]) {
            let chosen = self.select(truth, &a, &b);
            return Value { of, ..chosen };
        }
        let result: Vec<_> = (0..of.leaf_count()).map(|_| self.kept()).collect();
        let mut at_middle: Vec<Inst> = result
            .iter()
            .zip(&a.regs)
            .map(|(dst, src)| Inst::Move {
                dst: *dst,
                src: *src,
            })
            .collect();
        at_middle.push(Inst::Else { end: 0 });
        let else_at = middle_now + at_middle.len() - 1;
        self.insert(middle_now, at_middle);
        for (dst, src) in result.iter().zip(&b.regs) {
            self.emit(Inst::Move {
                dst: *dst,
                src: *src,
            });
        }
        self.insert(
            start,
            vec![Inst::If {
                condition: truth,
                otherwise: 0,
            }],
        );
        self.close_if_else(start, else_at + 1);
        Value { of, regs: result }
    }

    /// Puts `tail`, which was cut off at `from`, behind the instructions again.
    pub(super) fn append(&mut self, mut tail: Vec<Inst>, from: usize, to: usize) {
        let by = u32::try_from(to - from).unwrap_or(0);
        let jumps = tail.iter_mut().filter_map(Inst::jump);
        for to in jumps.filter(|to| **to != crate::source::lower::UNSET) {
            *to += by;
        }
        self.insts.extend(tail);
    }

    /// One of two registers, lane by lane.
    pub(in crate::source::lower) fn select_reg(
        &mut self,
        condition: Reg,
        yes: Reg,
        no: Reg,
    ) -> Reg {
        let dst = self.temp();
        self.emit(Inst::Select {
            dst,
            condition,
            yes,
            no,
        });
        dst
    }

    fn select(&mut self, condition: Reg, a: &Value, b: &Value) -> Value {
        let regs = a
            .regs
            .iter()
            .zip(&b.regs)
            .map(|(yes, no)| {
                if yes == no {
                    return *yes;
                }
                self.select_reg(condition, *yes, *no)
            })
            .collect();
        Value {
            of: a.of.clone(),
            regs,
        }
    }

    fn common_type(&mut self, a: &Value, b: &Value, span: Span) -> Type {
        match (&a.of, &b.of) {
            (Type::Scalar(x), Type::Scalar(y)) if x == y => a.of.clone(),
            (Type::Scalar(x), Type::Scalar(y)) => Type::Scalar(x.common(*y)),
            (Type::Pointer(x), Type::Pointer(y)) => {
                let mut of = (**x).clone();
                of.target = self.joined(x.target, y.target);
                of.read_only &= y.read_only;
                Type::Pointer(std::rc::Rc::new(of))
            }
            (Type::Pointer(_), _) => a.of.clone(),
            (_, Type::Pointer(_)) => b.of.clone(),
            (Type::Struct(_), _) => a.of.clone(),
            (_, Type::Struct(_)) => b.of.clone(),
            _ => {
                let _ = span;
                a.of.clone()
            }
        }
    }

    fn joined(&self, a: Target, b: Target) -> Target {
        let space = |target| match target {
            Target::Array(id) => Some(self.arrays[id.0 as usize].space),
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
