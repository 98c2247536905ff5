//! From a source to its fixes.

use std::rc::Rc;

use lanescope_frontend::{Blocks, End, Language, NamedLaunch, Program, Severity};

use crate::advisor::Advisor;
use crate::record::{Record, Watch, record};
use crate::{Advice, FixSearch, Note, Progress, Question, Step, Totals, Version};

/// Searches fixes and proves each on the changed source. `progress` is told of every run;
/// `false` ends the search with what there is.
pub fn advise(question: &Question<'_>, progress: &mut dyn FnMut(Progress) -> bool) -> Advice {
    advise_as_found(question, &mut |step| progress(step.progress))
}

/// The same; `told` hears after each run what it found, the costliest array first and of each array the simplest change
/// first. `false` ends the search.
pub fn advise_as_found(question: &Question<'_>, told: &mut dyn FnMut(Step<'_>) -> bool) -> Advice {
    FixSearch::new().advised(question, usize::MAX, told)
}

impl FixSearch {
    /// The launch of the runs that are compared, of so many blocks as make not too many requests, and the run of the source
    /// as it is.
    fn before(&mut self, question: &Question<'_>, program: &Program) -> (NamedLaunch, Rc<Record>) {
        let run = || {
            let compared = question.compared();
            let mut one = compared.clone();
            if one.blocks != Blocks::All || one.grid_blocks() > 1 {
                one.blocks = Blocks::First(1);
            }
            // Places are searched for each access; what all of them cost is that of those that a
            // compiler joins.
            let separate = question.reader.read(question.source, Version::Separate);
            let separate = Some(separate.program).filter(|separate| separate != program);
            let watch = match &separate {
                Some(_) => Watch::PLAIN,
                None => Watch::SEARCHED,
            };
            let first = record(question, program, &one, &watch);
            let Totals { shared, global } = first.totals;
            let launch = question.cut(compared, shared.requests + global.requests);
            let joined = if launch == one {
                first
            } else {
                record(question, program, &launch, &watch)
            };
            let before = match separate {
                Some(separate) => Record {
                    totals: joined.totals,
                    costs: joined.costs,
                    ..record(question, &separate, &launch, &Watch::SEARCHED)
                },
                None => joined,
            };
            (launch, Rc::new(before))
        };
        self.before.get_or_insert_with(run).clone()
    }

    /// The advice after `most` further runs.
    pub(crate) fn advised(
        &mut self,
        question: &Question<'_>,
        most: usize,
        told: &mut dyn FnMut(Step<'_>) -> bool,
    ) -> Advice {
        let mut advice = Advice {
            blocks: 0,
            launch: question.launch.clone(),
            now: Totals::default(),
            arrays: Vec::new(),
            suggestions: Vec::new(),
            notes: Vec::new(),
        };
        let parsed = question.reader.read(question.source, Version::Counted);
        let is_wrong = parsed
            .diagnostics
            .iter()
            .any(|found| found.severity() == Severity::Error);
        if is_wrong {
            advice.notes.push(Note::Errors);
            return advice;
        }
        let (launch, before) = self.before(question, &parsed.program);
        advice.now = before.totals;
        advice.blocks = before.outcome.blocks_done;
        advice.notes.extend(before.unknown.map(Note::Unknown));
        if before.outcome.end != End::Complete {
            advice.notes.push(Note::Stopped);
            return advice;
        }
        let text = question.source.text();
        let name = parsed.program.name().split('<').next().unwrap_or_default();
        let callers = question.reader.callers(question.source, name);
        if callers.has_instances {
            advice.notes.push(Note::SeveralInstances);
        }
        let mut advisor = Advisor {
            callers,
            question,
            launch,
            program: &parsed.program,
            language: question.source.language(),
            text,
            before,
            advice,
            told,
            memory: self,
            room: most,
            runs: Progress {
                done: 1,
                planned: 1,
            },
            cancelled: false,
        };
        let waste = advisor.before.totals;
        let global_first = waste.global.waste() > waste.shared.conflicts();
        let is_c = advisor.language == Language::Cuda;
        let is_wgsl = advisor.language == Language::Wgsl;
        if global_first {
            advisor.global_memory();
        }
        advisor.shared_arrays();
        advisor.together();
        if is_c || is_wgsl {
            advisor.sequential_reduction();
            advisor.reductions();
        }
        // What stays in a register, a compiler decides; of WGSL none is followed.
        if is_c {
            advisor.exchange_loops();
        }
        if !global_first {
            advisor.global_memory();
        }
        if is_wgsl {
            advisor.swap_wgsl_axes();
        }
        advisor.finish()
    }
}
