//! Loops that ask one thing before each turn or after it, in whichever form they are written.
//!
//! ```text
//! for (…; goes_on; …) { … }              while (goes_on) { … }
//! for (…; ; …) { if (ends) break; … }    while (true) { if (ends) break; … }
//! do { … } while (goes_on);              while (true) { … if (ends) break; }
//! ```

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, ExprKind, Stmt, StmtKind};

use crate::Edit;
use crate::code::{Code, statements, whole};
use crate::halving::{flat, is_barrier};
use crate::indentation::indentation;

/// A loop that asks one thing: in its head, at its end, or in the `if (…) break;` that its turns begin or end with.
pub(crate) struct ConditionalLoop<'t> {
    /// What runs once, before.
    pub(crate) init: Option<&'t Stmt>,
    /// What is asked before each turn, or after it.
    pub(crate) asked: LoopCondition<'t>,
    /// What the head says that runs after each turn.
    pub(crate) step: Option<&'t Expr>,
    /// The statements of a turn, what is asked left out.
    pub(crate) body: Vec<&'t Stmt>,
}

impl<'t> ConditionalLoop<'t> {
    /// The loop that a statement is; `None` of other statements, and of loops that ask in several places.
    pub(crate) fn of(stmt: &'t Stmt) -> Option<Self> {
        match &stmt.kind {
            StmtKind::For {
                init,
                condition,
                step,
                body,
                ..
            } => Self::read(init.as_deref(), condition.as_ref(), step.as_ref(), body),
            StmtKind::While {
                condition, body, ..
            } => Self::read(None, Some(condition), None, body),
            StmtKind::Do { body, condition } => Self::of_do(stmt.span, body, condition),
            // No other is a loop with a condition.
            _ => None,
        }
    }

    /// The loop of these parts; what it asks may stand in its turns.
    fn read(
        init: Option<&'t Stmt>,
        condition: Option<&'t Expr>,
        step: Option<&'t Expr>,
        body: &'t Stmt,
    ) -> Option<Self> {
        let mut body = flat(body);
        let asked = match condition.filter(|condition| !always_holds(condition)) {
            Some(goes_on) => LoopCondition {
                expr: goes_on,
                ends: false,
                at: AskedAt::Start,
            },
            None => match asked_first(&mut body) {
                Some(asked) => asked,
                None => asked_last(&mut body).filter(|_| step.is_none())?,
            },
        };
        Some(Self {
            init,
            asked,
            step,
            body,
        })
    }

    /// `do body while (condition);`, which stands at `whole`.
    fn of_do(whole: Span, body: &'t Stmt, condition: &'t Expr) -> Option<Self> {
        let turn = flat(body);
        let asked = LoopCondition {
            expr: condition,
            ends: false,
            at: AskedAt::DoWhile {
                head: Span {
                    end: whole.start + DO_BYTES,
                    ..whole
                },
                tail: Span {
                    start: body.span.end,
                    ..whole
                },
            },
        };
        let is_read = !always_holds(condition) && !turn.iter().any(|stmt| continues(stmt));
        is_read.then_some(Self {
            init: None,
            asked,
            step: None,
            body: turn,
        })
    }
}

/// Bytes of the word `do`.
const DO_BYTES: u32 = 2;

/// Takes the `if (…) break;` that a turn begins with; barriers may stand before it.
fn asked_first<'t>(body: &mut Vec<&'t Stmt>) -> Option<LoopCondition<'t>> {
    let first = body.iter().position(|stmt| !is_barrier(stmt))?;
    let expr = left_by(body.get(first)?)?;
    body.remove(first);
    Some(LoopCondition {
        expr,
        ends: true,
        at: AskedAt::Start,
    })
}

/// Takes the `if (…) break;` that a turn ends with, where nothing goes past it.
fn asked_last<'t>(body: &mut Vec<&'t Stmt>) -> Option<LoopCondition<'t>> {
    let last = body.pop()?;
    let first = body.first()?.span;
    let asked = LoopCondition {
        expr: left_by(last)?,
        ends: true,
        at: AskedAt::LastBreak {
            first,
            last: last.span,
        },
    };
    let goes_past = body.iter().any(|stmt| continues(stmt));
    (!goes_past).then_some(asked)
}

/// What a loop asks before each turn, or after it.
#[derive(Clone, Copy)]
pub(crate) struct LoopCondition<'t> {
    expr: &'t Expr,
    /// Whether the loop ends where it holds; else it goes on.
    ends: bool,
    at: AskedAt,
}

