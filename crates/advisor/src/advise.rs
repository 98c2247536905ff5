//! From a source to its mends.

use lanescope_lang::{Array, Blocks, Budget, End, Launch, Program, Severity, Site};
use lanescope_model::{Device, Operation, Space};

use crate::inverse::Inverse;
use crate::lexical::Lexical;
use crate::narrow::Narrow;
use crate::pattern::bank_load;
use crate::record::{ArrayRecord, Record, record};
use crate::rewrite::{Uses, rewrite};
use crate::search::bound;
use crate::stage::{Copy, Wasteful};
use crate::structure::{Structure, split_parameter, split_shared};
use crate::sums::sums;
use crate::{
    Advice, ArrayAdvice, Edit, Family, MendKind, Note, Occupancy, Pattern, Place, Progress, Proof,
    Registers, Shape, SharedTotals, Source, Suggestion, Totals, axes, search, sequential,
};

/// The most threads of the blocks that are run for a comparison (at least one block runs).
const COMPARED_THREADS: u64 = 8_192;
/// The most places of one array that are verified on the changed source.
const VERIFIED: usize = 6;

/// What is to be mended, for which device.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The source.
    pub source: &'a Source,
    /// How it is launched.
    pub launch: Launch,
    /// The device whose counts are to fall.
    pub device: &'a Device,
    /// What each single run may cost.
    pub budget: Budget,
    /// Registers, if known.
    pub registers: Option<Registers>,
}

/// Searches mends and proves each on the changed source. `progress` is told of every run;
/// `false` ends the search with what there is.
pub fn advise(question: &Question<'_>, progress: &mut dyn FnMut(Progress) -> bool) -> Advice {
    let mut advice = Advice {
        blocks: 0,
        now: Totals::default(),
        arrays: Vec::new(),
        suggestions: Vec::new(),
        notes: Vec::new(),
    };
    let parsed = question.source.parse();
    if parsed
        .diagnostics
        .iter()
        .any(|found| found.severity() == Severity::Error)
    {
        advice.notes.push(Note::Errors);
        return advice;
    }
    let launch = compared(&question.launch);
    let plain = |name: &str, byte| Some((name_key(name), byte));
    let before = record(
        &parsed.program,
        &launch,
        question.device,
        question.budget,
        &plain,
    );
    advice.now = before.totals;
    advice.blocks = before.outcome.blocks_done;
    if let Some(unknown) = before.unknown {
        advice.notes.push(Note::Unknown(unknown));
    }
    if before.outcome.end != End::Completed {
        advice.notes.push(Note::Stopped);
        return advice;
    }
    let text = question.source.text();
    let mut advisor = Advisor {
        question,
        launch,
        program: &parsed.program,
        code: Lexical::of(&text),
        text,
        before,
        advice,
        progress,
        runs: Progress {
            done: 1,
            planned: 1,
        },
        cancelled: false,
    };
    advisor.shared_arrays();
    advisor.sequential();
    advisor.global();
    advisor.finish()
}

/// The launch cut down to as many blocks as a comparison needs.
fn compared(launch: &Launch) -> Launch {
    let mut launch = launch.clone();
    if launch.blocks == Blocks::All {
        let most = (COMPARED_THREADS / launch.block_threads().max(1)).max(1);
        if launch.grid_blocks() > most {
            launch.blocks = Blocks::First(most);
        }
    }
    launch
}

/// A number for an array's name (FNV-1a).
fn name_key(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

struct Advisor<'a, 'p> {
    question: &'a Question<'a>,
    launch: Launch,
    program: &'a Program,
    code: Lexical,
    text: String,
    before: Record,
    advice: Advice,
    progress: &'p mut dyn FnMut(Progress) -> bool,
    runs: Progress,
    cancelled: bool,
}

/// A change to be proved.
struct Change<'a> {
    kind: MendKind,
    array: Option<&'a Array>,
    edits: Vec<Edit>,
    launch: Launch,
    instructions: u32,
}

