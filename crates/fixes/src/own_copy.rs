//! Neighbours of an array that a thread both reads and writes, held in a copy of its own between one load and one store.

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, ExprKind, Stmt};

use crate::Edit;
use crate::chunks::Placed;
use crate::code::{is_name, operands, own_expressions, statements, within};
use crate::gather::{Gather, Gathered, replaced};
use crate::indentation::indentation;

impl<'c> Gather<'_, 'c> {
    /// The changes for one run of neighbours: what stands between its first and its last use works on the copy. `None` where
    /// the array is used there in another way too.
    pub(crate) fn own_copy(
        &mut self,
        list: &[&'c Stmt],
        array: &Gathered<'c>,
        chosen: &[Placed<'c>],
        first: u64,
        count: u64,
    ) -> Option<(Vec<Edit>, String)> {
        let one = &chosen.first()?.one;
        let from = chosen.iter().map(|use_| use_.at).min()?;
        let to = chosen.iter().map(|use_| use_.at).max()?;
        let range = list.get(from..=to)?;
        let is_plain = chosen.iter().all(|use_| use_.one.is_plain);
        if !is_plain || names(range, array.target.name) != chosen.len() {
            return None;
        }
        let mut targets = Vec::new();
        for expr in range.iter().flat_map(|stmt| own_expressions(stmt)) {
            written(expr, &mut targets);
        }
        let writes = |use_: &&Placed<'_>| {
            let span = use_.one.span;
            targets.iter().any(|target| target.span == span)
        };
        let is_read = |use_: &&Placed<'_>| {
            let span = use_.one.span;
            let mut own = targets.iter().filter(|target| target.span == span);
            own.all(|target| target.is_read)
        };
        let start = range.first()?.span.start as usize;
        let end = range.last()?.span.end as usize;
        let indent = indentation(self.code.text(), start);
        let name = self.name(array, count);
        let head = match chosen.iter().any(|use_| is_read(&use_)) {
            true => self.loaded(array, one, &name, first, count, &indent)?,
            false => self.own(array, &name, count, &indent),
        };
        let stored = self.stored(array, one, &name, first, count)?;
        let mut edits = vec![Edit::new(start, start, format!("{head}\n{indent}"))];
        for use_ in chosen {
            let element = format!("{name}[{}]", use_.one.offset - first);
            edits.push(replaced(use_.one.span, element));
        }
        if chosen.iter().any(|use_| writes(&use_)) {
            edits.push(Edit::new(end, end, format!("\n{indent}{stored}")));
        }
        Some((edits, stored))
    }
}

/// What an assignment or a step writes.
struct Written {
    span: Span,
    /// Whether it reads it before.
    is_read: bool,
}

fn written(expr: &Expr, found: &mut Vec<Written>) {
    let target = match &expr.kind {
        ExprKind::Assign(operator, target, _) => Some((target, *operator != "=")),
        ExprKind::Prefix("++" | "--", target) | ExprKind::Postfix(_, target) => {
            Some((target, true))
        }
        _ => None,
    };
    found.extend(target.map(|(target, is_read)| Written {
        span: target.span,
        is_read,
    }));
    for operand in operands(expr) {
        written(operand, found);
    }
}

/// How often statements name the array, those inside them too.
fn names(list: &[&Stmt], array: &str) -> usize {
    let count = |stmt: &&Stmt| {
        let all = statements(std::slice::from_ref(*stmt));
        let own = all.iter().flat_map(|one| within(one));
        own.filter(|expr| is_name(expr, array)).count()
    };
    list.iter().map(count).sum()
}
