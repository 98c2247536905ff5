//! A change on trial: the changed source is run, and compared with the source as it was.

use lanescope_frontend::{
    Blocks, DiagnosticKind, End, FinalValues, NamedLaunch, Program, Severity, SourceArray,
};
use lanescope_model::Space;

use std::cell::OnceCell;
use std::rc::Rc;

use crate::advisor::Advisor;
use crate::change::Change;
use crate::headline::headline;
use crate::origin::Origin;
use crate::pattern::bank_load;
use crate::record::{Record, Watch, record};
use crate::relocation::{Relocation, SharedLog};
use crate::rise::rise;
use crate::sums::sums;
use crate::whole_launch::whole_cost;
use crate::{
    FixKind, Occupancy, Place, Proof, Shape, SharedTotals, Source, Suggestion, TileLayout, Totals,
    Version,
};

/// Where the shared array `named` begins in both programs.
fn bases(before: &Program, after: &Program, named: &str) -> Option<[u64; 2]> {
    let of = |program: &Program| {
        let mut arrays = program.arrays().iter();
        let is_it = |array: &&SourceArray| array.name == named && array.space == Space::Shared;
        arrays.find(is_it).map(|array| array.base)
    };
    Some([of(before)?, of(after)?])
}

/// The layout of a flat array whose rows a change sets further apart, as the runs tell it.
fn padded_layout(
    relocation: &Relocation,
    bases: Option<[u64; 2]>,
    change: &Change<'_>,
) -> Option<TileLayout> {
    let (array, FixKind::Place(place @ Place::Pad { elements, .. })) =
        (change.array?, &change.kind)
    else {
        return None;
    };
    let extents = relocation.rows(bases?, array.element_bytes, *elements)?;
    let shape = Shape::new(&extents, array.element_bytes)?;
    TileLayout::of(&array.name, &shape, *place)
}

/// What the array `named` of the changed program was, whose shared memory has moved so.
fn moved<'a>(
    relocation: &'a Relocation,
    before: &Program,
    after: &Program,
    named: &str,
) -> Origin<'a> {
    match bases(before, after, named) {
        Some([old, new]) => Origin::moved(named, move |byte| {
            let was = relocation.old(new.checked_add(byte)?)?;
            was.checked_sub(old)
        }),
        None => Origin::same(named),
    }
}

/// The source as it was, as written.
pub(crate) struct Written {
    program: Program,
    /// Its run; `None` where that does not end by itself.
    record: Option<Record>,
    /// Its accesses to shared memory, looked at once.
    log: OnceCell<Option<SharedLog>>,
}

impl Advisor<'_, '_> {
    /// Whether what stands around the kernel compiles with a change of this kind, too.
    fn suits_callers(&self, kind: &FixKind) -> bool {
        let changes_parameters = *kind == FixKind::SplitGlobal;
        !(changes_parameters && self.callers.is_launched)
    }

    /// Whether the change is right for all that the text makes of the kernel's template, and for each of its launches where it
    /// changes how that is launched.
    fn suits_instances(&mut self, change: &Change<'_>, changed: &Source) -> bool {
        let has_others = self.has_other_launches(&change.launch);
        !(self.callers.has_instances || has_others)
            || change.kind.suits_all_instances()
            || self.holds_for_instances(change, changed)
    }

    /// Whether the text has other launches whose blocks change where these do.
    fn has_other_launches(&self, launch: &NamedLaunch) -> bool {
        let is_alike = launch.grid == self.launch.grid && launch.block == self.launch.block;
        !is_alike && (self.callers.has_instances || self.callers.has_shapes)
    }

