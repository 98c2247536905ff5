//! What an expression and a statement are made of.

use naga::{
    AtomicFunction, Block, Expression, GatherMode, Handle, ImageQuery, SampleLevel, Statement,
};

type Visit<'v> = &'v mut dyn FnMut(Handle<Expression>);

/// Calls `visit` for each expression that `expression` uses itself.
pub(crate) fn of_expression(expression: &Expression, visit: Visit<'_>) {
    use Expression as E;
    match *expression {
        E::Compose { ref components, .. } => {
            components.iter().for_each(|component| visit(*component))
        }
        E::Access { base, index } => [base, index].into_iter().for_each(visit),
        E::AccessIndex { base, .. } => visit(base),
        E::Splat { value, .. } => visit(value),
        E::Swizzle { vector, .. } => visit(vector),
        E::Load { pointer } | E::ArrayLength(pointer) => visit(pointer),
        E::Unary { expr, .. } | E::Derivative { expr, .. } | E::As { expr, .. } => visit(expr),
        E::Binary { left, right, .. } => [left, right].into_iter().for_each(visit),
        E::Select {
            condition,
            accept,
            reject,
        } => [condition, accept, reject].into_iter().for_each(visit),
        E::Relational { argument, .. } => visit(argument),
        E::Math {
            arg,
            arg1,
            arg2,
            arg3,
            ..
        } => {
            visit(arg);
            [arg1, arg2, arg3].into_iter().flatten().for_each(visit);
        }
        E::ImageSample {
            coordinate,
            array_index,
            offset,
            level,
            depth_ref,
            ..
        } => {
            visit(coordinate);
            let rest = [array_index, offset, depth_ref];
            rest.into_iter().flatten().for_each(&mut *visit);
            match level {
                SampleLevel::Exact(level) | SampleLevel::Bias(level) => visit(level),
                SampleLevel::Gradient { x, y } => [x, y].into_iter().for_each(visit),
                _ => {}
            }
        }
        E::ImageLoad {
            coordinate,
            array_index,
            sample,
            level,
            ..
        } => {
            visit(coordinate);
            let rest = [array_index, sample, level];
            rest.into_iter().flatten().for_each(visit);
        }
        E::ImageQuery {
            query: ImageQuery::Size { level: Some(level) },
            ..
        } => visit(level),
        _ => {}
    }
}

/// Calls `visit` for each expression that `statement` uses itself, what its blocks use left out.
pub(crate) fn of_statement(statement: &Statement, visit: Visit<'_>) {
    use Statement as S;
    match *statement {
        S::If { condition, .. } => visit(condition),
        S::Switch { selector, .. } => visit(selector),
        S::Return { value: Some(value) } => visit(value),
        S::Store { pointer, value } => [pointer, value].into_iter().for_each(visit),
        S::ImageStore {
            coordinate,
            array_index,
            value,
            ..
        } => {
            [coordinate, value].into_iter().for_each(&mut *visit);
            array_index.into_iter().for_each(visit);
        }
        S::Atomic {
            pointer,
            fun,
            value,
            ..
        } => {
            [pointer, value].into_iter().for_each(&mut *visit);
            if let AtomicFunction::Exchange {
                compare: Some(compare),
            } = fun
            {
                visit(compare);
            }
        }
        S::WorkGroupUniformLoad { pointer, .. } => visit(pointer),
        S::Call { ref arguments, .. } => arguments.iter().for_each(|argument| visit(*argument)),
        S::SubgroupBallot { predicate, .. } => predicate.into_iter().for_each(visit),
        S::SubgroupGather { mode, argument, .. } => {
            visit(argument);
            gathered_by(mode).into_iter().for_each(visit);
        }
        S::SubgroupCollectiveOperation { argument, .. } => visit(argument),
        _ => {}
    }
}

/// The lane or distance of a shuffle.
fn gathered_by(mode: GatherMode) -> Option<Handle<Expression>> {
    match mode {
        GatherMode::Broadcast(by)
        | GatherMode::Shuffle(by)
        | GatherMode::ShuffleDown(by)
        | GatherMode::ShuffleUp(by)
        | GatherMode::ShuffleXor(by)
        | GatherMode::QuadBroadcast(by) => Some(by),
        GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => None,
    }
}

/// The blocks of a statement.
pub(crate) fn blocks(statement: &Statement) -> Vec<&Block> {
    use Statement as S;
    match statement {
        S::Block(block) => vec![block],
        S::If { accept, reject, .. } => vec![accept, reject],
        S::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
        S::Loop {
            body, continuing, ..
        } => vec![body, continuing],
        _ => Vec::new(),
    }
}
