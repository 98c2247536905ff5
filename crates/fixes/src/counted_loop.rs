//! Neighbours that a loop of few turns goes through: one access before the loop, or behind it.

use std::collections::BTreeSet;

use lanescope_syntax::tree::Stmt;

use crate::Edit;
use crate::code::{statements, whole};
use crate::effects::{changes, jumps, waits};
use crate::evaluated::unconditional;
use crate::gather::{Gather, Gathered, MOST_BYTES, replaced};
use crate::indentation::indentation;
use crate::loop_head::{LoopHead, with_pragma};
use crate::neighbours::{Finder, Use};

/// A loop `for (int j = 0; j < 4; j++)` of literal bounds.
struct CountedLoop<'e> {
    counter: String,
    first: u64,
    end: u64,
    body: &'e [Stmt],
}

impl<'e> CountedLoop<'e> {
    fn of(stmt: &'e Stmt) -> Option<Self> {
        let head = LoopHead::of(stmt)?;
        Some(Self {
            first: whole(head.first?)?,
            end: whole(head.end).filter(|_| !head.includes_end)?,
            counter: head.counter.to_owned(),
            body: std::slice::from_ref(head.body),
        })
        .filter(|counted| counted.end > counted.first)
    }
}

impl<'c> Gather<'_, 'c> {
    /// The array's neighbours that a loop of few turns goes through.
    pub(crate) fn counted(&mut self, stmt: &'c Stmt, array: &Gathered<'c>) {
        let Some(counted) = CountedLoop::of(stmt) else {
            return;
        };
        let finder = Finder {
            code: self.code,
            target: array.target,
            counter: Some(&counted.counter),
            is_deep: false,
        };
        let count = counted.end - counted.first;
        let bytes = count * array.target.element_bytes;
        let mut changed = BTreeSet::new();
        for one in statements(counted.body) {
            changed.extend(changes(one));
        }
        let may_move = statements(counted.body)
            .iter()
            .all(|one| !(jumps(one) || array.is_shared && waits(one, self.code, array)));
        if !bytes.is_power_of_two()
            || bytes > MOST_BYTES
            || count < 2
            || changed.contains(&counted.counter)
            || !may_move
        {
            return;
        }
        let found = unconditional(&finder, counted.body, array.is_stored);
        let uses: Vec<Use<'_>> = found
            .into_iter()
            .filter(|one| {
                one.counts
                    && one.elements == 1
                    && (one.offset + counted.first).is_multiple_of(count)
                    && one.names.is_disjoint(&changed)
            })
            .collect();
        let Some(one) = uses.first() else { return };
        let deep = Finder {
            is_deep: !array.is_stored,
            ..finder
        };
        let mut same = match array.is_stored {
            true => uses.clone(),
            false => deep.all(counted.body),
        };
        same.retain(|other| {
            other.counts
                && other.elements == 1
                && other.key() == one.key()
                && other.offset == one.offset
        });
        let start = stmt.span.start as usize;
        let start = with_pragma(self.code.text(), start);
        let indent = indentation(self.code.text(), start);
        let name = self.name(array, count);
        let first = one.offset + counted.first;
        let index = match counted.first {
            0 => counted.counter.clone(),
            first => format!("{} - {first}", counted.counter),
        };
        let mut edits: Vec<Edit> = same
            .iter()
            .map(|other| replaced(other.span, format!("{name}[{index}]")))
            .collect();
        let shown = match array.is_stored {
            true => {
                let Some(stored) = self.stored(array, one, &name, first, count) else {
                    return;
                };
                let declared = self.own(array, &name, count, &indent);
                edits.push(Edit::new(start, start, format!("{declared}\n{indent}")));
                let end = stmt.span.end as usize;
                edits.push(Edit::new(end, end, format!("\n{indent}{stored}")));
                stored
            }
            false => {
                let Some(text) = self.loaded(array, one, &name, first, count, &indent) else {
                    return;
                };
                let shown = text.lines().last().unwrap_or_default().trim().to_owned();
                edits.push(Edit::new(start, start, format!("{text}\n{indent}")));
                shown
            }
        };
        self.wider.add(edits, bytes, &shown);
        self.wider.taken.push((count, same.len()));
    }
}
