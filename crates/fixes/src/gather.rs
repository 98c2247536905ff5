//! Neighbouring elements that a thread takes one by one, taken in one access.
//!
//! In a list of statements the loads of `a[stem]`, `a[stem + 1]`, … become one load before the first of them, and the
//! stores one store behind the last. A load is hoisted and a store is delayed only over statements that change no name
//! of the stem, do not jump, and do not wait at a barrier. Statements behind guards that the last of them implies
//! (`if (i < n) …; if (i + 1 < n) …`) are gathered behind the last guard; as they stand they are what else runs. Whether
//! the accesses are aligned, a run of the changed source tells.

use std::collections::BTreeSet;

use lanescope_frontend::SourceArray;
use lanescope_syntax::Span;
use lanescope_syntax::tree::{ExprKind, Function, Stmt, StmtKind};

use crate::chunks::{Placed, chunks};
use crate::code::Code;
use crate::effects::{changes, jumps, waits};
use crate::evaluated::{flat, head_end, uses_of};
use crate::guards::Guards;
use crate::indentation::indentation;
use crate::neighbours::{Finder, Target};
use crate::vector_type::{FIELDS, vector_of};
use crate::wider::Wider;
use crate::{Edit, apply};

/// The most bytes of an access.
pub(crate) const MOST_BYTES: u64 = 16;
/// An array whose elements are gathered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gathered<'a> {
    /// Its name and its element's bytes.
    pub(crate) target: Target<'a>,
    /// The type of an element, as far as the run knows it.
    pub(crate) element: &'a str,
    /// Whether it is only written; else it is only read.
    pub(crate) is_stored: bool,
    /// Whether it is read and written, each element by one thread alone.
    pub(crate) is_own: bool,
    /// Whether other threads write what is read: nothing is hoisted over a barrier or a write then.
    pub(crate) is_shared: bool,
    /// All names of the memory, where it has several.
    pub(crate) others: &'a [String],
}

impl<'a> Gathered<'a> {
    /// An array that is only read, of which nothing that is read is written meanwhile.
    pub(crate) fn read(array: &'a SourceArray) -> Self {
        Self {
            target: Target {
                name: &array.name,
                element_bytes: array.element_bytes,
            },
            element: &array.element,
            is_stored: false,
            is_own: false,
            is_shared: false,
            others: &[],
        }
    }
}

/// The kernel with the accesses to these arrays gathered; `None` where there is nothing to gather.
pub(crate) fn widened(
    code: &Code<'_>,
    kernel: &Function,
    arrays: &[Gathered<'_>],
) -> Option<Wider> {
    let mut gather = Gather {
        code,
        kernel,
        arrays,
        names: BTreeSet::new(),
        is_apart: false,
        wider: Wider::default(),
    };
    gather.list(&kernel.body.iter().collect::<Vec<_>>(), None);
    (gather.wider.bytes > 0).then_some(gather.wider)
}

/// The search for accesses to gather.
pub(crate) struct Gather<'a, 'c> {
    pub(crate) code: &'c Code<'a>,
    pub(crate) kernel: &'c Function,
    pub(crate) arrays: &'c [Gathered<'c>],
    /// Names that have been given.
    pub(crate) names: BTreeSet<String>,
    /// Whether the statements of a list stand in several places of the text.
    pub(crate) is_apart: bool,
    pub(crate) wider: Wider,
}

