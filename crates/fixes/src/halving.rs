//! Reductions in shared memory whose step halves: `for (s = n / 2; s > 0; s >>= 1) if (t < s) a[t] += a[t + s];`.

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, ExprKind, Stmt, StmtKind};

use crate::Edit;
use crate::code::{Code, is_name, operands, whole};
use crate::conditional_loop::{ConditionalLoop, LoopCondition};
use crate::gather::edited;
use crate::sequential::set_before;

/// The loop of such a reduction.
pub(crate) struct Halving<'t> {
    /// The whole loop.
    pub(crate) span: Span,
    /// The step's name.
    pub(crate) step: &'t str,
    /// What the step begins with, where the loop or what stands before it says so.
    pub(crate) first: Option<&'t Expr>,
    /// What is asked before each turn, or after it.
    pub(crate) asked: LoopCondition<'t>,
    /// The index of the thread's own element, as written.
    pub(crate) thread: &'t str,
    /// The array's name.
    pub(crate) array: &'t str,
    /// Whether a turn ends at a barrier.
    pub(crate) ends_at_barrier: bool,
    combination: Combination<'t>,
}

/// How two elements become one.
enum Combination<'t> {
    /// By an operator.
    Operator(&'t str),
    /// By an expression that reads both.
    Expression {
        whole: Span,
        own: Vec<Span>,
        other: Vec<Span>,
    },
}

impl<'t> Halving<'t> {
    /// The loop that a statement of `function` is, if it is one of these.
    pub(crate) fn of(code: &Code<'t>, stmt: &'t Stmt, function: &[&'t Stmt]) -> Option<Self> {
        let ConditionalLoop {
            init,
            asked,
            step,
            mut body,
        } = ConditionalLoop::of(stmt)?;
        let step = match step {
            Some(step) => halved(step)?,
            None => {
                let at = body.iter().rposition(|one| step_of(one).is_some())?;
                step_of(body.remove(at))?
            }
        };
        let first = match init.and_then(counter) {
            Some((name, value)) if name == step => Some(value),
            Some(_) => return None,
            None => set_before(stmt, function, step),
        };
        // Of a loop that asks at its end, the first turn is one that it would ask for.
        let is_entered = !asked.is_asked_last()
            || first.is_some_and(|first| code.least(first).is_some_and(|least| least > 0));
        if !asks_for_more(asked, step) || !is_entered {
            return None;
        }
        let ends_at_barrier = body.last().is_some_and(|last| is_barrier(last));
        let mut rest = body.into_iter().filter(|one| !is_barrier(one));
        let (guarded, None) = (rest.next()?, rest.next()) else {
            return None;
        };
        let StmtKind::If {
            condition: guard,
            yes,
            no: None,
            ..
        } = &guarded.kind
        else {
            return None;
        };
        let thread = code.at(below(guard, step)?.span);
        let [only] = flat(yes)[..] else { return None };
        let StmtKind::Expr(Expr {
            kind: ExprKind::Assign(operator, to, value),
            ..
        }) = &only.kind
        else {
            return None;
        };
        let reader = Reader { code, thread, step };
        let array = reader.own(to)?;
        let combination = match *operator {
            "=" => {
                let (mut own, mut other) = (Vec::new(), Vec::new());
                reader.reads(array, value, &mut own, &mut other);
                let reads_both = !own.is_empty() && !other.is_empty();
                reads_both.then_some(Combination::Expression {
                    whole: value.span,
                    own,
                    other,
                })?
            }
            operator => {
                let is_other = reader.other(value) == Some(array);
                is_other.then_some(Combination::Operator(operator))?
            }
        };
        Some(Self {
            span: stmt.span,
            step,
            first,
            asked,
            thread,
            array,
            ends_at_barrier,
            combination,
        })
    }

    /// Two values as one, in the text.
    pub(crate) fn combined(&self, code: &Code<'_>, own: &str, other: &str) -> Option<String> {
        match &self.combination {
            Combination::Operator(operator) => Some(format!("{own} {operator} {other}")),
            Combination::Expression {
                whole,
                own: owns,
                other: others,
            } => {
                let edit =
                    |text: &str, at: &Span| Edit::new(at.start as usize, at.end as usize, text);
                let mut edits: Vec<Edit> = owns.iter().map(|at| edit(own, at)).collect();
                edits.extend(others.iter().map(|at| edit(other, at)));
                edited(code, *whole, &edits)
            }
        }
    }

    /// The statement that combines another value into the variable `into`.
    pub(crate) fn accumulated(&self, code: &Code<'_>, into: &str, other: &str) -> Option<String> {
        match &self.combination {
            Combination::Operator(operator) => Some(format!("{into} {operator}= {other};")),
            Combination::Expression { .. } => {
                Some(format!("{into} = {};", self.combined(code, into, other)?))
            }
        }
    }
}

/// Reads the indices of a loop.
struct Reader<'c, 't> {
    code: &'c Code<'t>,
    thread: &'t str,
    step: &'t str,
}

impl<'t> Reader<'_, 't> {
    /// The array of which it is the thread's own element.
    fn own<'e>(&self, expr: &'e Expr) -> Option<&'e str> {
        let (array, index) = element(expr)?;
        self.is_thread(index).then_some(array)
    }

    /// The array of which it is the element a step away.
    fn other<'e>(&self, expr: &'e Expr) -> Option<&'e str> {
        let (array, index) = element(expr)?;
        let ExprKind::Binary("+", a, b) = &index.kind else {
            return None;
        };
        let is_pair = |thread, step| self.is_thread(thread) && is_name(step, self.step);
        (is_pair(&**a, &**b) || is_pair(&**b, &**a)).then_some(array)
    }

    fn is_thread(&self, expr: &Expr) -> bool {
        bare(self.code.at(expr.span)) == bare(self.thread)
    }

    /// Where an expression reads the two elements of `array`.
    fn reads(&self, array: &str, expr: &Expr, own: &mut Vec<Span>, other: &mut Vec<Span>) {
        if self.own(expr) == Some(array) {
            own.push(expr.span);
        } else if self.other(expr) == Some(array) {
            other.push(expr.span);
        } else {
            for operand in operands(expr) {
                self.reads(array, operand, own, other);
            }
        }
    }
}

