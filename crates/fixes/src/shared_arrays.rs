//! The fixes of shared arrays.

use std::rc::Rc;

use lanescope_frontend::{Language, NamedLaunch, SourceArray};
use lanescope_model::Space;

use crate::advisor::Advisor;
use crate::change::Change;
use crate::inverse::Inverse;
use crate::linear::add_linear;
use crate::narrow::Narrow;
use crate::record::{ArrayRecord, Watch};
use crate::record_split::Record;
use crate::rewrite::rewrite;
use crate::search::bound;
use crate::sought::Sought;
use crate::structure::split_shared;
use crate::uses::Uses;
use crate::{
    ArrayAdvice, Edit, Family, FixKind, Found, Note, Pattern, Place, Proof, Shape, TileLayout,
    search, sequential,
};

/// The most places of one array that are verified on the changed source.
const VERIFIED: usize = 6;

/// A shared array whose fixes are sought.
struct UnderWay<'a, 'r> {
    id: u32,
    array: &'a SourceArray,
    /// What the run asked of it.
    record: &'r ArrayRecord,
    /// Whether a run proves something of it: no data decide whether it is reached.
    is_reached: bool,
    /// Whether it is declared with one side at most.
    is_flat: bool,
    /// Its best places, once they are searched.
    sought: Option<Sought>,
    advice: ArrayAdvice,
}

