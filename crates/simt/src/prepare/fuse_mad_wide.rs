//! Wide products: a number of 32 bits that is extended, multiplied and added to one of 64 becomes one instruction, as it
//! is on a device (`mad.wide`, `IMAD.WIDE`). Every access by index has one.
//!
//! The extensions themselves are then mostly not needed, and the slice leaves them out.

use lanescope_ir::{Instruction, Kernel, Op, Operand, Register, ScalarType, TernaryOp};

use super::kinds::joins_others;

/// An instruction's place: of all blocks, one behind another, from 1.
type Place = usize;

/// Which registers hold what others do, extended to 64 bits.
struct Extensions {
    /// `[register]`: what was extended, as which type, and where.
    sources: Vec<Option<(Register, ScalarType, Place)>>,
    /// `[register]`: where it was written last; 0: nowhere yet.
    written: Vec<Place>,
}

/// Multiplies the number itself where what was extended is still the same.
pub(crate) fn widen_products(kernel: &mut Kernel) {
    let count = kernel.registers.len();
    let mut extensions = Extensions {
        sources: vec![None; count],
        written: vec![0; count],
    };
    let mut here: Place = 0;
    for block in &mut kernel.blocks {
        let mut start = here;
        for instruction in &mut block.instructions {
            // Lanes that join did not execute what stands before.
            if joins_others(&instruction.op) {
                start = here;
            }
            here += 1;
            if let Some(wide) = extensions.widened(&instruction.op, start) {
                instruction.op = wide;
            }
            extensions.note(instruction, here);
        }
    }
}

impl Extensions {
    /// The same as one wide product, where an instruction is a product with a constant that 31 bits hold.
    fn widened(&self, op: &Op, start: Place) -> Option<Op> {
        let Op::Ternary {
            op: TernaryOp::MultiplyAdd,
            ty: ScalarType::U64 | ScalarType::I64,
            dst,
            a: Operand::Register(extended),
            b: Operand::Constant(by),
            c,
        } = *op
        else {
            return None;
        };
        let (source, ty, at) = self.sources[extended.index()]?;
        let is_same = at > start && self.written[source.index()] < at;
        (is_same && by >> 31 == 0).then_some(Op::Ternary {
            op: TernaryOp::MultiplyAddWide,
            ty,
            dst,
            a: source.into(),
            b: Operand::Constant(by),
            c,
        })
    }

    fn note(&mut self, instruction: &Instruction, here: Place) {
        for written in instruction.op.defs() {
            self.sources[written.index()] = None;
            self.written[written.index()] = here;
        }
        if let (Op::Convert { dst, from, .. }, None) = (&instruction.op, instruction.guard)
            && let Some(source) = extended(&instruction.op)
            && source != *dst
        {
            self.sources[dst.index()] = Some((source, *from, here));
        }
    }
}

/// The register of 32 bits that an instruction extends to 64.
fn extended(op: &Op) -> Option<Register> {
    let Op::Convert {
        from: ScalarType::U32 | ScalarType::I32,
        to: ScalarType::U64 | ScalarType::I64,
        saturate: false,
        a: Operand::Register(source),
        ..
    } = *op
    else {
        return None;
    };
    Some(source)
}