/// The text without the brackets around it.
pub(crate) fn bare(text: &str) -> &str {
    let inner = text
        .trim()
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    match inner {
        Some(inner) if !inner.contains(['(', ')']) => bare(inner),
        Some(_) | None => text.trim(),
    }
}

/// The array and the index of `array[index]`.
fn element(expr: &Expr) -> Option<(&str, &Expr)> {
    match &expr.kind {
        ExprKind::Index(base, index) => match &base.kind {
            ExprKind::Name(name) => Some((name, index)),
            _ => None,
        },
        _ => None,
    }
}

/// The name that the beginning of a loop sets, and its value.
pub(crate) fn counter(init: &Stmt) -> Option<(&str, &Expr)> {
    match &init.kind {
        StmtKind::Declare(list) => match list.as_slice() {
            [one] => Some((&*one.name, one.init.as_ref()?)),
            _ => None,
        },
        StmtKind::Expr(one) => match &one.kind {
            ExprKind::Assign("=", to, value) => match &to.kind {
                ExprKind::Name(name) => Some((&**name, &**value)),
                _ => None,
            },
            _ => None,
        },
        // Nothing else begins a loop that is changed.
        _ => None,
    }
}

/// The statements that one stands for.
pub(crate) fn flat(stmt: &Stmt) -> Vec<&Stmt> {
    match &stmt.kind {
        StmtKind::Block(list) => list.iter().flat_map(flat).collect(),
        StmtKind::Empty => Vec::new(),
        // Any other stands for itself.
        _ => vec![stmt],
    }
}

/// Whether the threads of the block wait for each other there.
pub(crate) fn is_barrier(stmt: &Stmt) -> bool {
    let StmtKind::Expr(Expr {
        kind: ExprKind::Call {
            callee, arguments, ..
        },
        ..
    }) = &stmt.kind
    else {
        return false;
    };
    match &callee.kind {
        ExprKind::Name(name) => &**name == "__syncthreads",
        ExprKind::Member(_, name) => &**name == "sync" && arguments.is_empty(),
        _ => false,
    }
}

fn step_of(stmt: &Stmt) -> Option<&str> {
    if let StmtKind::Expr(expr) = &stmt.kind {
        halved(expr)
    } else {
        None
    }
}

/// The name that an expression halves.
fn halved(expr: &Expr) -> Option<&str> {
    let ExprKind::Assign(operator, to, value) = &expr.kind else {
        return None;
    };
    let ExprKind::Name(name) = &to.kind else {
        return None;
    };
    let halves = match *operator {
        ">>" => whole(value) == Some(1),
        "/" => whole(value) == Some(2),
        "=" => match &value.kind {
            ExprKind::Binary(">>", ty, by) => is_name(ty, name) && whole(by) == Some(1),
            ExprKind::Binary("/", ty, by) => is_name(ty, name) && whole(by) == Some(2),
            _ => false,
        },
        _ => false,
    };
    halves.then_some(name)
}

/// Whether it asks that the step is not 0 yet.
fn asks_for_more(asked: LoopCondition<'_>, step: &str) -> bool {
    match asked.comparison() {
        Some((">" | "!=", left, right)) => is_name(left, step) && whole(right) == Some(0),
        Some((">=", left, right)) => is_name(left, step) && whole(right) == Some(1),
        Some(("<", left, right)) => whole(left) == Some(0) && is_name(right, step),
        Some(_) => false,
        None => asked.nonzero().is_some_and(|expr| is_name(expr, step)),
    }
}

/// The `t` of `t < s`.
fn below<'e>(guard: &'e Expr, step: &str) -> Option<&'e Expr> {
    match &guard.kind {
        ExprKind::Binary("<", thread, right) if is_name(right, step) => Some(thread),
        ExprKind::Binary(">", left, thread) if is_name(left, step) => Some(thread),
        _ => None,
    }
}
