//! Stretches: parts of a basic block within which the lanes that run together stay the same.
//!
//! A warp issues all instructions of a stretch for the same lanes, so that what it issues is counted a stretch at a time:
//! once where it begins. A block is one stretch, cut behind each instruction at which lanes wait for others or meet them.

use std::collections::BTreeMap;

use lanescope_ir::analysis::issued;
use lanescope_ir::{Effect, Kernel, Op, PlaceId};

/// The stretches of a kernel, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stretches {
    /// `[stretch]`: the instructions that are issued there, by place.
    issued: Vec<BTreeMap<PlaceId, u64>>,
    /// `[block]`: its first stretch.
    firsts: Vec<u32>,
    /// `[slot]`: the stretch that it belongs to.
    of_slot: Vec<u32>,
}

/// Whether lanes may go on behind an instruction together with others than before.
pub(crate) const fn ends_stretch(op: &Op) -> bool {
    let effects = op.effects();
    effects.has(Effect::WaitsForBlock)
        || effects.has(Effect::WaitsForWarp)
        || effects.has(Effect::Converges)
}

impl Stretches {
    /// The stretches of a kernel before anything is taken from it; slots are added in the order of its blocks.
    pub(crate) fn of(kernel: &Kernel) -> Self {
        let mut all = Self::default();
        for (block, issued) in kernel.blocks.iter().zip(issued(kernel)) {
            all.firsts.push(all.next());
            let mut before = block.instructions.iter();
            let mut passed = 0;
            let mut stretch = BTreeMap::new();
            for one in issued {
                let more = before.by_ref().take(one.before - passed);
                passed = one.before;
                for _ in more.filter(|one| ends_stretch(&one.op)) {
                    all.issued.push(std::mem::take(&mut stretch));
                }
                *stretch.entry(one.place).or_default() += 1;
            }
            all.issued.push(stretch);
            let left = before.filter(|one| ends_stretch(&one.op));
            left.for_each(|_| all.issued.push(BTreeMap::new()));
        }
        all
    }

    fn next(&self) -> u32 {
        u32::try_from(self.issued.len()).unwrap_or(u32::MAX)
    }

    /// How many there are.
    pub(crate) const fn len(&self) -> usize {
        self.issued.len()
    }

    /// The instructions that are issued in each.
    pub(crate) fn issued(&self) -> &[BTreeMap<PlaceId, u64>] {
        &self.issued
    }

    /// The first of a block; of one that the kernel did not have, none.
    pub(crate) fn first(&self, block: usize) -> u32 {
        self.firsts.get(block).copied().unwrap_or(u32::MAX)
    }

    /// Adds a slot, in order.
    pub(crate) fn add_slot(&mut self, stretch: u32) {
        self.of_slot.push(stretch);
    }

    /// The stretch of a slot; none behind the last.
    #[inline]
    pub(crate) fn of_slot(&self, slot: u32) -> usize {
        let stretch = self.of_slot.get(slot as usize);
        stretch.copied().unwrap_or(u32::MAX) as usize
    }
}
