//! The fixes of shared arrays.

use lanescope_frontend::{Array, Language, Launch};
use lanescope_model::Space;
use lanescope_syntax::tree::ExprKind;

use crate::advisor::Advisor;
use crate::change::Change;
use crate::code::{Code, every, indexed};
use crate::gather::{Gathered, widened};
use crate::inverse::Inverse;
use crate::narrow::Narrow;
use crate::neighbours::Target;
use crate::origin::Origin;
use crate::record::{ArrayRecord, Watch};
use crate::record_split::Record;
use crate::rewrite::rewrite;
use crate::search::bound;
use crate::structure::split_shared;
use crate::uses::Uses;
use crate::wider::Wider;
use crate::{
    ArrayAdvice, Edit, Family, FixKind, Note, Pattern, Place, Proof, Shape, TileLayout, search,
    sequential,
};

/// The most places of one array that are verified on the changed source.
const VERIFIED: usize = 6;

impl<'a> Advisor<'a, '_> {
    /// Searches the places of every shared array with conflicts.
    pub(crate) fn shared_arrays(&mut self) {
        let program = self.program;
        let mut found = Vec::new();
        for (id, array) in (0_u32..).zip(program.arrays()) {
            let Some(record) = self.before.arrays.get(&id).cloned() else {
                continue;
            };
            let worth_it = record.shared.conflicts() > 0 || self.depends_on_data(id);
            if array.space == Space::Shared && worth_it {
                found.push((id, array, record));
            }
        }
        found.sort_by_key(|(.., record)| std::cmp::Reverse(record.shared.conflicts()));
        for (id, array, record) in found {
            self.shared_array(id, array, &record);
        }
        let place = |one: &ArrayAdvice| {
            let mut arrays = program.arrays().iter();
            arrays.position(|array| array.name == one.name)
        };
        self.advice.arrays.sort_by_key(place);
    }

    fn shared_array(&mut self, id: u32, array: &'a Array, record: &ArrayRecord) {
        let shape = self.shape_of(array);
        let bound = bound(self.question.device, record.patterns.all());
        let mut advice = ArrayAdvice {
            name: array.name.clone(),
            shape: shape.clone(),
            now: record.shared,
            bound,
            tried: 0,
        };
        let name = array.name.clone();
        if self.depends_on_data(id) {
            self.advice.arrays.push(advice);
            self.advice.notes.push(Note::DataDependent { array: name });
            return;
        }
        let found_before = self.advice.suggestions.len();
        let is_c = self.language == Language::Cuda;
        if let (Some(shape), Some(uses)) = (shape, self.uses_of(array)) {
            advice.tried = self.places(array, &shape, &uses, record);
            if is_c {
                self.split_shared(array, &uses);
            }
        }
        // What the data of the run do not reach, no run proves.
        let is_reached = !self.is_reached_by_data(id);
        if is_c && is_reached {
            self.row_pitch(array, record, found_before);
        } else if self.language == Language::Wgsl && is_reached {
            self.wgsl_row_pitch(array, record, found_before);
        }
        self.advice.arrays.push(advice);
        self.conclude(array, record, bound, found_before);
        if is_c && is_reached {
            self.widen_shared(array);
        }
    }

    pub(crate) fn uses_of(&self, array: &Array) -> Option<Uses> {
        match self.language {
            Language::Wgsl => Uses::of_wgsl(&self.text, &array.name, array.span),
            Language::Cuda | Language::Ptx | Language::Sass => {
                let code = self.question.source.code(&self.text);
                Uses::of(&code, &array.name, array.span)
            }
        }
    }

    /// Neighbouring elements that a thread reads one by one, in one access.
    fn widen_shared(&mut self, array: &'a Array) {
        let text = self.text.clone();
        let code = Code::of(&text, self.defines());
        let Some(wider) = self.wider_reads(&code, array) else {
            return;
        };
        if is_cast(&code, &array.name) {
            return;
        }
        let Some(aligned) = code.aligned(array.span, wider.bytes) else {
            return;
        };
        let mut edits = wider.edits;
        edits.extend(aligned);
        self.plan(1);
        let change = Change {
            array: Some(array),
            snippet: wider.shown,
            ..Change::whole(
                FixKind::Widen { bytes: wider.bytes },
                edits,
                self.launch.clone(),
            )
        };
        let pieces = [(array.name.clone(), array.element_bytes)];
        self.prove(change, &Watch::in_pieces(&pieces), Proof::SameElements);
    }

    /// The reads of neighbours as single accesses.
    fn wider_reads(&self, code: &Code<'_>, array: &Array) -> Option<Wider> {
        let kernel = self.kernel(code)?;
        let gathered = Gathered {
            target: Target {
                name: &array.name,
                element_bytes: array.element_bytes,
            },
            element: &array.element,
            is_stored: false,
            is_shared: true,
        };
        widened(code, &kernel, &[gathered])
    }

    /// Whether nvcc may join reads of the array that the prediction keeps apart: neighbours that are read through casts to
    /// vectors, as `half2`.
    fn is_joined_unpredicted(&self, array: &Array) -> bool {
        let code = self.question.source.code(&self.text);
        is_cast(&code, &array.name) && self.wider_reads(&code, array).is_some()
    }

    fn conclude(&mut self, array: &Array, record: &ArrayRecord, bound: u64, found_before: usize) {
        let name = array.name.clone();
        let best = self.advice.suggestions[found_before..]
            .iter()
            .map(|suggestion| suggestion.array_totals[1].wavefronts)
            .min();
        self.advice.notes.push(match best {
            Some(best) if best == bound => Note::Bound {
                array: name,
                wavefronts: bound,
            },
            Some(_) => return,
            None if record.shared.wavefronts == bound => Note::Bound {
                array: name,
                wavefronts: bound,
            },
            None if !self.is_rewritable(array) => Note::NotRewritable { array: name },
            None => Note::NothingFound { array: name },
        });
    }

    fn is_rewritable(&self, array: &Array) -> bool {
        let dimensions = array.extents.len().max(1);
        self.uses_of(array)
            .is_some_and(|uses| uses.are_whole(dimensions))
    }

    fn depends_on_data(&self, id: u32) -> bool {
        self.program
            .sites()
            .iter()
            .any(|site| site.array.is_some_and(|array| array.0 == id) && site.depends_on.is_some())
    }

    fn is_reached_by_data(&self, id: u32) -> bool {
        let mut own = self
            .program
            .sites()
            .iter()
            .filter(|site| site.array.is_some_and(|array| array.0 == id));
        own.any(|site| site.reached_by.is_some())
    }

    fn shape_of(&self, array: &Array) -> Option<Shape> {
        if !array.extents.is_empty() {
            return Shape::new(&array.extents, array.element_bytes);
        }
        let bytes = array.bytes.unwrap_or(self.launch.dynamic_shared_bytes);
        Shape::new(&[bytes / array.element_bytes.max(1)], array.element_bytes)
    }

    fn places(
        &mut self,
        array: &'a Array,
        shape: &Shape,
        uses: &Uses,
        record: &ArrayRecord,
    ) -> usize {
        let patterns = record.patterns.all();
        let tried = self.search(array, shape, uses, patterns, None);
        match Narrow::of(shape, patterns) {
            Some(narrow) => {
                tried + self.search(array, &narrow.shape, uses, &narrow.patterns, Some(&narrow))
            }
            None => tried,
        }
    }

    /// Searches places of the array, or of the array with shorter rows, and proves the best.
    fn search(
        &mut self,
        array: &'a Array,
        shape: &Shape,
        uses: &Uses,
        patterns: &[Pattern],
        narrow: Option<&Narrow>,
    ) -> usize {
        // Of indices that are XORed, nvcc joins no neighbours.
        let keeps_apart = self.is_joined_unpredicted(array);
        let rewritable = |place: Place| {
            !self.question.reader.is_over()
                && (narrow.is_none() || place.family() == Family::Xor)
                && !(keeps_apart && place.family() == Family::Xor)
                && rewrite(&self.text, uses, shape, place).is_some()
        };
        let Ok(front) = search(self.question.device, shape, patterns, &rewritable) else {
            return 0;
        };
        let most = if narrow.is_some() { 2 } else { VERIFIED };
        self.plan(front.found.len().min(most));
        for found in front.found.iter().take(most) {
            let Some(mut edits) = rewrite(&self.text, uses, shape, found.place) else {
                continue;
            };
            if let Some(narrow) = narrow {
                let Some(cut) = uses.cut_rows(&self.text, narrow.columns()) else {
                    continue;
                };
                edits.extend(cut);
            }
            let mut launch = self.launch.clone();
            if array.extents.is_empty() && array.bytes.is_none() {
                launch.dynamic_shared_bytes += found.extra_bytes;
            }
            let kind = match narrow {
                Some(_) => FixKind::Narrowed(found.place),
                None => FixKind::Place(found.place),
            };
            let change = Change {
                array: Some(array),
                instructions: found.instructions,
                layouts: TileLayout::of(&array.name, shape, found.place)
                    .into_iter()
                    .collect(),
                ..Change::whole(kind, edits, launch)
            };
            let origin = |element| narrow.map_or(element, |narrow| narrow.widened(element));
            let inverse = Inverse::of(shape, found.place, origin);
            let origin = |named: &str| inverse.origin(&array.name, named);
            self.prove(change, &Watch::from(&origin), Proof::SameAccesses);
        }
        front.tried
    }

    fn split_shared(&mut self, array: &'a Array, uses: &Uses) {
        let code = self.question.source.code(&self.text);
        // A structure without a name of its own goes by its alias.
        let named = Record::find(&code, &array.element)
            .or_else(|| Record::find(&code, code.element_name(array.span)?));
        let Some(structure) = named.filter(|structure| structure.bytes == array.element_bytes)
        else {
            return;
        };
        let edits = split_shared(&code, uses, &array.name, &structure);
        if let Some(edits) = edits {
            self.prove_split(
                array,
                &structure,
                edits,
                FixKind::SplitShared,
                self.launch.clone(),
            );
        }
    }

    /// Proves a structure's array split into one for each field.
    pub(crate) fn prove_split(
        &mut self,
        array: &'a Array,
        structure: &Record,
        edits: Vec<Edit>,
        kind: FixKind,
        launch: Launch,
    ) {
        self.plan(1);
        let name = array.name.as_str();
        let origin = |named: &str| match structure.field_of(named, name) {
            Some(field) => Origin::moved(name, |byte| {
                let element = byte / field.bytes;
                Some(element * structure.bytes + field.offset + byte % field.bytes)
            }),
            None => Origin::same(named),
        };
        let change = Change {
            array: Some(array),
            ..Change::whole(kind, edits, launch)
        };
        self.prove(change, &Watch::from(&origin), Proof::SameAccesses);
    }

    /// A reduction with sequential instead of interleaved addressing.
    pub(crate) fn sequential_reduction(&mut self) {
        if !self.launch.block[0].is_power_of_two() {
            return;
        }
        let code = Code::of(&self.text, self.defines());
        let kernel = self.kernel(&code);
        let Some(edits) = kernel.and_then(|kernel| sequential::rewrite(&code, &kernel)) else {
            return;
        };
        self.plan(1);
        let change = Change::whole(FixKind::Sequential, edits, self.launch.clone());
        self.prove(change, &Watch::PLAIN, Proof::SameSums);
    }
}

/// Whether an element of the array is read or written as another type: `*reinterpret_cast<half2*>(&array[i])`.
fn is_cast(code: &Code<'_>, array: &str) -> bool {
    every(code).iter().any(|expr| match &expr.kind {
        ExprKind::Cast(_, inner) => {
            matches!(&inner.kind, ExprKind::Prefix("&", one) if indexed(one) == Some(array))
        }
        _ => false,
    })
}
