//! The best linear swizzle among the places of an array.

use std::collections::BTreeMap;

use lanescope_frontend::SourceArray;
use lanescope_model::Device;

use super::{LinearSearch, search_linear};
use crate::advisor::Advisor;
use crate::candidates::MOST_PADDING;
use crate::record::ArrayRecord;
use crate::search::bound;
use crate::{Family, Found, Front, Note, Pattern, Place, Question, Shape};

/// What was decided about the places of one array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decided {
    linear: LinearSearch,
    /// The fewest wavefronts of all places that were found, or of the array as it is.
    fewest: u64,
    /// Whether all pitches were tried.
    pitches: bool,
}

/// Adds the best linear swizzle of an array to what was found, where it takes fewer wavefronts than every other XOR, and keeps
/// the fewest that any takes. It is searched once for all runs of a search.
pub(crate) fn add_linear(
    question: &Question<'_>,
    known: &mut BTreeMap<(String, u64), Decided>,
    array: &SourceArray,
    (shape, patterns): (&Shape, &[Pattern]),
    front: &mut Front,
    possible: &dyn Fn(Place) -> bool,
) {
    let xors = front.found.iter();
    let xors = xors.filter(|found| found.place.family() == Family::Xor);
    let now = front.now.wavefronts;
    let best = xors.map(|found| found.totals.wavefronts).min();
    let to_beat = best.unwrap_or(now).min(now);
    let (device, reader) = (question.device, question.reader);
    if to_beat <= bound(device, patterns) {
        return;
    }
    let key = (array.name.clone(), shape.row());
    let linear = known.get(&key).map(|known| known.linear);
    let linear = linear
        .unwrap_or_else(|| search_linear(device, shape, patterns, to_beat, &|| reader.is_over()));
    front.found.extend(linear.found(shape, possible));
    front.found.sort_by_key(Found::cost);
    let found = front.found.iter().map(|found| found.totals.wavefronts);
    let decided = Decided {
        linear,
        fewest: found.chain([now]).min().unwrap_or(now),
        pitches: has_all_pitches(device, shape, patterns, possible),
    };
    known.insert(key, decided);
}

impl Advisor<'_, '_> {
    /// That no linear swizzle of an array takes fewer wavefronts than the best of its fixes, or than now where it has none.
    pub(crate) fn none_better(
        &self,
        array: &SourceArray,
        record: &ArrayRecord,
        best: Option<u64>,
    ) -> Option<Note> {
        let row = self.shape_of(array)?.row();
        let decided = self.memory.linear.get(&(array.name.clone(), row))?;
        let wavefronts = best.unwrap_or(record.shared.wavefronts);
        let is_least = decided.linear.least? >= wavefronts && wavefronts == decided.fewest;
        is_least.then(|| Note::NoneBetter {
            array: array.name.clone(),
            wavefronts,
            pitches: decided.pitches,
        })
    }
}

/// Whether every pitch of an array was tried: those that were are as many as there are places of a row among the banks.
fn has_all_pitches(
    device: &Device,
    shape: &Shape,
    patterns: &[Pattern],
    possible: &dyn Fn(Place) -> bool,
) -> bool {
    let pad = Place::Pad {
        dimension: 1,
        elements: 1,
    };
    let longest = MOST_PADDING * shape.element_bytes();
    let is_tried = |pattern: &Pattern| {
        let report = device.shared_report(&pattern.request());
        report.is_ok_and(|report| u64::from(report.banks) * u64::from(report.bank_bytes) <= longest)
    };
    shape.extents().len() == 2 && patterns.iter().all(is_tried) && possible(pad)
}

impl LinearSearch {
    fn found(&self, shape: &Shape, possible: &dyn Fn(Place) -> bool) -> Option<Found> {
        let (swizzle, totals) = self.best?;
        let place = Place::Linear(swizzle);
        possible(place).then(|| Found {
            place,
            totals,
            extra_bytes: 0,
            instructions: place.instructions(shape),
        })
    }
}
