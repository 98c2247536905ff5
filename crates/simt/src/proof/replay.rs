//! Replay: what depends on data in iterations, or in blocks, that do the same otherwise.
//!
//! An access whose address grows in no way that is followed (an *irregular* one: `x[column[i]]`, `count[key[i]]`) keeps
//! nothing else of its iteration, or of its block, from being told many times at once. It is made again for each, behind
//! the instructions that its address is computed from: a slice of what was executed.

mod rerun;
mod trace;

use std::rc::Rc;

use lanescope_ir::{Address, Kernel, Op, Operand, Origin, Register, SiteId, SpecialRegister};

use crate::prepare::program::{Program, Pure, Slot, Step};

pub(crate) use trace::{Executed, Trace};

/// How an instruction is executed again.
#[derive(Clone, Copy, Debug)]
enum How {
    /// As it was: it computes something, or makes irregular requests.
    Whole,
    /// A load for its value: its requests are told already.
    Value,
}

/// What was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// An iteration: a later one begins with what it leaves behind.
    Iteration,
    /// A block, whose shared and local memory are its own.
    Block,
}

/// What of an iteration or a block is executed again for each that it stands for.
#[derive(Debug, Default)]
pub(crate) struct Replay {
    steps: Vec<(Executed, How)>,
    pub(crate) sites: Vec<SiteId>,
}

impl Replay {
    /// The slice of a trace that its irregular instructions need; `None` where it holds an instruction that cannot be
    /// executed by itself.
    pub(crate) fn of(
        trace: &Trace,
        extent: Extent,
        (program, kernel): (&Program, &Kernel),
    ) -> Option<Self> {
        let needed = match extent {
            Extent::Iteration => needed_again(trace, program)?,
            Extent::Block => needed_once(trace, program, kernel.registers.len())?,
        };
        let stays = unchanged(trace, extent, program)?;
        let mut steps = Vec::new();
        let executed = trace.executed.iter().zip(needed).zip(stays);
        for ((executed, _), _) in executed.filter(|((_, needed), stays)| *needed && !stays) {
            let (slot, op) = instruction(program, executed)?;
            let is_irregular = trace.is_irregular(executed, op);
            if is_irregular && executed.is_multiplied {
                return None;
            }
            // What a block has written to its own memory is not written again.
            if extent == Extent::Block
                && slot.wants_value
                && let Op::Load { site, .. } | Op::MatrixLoad { site, .. } = op
                && program.may_be_own(*site, kernel)
            {
                return None;
            }
            let how = match op {
                _ if is_irregular => How::Whole,
                Op::Load { .. } => How::Value,
                Op::Shuffle { .. }
                | Op::Vote { .. }
                | Op::Match { .. }
                | Op::WarpReduce { .. }
                | Op::ActiveMask { .. }
                | Op::Elect { .. } => How::Whole,
                _ if op.is_pure() => How::Whole,
                // Whatever else acts is run again as a whole.
                _ => return None,
            };
            steps.push((*executed, how));
        }
        Some(Self {
            steps,
            sites: trace.sites.clone(),
        })
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Its instructions, looked up.
    pub(crate) fn repeated<'p>(&self, program: &'p Program) -> Vec<Repeated<'p>> {
        let steps = self.steps.iter().filter_map(|(executed, how)| {
            let (slot, op) = instruction(program, executed)?;
            let act = match (how, op, &slot.pure) {
                (How::Value, Op::Load { dst, address, site }, _) => Act::Read(dst, *address, *site),
                (How::Whole, Op::Load { dst, address, site }, _) => Act::Load(dst, *address, *site),
                (_, _, Some(pure)) => Act::Compute(pure),
                _ => Act::Other,
            };
            Some(Repeated {
                warp: executed.warp as usize,
                mask: executed.mask,
                whole: executed.whole,
                slot,
                op,
                act,
            })
        });
        steps.collect()
    }
}

/// What is done again.
#[derive(Clone, Copy, Debug)]
enum Act<'p> {
    /// Arithmetic.
    Compute(&'p Pure),
    /// A load: what it writes, from where.
    Load(&'p [Option<Register>], Address, SiteId),
    /// A load for its value.
    Read(&'p [Option<Register>], Address, SiteId),
    /// All else.
    Other,
}

/// An instruction that is executed again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repeated<'p> {
    /// Counted from the first that was traced.
    warp: usize,
    mask: u64,
    whole: bool,
    slot: &'p Slot,
    op: &'p Op,
    act: Act<'p>,
}

fn instruction<'a>(program: &'a Program, executed: &Executed) -> Option<(&'a Slot, &'a Op)> {
    let slot = program.slots.get(executed.slot as usize)?;
    match &slot.step {
        Step::Do(op) => Some((slot, op)),
        Step::End(_) => None,
    }
}

