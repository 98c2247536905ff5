//! Replay: what hangs on data in iterations that do the same otherwise.
//!
//! An access whose address grows in no way that is followed (an *irregular* one: `x[column[i]]`, `count[key[i]]`) keeps
//! nothing else of its iteration from being told many times at once. It is made again for each iteration, behind the
//! instructions of the iteration that its address is computed from: a slice of what was executed.

use std::rc::Rc;

use lanescope_ir::{Op, Operand, SiteId};

use crate::machine::Machine;
use crate::outcome::End;
use crate::program::{Line, Program, Step};
use crate::warp::Warp;

/// Instructions of an iteration that are noted at most.
const MOST_EXECUTED: usize = 4_096;

/// An instruction that was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Executed {
    line: u32,
    mask: u64,
    /// Whether it wrote its registers in all lanes that matter.
    whole: bool,
    /// Whether it has to be executed in each iteration.
    is_irregular: bool,
}

/// What an iteration of one warp executed, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    executed: Vec<Executed>,
    /// Accesses that are irregular wherever they are made.
    sites: Vec<SiteId>,
}

impl Trace {
    /// Notes an instruction. Returns whether there was room.
    pub(crate) fn note(&mut self, line: u32, mask: u64, whole: bool) -> bool {
        let has_room = self.executed.len() < MOST_EXECUTED;
        if has_room {
            self.executed.push(Executed {
                line,
                mask,
                whole,
                is_irregular: false,
            });
        }
        has_room
    }

    /// The access of the last instruction is irregular.
    pub(crate) fn admit(&mut self, site: SiteId) {
        if !self.sites.contains(&site) {
            self.sites.push(site);
        }
    }

    /// The last instruction, which is no access, has to be executed in each iteration.
    pub(crate) fn admit_last(&mut self) {
        if let Some(last) = self.executed.last_mut() {
            last.is_irregular = true;
        }
    }

    pub(crate) fn is_regular(&self) -> bool {
        self.sites.is_empty() && self.executed.iter().all(|one| !one.is_irregular)
    }

    fn is_irregular(&self, executed: &Executed, op: &Op) -> bool {
        executed.is_irregular || op.sites().iter().any(|site| self.sites.contains(site))
    }
}

/// How an instruction is executed again.
#[derive(Clone, Copy, Debug)]
enum How {
    /// As it was: it computes something, or makes irregular requests.
    Whole,
    /// A load for its value: its requests are told already.
    Value,
}

/// What of an iteration is executed again for each that it stands for.
#[derive(Debug, Default)]
pub(crate) struct Replay {
    steps: Vec<(Executed, How)>,
    pub(super) sites: Vec<SiteId>,
}

impl Replay {
    /// The slice of a trace that its irregular instructions need; `None` where it holds an instruction that cannot be
    /// executed by itself.
    fn of(trace: &Trace, program: &Program) -> Option<Self> {
        let needed = needed(trace, program)?;
        let mut steps = Vec::new();
        for (executed, _) in trace
            .executed
            .iter()
            .zip(needed)
            .filter(|(_, needed)| *needed)
        {
            let (_, op) = instruction(program, executed)?;
            let is_irregular = trace.is_irregular(executed, op);
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
                _ => return None,
            };
            steps.push((*executed, how));
        }
        Some(Self {
            steps,
            sites: trace.sites.clone(),
        })
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

fn instruction<'a>(program: &'a Program, executed: &Executed) -> Option<(&'a Line, &'a Op)> {
    let line = program.lines.get(executed.line as usize)?;
    match &line.step {
        Step::Do(op) => Some((line, op)),
        Step::End(_) => None,
    }
}

/// Of each instruction of a trace, whether irregular ones need it, in this iteration or in a later one.
fn needed(trace: &Trace, program: &Program) -> Option<Vec<bool>> {
    let mut needed = vec![false; trace.executed.len()];
    let mut live_at_end = vec![false; program.bits.len()];
    loop {
        let mut live = live_at_end.clone();
        for (executed, needed) in trace.executed.iter().zip(&mut needed).rev() {
            let (_, op) = instruction(program, executed)?;
            let defs = op.defs();
            *needed |= trace.is_irregular(executed, op) || defs.iter().any(|one| live[one.index()]);
            if !*needed {
                continue;
            }
            if executed.whole {
                defs.iter().for_each(|one| live[one.index()] = false);
            }
            for read in op.uses().into_iter().filter_map(Operand::register) {
                live[read.index()] = true;
            }
        }
        // What an iteration begins with, the one before has to leave behind.
        let merged: Vec<bool> = live.iter().zip(&live_at_end).map(|(a, b)| a | b).collect();
        if merged == live_at_end {
            return Some(needed);
        }
        live_at_end = merged;
    }
}

/// The slice of the last trace: warps and blocks mostly execute the same.
pub(crate) type LastReplay = Option<(Trace, Rc<Replay>)>;

impl<const L: usize> Machine<'_, L> {
    /// What is executed again of an iteration.
    pub(super) fn replay_of(&mut self, trace: Option<Trace>) -> Option<Rc<Replay>> {
        let Some(trace) = trace.filter(|trace| !trace.is_regular()) else {
            return Some(Rc::default());
        };
        if let Some((last, replay)) = &self.last_replay
            && *last == trace
        {
            return Some(Rc::clone(replay));
        }
        let replay = Rc::new(Replay::of(&trace, self.program)?);
        self.last_replay = Some((trace, Rc::clone(&replay)));
        Some(replay)
    }

    /// Executes what irregular accesses need of an iteration, and makes their requests.
    pub(super) fn replay(&mut self, warp: &mut Warp<L>, replay: &Replay) -> Result<(), End> {
        let program = self.program;
        for (executed, how) in &replay.steps {
            self.tick()?;
            let Some((line, op)) = instruction(program, executed) else {
                continue;
            };
            warp.elsewhere.assume(executed.whole);
            match (how, op) {
                (How::Value, Op::Load { dst, address, site }) => {
                    self.load_value(warp, line, dst, *address, *site, executed.mask);
                }
                _ if line.pure.is_some() && self.compute(warp, line, op, executed.mask) => {}
                _ => {
                    self.effect(warp, 0, line, op, executed.mask)?;
                }
            }
        }
        Ok(())
    }
}
