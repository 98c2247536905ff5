//! Loops that ask one thing before each turn, in whichever form they are written.
//!
//! ```text
//! for (…; goes_on; …) { … }         while (goes_on) { … }
//! for (…; ; …) { if (ends) break; … }    while (true) { if (ends) break; … }
//! ```

use lanescope_syntax::tree::{Expr, ExprKind, Stmt, StmtKind};

use crate::Edit;
use crate::code::whole;
use crate::halving::{flat, is_barrier};

/// A loop that asks one thing before each turn: in its head, or in the `if (…) break;` that its turns begin with.
pub(crate) struct ConditionalLoop<'t> {
    /// What runs once, before.
    pub(crate) init: Option<&'t Stmt>,
    /// What is asked before each turn.
    pub(crate) asked: LoopCondition<'t>,
    /// What the head says that runs after each turn.
    pub(crate) step: Option<&'t Expr>,
    /// The statements of a turn, what is asked left out.
    pub(crate) body: Vec<&'t Stmt>,
}

impl<'t> ConditionalLoop<'t> {
    /// The loop that a statement is; `None` of other statements, and of loops that ask at the end or in several places.
    pub(crate) fn of(stmt: &'t Stmt) -> Option<Self> {
        let (init, condition, step, body) = match &stmt.kind {
            StmtKind::For {
                init,
                condition,
                step,
                body,
                ..
            } => (init.as_deref(), condition.as_ref(), step.as_ref(), body),
            StmtKind::While {
                condition, body, ..
            } => (None, Some(condition), None, body),
            // No other asks before each turn.
            _ => return None,
        };
        let mut body = flat(body);
        let asked = match condition.filter(|condition| !always_holds(condition)) {
            Some(goes_on) => LoopCondition {
                expr: goes_on,
                ends: false,
            },
            None => {
                let first = body.iter().position(|stmt| !is_barrier(stmt))?;
                LoopCondition {
                    expr: left_by(body.remove(first))?,
                    ends: true,
                }
            }
        };
        Some(Self {
            init,
            asked,
            step,
            body,
        })
    }
}

/// What a loop asks before each turn.
#[derive(Clone, Copy)]
pub(crate) struct LoopCondition<'t> {
    expr: &'t Expr,
    /// Whether the loop ends where it holds; else it goes on.
    ends: bool,
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

    /// The change that makes the loop go on by the first text, and so end by the second, its opposite.
    pub(crate) fn replaced(self, [goes_on, ends]: [&str; 2]) -> Edit {
        let (start, end) = (self.expr.span.start as usize, self.expr.span.end as usize);
        let text = match self.ends {
            true => ends,
            false => goes_on,
        };
        Edit::new(start, end, text)
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
    use crate::code::{Code, statements};

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
        let turn = found.body.iter().map(|stmt| code.at(stmt.span));
        format!("{asked}: {}", turn.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn loops_are_read_in_every_form() {
        for (body, expected) in [
            ("for (int s = 1; s < n; s *= 2) f();", "s < n: f();"),
            ("while (s) { f(); s /= 2; }", "s: f(); s /= 2;"),
            (
                "for (int s = 1; ; s *= 2) { if (s >= n) break; f(); }",
                "s < n: f();",
            ),
            (
                "while (true) { if (n < s) { break; } f(); }",
                "n >= s: f();",
            ),
            (
                "for (;;) { if (!(s != n)) { break; } f(); }",
                "s != n: f();",
            ),
            ("while (1) { if (!s) break; f(); }", "s: f();"),
            ("while (1) { if (s) break; f(); }", "0: f();"),
            (
                "while (true) { __syncthreads(); if (s > n) break; f(); }",
                "s <= n: __syncthreads(); f();",
            ),
            ("while (true) { f(); if (s > n) break; }", "none"),
            ("while (true) { if (s > n) break; else f(); }", "none"),
            ("while (true) { if (s > n) { f(); break; } }", "none"),
            ("do { if (s > n) break; f(); } while (true);", "none"),
        ] {
            assert_eq!(read(body), expected, "{body}");
        }
    }
}