/// `[warp][register]`: whether its value is needed.
type Live = Vec<Vec<bool>>;

/// No register of any warp of a trace.
fn none_live(trace: &Trace, program: &Program) -> Live {
    let last = trace.executed.iter().map(|one| one.warp).max();
    vec![vec![false; program.bits.len()]; last.map_or(0, |last| last as usize + 1)]
}

/// Of each instruction of an iteration, whether irregular ones need it, in this iteration or in a later one.
fn needed_again(trace: &Trace, program: &Program) -> Option<Vec<bool>> {
    let mut needed = vec![false; trace.executed.len()];
    let mut live_at_end = none_live(trace, program);
    loop {
        let live = walk_back(trace, program, live_at_end.clone(), &mut needed)?;
        // What an iteration begins with, the one before has to leave behind.
        let mut has_grown = false;
        for (all, live) in live_at_end.iter_mut().flatten().zip(live.iter().flatten()) {
            has_grown |= *live && !*all;
            *all |= live;
        }
        if !has_grown {
            return Some(needed);
        }
    }
}

/// Of each instruction of a block, whether irregular ones need it. `None` where one of the kernel's `registers` is read
/// that nothing wrote.
fn needed_once(trace: &Trace, program: &Program, registers: usize) -> Option<Vec<bool>> {
    let mut needed = vec![false; trace.executed.len()];
    let live = walk_back(trace, program, none_live(trace, program), &mut needed)?;
    let mut at_start = live.iter().flat_map(|live| live.iter().take(registers));
    at_start.all(|live| !live).then_some(needed)
}

/// Goes back over a trace, from what is needed behind it to what is needed before it; `needed` are its instructions.
fn walk_back(
    trace: &Trace,
    program: &Program,
    mut live: Live,
    needed: &mut [bool],
) -> Option<Live> {
    let mut moved = trace.moved.iter().rev().peekable();
    for (at, executed) in trace.executed.iter().enumerate().rev() {
        while let Some(moved) = moved.next_if(|moved| moved.at > at) {
            // What it holds between one iteration and the next is not known.
            if live[moved.warp as usize][moved.register.index()] {
                return None;
            }
        }
        let live = &mut live[executed.warp as usize];
        let (_, op) = instruction(program, executed)?;
        let defs = op.defs();
        needed[at] |=
            trace.is_irregular(executed, op) || defs.iter().any(|register| live[register.index()]);
        if !needed[at] {
            continue;
        }
        if executed.whole {
            defs.iter()
                .for_each(|register| live[register.index()] = false);
        }
        for read in op.uses().into_iter().filter_map(Operand::register) {
            live[read.index()] = true;
        }
    }
    Some(live)
}

/// Of each instruction of a trace, whether it computes what it did before, and what no other one writes: that is there.
fn unchanged(trace: &Trace, extent: Extent, program: &Program) -> Option<Vec<bool>> {
    let mut writers: Vec<Vec<u32>> = none_live(trace, program)
        .iter()
        .map(|live| vec![0; live.len()])
        .collect();
    for executed in &trace.executed {
        let (_, op) = instruction(program, executed)?;
        for register in op.defs() {
            writers[executed.warp as usize][register.index()] += 1;
        }
    }
    for moved in &trace.moved {
        writers[moved.warp as usize][moved.register.index()] += 2;
    }
    // What nothing writes stays; what one instruction alone writes does where that stays.
    let mut stays: Live = writers
        .iter()
        .map(|writers| writers.iter().map(|count| *count == 0).collect())
        .collect();
    let mut all = Vec::with_capacity(trace.executed.len());
    for executed in &trace.executed {
        let (_, op) = instruction(program, executed)?;
        let (writers, stays) = (
            &writers[executed.warp as usize],
            &mut stays[executed.warp as usize],
        );
        let is_block = |register| matches!(register, SpecialRegister::BlockIndex(_));
        let is_same = match op.origin() {
            Origin::Computed => true,
            Origin::Launch => {
                let of_block = matches!(op, Op::Special { register, .. } if is_block(*register));
                extent == Extent::Iteration || !of_block
            }
            Origin::Nothing
            | Origin::Memory
            | Origin::Lanes
            | Origin::Mask
            | Origin::Warp
            | Origin::Unknown => false,
        };
        let defs = op.defs();
        let mut reads = op.uses().into_iter().filter_map(Operand::register);
        let stay = is_same
            && reads.all(|register| stays[register.index()])
            && defs.iter().all(|register| writers[register.index()] == 1);
        if stay {
            defs.iter()
                .for_each(|register| stays[register.index()] = true);
        }
        all.push(stay);
    }
    Some(all)
}

/// The slice of the last trace: warps mostly execute the same.
pub(crate) type LastReplay = Option<(Trace, Rc<Replay>)>;
