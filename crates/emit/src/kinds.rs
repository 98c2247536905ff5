//! Kinds: what variable of WGSL, which has words of 32 bits only, stands for each register.
//!
//! A register of 64 bits is one word where nothing reads its high half (addresses are offsets below 4 GiB), or where its
//! range proves what that half is; else a pair of words.

use lanescope_ir::{BinaryOp, Kernel, Law, Op, Operand, Register, ScalarType, TernaryOp, UnaryOp};

use crate::ranges::Interval;

/// A scalar type of WGSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// `u32`
    U32,
    /// `i32`
    I32,
    /// `f32`
    F32,
}

impl Scalar {
    /// Its name in WGSL.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::F32 => "f32",
        }
    }

    /// What a 32-bit value that is read as `ty` is.
    pub(crate) const fn of(ty: ScalarType) -> Self {
        match ty {
            ScalarType::I32 => Self::I32,
            ScalarType::F32 => Self::F32,
            ScalarType::Bool
            | ScalarType::I8
            | ScalarType::U8
            | ScalarType::I16
            | ScalarType::U16
            | ScalarType::U32
            | ScalarType::I64
            | ScalarType::U64
            | ScalarType::F16
            | ScalarType::BF16
            | ScalarType::F64 => Self::U32,
        }
    }
}

/// What stands for a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A `bool`.
    Flag,
    /// 8, 16 or 32 bits in a word; narrow ones with zeros above.
    Word(Scalar),
    /// The low word of 64 bits, whose high word nothing reads.
    Low,
    /// 64 bits with a high word of zeros.
    Unsigned,
    /// 64 bits with a high word of the low one's sign.
    Signed,
    /// 64 bits as a `vec2<u32>`, the low word first.
    Pair,
}

/// `[register]`: what stands for it.
pub(crate) fn kinds(kernel: &Kernel, intervals: &[Interval]) -> Vec<Kind> {
    let high = high_needed(kernel, intervals);
    let types = word_types(kernel);
    let one = |(index, bits): (usize, &u8)| {
        let interval = intervals.get(index);
        match bits {
            1 => Kind::Flag,
            64 if interval.is_some_and(|one| one.is_u32()) => Kind::Unsigned,
            64 if interval.is_some_and(|one| one.is_i32()) => Kind::Signed,
            64 if high.get(index) == Some(&false) => Kind::Low,
            64 => Kind::Pair,
            32 => Kind::Word(types.get(index).copied().flatten().unwrap_or(Scalar::U32)),
            _ => Kind::Word(Scalar::U32),
        }
    };
    kernel.registers.iter().enumerate().map(one).collect()
}

/// Whether the low word of a result follows from the low words of the operands.
fn is_low_of_low(op: &Op) -> bool {
    match op {
        Op::Unary { op, .. } => matches!(op, UnaryOp::Move | UnaryOp::Negate | UnaryOp::Not),
        Op::Binary { op, .. } => {
            op.has(Law::Modular) || op.has(Law::Bitwise) || *op == BinaryOp::ShiftLeft
        }
        Op::Ternary { op, .. } => op.has(Law::Modular) || *op == TernaryOp::MultiplyAddWide,
        Op::Select { .. } => true,
        // Both words are kept.
        _ => false,
    }
}

/// `[register]`: whether something reads the high word of a register of 64 bits that its range does not prove.
fn high_needed(kernel: &Kernel, intervals: &[Interval]) -> Vec<bool> {
    let mut needed = vec![false; kernel.registers.len()];
    let is_proved = |register: Register| {
        let interval = intervals.get(register.index());
        interval.is_some_and(|one| one.is_u32() || one.is_i32())
    };
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for instruction in kernel.blocks.iter().flat_map(|block| &block.instructions) {
            let op = &instruction.op;
            let reads_low = match op {
                Op::Load { .. }
                | Op::Atomic { .. }
                | Op::Escape { .. }
                | Op::BoundsCheck { .. } => true,
                Op::Convert { to, saturate, .. } => {
                    !to.is_float() && to.bits() <= 32 && !saturate && *to != ScalarType::Bool
                }
                _ if is_low_of_low(op) => {
                    let mut defs = op.defs().into_iter();
                    defs.all(|def| needed.get(def.index()) == Some(&false) || is_proved(def))
                }
                // It reads both words.
                _ => false,
            };
            let mut need = |operand: Operand| {
                let register = operand.register().filter(|one| !is_proved(*one));
                if let Some(one) = register.and_then(|one| needed.get_mut(one.index())) {
                    changed |= !*one;
                    *one = true;
                }
            };
            match op {
                Op::Store { src, .. } => src.iter().for_each(|one| need(*one)),
                _ if reads_low => {}
                // It reads both words.
                _ => op.uses().into_iter().for_each(need),
            }
        }
    }
    needed
}

