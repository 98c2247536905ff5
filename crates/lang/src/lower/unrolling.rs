//! How many turns of a loop a compiler writes out one after another, and what that does to its
//! memory accesses. Read off what nvcc of CUDA 13 makes for an H200.

use super::loops::Turns;
use crate::code::{Binary, Inst, Reg};
use crate::syntax::Unroll;
use std::collections::BTreeMap;

/// Turns that are written out of a loop whose number of turns only the launch tells.
const OF_COUNTED: u8 = 16;
/// Those of them whose accesses are joined: fewer than these may be left at the loop's end.
const JOINED: u8 = 4;
/// The widest access that turns are joined to.
const WIDEST: u8 = 16;
/// How deep the sum that a counter is set to may be nested.
const DEEPEST: u32 = 8;

/// When every turn is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Out,
    /// Where the loop's condition is known as the loop begins.
    IfKnown,
    Never,
}

/// How a loop is unrolled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unrolling {
    pub(super) written: Written,
    /// Turns written out one after another, where the source says so.
    said: Option<u64>,
    /// Bytes of the widest access that turns are joined to.
    pub(super) widest: u8,
}

impl Unrolling {
    /// A turn is a turn.
    pub(super) const NONE: Self = Self {
        written: Written::Never,
        said: Some(1),
        widest: WIDEST,
    };

    pub(super) fn of(unroll: Unroll, turns: Turns) -> Self {
        let (written, said) = match (unroll, turns) {
            (Unroll::Times(0 | 1), _) => (Written::Never, Some(1)),
            (Unroll::Times(times), Turns::Few(turns)) if times >= u64::from(turns) => {
                (Written::Out, None)
            }
            (Unroll::Times(times), _) => (Written::Never, Some(times)),
            (Unroll::Wholly, Turns::Few(_)) => (Written::Out, None),
            (Unroll::Wholly, _) => (Written::IfKnown, Some(u64::from(JOINED))),
            (Unroll::Unsaid, Turns::Few(_)) => (Written::Out, None),
            (Unroll::Unsaid, Turns::Many) => (Written::Never, None),
            (Unroll::Unsaid, Turns::Unknown) => (Written::IfKnown, None),
        };
        // Where the source asks for turns, addresses are counted from the middle of them.
        let widest = match said {
            Some(times) if times > 1 && times < 8 => 8,
            _ => WIDEST,
        };
        Self {
            written,
            said,
            widest,
        }
    }

    /// Turns that are written out one after another of a loop with this body, and those of them
    /// whose accesses are joined.
    pub(super) fn every(self, body: &[Inst], constants: &BTreeMap<Reg, i64>) -> (u8, u8) {
        let Some(said) = self.said else {
            return if is_counted(body, constants) {
                (OF_COUNTED, JOINED)
            } else {
                (1, 1)
            };
        };
        let said = u8::try_from(said.clamp(1, 64)).unwrap_or(64);
        (said, said)
    }
}

/// Whether a loop goes on while a counter that grows by a constant has not reached its end, and
/// holds no other loop.
fn is_counted(body: &[Inst], constants: &BTreeMap<Reg, i64>) -> bool {
    let mut conditions = body.iter().filter_map(|inst| match inst {
        Inst::Test { condition, .. } => Some(*condition),
        _ => None,
    });
    let (Some(condition), None) = (conditions.next(), conditions.next()) else {
        return false;
    };
    let plain = body.iter().all(|inst| {
        !matches!(
            inst,
            Inst::Break { .. } | Inst::Return | Inst::Enter { .. } | Inst::Loop { .. }
        )
    });
    plain && counts(body, constants, condition, DEEPEST)
}

/// Whether a condition compares something that each turn changes by a constant.
fn counts(body: &[Inst], constants: &BTreeMap<Reg, i64>, condition: Reg, deep: u32) -> bool {
    let moves = |reg: Reg| step(body, constants, reg).is_some_and(|step| step != 0);
    match setting(body, condition) {
        Some(Inst::Binary { op, a, b, .. }) if op.compares() => {
            [a, b].into_iter().any(|reg| moves(origin(body, reg)))
        }
        Some(Inst::Unary { a, .. } | Inst::Convert { a, .. }) if deep > 0 => {
            counts(body, constants, a, deep - 1)
        }
        _ => false,
    }
}

/// The register that a converted one comes from.
fn origin(body: &[Inst], reg: Reg) -> Reg {
    match setting(body, reg) {
        Some(Inst::Convert { a, .. }) => a,
        Some(Inst::Init { src, .. }) => src,
        _ => reg,
    }
}

/// The only instruction that sets a register in passing.
fn setting(body: &[Inst], reg: Reg) -> Option<Inst> {
    let mut sets = body.iter().filter(|inst| inst.target() == Some(reg));
    let first = sets.next()?;
    sets.next().is_none().then_some(*first)
}

/// By what a turn changes a register, where it does so once and by a constant.
pub(super) fn step(body: &[Inst], constants: &BTreeMap<Reg, i64>, reg: Reg) -> Option<i64> {
    match setting(body, reg)? {
        Inst::Move { src, .. } => beyond(body, constants, src, reg, DEEPEST),
        _ => None,
    }
}

/// How far the value in `reg` lies behind that of `from`.
fn beyond(
    body: &[Inst],
    constants: &BTreeMap<Reg, i64>,
    reg: Reg,
    from: Reg,
    deep: u32,
) -> Option<i64> {
    if reg == from {
        return Some(0);
    }
    let deep = deep.checked_sub(1)?;
    let rest = |reg| beyond(body, constants, reg, from, deep);
    let known = |reg: Reg| constants.get(&reg).copied();
    match setting(body, reg)? {
        Inst::Init { src, .. } => rest(src),
        Inst::Convert { a, .. } => rest(a),
        Inst::Binary {
            op: Binary::Add,
            a,
            b,
            ..
        } => match (known(a), known(b)) {
            (_, Some(by)) => rest(a)?.checked_add(by),
            (Some(by), _) => rest(b)?.checked_add(by),
            _ => None,
        },
        Inst::Binary {
            op: Binary::Subtract,
            a,
            b,
            ..
        } => rest(a)?.checked_sub(known(b)?),
        Inst::Address {
            base,
            index,
            scale,
            offset,
            ..
        } => {
            let by = known(index)?.checked_mul(i64::from(scale))?;
            rest(base)?.checked_add(by)?.checked_add(i64::from(offset))
        }
        _ => None,
    }
}
