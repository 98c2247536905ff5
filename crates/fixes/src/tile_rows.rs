//! Rows of one tile alone set further apart, where pointers carve several out of one array.

use std::collections::BTreeSet;
use std::rc::Rc;

use lanescope_frontend::SourceArray;
use lanescope_syntax::tree::Function;

use crate::advisor::Advisor;
use crate::carved::{InTheWay, TileGrowth, Tiles};
use crate::change::Change;
use crate::code::Code;
use crate::record::{ArrayRecord, Watch};
use crate::row_pitch::RowPitch;
use crate::trial::cost;
use crate::{Edit, FixKind, Note, Place, Proof, Suggestion};

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
        let mut in_the_way = None;
        for (name, element) in tiles.pointers() {
            let vector = widest.div_ceil(element).max(1);
            let steps = match whole {
                Some(whole) => BTreeSet::from([whole.elements]),
                None => BTreeSet::from([1, vector, 16 / element.clamp(1, 16)]),
            };
            let is_aligned = |more: &u64| whole.is_some() || more.is_multiple_of(vector);
            for more in steps.into_iter().filter(is_aligned) {
                let known = self.advice.suggestions.len();
                for pitch in RowPitch::of_tile(code, kernel, name).iter().take(PITCHES) {
                    let tile = (&tiles, name);
                    let kept = self.tile_alone(code, tile, (array, pitch), (more, whole));
                    in_the_way = in_the_way.or(kept);
                    if self.advice.suggestions.len() > known {
                        return;
                    }
                }
            }
        }
        if let (Some(InTheWay::Pointer(pointer)), None) = (in_the_way, whole) {
            let array = array.name.clone();
            self.advice.notes.push(Note::PointerKept { array, pointer });
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

    /// Tries longer rows of one tile; what does not move behind it.
    fn tile_alone(
        &mut self,
        code: &Code<'_>,
        (tiles, name): (&Tiles, &str),
        (array, pitch): (&'a SourceArray, &RowPitch),
        (more, whole): (u64, Option<Whole>),
    ) -> Option<InTheWay> {
        let own = pitch.edits(code, more)?;
        let growth = TileGrowth {
            tile: name,
            pitch: &pitch.text,
            row: pitch.value,
            more,
            own: &own,
        };
        let moved = tiles.moved(code, growth);
        let all: Vec<Edit> = own.iter().cloned().chain(moved.edits).collect();
        let snippet = pitch.shown(code, &own);
        let place = Place::Pad {
            dimension: 1,
            elements: more,
        };
        self.plan(1);
        let change = Change {
            array: Some(array),
            snippet: Some(snippet),
            relocates: true,
            most_cost: whole.map(|whole| whole.cost),
            ..Change::whole(FixKind::Place(place), all, self.launch.clone())
        };
        self.prove(change, &Watch::PLAIN, Proof::SameAccesses);
        moved.in_the_way
    }
}
