//! Arithmetic on values that are one for all lanes, affine in the lane, or a predicate: no lane is looked at.
//!
//! Most instructions of most kernels are of this kind. What is found here is what [`File::compute`] finds too, without
//! room for the lanes of operands and result.

use lanescope_ir::eval;
use lanescope_ir::{BinaryOp, Comparison, Op, Operand, Register, ScalarType, UnaryOp};

use super::affine::Affine;
use super::register;
use crate::machine::register::{File, Form};
use crate::prepare::program::Pure;

impl From<Affine> for Form {
    fn from(affine: Affine) -> Self {
        Self::Affine(affine.base, affine.stride)
    }
}

impl<const L: usize> File<L> {
    /// Does an instruction that takes registers alone in all lanes of a warp, `mask`, where that takes none of the general
    /// way. Returns whether it is done.
    #[inline]
    pub(crate) fn compute_pure(&mut self, op: &Op, pure: &Pure, mask: u64) -> bool {
        let decoded = pure.decoded.as_ref();
        if let Some(decoded) = decoded {
            return self.compute_affine(decoded)
                || self.compute_lanes(decoded)
                || self.compute_narrow(op, pure, mask);
        }
        self.compute_narrow(op, pure, mask)
    }

    /// Does an instruction that takes registers alone in the lanes of `mask`: in all lanes first, of a spare register.
    /// Returns whether it is done.
    pub(crate) fn compute_in(&mut self, pure: &Pure, spare: [Register; 2], mask: u64) -> bool {
        let Some(decoded) = &pure.decoded else {
            return false;
        };
        let to = spare[usize::from(self.bits(pure.dst) == 1)];
        let decoded = decoded.to(to);
        let is_done = self.compute_affine(&decoded) || self.compute_lanes(&decoded);
        if is_done {
            self.put_from(pure.dst, to, mask);
        }
        is_done
    }

    /// Does an instruction that takes registers alone in all lanes of a warp, `mask`. Returns whether it is done: of
    /// operands that are known, where neither they nor the result need a value a lane.
    fn compute_narrow(&mut self, op: &Op, pure: &Pure, mask: u64) -> bool {
        let is_narrow = |register: &Register| {
            let entry = self.entry(*register);
            entry.unknown & mask == 0 && entry.form != Form::General
        };
        if !pure.reads.iter().all(is_narrow) {
            return false;
        }
        self.narrow(op, mask)
            .is_some_and(|form| self.put_narrow(pure.dst, form))
    }

    fn narrow(&self, op: &Op, mask: u64) -> Option<Form> {
        match *op {
            Op::Unary {
                op: UnaryOp::Move,
                ty,
                dst,
                a,
            } if u32::from(self.bits(dst)) <= ty.bits() => self.moved(a, dst),
            Op::Unary {
                op: UnaryOp::Not,
                ty: ScalarType::Bool,
                a,
                ..
            } => Some(Form::Mask(!self.predicate(a)?)),
            Op::Unary { op, ty, a, .. } if !ty.is_float() => {
                Some(Form::Uniform(eval::unary(op, ty, self.uniform_of(a)?)))
            }
            Op::Binary {
                op,
                ty: ScalarType::Bool,
                a,
                b,
                ..
            } => {
                let (x, y) = (self.predicate(a)?, self.predicate(b)?);
                if op == BinaryOp::And {
                    Some(Form::Mask(x & y))
                } else if op == BinaryOp::Or {
                    Some(Form::Mask(x | y))
                } else if op == BinaryOp::Xor {
                    Some(Form::Mask(x ^ y))
                } else {
                    None
                }
            }
            Op::Binary { op, ty, dst, a, b } if !ty.is_float() => {
                if u32::from(self.bits(dst)) <= ty.bits()
                    && let Some(affine) = self.affine_of(op, ty, a, b)
                {
                    return Some(affine.into());
                }
                let (x, y) = (self.uniform_of(a)?, self.uniform_of(b)?);
                Some(Form::Uniform(eval::binary(op, ty, x, y)))
            }
            Op::Ternary {
                op,
                ty,
                dst,
                a,
                b,
                c,
            } if !ty.is_float() => {
                if let Some(affine) = self.ternary_affine(op, ty, dst, [a, b, c]) {
                    return Some(affine.into());
                }
                let (x, y, z) = (
                    self.uniform_of(a)?,
                    self.uniform_of(b)?,
                    self.uniform_of(c)?,
                );
                Some(Form::Uniform(eval::ternary(op, ty, x, y, z)))
            }
            Op::Lop3 {
                table,
                wide,
                a,
                b,
                c,
                ..
            } => {
                let (x, y, z) = (
                    self.uniform_of(a)?,
                    self.uniform_of(b)?,
                    self.uniform_of(c)?,
                );
                Some(Form::Uniform(eval::lop3(table, wide, x, y, z)))
            }
            Op::Compare {
                op,
                ty,
                unordered,
                a,
                b,
                ..
            } => self.compare_narrow((op, ty, unordered), a, b),
            Op::Select {
                dst,
                predicate,
                yes,
                no,
            } => self.select_narrow(dst, predicate, (yes, no), mask),
            Op::Convert {
                from,
                to,
                saturate,
                dst,
                a,
                ..
            } if !from.is_float() && !to.is_float() => self
                .converted_affine((from, to), saturate, dst, a)
                .map(Form::from),
            // Any other is computed lane by lane.
            _ => None,
        }
    }

    #[inline]
    fn compare_narrow(
        &self,
        (op, ty, unordered): (Comparison, ScalarType, bool),
        a: Operand,
        b: Operand,
    ) -> Option<Form> {
        let holds = match (self.uniform_of(a), self.uniform_of(b)) {
            (Some(x), Some(y)) => eval::compare(op, ty, unordered, x, y),
            _ if ty.is_float() => return None,
            _ => self.compare_affine(op, ty, a, b)?,
        };
        Some(Form::Mask(if holds { u64::MAX } else { 0 }))
    }

    #[inline]
    fn select_narrow(
        &self,
        dst: Register,
        predicate: Operand,
        (yes, no): (Operand, Operand),
        mask: u64,
    ) -> Option<Form> {
        let chosen = self.predicate(predicate)?;
        if self.bits(dst) == 1 {
            let (yes, no) = (self.predicate(yes)?, self.predicate(no)?);
            return Some(Form::Mask((yes & chosen) | (no & !chosen)));
        }
        match chosen & mask {
            0 => self.moved(no, dst),
            some if some == mask => self.moved(yes, dst),
            _ => None,
        }
    }

    fn uniform_of(&self, operand: Operand) -> Option<u64> {
        self.uniform(register(operand))
    }

    /// The lanes of a predicate that hold.
    fn predicate(&self, operand: Operand) -> Option<u64> {
        match self.entry(register(operand)).form {
            Form::Mask(mask) => Some(mask),
            Form::Uniform(value) => Some(0_u64.wrapping_sub(value & 1)),
            Form::Affine(..) | Form::General => None,
        }
    }

    /// The form of a register, for one that may have other bits.
    fn moved(&self, operand: Operand, dst: Register) -> Option<Form> {
        let register = register(operand);
        match self.entry(register).form {
            Form::Affine(..) if self.bits(register) < self.bits(dst) => None,
            Form::General => None,
            form @ (Form::Uniform(_) | Form::Affine(..) | Form::Mask(_)) => Some(form),
        }
    }
}
