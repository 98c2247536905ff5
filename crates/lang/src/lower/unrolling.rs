//! How many turns of a loop a compiler writes out one after another, and what that does to its
//! memory accesses. Read off what nvcc of CUDA 13 makes for an H200.

use super::loops::Turns;
use crate::code::{Binary, Cut, Inst, Pieces, Reg, Unary};
use crate::scalar::Scalar;
use crate::syntax::Unroll;

use std::collections::{BTreeMap, BTreeSet};

/// Turns that are written out of a loop whose number of turns only the launch tells.
const OF_COUNTED: u8 = 16;
/// Those of them whose accesses are joined: fewer than these may be left at the loop's end.
const JOINED: u8 = 4;
/// The widest access that turns are joined to.
const WIDEST: u8 = 16;
/// Instructions of a loop of which 16 turns are one piece, at most; of which 4 are; and 2.
const SMALL: usize = 26;
const MIDDLE: usize = 42;
const LARGE: usize = 78;
/// How deep the sum that a counter is set to may be nested.
const DEEPEST: u32 = 8;

/// Lanes of a warp where compilers cut loops.
const WARP: i64 = 32;

/// Where a variable was set before a loop is looked for so many instructions back.
const FARTHEST: usize = 4096;

/// When every turn is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// So many turns.
    Out(u32),
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
                (Written::Out(turns), Some(times))
            }
            (Unroll::Times(times), _) => (Written::Never, Some(times)),
            (Unroll::Wholly, Turns::Few(turns)) => (Written::Out(turns), Some(u64::from(turns))),
            (Unroll::Wholly, _) => (Written::IfKnown, Some(u64::from(JOINED))),
            (Unroll::Unsaid, Turns::Few(turns)) => (Written::Out(turns), None),
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

    /// Turns that the source asks for as one piece: 0 where it says nothing, 255 for all.
    pub(super) fn asked(self) -> u8 {
        match (self.written, self.said) {
            (_, None) => 0,
            (Written::Never, Some(said)) => u8::try_from(said.min(254)).unwrap_or(254),
            (Written::Out(_) | Written::IfKnown, Some(_)) => u8::MAX,
        }
    }

    /// Whether the source asks for it.
    pub(super) const fn is_asked(self) -> bool {
        self.said.is_some()
    }

    /// Turns that are written out one after another of a loop with this body, and those of them
    /// whose accesses are joined.
    pub(super) fn every(self, body: &Body<'_>, mark: Reg) -> (u8, u8) {
        let Some(said) = self.said else {
            return match body.pieces(mark) {
                Some(Pieces::Equal(turns)) => (turns, turns),
                Some(_) => (OF_COUNTED, JOINED),
                None => (1, 1),
            };
        };
        let said = u8::try_from(said.clamp(1, 64)).unwrap_or(64);
        (said, said)
    }
}

/// The instructions of a loop.
pub(super) struct Body<'a> {
    /// Those before the loop.
    before: &'a [Inst],
    insts: &'a [Inst],
    constants: &'a [Option<i64>],
    /// Instructions more that loops within are written out to.
    inner: usize,
    /// What holds the lanes of a warp.
    lanes: Option<Reg>,
    /// For each register that is set, the only instruction that sets it.
    setting: BTreeMap<Reg, Option<usize>>,
}

impl<'a> Body<'a> {
    /// The loop that begins at `start`.
    pub(super) fn new(
        all: &'a [Inst],
        start: usize,
        constants: &'a [Option<i64>],
        lanes: Option<Reg>,
        inner: usize,
    ) -> Self {
        let (before, insts) = all.split_at(start);
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
            before,
            insts,
            constants,
            lanes,
            inner,
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
        let stays =
            |inst: &Inst| !matches!(inst, Inst::Break { .. } | Inst::Return | Inst::Enter { .. });
        let condition = self.test().map(|(_, condition)| condition);
        self.insts.iter().all(stays) && condition.is_some_and(|one| self.counts(one, DEEPEST))
    }

