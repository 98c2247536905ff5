//! Demanded bits: the bits of each register that something needs later.
//!
//! Strongly live variables (see [`super::Liveness`]), bit by bit. Instructions that do more than write registers demand
//! all of what they read; the others pass on what is demanded of their results: an `and` with `0xff` the low byte, a sum
//! the bits up to the highest demanded one, a byte permutation the bytes that it takes. All bits of a register may be
//! written and only some be demanded, as where a compiler keeps a counter of 16 bits in the low half of a word.

use super::{ControlFlow, UpwardExposed};
use crate::eval::{low_bits, shifted_left, shifted_right};
use crate::{
    BinaryOp, BlockId, Instruction, Kernel, Law, Op, Operand, Register, ScalarType, ShortList,
    TernaryOp, UnaryOp,
};

/// Most masks kept, blocks times registers that are read in another block than they are written in.
const MOST_MASKS: usize = 1 << 22;

/// The bits that are demanded at the end of each block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemandedBits {
    /// Registers that some block reads before it writes them: all others are not demanded at the end of any.
    exposed: Vec<Register>,
    /// `[block * exposed + place]`: the demanded bits.
    at_end: Vec<u64>,
}

impl DemandedBits {
    /// Solves the backward data-flow equations. `acts` says which instructions do more than write registers. `None` where
    /// blocks times registers are too many.
    #[must_use]
    pub fn of(kernel: &Kernel, acts: &dyn Fn(&Instruction) -> bool) -> Option<Self> {
        let exposed = UpwardExposed::of(kernel);
        let masks = exposed.len().checked_mul(kernel.blocks.len())?;
        if masks > MOST_MASKS {
            return None;
        }
        let flow = ControlFlow::of(kernel);
        let mut demanded = Self {
            exposed,
            at_end: vec![0; masks],
        };
        let mut now = Demand::new(kernel);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for block in flow.reverse_postorder().iter().rev() {
                demanded.go_back(kernel, *block, acts, &mut now, &mut |_, _| {});
                for before in flow.predecessors(*block) {
                    changed |= demanded.unite(*before, &now);
                }
            }
        }
        Some(demanded)
    }

    /// Hands the place of each instruction of a block, last to first, and the bits that it demands of each operand it
    /// reads, in the order of [`Op::uses`]; none are demanded by an instruction that is not needed.
    pub fn walk(
        &self,
        kernel: &Kernel,
        block: BlockId,
        acts: &dyn Fn(&Instruction) -> bool,
        visit: &mut dyn FnMut(usize, &ShortList<u64>),
    ) {
        let mut now = Demand::new(kernel);
        self.go_back(kernel, block, acts, &mut now, visit);
    }

    fn go_back(
        &self,
        kernel: &Kernel,
        id: BlockId,
        acts: &dyn Fn(&Instruction) -> bool,
        now: &mut Demand,
        visit: &mut dyn FnMut(usize, &ShortList<u64>),
    ) {
        now.clear();
        for (register, bits) in self.exposed.iter().zip(self.end_of(id)) {
            now.add(*register, *bits);
        }
        let Some(block) = kernel.blocks.get(id.index()) else {
            return;
        };
        if let Some(Operand::Register(register)) = block.terminator.operand() {
            now.add(register, u64::MAX);
        }
        for (place, instruction) in block.instructions.iter().enumerate().rev() {
            let of_operands = now.step_back(instruction, acts(instruction));
            visit(place, &of_operands);
        }
    }

    fn end_of(&self, block: BlockId) -> &[u64] {
        let count = self.exposed.len();
        let first = block.index().saturating_mul(count);
        self.at_end.get(first..first + count).unwrap_or_default()
    }

    /// Adds what is demanded where a block that follows begins; returns whether that is more.
    fn unite(&mut self, block: BlockId, now: &Demand) -> bool {
        let count = self.exposed.len();
        let first = block.index().saturating_mul(count);
        let at_end = self.at_end.get_mut(first..first + count);
        let mut grew = false;
        for (bits, register) in at_end.unwrap_or_default().iter_mut().zip(&self.exposed) {
            let more = now.of(*register);
            grew |= more & !*bits != 0;
            *bits |= more;
        }
        grew
    }
}

