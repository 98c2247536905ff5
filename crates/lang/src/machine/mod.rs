//! Runs a program, warp by warp in lock step.
//!
//! Both sides of a branch that lanes disagree on are issued; a loop turns until its last lane
//! leaves; a warp without lanes issues nothing. The warps of a block run one after another from
//! barrier to barrier. What a thread still holds is not read again (see [`reuse`]).

mod alike;
mod arithmetic;
mod block;
mod cuts;
mod findings;
mod ghost;
mod memory;
mod price;
mod races;
mod registers;
mod replay;
mod requests;
mod reuse;
mod setup;
mod step;
mod waiting;
mod window;

pub use alike::Likeness;
pub(crate) use arithmetic::{binary_one, convert_one, unary_one};

use crate::code::Inst;
use crate::launch::{Budget, Launch, Limit};
use crate::lowered;
use crate::{Blocks, End, Observer, Outcome, Program, SiteId, Spared, Thread};
use findings::Findings;
use lanescope_model::{Device, MAX_LANES};
use memory::Memory;
use races::Watch;
use registers::Registers;
use reuse::Reuse;

/// A place that lanes wait at.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The lanes that go on behind its end.
    restore: u64,
    /// The lanes that take the other branch.
    other: u64,
    /// Whether the compiler makes a branch of it, past which accesses do not move.
    wall: bool,
    /// Whether it does so as soon as something is asked for within.
    may_be_wall: bool,
    /// Whether it counts as a branch around what is held.
    is_around: bool,
    /// How many values had been moved before it began.
    moved: usize,
}

/// A value that only some lanes have been given.
#[derive(Clone, Copy, Debug)]
struct Moved {
    reg: crate::code::Reg,
    /// What the compiler knew of it before: what the other lanes hold.
    before: ghost::Ghost,
}

/// Where one warp stands.
#[derive(Debug)]
struct Warp {
    pc: usize,
    /// Lanes that the launch gave it.
    born: u64,
    /// Lanes that have not returned.
    alive: u64,
    active: u64,
    frames: Vec<Frame>,
    moved: Vec<Moved>,
    waiting: bool,
    done: bool,
    reuse: Reuse,
    window: window::Window,
    /// Branches and loops around that the compiler makes.
    depth: u16,
    /// Whether the branch that begins next is the second half of `&&` or `||`.
    half: bool,
    /// Frames around that may become walls.
    halves: u16,
    /// The loop that has just begun and has not been tested: frames around its turns.
    fresh: usize,
    /// How the loops that lanes are in are cut.
    plans: Vec<cuts::Plan>,
    occurrences: Vec<u32>,
}

/// Lanes that wait to be issued in one request with the other branch's.
#[derive(Clone, Debug)]
struct Pending {
    lanes: u64,
    ghost: u64,
    addresses: [i64; MAX_LANES],
}

/// Why a warp stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pause {
    Barrier,
    Done,
    End(End),
}

struct Machine<'a> {
    program: &'a Program,
    insts: &'a [Inst],
    launch: &'a Launch,
    budget: Budget,
    observer: &'a mut dyn Observer,
    registers: Registers,
    memory: Memory,
    watch: Option<Watch>,
    findings: Findings,
    spared: Vec<Option<Spared>>,
    pending: Vec<Option<Box<Pending>>>,
    /// `[array]`: first address, bytes if known.
    bounds: Vec<(i64, Option<u64>)>,
    /// Followed through the first block where the likeness of blocks is asked, until blocks may differ.
    drifts: Option<Box<alike::Drifts<'a>>>,
    /// `[array]`: whether it lies in constant memory.
    constant: Vec<bool>,
    block: [u32; 3],
    block_index: u64,
    first_block: u64,
    warp: u32,
    warp_lanes: usize,
    threads: u64,
    epoch: u64,
    steps: u64,
    requests: u64,
}

/// Runs `program` as `launch` says, in warps of `warp_lanes` lanes (1 to 64), and gives each
/// request to `observer`.
///
/// The run ends when all blocks asked for have run, when `budget` is spent, or when the observer
/// says so; [`Outcome::end`] tells which.
pub fn execute(
    program: &Program,
    launch: &Launch,
    warp_lanes: u32,
    budget: Budget,
    observer: &mut dyn Observer,
) -> Outcome {
    run(program, launch, warp_lanes, budget, observer, None).0
}