/// When a loop asks, and what of its text does so.
#[derive(Clone, Copy)]
enum AskedAt {
    /// Before each turn.
    Start,
    /// After each turn: the loop begins with the word `head`, and its turn is followed by `while (…);` at `tail`.
    DoWhile { head: Span, tail: Span },
    /// After each turn, which begins with the statement `first` and ends with the `if (…) break;` at `last`.
    LastBreak { first: Span, last: Span },
}

impl<'t> LoopCondition<'t> {
    /// The comparison by which the loop goes on: of `if (s >= n) break;` it is `s < n`.
    pub(crate) fn comparison(self) -> Option<(&'static str, &'t Expr, &'t Expr)> {
        let (core, is_negated) = self.core();
        let ExprKind::Binary(sign, left, right) = &core.kind else {
            return None;
        };
        let sign = match is_negated {
            true => opposite(sign)?,
            false => sign,
        };
        Some((sign, left, right))
    }

    /// What is not zero as long as the loop goes on, where it is no comparison: of `if (!s) break;` it is `s`.
    pub(crate) fn nonzero(self) -> Option<&'t Expr> {
        let (core, is_negated) = self.core();
        (!is_negated).then_some(core)
    }

    /// Whether the first turn runs unasked.
    pub(crate) const fn is_asked_last(self) -> bool {
        !matches!(self.at, AskedAt::Start)
    }

    /// The changes that make the loop go on by the first text, and so end by the second, its opposite. It is asked before
    /// each turn then, the first included.
    pub(crate) fn replaced(self, code: &Code<'_>, [goes_on, ends]: [&str; 2]) -> Vec<Edit> {
        let edit =
            |span: Span, text: String| Edit::new(span.start as usize, span.end as usize, text);
        match self.at {
            AskedAt::Start => {
                let text = if self.ends { ends } else { goes_on };
                vec![edit(self.expr.span, text.to_owned())]
            }
            AskedAt::DoWhile { head, tail } => vec![
                edit(head, format!("while ({goes_on})")),
                edit(tail, String::new()),
            ],
            AskedAt::LastBreak { first, last } => {
                let leaves = match code.entry() {
                    Some(_) => format!("if {ends} {{ break; }}"),
                    None => format!("if ({ends}) break;"),
                };
                let start = first.start as usize;
                let leaves = leaves + &line_break(code.text(), start);
                vec![Edit::new(start, start, leaves), removed(code.text(), last)]
            }
        }
    }

    /// What is asked without the `!` before it, and whether the loop ends where it holds.
    fn core(self) -> (&'t Expr, bool) {
        let (mut core, mut ends) = (self.expr, self.ends);
        while let ExprKind::Prefix("!", inner) = &core.kind {
            (core, ends) = (inner, !ends);
        }
        (core, ends)
    }
}

/// What stands between a statement and the one at `at`: a new line where that begins one, else a blank.
fn line_break(text: &str, at: usize) -> String {
    let indent = indentation(text, at);
    let line = text.get(..at).and_then(|before| before.rsplit('\n').next());
    match line == Some(&*indent) {
        true => format!("\n{indent}"),
        false => " ".to_owned(),
    }
}

/// The change that takes a statement out, with its line where it has one of its own.
fn removed(text: &str, stmt: Span) -> Edit {
    let (start, end) = (stmt.start as usize, stmt.end as usize);
    let before = text.get(..start).unwrap_or_default();
    let before = before.trim_end_matches([' ', '\t']);
    let is_line = text.get(end..).is_some_and(|rest| rest.starts_with('\n'));
    let before = before
        .strip_suffix('\n')
        .filter(|_| is_line)
        .unwrap_or(before);
    Edit::new(before.len(), end, "")
}

/// Whether a statement, or one inside it, goes on with the next turn.
fn continues(stmt: &Stmt) -> bool {
    let all = statements(std::slice::from_ref(stmt));
    all.iter().any(|one| matches!(one.kind, StmtKind::Continue))
}

/// What the statement `if (…) break;` asks.
fn left_by(stmt: &Stmt) -> Option<&Expr> {
    let StmtKind::If {
        condition,
        yes,
        no: None,
        ..
    } = &stmt.kind
    else {
        return None;
    };
    let [only] = flat(yes)[..] else { return None };
    matches!(only.kind, StmtKind::Break).then_some(condition)
}

