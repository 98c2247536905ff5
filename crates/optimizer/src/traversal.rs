//! The walk of a loop, inner loops once: what branches depend on is run (a backward slice, Weiser 1981), and the
//! traversal of an inner loop that is entered with the same values of what it reads is not repeated (memoization).

use lanescope_ir::analysis::{Loops, Value, Values};
use lanescope_ir::{BlockId, Kernel, Operand, Register};
use std::collections::{BTreeMap, BTreeSet};

/// Registers that an inner loop may depend on for its traversals to be kept.
const MOST_REGISTERS: usize = 64;
/// Traversals that are kept, at most.
const MOST_KEPT: usize = 1_024;

/// A finished traversal of an inner loop: from its header until it is left.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    /// The header by which it was entered.
    pub(crate) header: BlockId,
    /// The last block of the loop.
    pub(crate) last: BlockId,
    /// Blocks that were run.
    pub(crate) steps: usize,
    /// How often the loops that were entered, itself among them, went back at last, by header.
    pub(crate) iterations: Vec<(BlockId, u32)>,
    /// The block behind it.
    to: BlockId,
    /// What it leaves in the registers that it writes.
    values: Vec<(Register, Value)>,
}

impl Left {
    /// Leaves the registers as the traversal does; the block behind it.
    pub(crate) fn take_to(&self, values: &mut Values<'_>) -> BlockId {
        for (register, value) in &self.values {
            values.set(*register, *value);
        }
        self.to
    }
}

/// What traversals of an inner loop depend on.
#[derive(Debug, Default)]
struct Frame {
    /// What its slice reads or writes.
    registers: Vec<Register>,
    /// What its slice writes.
    written: Vec<Register>,
}

/// A traversal that is not finished.
#[derive(Debug)]
struct Open {
    index: usize,
    entry: Vec<Value>,
    first_step: usize,
    /// Headers of loops that were entered since.
    entered: BTreeSet<BlockId>,
}

/// The walk of one loop.
#[derive(Debug)]
pub(crate) struct Traversals {
    /// By block of the loop, the places of the instructions on which a branch of the loop depends.
    slice: BTreeMap<BlockId, Vec<usize>>,
    /// By index, of inner loops whose traversals are kept.
    frames: BTreeMap<usize, Frame>,
    kept: BTreeMap<usize, Vec<(Vec<Value>, Left)>>,
    count: usize,
    open: Vec<Open>,
    last: BlockId,
    /// What was done since the last block was run.
    cost: usize,
}

impl Traversals {
    /// Those of the loop of that index.
    pub(crate) fn of(kernel: &Kernel, loops: &Loops, index: usize) -> Self {
        let blocks = loops
            .get(index)
            .map_or(&[][..], |natural_loop| &natural_loop.blocks);
        let slice = slice(kernel, blocks);
        let inner = loops.all().iter().enumerate();
        let inner = inner.filter(|(at, _)| *at != index && loops.is_within(*at, index));
        let frames =
            inner.map(|(at, natural_loop)| (at, Frame::of(kernel, &natural_loop.blocks, &slice)));
        let frames = frames
            .filter(|(_, frame)| frame.registers.len() <= MOST_REGISTERS)
            .collect();
        Self {
            slice,
            frames,
            kept: BTreeMap::new(),
            count: 0,
            open: Vec::new(),
            last: BlockId(0),
            cost: 0,
        }
    }

    /// Finishes the traversals of loops that `block`, the next one, does not belong to. `iterations` says how often each loop
    /// went back since it was entered, by header.
    pub(crate) fn leave(
        &mut self,
        loops: &Loops,
        block: BlockId,
        step: usize,
        values: &Values<'_>,
        iterations: &BTreeMap<BlockId, u32>,
    ) {
        while let Some(open) = self.open.pop() {
            let natural_loop = loops.get(open.index);
            if natural_loop.is_none_or(|one| one.contains(block)) {
                self.open.push(open);
                return;
            }
            let (Some(natural_loop), Some(frame)) = (natural_loop, self.frames.get(&open.index))
            else {
                continue;
            };
            if self.count >= MOST_KEPT {
                continue;
            }
            self.count += 1;
            let turns_of = |header: &BlockId| Some((*header, *iterations.get(header)?));
            let left = Left {
                header: natural_loop.header,
                last: self.last,
                steps: step.saturating_sub(open.first_step),
                iterations: open.entered.iter().filter_map(turns_of).collect(),
                to: block,
                values: of(&frame.written, values),
            };
            self.kept
                .entry(open.index)
                .or_default()
                .push((open.entry, left));
        }
    }

