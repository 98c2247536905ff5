//! Structured steps as basic blocks, with convergence barriers.

use super::{Item, order};
use crate::{
    BarrierId, Block, BlockId, Instruction, Kernel, LoopHint, Op, Operand, PlaceId, Terminator,
};
use std::collections::{BTreeMap, BTreeSet};

/// A branch or a scope that is open.
struct Frame {
    /// Its end.
    end: BlockId,
    /// Where the other branch begins.
    otherwise: Option<BlockId>,
    barrier: Option<BarrierId>,
    is_scope: bool,
    /// The step that opened it.
    at: usize,
}

/// What branches decide.
struct Structure {
    /// `[step]`: the first located access at or behind it.
    next: Vec<Option<usize>>,
    /// `[step]`: the last located access before it.
    before: Vec<Option<usize>>,
    /// Where the branches and scopes end that steps open.
    ends: BTreeMap<usize, usize>,
    /// The branches that have another for the other lanes.
    others: BTreeSet<usize>,
}

/// Where an access to memory stands; `None` for other steps.
fn accessed(item: &Item) -> Option<PlaceId> {
    match item {
        Item::Op(Instruction { op, place, .. }) => (*place != PlaceId::default()
            && op.sites().into_iter().next().is_some())
        .then_some(*place),
        _ => None,
    }
}

impl Structure {
    fn of(items: &[Item]) -> Self {
        let (mut before, mut ends, mut open) = (Vec::new(), BTreeMap::new(), Vec::new());
        let mut others = BTreeSet::new();
        let mut last = None;
        for (at, item) in items.iter().enumerate() {
            before.push(last);
            last = accessed(item).map(|_| at).or(last);
            match item {
                Item::If(_) | Item::Scope => open.push(at),
                Item::EndIf | Item::EndScope => ends.extend(open.pop().map(|opened| (opened, at))),
                Item::Else => others.extend(open.last().copied()),
                Item::Op(_)
                | Item::Loop
                | Item::Repeat(_)
                | Item::Leave(_)
                | Item::StayIf(_)
                | Item::Exit => {}
            }
        }
        let mut first = None;
        let mut next: Vec<Option<usize>> = (0..items.len())
            .rev()
            .map(|at| {
                first = items.get(at).and_then(accessed).map(|_| at).or(first);
                first
            })
            .collect();
        next.reverse();
        Self {
            next,
            before,
            ends,
            others,
        }
    }

    /// The place of a branch at `at`: the first access behind it in the structure that `opened` begins, which is what it
    /// decides; without one, the last access before it.
    fn governed(&self, items: &[Item], at: usize, opened: usize) -> PlaceId {
        let end = self.ends.get(&opened).copied();
        let behind = self.next.get(at).copied().flatten();
        let governed = behind.filter(|access| end.is_none_or(|end| *access < end));
        let access = governed.or(self.before.get(at).copied().flatten());
        let place = access
            .and_then(|access| items.get(access))
            .and_then(accessed);
        place.unwrap_or_default()
    }
}

/// The branches and scopes that lanes leave, and those that they go to the end of.
fn armed(items: &[Item]) -> BTreeSet<usize> {
    let mut open = Vec::new();
    let mut armed = BTreeSet::new();
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::If(_) | Item::Scope => open.push(at),
            Item::EndIf | Item::EndScope => {
                open.pop();
            }
            Item::Leave(levels) => armed.extend(open.iter().rev().take(*levels as usize)),
            Item::Op(_)
            | Item::Else
            | Item::Loop
            | Item::Repeat(_)
            | Item::StayIf(_)
            | Item::Exit => {}
        }
    }
    armed
}

struct Writer<'a> {
    items: &'a [Item],
    kernel: Kernel,
    block: BlockId,
    /// Blocks in the order of the steps.
    order: Vec<BlockId>,
    frames: Vec<Frame>,
    /// Beginnings of the loops that are open.
    heads: Vec<BlockId>,
    armed: BTreeSet<usize>,
    structure: Structure,
    place: PlaceId,
}

/// The kernel whose tables are `kernel`'s, with blocks made of the steps; `entry` comes first.
pub(super) fn of(kernel: Kernel, entry: Vec<Op>, items: &[Item]) -> Kernel {
    let mut writer = Writer {
        items,
        kernel,
        block: BlockId(0),
        order: Vec::new(),
        frames: Vec::new(),
        heads: Vec::new(),
        armed: armed(items),
        structure: Structure::of(items),
        place: PlaceId::default(),
    };
    let first = writer.new_block();
    writer.start(first);
    for op in entry {
        writer.emit(op);
    }
    for (at, item) in items.iter().enumerate() {
        writer.place = PlaceId::default();
        writer.step(at, item);
    }
    writer.place = PlaceId::default();
    writer.terminate(Terminator::Exit);
    order::order_reachable(&mut writer.kernel, &writer.order);
    writer.kernel
}