impl<'a> Advisor<'a, '_> {
    fn shared_arrays(&mut self) {
        let program = self.program;
        for (id, array) in (0_u32..).zip(program.arrays()) {
            let Some(record) = self.before.arrays.get(&id).cloned() else {
                continue;
            };
            let worth_it = record.shared.conflicts() > 0 || self.depends_on_data(id);
            if array.space == Space::Shared && worth_it {
                self.shared_array(id, array, &record);
            }
        }
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
        if let (Some(shape), Some(uses)) = (shape, Uses::of(&self.code, &array.name, array.span)) {
            advice.tried = self.places(array, &shape, &uses, record);
            self.split_shared(array, &uses);
        }
        self.advice.arrays.push(advice);
        self.conclude(array, record, bound, found_before);
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
        Uses::of(&self.code, &array.name, array.span)
            .is_some_and(|uses| uses.are_whole(&self.text, dimensions))
    }

    fn depends_on_data(&self, id: u32) -> bool {
        self.program
            .sites()
            .iter()
            .any(|site| site.array.is_some_and(|array| array.0 == id) && site.depends_on.is_some())
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
        let rewritable = |place: Place| {
            (narrow.is_none() || place.family() == Family::Xor)
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
            edits.extend(narrow.and_then(|narrow| uses.cut_rows(&self.text, narrow.columns())));
            let mut launch = self.launch.clone();
            if array.extents.is_empty() && array.bytes.is_none() {
                launch.dynamic_shared_bytes += found.extra_bytes;
            }
            let kind = match narrow {
                Some(_) => MendKind::Narrowed(found.place),
                None => MendKind::Place(found.place),
            };
            let change = Change {
                kind,
                array: Some(array),
                edits,
                launch,
                instructions: found.instructions,
            };
            let origin = |element| narrow.map_or(element, |narrow| narrow.widened(element));
            let inverse = Inverse::of(shape, found.place, origin);
            let (name, key) = (array.name.as_str(), name_key(&array.name));
            let locate = |named: &str, byte: u64| {
                if named == name {
                    inverse.old(byte).map(|old| (key, old))
                } else {
                    Some((name_key(named), byte))
                }
            };
            self.prove(change, &locate, &|thread| thread, Proof::SameAccesses);
        }
        front.tried
    }

    fn split_shared(&mut self, array: &'a Array, uses: &Uses) {
        let Some(structure) = Structure::find(&self.code, &array.element)
            .filter(|structure| structure.bytes == array.element_bytes)
        else {
            return;
        };
        if let Some(edits) = split_shared(&self.text, &self.code, uses, &array.name, &structure) {
            self.prove_split(
                array,
                &structure,
                edits,
                MendKind::SplitShared,
                self.launch.clone(),
            );
        }
    }

    fn prove_split(
        &mut self,
        array: &'a Array,
        structure: &Structure,
        edits: Vec<Edit>,
        kind: MendKind,
        launch: Launch,
    ) {
        self.plan(1);
        let (name, key) = (array.name.as_str(), name_key(&array.name));
        let locate = |named: &str, byte: u64| match structure.field_of(named, name) {
            Some(field) => {
                let element = byte / field.bytes;
                Some((
                    key,
                    element * structure.bytes + field.offset + byte % field.bytes,
                ))
            }
            None => Some((name_key(named), byte)),
        };
        let change = Change {
            kind,
            array: Some(array),
            edits,
            launch,
            instructions: 0,
        };
        self.prove(change, &locate, &|thread| thread, Proof::SameAccesses);
    }

    fn sequential(&mut self) {
        if self.before.totals.shared.conflicts() == 0 || !self.launch.block[0].is_power_of_two() {
            return;
        }
        let Some(edits) = sequential::rewrite(&self.text, &self.code) else {
            return;
        };
        self.plan(1);
        let change = Change {
            kind: MendKind::Sequential,
            array: None,
            edits,
            launch: self.launch.clone(),
            instructions: 0,
        };
        let locate = |named: &str, byte: u64| Some((name_key(named), byte));
        self.prove(change, &locate, &|thread| thread, Proof::SameSums);
    }

    fn global(&mut self) {
        let totals = self.before.totals.global;
        if totals.units <= totals.ideal {
            return;
        }
        self.swap_axes();
        self.stage();
        self.align_bases();
        let program = self.program;
        for (id, array) in (0_u32..).zip(program.arrays()) {
            let wasted = self
                .before
                .arrays
                .get(&id)
                .is_some_and(|record| record.global.units > record.global.ideal);
            if array.space == Space::Global && wasted {
                self.split_global(array);
            }
        }
    }

    fn swap_axes(&mut self) {
        let Some((edits, launch)) = axes::swap(&self.code, &self.launch) else {
            return;
        };
        self.plan(1);
        let block = self.launch.block;
        let threads = usize::try_from(self.launch.block_threads())
            .unwrap_or(usize::MAX)
            .max(1);
        let renumber = move |thread: usize| {
            thread / threads * threads + axes::renumbered(thread % threads, block)
        };
        let change = Change {
            kind: MendKind::SwapAxes,
            array: None,
            edits,
            launch,
            instructions: 0,
        };
        let locate = |named: &str, byte: u64| Some((name_key(named), byte));
        self.prove(change, &locate, &renumber, Proof::ThreadsExchanged);
    }

    /// A kernel whose only accesses are one load and one store of global memory.
    fn stage(&mut self) {
        let program = self.program;
        let [first, second] = program.sites() else {
            return;
        };
        let (load, store) = match (first.operation, second.operation) {
            (Operation::Load, Operation::Store) => (first, second),
            (Operation::Store, Operation::Load) => (second, first),
            _ => return,
        };
        let [x, y, z] = self.launch.block;
        let Some(array) = load.array.and_then(|id| program.array(id)) else {
            return;
        };
        if x != y || z > 1 || [load, store].iter().any(|site| site.space != Space::Global) {
            return;
        }
        let range = |site: &Site| site.span.start as usize..site.span.end as usize;
        let units = |site: &Site| {
            let record = site.array.and_then(|id| self.before.arrays.get(&id.0));
            record.map_or(0, |record| record.global.units)
        };
        let wasteful = if units(load) > units(store) {
            Wasteful::Load
        } else {
            Wasteful::Store
        };
        let copy = Copy::find(&self.text, &self.code, range(load), range(store));
        let Some(edits) = copy.and_then(|copy| copy.edits(wasteful, &array.element, x)) else {
            return;
        };
        self.plan(1);
        let change = Change {
            kind: MendKind::Stage,
            array: None,
            edits,
            launch: self.launch.clone(),
            instructions: 0,
        };
        let locate = |named: &str, byte: u64| Some((name_key(named), byte));
        self.prove(change, &locate, &|thread| thread, Proof::SameSums);
    }

    fn align_bases(&mut self) {
        let mut launch = self.launch.clone();
        let mut changed = false;
        for argument in &mut launch.arguments {
            if let lanescope_lang::ArgumentValue::Buffer(buffer) = &mut argument.value
                && buffer.base_offset % 128 != 0
            {
                buffer.base_offset = 0;
                changed = true;
            }
        }
        if !changed {
            return;
        }
        self.plan(1);
        let change = Change {
            kind: MendKind::AlignBase,
            array: None,
            edits: Vec::new(),
            launch,
            instructions: 0,
        };
        // Addresses of a moved buffer differ by a constant; each array counts from its first lane's.
        let locate = |named: &str, _: u64| Some((name_key(named), 0));
        self.prove(change, &locate, &|thread| thread, Proof::SameAccesses);
    }

    fn split_global(&mut self, array: &'a Array) {
        let Some(structure) = Structure::find(&self.code, &array.element)
            .filter(|structure| structure.bytes == array.element_bytes)
        else {
            return;
        };
        let place = array.span.start as usize..array.span.end as usize;
        let Some(edits) = split_parameter(&self.text, &self.code, place, &array.name, &structure)
        else {
            return;
        };
        let mut launch = self.launch.clone();
        let given: Vec<_> = launch
            .arguments
            .iter()
            .filter(|given| given.name == array.name)
            .cloned()
            .collect();
        launch.arguments.retain(|given| given.name != array.name);
        for field in &structure.fields {
            for argument in &given {
                let mut argument = argument.clone();
                argument.name = format!("{}_{}", array.name, field.name);
                launch.arguments.push(argument);
            }
        }
        self.prove_split(array, &structure, edits, MendKind::SplitGlobal, launch);
    }

    /// Ranks the mends and says what is left.
    fn finish(mut self) -> Advice {
        let advice = &mut self.advice;
        advice.suggestions.sort_by_key(|suggestion| {
            let bytes = suggestion.occupancy[1].shared_bytes;
            (cost(&suggestion.totals[1]), bytes, suggestion.instructions)
        });
        let now = advice.now.global;
        let best = advice
            .suggestions
            .iter()
            .map(|suggestion| suggestion.totals[1].global.units)
            .min();
        if now.units > now.ideal && best.is_none_or(|best| best >= now.units) {
            advice.notes.push(Note::SectorsWasted {
                units: now.units,
                ideal: now.ideal,
            });
        }
        if advice.arrays.is_empty() && advice.suggestions.is_empty() && advice.notes.is_empty() {
            advice.notes.push(Note::NothingToMend);
        }
        self.advice
    }

    fn plan(&mut self, runs: usize) {
        self.runs.planned += u32::try_from(runs).unwrap_or(u32::MAX);
    }

    /// Runs the changed source and keeps the change if it computes the same and costs less.
    fn prove(
        &mut self,
        change: Change<'_>,
        locate: crate::record::Locate<'_>,
        renumber: &dyn Fn(usize) -> usize,
        proof: Proof,
    ) {
        if self.cancelled {
            return;
        }
        let suggestion = self.proved(change, locate, renumber, proof);
        self.runs.done += 1;
        self.cancelled = !(self.progress)(self.runs);
        self.advice.suggestions.extend(suggestion);
    }

    fn proved(
        &self,
        change: Change<'_>,
        locate: crate::record::Locate<'_>,
        renumber: &dyn Fn(usize) -> usize,
        proof: Proof,
    ) -> Option<Suggestion> {
        let source = self.question.source.edited(&change.edits)?;
        let parsed = source.parse();
        if parsed
            .diagnostics
            .iter()
            .any(|found| found.severity() == Severity::Error)
        {
            return None;
        }
        let (device, budget) = (self.question.device, self.question.budget);
        let after = record(&parsed.program, &change.launch, device, budget, locate);
        let same = after.outcome.end == End::Completed
            && after.outcome.findings.len() <= self.before.outcome.findings.len()
            && match proof {
                Proof::SameSums => self.same_sums(&parsed.program, &change.launch),
                _ => {
                    self.same_threads(&self.before, &after, renumber, &change)
                        || self.same_without_reuse(&parsed.program, &change, locate, renumber)
                }
            };
        let cheaper = cost(&after.totals) < cost(&self.before.totals);
        if !same || !cheaper {
            return None;
        }
        let threads = change.launch.block_threads();
        let occupancy = |program: &Program, launch: &Launch| {
            let shared = program.shared_bytes() + launch.dynamic_shared_bytes;
            Occupancy::of(device, shared, threads, self.question.registers)
        };
        let mut launch = change.launch.clone();
        launch.blocks = self.question.launch.blocks;
        Some(Suggestion {
            snippet: self.snippet(&change, &source),
            array: change
                .array
                .map_or_else(String::new, |array| array.name.clone()),
            array_totals: [
                change.array.map_or(self.before.totals.shared, |array| {
                    of_array(&self.before, self.program, &array.name)
                }),
                change.array.map_or(after.totals.shared, |array| {
                    of_array(&after, &parsed.program, &array.name)
                }),
            ],
            banks: [
                self.banks(&self.before, self.program, change.array),
                self.banks(&after, &parsed.program, change.array),
            ],
            totals: [self.before.totals, after.totals],
            occupancy: [
                occupancy(self.program, &self.launch),
                occupancy(&parsed.program, &change.launch),
            ],
            kind: change.kind,
            edits: change.edits,
            source,
            launch,
            instructions: change.instructions,
            proof,
        })
    }

    fn same_sums(&self, program: &Program, launch: &Launch) -> bool {
        let (lanes, budget) = (self.question.device.warp_lanes(), self.question.budget);
        let before = sums(self.program, &self.launch, lanes, budget);
        before.is_some() && before == sums(program, launch, lanes, budget)
    }

    /// Compares runs in which no thread keeps what it has read: how long a compiler may keep a
    /// value can differ between two spellings of one index.
    fn same_without_reuse(
        &self,
        program: &Program,
        change: &Change<'_>,
        locate: crate::record::Locate<'_>,
        renumber: &dyn Fn(usize) -> usize,
    ) -> bool {
        let (device, budget) = (self.question.device, self.question.budget);
        let reread = |launch: &Launch| Launch {
            reread: true,
            ..launch.clone()
        };
        let plain = |name: &str, byte| Some((name_key(name), byte));
        let before = record(self.program, &reread(&self.launch), device, budget, &plain);
        let after = record(program, &reread(&change.launch), device, budget, locate);
        let ended = [&before, &after]
            .iter()
            .all(|run| run.outcome.end == End::Completed);
        ended && self.same_threads(&before, &after, renumber, change)
    }

    fn same_threads(
        &self,
        before: &Record,
        after: &Record,
        renumber: &dyn Fn(usize) -> usize,
        change: &Change<'_>,
    ) -> bool {
        if change.kind == MendKind::AlignBase {
            return before.totals.global.requests == after.totals.global.requests;
        }
        let length = before.threads.len().max(after.threads.len());
        (0..length).all(|thread| {
            let now = after.threads.get(thread).copied().unwrap_or(0);
            now == before.threads.get(renumber(thread)).copied().unwrap_or(0)
        })
    }

    fn banks(&self, record: &Record, program: &Program, array: Option<&Array>) -> Vec<u32> {
        let arrays = (0_u32..).zip(program.arrays());
        let chosen =
            arrays.filter(|(_, other)| array.is_none_or(|array| is_part(&other.name, &array.name)));
        let patterns = chosen
            .filter_map(|(id, _)| record.arrays.get(&id))
            .flat_map(|record| record.patterns.all());
        bank_load(self.question.device, patterns)
    }

    /// The changed piece that says most: a use of the array where indices change, else its
    /// declaration.
    fn snippet(&self, change: &Change<'_>, source: &Source) -> String {
        let text = source.text();
        let Some(array) = change.array else {
            return String::new();
        };
        let code = Lexical::of(&text);
        let name = match change.kind {
            MendKind::SplitShared | MendKind::SplitGlobal => change
                .edits
                .iter()
                .find(|edit| edit.replacement.starts_with('_'))
                .map_or_else(
                    || array.name.clone(),
                    |edit| format!("{}{}", array.name, edit.replacement),
                ),
            _ => array.name.clone(),
        };
        let words = code.words(&name, 0..code.len());
        let declaration = matches!(
            change.kind,
            MendKind::Place(Place::Pad { .. } | Place::Transposed)
        );
        let at = if declaration {
            words.first()
        } else {
            words.get(1)
        };
        let Some(at) = at.or(words.first()) else {
            return String::new();
        };
        let end = code
            .brackets(at + name.len())
            .last()
            .map_or(at + name.len(), |last| last.end + 1);
        text.get(*at..end).unwrap_or("").to_owned()
    }
}

/// What a run costs: passes over the banks and pieces of global memory, counted alike.
const fn cost(totals: &Totals) -> u64 {
    totals.shared.wavefronts.saturating_add(totals.global.units)
}

/// Whether `name` is the array `of` or one of the arrays it was split into.
fn is_part(name: &str, of: &str) -> bool {
    name.strip_prefix(of)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

fn of_array(record: &Record, program: &Program, name: &str) -> SharedTotals {
    let mut totals = SharedTotals::default();
    for (id, array) in (0_u32..).zip(program.arrays()) {
        if let Some(found) = record
            .arrays
            .get(&id)
            .filter(|_| is_part(&array.name, name))
        {
            totals.requests += found.shared.requests;
            totals.wavefronts += found.shared.wavefronts;
            totals.ideal += found.shared.ideal;
            totals.ways = totals.ways.max(found.shared.ways);
        }
    }
    totals
}