/// Whether it is a number that is not zero, such as `true`.
fn always_holds(condition: &Expr) -> bool {
    whole(condition).is_some_and(|value| value != 0)
}

/// The comparison that holds where another does not.
fn opposite(sign: &str) -> Option<&'static str> {
    match sign {
        "<" => Some(">="),
        "<=" => Some(">"),
        ">" => Some("<="),
        ">=" => Some("<"),
        "==" => Some("!="),
        "!=" => Some("=="),
        // No other operator compares.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;

    /// What the loop in a body asks, and its turn.
    fn read(body: &str) -> String {
        let text = format!("__global__ void k(int n) {{ {body} }}");
        let code = Code::of(&text, &[]);
        let kernel = code.functions().next().unwrap();
        let all = statements(&kernel.body);
        let Some(found) = all.iter().find_map(|stmt| ConditionalLoop::of(stmt)) else {
            return "none".to_owned();
        };
        let asked = match found.asked.comparison() {
            Some((sign, left, right)) => {
                format!("{} {sign} {}", code.at(left.span), code.at(right.span))
            }
            None => found
                .asked
                .nonzero()
                .map_or("0", |expr| code.at(expr.span))
                .to_owned(),
        };
        let asks = if found.asked.is_asked_last() {
            "after"
        } else {
            "before"
        };
        let turn = found.body.iter().map(|stmt| code.at(stmt.span));
        format!("{asked} {asks}: {}", turn.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn loops_are_read_in_every_form() {
        for (body, expected) in [
            ("for (int s = 1; s < n; s *= 2) f();", "s < n before: f();"),
            ("while (s) { f(); s /= 2; }", "s before: f(); s /= 2;"),
            (
                "for (int s = 1; ; s *= 2) { if (s >= n) break; f(); }",
                "s < n before: f();",
            ),
            (
                "while (true) { if (n < s) { break; } f(); }",
                "n >= s before: f();",
            ),
            (
                "for (;;) { if (!(s != n)) { break; } f(); }",
                "s != n before: f();",
            ),
            ("while (1) { if (!s) break; f(); }", "s before: f();"),
            ("while (1) { if (s) break; f(); }", "0 before: f();"),
            (
                "while (true) { __syncthreads(); if (s > n) break; f(); }",
                "s <= n before: __syncthreads(); f();",
            ),
            (
                "while (true) { f(); if (s > n) break; }",
                "s <= n after: f();",
            ),
            ("do { f(); s /= 2; } while (s);", "s after: f(); s /= 2;"),
            ("do f(); while (n < s);", "n < s after: f();"),
            ("do { if (n) continue; f(); } while (s);", "none"),
            (
                "while (true) { if (n) continue; f(); if (s) break; }",
                "none",
            ),
            ("for (;; s /= 2) { f(); if (s > n) break; }", "none"),
            (
                "while (true) { f(); if (s > n) break; __syncthreads(); }",
                "none",
            ),
            ("while (true) { if (s > n) break; else f(); }", "none"),
            ("while (true) { if (s > n) { f(); break; } }", "none"),
            ("do { if (s > n) break; f(); } while (true);", "none"),
        ] {
            assert_eq!(read(body), expected, "{body}");
        }
    }
    /// A loop that asks at its end asks at its beginning then.
    #[test]
    fn what_is_asked_is_replaced() {
        for (before, after) in [
            ("while (s) f();", "while (s > 2) f();"),
            ("do { f(); } while (s);", "while (s > 2) { f(); }"),
            ("do f(); while (s);", "while (s > 2) f();"),
            (
                "while (true) { f(); if (!s) break; }",
                "while (true) { if (s <= 2) break; f(); }",
            ),
            (
                "for (;;) {\n  f();\n  if (!s) { break; }\n}",
                "for (;;) {\n  if (s <= 2) break;\n  f();\n}",
            ),
        ] {
            let text = format!("__global__ void k(int s) {{ {before} }}");
            let code = Code::of(&text, &[]);
            let kernel = code.functions().next().unwrap();
            let all = statements(&kernel.body);
            let found = all.iter().find_map(|stmt| ConditionalLoop::of(stmt));
            let edits = found.unwrap().asked.replaced(&code, ["s > 2", "s <= 2"]);
            let expected = format!("__global__ void k(int s) {{ {after} }}");
            assert_eq!(apply(&text, &edits), Some(expected), "{before}");
        }
    }
}