impl<'a> Advisor<'a, '_> {
    /// Searches the places of every shared array with conflicts: of each the fix that comes first, the costliest array's
    /// before the others', and then the others of each.
    pub(crate) fn shared_arrays(&mut self) {
        let program = self.program;
        let before = Rc::clone(&self.before);
        let mut found = Vec::new();
        let mut free = Vec::new();
        for (id, array) in (0_u32..).zip(program.arrays()) {
            let Some(record) = before.arrays.get(&id) else {
                continue;
            };
            let worth_it = record.shared.conflicts() > 0 || self.depends_on_data(id);
            match array.space == Space::Shared {
                true if worth_it => found.push((id, array, record)),
                true if !self.is_reached_by_data(id) => free.push(array),
                _ => {}
            }
        }
        found.sort_by_key(|(.., record)| std::cmp::Reverse(record.shared.conflicts()));
        let found_before = self.advice.suggestions.len();
        let mut under_way = Vec::new();
        for (id, array, record) in found {
            under_way.extend(self.first_fix(id, array, record, found_before));
        }
        for one in under_way {
            self.further_fixes(one, found_before);
        }
        // What all lanes read at one place takes as many wavefronts as it is accesses.
        if self.language == Language::Cuda {
            free.into_iter().for_each(|array| self.widen_shared(array));
        }
        let place = |one: &ArrayAdvice| {
            let mut arrays = program.arrays().iter();
            arrays.position(|array| array.name == one.name)
        };
        self.advice.arrays.sort_by_key(place);
    }

    /// Proves the fix of an array that comes first; `None` where no layout is best for all data.
    fn first_fix<'r>(
        &mut self,
        id: u32,
        array: &'a SourceArray,
        record: &'r ArrayRecord,
        found_before: usize,
    ) -> Option<UnderWay<'a, 'r>> {
        let shape = self.shape_of(array);
        let bound = bound(self.question.device, record.patterns.all());
        let advice = ArrayAdvice {
            name: array.name.clone(),
            shape: shape.clone(),
            now: record.shared,
            bound,
            tried: 0,
        };
        if self.depends_on_data(id) {
            let array = array.name.clone();
            self.advice.arrays.push(advice);
            self.advice.notes.push(Note::DataDependent { array });
            return None;
        }
        let mut under_way = UnderWay {
            id,
            array,
            record,
            // What the data of the run do not reach, no run proves.
            is_reached: !self.is_reached_by_data(id),
            sought: None,
            is_flat: array.extents.len() < 2,
            advice,
        };
        // Of a flat array a wider pitch is the simplest change.
        if under_way.is_flat {
            self.pitch(&under_way, found_before);
        } else if let (Some(shape), Some(uses)) = (shape, self.uses_of(array)) {
            let mut sought = self.seek(array, shape, uses, record.patterns.all(), None);
            self.prove_next(array, &mut sought, 1);
            under_way.sought = Some(sought);
        }
        Some(under_way)
    }

    /// The other fixes of an array, and what is to be said of it.
    fn further_fixes(&mut self, mut under_way: UnderWay<'a, '_>, found_before: usize) {
        let (array, record) = (under_way.array, under_way.record);
        let is_c = self.language == Language::Cuda;
        let patterns = record.patterns.all();
        if under_way.sought.is_none()
            && let (Some(shape), Some(uses)) = (self.shape_of(array), self.uses_of(array))
        {
            under_way.sought = Some(self.seek(array, shape, uses, patterns, None));
        }
        if let Some(mut sought) = under_way.sought.take() {
            self.seek_linear(array, &mut sought, patterns);
            self.prove_next(array, &mut sought, VERIFIED);
            under_way.advice.tried = sought.tried() + self.narrowed(array, &sought, record);
            if is_c {
                self.split_shared(array, &sought.uses);
            }
        }
        if !under_way.is_flat {
            self.pitch(&under_way, found_before);
        }
        self.conclude(&under_way, found_before);
        self.advice.arrays.push(under_way.advice);
        if is_c && under_way.is_reached {
            self.widen_shared(array);
            self.widen_shared_own(under_way.id, array);
        }
    }

    /// Rows set further apart.
    fn pitch(&mut self, under_way: &UnderWay<'a, '_>, found_before: usize) {
        let (array, record) = (under_way.array, under_way.record);
        if !under_way.is_reached {
            return;
        }
        match self.language {
            Language::Cuda => self.row_pitch(array, record, found_before),
            Language::Wgsl => self.wgsl_row_pitch(array, record, found_before),
            Language::Ptx | Language::Sass => {}
        }
    }

    pub(crate) fn uses_of(&self, array: &SourceArray) -> Option<Uses> {
        match self.language {
            Language::Wgsl => Uses::of_wgsl(&self.text, &array.name, array.span),
            Language::Cuda | Language::Ptx | Language::Sass => {
                let code = self.question.source.code(&self.text);
                Uses::of(&code, &array.name, array.span)
            }
        }
    }

    /// What is to be said of an array whose fixes were sought.
    fn conclude(&mut self, under_way: &UnderWay<'a, '_>, found_before: usize) {
        let (array, record) = (under_way.array, under_way.record);
        let bound = under_way.advice.bound;
        let name = array.name.clone();
        let best = self.advice.suggestions[found_before..]
            .iter()
            .filter(|suggestion| suggestion.array == name)
            .map(|suggestion| suggestion.array_totals[1].wavefronts)
            .min();
        let none_better = self.none_better(array, record, best);
        self.advice.notes.push(match best {
            Some(best) if best == bound => Note::Bound {
                array: name,
                wavefronts: bound,
            },
            Some(_) => match none_better {
                Some(none) => none,
                None => return,
            },
            None if record.shared.wavefronts == bound => Note::Bound {
                array: name,
                wavefronts: bound,
            },
            None if self.has_tile_kept(&name) => return,
            None if !self.is_rewritable(array) => Note::NotRewritable { array: name },
            None => none_better.unwrap_or(Note::NothingFound {
                array: name,
                tried: under_way.advice.tried,
            }),
        });
    }

    /// Whether it is said what stands in the way of longer rows in the array.
    fn has_tile_kept(&self, name: &str) -> bool {
        let is_it = |note: &Note| matches!(note, Note::PointerKept { array, .. } | Note::SizeKept { array, .. } if array == name);
        self.advice.notes.iter().any(is_it)
    }

    pub(crate) fn is_rewritable(&self, array: &SourceArray) -> bool {
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

    pub(crate) fn shape_of(&self, array: &SourceArray) -> Option<Shape> {
        if !array.extents.is_empty() {
            return Shape::new(&array.extents, array.element_bytes);
        }
        let bytes = array.bytes.unwrap_or(self.launch.dynamic_shared_bytes);
        Shape::new(&[bytes / array.element_bytes.max(1)], array.element_bytes)
    }

    /// The places of the array with shorter rows; how many were tried.
    fn narrowed(&mut self, array: &'a SourceArray, sought: &Sought, record: &ArrayRecord) -> usize {
        let Some(narrow) = Narrow::of(&sought.shape, record.patterns.all()) else {
            return 0;
        };
        let (shape, uses) = (narrow.shape.clone(), sought.uses.clone());
        let patterns = narrow.patterns.clone();
        let mut sought = self.seek(array, shape, uses, &patterns, Some(narrow));
        self.seek_linear(array, &mut sought, &patterns);
        self.prove_next(array, &mut sought, VERIFIED);
        sought.tried()
    }

    /// Searches places of the array, or of the array with shorter rows: the best of them.
    fn seek(
        &mut self,
        array: &SourceArray,
        shape: Shape,
        uses: Uses,
        patterns: &[Pattern],
        narrow: Option<Narrow>,
    ) -> Sought {
        let possible = self.possible(array, &shape, &uses, narrow.is_some());
        let front = search(self.question.device, &shape, patterns, &possible).ok();
        drop(possible);
        let most = if narrow.is_some() { 2 } else { VERIFIED };
        self.plan(
            front
                .as_ref()
                .map_or(0, |front| front.found.len().min(most)),
        );
        Sought {
            shape,
            uses,
            narrow,
            front,
            most,
            proved: Vec::new(),
        }
    }

    /// Adds the best linear swizzle to the places that were found: the search of all of them takes longer than what is found
    /// first may wait for.
    fn seek_linear(&mut self, array: &SourceArray, sought: &mut Sought, patterns: &[Pattern]) {
        let Some(mut front) = sought.front.take() else {
            return;
        };
        let mut known = std::mem::take(&mut self.memory.linear);
        let possible = self.possible(array, &sought.shape, &sought.uses, sought.narrow.is_some());
        let asked = (&sought.shape, patterns);
        add_linear(
            self.question,
            &mut known,
            array,
            asked,
            &mut front,
            &possible,
        );
        drop(possible);
        self.memory.linear = known;
        sought.front = Some(front);
    }

    /// Whether the text can be changed so that an array's elements lie in a place; where its rows become shorter, XORs alone.
    fn possible<'s>(
        &'s self,
        array: &SourceArray,
        shape: &'s Shape,
        uses: &'s Uses,
        is_narrowed: bool,
    ) -> impl Fn(Place) -> bool + 's {
        // Of indices that are XORed, nvcc joins no neighbours.
        let keeps_apart = self.is_joined_unpredicted(array);
        move |place| {
            let fits = match place.family() {
                Family::Xor => !keeps_apart,
                Family::None | Family::Padding | Family::Transposed => !is_narrowed,
            };
            fits && !self.question.reader.is_over()
                && rewrite(&self.text, uses, shape, place).is_some()
        }
    }

    /// Proves at most so many of the places that were found.
    fn prove_next(&mut self, array: &'a SourceArray, sought: &mut Sought, most: usize) {
        for found in sought.next(most) {
            self.prove_place(array, sought, &found);
        }
    }

    fn prove_place(&mut self, array: &'a SourceArray, sought: &Sought, found: &Found) {
        let Sought {
            shape,
            uses,
            narrow,
            ..
        } = sought;
        let Some(mut edits) = rewrite(&self.text, uses, shape, found.place) else {
            return;
        };
        if let Some(narrow) = narrow {
            let Some(cut) = uses.cut_rows(&self.text, narrow.columns()) else {
                return;
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
        let origin = |element| match narrow {
            Some(narrow) => narrow.widened(element),
            None => element,
        };
        let inverse = Inverse::of(shape, found.place, origin);
        let origin = |named: &str| inverse.origin(&array.name, named);
        self.prove(change, &Watch::from(&origin), Proof::SameAccesses);
    }

    fn split_shared(&mut self, array: &'a SourceArray, uses: &Uses) {
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
        array: &'a SourceArray,
        structure: &Record,
        edits: Vec<Edit>,
        kind: FixKind,
        launch: NamedLaunch,
    ) {
        self.plan(1);
        let name = array.name.as_str();
        let origin = |named: &str| structure.origin(named, name);
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
        let Some(code) = self.as_c(&self.text) else {
            return;
        };
        let kernel = self.kernel(&code);
        let Some(edits) = kernel.and_then(|kernel| sequential::rewrite(&code, &kernel)) else {
            return;
        };
        self.plan(1);
        let change = Change::whole(FixKind::Sequential, edits, self.launch.clone());
        self.prove(change, &Watch::PLAIN, Proof::SameSums);
    }
}
