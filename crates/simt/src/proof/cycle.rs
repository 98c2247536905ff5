//! Periodic iterations: those of a loop that do the same up to a shift are run once, and stand for all.
//!
//! A *point* is where a warp that runs alone comes to a slot again, or where all warps of a block have come to a barrier
//! again. Proof by induction ([`Proof::of_iterations`]): assume a constant stride per register from one visit to the next,
//! execute one iteration symbolically, and collect the range in which every branch keeps its outcome, the iterations after
//! which the addresses are in phase again, and the strides at the end, which must be those assumed. A whole period is then
//! proved in the same way, one more runs and tells each request so many times, and registers move behind the last one.
//! Accesses of one warp whose addresses alone depend on data are made again for each iteration
//! ([`crate::proof::replay`]). What cannot be proved runs iteration by iteration.

mod period;
mod points;

use std::rc::Rc;

use lanescope_ir::{Register, eval};

use crate::machine::register::{File, Form, Value, ones};
use crate::machine::warp::{Place, Warp};
use crate::proof::region::{FLAT, ITERATION, Slope};
use crate::proof::replay::Replay;

use points::Passed;

pub(crate) use points::Points;

/// Iterations that are assumed before a condition says how many there are.
const UNBOUNDED: u64 = 1 << 40;

/// Iterations that must be omitted, at least, for a proof to be worth it.
const WORTH: u64 = 3;

/// Whose iterations they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// All warps of the block, between barriers.
    Block,
    /// One warp, between barriers of the block.
    Warp(u32),
}

/// How far a proof is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// An iteration runs, to see by how much registers grow.
    Difference,
    /// An iteration is followed.
    Follow,
    /// A whole period is followed.
    Confirm,
    /// A whole period runs and stands for many.
    Multiply,
}

/// How registers grow, by warp and place among the carried registers; none: it is not assumed.
type Steps = Vec<Vec<Option<i64>>>;

/// Iterations that are being proved, or that are told.
#[derive(Debug)]
pub(crate) struct Cycle<const L: usize> {
    scope: Scope,
    /// By warp.
    point: Vec<Option<Place>>,
    phase: Phase,
    /// Visits until the phase ends.
    left: u64,
    trials: u32,
    /// Visits that make a period.
    period: u64,
    /// The carried registers at the last visit, by warp.
    files: Vec<File<L>>,
    assumed: Steps,
    /// By how much each register has grown behind an iteration, against the one before.
    ends: Steps,
    /// Periods that the one which runs stands for.
    times: u64,
    occurrences: Vec<Vec<u64>>,
    /// What is executed again for each period.
    replay: Rc<Replay>,
    /// Visits of the point so far.
    visits: u32,
    passed: Passed,
}

impl<const L: usize> Cycle<L> {
    fn slot(&self) -> u32 {
        let first = self.point.iter().flatten().next();
        first.map_or(0, |place| place.slot)
    }

    /// Growths to begin with: what is assumed, in the lanes that run.
    fn growths(&self, number: usize) -> impl Iterator<Item = (Slope, u64)> {
        let place = self.point.get(number).and_then(Option::as_ref);
        let lanes = place.map_or(u64::MAX, |place| place.lanes);
        let assumed = self.assumed.get(number);
        assumed
            .into_iter()
            .flatten()
            .map(move |step| step.map_or((FLAT, 0), |step| (along(step), lanes)))
    }
}

const fn along(step: i64) -> Slope {
    let mut slope = FLAT;
    slope[ITERATION] = step;
    slope
}

/// By how much a register has grown in all lanes of a mask, since it was kept at a place of a file.
fn grown<const L: usize>(
    (before, place): (&File<L>, Register),
    (after, register): (&File<L>, Register),
    mask: u64,
) -> Option<i64> {
    let (old, new) = (before.entry(place), after.entry(register));
    let unknown = |entry: crate::machine::register::Entry| (entry.unknown & mask, entry.source);
    if unknown(old).0 != unknown(new).0 || (unknown(old).0 != 0 && unknown(old) != unknown(new)) {
        return None;
    }
    let bits = after.bits(register);
    let difference = |a: u64, b: u64| {
        let grown = b.wrapping_sub(a) & ones(bits);
        eval::sign_extend(grown, u32::from(bits))
    };
    match (old.form, new.form) {
        (Form::Mask(a), Form::Mask(b)) => return ((a ^ b) & mask == 0).then_some(0),
        (Form::Uniform(a), Form::Uniform(b)) => return Some(difference(a, b)),
        (Form::Affine(a, x), Form::Affine(b, y)) if x == y => return Some(difference(a, b)),
        _ => {}
    }
    let (a, b) = (before.lanes(place), after.lanes(register));
    let mut lanes = crate::machine::arithmetic::each(mask);
    let first = lanes.next()?;
    let step = difference(a[first], b[first]);
    let same = lanes.all(|lane| difference(a[lane], b[lane]) == step);
    (same && (bits != 1 || step == 0)).then_some(step)
}

/// Adds to a register in the lanes of a split.
fn shift<const L: usize>(warp: &mut Warp<L>, register: Register, by: u64, place: &Place) {
    let entry = warp.file.entry(register);
    let value = match entry.form {
        Form::Uniform(value) => Value::Uniform(value.wrapping_add(by)),
        Form::Affine(base, stride) => Value::Affine(base.wrapping_add(by), stride),
        Form::Mask(_) => return,
        Form::General => {
            let lanes = warp.file.lanes(register);
            Value::General(lanes.map(|value| value.wrapping_add(by)))
        }
    };
    let unknown = (entry.unknown, entry.source);
    warp.file
        .put(register, &value, unknown, place.mask, place.whole);
}