    /// The loop's only test, and its condition; the loops within are written out.
    fn test(&self) -> Option<(usize, Reg)> {
        let mut depth = 0;
        let mut tests = self.insts.iter().enumerate().filter_map(|(at, inst)| {
            match inst {
                Inst::Scope => depth += 1,
                Inst::EndScope => depth -= 1,
                Inst::Test { condition, .. } if depth == 0 => return Some((at, *condition)),
                _ => {}
            }
            None
        });
        let only = tests.next();
        only.filter(|_| tests.next().is_none())
    }

    /// How a compiler cuts the loop: the two that its test compares, where the test stands, and the
    /// pieces; `None` of a loop that is not counted, or whose lanes must stay together.
    pub(super) fn cut(&self, unrolling: Unrolling, mark: Reg) -> Option<(usize, Reg, Reg, Cut)> {
        if unrolling.said == Some(1) || !self.is_counted() || self.insts.iter().any(keeps_together)
        {
            return None;
        }
        let (at, condition) = self.test()?;
        let (op, scalar, a, b) = self.comparison(condition, DEEPEST)?;
        let moves = |reg: Reg| self.warp_step(self.origin(reg)).filter(|step| *step != 0);
        let (step, is_second) = match (moves(a), moves(b)) {
            (Some(step), None) => (step, false),
            (None, Some(step)) => (step, true),
            _ => return None,
        };
        let is_whole = !scalar.is_float() && matches!(op, Binary::Less | Binary::LessEqual);
        let is_unsigned = matches!(scalar, Scalar::U32 | Scalar::U64);
        let pieces = match unrolling.said {
            Some(said) => Pieces::Equal(u8::try_from(said.clamp(1, 64)).ok()?),
            None if is_unsigned && step.unsigned_abs() > 1 => Pieces::Halving,
            None => self.pieces(mark)?,
        };
        let cut = Cut {
            step: i32::try_from(step).ok()?,
            is_second,
            in_warps: self
                .step(self.origin(if is_second { b } else { a }))
                .is_none(),
            with_end: op == Binary::LessEqual,
            pieces,
            singles_first: pieces != Pieces::Halving && !self.begins_known(mark),
        };
        is_whole.then_some((at, a, b, cut))
    }

    /// The pieces that a counted loop is cut into, of few instructions into large ones; `None` of one
    /// that is not cut.
    fn pieces(&self, mark: Reg) -> Option<Pieces> {
        let size = size(self.insts)
            .saturating_add(self.inner)
            .saturating_add(self.changed(mark).len());
        if !self.is_counted() || size > LARGE {
            None
        } else if size > MIDDLE {
            Some(Pieces::Equal(2))
        } else if size > SMALL || self.insts.iter().any(is_apart) {
            Some(Pieces::Equal(4))
        } else {
            Some(Pieces::Sixteen)
        }
    }

    /// Whether a whole number that turns change is known as the loop begins.
    fn begins_known(&self, mark: Reg) -> bool {
        let changed = self.changed(mark);
        let mut whole = changed.into_iter().filter(|reg| self.is_whole(*reg));
        whole.any(|reg| {
            let mut before = self.before.iter().rev().take(FARTHEST);
            let set = before.find(|inst| inst.target() == Some(reg));
            match set {
                Some(Inst::Init { src, .. } | Inst::Move { src, .. }) => self.known(*src).is_some(),
                _ => false,
            }
        })
    }

    fn known(&self, reg: Reg) -> Option<i64> {
        self.constants.get(usize::from(reg)).copied().flatten()
    }

    /// Whether what a turn makes of a variable is a whole number.
    fn is_whole(&self, variable: Reg) -> bool {
        let source = match self.setting(variable) {
            Some(Inst::Move { src, .. }) => self.setting(src),
            _ => None,
        };
        match source {
            Some(Inst::Binary { scalar, .. } | Inst::Unary { scalar, .. }) => !scalar.is_float(),
            Some(Inst::Convert { to, .. }) => !to.is_float(),
            _ => false,
        }
    }