/// The demanded bits of each register at a place of the program.
struct Demand {
    bits: Vec<u64>,
    /// Registers that may have some.
    touched: Vec<Register>,
}

impl Demand {
    fn new(kernel: &Kernel) -> Self {
        Self {
            bits: vec![0; kernel.registers.len()],
            touched: Vec::new(),
        }
    }

    fn clear(&mut self) {
        for register in self.touched.drain(..) {
            if let Some(bits) = self.bits.get_mut(register.index()) {
                *bits = 0;
            }
        }
    }

    fn of(&self, register: Register) -> u64 {
        self.bits.get(register.index()).copied().unwrap_or(0)
    }

    fn add(&mut self, register: Register, more: u64) {
        let Some(bits) = self.bits.get_mut(register.index()) else {
            return;
        };
        if *bits == 0 && more != 0 {
            self.touched.push(register);
        }
        *bits |= more;
    }

    /// Goes back over an instruction; returns what it demands of its operands.
    fn step_back(&mut self, instruction: &Instruction, acts: bool) -> ShortList<u64> {
        let op = &instruction.op;
        let of_operands = of_operands(op, acts, &|register| self.of(register));
        // Lanes whose guard is false keep the old value.
        if instruction.guard.is_none() {
            for register in op.defs().iter() {
                if let Some(bits) = self.bits.get_mut(register.index()) {
                    *bits = 0;
                }
            }
        }
        let mut is_needed = acts;
        for (operand, bits) in op.uses().iter().zip(of_operands.iter()) {
            is_needed |= *bits != 0;
            if let Operand::Register(register) = operand {
                self.add(*register, *bits);
            }
        }
        if let Some(guard) = instruction.guard.filter(|_| is_needed) {
            self.add(guard.predicate, u64::MAX);
        }
        of_operands
    }
}

/// The bits that an instruction demands of each operand, given those that are demanded of each register behind it.
fn of_operands(op: &Op, acts: bool, demanded: &dyn Fn(Register) -> u64) -> ShortList<u64> {
    let is_needed = acts || op.defs().iter().any(|register| demanded(*register) != 0);
    let exact = if acts { None } else { passed_on(op, demanded) };
    let mut list = ShortList::new();
    match exact {
        _ if !is_needed => op.uses().iter().for_each(|_| list.push(0)),
        Some(exact) => exact.into_iter().for_each(|bits| list.push(bits)),
        None => op.uses().iter().for_each(|_| list.push(u64::MAX)),
    }
    list
}

/// The bits up to the highest one of a mask.
const fn up_to_highest(bits: u64) -> u64 {
    match bits.leading_zeros() {
        64 => 0,
        zeros => u64::MAX >> zeros,
    }
}

/// What an instruction that only computes passes on to its operands; `None`: all of all.
fn passed_on(op: &Op, demanded: &dyn Fn(Register) -> u64) -> Option<Vec<u64>> {
    Some(match op {
        Op::Unary {
            op: UnaryOp::Move | UnaryOp::Not,
            dst,
            ..
        } => vec![demanded(*dst)],
        Op::Unary {
            op: UnaryOp::Negate,
            ty,
            dst,
            ..
        } if !ty.is_float() => vec![up_to_highest(demanded(*dst))],
        Op::Binary { op, ty, dst, a, b } if !ty.is_float() => {
            binary(*op, *ty, (*a, *b), demanded(*dst))?.to_vec()
        }
        Op::Ternary {
            op,
            ty,
            dst,
            a: _,
            b,
            c,
        } if !ty.is_float() => ternary(*op, *ty, (*b, *c), demanded(*dst))?.to_vec(),
        Op::Lop3 {
            table,
            dst,
            a,
            b,
            c,
            ..
        } => lop3(*table, [*a, *b, *c], demanded(*dst)).to_vec(),
        Op::BitFieldInsert {
            dst,
            position: Operand::Constant(position),
            length: Operand::Constant(length),
            ..
        } => {
            let (position, length) = (position & 0xff, length & 0xff);
            let field = shifted_left(low_bits(length), position);
            let bits = demanded(*dst);
            vec![shifted_right(bits & field, position), bits & !field, 0, 0]
        }
        Op::AddCarry {
            dst,
            carry_out,
            carry_in,
            ..
        } if !carry_out.iter().flatten().any(|one| demanded(*one) != 0) => {
            let carries = carry_in.iter().flatten().map(|_| u64::MAX);
            let sum = up_to_highest(demanded(*dst));
            [sum; 3].into_iter().chain(carries).collect()
        }
        Op::Select { dst, .. } => vec![u64::MAX, demanded(*dst), demanded(*dst)],
        Op::Convert { from, to, dst, .. } if !from.is_float() && !to.is_float() => {
            vec![extended_from(demanded(*dst), from.bits().into(), *from)]
        }
        // Any other may ask for all bits of its operands.
        _ => return None,
    })
}

