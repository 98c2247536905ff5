//! The search in progress: what it works on, and what it has found.

use std::rc::Rc;

use lanescope_frontend::{Language, NamedLaunch, Program};

use crate::change::Change;
use crate::code::Code;
use crate::reader::Callers;
use crate::record::{Record, Watch};
use crate::trial::cost;
use crate::{
    Advice, FixKind, FixSearch, Note, Progress, Proof, Question, Source, Step, simplest_first,
};

/// A source, its run as it is, and the advice so far.
pub(crate) struct Advisor<'a, 'p> {
    pub(crate) question: &'a Question<'a>,
    pub(crate) launch: NamedLaunch,
    pub(crate) program: &'a Program,
    pub(crate) language: Language,
    pub(crate) text: String,
    pub(crate) before: Rc<Record>,
    /// What the text around the kernel does with it.
    pub(crate) callers: Callers,
    pub(crate) advice: Advice,
    pub(crate) told: &'p mut dyn FnMut(Step<'_>) -> bool,
    /// What earlier runs found out.
    pub(crate) memory: &'p mut FixSearch,
    /// How many runs there may still be.
    pub(crate) room: usize,
    pub(crate) runs: Progress,
    pub(crate) cancelled: bool,
}

impl Advisor<'_, '_> {
    pub(crate) fn plan(&mut self, runs: usize) {
        self.runs.planned += u32::try_from(runs).unwrap_or(u32::MAX);
    }

    /// The macros that the source is read with.
    pub(crate) fn defines(&self) -> &[(String, String)] {
        match self.question.source {
            Source::Kernel { options, .. } => &options.defines,
            Source::Expression { .. } => &[],
        }
    }

    /// The text as a tree of C; `None` of WGSL that has what C has nothing for.
    pub(crate) fn as_c<'t>(&self, text: &'t str) -> Option<Code<'t>> {
        match self.language {
            Language::Wgsl => Code::of_wgsl(text),
            Language::Cuda | Language::Ptx | Language::Sass => Some(Code::of(text, self.defines())),
        }
    }

    /// Runs the changed source and keeps the change if it computes the same and costs less.
    pub(crate) fn prove(&mut self, change: Change<'_>, watch: &Watch<'_>, proof: Proof) {
        self.prove_renumbered(change, watch, &|thread| thread, proof);
    }

    /// The same for a change that gives the threads other numbers: `renumber` tells a thread's
    /// number before.
    pub(crate) fn prove_renumbered(
        &mut self,
        change: Change<'_>,
        watch: &Watch<'_>,
        renumber: &dyn Fn(usize) -> usize,
        proof: Proof,
    ) {
        if self.cancelled {
            return;
        }
        let is_kept = change.kind == FixKind::SplitGlobal && self.callers.is_launched;
        if is_kept && !self.advice.notes.contains(&Note::ParametersKept) {
            self.advice.notes.push(Note::ParametersKept);
        }
        let trial = usize::try_from(self.runs.done).unwrap_or(usize::MAX) - 1;
        let suggestion = match self.memory.tried.get(trial).cloned() {
            Some(known) => known,
            None if self.room == 0 => {
                self.cancelled = true;
                return;
            }
            None => {
                self.room -= 1;
                let found = self.tried(change, watch, renumber, proof);
                self.memory.tried.push(found.clone());
                found
            }
        };
        self.runs.done += 1;
        let is_found = suggestion.is_some();
        self.advice.suggestions.extend(suggestion);
        let step = Step {
            progress: self.runs,
            found: is_found.then_some(&self.advice),
        };
        self.cancelled = !(self.told)(step);
    }

    pub(crate) fn finish(mut self) -> Advice {
        let advice = &mut self.advice;
        let order = simplest_first(&advice.suggestions);
        let in_order = order
            .iter()
            .filter_map(|at| advice.suggestions.get(*at).cloned());
        advice.suggestions = in_order.collect();
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
        let best = advice
            .suggestions
            .iter()
            .map(|suggestion| suggestion.totals[1])
            .min_by_key(cost);
        let left = best.unwrap_or(advice.now);
        let still_wastes = left.global.units > left.global.ideal || left.shared.conflicts() > 0;
        if self.language == Language::Wgsl && still_wastes {
            if Code::of_wgsl(&self.text).is_none() {
                advice.notes.push(Note::SeveralEntryPoints);
            }
            advice.notes.push(Note::OnlyInC);
        }
        if advice.arrays.is_empty() && advice.suggestions.is_empty() && advice.notes.is_empty() {
            advice.notes.push(Note::NothingToFix);
        }
        self.advice
    }
}
