//! What lanes of a warp exchange: shuffles, votes, reductions.

use super::{Lower, Value};
use crate::source::Span;
use crate::source::code::{Exchange, Inst, Preset, Reg};
use crate::source::ctype::Type;
use crate::source::scalar::Scalar;
use crate::source::syntax::Expr;

/// Shuffles and votes, less the `_sync` that takes a mask.
const EXCHANGES: [(&str, Exchange); 10] = [
    ("__shfl", Exchange::Index),
    ("__shfl_up", Exchange::Up),
    ("__shfl_down", Exchange::Down),
    ("__shfl_xor", Exchange::Xor),
    ("__ballot", Exchange::Ballot),
    ("__any", Exchange::Any),
    ("__all", Exchange::All),
    ("__activemask", Exchange::Active),
    ("__match_any", Exchange::Match),
    ("__match_all", Exchange::Match),
];

/// Reductions of a warp.
pub(super) const REDUCES: [(&str, Exchange); 6] = [
    ("__reduce_add_sync", Exchange::ReduceAdd),
    ("__reduce_min_sync", Exchange::ReduceMinimum),
    ("__reduce_max_sync", Exchange::ReduceMaximum),
    ("__reduce_and_sync", Exchange::ReduceAnd),
    ("__reduce_or_sync", Exchange::ReduceOr),
    ("__reduce_xor_sync", Exchange::ReduceXor),
];

/// WGSL's operations of a subgroup that CUDA has no name for.
const SUBGROUP: [(&str, Exchange); 5] = [
    ("subgroupMul", Exchange::ReduceMultiply),
    ("subgroupInclusiveAdd", Exchange::ScanAdd),
    ("subgroupInclusiveMul", Exchange::ScanMultiply),
    ("subgroupExclusiveAdd", Exchange::BeforeAdd),
    ("subgroupExclusiveMul", Exchange::BeforeMultiply),
];

/// The exchange that a function does, and whether a mask comes first.
pub(super) fn named(name: &str) -> Option<(Exchange, bool)> {
    let among = |list: &[(&str, Exchange)], name: &str| {
        let found = list.iter().find(|(known, _)| *known == name);
        found.map(|(_, exchange)| *exchange)
    };
    let plain = name.strip_suffix("_sync");
    among(&EXCHANGES, plain.unwrap_or(name))
        .map(|exchange| (exchange, plain.is_some()))
        .or_else(|| among(&REDUCES, name).map(|exchange| (exchange, true)))
        .or_else(|| among(&SUBGROUP, name).map(|exchange| (exchange, false)))
}

impl Lower<'_> {
    pub(super) fn exchange(
        &mut self,
        exchange: Exchange,
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
        exchange: Exchange,
        values: &[Value],
        width: Option<Reg>,
        span: Span,
    ) -> Value {
        let zero = self.constant(0);
        let Some(value) = values.first() else {
            let dst = self.temp();
            self.emit(Inst::Exchange {
                exchange,
                scalar: Scalar::U32,
                dst,
                a: zero,
                b: zero,
                width: zero,
            });
            return Value::scalar(Scalar::U32, dst);
        };
        if let Type::Struct(_) = value.of {
            return self.exchanged_fields(exchange, values, width, span);
        }
        let (scalar, a) = self.scalar(value, span);
        let b = values
            .get(1)
            .map_or(zero, |by| by.regs.first().copied().unwrap_or(zero));
        let width = match (width, values.get(2)) {
            (Some(width), _) => width,
            (None, Some(width)) => width.regs.first().copied().unwrap_or(zero),
            (None, None) => self.preset(Preset::WarpLanes),
        };
        let dst = self.temp();
        self.emit(Inst::Exchange {
            exchange,
            scalar,
            dst,
            a,
            b,
            width,
        });
        let of = match exchange {
            Exchange::Ballot | Exchange::Active | Exchange::Match => Scalar::U32,
            Exchange::Any | Exchange::All => Scalar::I32,
            _ => scalar,
        };
        Value::scalar(of, dst)
    }

    /// A value of several numbers is exchanged number by number.
    fn exchanged_fields(
        &mut self,
        exchange: Exchange,
        values: &[Value],
        width: Option<Reg>,
        span: Span,
    ) -> Value {
        let of = values[0].of.clone();
        let leaves = of.leaves();
        let regs = leaves
            .iter()
            .zip(&values[0].regs)
            .map(|(leaf, reg)| {
                let mut each = values.to_vec();
                each[0] = Value::scalar(super::resolve::scalar_or_int(&leaf.of), *reg);
                let value = self.exchanged(exchange, &each, width, span);
                value.regs.first().copied().unwrap_or(*reg)
            })
            .collect();
        Value { of, regs }
    }
}
