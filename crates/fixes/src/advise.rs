//! From a source to its fixes.

use std::rc::Rc;

use lanescope_frontend::{Blocks, End, Language, Launch, Program, Severity};

use crate::advisor::Advisor;
use crate::record::{Record, Watch, record};
use crate::{Advice, FixSearch, Note, Progress, Question, Totals, Version};

/// Searches fixes and proves each on the changed source. `progress` is told of every run;
/// `false` ends the search with what there is.
pub fn advise(question: &Question<'_>, progress: &mut dyn FnMut(Progress) -> bool) -> Advice {
    FixSearch::new().advised(question, usize::MAX, progress)
}

impl FixSearch {
    /// The launch of the runs that are compared: of so many blocks as make not too many requests.
    fn compared(&mut self, question: &Question<'_>, program: &Program) -> Launch {
        let compared = question.compared();
        let count = || {
            let mut one = compared.clone();
            if one.blocks != Blocks::All || one.grid_blocks() > 1 {
                one.blocks = Blocks::First(1);
            }
            let totals = record(question, program, &one, &Watch::PLAIN).totals;
            totals.shared.requests + totals.global.requests
        };
        let requests = *self.block_requests.get_or_insert_with(count);
        question.cut(compared, requests)
    }

    /// The advice after `most` further runs.
    pub(crate) fn advised(
        &mut self,
        question: &Question<'_>,
        most: usize,
        progress: &mut dyn FnMut(Progress) -> bool,
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
        let launch = self.compared(question, &parsed.program);
        let run = || {
            // Places are searched for each access; what all of them cost is that of those that a
            // compiler joins.
            let separate = question.reader.read(question.source, Version::Separate);
            let program = &parsed.program;
            let joined = record(question, program, &launch, &Watch::PLAIN);
            Record {
                totals: joined.totals,
                costs: joined.costs,
                ..record(question, &separate.program, &launch, &Watch::SEARCHED)
            }
        };
        let before = Rc::clone(self.before.get_or_insert_with(|| Rc::new(run())));
        advice.now = before.totals;
        advice.blocks = before.outcome.blocks_done;
        advice.notes.extend(before.unknown.map(Note::Unknown));
        if before.outcome.end != End::Completed {
            advice.notes.push(Note::Stopped);
            return advice;
        }
        let text = question.source.text();
        let mut advisor = Advisor {
            question,
            launch,
            program: &parsed.program,
            language: question.source.language(),
            text,
            before,
            advice,
            progress,
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
        // Most fixes are written in C.
        let is_c = advisor.language == Language::Cuda;
        if is_c && global_first {
            advisor.global_memory();
        }
        advisor.shared_arrays();
        advisor.together();
        if is_c {
            advisor.sequential_reduction();
            advisor.reductions();
            advisor.exchange_loops();
        }
        if is_c && !global_first {
            advisor.global_memory();
        }
        if advisor.language == Language::Wgsl {
            advisor.swap_wgsl_axes();
        }
        advisor.finish()
    }
}
