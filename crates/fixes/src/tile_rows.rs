//! Rows of one tile alone set further apart, where pointers carve several out of one array.

use std::collections::BTreeSet;
use std::rc::Rc;

use lanescope_frontend::SourceArray;
use lanescope_syntax::tree::Function;

use crate::advisor::Advisor;
use crate::carved::{InTheWay, Moved, TileGrowth, Tiles};
use crate::change::Change;
use crate::code::Code;
use crate::record::{ArrayRecord, Watch};
use crate::row_pitch::RowPitch;
use crate::trial::cost;
use crate::{FixKind, Place, Proof, Suggestion};

/// The most pitches of one tile that are tried.
const PITCHES: usize = 2;

/// What longer rows of all tiles leave.
#[derive(Clone, Copy)]
struct Whole {
    cost: u64,
    /// Elements that a row is longer.
    elements: u64,
}

impl<'a> Advisor<'a, '_> {
    /// Of each tile: it takes less room than longer rows of all, and is kept where it gains as much.
    pub(crate) fn tile_rows(
        &mut self,
        (code, kernel): (&Code<'_>, &Rc<Function>),
        array: &'a SourceArray,
        record: &ArrayRecord,
        found_before: usize,
    ) {
        let Some(tiles) = Tiles::of(code, kernel, array) else {
            return;
        };
        let whole = self.padded_whole(array, found_before);
        let widest = record
            .patterns
            .all()
            .iter()
            .map(|pattern| pattern.width.bytes());
        let widest = widest.max().unwrap_or(1);
        let mut in_the_way: Option<InTheWay> = None;
        for (at, (name, element)) in tiles.pointers().enumerate() {
            let vector = widest.div_ceil(element).max(1);
            let steps = match whole {
                Some(whole) => BTreeSet::from([whole.elements]),
                None => BTreeSet::from([1, vector, 16 / element.clamp(1, 16)]),
            };
            let is_aligned = |more: &u64| whole.is_some() || more.is_multiple_of(vector);
            for more in steps.into_iter().filter(is_aligned) {
                let most = whole.map(|whole| whole.cost);
                for pitch in RowPitch::of_tile(code, kernel, name)
                    .into_iter()
                    .take(PITCHES)
                {
                    // Any factor of an index may be tried as a pitch: only a length is one for certain.
                    let is_length = kernel.parameters.iter().any(|one| *one.name == pitch.text);
                    let is_told =
                        |kept: &InTheWay| is_length || matches!(kept, InTheWay::Pointer(_));
                    let first = vec![(name, pitch)];
                    match self.longer((code, &tiles), (array, &first), more, most) {
                        Ok(cost) if whole.is_none() => {
                            let behind = (at + 1, more, cost);
                            return self.longer_too((code, kernel), (array, &tiles), first, behind);
                        }
                        Ok(_) => return,
                        Err(kept) => in_the_way = in_the_way.or(kept.filter(is_told)),
                    }
                }
            }
        }
        if let (Some(kept), None) = (in_the_way, whole) {
            self.advice.notes.push(kept.note(array.name.clone()));
        }
    }

    /// The best of the fixes that set the rows of all tiles further apart.
    fn padded_whole(&self, array: &SourceArray, found_before: usize) -> Option<Whole> {
        let of = |one: &Suggestion| match one.kind {
            FixKind::Place(Place::Pad { elements, .. }) if one.array == array.name => Some(Whole {
                cost: cost(&one.totals[1]),
                elements,
            }),
            _ => None,
        };
        let found = self.advice.suggestions.get(found_before..)?;
        found.iter().filter_map(of).min_by_key(|one| one.cost)
    }

    /// The same of the tiles from `place` on as well, each where that takes less.
    fn longer_too<'t>(
        &mut self,
        (code, kernel): (&Code<'_>, &Rc<Function>),
        (array, tiles): (&'a SourceArray, &'t Tiles<'_>),
        mut longer: Vec<(&'t str, RowPitch)>,
        (place, more, mut cost): (usize, u64, u64),
    ) {
        for (name, _) in tiles.pointers().skip(place) {
            let pitches = RowPitch::of_tile(code, kernel, name);
            let Some(pitch) = pitches.into_iter().next() else {
                continue;
            };
            longer.push((name, pitch));
            let most = Some(cost.saturating_sub(1));
            match self.longer((code, tiles), (array, &longer), more, most) {
                Ok(less) => cost = less,
                Err(_) => longer.truncate(longer.len() - 1),
            }
        }
    }

    /// Tries longer rows of some tiles; what they cost then, or what does not move behind them.
    fn longer(
        &mut self,
        (code, tiles): (&Code<'_>, &Tiles<'_>),
        (array, longer): (&'a SourceArray, &[(&str, RowPitch)]),
        more: u64,
        most_cost: Option<u64>,
    ) -> Result<u64, Option<InTheWay>> {
        let (mut edits, mut moved) = (Vec::new(), Moved::default());
        let mut snippet = None;
        for (tile, pitch) in longer {
            let own = pitch.edits(code, more).ok_or(None)?;
            let growth = TileGrowth {
                tile,
                pitch: &pitch.text,
                row: pitch.value,
                more,
                own: &own,
            };
            moved.take(tiles.moved(growth));
            snippet.get_or_insert_with(|| pitch.shown(code, &own));
            edits.extend(own);
        }
        // An array that is too small for other lengths may do for these.
        if matches!(moved.in_the_way, Some(InTheWay::Size(_))) {
            return Err(moved.in_the_way);
        }
        edits.extend(moved.edits(code));
        let place = Place::Pad {
            dimension: 1,
            elements: more,
        };
        let known = self.advice.suggestions.len();
        self.plan(1);
        let change = Change {
            array: Some(array),
            snippet,
            relocates: true,
            most_cost,
            ..Change::whole(FixKind::Place(place), edits, self.launch.clone())
        };
        self.prove(change, &Watch::PLAIN, Proof::SameAccesses);
        let found = self.advice.suggestions.get(known);
        found
            .map(|one| cost(&one.totals[1]))
            .ok_or(moved.in_the_way)
    }
}
