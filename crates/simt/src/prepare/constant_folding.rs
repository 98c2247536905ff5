//! Local constant folding: what a basic block computes of constants is a constant, and what it adds to an address is a
//! part of the access.
//!
//! Code that a loop was unrolled to counts from one constant to the next; with this, the counting goes.

use lanescope_ir::eval;
use lanescope_ir::{
    Address, AddressSpace, BinaryOp, Block, Instruction, Kernel, Op, Operand, Register, ScalarType,
    Site, SlotMut, TernaryOp, UnaryOp,
};

use super::kinds::joins_others;
use crate::machine::register::ones;

/// Folds what every block computes of constants.
pub(crate) fn fold_constants(kernel: &mut Kernel) {
    let mut folder = Folder {
        bits: &kernel.registers,
        sites: &kernel.sites,
        known: vec![(0, Known::Changed); kernel.registers.len()],
        here: 0,
    };
    for block in &mut kernel.blocks {
        folder.block(block);
    }
}

/// What a register holds.
#[derive(Clone, Copy)]
enum Known {
    /// Nothing that is known, since it was written.
    Changed,
    Constant(u64),
    /// So much more than another register held at the place where this one was written.
    Sum(Register, u64),
}

/// The registers at a place of a block.
struct Folder<'k> {
    bits: &'k [u8],
    sites: &'k [Site],
    /// `[register]`: what it holds, and since which instruction.
    known: Vec<(usize, Known)>,
    /// Instructions of all blocks, one behind another, from 1.
    here: usize,
}

impl Folder<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut start = self.here;
        for instruction in &mut block.instructions {
            self.here += 1;
            self.fold(instruction, start);
            self.note(instruction, start);
            if joins_others(&instruction.op) {
                start = self.here;
            }
        }
        // What the next block finds is not known: other blocks lead there too.
        self.here += 1;
    }

    /// The constant that a register holds, or the sum.
    fn of(&self, register: Register, start: usize) -> Known {
        match self.known[register.index()] {
            (since, known) if since > start => known,
            _ => Known::Changed,
        }
    }

    fn constant(&self, operand: Operand, start: usize) -> Option<u64> {
        match operand {
            Operand::Constant(bits) => Some(bits),
            Operand::Register(register) => match self.of(register, start) {
                Known::Constant(bits) => Some(bits),
                Known::Changed | Known::Sum(..) => None,
            },
        }
    }

    /// A register, as what an unchanged one holds and a constant.
    fn sum(&self, register: Register, start: usize) -> (Register, u64) {
        match self.known[register.index()] {
            (since, Known::Sum(base, more))
                if since > start && self.known[base.index()].0 < since =>
            {
                (base, more)
            }
            _ => (register, 0),
        }
    }

    /// Makes an instruction simpler.
    fn fold(&self, instruction: &mut Instruction, start: usize) {
        instruction.op.visit_mut(&mut |slot| {
            if let SlotMut::Use(operand) = slot
                && let Some(bits) = self.constant(*operand, start)
            {
                *operand = Operand::Constant(bits);
            }
        });
        if let Some((dst, value)) = computed(&instruction.op) {
            let bits = self.bits[dst.index()];
            if bits >= 32 {
                instruction.op = moved(dst, bits, Operand::Constant(value & ones(bits)));
            }
            return;
        }
        if let Some((dst, base, more)) = self.added(&instruction.op, start) {
            instruction.op = sum(dst, self.bits[dst.index()], base, more);
            return;
        }
        match &mut instruction.op {
            Op::Load { address, site, .. }
            | Op::Store { address, site, .. }
            | Op::Atomic { address, site, .. }
            | Op::MatrixLoad { address, site, .. }
            | Op::MatrixStore { address, site, .. } => {
                let space = self.sites[site.index()].space;
                self.displace(address, space, start);
            }
            Op::AsyncCopy {
                destination,
                source,
                ..
            } => {
                self.displace(destination, AddressSpace::Shared, start);
                self.displace(source, AddressSpace::Global, start);
            }
            // Left as it is, it computes the same.
            _ => {}
        }
    }

    /// Moves what was added to an address into its offset.
    fn displace(&self, address: &mut Address, space: AddressSpace, start: usize) {
        let wraps_at_32_bits = !matches!(space, AddressSpace::Generic | AddressSpace::Global);
        if let Operand::Register(register) = address.base
            && (wraps_at_32_bits || self.bits[register.index()] == 64)
        {
            let (base, more) = self.sum(register, start);
            address.base = base.into();
            address.offset = address.offset.wrapping_add(more.cast_signed());
        }
    }

    /// The sum of a register and a constant that an instruction computes, in all bits of its result.
    fn added(&self, op: &Op, start: usize) -> Option<(Register, Register, u64)> {
        let (dst, ty, base, more) = match *op {
            Op::Unary {
                op: UnaryOp::Move,
                ty,
                dst,
                a: Operand::Register(a),
            } => (dst, ty, a, 0),
            Op::Binary {
                op: BinaryOp::Add,
                ty,
                dst,
                a: Operand::Register(a),
                b: Operand::Constant(b),
            }
            | Op::Binary {
                op: BinaryOp::Add,
                ty,
                dst,
                a: Operand::Constant(b),
                b: Operand::Register(a),
            } => (dst, ty, a, b),
            Op::Binary {
                op: BinaryOp::Subtract,
                ty,
                dst,
                a: Operand::Register(a),
                b: Operand::Constant(b),
            } => (dst, ty, a, b.wrapping_neg()),
            Op::Ternary {
                op: TernaryOp::MultiplyAdd,
                ty,
                dst,
                a: Operand::Constant(a),
                b: Operand::Constant(b),
                c: Operand::Register(c),
            } => (dst, ty, c, a.wrapping_mul(b)),
            // Left as it is, it computes the same.
            _ => return None,
        };
        let bits = u32::from(self.bits[dst.index()]);
        let same = bits == u32::from(self.bits[base.index()]) && bits == ty.bits();
        if !same || bits < 32 || ty.is_float() {
            return None;
        }
        let (base, before) = self.sum(base, start);
        Some((dst, base, before.wrapping_add(more)))
    }

    /// Notes what the registers hold that an instruction writes.
    fn note(&mut self, instruction: &Instruction, start: usize) {
        for register in instruction.op.defs() {
            self.known[register.index()] = (self.here, Known::Changed);
        }
        if instruction.guard.is_some() {
            return;
        }
        let found = if let Op::Unary {
            op: UnaryOp::Move,
            ty,
            dst,
            a: Operand::Constant(bits),
        } = instruction.op
            && ty.bits() >= 32
            && u32::from(self.bits[dst.index()]) == ty.bits()
        {
            Some((dst, Known::Constant(bits & ty.mask())))
        } else {
            self.added(&instruction.op, start)
                .filter(|(dst, base, _)| dst != base)
                .map(|(dst, base, more)| (dst, Known::Sum(base, more)))
        };
        if let Some((dst, known)) = found {
            self.known[dst.index()].1 = known;
        }
    }
}