impl<'c> Gather<'_, 'c> {
    /// Gathers in a list of statements and in all inside them; `lone` is where the head of the control ends whose body
    /// the only statement is, without braces.
    pub(crate) fn list(&mut self, list: &[&'c Stmt], lone: Option<u32>) {
        let list = flat(list);
        let has_own = self.arrays.iter().any(|array| array.is_own);
        let mut at = 0;
        while at < list.len() {
            if let Some(guards) = Guards::of(self.code, &list[at..]).filter(|_| !has_own)
                && !self.is_wgsl()
                && let Some(wider) = self.guarded(&guards)
            {
                self.wider.take(wider);
                at += guards.count();
                continue;
            }
            self.nested(list[at]);
            at += 1;
        }
        for array in self.arrays {
            self.of_array(&list, array, lone);
        }
    }

    /// The statements of guards gathered behind the last guard, and else as they stand.
    fn guarded(&mut self, guards: &Guards<'c>) -> Option<Wider> {
        let mut inner = Gather {
            code: self.code,
            kernel: self.kernel,
            arrays: self.arrays,
            names: std::mem::take(&mut self.names),
            is_apart: true,
            wider: Wider::default(),
        };
        for array in self.arrays {
            inner.of_array(&guards.statements, array, None);
        }
        self.names = inner.names;
        let Wider {
            edits,
            bytes,
            shown,
            taken,
        } = inner.wider;
        let edit = guards.gathered(self.code, &edits)?;
        (bytes > 0).then(|| Wider {
            edits: vec![edit],
            bytes,
            shown,
            taken,
        })
    }

    fn nested(&mut self, stmt: &'c Stmt) {
        let has_own = self.arrays.iter().any(|array| array.is_own);
        if !has_own && !self.is_wgsl() && self.strip_mined(stmt) {
            return;
        }
        for inner in stmt.nested() {
            match &inner.kind {
                StmtKind::Block(list) => self.list(&list.iter().collect::<Vec<_>>(), None),
                StmtKind::Several(_) | StmtKind::Declare(_) => {}
                // Any other is a body without braces.
                _ => self.list(&[inner], head_end(stmt, inner)),
            }
        }
    }

    fn of_array(&mut self, list: &[&'c Stmt], array: &Gathered<'c>, lone: Option<u32>) {
        let mut open: Vec<Vec<Placed<'c>>> = Vec::new();
        let mut done: Vec<Vec<Placed<'c>>> = Vec::new();
        for (at, stmt) in list.iter().enumerate() {
            let changed = changes(stmt);
            let ends = jumps(stmt)
                || (array.is_shared && waits(stmt, self.code, array))
                || (array.is_own && self.code.at(stmt.span).contains("sync"));
            let finder = self.finder(array);
            for one in uses_of(&finder, stmt, array.is_stored) {
                let key = one.key();
                match open.iter_mut().find(|group| group[0].one.key() == key) {
                    Some(group) => group.push(Placed { at, one }),
                    None => open.push(vec![Placed { at, one }]),
                }
            }
            let is_closed = |group: &Vec<Placed<'c>>| {
                ends || group
                    .iter()
                    .any(|use_| !use_.one.names.is_disjoint(&changed))
            };
            let (closed, still): (Vec<_>, Vec<_>) = open.into_iter().partition(is_closed);
            // What the statement itself changes may lie before its own uses or behind them.
            done.extend(closed.into_iter().map(|mut group| {
                group.retain(|one| one.at < at || !ends && one.one.names.is_disjoint(&changed));
                group
            }));
            open = still;
        }
        done.extend(open);
        for group in done.iter().filter(|group| !group.is_empty()) {
            self.group(list, array, group, lone);
        }
        for stmt in list {
            if !array.is_own {
                self.counted(stmt, array);
            }
        }
    }

    fn finder(&self, array: &Gathered<'c>) -> Finder<'_, 'c>
    where
        Self: 'c,
    {
        Finder {
            code: self.code,
            target: array.target,
            counter: None,
            is_deep: false,
        }
    }

    /// Gathers uses of one stem.
    fn group(
        &mut self,
        list: &[&'c Stmt],
        array: &Gathered<'c>,
        group: &[Placed<'c>],
        lone: Option<u32>,
    ) {
        for (first, count) in chunks(array, group) {
            let range = first..first + count;
            let inside = |use_: &&Placed<'c>| range.contains(&use_.one.offset);
            let chosen: Vec<_> = group.iter().filter(inside).cloned().collect();
            let made = match (array.is_own, array.is_stored) {
                (true, _) if lone.is_some() => None,
                (true, _) => self.own_copy(list, array, &chosen, first, count),
                (false, true) => self.store(list, array, &chosen, first, count, lone),
                (false, false) => self.load(list, array, &chosen, first, count, lone),
            };
            if let Some((edits, shown)) = made {
                let bytes = count * array.target.element_bytes;
                self.wider.add(edits, bytes, &shown);
                self.wider.taken.push((count, chosen.len()));
            }
        }
    }

    fn load(
        &mut self,
        list: &[&'c Stmt],
        array: &Gathered<'c>,
        chosen: &[Placed<'c>],
        first: u64,
        count: u64,
        lone: Option<u32>,
    ) -> Option<(Vec<Edit>, String)> {
        let one = &chosen.first()?.one;
        let start = list
            .get(chosen.iter().map(|use_| use_.at).min()?)?
            .span
            .start as usize;
        let indent = indentation(self.code.text(), start);
        let is_plain = chosen.iter().all(|use_| use_.one.is_plain);
        let is_declared = self.element(array) == array.element;
        let is_typed = is_plain && is_declared && !self.is_wgsl();
        let vector = vector_of(array.element, count).filter(|_| is_typed);
        let name = self.name(array, count);
        let text = match &vector {
            Some(ty) => format!(
                "const {ty} {name} = {};",
                self.vector(&format!("const {ty}"), one, first, count)
            ),
            None => self.loaded(array, one, &name, first, count, &indent)?,
        };
        let mut edits = Vec::new();
        for use_ in chosen {
            let at = usize::try_from(use_.one.offset - first).ok()?;
            let element = match vector.is_some() || self.is_wgsl() {
                true => format!("{name}.{}", FIELDS.get(at)?),
                false => format!("{name}[{at}]"),
            };
            edits.push(replaced(use_.one.span, element));
        }
        let shown = text.lines().last().unwrap_or_default().trim().to_owned();
        match lone {
            Some(head) => {
                let end = list.first()?.span.end as usize;
                let outer = indentation(self.code.text(), head as usize);
                edits.push(Edit::new(
                    head as usize,
                    start,
                    format!(" {{\n{outer}  {text}\n{outer}  "),
                ));
                edits.push(Edit::new(end, end, format!("\n{outer}}}")));
            }
            None => edits.push(Edit::new(start, start, format!("{text}\n{indent}"))),
        }
        Some((edits, shown))
    }

    fn store(
        &mut self,
        list: &[&'c Stmt],
        array: &Gathered<'c>,
        chosen: &[Placed<'c>],
        first: u64,
        count: u64,
        lone: Option<u32>,
    ) -> Option<(Vec<Edit>, String)> {
        if lone.is_some() {
            return None;
        }
        if !self.is_apart
            && let Some(made) = self.joined(list, array, chosen, first, count)
        {
            return Some(made);
        }
        let one = &chosen.first()?.one;
        let start = list
            .get(chosen.iter().map(|use_| use_.at).min()?)?
            .span
            .start as usize;
        let end = list.get(chosen.iter().map(|use_| use_.at).max()?)?.span.end as usize;
        let indent = indentation(self.code.text(), start);
        let name = self.name(array, count);
        let stored = self.stored(array, one, &name, first, count)?;
        let declared = self.own(array, &name, count, &indent);
        let mut edits = vec![Edit::new(start, start, format!("{declared}\n{indent}"))];
        for use_ in chosen {
            let element = format!("{name}[{}]", use_.one.offset - first);
            edits.push(replaced(use_.one.span, element));
        }
        edits.push(Edit::new(end, end, format!("\n{indent}{stored}")));
        Some((edits, stored))
    }

    /// Stores that follow each other as one, of the values as they stand.
    fn joined(
        &self,
        list: &[&'c Stmt],
        array: &Gathered<'c>,
        chosen: &[Placed<'c>],
        first: u64,
        count: u64,
    ) -> Option<(Vec<Edit>, String)> {
        let mut edits = Vec::new();
        let one = &chosen.first()?.one;
        let [vector, made] = self.stored_and_made(array, one, first, count)?;
        for (turn, use_) in chosen.iter().enumerate() {
            let follows = use_.one.offset == first + turn as u64
                && use_.at == chosen.first()?.at + turn
                && use_.one.is_plain;
            let StmtKind::Expr(expr) = &list.get(use_.at)?.kind else {
                return None;
            };
            let ExprKind::Assign("=", target, value) = &expr.kind else {
                return None;
            };
            let is_whole = self.code.at(target.span) == self.code.at(use_.one.span);
            if !follows || !is_whole || self.code.at(value.span).is_empty() {
                return None;
            }
            let start = match turn {
                0 => target.span.start,
                _ => list.get(use_.at.checked_sub(1)?)?.span.end,
            };
            let (start, end) = match turn {
                0 => (start as usize, value.span.start as usize),
                _ => {
                    let before = list.get(use_.at.checked_sub(1)?)?;
                    let StmtKind::Expr(before) = &before.kind else {
                        return None;
                    };
                    (before.span.end as usize, value.span.start as usize)
                }
            };
            let text = match turn {
                0 => format!("{vector} = {made}("),
                _ => ", ".to_owned(),
            };
            edits.push(Edit::new(start, end, text));
        }
        let StmtKind::Expr(last) = &list.get(chosen.last()?.at)?.kind else {
            return None;
        };
        let end = last.span.end as usize;
        edits.push(Edit::new(end, end, ")"));
        Some((edits, format!("{vector} = {made}(…);")))
    }
}

pub(crate) fn replaced(span: Span, text: String) -> Edit {
    Edit::new(span.start as usize, span.end as usize, text)
}

/// The text of a stretch with the edits that lie in it made.
pub(crate) fn edited(code: &Code<'_>, span: Span, edits: &[Edit]) -> Option<String> {
    let inside = edits
        .iter()
        .filter(|edit| edit.span.start >= span.start && edit.span.end <= span.end);
    let moved: Vec<_> = inside
        .map(|edit| {
            Edit::new(
                (edit.span.start - span.start) as usize,
                (edit.span.end - span.start) as usize,
                edit.replacement.clone(),
            )
        })
        .collect();
    apply(code.at(span), &moved)
}
