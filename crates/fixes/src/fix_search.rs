//! The search for fixes, a few runs at a time.

use std::collections::BTreeMap;
use std::rc::Rc;

use lanescope_frontend::NamedLaunch;

use crate::linear::Decided;
use crate::record::Record;
use crate::trial::Written;
use crate::{Advice, Instance, Progress, Question, Suggestion};

/// A search under way: what its runs have found out so far.
///
/// ```
/// use lanescope_fixes::{FixSearch, Question, Source};
/// use lanescope_frontend::{Budget, NamedLaunch};
/// use lanescope_model::Device;
/// use lanescope_query::SourceReader;
///
/// let text = "__global__ void k() { __shared__ float s[32][32]; s[threadIdx.x][0] = 1.0f; }";
/// let source = Source::kernel(text);
/// let question = Question {
///     source: &source,
///     reader: &SourceReader::default(),
///     launch: NamedLaunch::new([1, 1, 1], [32, 1, 1]),
///     device: <&Device>::default(),
///     budget: Budget::default(),
///     registers: None,
/// };
/// let mut search = FixSearch::new();
/// let mut advice = search.advance(&question, 1);
/// while advice.1.is_some() {
///     advice = search.advance(&question, 1);
/// }
/// assert!(!advice.0.suggestions.is_empty());
/// ```
#[derive(Default)]
pub struct FixSearch {
    /// The launch of the runs that are compared, and the run of the source as it is.
    pub(crate) before: Option<(NamedLaunch, Rc<Record>)>,
    /// The source as written, run.
    pub(crate) written: Option<Rc<Written>>,
    /// The launches of the text, once they are looked for.
    pub(crate) instances: Option<Rc<Option<Vec<Instance>>>>,
    /// `[trial]`: what came of it, in the order of the search.
    pub(crate) tried: Vec<Option<Suggestion>>,
    /// `[array, elements of a row]`: what the search of its linear swizzles found.
    pub(crate) linear: BTreeMap<(String, u64), Decided>,
}

impl FixSearch {
    /// A search that has not begun.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes at most `most` further runs of changed sources, always for the same question. The
    /// advice so far, and how far the search has come; `None` when it is done. What an unfinished
    /// advice says in notes may still change.
    pub fn advance(&mut self, question: &Question<'_>, most: usize) -> (Advice, Option<Progress>) {
        let known = self.tried.len();
        let mut last = None;
        let advice = self.advised(question, most, &mut |step| {
            last = Some(step.progress);
            true
        });
        let is_done = self.tried.len() - known < most;
        (advice, last.filter(|_| !is_done))
    }
}
