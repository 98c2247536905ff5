//! Checks of indices that cannot fail: those of `bin[key & 255]`, and of constants. They are left out.

use lanescope_ir::{BinaryOp, Kernel, Op, Operand, ScalarType, UnaryOp};

/// Leaves out checks whose index is in range whatever the launch is.
pub(crate) fn leave_out_checks(kernel: &mut Kernel) {
    let most = most(kernel);
    for block in &mut kernel.blocks {
        block.instructions.retain(|instruction| {
            let Op::BoundsCheck {
                index, ty, extent, ..
            } = instruction.op
            else {
                return true;
            };
            let most = match index {
                Operand::Constant(bits) => Some(bits & ty.mask()),
                Operand::Register(register) => most[register.index()],
            };
            most.is_none_or(|most| most >= extent || most > positive(ty))
        });
    }
}

/// `[register]`: the largest number it holds, where that is known: that of the one instruction which writes it. Before,
/// it holds zero.
fn most(kernel: &Kernel) -> Vec<Option<u64>> {
    let instructions = || kernel.blocks.iter().flat_map(|block| &block.instructions);
    let mut writers = vec![0_u32; kernel.registers.len()];
    for written in instructions().flat_map(|instruction| instruction.op.defs()) {
        writers[written.index()] += 1;
    }
    let mut most = vec![None; kernel.registers.len()];
    for instruction in instructions() {
        if let [written] = instruction.op.defs()[..]
            && writers[written.index()] == 1
        {
            most[written.index()] = most_of(&instruction.op, &most);
        }
    }
    most
}

/// The largest number that an instruction writes.
fn most_of(op: &Op, most: &[Option<u64>]) -> Option<u64> {
    match *op {
        Op::Binary {
            op: BinaryOp::And,
            ty,
            a,
            b,
            ..
        } => Some(a.constant().or(b.constant())? & ty.mask()),
        Op::Binary {
            op: BinaryOp::Remainder,
            ty: ScalarType::U32 | ScalarType::U64,
            b: Operand::Constant(by),
            ..
        } => by.checked_sub(1),
        Op::Unary {
            op: UnaryOp::Move,
            a: Operand::Register(a),
            ..
        } => most[a.index()],
        Op::Convert {
            from: from @ (ScalarType::U32 | ScalarType::I32),
            to: ScalarType::U64 | ScalarType::I64,
            a: Operand::Register(a),
            ..
        } => most[a.index()].filter(|most| *most <= positive(from)),
        // Of any other operation nothing is known.
        _ => None,
    }
}

/// The largest number of a type.
const fn positive(ty: ScalarType) -> u64 {
    ty.mask() >> ty.is_signed() as u32
}