    /// Comes to `block` of the loop. Where that enters an inner loop that was entered so before, the traversal of then.
    pub(crate) fn enter(
        &mut self,
        loops: &Loops,
        block: BlockId,
        step: usize,
        values: &Values<'_>,
    ) -> Option<Left> {
        let index = loops.with_header(block)?;
        if self.open.last().is_some_and(|open| open.index == index) {
            return None; // it goes back to its header
        }
        let frame = self.frames.get(&index)?;
        let registers = frame.registers.iter();
        let entry: Vec<Value> = registers
            .map(|register| values.register(*register))
            .collect();
        let kept = self.kept.get(&index).map_or(&[][..], Vec::as_slice);
        self.cost += entry.len() + kept.len();
        let known = kept.iter().find(|(before, _)| *before == entry);
        let left = known.map(|(_, left)| left.clone());
        let entered = left.as_ref().map_or(&[][..], |left| &left.iterations);
        for open in &mut self.open {
            open.entered.insert(block);
            open.entered
                .extend(entered.iter().map(|(header, _)| *header));
        }
        if let Some(left) = &left {
            self.last = left.last;
            self.cost += left.values.len() + left.iterations.len();
        } else {
            self.open.push(Open {
                index,
                entry,
                first_step: step,
                entered: BTreeSet::from([block]),
            });
        }
        left
    }

    /// Runs what branches depend on of a block; how much was done since the last one.
    pub(crate) fn run(&mut self, block: BlockId, loops: &Loops, values: &mut Values<'_>) -> usize {
        self.last = block;
        let only = self.slice.get(&block).map_or(&[][..], Vec::as_slice);
        values.run_only(block, loops, only);
        std::mem::take(&mut self.cost) + only.len() + 1
    }
}

impl Frame {
    fn of(kernel: &Kernel, blocks: &[BlockId], slice: &BTreeMap<BlockId, Vec<usize>>) -> Self {
        let mut registers = BTreeSet::new();
        let mut written = BTreeSet::new();
        for id in blocks {
            let Some(block) = kernel.blocks.get(id.index()) else {
                continue;
            };
            registers.extend(tested(kernel, *id));
            let places = slice.get(id).into_iter().flatten();
            for instruction in places.filter_map(|at| block.instructions.get(*at)) {
                registers.extend(instruction.registers_read().iter().copied());
                written.extend(instruction.op.defs().iter().copied());
            }
        }
        registers.extend(&written);
        Self {
            registers: registers.into_iter().collect(),
            written: written.into_iter().collect(),
        }
    }
}

fn of(registers: &[Register], values: &Values<'_>) -> Vec<(Register, Value)> {
    let registers = registers.iter();
    registers
        .map(|register| (*register, values.register(*register)))
        .collect()
}

/// The register that decides where a block goes on.
fn tested(kernel: &Kernel, block: BlockId) -> Option<Register> {
    match kernel.blocks.get(block.index())?.terminator.operand()? {
        Operand::Register(register) => Some(register),
        Operand::Constant(_) => None,
    }
}

/// By block, the places of the instructions among `blocks` on which the branches of `blocks` depend.
fn slice(kernel: &Kernel, blocks: &[BlockId]) -> BTreeMap<BlockId, Vec<usize>> {
    let mut writers: BTreeMap<Register, Vec<(BlockId, usize)>> = BTreeMap::new();
    for id in blocks {
        let block = kernel.blocks.get(id.index());
        let instructions = block.map(|block| &block.instructions).into_iter().flatten();
        for (at, instruction) in instructions.enumerate() {
            for register in instruction.op.defs().iter() {
                writers.entry(*register).or_default().push((*id, at));
            }
        }
    }
    let mut pending: Vec<Register> = blocks.iter().filter_map(|id| tested(kernel, *id)).collect();
    let mut found: BTreeSet<(BlockId, usize)> = BTreeSet::new();
    while let Some(register) = pending.pop() {
        for (id, at) in writers.remove(&register).unwrap_or_default() {
            if !found.insert((id, at)) {
                continue;
            }
            let block = kernel.blocks.get(id.index());
            if let Some(instruction) = block.and_then(|block| block.instructions.get(at)) {
                pending.extend(instruction.registers_read().iter().copied());
            }
        }
    }
    let mut slice: BTreeMap<BlockId, Vec<usize>> = BTreeMap::new();
    for (id, at) in found {
        slice.entry(id).or_default().push(at);
    }
    slice
}
