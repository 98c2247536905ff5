//! The last steps of a reduction in one warp, by shuffles.

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, ExprKind, Function, Stmt, StmtKind};

use crate::Edit;
use crate::code::{Code, statements, whole};
use crate::halving::{Halving, is_barrier};
use crate::indentation::indentation;
use crate::pitch::free_name;
use crate::rewrite::operand;

/// The changes that end the loop when one warp is left, whose lanes then add up by shuffles; `element` is the type of an
/// element.
pub(crate) fn rewrite(
    code: &Code<'_>,
    function: &Function,
    halving: &Halving<'_>,
    element: &str,
) -> Option<Vec<Edit>> {
    let (thread, array, step) = (halving.thread, halving.array, halving.step);
    let indent = indentation(code.text(), halving.span.start as usize);
    let (value, offset) = (free_name(code, "value"), free_name(code, "offset"));
    let own = format!("{array}[{thread}]");
    let further = format!("{array}[{} + 32]", operand(thread));
    let first = halving.combined(code, &own, &further)?;
    let shuffled = format!("__shfl_down_sync(0xffffffffu, {value}, {offset})");
    let added = match halving.accumulated(code, &value, &shuffled)? {
        one if one.matches(&shuffled).count() == 1 => vec![one],
        _ => {
            let other = free_name(code, "other");
            vec![
                format!("{element} {other} = {shuffled};"),
                halving.accumulated(code, &value, &other)?,
            ]
        }
    };
    let mut lines = Vec::new();
    if !halving.ends_at_barrier {
        lines.push("__syncthreads();".to_owned());
    }
    lines.push(format!("if ({} < 32) {{", operand(thread)));
    lines.push(format!("  {element} {value} = {first};"));
    lines.push(format!(
        "  for (int {offset} = 16; {offset} > 0; {offset} >>= 1) {{"
    ));
    lines.extend(added.into_iter().map(|one| format!("    {one}")));
    lines.push("  }".to_owned());
    lines.push(format!(
        "  if ({} == 0) {array}[0] = {value};",
        operand(thread)
    ));
    lines.push("}".to_owned());
    if !is_left_to_one(code, function, halving) {
        lines.push("__syncthreads();".to_owned());
    }
    let tail = lines.iter().map(|line| format!("\n{indent}{line}"));
    let end = halving.span.end as usize;
    let [goes_on, ends] = [">", "<="].map(|sign| format!("{step} {sign} 32"));
    let mut edits = halving.asked.replaced(code, [&goes_on, &ends]);
    edits.push(Edit::new(end, end, tail.collect::<String>()));
    Some(edits)
}

/// Whether what follows the loop is done by the first thread alone, or waits by itself, and nothing repeats it.
pub(crate) fn is_left_to_one(code: &Code<'_>, function: &Function, halving: &Halving<'_>) -> bool {
    let all = statements(&function.body);
    let is_in = |stmt: &&&Stmt| stmt.span != halving.span && holds(stmt.span, halving.span);
    let repeats = all.iter().filter(is_in).any(|stmt| {
        matches!(
            stmt.kind,
            StmtKind::For { .. }
                | StmtKind::ForEach { .. }
                | StmtKind::While { .. }
                | StmtKind::Do { .. }
        )
    });
    let Some(next) = following(&function.body, halving.span).filter(|_| !repeats) else {
        return false;
    };
    let StmtKind::If {
        condition,
        no: None,
        ..
    } = &next.kind
    else {
        return is_barrier(next);
    };
    let is_thread = |expr: &Expr| {
        let text = code.at(expr.span);
        text == "threadIdx.x" || operand(text) == operand(halving.thread)
    };
    is_first(condition, &is_thread)
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && outer.end >= inner.end
}

/// The statement behind the one at a place, in its list.
fn following(list: &[Stmt], at: Span) -> Option<&Stmt> {
    if let Some(place) = list.iter().position(|stmt| stmt.span == at) {
        return list.get(place + 1);
    }
    list.iter().find_map(|stmt| {
        let (StmtKind::Block(inner) | StmtKind::Several(inner)) = &stmt.kind else {
            return None;
        };
        following(inner, at)
    })
}

/// Whether it asks for thread 0: `t == 0`, `0 == t`, `!t`, `t < 1`.
fn is_first(condition: &Expr, is_thread: &dyn Fn(&Expr) -> bool) -> bool {
    match &condition.kind {
        ExprKind::Binary("==", a, b) => {
            (is_thread(a) && whole(b) == Some(0)) || (whole(a) == Some(0) && is_thread(b))
        }
        ExprKind::Binary("<", a, b) => is_thread(a) && whole(b) == Some(1),
        ExprKind::Prefix("!", a) => is_thread(a),
        _ => false,
    }
}
