//! Rows of a shared array that is indexed flat, set further apart.

use std::collections::BTreeSet;
use std::rc::Rc;

use lanescope_frontend::SourceArray;
use lanescope_syntax::tree::Function;

use crate::advisor::Advisor;
use crate::change::Change;
use crate::code::Code;
use crate::literal::{Literal, grown};
use crate::macro_indices::MacroIndices;
use crate::record::{ArrayRecord, Watch};
use crate::rewrite::operand;
use crate::row_pitch::RowPitch;
use crate::unused_padding::unused_padding;
use crate::wgsl_indices::WgslIndices;
use crate::written_out::WrittenOut;
use crate::{Edit, FixKind, Note, Place, Proof, Suggestion};

/// The most pitches of one array that are tried.
const PITCHES: usize = 3;

/// A pitch that is some elements more, as changes of the text that is fixed; `None` where that does not allow them.
type Written<'w> = &'w dyn Fn(&RowPitch, Vec<Edit>, u64) -> Option<Vec<Edit>>;

/// Bytes of what is counted in offsets of an array: of a pool of bytes those of the elements that pointers take out of it,
/// else 1.
fn unit_of(array: &SourceArray, record: &ArrayRecord) -> u64 {
    let widths = record
        .patterns
        .all()
        .iter()
        .map(|pattern| pattern.width.bytes());
    let narrowest = widths.min().filter(|_| array.element_bytes == 1);
    narrowest.unwrap_or(1)
}

/// The size of an array in WGSL whose rows of `pitch` are that many elements longer.
fn longer(size: &str, pitch: &str, elements: u64) -> String {
    if let Some(grown) = grown(size, pitch, elements) {
        return grown;
    }
    let wider = match Literal::of(pitch) {
        Some(number) => number.with(number.value + elements),
        None => format!("({pitch} + {elements})"),
    };
    let mut factors: Vec<&str> = size.split('*').map(str::trim).collect();
    match factors.iter().rposition(|factor| *factor == pitch) {
        Some(at) => {
            factors[at] = &wider;
            factors.join(" * ")
        }
        None => format!("{} / {pitch} * {wider}", operand(size)),
    }
}

