//! A reduction's interleaved steps as sequential ones.

use std::rc::Rc;

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, ExprKind, Function, Stmt, StmtKind};

use crate::Edit;
use crate::code::{Code, any, chain, is_name, operands, own_expressions, statements, whole};
use crate::conditional_loop::{ConditionalLoop, LoopCondition};
use crate::halving::{counter, is_barrier};
use crate::literal::Literal;
use crate::rewrite::operand;

/// The changes that turn `for (s = 1; s < n; s *= 2)` with an index `2 * s * t` (or the test
/// `t % (2 * s) == 0`) into `for (s = n / 2; s > 0; s >>= 1)` with index `t` and the test `t < s`.
pub(crate) fn rewrite(code: &Code<'_>, kernel: &Rc<Function>) -> Option<Vec<Edit>> {
    code.reached_from(kernel).iter().find_map(|function| {
        let all = statements(&function.body);
        all.iter()
            .find_map(|stmt| Doubling::of(code, stmt, &all)?.edits(code, &all))
    })
}

/// A loop whose counter doubles from 1 to a limit.
struct Doubling<'t> {
    step: &'t str,
    first: Span,
    limit: Span,
    /// Whether the counter takes the limit's value too.
    reaches: bool,
    asked: LoopCondition<'t>,
    advance: Span,
    body: Vec<&'t Stmt>,
}