    /// The comparison that a condition is.
    fn comparison(&self, condition: Reg, deep: u32) -> Option<(Binary, Scalar, Reg, Reg)> {
        match self.setting(condition)? {
            Inst::Binary {
                op, scalar, a, b, ..
            } if op.compares() => Some((op, scalar, a, b)),
            Inst::Convert { a, .. } if deep > 0 => self.comparison(a, deep - 1),
            _ => None,
        }
    }

    /// Whether a condition compares something that each turn changes by a constant.
    fn counts(&self, condition: Reg, deep: u32) -> bool {
        match self.setting(condition) {
            Some(Inst::Binary { op, a, b, .. }) if op.compares() => {
                [a, b].into_iter().any(|reg| self.moves(reg, DEEPEST))
            }
            Some(Inst::Binary {
                op: Binary::And,
                a,
                b,
                ..
            }) if deep > 0 => self.counts(a, deep - 1) && self.counts(b, deep - 1),
            Some(Inst::Unary { a, .. } | Inst::Convert { a, .. }) if deep > 0 => {
                self.counts(a, deep - 1)
            }
            _ => false,
        }
    }

    /// Whether each turn changes a register by a constant, or one that it is the sum of.
    fn moves(&self, reg: Reg, deep: u32) -> bool {
        let reg = self.origin(reg);
        let sums = |op| matches!(op, Binary::Add | Binary::Subtract);
        match self.setting(reg) {
            Some(Inst::Binary { op, a, b, .. }) if deep > 0 && sums(op) => {
                self.moves(a, deep - 1) || self.moves(b, deep - 1)
            }
            _ => self.warp_step(reg).is_some_and(|step| step != 0),
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
        self.step_of(reg, None)
    }

    /// The same, also by the lanes of a warp: taken as [`WARP`].
    fn warp_step(&self, reg: Reg) -> Option<i64> {
        self.step_of(reg, self.lanes)
    }

    fn step_of(&self, reg: Reg, lanes: Option<Reg>) -> Option<i64> {
        match self.setting(reg)? {
            Inst::Move { src, .. } => self.beyond(src, reg, lanes, DEEPEST),
            _ => None,
        }
    }

    /// How far the value in `reg` lies behind that of `from`.
    fn beyond(&self, reg: Reg, from: Reg, lanes: Option<Reg>, deep: u32) -> Option<i64> {
        if reg == from {
            return Some(0);
        }
        let deep = deep.checked_sub(1)?;
        let rest = |reg| self.beyond(reg, from, lanes, deep);
        let known = |reg: Reg| match self.known(reg) {
            None if lanes == Some(reg) => Some(WARP),
            known => known,
        };
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

/// Whether the lanes of a warp must come to an instruction together.
const fn keeps_together(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Barrier { .. } | Inst::Fence | Inst::Exchange { .. }
    )
}

/// Whether an instruction keeps turns from being put into larger pieces.
fn is_apart(inst: &Inst) -> bool {
    match inst {
        Inst::Atomic { .. } | Inst::Wall => true,
        Inst::Binary { op, scalar, .. } => {
            scalar.is_float() && matches!(op, Binary::Divide | Binary::Remainder | Binary::Power)
        }
        Inst::Unary { op, scalar, .. } => {
            scalar.is_float() && matches!(op, Unary::Sqrt | Unary::Sin | Unary::Cos | Unary::Tan)
        }
        _ => false,
    }
}

/// About how many instructions of a compiler these are.
pub(super) fn size(insts: &[Inst]) -> usize {
    let counts = |inst: &&Inst| {
        matches!(
            inst,
            Inst::Unary { .. }
                | Inst::Binary { .. }
                | Inst::Select { .. }
                | Inst::Address { .. }
                | Inst::Request { .. }
        )
    };
    insts.iter().filter(counts).count()
}