/// `[register]`: the type that all instructions give a register of 32 bits.
fn word_types(kernel: &Kernel) -> Vec<Option<Scalar>> {
    let mut types: Vec<Option<Scalar>> = vec![None; kernel.registers.len()];
    let mut mixed = vec![false; kernel.registers.len()];
    // Twice, as a choice has the type of what is chosen.
    for _ in 0..2 {
        for instruction in kernel.blocks.iter().flat_map(|block| &block.instructions) {
            let found = result_type(kernel, &types, &instruction.op);
            for register in instruction.op.defs() {
                let (Some(ty), Some(mixed)) = (
                    types.get_mut(register.index()),
                    mixed.get_mut(register.index()),
                ) else {
                    continue;
                };
                *mixed |= ty.is_some_and(|ty| found.is_some_and(|found| ty != found));
                *ty = if *mixed {
                    Some(Scalar::U32)
                } else {
                    ty.or(found)
                };
            }
        }
    }
    types
}

fn result_type(kernel: &Kernel, types: &[Option<Scalar>], op: &Op) -> Option<Scalar> {
    match op {
        Op::Unary { op, .. } if op.is_count() => Some(Scalar::U32),
        Op::Unary { ty, .. } => Some(Scalar::of(*ty)),
        Op::Binary { ty, .. } | Op::Ternary { ty, .. } | Op::Parameter { ty, .. } => {
            Some(Scalar::of(*ty))
        }
        Op::WarpReduce { ty, .. } => Some(Scalar::of(*ty)),
        Op::Convert { to, .. } => Some(Scalar::of(*to)),
        Op::Load { site, .. } | Op::Atomic { site, .. } => {
            let site = kernel.sites.get(site.index())?;
            Some(Scalar::of(site.element))
        }
        Op::Select { yes, no, .. } => {
            let of = |operand: &Operand| {
                let register = operand.register()?;
                types.get(register.index()).copied().flatten()
            };
            of(yes).or_else(|| of(no))
        }
        Op::Shuffle { a, .. } => {
            let register = a.register()?;
            types.get(register.index()).copied().flatten()
        }
        Op::Lop3 { .. }
        | Op::BitFieldInsert { .. }
        | Op::AddCarry { .. }
        | Op::Compare { .. }
        | Op::Pack { .. }
        | Op::Unpack { .. }
        | Op::Special { .. }
        | Op::Store { .. }
        | Op::MatrixLoad { .. }
        | Op::MatrixStore { .. }
        | Op::AsyncCopy { .. }
        | Op::BulkAccess { .. }
        | Op::Texture { .. }
        | Op::Vote { .. }
        | Op::Match { .. }
        | Op::ActiveMask { .. }
        | Op::Elect { .. }
        | Op::Barrier { .. }
        | Op::BarrierReduce { .. }
        | Op::WideBarrier { .. }
        | Op::WarpSync { .. }
        | Op::Fence
        | Op::ObjectBarrier { .. }
        | Op::Arm { .. }
        | Op::Join { .. }
        | Op::Leave { .. }
        | Op::SaveBarrier { .. }
        | Op::RestoreBarrier { .. }
        | Op::BoundsCheck { .. }
        | Op::Escape { .. }
        | Op::Undefined { .. }
        | Op::Unmodelled { .. } => Some(Scalar::U32),
    }
}
