//! Whether 32-bit signed arithmetic that an address is computed with overflows: told of an address that is wrong, never
//! before.
//!
//! The address is computed once more, backwards from the access along the registers that are written once; what others
//! hold is read off the warp. Only where this gives the very address that the access has is anything said.

use lanescope_ir::{
    Address, BinaryOp, Instruction, Kernel, Op, Operand, Register, ScalarType, SiteId, Stage,
    TernaryOp, eval,
};

use crate::machine::Machine;
use crate::machine::effect::extended;
use crate::machine::register::{Value, ones};
use crate::machine::warp::Warp;

/// Instructions behind one another that are looked at.
const DEPTH: u32 = 48;

impl<const L: usize> Machine<'_, L> {
    /// The whole number that the first sum or product of two `int`s on the way to the address of `site` would have been,
    /// where it does not fit into one. Of compiled code, which does not tell `int` from `unsigned`, nothing.
    pub(super) fn overflow(
        &self,
        warp: &Warp<L>,
        site: SiteId,
        address: u64,
        lane: usize,
    ) -> Option<i64> {
        if self.kernel.stage != Stage::Source {
            return None;
        }
        let operands = address_of(self.kernel, site)?;
        let mut way = Way {
            machine: self,
            warp,
            lane,
            steps: DEPTH * DEPTH,
            overflow: None,
        };
        let base = way.operand(operands.base, DEPTH)?;
        let index = match operands.index {
            Some(index) => way.operand(index, DEPTH)?,
            None => 0,
        };
        let sum = base
            .wrapping_add(index)
            .wrapping_add(operands.offset.cast_unsigned());
        let is_same = sum & ones(32) == address & ones(32);
        way.overflow.filter(|_| is_same)
    }
}

/// Where the access of a site that one instruction makes goes.
fn address_of(kernel: &Kernel, site: SiteId) -> Option<Address> {
    let mut all = instructions(kernel).filter_map(|instruction| {
        let (Op::Load {
            address, site: own, ..
        }
        | Op::Store {
            address, site: own, ..
        }
        | Op::Atomic {
            address, site: own, ..
        }) = &instruction.op
        else {
            return None;
        };
        (*own == site).then_some(*address)
    });
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

fn instructions(kernel: &Kernel) -> impl Iterator<Item = &Instruction> {
    kernel.blocks.iter().flat_map(|block| &block.instructions)
}

/// The way back from an access.
struct Way<'m, 'k, const L: usize> {
    machine: &'m Machine<'k, L>,
    warp: &'m Warp<L>,
    lane: usize,
    /// Instructions that may still be looked at.
    steps: u32,
    /// The first sum or product that does not fit.
    overflow: Option<i64>,
}

impl<const L: usize> Way<'_, '_, L> {
    fn operand(&mut self, operand: Operand, depth: u32) -> Option<u64> {
        match operand {
            Operand::Constant(value) => Some(value),
            Operand::Register(register) => self.register(register, depth),
        }
    }

    fn register(&mut self, register: Register, depth: u32) -> Option<u64> {
        self.steps = self.steps.checked_sub(1)?;
        let depth = depth.checked_sub(1)?;
        let kernel = self.machine.kernel;
        let mut written =
            instructions(kernel).filter(|one| one.op.defs().into_iter().any(|def| def == register));
        let first = written.next()?;
        if first.guard.is_some() || written.next().is_some() {
            // What a loop or both ways of a branch write.
            return Some(self.warp.file.lane(register, self.lane));
        }
        self.result(&first.op, register, depth)
    }

    /// What an operation gives; what it does not compute from registers is read off the warp.
    fn result(&mut self, op: &Op, register: Register, depth: u32) -> Option<u64> {
        match op {
            Op::Binary { op, ty, a, b, .. } => {
                let (a, b) = (self.operand(*a, depth)?, self.operand(*b, depth)?);
                if *ty == ScalarType::I32 {
                    self.note(exact_binary(*op, a, b));
                }
                Some(eval::binary(*op, *ty, a, b))
            }
            Op::Ternary {
                op, ty, a, b, c, ..
            } => {
                let (a, b) = (self.operand(*a, depth)?, self.operand(*b, depth)?);
                let c = self.operand(*c, depth)?;
                if *ty == ScalarType::I32 && *op == TernaryOp::MultiplyAdd {
                    self.note(exact_binary(BinaryOp::Multiply, a, b).map(|one| one + int(c)));
                }
                Some(eval::ternary(*op, *ty, a, b, c))
            }
            Op::Unary { op, ty, a, .. } => Some(eval::unary(*op, *ty, self.operand(*a, depth)?)),
            Op::Convert {
                to,
                from,
                rounding,
                saturate,
                a,
                ..
            } => {
                let a = self.operand(*a, depth)?;
                Some(eval::convert(*from, *to, *rounding, *saturate, a))
            }
            Op::Special { register, .. } => Some(self.special(*register)),
            Op::Parameter {
                ty,
                offset,
                index: None,
                ..
            } => {
                let machine = self.machine;
                let bytes = u64::from(*offset);
                let word = machine.parameters.read(bytes, ty.bytes(), machine.unnamed);
                let bits = self.warp.file.bits(register);
                (word.source == 0).then(|| extended(word.bits, *ty, bits))
            }
            // What is not computed here is read off the warp.
            _ => Some(self.warp.file.lane(register, self.lane)),
        }
    }

    fn special(&self, which: lanescope_ir::SpecialRegister) -> u64 {
        match self.machine.special(self.warp, which) {
            Value::Uniform(value) => value,
            Value::Affine(base, stride) => base.wrapping_add(stride.wrapping_mul(self.lane as u64)),
            Value::Mask(mask) => mask >> self.lane & 1,
            Value::General(lanes) => lanes[self.lane % L],
        }
    }

    /// Keeps the first number that does not fit into an `int`.
    fn note(&mut self, exact: Option<i64>) {
        let does_not_fit = |exact: &i64| i32::try_from(*exact).is_err();
        self.overflow = self.overflow.or(exact.filter(does_not_fit));
    }
}

/// The bits of an `int` as a number.
fn int(bits: u64) -> i64 {
    eval::sign_extend(bits, 32)
}

/// What a sum, difference or product of two `int`s would be as a whole number.
fn exact_binary(op: BinaryOp, a: u64, b: u64) -> Option<i64> {
    match op {
        BinaryOp::Add => Some(int(a) + int(b)),
        BinaryOp::Subtract => Some(int(a) - int(b)),
        BinaryOp::Multiply => Some(int(a) * int(b)),
        BinaryOp::MultiplyHigh
        | BinaryOp::MultiplyWide
        | BinaryOp::Divide
        | BinaryOp::Remainder
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Minimum
        | BinaryOp::Maximum
        | BinaryOp::Power
        | BinaryOp::PowerApprox
        | BinaryOp::ArcTangent
        | BinaryOp::CopySign => None,
    }
}
