//! The two thread axes exchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lanescope_frontend::NamedLaunch;
use lanescope_syntax::token::{Kind, Token};
use lanescope_syntax::tree::{Expr, ExprKind, Function};
use lanescope_syntax::{Sink, Span, lexer};

use crate::Edit;
use crate::code::{Code, is_name, statements, within};

/// What tells threads of one warp apart, so that exchanging axes would change what it does.
const OF_THE_WARP: [&str; 7] = [
    "__shfl",
    "__shfl_sync",
    "__shfl_xor_sync",
    "__shfl_down_sync",
    "__shfl_up_sync",
    "__ballot_sync",
    "warpSize",
];

/// `threadIdx.x` and `.y`, `blockDim.x` and `.y` exchanged everywhere in these functions, and the launch's
/// block with them; `None` where the source does not use both.
pub(crate) fn swap(
    code: &Code<'_>,
    functions: &[Rc<Function>],
    launch: &NamedLaunch,
) -> Option<(Vec<Edit>, NamedLaunch)> {
    let bodies: Vec<_> = functions
        .iter()
        .flat_map(|function| statements(&function.body))
        .collect();
    let all: Vec<&Expr> = bodies.iter().flat_map(|stmt| within(stmt)).collect();
    let is_of_warp = |expr: &&Expr| OF_THE_WARP.iter().any(|name| is_name(expr, name));
    if all.iter().any(is_of_warp) {
        return None;
    }
    let mut edits = exchanged(code, &all, "threadIdx")?;
    let square = launch.block[0] == launch.block[1];
    let mut swapped = launch.clone();
    if !square {
        edits.extend(exchanged(code, &all, "blockDim").unwrap_or_default());
        swapped.block.swap(0, 1);
    }
    Some((edits, swapped))
}

/// The changes that exchange `x` and `y` of a vector, each once; where a macro names one, in the macro.
fn exchanged(code: &Code<'_>, all: &[&Expr], vector: &str) -> Option<Vec<Edit>> {
    let mut found = BTreeMap::new();
    let mut macros = BTreeSet::new();
    let (mut seen, mut members) = ([false; 2], 0);
    for expr in all {
        let ExprKind::Member(object, axis) = &expr.kind else {
            continue;
        };
        if !is_name(object, vector) {
            continue;
        }
        members += 1;
        let (at, other) = match &**axis {
            "x" => (0, "y"),
            "y" => (1, "x"),
            _ => continue,
        };
        seen[at] = true;
        let text = code.at(expr.span);
        if text.starts_with(vector) && text.ends_with(&**axis) {
            let end = expr.span.end as usize;
            found.insert(end - 1, Edit::new(end - 1, end, other));
        } else {
            macros.insert(text.to_owned());
        }
    }
    let all_named = all.iter().filter(|expr| is_name(expr, vector)).count();
    if members != all_named || seen != [true; 2] {
        return None;
    }
    if !macros.is_empty() {
        for edit in in_macros(code, vector) {
            found.insert(edit.span.start as usize, edit);
        }
    }
    Some(found.into_values().collect())
}

/// The same in all macros of the text.
fn in_macros(code: &Code<'_>, vector: &str) -> Vec<Edit> {
    let tokens = lexer::lex(code.text(), &mut Sink::deaf());
    let mut edits = Vec::new();
    for token in &tokens {
        let Kind::Directive(_) = &token.kind else {
            continue;
        };
        let text = code.at(token.span);
        let inside = lexer::lex_part(text, 1, &mut Sink::deaf());
        for three in inside.windows(3) {
            let [object, dot, axis] = three else { continue };
            if object.is_name(vector) && dot.is(".") {
                edits.extend(other_axis(axis, token.span));
            }
        }
    }
    edits
}

/// The change of an axis inside a part of the text.
fn other_axis(axis: &Token, part: Span) -> Option<Edit> {
    let other = match &axis.kind {
        Kind::Name(name) if &**name == "x" => "y",
        Kind::Name(name) if &**name == "y" => "x",
        _ => return None,
    };
    let at = (part.start + axis.span.start) as usize;
    Some(Edit::new(at, at + 1, other))
}

/// Threads of a block in the order they had before the exchange: `[new thread] -> old thread`.
pub(crate) fn renumbered(thread: usize, old_block: [u32; 3]) -> usize {
    let [x, y, _] = old_block.map(|side| side.max(1) as usize);
    let (plane, inner) = (thread / (x * y), thread % (x * y));
    // The new block is y wide: its (i, j) does what (j, i) did.
    let (i, j) = (inner % y, inner / y);
    plane * x * y + i * x + j
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;

    fn swapped(text: &str) -> Option<String> {
        let code = Code::of(text, &[]);
        let functions: Vec<_> = code.functions().cloned().collect();
        let launch = NamedLaunch::new([1; 3], [32, 8, 1]);
        apply(text, &swap(&code, &functions, &launch)?.0)
    }

    #[test]
    fn axes_are_exchanged_where_they_are_named() {
        let cases = [
            (
                "void f() { a[threadIdx.y] = threadIdx . x + threadIdx.z; }",
                Some("void f() { a[threadIdx.x] = threadIdx . y + threadIdx.z; }"),
            ),
            (
                "#define TX threadIdx.x\n#define TY (threadIdx.y)\nvoid f() { a[TX * blockDim.y] = TY; } // threadIdx.x",
                Some(
                    "#define TX threadIdx.y\n#define TY (threadIdx.x)\nvoid f() { a[TX * blockDim.y] = TY; } // threadIdx.x",
                ),
            ),
            (
                "void f() { a[threadIdx.y] = __shfl_sync(~0, threadIdx.x, 0); }",
                None,
            ),
            (
                "void f() { a[threadIdx.y] = threadIdx.x; g(threadIdx); }",
                None,
            ),
            ("void f() { a[threadIdx.x] = 0; }", None),
        ];
        for (text, expected) in cases {
            assert_eq!(swapped(text).as_deref(), expected, "{text}");
        }
    }
}
