//! `switch`: a chain of branches, as no case falls into the next.

use super::{Around, Lower};
use crate::lower::number::Number;
use lanescope_ir::{BinaryOp, Comparison, ScalarType};
use naga::{Block, Expression, Handle, Statement, SwitchCase, SwitchValue};

/// Labels that stand together, and the statements behind them.
struct Group<'m> {
    /// `None`: `default`.
    labels: Vec<Option<Number>>,
    body: &'m Block,
}

impl<'m> Lower<'m> {
    pub(super) fn switch(&mut self, selector: Handle<Expression>, cases: &'m [SwitchCase]) {
        let selected = self.value(selector);
        // What is switched on must not change while the cases run.
        let selected = self.kept(selected);
        let Some(selected) = selected.first().copied() else {
            return;
        };
        let groups = groups_of(cases);
        let scoped = groups.iter().any(|group| breaks(inside(group.body)));
        if scoped {
            self.builder.begin_scope();
        }
        let break_frame = self.builder.depth();
        self.frame_mut().around.push(Around {
            break_frame,
            continue_frame: None,
        });
        self.cases(selected, &groups);
        self.frame_mut().around.pop();
        if scoped {
            self.builder.end_scope();
        }
    }

    /// Each case in the `else` of those before it, `default` last.
    fn cases(&mut self, selected: Number, groups: &[Group<'m>]) {
        let mut open = 0;
        let is_default = |group: &&Group<'m>| group.labels.contains(&None);
        for group in groups.iter().filter(|group| !is_default(group)) {
            let mut any = Number::boolean(false);
            for label in group.labels.iter().flatten() {
                let here = self.compare(Comparison::Equal, selected, *label);
                any = self.binary(BinaryOp::Or, any, here);
            }
            self.builder.begin_if(any.operand);
            self.case(group.body);
            self.builder.begin_else();
            open += 1;
        }
        if let Some(group) = groups.iter().find(is_default) {
            self.case(group.body);
        }
        for _ in 0..open {
            self.builder.end_if();
        }
    }

    /// A case less the `break` at its end.
    fn case(&mut self, body: &'m Block) {
        let mark = self.ranges.mark();
        for (statement, span) in body.span_iter().take(inside(body).len()) {
            self.statement(statement, crate::lower::span_of(*span));
        }
        self.ranges.leave(mark);
    }
}

fn groups_of(cases: &[SwitchCase]) -> Vec<Group<'_>> {
    let mut groups = Vec::new();
    let mut labels = Vec::new();
    for case in cases {
        labels.push(match case.value {
            SwitchValue::Default => None,
            SwitchValue::U32(value) => Some(Number::bits(ScalarType::U32, value.into())),
            SwitchValue::I32(value) => {
                let bits = value.cast_unsigned().into();
                Some(Number::bits(ScalarType::I32, bits))
            }
        });
        if !case.fall_through {
            groups.push(Group {
                labels: std::mem::take(&mut labels),
                body: &case.body,
            });
        }
    }
    groups
}

/// The statements of a case before the `break` at its end.
fn inside(body: &Block) -> &[Statement] {
    match &body[..] {
        [inner @ .., Statement::Break] => inner,
        all => all,
    }
}

/// Whether a `break` that belongs to the `switch` stands somewhere inside.
fn breaks(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Break => true,
        Statement::Loop { .. } | Statement::Switch { .. } => false,
        other => {
            let inner = crate::operands::blocks(other);
            inner.into_iter().any(|block| breaks(block))
        }
    })
}