impl<'t> Doubling<'t> {
    /// The loop that a statement of `function` is, if it is one of these; the doubling is in its head or comes last.
    fn of(code: &Code<'_>, stmt: &'t Stmt, function: &[&'t Stmt]) -> Option<Self> {
        let ConditionalLoop {
            init,
            asked,
            step: advance,
            body,
        } = ConditionalLoop::of(stmt)?;
        let (sign, left, limit) = match asked.comparison()? {
            (sign @ ("<" | "<="), left, limit) => (sign, left, limit),
            (">", limit, left) => ("<", left, limit),
            (">=", limit, left) => ("<=", left, limit),
            _ => return None,
        };
        let ExprKind::Name(step) = &left.kind else {
            return None;
        };
        let advance = match advance {
            Some(advance) => advance,
            None => last_doubling(&body, step)?,
        };
        let first = match init.and_then(counter) {
            Some((name, first)) if *name == **step => first,
            Some(_) => return None,
            None => set_before(stmt, function, step)?,
        };
        let reaches = sign == "<=";
        // Of a loop that asks at its end, the first turn is one that it would ask for.
        let is_entered = !asked.is_asked_last()
            || code
                .least(limit)
                .is_some_and(|limit| limit > u64::from(!reaches));
        let fits = whole(first) == Some(1) && doubles(advance, step) && is_entered;
        fits.then_some(Self {
            step,
            first: first.span,
            limit: limit.span,
            reaches,
            asked,
            advance: advance.span,
            body,
        })
    }

    fn edits(&self, code: &Code<'_>, function: &[&Stmt]) -> Option<Vec<Edit>> {
        let step = self.step;
        let body = self.body.iter();
        let inside: Vec<&Stmt> = body
            .flat_map(|stmt| statements(std::slice::from_ref(*stmt)))
            .collect();
        let tests: Vec<&Expr> = inside
            .iter()
            .filter_map(|stmt| {
                let StmtKind::If { condition, .. } = &stmt.kind else {
                    return None;
                };
                Some(chain(condition, "&&"))
            })
            .flatten()
            .collect();
        let mut edits = match self.paired(code, &inside, &tests, function) {
            Some(edits) => edits,
            None => self.tested(code, &tests),
        };
        if edits.is_empty() {
            edits = self.indexed(code, &inside, &tests)?;
        }
        edits.push(swap(self.first, self.last(code)));
        let goes_on = [format!("{step} > 0"), format!("{step} == 0")];
        let goes_on = goes_on.each_ref().map(|text| &**text);
        edits.extend(self.asked.replaced(code, goes_on));
        edits.push(swap(self.advance, format!("{step} >>= 1")));
        Some(edits)
    }

    /// The counter's last value, which becomes its first.
    fn last(&self, code: &Code<'_>) -> String {
        let limit = code.at(self.limit);
        // What WGSL declares without a type has that of its value.
        let is_unsigned = code.entry().is_some() && code.at(self.first).ends_with('u');
        let limit = match Literal::of(limit) {
            Some(number) if is_unsigned => format!("{}u", number.value),
            None if is_unsigned => format!("u32({limit})"),
            Some(_) | None => limit.to_owned(),
        };
        match self.reaches {
            true => limit,
            false if is_unsigned => format!("{limit} / 2"),
            false => format!("{} / 2", operand(&limit)),
        }
    }

    /// `if (t % s == 0)` with the index `2 * t`, perhaps in a variable that is set before the loop.
    fn paired(
        &self,
        code: &Code<'_>,
        inside: &[&Stmt],
        tests: &[&Expr],
        function: &[&Stmt],
    ) -> Option<Vec<Edit>> {
        let (test, thread) = tests.iter().find_map(|test| match &test.kind {
            ExprKind::Binary("==", rest, zero) if whole(zero) == Some(0) => match &rest.kind {
                ExprKind::Binary("%", thread, by) if is_name(by, self.step) => {
                    Some((*test, code.at(thread.span)))
                }
                _ => None,
            },
            _ => None,
        })?;
        let own = inside.iter().flat_map(|stmt| own_expressions(stmt));
        let own: Vec<&Expr> = own.collect();
        let mut doubled = Vec::new();
        own.iter()
            .for_each(|expr| doubles_of(code, expr, thread, &mut doubled));
        for declaration in function.iter().flat_map(|stmt| stmt.declarations()) {
            let is_named = |expr: &Expr| is_name(expr, &declaration.name);
            let is_used = own.iter().any(|expr| any(expr, &is_named));
            if let Some(init) = declaration.init.as_ref().filter(|_| is_used) {
                doubles_of(code, init, thread, &mut doubled);
            }
        }
        doubled.sort_by_key(|span| (span.start, span.end));
        doubled.dedup();
        let mut edits: Vec<_> = doubled
            .iter()
            .map(|span| swap(*span, thread.to_owned()))
            .collect();
        if edits.is_empty() {
            return None;
        }
        let now = format!("{} < {}", operand(thread), self.step);
        edits.push(swap_test(code, test, &now));
        Some(edits)
    }

    /// `index = 2 * s * t; if (index < n)` or `if (index + s < n)`, or the product itself in both places.
    fn indexed(&self, code: &Code<'_>, inside: &[&Stmt], tests: &[&Expr]) -> Option<Vec<Edit>> {
        let mut products = Vec::new();
        for expr in inside.iter().flat_map(|stmt| own_expressions(stmt)) {
            self.products(expr, &mut products);
        }
        let (_, thread) = products.first()?;
        let thread = code.at(thread.span);
        let names: Vec<&str> = inside.iter().filter_map(|stmt| self.named(stmt)).collect();
        let is_index = |expr: &Expr| {
            self.thread_of(expr).is_some() || names.iter().any(|name| is_name(expr, name))
        };
        let bounds = tests.iter().find(|test| match &test.kind {
            ExprKind::Binary("<", left, _) => any(left, &is_index),
            _ => false,
        })?;
        let index = names.first().copied().unwrap_or(thread);
        let mut edits = vec![swap_test(code, bounds, &format!("{index} < {}", self.step))];
        for (product, thread) in products {
            if product.span.end <= bounds.span.start || product.span.start >= bounds.span.end {
                edits.push(swap(product.span, code.at(thread.span).to_owned()));
            }
        }
        Some(edits)
    }

    /// The variable that a statement sets to the product.
    fn named<'s>(&self, stmt: &'s Stmt) -> Option<&'s str> {
        match &stmt.kind {
            StmtKind::Declare(list) => list
                .iter()
                .find(|declaration| {
                    declaration
                        .init
                        .as_ref()
                        .is_some_and(|init| self.thread_of(init).is_some())
                })
                .map(|one| &*one.name),
            StmtKind::Expr(one) => match &one.kind {
                ExprKind::Assign("=", to, value) if self.thread_of(value).is_some() => {
                    match &to.kind {
                        ExprKind::Name(name) => Some(name),
                        _ => None,
                    }
                }
                _ => None,
            },
            // Nothing else sets a variable.
            _ => None,
        }
    }

    /// The products of 2, s and something else in an expression, each with that.
    fn products<'e>(&self, expr: &'e Expr, found: &mut Vec<(&'e Expr, &'e Expr)>) {
        match self.thread_of(expr) {
            Some(thread) => found.push((expr, thread)),
            None => operands(expr)
                .into_iter()
                .for_each(|one| self.products(one, found)),
        }
    }

    /// The `t` of a product of 2, s and t.
    fn thread_of<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        let (twos, mut rest) = factors(expr);
        let step = rest.iter().position(|one| is_name(one, self.step))?;
        rest.remove(step);
        match rest.as_slice() {
            [thread] if twos == 1 && !any(thread, &|one| is_name(one, self.step)) => Some(thread),
            _ => None,
        }
    }

    /// `t % (2 * s) == 0`, `!(t % (2 * s))`, `(t & (2 * s - 1)) == 0`, and `!= 0` of them.
    fn tested(&self, code: &Code<'_>, tests: &[&Expr]) -> Vec<Edit> {
        let edit = |test: &&Expr| {
            let (rest, sign) = match &test.kind {
                ExprKind::Binary("==", rest, zero) if whole(zero) == Some(0) => (rest, "<"),
                ExprKind::Binary("==", zero, rest) if whole(zero) == Some(0) => (rest, "<"),
                ExprKind::Binary("!=", rest, zero) if whole(zero) == Some(0) => (rest, ">="),
                ExprKind::Prefix("!", rest) => (rest, "<"),
                _ => return None,
            };
            let thread = match &rest.kind {
                ExprKind::Binary("%", thread, by) if is_double(by, self.step) => thread,
                ExprKind::Binary("&", thread, mask) => match &mask.kind {
                    ExprKind::Binary("-", by, one)
                        if is_double(by, self.step) && whole(one) == Some(1) =>
                    {
                        thread
                    }
                    _ => return None,
                },
                _ => return None,
            };
            let thread = operand(code.at(thread.span));
            Some(swap_test(
                code,
                test,
                &format!("{thread} {sign} {}", self.step),
            ))
        };
        tests.iter().filter_map(edit).collect()
    }
}