    /// The change as a suggestion, if its run computes the same and costs less.
    pub(crate) fn tried(
        &mut self,
        mut change: Change<'_>,
        watch: &Watch<'_>,
        renumber: &dyn Fn(usize) -> usize,
        proof: Proof,
    ) -> Option<Suggestion> {
        if !self.suits_callers(&change.kind) {
            return None;
        }
        let source = self.question.source.edited(&change.edits)?;
        let reader = self.question.reader;
        let parsed = reader.read(&source, Version::Counted);
        if parsed
            .diagnostics
            .iter()
            .any(|found| found.severity() == Severity::Error)
        {
            return None;
        }
        let relocation = match change.relocates {
            true => Some(self.relocated(&source, &mut change)?),
            false => None,
        };
        let launch = &change.launch;
        let after = self.run(&parsed.program, launch, &Watch::PLAIN)?;
        let costs_less = faults(&after, proof) <= faults(&self.before, proof)
            && cost(&after.totals) < cost(&self.before.totals)
            && change
                .most_cost
                .is_none_or(|most| cost(&after.totals) <= most);
        if !costs_less || !self.is_cheaper_whole(&change, &parsed.program) {
            return None;
        }
        // What threads do is compared as it is written: how long a compiler keeps a value can differ between two
        // spellings of one index.
        let written = reader.read(&source, Version::Written).program;
        let before = self.written();
        let same = match proof {
            Proof::SameSums => {
                self.same_sums((&before.program, &self.launch), (&written, launch))
                    && self.same_sums_at_the_end(&before.program, &written, &change)
            }
            Proof::SameResults => self.same_results(&before.program, &written, launch),
            Proof::SameAccesses | Proof::SameElements if watch.has_pieces() => {
                let before = self.run(&before.program, &self.launch, &watch.unmoved())?;
                let after = self.run(&written, launch, watch)?;
                same_threads(&before, &after, renumber)
            }
            Proof::SameAccesses | Proof::SameElements | Proof::ThreadsExchanged => {
                let origin = |named: &str| match &relocation {
                    Some(relocation) => moved(relocation, &before.program, &written, named),
                    None => watch.origin(named),
                };
                let after = self.run(&written, launch, &Watch::from(&origin))?;
                same_threads(before.record.as_ref()?, &after, renumber)
            }
        };
        if !same || !self.suits_instances(&change, &source) {
            return None;
        }
        if let Some(relocation) = &relocation
            && change.layouts.is_empty()
        {
            let named = change.array.map_or("", |array| array.name.as_str());
            let bases = bases(&before.program, &written, named);
            change
                .layouts
                .extend(padded_layout(relocation, bases, &change));
        }
        let launch = change.launch.clone();
        let mut suggestion = self.suggestion(change, source, &parsed.program, &after, proof);
        self.launch_in_text(&mut suggestion, &launch, &after.totals);
        // The other launches are told by the text alone.
        let is_told = suggestion.is_launched_in_text || !self.has_other_launches(&launch);
        is_told.then_some(suggestion)
    }

    /// Whether a change moves the blocks' edges, and not all blocks are compared.
    fn has_other_edges(&self, change: &Change<'_>) -> bool {
        let is_cut = self.launch.blocks != self.question.launch.blocks;
        is_cut && matches!(change.kind, FixKind::BlockShape { .. })
    }

    /// Whether the whole launch costs less too, of a change that moves the blocks' edges: the blocks that are compared
    /// may have none. Of another pitch of rows, whose ends they may not have either, it may not be known to cost as much.
    fn is_cheaper_whole(&self, change: &Change<'_>, program: &Program) -> bool {
        let is_cut = self.launch.blocks != self.question.launch.blocks;
        let is_pitch = matches!(change.kind, FixKind::Pitch { .. });
        let is_judged_whole = self.has_other_edges(change) || (is_cut && is_pitch);
        if !is_judged_whole {
            return true;
        }
        let before = whole_cost(self.question, self.program, &self.launch);
        let after = whole_cost(self.question, program, &change.launch);
        match (before, after) {
            (Some(before), Some(after)) => after < before,
            (None, _) | (_, None) => is_pitch,
        }
    }

    /// The source as written and its run, which is made once.
    fn written(&mut self) -> Rc<Written> {
        if let Some(known) = &self.memory.written {
            return Rc::clone(known);
        }
        let reader = self.question.reader;
        let program = reader.read(self.question.source, Version::Written).program;
        let record = self.run(&program, &self.launch, &Watch::PLAIN);
        let written = Rc::new(Written {
            program,
            record,
            log: OnceCell::new(),
        });
        self.memory.written = Some(Rc::clone(&written));
        written
    }

    /// Where shared memory stood before the change, which gets as much dynamic shared memory as it takes.
    fn relocated(&mut self, source: &Source, change: &mut Change<'_>) -> Option<Relocation> {
        let (lanes, budget) = (self.question.device.warp_lanes(), self.question.budget);
        let before = self.written();
        let log = before
            .log
            .get_or_init(|| SharedLog::of(&before.program, &self.launch, lanes, budget));
        let log = log.as_ref()?;
        let written = self.question.reader.read(source, Version::Written).program;
        let given = change.launch.dynamic_shared_bytes;
        let mut roomy = change.launch.clone();
        roomy.dynamic_shared_bytes = given.saturating_mul(2);
        let after = SharedLog::of(&written, &roomy, lanes, budget)?;
        if given > 0 {
            let more = after.end().saturating_sub(log.end());
            change.launch.dynamic_shared_bytes = given.saturating_add(more);
        }
        Relocation::of(log, &after)
    }

