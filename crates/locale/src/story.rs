//! What the components of stories say; the stories' own prose is not here.

use crate::Language;

/// Texts around the figures of a story.
#[derive(Clone, Copy, Debug)]
pub struct StoryWords {
    /// The list of stories, as the header and its title name it.
    pub stories: &'static str,
    /// What the stories are, in a line.
    pub about: &'static str,
    /// Over the list of single patterns.
    pub patterns: &'static str,
    /// What the patterns are, in a line.
    pub about_patterns: &'static str,
    /// The list of all stories, beside one.
    pub path: &'static str,
    /// Where in the order a story is, and how many minutes it takes.
    pub which: fn(order: usize, of: usize, minutes: u32) -> String,
    /// Before the name of the next story.
    pub next: &'static str,
    /// Over the patterns, behind the last story.
    pub all_patterns: &'static str,
    /// How the numbers of a story came about.
    pub numbers: &'static str,
    /// The link to the page with what a figure shows.
    pub open: &'static str,
    /// Shows it inside the story.
    pub live: &'static str,
    /// Runs kernels inside the story.
    pub run: &'static str,
    /// What a run inside the story does.
    pub about_run: &'static str,
    /// The link to the lab.
    pub lab: &'static str,
    /// Over what the reader can do now.
    pub can: &'static str,
    /// Shows the answer of a question that nobody answered.
    pub show: &'static str,
    /// Of numbers that are somebody else's measurement.
    pub published: &'static str,
    /// Back by one.
    pub back: &'static str,
    /// On by one.
    pub forward: &'static str,
    /// Runs through the steps.
    pub play: &'static str,
    /// Ends that.
    pub stop: &'static str,
    /// A pass of a loop.
    pub step: &'static str,
    /// The label of a curve.
    pub each_value: &'static str,
    /// A row of an array.
    pub row: &'static str,
    /// A word of memory.
    pub word: &'static str,
    /// A byte address.
    pub byte: &'static str,
    /// Requests of warps.
    pub requests: &'static str,
    /// Wavefronts.
    pub wavefronts: &'static str,
    /// Lanes that take part in a request.
    pub lanes_each: &'static str,
    /// A column: kernels.
    pub kernel: &'static str,
    /// A column: lanes that are used.
    pub divergence: &'static str,
    /// A column: requests and the wavefronts that come after the first.
    pub queue: &'static str,
    /// What the marks of a flow mean.
    pub flow_legend: &'static str,
    /// What a flow shows after a step.
    pub flow_label: fn(step: u64, of: u64) -> String,
    /// What an array over the banks shows.
    pub rows_label: fn(lanes: u64, wavefronts: u64) -> String,
    /// How many other words of a bank a request asks for.
    pub others: fn(words: u64, bank: u64) -> String,
    /// n of n-way.
    pub ways: fn(ways: u64) -> String,
    /// Lanes that take part.
    pub lanes_on: fn(lanes: u64) -> String,
    /// Requests and their wavefronts.
    pub requests_in_wavefronts: fn(requests: u64, wavefronts: u64) -> String,
    /// Lane slots used of those of a warp: a mean, and what it is made of.
    pub lanes_of_warp: fn(mean: &str, warp: u64, lanes: u64, requests: u64) -> String,
    /// Wavefronts as requests and conflicts.
    pub wavefronts_are: fn(wavefronts: u64, requests: u64, conflicts: u64) -> String,
    /// Over the parts of a kernel to choose from.
    pub choose: &'static str,
    /// The result is right.
    pub right_result: &'static str,
    /// It is not.
    pub wrong_result: &'static str,
    /// A thread reads or writes what another one writes.
    pub race: &'static str,
    /// None does.
    pub no_race: &'static str,
    /// Bank conflicts.
    pub conflicts: fn(conflicts: u64) -> String,
    /// Requests, and how many are enough.
    pub of_requests: fn(requests: u64, enough: u64) -> String,
    /// The goal is met.
    pub met: &'static str,
    /// It is not yet.
    pub not_met: &'static str,
}

impl StoryWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, story::WORDS)
    }
}
