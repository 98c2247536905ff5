//! Warp operations: shuffles, votes, matches, reductions.

use crate::machine::Machine;
use crate::machine::arithmetic::{each, joined, register};
use crate::machine::register::Value;
use crate::machine::warp::Warp;
use lanescope_ir::{
    MatchMode, Operand, Register, ScalarType, ShuffleMode, VoteMode, WarpReduceOp, WarpReduceScope,
    eval,
};

/// Which lane a lane takes from, and whether that is in range: as PTX defines `shfl.sync`.
fn origin(mode: ShuffleMode, lane: usize, by: u64, clamp: u64, lanes: usize) -> (usize, bool) {
    let low = lanes as u64 - 1;
    let (lane, by) = (lane as u64, by & low);
    let segment = clamp >> 8 & low;
    let first = lane & segment;
    let last = first | (clamp & low & !segment);
    let (from, inside) = match mode {
        ShuffleMode::Up => {
            let from = lane.wrapping_sub(by);
            (from, from.cast_signed() >= last.cast_signed())
        }
        ShuffleMode::Down => (lane + by, lane + by <= last),
        ShuffleMode::Butterfly => (lane ^ by, lane ^ by <= last),
        ShuffleMode::Index => {
            let from = first | (by & !segment);
            (from, from <= last)
        }
    };
    let from = if inside { from } else { lane };
    (usize::try_from(from & low).unwrap_or(0), inside)
}

impl<const L: usize> Machine<'_, L> {
    pub(crate) fn shuffle(
        &mut self,
        warp: &mut Warp<L>,
        mode: ShuffleMode,
        (dst, in_range): (Register, Option<Register>),
        [a, by, clamp]: [Operand; 3],
        mask: u64,
    ) {
        let values = warp.file.lanes(register(a));
        let bys = warp.file.lanes(register(by));
        let clamps = warp.file.lanes(register(clamp));
        let control = joined(warp.file.unknown(by, mask), warp.file.unknown(clamp, mask));
        let given = warp.file.entry(register(a));
        let mut unknown = control;
        let mut out = [0; L];
        let mut inside = 0;
        for lane in each(mask) {
            let (from, is_inside) = origin(mode, lane, bys[lane], clamps[lane], L);
            let takes_part = mask >> from & 1 == 1;
            if !takes_part {
                out[lane] = values[lane];
                unknown = joined(unknown, (1 << lane, self.inactive));
                continue;
            }
            out[lane] = values[from];
            inside |= u64::from(is_inside) << lane;
            if given.unknown >> from & 1 == 1 {
                unknown = joined(unknown, (1 << lane, given.source));
            }
        }
        self.set(warp, dst, &Value::General(out), unknown, mask);
        if let Some(dst) = in_range {
            self.set(warp, dst, &Value::Mask(inside), control, mask);
        }
    }

    pub(crate) fn vote(
        &mut self,
        warp: &mut Warp<L>,
        mode: VoteMode,
        dst: Register,
        a: Operand,
        mask: u64,
    ) {
        let (unknown, source) = warp.file.unknown(a, mask);
        let holds = warp.file.mask(register(a)) & mask;
        let value = match mode {
            VoteMode::All => u64::from(holds == mask),
            VoteMode::Any => u64::from(holds != 0),
            VoteMode::Uniform => u64::from(holds == mask || holds == 0),
            VoteMode::Ballot => holds,
        };
        let unknown = if unknown == 0 { 0 } else { mask };
        self.set(warp, dst, &Value::Uniform(value), (unknown, source), mask);
    }

    pub(crate) fn find_equal(
        &mut self,
        warp: &mut Warp<L>,
        mode: MatchMode,
        ty: ScalarType,
        (dst, predicate): (Register, Option<Register>),
        a: Operand,
        mask: u64,
    ) {
        let (unknown, source) = warp.file.unknown(a, mask);
        let unknown = (if unknown == 0 { 0 } else { mask }, source);
        let values = warp.file.lanes(register(a)).map(|value| value & ty.mask());
        let mut out = [0; L];
        for lane in each(mask) {
            out[lane] = each(mask)
                .filter(|other| values[*other] == values[lane])
                .fold(0, |all, other| all | 1 << other);
        }
        let same = each(mask).all(|lane| out[lane] == mask);
        let value = match mode {
            MatchMode::Any => Value::General(out),
            MatchMode::All => Value::Uniform(if same { mask } else { 0 }),
        };
        self.set(warp, dst, &value, unknown, mask);
        if let Some(dst) = predicate {
            let holds = Value::Mask(if same { u64::MAX } else { 0 });
            self.set(warp, dst, &holds, unknown, mask);
        }
    }

    pub(crate) fn warp_reduce(
        &mut self,
        warp: &mut Warp<L>,
        (op, scope): (WarpReduceOp, WarpReduceScope),
        ty: ScalarType,
        dst: Register,
        a: Operand,
        mask: u64,
    ) {
        let (unknown, source) = warp.file.unknown(a, mask);
        let values = warp.file.lanes(register(a));
        let mut out = [0; L];
        let mut sum: Option<u64> = None;
        let mut lost = 0;
        let mut before_lost = false;
        for lane in each(mask) {
            let value = values[lane] & ty.mask();
            let next = sum.map_or(value, |sum| eval::reduce(op, ty, sum, value));
            let is_lost = before_lost || unknown >> lane & 1 == 1;
            let (here, here_lost) = match scope {
                WarpReduceScope::Exclusive => {
                    (sum.unwrap_or_else(|| identity(op, ty)), before_lost)
                }
                WarpReduceScope::Inclusive | WarpReduceScope::All => (next, is_lost),
            };
            out[lane] = here;
            lost |= u64::from(here_lost) << lane;
            sum = Some(next);
            before_lost = is_lost;
        }
        let (value, lost) = match scope {
            WarpReduceScope::All => (
                Value::Uniform(sum.unwrap_or(0)),
                if before_lost { mask } else { 0 },
            ),
            WarpReduceScope::Inclusive | WarpReduceScope::Exclusive => (Value::General(out), lost),
        };
        self.set(warp, dst, &value, (lost, source), mask);
    }
}

/// What an exclusive scan begins with.
fn identity(op: WarpReduceOp, ty: ScalarType) -> u64 {
    let float = |value: f64| eval::from_f64(ty, value);
    let highest = if ty.is_signed() {
        ty.mask() >> 1
    } else {
        ty.mask()
    };
    match op {
        WarpReduceOp::Add | WarpReduceOp::Or | WarpReduceOp::Xor => 0,
        WarpReduceOp::Multiply if ty.is_float() => float(1.0),
        WarpReduceOp::Multiply => 1,
        WarpReduceOp::And => ty.mask(),
        WarpReduceOp::Minimum if ty.is_float() => float(f64::INFINITY),
        WarpReduceOp::Maximum if ty.is_float() => float(f64::NEG_INFINITY),
        WarpReduceOp::Minimum => highest,
        WarpReduceOp::Maximum => !highest & ty.mask(),
    }
}
