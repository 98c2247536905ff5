//! Divergence: lane slots used of those that warps issued.
//!
//! A warp issues an instruction for all of its lanes at once; those that are elsewhere leave their slot idle. How many
//! lanes are there on average is the profiler's `smsp__thread_inst_executed_per_inst_executed.ratio`. Of SASS the
//! machine's own instructions are counted, row by row. Of a source (and of PTX) those of the program are that stands for
//! it: what is left after a compiler's model, before registers, addresses and schedules are made. Which lanes are there
//! is the same in both; how many instructions lie where is not, so that the two ratios differ by that. Of a source's line
//! its accesses are counted alone: arithmetic belongs to no line once it is shared and moved.

use crate::line::file_of;
use crate::{Analysis, Answer};
use lanescope_frontend::{Executed, Language, Program, SourceOutcome};
use lanescope_ir::Stage;
use lanescope_syntax::bundled_files;

/// How many lanes took part in what warps executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Lanes of a warp.
    pub warp_lanes: u32,
    /// Whose instructions are counted.
    pub of: Stage,
    /// Instructions, each for a warp.
    pub warp_instructions: u64,
    /// The same, each for a lane that was there.
    pub thread_instructions: u64,
    /// By line, in the order of the text; of a source its accesses alone.
    pub lines: Vec<LineDivergence>,
}

/// The same of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineDivergence {
    /// The included file that it stands in; empty for the source.
    pub file: String,
    /// From 1, in its file.
    pub line: u32,
    /// Instructions, each for a warp.
    pub warp_instructions: u64,
    /// The same, each for a lane that was there.
    pub thread_instructions: u64,
}

impl Divergence {
    /// Of what was run; `None` of what has no instructions: expressions, layouts and launches of which nothing ran.
    #[must_use]
    pub fn of(analysis: &Analysis) -> Option<Self> {
        let question = &analysis.question;
        let lanes = question.device.warp_lanes();
        Self::of_run(
            (analysis.program(), &question.source),
            &analysis.outcome,
            lanes,
        )
    }

    /// Of what a page ran of a launch.
    #[must_use]
    pub fn of_answer(answer: &Answer) -> Option<Self> {
        let lanes = answer.device.as_ref()?.warp_lanes();
        let text = (&answer.program, answer.source.as_str());
        Self::of_run(text, answer.outcome.as_ref()?, lanes)
    }

    fn of_run(
        (program, source): (&Program, &str),
        outcome: &SourceOutcome,
        warp_lanes: u32,
    ) -> Option<Self> {
        if program.name().is_empty() {
            return None;
        }
        let of = program
            .lowered()
            .map_or_else(|| stage_of(source), |kernel| kernel.stage);
        let files = bundled_files(source);
        let line = |one: &Executed| LineDivergence {
            file: file_of(&files, one.place).path.to_owned(),
            line: one
                .place
                .saturating_sub(file_of(&files, one.place).lines_before),
            warp_instructions: one.warp_instructions,
            thread_instructions: one.thread_instructions,
        };
        let executed = &outcome.executed;
        let sum = |of: fn(&Executed) -> u64| executed.iter().map(of).fold(0, u64::saturating_add);
        let warp_instructions = sum(|one| one.warp_instructions);
        (warp_instructions > 0).then(|| Self {
            warp_lanes,
            of,
            warp_instructions,
            thread_instructions: sum(|one| one.thread_instructions),
            lines: executed
                .iter()
                .filter(|one| one.place > 0)
                .map(line)
                .collect(),
        })
    }

    /// Lanes an instruction, in hundredths, rounded.
    #[must_use]
    pub fn lanes_hundredths(&self) -> u64 {
        lanes_hundredths(self.warp_instructions, self.thread_instructions)
    }

    /// Lane slots used of those that were issued, in hundredths of a percent, rounded.
    #[must_use]
    pub fn used_hundredths(&self) -> u64 {
        let slots = u128::from(self.slots().max(1));
        let used = u128::from(self.thread_instructions);
        u64::try_from((used * 10_000 + slots / 2) / slots).unwrap_or(u64::MAX)
    }

    /// Lane slots that were issued.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.warp_instructions
            .saturating_mul(self.warp_lanes.into())
    }

    /// The lines that leave most lane slots idle, the worst first; of those that leave none, none.
    #[must_use]
    pub fn worst(&self, most: usize) -> Vec<&LineDivergence> {
        let mut lines: Vec<&LineDivergence> = self.lines.iter().collect();
        lines.retain(|line| self.idle(line) > 0);
        lines.sort_by_key(|line| std::cmp::Reverse(self.idle(line)));
        lines.truncate(most);
        lines
    }

    fn idle(&self, line: &LineDivergence) -> u64 {
        let slots = line
            .warp_instructions
            .saturating_mul(self.warp_lanes.into());
        slots.saturating_sub(line.thread_instructions)
    }
}

/// Whose instructions a text has, of which a worker kept the code.
fn stage_of(source: &str) -> Stage {
    match Language::of(source) {
        Language::Ptx => Stage::Ptx,
        Language::Sass => Stage::Machine,
        Language::Cuda | Language::Wgsl => Stage::Source,
    }
}

impl LineDivergence {
    /// As [`Divergence::lanes_hundredths`].
    #[must_use]
    pub fn lanes_hundredths(&self) -> u64 {
        lanes_hundredths(self.warp_instructions, self.thread_instructions)
    }
}

/// Lanes an instruction, in hundredths, rounded: of instructions counted by warps and by threads; 0 without any.
#[must_use]
pub fn lanes_hundredths(warps: u64, threads: u64) -> u64 {
    let (warps, threads) = (u128::from(warps.max(1)), u128::from(threads));
    u64::try_from((threads * 100 + warps / 2) / warps).unwrap_or(u64::MAX)
}
