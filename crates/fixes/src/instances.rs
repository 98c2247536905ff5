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
    /// Whether every other instance that the text launches leaves the same bytes with the change, at no higher cost; where the
    /// change is launched otherwise, so is each of them, and the same instance's other launches count too.
    pub(crate) fn holds_for_instances(&mut self, change: &Change<'_>, changed: &Source) -> bool {
        let all = self.instances();
        let Some(all) = (*all).as_ref() else {
            return false;
        };
        let own = match self.question.source {
            Source::Kernel { options, .. } => options.templates.clone(),
            Source::Expression { .. } => Vec::new(),
        };
        let shape = |launch: &NamedLaunch| (launch.grid, launch.block, launch.dynamic_shared_bytes);
        let now = shape(&self.launch);
        let is_launched_alike = shape(&change.launch) == now;
        let is_other = |one: &&Instance| {
            let is_here = (one.grid, one.block, one.dynamic_shared_bytes) == now;
            one.templates != own || !(is_launched_alike || is_here)
        };
        let mut others = all.iter().filter(is_other);
        others.all(|instance| self.holds_for(instance, change, changed) == Some(true))
    }

    /// The launches of the text; `None` where not all instances are launched by constants, or they are too many.
    fn instances(&mut self) -> Rc<Option<Vec<Instance>>> {
        if let Some(known) = &self.memory.instances {
            return Rc::clone(known);
        }
        let question = self.question;
        let name = self.program.name().split('<').next().unwrap_or_default();
        let all = question.reader.instances(question.source, name);
        let found = Rc::new(all.filter(|list| list.len() <= MOST_INSTANCES));
        self.memory.instances = Some(Rc::clone(&found));
        found
    }

    /// `None` where a run of the instance does not end, or what it leaves is not known.
    fn holds_for(
        &self,
        instance: &Instance,
        change: &Change<'_>,
        changed: &Source,
    ) -> Option<bool> {
        let [before, after] =
            [self.question.source, changed].map(|source| self.programs(instance, source));
        let (before, after) = (before?, after?);
        let was = launched(self.question, instance, &before.counted);
        let (was, will) = relaunched(was, [&self.launch, &change.launch])?;
        let run = |program: &Program, launch: &NamedLaunch| -> Option<Record> {
            let run = record(self.question, program, launch, &Watch::PLAIN);
            (run.outcome.end == End::Complete).then_some(run)
        };
        let (old, new) = (run(&before.counted, &was)?, run(&after.counted, &will)?);
        let is_no_worse = cost(&new.totals) <= cost(&old.totals)
            && new.outcome.findings.len() <= old.outcome.findings.len();
        if !is_no_worse {
            return Some(false);
        }
        let (lanes, budget) = (self.question.device.warp_lanes(), self.question.budget);
        let values = |program, launch| FinalValues::of(program, launch, lanes, budget);
        let (old, new) = (
            values(&before.written, &was)?,
            values(&after.written, &will)?,
        );
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

/// A launch, of so many blocks that those it becomes are whole, and what it becomes where `from` becomes `to`; `None` where its
/// sides do not change by the same factors, or an argument that changes is another.
fn relaunched(
    mut launch: NamedLaunch,
    [from, to]: [&NamedLaunch; 2],
) -> Option<(NamedLaunch, NamedLaunch)> {
    let mut after = launch.clone();
    for axis in 0..3 {
        let side = |of: &[u32; 3]| of.get(axis).copied().map(u64::from);
        let grid = scaled(side(&launch.grid)?, side(&from.grid)?, side(&to.grid)?)?;
        let block = scaled(side(&launch.block)?, side(&from.block)?, side(&to.block)?)?;
        *after.grid.get_mut(axis)? = u32::try_from(grid).ok()?;
        *after.block.get_mut(axis)? = u32::try_from(block).ok()?;
    }
    let bytes = [from, to].map(|launch| launch.dynamic_shared_bytes);
    after.dynamic_shared_bytes = scaled(launch.dynamic_shared_bytes, bytes[0], bytes[1])?;
    if let Blocks::First(count) = launch.blocks {
        let (old, new) = (from.grid_blocks(), to.grid_blocks());
        let group = if old > new { old.checked_div(new)? } else { 1 };
        let count = count / group.max(1) * group.max(1);
        launch.blocks = Blocks::First(count);
        after.blocks = Blocks::First(scaled(count, old, new).filter(|count| *count > 0)?);
    }
    for new in &to.arguments {
        let of = |launch: &NamedLaunch| {
            let mut all = launch.arguments.iter();
            all.find(|one| one.name == new.name)
                .map(|one| one.value.clone())
        };
        let old = of(from);
        if old.as_ref() == Some(&new.value) {
            continue;
        }
        if of(&launch) != old {
            return None;
        }
        after.arguments.retain(|argument| argument.name != new.name);
        after = after.with(&new.name, new.value.clone());
    }
    Some((launch, after))
}

/// `value` as what it is where `from` is `to`; `None` where that is no whole number.
fn scaled(value: u64, from: u64, to: u64) -> Option<u64> {
    if from == to {
        return Some(value);
    }
    let product = value.checked_mul(to)?;
    product
        .is_multiple_of(from.max(1))
        .then(|| product / from.max(1))
}