/// The unsigned type of a register.
const fn word(bits: u8) -> ScalarType {
    if bits == 64 {
        ScalarType::U64
    } else {
        ScalarType::U32
    }
}

/// An instruction that copies a value.
const fn moved(dst: Register, bits: u8, a: Operand) -> Op {
    Op::Unary {
        op: UnaryOp::Move,
        ty: word(bits),
        dst,
        a,
    }
}

/// An instruction that adds a constant.
fn sum(dst: Register, bits: u8, base: Register, more: u64) -> Op {
    let (ty, more) = (word(bits), more & ones(bits));
    if more == 0 {
        return moved(dst, bits, base.into());
    }
    Op::Binary {
        op: BinaryOp::Add,
        ty,
        dst,
        a: base.into(),
        b: Operand::Constant(more),
    }
}

/// The register and the value of an instruction that computes one of constant integers alone.
fn computed(op: &Op) -> Option<(Register, u64)> {
    let constants =
        |operands: &[Operand]| operands.iter().all(|operand| operand.register().is_none());
    let bits = |operand: Operand| match operand {
        Operand::Constant(bits) => bits,
        Operand::Register(_) => 0,
    };
    match *op {
        Op::Unary { op, ty, dst, a } if !ty.is_float() && constants(&[a]) => {
            Some((dst, eval::unary(op, ty, bits(a))))
        }
        Op::Binary { op, ty, dst, a, b } if !ty.is_float() && constants(&[a, b]) => {
            Some((dst, eval::binary(op, ty, bits(a), bits(b))))
        }
        Op::Ternary {
            op,
            ty,
            dst,
            a,
            b,
            c,
        } if !ty.is_float() && constants(&[a, b, c]) => {
            Some((dst, eval::ternary(op, ty, bits(a), bits(b), bits(c))))
        }
        Op::Convert {
            from,
            to,
            rounding,
            saturate,
            dst,
            a,
        } if !from.is_float() && !to.is_float() && constants(&[a]) => {
            Some((dst, eval::convert(from, to, rounding, saturate, bits(a))))
        }
        // Left as it is, it computes the same.
        _ => None,
    }
}