    fn suggestion(
        &self,
        change: Change<'_>,
        source: Source,
        program: &Program,
        after: &Record,
        proof: Proof,
    ) -> Suggestion {
        let device = self.question.device;
        let occupancy = |program: &Program, launch: &NamedLaunch| {
            let threads = launch.block_threads();
            let shared = program.shared_bytes() + launch.dynamic_shared_bytes;
            Occupancy::of(device, shared, threads, self.question.registers)
        };
        let mut launch = change.launch.clone();
        // Of another grid other blocks run.
        if launch.grid == self.launch.grid || self.question.launch.blocks == Blocks::All {
            launch.blocks = self.question.launch.blocks;
        }
        let raises = rise(
            &change.kind,
            [(self.program, &self.before), (program, after)],
        );
        Suggestion {
            snippet: match &change.snippet {
                Some(snippet) => snippet.clone(),
                None => headline(&change, &self.text, &source),
            },
            array: change
                .array
                .map_or_else(String::new, |array| array.name.clone()),
            array_totals: [
                change.array.map_or(self.before.totals.shared, |array| {
                    of_array(&self.before, self.program, &array.name)
                }),
                change.array.map_or(after.totals.shared, |array| {
                    of_array(after, program, &array.name)
                }),
            ],
            banks: [
                self.banks(&self.before, self.program, change.array),
                self.banks(after, program, change.array),
            ],
            totals: [self.before.totals, after.totals],
            occupancy: [
                occupancy(self.program, &self.launch),
                occupancy(program, &change.launch),
            ],
            kind: change.kind,
            edits: change.edits,
            source,
            launch,
            instructions: change.instructions,
            raises,
            is_launched_in_text: false,
            proof,
            layouts: change.layouts,
        }
    }

    fn same_sums(&self, before: (&Program, &NamedLaunch), after: (&Program, &NamedLaunch)) -> bool {
        let (lanes, budget) = (self.question.device.warp_lanes(), self.question.budget);
        let of = |(program, launch)| sums(program, launch, lanes, budget);
        let before = of(before);
        before.is_some() && before == of(after)
    }

    /// The same of as many blocks at the grid's end, of a change that moves the blocks' edges.
    fn same_sums_at_the_end(&self, before: &Program, after: &Program, change: &Change<'_>) -> bool {
        if !self.has_other_edges(change) {
            return true;
        }
        let end = |launch: &NamedLaunch| {
            let (all, (first, end)) = (
                launch.grid_blocks(),
                launch.blocks.of_grid(launch.grid_blocks()),
            );
            NamedLaunch {
                blocks: Blocks::Range(all - (end - first), all),
                ..launch.clone()
            }
        };
        let (now, then) = (end(&self.launch), end(&change.launch));
        self.same_sums((before, &now), (after, &then))
    }

    fn same_results(&self, before: &Program, after: &Program, launch: &NamedLaunch) -> bool {
        let (lanes, budget) = (self.question.device.warp_lanes(), self.question.budget);
        let values = |program, launch| FinalValues::of(program, launch, lanes, budget);
        let (Some(before), Some(after)) = (values(before, &self.launch), values(after, launch))
        else {
            return false;
        };
        after.are_those_of(&before)
    }

    /// A run; `None` where it does not end by itself.
    pub(crate) fn run(
        &self,
        program: &Program,
        launch: &NamedLaunch,
        watch: &Watch<'_>,
    ) -> Option<Record> {
        let run = record(self.question, program, launch, watch);
        (run.outcome.end == End::Complete).then_some(run)
    }

    fn banks(&self, record: &Record, program: &Program, array: Option<&SourceArray>) -> Vec<u32> {
        let arrays = (0_u32..).zip(program.arrays());
        let chosen =
            arrays.filter(|(_, other)| array.is_none_or(|array| is_part(&other.name, &array.name)));
        let found = chosen.filter_map(|(id, _)| record.arrays.get(&id)?.costliest.as_ref());
        // The first of several equals: `max_by_key` would take the last.
        let costliest = found.reduce(|best, next| if next.0 > best.0 { next } else { best });
        costliest.map_or_else(Vec::new, |(_, pattern)| {
            bank_load(self.question.device, pattern)
        })
    }
}

/// How much a run found wrong. Of results that are compared, the values in memory are known.
fn faults(run: &Record, proof: Proof) -> usize {
    let counts = |kind: &DiagnosticKind| {
        proof != Proof::SameResults || !matches!(kind, DiagnosticKind::DependsOnData { .. })
    };
    let findings = run.outcome.findings.iter();
    findings.filter(|found| counts(&found.kind)).count()
}

/// Whether each thread did the same; `renumber` tells its number before.
fn same_threads(before: &Record, after: &Record, renumber: &dyn Fn(usize) -> usize) -> bool {
    let length = before.threads.len().max(after.threads.len());
    let of = |run: &Record, thread: usize| run.threads.get(thread).copied().unwrap_or_default();
    (0..length).all(|thread| of(after, thread) == of(before, renumber(thread)))
}

/// What a run costs: passes over the banks and pieces of global memory, counted alike.
pub(crate) const fn cost(totals: &Totals) -> u64 {
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
