//! What lanes of a warp exchange: shuffles, votes, reductions.

use super::registers::{BuiltinValue, Reg};
use super::{Lower, Value};
use crate::source::ctype::Type;
use lanescope_frontend::Span;
use lanescope_ir::{ShuffleMode, VoteMode, WarpReduceOp, WarpReduceScope};
use lanescope_syntax::{scalar::Scalar, tree::Expr};

/// How lanes of a warp exchange values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WarpOp {
    Shuffle(ShuffleMode),
    Vote(VoteMode),
    /// The lanes that are on.
    Active,
    /// The lanes that hold the same value.
    Match,
    Reduce(WarpReduceOp, WarpReduceScope),
}

/// A reduction over the lanes that are on.
pub(super) const fn reduce(op: WarpReduceOp) -> WarpOp {
    WarpOp::Reduce(op, WarpReduceScope::All)
}

/// Shuffles and votes, less the `_sync` that takes a mask.
const WARP_OPS: [(&str, WarpOp); 10] = [
    ("__shfl", WarpOp::Shuffle(ShuffleMode::Index)),
    ("__shfl_up", WarpOp::Shuffle(ShuffleMode::Up)),
    ("__shfl_down", WarpOp::Shuffle(ShuffleMode::Down)),
    ("__shfl_xor", WarpOp::Shuffle(ShuffleMode::Butterfly)),
    ("__ballot", WarpOp::Vote(VoteMode::Ballot)),
    ("__any", WarpOp::Vote(VoteMode::Any)),
    ("__all", WarpOp::Vote(VoteMode::All)),
    ("__activemask", WarpOp::Active),
    ("__match_any", WarpOp::Match),
    ("__match_all", WarpOp::Match),
];

/// Reductions of a warp.
pub(super) const REDUCES: [(&str, WarpOp); 6] = [
    ("__reduce_add_sync", reduce(WarpReduceOp::Add)),
    ("__reduce_min_sync", reduce(WarpReduceOp::Minimum)),
    ("__reduce_max_sync", reduce(WarpReduceOp::Maximum)),
    ("__reduce_and_sync", reduce(WarpReduceOp::And)),
    ("__reduce_or_sync", reduce(WarpReduceOp::Or)),
    ("__reduce_xor_sync", reduce(WarpReduceOp::Xor)),
];

/// A scan of the lanes up to this one.
pub(super) const fn inclusive(op: WarpReduceOp) -> WarpOp {
    WarpOp::Reduce(op, WarpReduceScope::Inclusive)
}

/// A scan of the lanes before this one.
pub(super) const fn exclusive(op: WarpReduceOp) -> WarpOp {
    WarpOp::Reduce(op, WarpReduceScope::Exclusive)
}

/// The exchange that a function does, and whether a mask comes first.
pub(super) fn named(name: &str) -> Option<(WarpOp, bool)> {
    let among = |list: &[(&str, WarpOp)], name: &str| {
        let found = list.iter().find(|(known, _)| *known == name);
        found.map(|(_, exchange)| *exchange)
    };
    let plain = name.strip_suffix("_sync");
    among(&WARP_OPS, plain.unwrap_or(name))
        .map(|exchange| (exchange, plain.is_some()))
        .or_else(|| among(&REDUCES, name).map(|exchange| (exchange, true)))
}

impl Lower<'_> {
    pub(super) fn exchange(
        &mut self,
        exchange: WarpOp,
        masked: bool,
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        let mut values = self.values_of(arguments);
        if masked && !values.is_empty() {
            values.remove(0);
        }
        self.exchanged(exchange, &values, None, span)
    }

    pub(super) fn exchanged(
        &mut self,
        exchange: WarpOp,
        values: &[Value],
        width: Option<Reg>,
        span: Span,
    ) -> Value {
        let zero = self.constant(0);
        let Some(value) = values.first() else {
            let dst = self.warp_operation(exchange, Scalar::U32, (zero, zero, zero));
            return Value::scalar(Scalar::U32, dst);
        };
        if let Type::Struct(_) = value.ty {
            return self.exchanged_fields(exchange, values, width, span);
        }
        let (scalar, a) = self.scalar(value, span);
        let b = values
            .get(1)
            .map_or(zero, |by| by.regs.first().copied().unwrap_or(zero));
        let width = match (width, values.get(2)) {
            (Some(width), _) => width,
            (None, Some(width)) => width.regs.first().copied().unwrap_or(zero),
            (None, None) => self.builtin_value(BuiltinValue::WarpLanes),
        };
        let dst = self.warp_operation(exchange, scalar, (a, b, width));
        let ty = match exchange {
            WarpOp::Vote(VoteMode::Ballot) | WarpOp::Active | WarpOp::Match => Scalar::U32,
            WarpOp::Vote(VoteMode::Any | VoteMode::All | VoteMode::Uniform) => Scalar::I32,
            WarpOp::Shuffle(_) | WarpOp::Reduce(..) => scalar,
        };
        Value::scalar(ty, dst)
    }

    /// A value of several numbers is exchanged number by number.
    fn exchanged_fields(
        &mut self,
        exchange: WarpOp,
        values: &[Value],
        width: Option<Reg>,
        span: Span,
    ) -> Value {
        let ty = values[0].ty.clone();
        let leaves = ty.leaves();
        let regs = leaves
            .iter()
            .zip(&values[0].regs)
            .map(|(leaf, reg)| {
                let mut each = values.to_vec();
                each[0] = Value::scalar(super::resolve::scalar_or_int(&leaf.ty), *reg);
                let value = self.exchanged(exchange, &each, width, span);
                value.regs.first().copied().unwrap_or(*reg)
            })
            .collect();
        Value { ty, regs }
    }
}
