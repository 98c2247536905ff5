//! The uses of one array whose index a macro computes, with the macro written out: `s[IDX(y, x)]` as `s[((y) * 32 + (x))]`.
//!
//! What the macro says can be changed so for one array, where others share it.

use std::ops::Range;

use crate::macro_indices::Macro;
use crate::uses::Uses;
use crate::{Edit, apply};

/// A source with the macros in an array's indices written out.
pub(crate) struct WrittenOut {
    pub(crate) text: String,
    /// `[index]`: where it stands in the source, and in the text.
    places: Vec<[Range<usize>; 2]>,
}

impl WrittenOut {
    /// `None` where no index is a macro's.
    pub(crate) fn of(source: &str, uses: &Uses) -> Option<Self> {
        let macros = Macro::all(source);
        let (mut text, mut done, mut places) = (String::new(), 0, Vec::new());
        for range in uses
            .indices
            .iter()
            .filter_map(|indice| indice.brackets.last())
        {
            let index = source.get(range.clone())?;
            let Some(new) = macros.iter().find_map(|one| one.written_out(index)) else {
                continue;
            };
            text.push_str(source.get(done..range.start)?);
            let start = text.len();
            text.push_str(&new);
            places.push([range.clone(), start..text.len()]);
            done = range.end;
        }
        text.push_str(source.get(done..)?);
        (!places.is_empty()).then_some(Self { text, places })
    }

    /// Changes of the text as changes of the source.
    pub(crate) fn in_source(&self, edits: &[Edit]) -> Option<Vec<Edit>> {
        let place = |edit: &Edit| edit.span.start as usize..edit.span.end as usize;
        let is_inside = |edit: &Edit, own: &Range<usize>| {
            own.start <= place(edit).start && place(edit).end <= own.end
        };
        let mut found = Vec::new();
        for [source, own] in &self.places {
            let inside = edits.iter().filter(|edit| is_inside(edit, own));
            let moved = inside.map(|edit| {
                let Range { start, end } = place(edit);
                Edit::new(start - own.start, end - own.start, edit.replacement.clone())
            });
            let new = apply(self.text.get(own.clone())?, &moved.collect::<Vec<_>>())?;
            found.push(Edit::new(source.start, source.end, new));
        }
        let is_outside = |edit: &&Edit| !self.places.iter().any(|[_, own]| is_inside(edit, own));
        for edit in edits.iter().filter(is_outside) {
            let Range { start, end } = place(edit);
            let (start, end) = (self.back(start)?, self.back(end)?);
            found.push(Edit::new(start, end, edit.replacement.clone()));
        }
        Some(found)
    }

    /// Where what stands at a byte of the text stands in the source; `None` inside what is written out.
    fn back(&self, at: usize) -> Option<usize> {
        if self
            .places
            .iter()
            .any(|[_, own]| own.start < at && at < own.end)
        {
            return None;
        }
        let before = self.places.iter().rfind(|[_, own]| own.end <= at);
        Some(match before {
            Some([source, own]) => at - own.end + source.end,
            None => at,
        })
    }
}
