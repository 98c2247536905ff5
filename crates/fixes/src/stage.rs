//! A copy with exchanged axes, staged through shared memory so that both sides run along rows.

use std::ops::Range;

use crate::Edit;
use crate::lexical::{Lexical, indentation};

/// Which side of the copy runs against the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wasteful {
    /// The load.
    Load,
    /// The store.
    Store,
}

/// A statement `out[…] = in[…];`, perhaps behind an `if`.
pub(crate) struct Copy<'a> {
    text: &'a str,
    load: Range<usize>,
    store: Range<usize>,
    /// The `if (…)` and the statement.
    whole: Range<usize>,
    /// `if (…) ` or nothing.
    guard: &'a str,
    /// What stands between the function's `{` and the statement.
    before: &'a str,
}

impl<'a> Copy<'a> {
    /// Finds it around the text of its load and its store.
    pub(crate) fn find(
        text: &'a str,
        code: &Lexical,
        load: Range<usize>,
        store: Range<usize>,
    ) -> Option<Self> {
        let between = code.text(store.end..load.start);
        let end = code.next(load.end, b';')?;
        let lone = between.trim() == "=" && code.text(load.end..end).trim().is_empty();
        let body = code.block(store.start);
        let head = text.get(body.start + 1..store.start)?;
        let start = code.previous(store.start, b";{}").map_or(0, |at| at + 1);
        let start = code.skip_blanks(start);
        let guard = text.get(start..store.start)?;
        let guarded =
            guard.is_empty() || (guard.starts_with("if") && guard.trim_end().ends_with(')'));
        let alone = code
            .text(end + 1..body.end.checked_sub(1)?)
            .trim()
            .is_empty();
        let before = head.get(..head.len() - guard.len())?;
        let returns = !code.words("return", body.clone()).is_empty();
        (lone && guarded && alone && !returns).then_some(Self {
            text,
            load,
            store,
            whole: start..end + 1,
            guard,
            before,
        })
    }

    /// The changes that stage it through a padded tile of `side` x `side` elements.
    pub(crate) fn edits(&self, wasteful: Wasteful, of: &str, side: u32) -> Option<Vec<Edit>> {
        let (load, store) = (
            self.text.get(self.load.clone())?,
            self.text.get(self.store.clone())?,
        );
        let guard = self.guard;
        let indent = indentation(self.text, self.whole.start);
        let exchanged = |statement: String| {
            let declarations = exchanged_axes(self.before);
            let declarations: Vec<_> = declarations
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .collect();
            let declarations = declarations.join(&format!("\n{indent}  "));
            format!("{{\n{indent}  {declarations}\n{indent}  {statement}\n{indent}}}")
        };
        let (own, other) = (
            "staged[threadIdx.y][threadIdx.x]",
            "staged[threadIdx.x][threadIdx.y]",
        );
        let (first, second) = match wasteful {
            Wasteful::Store => (
                format!("{guard}{own} = {load};"),
                exchanged(format!("{guard}{store} = {other};")),
            ),
            Wasteful::Load => (
                exchanged(format!("{guard}{other} = {load};")),
                format!("{guard}{store} = {own};"),
            ),
        };
        let declared = format!("__shared__ {of} staged[{side}][{}];", side + 1);
        let staged =
            format!("{declared}\n{indent}{first}\n{indent}__syncthreads();\n{indent}{second}");
        Some(vec![Edit::new(self.whole.start, self.whole.end, staged)])
    }
}

fn exchanged_axes(text: &str) -> String {
    text.replace("threadIdx.x", "threadIdx.\u{0}")
        .replace("threadIdx.y", "threadIdx.x")
        .replace("threadIdx.\u{0}", "threadIdx.y")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;

    const NAIVE: &str = "__global__ void t(const float* in, float* out, int n) {\n  int x = blockIdx.x * 32 + threadIdx.x;\n  int y = blockIdx.y * 32 + threadIdx.y;\n  if (x < n && y < n) out[x * n + y] = in[y * n + x];\n}";

    fn copy(text: &str) -> Option<Copy<'_>> {
        let (load, store) = (text.find("in[").unwrap(), text.find("out[").unwrap());
        let end = |at: usize| at + text[at..].find(']').unwrap() + 1;
        Copy::find(text, &Lexical::of(text), load..end(load), store..end(store))
    }

    #[test]
    fn the_store_is_exchanged() {
        let edits = copy(NAIVE)
            .unwrap()
            .edits(Wasteful::Store, "float", 32)
            .unwrap();
        let expected = "  __shared__ float staged[32][33];\n  if (x < n && y < n) staged[threadIdx.y][threadIdx.x] = in[y * n + x];\n  __syncthreads();\n  {\n    int x = blockIdx.x * 32 + threadIdx.y;\n    int y = blockIdx.y * 32 + threadIdx.x;\n    if (x < n && y < n) out[x * n + y] = staged[threadIdx.x][threadIdx.y];\n  }\n}";
        assert!(apply(NAIVE, &edits).unwrap().ends_with(expected));
    }

    #[test]
    fn other_statements_stay() {
        for text in [
            "{ out[i] = 2 * in[i]; }",
            "{ out[i] = in[i]; i++; }",
            "{ if (i > n) return; out[i] = in[i]; }",
            "{ for (;;) out[i] = in[i]; }",
        ] {
            assert!(copy(text).is_none(), "{text}");
        }
    }
}
