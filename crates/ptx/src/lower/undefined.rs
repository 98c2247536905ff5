//! Registers that a kernel reads before it writes them: PTX declares registers without a value.

use lanescope_ir::analysis::Liveness;
use lanescope_ir::{BlockId, Instruction, Kernel, Op, PlaceId};

/// Says at the entry of each register that has no value there and is needed: it is undefined.
pub(super) fn mark_undefined(kernel: &mut Kernel) {
    let acts = |instruction: &Instruction| !instruction.op.is_pure();
    let entry = BlockId::default();
    let live = Liveness::of(kernel, &acts).at_start(kernel, entry, &acts);
    let undefined = live.iter().map(|dst| Instruction {
        guard: None,
        op: Op::Undefined { dst },
        place: PlaceId::default(),
    });
    let undefined: Vec<Instruction> = undefined.collect();
    if let Some(block) = kernel.blocks.first_mut() {
        block.instructions.splice(0..0, undefined);
    }
}