impl Writer<'_> {
    fn new_block(&mut self) -> BlockId {
        let id = BlockId(u32::try_from(self.kernel.blocks.len()).unwrap_or(u32::MAX));
        self.kernel.blocks.push(Block {
            instructions: Vec::new(),
            terminator: Terminator::Exit,
            place: PlaceId::default(),
        });
        id
    }

    /// Instructions go to this block from now on.
    fn start(&mut self, block: BlockId) {
        self.order.push(block);
        self.block = block;
    }

    fn emit(&mut self, op: Op) {
        let place = self.place;
        self.push(Instruction {
            guard: None,
            op,
            place,
        });
    }

    fn push(&mut self, instruction: Instruction) {
        if let Some(block) = self.kernel.blocks.get_mut(self.block.index()) {
            block.instructions.push(instruction);
        }
    }

    fn terminate(&mut self, terminator: Terminator) {
        if let Some(block) = self.kernel.blocks.get_mut(self.block.index()) {
            block.terminator = terminator;
            block.place = self.place;
        }
    }

    /// Ends the block; what follows is reached by nothing but jumps that stand elsewhere.
    fn leave(&mut self, terminator: Terminator) {
        self.terminate(terminator);
        let next = self.new_block();
        self.start(next);
    }

    fn step(&mut self, at: usize, item: &Item) {
        match item {
            Item::Op(instruction) => self.push(instruction.clone()),
            Item::If(predicate) => self.open_branch(at, *predicate),
            Item::Else => self.other_branch(),
            Item::EndIf | Item::EndScope => self.close(),
            Item::Scope => self.open_scope(at),
            Item::Loop => {
                let head = self.new_block();
                self.heads.push(head);
                self.terminate(Terminator::Jump(head));
                self.start(head);
            }
            Item::Repeat(unroll) => self.repeat(*unroll),
            Item::Leave(levels) => self.break_out(*levels as usize),
            Item::StayIf(predicate) => self.stay_if(at, *predicate),
            Item::Exit => self.leave(Terminator::Exit),
        }
    }

    /// A convergence barrier for what the step at `at` opens, where it needs one.
    fn arm(&mut self, at: usize, join: BlockId) -> Option<BarrierId> {
        if !self.armed.contains(&at) {
            return None;
        }
        let barrier = BarrierId(self.kernel.barriers);
        self.kernel.barriers += 1;
        self.emit(Op::Arm { barrier, join });
        Some(barrier)
    }

    fn open_branch(&mut self, at: usize, predicate: Operand) {
        let (taken, end) = (self.new_block(), self.new_block());
        let other = self
            .structure
            .others
            .contains(&at)
            .then(|| self.new_block());
        let barrier = self.arm(at, end);
        self.place = self.structure.governed(self.items, at, at);
        self.terminate(Terminator::Branch {
            predicate,
            negated: false,
            taken,
            otherwise: other.unwrap_or(end),
            join: barrier.is_none().then_some(end),
        });
        self.frames.push(Frame {
            end,
            otherwise: other,
            barrier,
            is_scope: false,
            at,
        });
        self.start(taken);
    }

    fn other_branch(&mut self) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let (end, otherwise) = (frame.end, frame.otherwise);
        self.terminate(Terminator::Jump(end));
        if let Some(otherwise) = otherwise {
            self.start(otherwise);
        }
    }

    fn open_scope(&mut self, at: usize) {
        let end = self.new_block();
        let barrier = self.arm(at, end);
        self.frames.push(Frame {
            end,
            otherwise: None,
            barrier,
            is_scope: true,
            at,
        });
    }

    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.terminate(Terminator::Jump(frame.end));
        self.start(frame.end);
        if let Some(barrier) = frame.barrier {
            self.emit(Op::Join { barrier });
        }
    }

    fn repeat(&mut self, unroll: Option<u32>) {
        let Some(header) = self.heads.pop() else {
            return;
        };
        let hint = unroll.map(|unroll| LoopHint { header, unroll });
        self.kernel.loop_hints.extend(hint);
        self.leave(Terminator::Jump(header));
    }

    /// The lanes go to the end of the frame `levels` up, out of those between.
    fn break_out(&mut self, levels: usize) {
        let Some(to) = self.frames.len().checked_sub(levels) else {
            return;
        };
        let Some(end) = self.frames.get(to).map(|frame| frame.end) else {
            return;
        };
        let inner = self.frames.get(to + 1..).unwrap_or_default();
        let left: Vec<BarrierId> = inner
            .iter()
            .rev()
            .filter_map(|frame| frame.barrier)
            .collect();
        for barrier in left {
            self.emit(Op::Leave { barrier });
        }
        self.leave(Terminator::Jump(end));
    }

    fn stay_if(&mut self, at: usize, predicate: Operand) {
        let scope = self.frames.iter().rev().find(|frame| frame.is_scope);
        let Some((end, is_armed, opened)) =
            scope.map(|frame| (frame.end, frame.barrier.is_some(), frame.at))
        else {
            return;
        };
        self.place = self.structure.governed(self.items, at, opened);
        let next = self.new_block();
        self.terminate(Terminator::Branch {
            predicate,
            negated: false,
            taken: next,
            otherwise: end,
            join: (!is_armed).then_some(end),
        });
        self.start(next);
    }
}
