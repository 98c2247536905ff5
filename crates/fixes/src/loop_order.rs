//! Two loops, one in the other, exchanged: what the inner one does not move stays in a register.

use std::collections::BTreeSet;

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, Function, Stmt, StmtKind};

use crate::Edit;
use crate::code::{Code, statements};
use crate::effects::{changed_names, collect_names};
use crate::halving::{counter, flat};

/// The most pairs of loops that are exchanged, one pair at a time.
const MOST_PAIRS: usize = 3;

/// The changes that exchange one pair of loops each, and the head that is the outer one then.
pub(crate) fn exchanges(code: &Code<'_>, kernel: &Function) -> Vec<(Vec<Edit>, String)> {
    let all = statements(&kernel.body);
    let pairs = all.iter().filter_map(|stmt| {
        let outer = Head::of(stmt)?;
        let [inner] = flat(outer.body)[..] else {
            return None;
        };
        let inner = Head::of(inner)?;
        let apart = outer.is_apart_from(&inner) && inner.is_apart_from(&outer);
        let edits = apart.then(|| outer.exchanged(&inner, code)).flatten()?;
        Some((edits, inner.shown(code)))
    });
    pairs.take(MOST_PAIRS).collect()
}

/// The head of a loop.
struct Head<'t> {
    counter: &'t str,
    first: &'t Expr,
    init: Span,
    condition: &'t Expr,
    step: &'t Expr,
    body: &'t Stmt,
}

impl<'t> Head<'t> {
    fn of(stmt: &'t Stmt) -> Option<Self> {
        let StmtKind::For {
            init: Some(init),
            condition: Some(condition),
            step: Some(step),
            body,
            ..
        } = &stmt.kind
        else {
            return None;
        };
        let (counter, first) = counter(init)?;
        let mut changed = BTreeSet::new();
        changed_names(step, &mut changed);
        let counts = changed.len() == 1 && changed.contains(counter);
        counts.then_some(Self {
            counter,
            first,
            init: init.span,
            condition,
            step,
            body,
        })
    }

    /// Whether its head says nothing of the other's counter.
    fn is_apart_from(&self, other: &Self) -> bool {
        let mut names = BTreeSet::new();
        for expr in [self.first, self.condition, self.step] {
            collect_names(expr, &mut names);
        }
        self.counter != other.counter && !names.contains(other.counter)
    }

    /// As it is written.
    fn shown(&self, code: &Code<'_>) -> String {
        let init = code.at(self.init).trim_end_matches(';');
        let [condition, step] = [self.condition, self.step].map(|part| code.at(part.span));
        format!("for ({init}; {condition}; {step})")
    }

    fn exchanged(&self, other: &Self, code: &Code<'_>) -> Option<Vec<Edit>> {
        let parts = |head: &Self| [head.init, head.condition.span, head.step.span];
        let swap = |at: Span, from: Span| {
            let text = code.at(from);
            let edit = Edit::new(at.start as usize, at.end as usize, text);
            (!text.is_empty() && at.end > at.start).then_some(edit)
        };
        let pairs = parts(self).into_iter().zip(parts(other));
        pairs
            .flat_map(|(pair, two)| [swap(pair, two), swap(two, pair)])
            .collect()
    }
}