impl<'a> Advisor<'a, '_> {
    /// Of a C text.
    pub(crate) fn row_pitch(
        &mut self,
        array: &'a SourceArray,
        record: &ArrayRecord,
        found_before: usize,
    ) {
        let text = self.text.clone();
        let code = Code::of(&text, self.defines());
        let Some(kernel) = self.kernel(&code) else {
            return;
        };
        if let Some((declared, used)) = unused_padding(&code, &kernel, array) {
            let array = array.name.clone();
            self.advice.notes.push(Note::UnusedPadding {
                array,
                declared,
                used,
            });
        }
        let written = |_: &RowPitch, edits: Vec<Edit>, _: u64| Some(edits);
        self.pitches((&code, &kernel), array, record, found_before, &written);
        self.member_rows((&code, &kernel), array, record, found_before);
        self.tile_rows((&code, &kernel), array, record, found_before);
        self.macro_rows((&code, &kernel), array, record, found_before);
        if !self.is_freed(array, found_before) {
            self.written_out_rows(array, record, found_before);
        }
    }

    /// Where a macro indexes the array, or computes its index: the macro is changed.
    fn macro_rows(
        &mut self,
        (code, kernel): (&Code<'_>, &Rc<Function>),
        array: &'a SourceArray,
        record: &ArrayRecord,
        found_before: usize,
    ) {
        let text = self.text.clone();
        let Some(macros) = MacroIndices::of(&text, &array.name) else {
            return;
        };
        let Some((inside, indices)) = macros.code() else {
            return;
        };
        let outside = RowPitch::all(code, kernel, array);
        let written = |pitch: &RowPitch, edits: Vec<Edit>, elements: u64| {
            let mut edits = macros.in_source(&edits)?;
            let same = outside.iter().find(|one| one.text == pitch.text);
            let rest = match same {
                Some(same) => same
                    .edits_moving(code, elements, unit_of(array, record))
                    .or_else(|| same.edits(code, elements))?,
                None => pitch.in_declaration(code, array).edits(code, elements)?,
            };
            edits.extend(rest);
            Some(edits)
        };
        self.pitches((&inside, &indices), array, record, found_before, &written);
    }

    /// Where others share the macro that computes the array's index: it is written out in the array's own uses.
    fn written_out_rows(
        &mut self,
        array: &'a SourceArray,
        record: &ArrayRecord,
        found_before: usize,
    ) {
        let uses = self.uses_of(array);
        let Some(whole) = uses.and_then(|uses| WrittenOut::of(&self.text, &uses)) else {
            return;
        };
        let code = Code::of(&whole.text, self.defines());
        let Some(kernel) = self.kernel(&code) else {
            return;
        };
        let written = |_: &RowPitch, edits: Vec<Edit>, _: u64| whole.in_source(&edits);
        self.pitches((&code, &kernel), array, record, found_before, &written);
    }

    /// Of a WGSL text, where the pitch stands in the indices.
    pub(crate) fn wgsl_row_pitch(
        &mut self,
        array: &'a SourceArray,
        record: &ArrayRecord,
        found_before: usize,
    ) {
        let text = self.text.clone();
        let Some(uses) = self.uses_of(array) else {
            return;
        };
        let [size] = uses.extents.as_slice() else {
            return;
        };
        let Some(indices) = WgslIndices::of(&text, &array.name, &uses) else {
            return;
        };
        let code = Code::of(&indices.text, &[]);
        let Some(kernel) = code.functions().next().cloned() else {
            return;
        };
        let written = |pitch: &RowPitch, edits: Vec<Edit>, elements: u64| {
            let mut edits = WgslIndices::in_wgsl(&edits)?;
            let old = text.get(size.clone())?.trim_start();
            let more = longer(old.trim_end(), &pitch.text, elements);
            edits.push(Edit::new(size.end - old.len(), size.end, more));
            Some(edits)
        };
        self.pitches((&code, &kernel), array, record, found_before, &written);
    }

    fn pitches(
        &mut self,
        (code, kernel): (&Code<'_>, &Rc<Function>),
        array: &'a SourceArray,
        record: &ArrayRecord,
        found_before: usize,
        written: Written<'_>,
    ) {
        let widest = record
            .patterns
            .all()
            .iter()
            .map(|pattern| pattern.width.bytes());
        let vector = widest
            .max()
            .unwrap_or(1)
            .div_ceil(array.element_bytes.max(1));
        for pitch in RowPitch::all(code, kernel, array).iter().take(PITCHES) {
            for elements in BTreeSet::from([1, 4, vector, 16 / array.element_bytes.clamp(1, 16)]) {
                // A pool of bytes is taken through pointers, whose own elements the pitch counts: the runs tell what is
                // aligned.
                let is_pool = array.element_bytes == 1 && vector > 1;
                let is_aligned = is_pool || elements.is_multiple_of(vector);
                if self.is_freed(array, found_before) || !is_aligned {
                    continue;
                }
                // What lies behind the rows moves with them, where offsets say so in numbers.
                let moving = pitch.edits_moving(code, elements, unit_of(array, record));
                for edits in [moving, pitch.edits(code, elements)].into_iter().flatten() {
                    if self.is_freed(array, found_before) {
                        continue;
                    }
                    let snippet = pitch.shown(code, &edits);
                    if let Some(edits) = written(pitch, edits, elements) {
                        self.prove_rows(array, edits, elements, snippet);
                    }
                }
            }
        }
    }

    /// Tries longer rows of the array, which a change of the text makes.
    pub(crate) fn prove_rows(
        &mut self,
        array: &'a SourceArray,
        edits: Vec<Edit>,
        elements: u64,
        snippet: String,
    ) {
        self.plan(1);
        let place = Place::Pad {
            dimension: 1,
            elements,
        };
        let change = Change {
            array: Some(array),
            snippet: Some(snippet),
            relocates: true,
            ..Change::whole(FixKind::Place(place), edits, self.launch.clone())
        };
        self.prove(change, &Watch::PLAIN, Proof::SameAccesses);
    }

    /// Whether a fix that costs nothing has freed the array.
    pub(crate) fn is_freed(&self, array: &SourceArray, found_before: usize) -> bool {
        let ideal = self.before.totals.shared.ideal;
        let is_free = |one: &Suggestion| {
            let shared = &one.totals[1].shared;
            one.array_totals[1].conflicts() == 0 && shared.wavefronts <= ideal
        };
        self.advice.suggestions[found_before..]
            .iter()
            .any(|block| block.array == array.name && block.instructions == 0 && is_free(block))
    }
}
