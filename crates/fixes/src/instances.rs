//! Whether a change is right whatever a kernel's template is launched with: each launch of the text is run.

use std::rc::Rc;

use lanescope_frontend::{ArgumentValue, Blocks, End, FinalValues, NamedLaunch, Program, Severity};

use crate::advisor::Advisor;
use crate::change::Change;
use crate::record::{Record, Watch, record};
use crate::trial::cost;
use crate::{Instance, Question, Source, Version};

/// The most instances that are run for one change.
const MOST_INSTANCES: usize = 8;

/// A source read for one instance: as it is counted and as it is written.
struct Programs {
    counted: Program,
    written: Program,
}

impl Advisor<'_, '_> {
    /// Whether every other instance that the text launches leaves the same bytes with the change, at no higher cost.
    pub(crate) fn holds_for_instances(&mut self, change: &Change<'_>, changed: &Source) -> bool {
        let is_launched_alike = change.launch.grid == self.launch.grid
            && change.launch.block == self.launch.block
            && change.launch.dynamic_shared_bytes == self.launch.dynamic_shared_bytes;
        let others = self.other_instances();
        let Some(others) = (*others).as_ref().filter(|_| is_launched_alike) else {
            return false;
        };
        others
            .iter()
            .all(|instance| self.holds_for(instance, changed) == Some(true))
    }

    /// The instances other than the one that is asked about; `None` where not all are launched by constants, or they are too many.
    fn other_instances(&mut self) -> Rc<Option<Vec<Instance>>> {
        if let Some(known) = &self.memory.instances {
            return Rc::clone(known);
        }
        let question = self.question;
        let name = self.program.name().split('<').next().unwrap_or_default();
        let all = question.reader.instances(question.source, name);
        let own = match question.source {
            Source::Kernel { options, .. } => options.templates.clone(),
            Source::Expression { .. } => Vec::new(),
        };
        let others = all.map(|mut list| {
            list.retain(|one| one.templates != own);
            list
        });
        let found = Rc::new(others.filter(|list| list.len() <= MOST_INSTANCES));
        self.memory.instances = Some(Rc::clone(&found));
        found
    }

    /// `None` where a run of the instance does not end, or what it leaves is not known.
    fn holds_for(&self, instance: &Instance, changed: &Source) -> Option<bool> {
        let [before, after] =
            [self.question.source, changed].map(|source| self.programs(instance, source));
        let (before, after) = (before?, after?);
        let launch = launched(self.question, instance, &before.counted);
        let run = |program: &Program| -> Option<Record> {
            let run = record(self.question, program, &launch, &Watch::PLAIN);
            (run.outcome.end == End::Complete).then_some(run)
        };
        let (old, new) = (run(&before.counted)?, run(&after.counted)?);
        let is_no_worse = cost(&new.totals) <= cost(&old.totals)
            && new.outcome.findings.len() <= old.outcome.findings.len();
        if !is_no_worse {
            return Some(false);
        }
        let (lanes, budget) = (self.question.device.warp_lanes(), self.question.budget);
        let values = |program| FinalValues::of(program, &launch, lanes, budget);
        let (old, new) = (values(&before.written)?, values(&after.written)?);
        Some(new.are_those_of(&old))
    }

    /// The source's programs for the instance; `None` where it does not compile.
    fn programs(&self, instance: &Instance, source: &Source) -> Option<Programs> {
        let Source::Kernel { text, options } = source else {
            return None;
        };
        let mut options = options.clone();
        options.templates.clone_from(&instance.templates);
        let source = Source::Kernel {
            text: text.clone(),
            options,
        };
        let read = |version| {
            let parsed = self.question.reader.read(&source, version);
            let is_wrong =
                |found: &lanescope_frontend::Diagnostic| found.severity() == Severity::Error;
            let is_right = !parsed.diagnostics.iter().any(is_wrong);
            is_right.then_some(parsed.program)
        };
        Some(Programs {
            counted: read(Version::Counted)?,
            written: read(Version::Written)?,
        })
    }
}

/// The launch of an instance: its shape and whole numbers, and else what is asked about; of so many blocks as are compared.
fn launched(question: &Question<'_>, instance: &Instance, program: &Program) -> NamedLaunch {
    let mut launch = question.launch.clone();
    (launch.grid, launch.block) = (instance.grid, instance.block);
    launch.dynamic_shared_bytes = instance.dynamic_shared_bytes;
    launch.blocks = Blocks::All;
    for (parameter, value) in program.parameters().iter().zip(&instance.arguments) {
        if let Some(value) = value {
            launch
                .arguments
                .retain(|given| given.name != parameter.name);
            launch = launch.with(&parameter.name, ArgumentValue::Integer(*value));
        }
    }
    let asked = Question {
        launch,
        ..question.clone()
    };
    asked.compared()
}
