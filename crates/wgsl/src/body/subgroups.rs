//! What the invocations of a subgroup exchange.

use super::{Body, lane};
use crate::make;
use lanescope_frontend::Span;
use lanescope_syntax::tree::{Expr, Name, Scalar, Stmt};
use naga::{CollectiveOperation, Direction, Expression, GatherMode, Handle, SubgroupOperation};

impl<'m> Body<'_, 'm> {
    pub(super) fn ballot(
        &mut self,
        result: Handle<Expression>,
        predicate: Option<Handle<Expression>>,
        list: &mut Vec<Stmt>,
    ) {
        let span = self.values.span(result);
        let mask = match predicate {
            Some(predicate) => {
                let predicate = self.value(predicate);
                make::call(span, "__ballot_sync", vec![all_lanes(span), predicate])
            }
            None => make::call(span, "__activemask", Vec::new()),
        };
        let low: Name = format!("lanes {}", result.index()).into();
        let mut one = make::declaration(low.clone(), span, make::of_scalar(span, Scalar::U64));
        one.init = Some(mask);
        list.push(make::declare(one));
        let low = make::name(span, &low);
        let shift = make::unsigned(span, 32);
        let high = make::binary(span, ">>", low.clone(), shift);
        let of = self.values.type_of(result);
        let zero = make::unsigned(span, 0);
        let parts = vec![low, high, zero.clone(), zero];
        let value = make::construct(span, of, parts);
        self.keep(result, value, list);
    }

    pub(super) fn gather(
        &mut self,
        mode: GatherMode,
        argument: Handle<Expression>,
        result: Handle<Expression>,
        list: &mut Vec<Stmt>,
    ) {
        let span = self.values.span(result);
        let number = |value: u64| make::unsigned(span, value);
        let lane = || lane(span);
        let (name, by) = match mode {
            GatherMode::BroadcastFirst => {
                let active = make::call(span, "__activemask", Vec::new());
                let first = make::call(span, "__ffsll", vec![active]);
                let one = make::whole(span, 1, Scalar::I32);
                ("__shfl_sync", make::binary(span, "-", first, one))
            }
            GatherMode::Broadcast(by) | GatherMode::Shuffle(by) => ("__shfl_sync", self.value(by)),
            GatherMode::ShuffleDown(by) => ("__shfl_down_sync", self.value(by)),
            GatherMode::ShuffleUp(by) => ("__shfl_up_sync", self.value(by)),
            GatherMode::ShuffleXor(by) => ("__shfl_xor_sync", self.value(by)),
            GatherMode::QuadBroadcast(by) => {
                let quad = make::binary(span, "&", lane(), make::prefix(span, "~", number(3)));
                let by = self.value(by);
                ("__shfl_sync", make::binary(span, "|", quad, by))
            }
            GatherMode::QuadSwap(direction) => {
                let by = match direction {
                    Direction::X => 1,
                    Direction::Y => 2,
                    Direction::Diagonal => 3,
                };
                ("__shfl_xor_sync", number(by))
            }
        };
        let size = self.values.size(argument);
        let value = self.values.each(size, result, span, |values, at| {
            let part = values.component(argument, at);
            make::call(span, name, vec![all_lanes(span), part, by.clone()])
        });
        self.keep(result, value, list);
    }

    pub(super) fn collective(
        &mut self,
        op: SubgroupOperation,
        collective: CollectiveOperation,
        argument: Handle<Expression>,
        result: Handle<Expression>,
        list: &mut Vec<Stmt>,
    ) {
        use {CollectiveOperation as C, SubgroupOperation as O};
        let span = self.values.span(result);
        let (name, masked) = match (op, collective) {
            (O::All, _) => ("__all_sync", true),
            (O::Any, _) => ("__any_sync", true),
            (O::Add, C::Reduce) => ("__reduce_add_sync", true),
            (O::Add, C::InclusiveScan) => ("subgroupInclusiveAdd", false),
            (O::Add, C::ExclusiveScan) => ("subgroupExclusiveAdd", false),
            (O::Mul, C::Reduce) => ("subgroupMul", false),
            (O::Mul, C::InclusiveScan) => ("subgroupInclusiveMul", false),
            (O::Mul, C::ExclusiveScan) => ("subgroupExclusiveMul", false),
            (O::Min, _) => ("__reduce_min_sync", true),
            (O::Max, _) => ("__reduce_max_sync", true),
            (O::And, _) => ("__reduce_and_sync", true),
            (O::Or, _) => ("__reduce_or_sync", true),
            (O::Xor, _) => ("__reduce_xor_sync", true),
        };
        let size = self.values.size(argument);
        let value = self.values.each(size, result, span, |values, at| {
            let part = values.component(argument, at);
            let mask = masked.then(|| all_lanes(span));
            make::call(span, name, mask.into_iter().chain([part]).collect())
        });
        self.keep(result, value, list);
    }
}

fn all_lanes(span: Span) -> Expr {
    make::unsigned(span, u64::from(u32::MAX))
}
