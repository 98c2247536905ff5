//! Statements behind guards of which the last implies the others.

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, ExprKind, Stmt, StmtKind};

use crate::Edit;
use crate::code::{Code, whole};
use crate::gather::edited;
use crate::indentation::indentation;
use crate::rewrite::operand;

/// `if (i < n) …; if (i + 1 < n) …`: guards that follow each other, each asking for one more.
pub(crate) struct Guards<'e> {
    whole: Span,
    /// What the last asks.
    last: Span,
    count: usize,
    /// What they guard, in order.
    pub(crate) statements: Vec<&'e Stmt>,
}

/// What a guard asks: that a sum is below a bound.
#[derive(PartialEq, Eq)]
struct Test {
    sign: &'static str,
    sum: String,
    bound: String,
}

impl<'e> Guards<'e> {
    /// Those that a list begins with.
    pub(crate) fn of(code: &Code<'_>, list: &[&'e Stmt]) -> Option<Self> {
        let mut found: Option<(Test, u64, Self)> = None;
        for stmt in list {
            let Some((condition, yes)) = guard(stmt) else {
                break;
            };
            let Some((test, offset)) = test(code, condition) else {
                break;
            };
            match &mut found {
                None => {
                    let guards = Self {
                        whole: stmt.span,
                        last: condition.span,
                        count: 1,
                        statements: inside(yes),
                    };
                    found = Some((test, offset, guards));
                }
                Some((first, before, guards)) if *first == test && offset > *before => {
                    *before = offset;
                    guards.whole = guards.whole.to(stmt.span);
                    guards.last = condition.span;
                    guards.count += 1;
                    guards.statements.extend(inside(yes));
                }
                Some(_) => break,
            }
        }
        found
            .map(|(.., guards)| guards)
            .filter(|guards| guards.count > 1)
    }

    /// How many there are.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// The change that makes `edits` behind the last guard, and leaves the guards as they are where it does not hold.
    pub(crate) fn gathered(&self, code: &Code<'_>, edits: &[Edit]) -> Option<Edit> {
        let [start, end] = [self.whole.start as usize, self.whole.end as usize];
        let indent = indentation(code.text(), start);
        let lines: Option<Vec<_>> = self
            .statements
            .iter()
            .map(|stmt| edited(code, stmt.span, edits))
            .collect();
        let inner = format!("\n{indent}  ");
        let condition = code.at(self.last);
        let is_bracketed = condition.starts_with('(') && operand(condition) == condition;
        let condition = match is_bracketed {
            true => condition.to_owned(),
            false => format!("({condition})"),
        };
        let as_they_are = code.at(self.whole).replace('\n', "\n  ");
        let text = format!(
            "if {condition} {{{inner}{}\n{indent}}} else {{{inner}{}\n{indent}}}",
            lines?.join(&inner),
            as_they_are
        );
        Some(Edit::new(start, end, text))
    }
}

fn guard(stmt: &Stmt) -> Option<(&Expr, &Stmt)> {
    if let StmtKind::If {
        condition,
        yes,
        no: None,
        is_constexpr: false,
    } = &stmt.kind
    {
        Some((condition, yes))
    } else {
        None
    }
}

fn inside(stmt: &Stmt) -> Vec<&Stmt> {
    if let StmtKind::Block(list) = &stmt.kind {
        list.iter().collect()
    } else {
        vec![stmt]
    }
}

fn test(code: &Code<'_>, condition: &Expr) -> Option<(Test, u64)> {
    let ExprKind::Binary(sign @ ("<" | "<="), sum, bound) = &condition.kind else {
        return None;
    };
    let (mut texts, mut offset) = (Vec::new(), 0_u64);
    let mut list = vec![&**sum];
    while let Some(one) = list.pop() {
        match (&one.kind, whole(one)) {
            (_, Some(number)) => offset = offset.checked_add(number)?,
            (ExprKind::Binary("+", a, b), _) => list.extend([&**b, &**a]),
            _ => texts.push(code.at(one.span)),
        }
    }
    let test = Test {
        sign,
        sum: texts.join("+"),
        bound: code.at(bound.span).to_owned(),
    };
    Some((test, offset))
}