/// Runs `program` as [`execute`] does, in warps of `device`, and tells whether all blocks of the
/// launch cost on it what the first one costs. That has to be among the blocks that run; where all
/// of them run, nothing needs to be proved, and nothing is.
pub fn execute_compared(
    program: &Program,
    launch: &Launch,
    device: &Device,
    budget: Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Likeness) {
    let lanes = device.warp_lanes();
    run(program, launch, lanes, budget, observer, Some(device))
}

/// Runs it; where `compared`, the first block is followed to see whether it tells all.
fn run(
    program: &Program,
    launch: &Launch,
    warp_lanes: u32,
    budget: Budget,
    observer: &mut dyn Observer,
    compared: Option<&Device>,
) -> (Outcome, Likeness) {
    if let Some(kernel) = program.lowered() {
        let outcome = lowered::run(program, kernel, launch, warp_lanes, budget, observer);
        let likeness = if outcome.blocks_total <= 1 {
            Likeness::Alike
        } else {
            Likeness::Unproved
        };
        return (outcome, likeness);
    }
    if !program.recorded.is_empty() {
        let outcome = replay::replay(program, launch, budget, observer);
        return (outcome, Likeness::Alike);
    }
    let own;
    let launch = match program.block {
        Some(block) if block != launch.block => {
            own = Launch {
                block,
                ..launch.clone()
            };
            &own
        }
        _ => launch,
    };
    let blocks_total = launch.grid_blocks();
    let mut machine = match setup::machine(program, launch, warp_lanes, budget, observer) {
        Ok(machine) => machine,
        Err(findings) => {
            let outcome = Outcome {
                end: End::Stopped(Limit::Bytes),
                requests: 0,
                steps: 0,
                blocks_done: 0,
                blocks_total,
                findings,
                spared: Vec::new(),
            };
            return (outcome, Likeness::Unproved);
        }
    };
    let range = match launch.blocks {
        Blocks::All => 0..blocks_total,
        Blocks::First(count) => 0..count.min(blocks_total),
        Blocks::Only(one) if one < blocks_total => one..one + 1,
        Blocks::Only(_) => 0..0,
    };
    machine.first_block = range.start;
    machine.note_dependences();
    let mut likeness = match blocks_total {
        0 | 1 => Likeness::Alike,
        _ => Likeness::Unproved,
    };
    let is_part = range.start == 0 && range.end < blocks_total;
    if let Some(device) = compared.filter(|_| is_part) {
        machine.drifts = Some(Box::new(alike::Drifts::new(&machine, device)));
    }
    let mut blocks_done = 0;
    let mut end = End::Completed;
    let mut warps = machine.warps();
    for index in range {
        if let Err(early) = machine.run_block(index, &mut warps) {
            end = early;
            break;
        }
        if machine.drifts.take().is_some() {
            likeness = Likeness::Alike;
        }
        blocks_done += 1;
        if !machine.observer.block_done(index) {
            end = End::Cancelled;
            break;
        }
    }
    if let End::Stopped(_) = end {
        machine.say_stopped();
    }
    let outcome = Outcome {
        end,
        requests: machine.requests,
        steps: machine.steps,
        blocks_done,
        blocks_total,
        findings: machine.findings.list,
        spared: machine.spared,
    };
    (outcome, likeness)
}

impl Machine<'_> {
    /// Notes that an access makes no request.
    fn spare(&mut self, id: SiteId, why: Spared) {
        if let Some(first) = self.spared.get_mut(id.0 as usize) {
            first.get_or_insert(why);
        }
    }

    /// The thread that is lane `lane` of warp `warp` of the block that runs.
    fn thread(&self, warp: u32, lane: usize) -> Thread {
        let rank = u64::from(warp) * self.warp_lanes as u64 + lane as u64;
        self.thread_of_rank(rank)
    }

    fn thread_of_rank(&self, rank: u64) -> Thread {
        let [x, y, _] = self.launch.block.map(|side| u64::from(side.max(1)));
        let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        let lanes = self.warp_lanes as u64;
        let thread = [small(rank % x), small(rank / x % y), small(rank / x / y)];
        Thread {
            block: self.block,
            thread,
            warp: small(rank / lanes),
            lane: small(rank % lanes),
        }
    }
}
