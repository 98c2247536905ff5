//! Strip mining: a loop along the elements of a row takes as many turns at a time as one access takes elements.
//!
//! `for (k = 0; k < n; k++) … a[row * n + k] …` becomes a loop over whole vectors that runs as long as there are enough
//! elements and they are aligned, and the loop as it was for the rest.

use lanescope_syntax::tree::{Expr, ExprKind, Stmt, StmtKind};

use std::collections::BTreeSet;

use crate::Edit;
use crate::code::{any, operands, own_expressions, statements, whole};
use crate::effects::{changes, jumps};
use crate::evaluated::unconditional;
use crate::gather::{Gather, Gathered, MOST_BYTES, edited, replaced};
use crate::indentation::indentation;
use crate::loop_head::{LoopHead, with_pragma};
use crate::neighbours::{Finder, Use};
use crate::pitch::free_name;

/// An array that a loop goes along.
struct Along<'e, 'g> {
    array: &'g Gathered<'g>,
    uses: Vec<Use<'e>>,
    name: String,
}

impl<'c> Gather<'_, 'c> {
    /// Strip-mines a loop along rows; whether it did.
    pub(crate) fn strip_mined(&mut self, stmt: &'c Stmt) -> bool {
        let Some(head) = LoopHead::of(stmt) else {
            return false;
        };
        let made = self.strips(stmt, &head);
        if let Some((edit, bytes, shown)) = &made {
            self.wider.add(vec![edit.clone()], *bytes, shown);
        }
        made.is_some()
    }

    fn strips(&mut self, stmt: &'c Stmt, head: &LoopHead<'c>) -> Option<(Edit, u64, String)> {
        let body = std::slice::from_ref(head.body);
        let all = statements(body);
        let mut changed = BTreeSet::new();
        all.iter().for_each(|one| changed.extend(changes(one)));
        let keeps = !changed.contains(head.counter) && !all.iter().any(|one| jumps(one));
        if !keeps {
            return None;
        }
        let arrays = self.arrays.iter().filter(|array| !array.is_shared);
        let uses: Vec<_> = arrays
            .filter_map(|array| Some((array, self.along(array, head, &changed)?)))
            .collect();
        let widest = uses
            .iter()
            .map(|(array, _)| array.target.element_bytes)
            .max()?;
        let count = MOST_BYTES / widest.max(1);
        let turns = whole(head.end).zip(head.first.and_then(whole));
        let is_short = turns.is_some_and(|(end, first)| end.saturating_sub(first) <= count);
        if count < 2 || is_short {
            return None;
        }
        let list: Vec<_> = uses
            .into_iter()
            .map(|(array, uses)| Along {
                name: self.name(array, count),
                array,
                uses,
            })
            .collect();
        let text = self.text(stmt, head, &list, count)?;
        let start = with_pragma(self.code.text(), stmt.span.start as usize);
        let first = list.first()?;
        let raw = format!("{} of {}", count, first.array.target.name);
        let shown = text
            .lines()
            .map(str::trim)
            .find(|line| line.contains("= *reinterpret_cast"))
            .map_or(raw, str::to_owned);
        let edit = Edit::new(start, stmt.span.end as usize, text);
        Some((edit, count * widest, shown))
    }

    /// The uses of neighbours of one stem that each turn makes.
    fn along(
        &self,
        array: &Gathered<'c>,
        head: &LoopHead<'c>,
        changed: &BTreeSet<String>,
    ) -> Option<Vec<Use<'c>>> {
        if array.is_stored {
            return None;
        }
        let finder = Finder {
            code: self.code,
            target: array.target,
            counter: Some(head.counter),
            is_deep: false,
        };
        let found = unconditional(&finder, std::slice::from_ref(head.body), false);
        let mut uses = found
            .into_iter()
            .filter(|one| one.counts && one.elements == 1 && one.names.is_disjoint(changed));
        let first = uses.next()?;
        let (key, offset) = (first.key(), first.offset);
        let is_same = |usage: &Use<'_>| {
            usage.counts && usage.elements == 1 && usage.offset == offset && usage.key() == key
        };
        let deep = Finder {
            is_deep: true,
            ..finder
        };
        let mut all = deep.all(std::slice::from_ref(head.body));
        all.retain(is_same);
        Some(all)
    }

    fn text(
        &self,
        stmt: &'c Stmt,
        head: &LoopHead<'c>,
        list: &[Along<'c, '_>],
        count: u64,
    ) -> Option<String> {
        let code = self.code;
        let turn = free_name(code, "turn");
        let indent = indentation(code.text(), stmt.span.start as usize);
        let counter = head.counter;
        let mut edits: Vec<Edit> = Vec::new();
        for one in list {
            let element = format!("{}[{turn}]", one.name);
            edits.extend(
                one.uses
                    .iter()
                    .map(|use_| replaced(use_.span, element.clone())),
            );
        }
        edits.extend(self.counters(head, &turn, &edits)?);
        let body = edited(code, head.body.span, &edits)?;
        let end = code.at(head.end.span);
        let is_whole = list.iter().all(|one| is_aligned(&one.uses[0], count))
            && !head.includes_end
            && [Some(head.end), head.first].into_iter().all(|side| {
                side.and_then(whole)
                    .is_some_and(|side| side.is_multiple_of(count))
            });
        let deep = if is_whole { "" } else { "  " };
        let inner = format!("{indent}{deep}  ");
        let deeper = |text: &str, by: &str| text.replace('\n', &format!("\n{by}"));
        let body = deeper(&body, &format!("{deep}  "));
        let plain = deeper(code.at(head.body.span), "  ");
        let mut lines = String::new();
        for one in list {
            let use_ = with_counter(&one.uses[0], counter);
            let loaded = self.loaded(one.array, &use_, &one.name, use_.offset, count, &inner)?;
            lines += &format!("\n{inner}{loaded}");
        }
        let turns = format!(
            "\n{inner}#pragma unroll\n{inner}for (int {turn} = 0; {turn} < {count}; {turn}++) {body}"
        );
        let init = head.init.map_or("", |init| code.at(init.span));
        let init = init.trim_end().trim_end_matches(';');
        if is_whole {
            return Some(format!(
                "for ({init}; {counter} < {end}; {counter} += {count}) {{{lines}{turns}\n{indent}}}"
            ));
        }
        let tests: Vec<_> = list
            .iter()
            .map(|one| {
                let use_ = with_counter(&one.uses[0], counter);
                let bytes = count * one.array.target.element_bytes;
                let (base, index) = (&use_.base, use_.index(use_.offset));
                format!("reinterpret_cast<size_t>(&{base}[{index}]) % {bytes} == 0")
            })
            .collect();
        let tests = tests.join(" && ");
        let enough = match head.includes_end {
            true => format!("{counter} + {} <= {end}", count - 1),
            false => format!("{counter} + {count} <= {end}"),
        };
        let sign = if head.includes_end { "<=" } else { "<" };
        let begin = match init {
            "" => String::new(),
            init => format!("{indent}  {init};\n"),
        };
        Some(format!(
            "{{\n{begin}{indent}  for (; {enough} && {tests}; {counter} += {count}) {{{lines}{turns}\n{indent}  }}\n{indent}  for (; {counter} {sign} {end}; {counter}++) {plain}\n{indent}}}"
        ))
    }

    /// The counter's other uses, with the turn added; `None` where one of them stands in a macro.
    fn counters(&self, head: &LoopHead<'c>, turn: &str, replaced: &[Edit]) -> Option<Vec<Edit>> {
        let mut edits = Vec::new();
        for stmt in statements(std::slice::from_ref(head.body)) {
            let shadows = matches!(&stmt.kind, StmtKind::Declare(list) if list.iter().any(|one| *one.name == *head.counter));
            if shadows {
                return None;
            }
            for expr in own_expressions(stmt) {
                if any(expr, &|one| matches!(one.kind, ExprKind::Lambda(..))) {
                    return None;
                }
                let mut found = Vec::new();
                named(expr, head.counter, &mut found);
                for one in found {
                    if self.code.at(one.span) != head.counter {
                        return None;
                    }
                    let holds = |edit: &Edit| {
                        edit.span.start <= one.span.start && one.span.end <= edit.span.end
                    };
                    let is_done =
                        replaced.iter().any(holds) || edits.iter().any(|edit: &Edit| holds(edit));
                    if !is_done {
                        let text = format!("({} + {turn})", head.counter);
                        edits.push(crate::gather::replaced(one.span, text));
                    }
                }
            }
        }
        Some(edits)
    }
}

fn named<'e>(expr: &'e Expr, name: &str, found: &mut Vec<&'e Expr>) {
    if matches!(&expr.kind, ExprKind::Name(one) if **one == *name) {
        found.push(expr);
    }
    for operand in operands(expr) {
        named(operand, name, found);
    }
}

/// The use with the counter as the last part of its stem.
fn with_counter<'e>(usage: &Use<'e>, counter: &str) -> Use<'e> {
    let stem_text = match usage.stem_text.as_str() {
        "" => counter.to_owned(),
        stem => format!("{stem} + {counter}"),
    };
    Use {
        stem_text,
        stem: Vec::new(),
        ..usage.clone()
    }
}

/// Whether the stem is a multiple of `count` whatever its names are.
fn is_aligned(usage: &Use<'_>, count: u64) -> bool {
    let is_multiple = |expr: &&Expr| match &expr.kind {
        ExprKind::Binary("*", a, b) => [a, b]
            .into_iter()
            .any(|side| whole(side).is_some_and(|side| side.is_multiple_of(count))),
        _ => false,
    };
    usage.offset.is_multiple_of(count) && usage.stem.iter().all(is_multiple)
}
