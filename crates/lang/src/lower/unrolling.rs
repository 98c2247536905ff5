//! How many turns of a loop a compiler writes out one after another, and what that does to its
//! memory accesses. Read off what nvcc of CUDA 13 makes for an H200.

use super::loops::Turns;
use crate::code::{Binary, Inst, Reg};
use crate::syntax::Unroll;
use std::collections::{BTreeMap, BTreeSet};

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
    pub(super) fn every(self, body: &Body<'_>) -> (u8, u8) {
        let Some(said) = self.said else {
            return if body.is_counted() {
                (OF_COUNTED, JOINED)
            } else {
                (1, 1)
            };
        };
        let said = u8::try_from(said.clamp(1, 64)).unwrap_or(64);
        (said, said)
    }
}

/// The instructions of a loop.
pub(super) struct Body<'a> {
    insts: &'a [Inst],
    constants: &'a [Option<i64>],
    /// For each register that is set, the only instruction that sets it.
    setting: BTreeMap<Reg, Option<usize>>,
}

impl<'a> Body<'a> {
    pub(super) fn new(insts: &'a [Inst], constants: &'a [Option<i64>]) -> Self {
        let mut setting = BTreeMap::new();
        for (at, inst) in insts.iter().enumerate() {
            if let Some(dst) = inst.target() {
                setting
                    .entry(dst)
                    .and_modify(|only| *only = None)
                    .or_insert(Some(at));
            }
        }
        Self {
            insts,
            constants,
            setting,
        }
    }

    /// The registers below `mark` that turns change, in order.
    pub(super) fn changed(&self, mark: Reg) -> Vec<Reg> {
        let moved = |inst: &Inst| match inst {
            Inst::Move { dst, .. } if *dst < mark => Some(*dst),
            _ => None,
        };
        let found: BTreeSet<Reg> = self.insts.iter().filter_map(moved).collect();
        found.into_iter().collect()
    }

    /// Whether the loop goes on while a counter that grows by a constant has not reached its end,
    /// and holds no other loop.
    fn is_counted(&self) -> bool {
        let mut conditions = self.insts.iter().filter_map(|inst| match inst {
            Inst::Test { condition, .. } => Some(*condition),
            _ => None,
        });
        let (Some(condition), None) = (conditions.next(), conditions.next()) else {
            return false;
        };
        let plain = self.insts.iter().all(|inst| {
            !matches!(
                inst,
                Inst::Break { .. } | Inst::Return | Inst::Enter { .. } | Inst::Loop { .. }
            )
        });
        plain && self.counts(condition, DEEPEST)
    }

    /// Whether a condition compares something that each turn changes by a constant.
    fn counts(&self, condition: Reg, deep: u32) -> bool {
        let moves = |reg: Reg| self.step(reg).is_some_and(|step| step != 0);
        match self.setting(condition) {
            Some(Inst::Binary { op, a, b, .. }) if op.compares() => {
                [a, b].into_iter().any(|reg| moves(self.origin(reg)))
            }
            Some(Inst::Unary { a, .. } | Inst::Convert { a, .. }) if deep > 0 => {
                self.counts(a, deep - 1)
            }
            _ => false,
        }
    }

    /// The register that a converted one comes from.
    fn origin(&self, reg: Reg) -> Reg {
        match self.setting(reg) {
            Some(Inst::Convert { a, .. }) => a,
            Some(Inst::Init { src, .. }) => src,
            _ => reg,
        }
    }

    /// The only instruction that sets a register.
    fn setting(&self, reg: Reg) -> Option<Inst> {
        let at = self.setting.get(&reg).copied().flatten()?;
        self.insts.get(at).copied()
    }

    /// By what a turn changes a register, where it does so once and by a constant.
    pub(super) fn step(&self, reg: Reg) -> Option<i64> {
        match self.setting(reg)? {
            Inst::Move { src, .. } => self.beyond(src, reg, DEEPEST),
            _ => None,
        }
    }

    /// How far the value in `reg` lies behind that of `from`.
    fn beyond(&self, reg: Reg, from: Reg, deep: u32) -> Option<i64> {
        if reg == from {
            return Some(0);
        }
        let deep = deep.checked_sub(1)?;
        let rest = |reg| self.beyond(reg, from, deep);
        let known = |reg: Reg| self.constants.get(usize::from(reg)).copied().flatten();
        match self.setting(reg)? {
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
}