/// What a loop's body ends with, where that doubles its counter.
fn last_doubling<'t>(body: &[&'t Stmt], step: &str) -> Option<&'t Expr> {
    let mut ends = body.iter().rev().filter(|stmt| !is_barrier(stmt));
    let StmtKind::Expr(advance) = &ends.next()?.kind else {
        return None;
    };
    doubles(advance, step).then_some(advance)
}

/// What the counter of a loop is set to before it, where nothing else sets it, and nothing takes it between or behind the loop.
pub(crate) fn set_before<'t>(stmt: &Stmt, function: &[&'t Stmt], step: &str) -> Option<&'t Expr> {
    let mut found = None;
    for one in function {
        let is_inside = one.span.start >= stmt.span.start && one.span.end <= stmt.span.end;
        let holds = one.span.start <= stmt.span.start && one.span.end >= stmt.span.end;
        if is_inside || holds {
            continue;
        }
        let is_before = one.span.end <= stmt.span.start;
        let own = own_expressions(one);
        let is_named = own.into_iter().any(|expr| any(expr, &|e| is_name(e, step)));
        match (declared(one, step), counter(one)) {
            (Some(first), _) if is_before && !is_named && found.is_none() => found = Some(first),
            (None, Some((name, first))) if *name == *step && is_before && found.is_none() => {
                found = Some(first);
            }
            _ if is_named => return None,
            _ => {}
        }
    }
    found
}

/// What a statement declares a name with, perhaps beside others.
fn declared<'t>(stmt: &'t Stmt, name: &str) -> Option<&'t Expr> {
    let mut declarations = stmt.declarations().iter();
    declarations.find(|one| *one.name == *name)?.init.as_ref()
}

/// Where an expression has twice `thread`.
fn doubles_of(code: &Code<'_>, expr: &Expr, thread: &str, found: &mut Vec<Span>) {
    let (twos, rest) = factors(expr);
    if twos == 1 && matches!(rest.as_slice(), [one] if code.at(one.span) == thread) {
        return found.push(expr.span);
    }
    for operand in operands(expr) {
        doubles_of(code, operand, thread, found);
    }
}

/// How many factors 2 a product has, and its other factors; a shift by 1 is a factor 2.
fn factors(expr: &Expr) -> (u32, Vec<&Expr>) {
    match &expr.kind {
        ExprKind::Binary("*", a, b) => {
            let ((twos, mut list), (more, rest)) = (factors(a), factors(b));
            list.extend(rest);
            (twos + more, list)
        }
        ExprKind::Binary("<<", a, b) if whole(b) == Some(1) => {
            let (twos, list) = factors(a);
            (twos + 1, list)
        }
        _ if whole(expr) == Some(2) => (1, Vec::new()),
        _ => (0, vec![expr]),
    }
}

/// Whether it is `2 * s`, however written.
fn is_double(expr: &Expr, step: &str) -> bool {
    let (twos, rest) = factors(expr);
    let is_sum = match &expr.kind {
        ExprKind::Binary("+", a, b) => is_name(a, step) && is_name(b, step),
        _ => false,
    };
    is_sum || (twos == 1 && matches!(rest.as_slice(), [one] if is_name(one, step)))
}

/// Whether the loop's last part doubles its counter.
fn doubles(advance: &Expr, step: &str) -> bool {
    match &advance.kind {
        ExprKind::Assign(operator, to, value) if is_name(to, step) => match *operator {
            "*" => whole(value) == Some(2),
            "<<" => whole(value) == Some(1),
            "+" => is_name(value, step),
            "=" => is_double(value, step),
            _ => false,
        },
        _ => false,
    }
}

fn swap(span: Span, new: String) -> Edit {
    Edit::new(span.start as usize, span.end as usize, new)
}

/// An edit of a test; its brackets stay.
fn swap_test(code: &Code<'_>, test: &Expr, new: &str) -> Edit {
    let old = code.at(test.span);
    let new = match old.starts_with('(') && operand(old) == old {
        true => format!("({new})"),
        false => new.to_owned(),
    };
    swap(test.span, new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;

    fn changed(body: &str) -> Option<String> {
        let text = format!("__global__ void k(float* d, int n) {{ {body} }}");
        let code = Code::of(&text, &[]);
        let kernel = code.functions().next().cloned()?;
        let edits = rewrite(&code, &kernel)?;
        let changed = apply(&text, &edits)?;
        let start = text.find('{').unwrap() + 2;
        Some(changed[start..changed.len() - 2].to_owned())
    }

    #[test]
    fn loops_become_sequential() {
        for line in include_str!("sequential_cases.txt").lines() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (before, after) = line.split_once(" => ").unwrap();
            assert_eq!(
                changed(before).as_deref().unwrap_or("none"),
                after,
                "{line}"
            );
        }
    }
}