/// The bits demanded of a value of so many bits that is extended.
fn extended_from(bits: u64, width: u64, ty: ScalarType) -> u64 {
    let from_sign = bits & !low_bits(width) != 0;
    bits & low_bits(width) | sign_where(from_sign, width, ty)
}

/// The sign of a value of so many bits, where a signed value's is demanded.
const fn sign_where(is_demanded: bool, width: u64, ty: ScalarType) -> u64 {
    if is_demanded && ty.is_signed() {
        shifted_left(1, width.saturating_sub(1))
    } else {
        0
    }
}

fn binary(op: BinaryOp, ty: ScalarType, (a, b): (Operand, Operand), bits: u64) -> Option<[u64; 2]> {
    let where_one = |operand: Operand| operand.constant().unwrap_or(u64::MAX);
    let where_zero = |operand: Operand| !operand.constant().unwrap_or(0);
    Some(match (op, b) {
        (BinaryOp::And, _) => [bits & where_one(b), bits & where_one(a)],
        (BinaryOp::Or, _) => [bits & where_zero(b), bits & where_zero(a)],
        _ if op.has(Law::Bitwise) => [bits; 2],
        _ if op.has(Law::Modular) => [up_to_highest(bits); 2],
        (BinaryOp::ShiftLeft, Operand::Constant(by)) => [shifted_right(bits, by), 0],
        (BinaryOp::ShiftRight, Operand::Constant(by)) => {
            let width = u64::from(ty.bits());
            let from_sign = bits & !low_bits(width.saturating_sub(by)) != 0;
            let kept = shifted_left(bits, by) & low_bits(width);
            [kept | sign_where(from_sign, width, ty), 0]
        }
        _ => return None,
    })
}

fn ternary(
    op: TernaryOp,
    ty: ScalarType,
    (b, c): (Operand, Operand),
    bits: u64,
) -> Option<[u64; 3]> {
    Some(match (op, b, c) {
        _ if op.has(Law::Modular) => [up_to_highest(bits); 3],
        (TernaryOp::BytePermute, _, Operand::Constant(selector)) => permuted(selector, bits),
        (TernaryOp::BitFieldExtract, Operand::Constant(from), Operand::Constant(count)) => {
            let (from, count) = (from & 0xff, count & 0xff);
            // A field that ends above the value takes its sign from the highest bit.
            let sign = sign_where(true, ty.bits().into(), ty);
            [shifted_left(low_bits(count), from) | sign, 0, 0]
        }
        _ => return None,
    })
}

/// The bytes that a byte permutation takes.
fn permuted(selector: u64, bits: u64) -> [u64; 3] {
    let mut bytes = 0_u64;
    for byte in 0..4 {
        if shifted_right(bits, 8 * byte) & 0xff != 0 {
            bytes |= 0xff << (8 * (shifted_right(selector, 4 * byte) & 7));
        }
    }
    [bytes & 0xffff_ffff, bytes >> 32, 0]
}

/// The bits of each operand on which a table of three operands depends, where some of them are constants.
fn lop3(table: u8, operands: [Operand; 3], bits: u64) -> [u64; 3] {
    let weights = [4, 2, 1];
    std::array::from_fn(|of| {
        let weight = weights[of];
        let rows = (0..8_u8).filter(|row| row & weight == 0);
        let depends = rows.filter(|row| (table >> row ^ table >> (row | weight)) & 1 == 1);
        depends.fold(0, |all, row| {
            let others = (0..3).filter(|other| *other != of);
            all | others.fold(bits, |rest, other| match operands[other] {
                Operand::Constant(value) if row & weights[other] == 0 => rest & !value,
                Operand::Constant(value) => rest & value,
                Operand::Register(_) => rest,
            })
        })
    })
}
