//! What came of all files.

use super::finding::{Accepted, Finding, Level};
use super::rule::Rule;
use super::target::Launched;
use lanescope_query::{Analysis, qualification, verdict};
use lanescope_tally::{Status, Totals};

/// One launch of one kernel.
#[derive(Debug)]
pub(super) struct Counted {
    pub(super) file: String,
    pub(super) kernel: String,
    pub(super) line: u32,
    /// What is given of the launch.
    pub(super) launch: String,
    pub(super) device: &'static str,
    /// `None` where nothing could be counted.
    pub(super) answer: Option<CountedAnswer>,
    pub(super) findings: Vec<Finding>,
}

/// What a launch costs.
#[derive(Debug)]
pub(super) struct CountedAnswer {
    pub(super) status: Status,
    /// Why it is not simply counted.
    pub(super) qualification: String,
    pub(super) verdict: String,
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) is_guessed: bool,
    pub(super) totals: Totals,
}

impl Counted {
    /// Of a launch that was counted.
    pub(super) fn of(target: &Launched<'_>, analysis: &Analysis, findings: Vec<Finding>) -> Self {
        let question = &analysis.question;
        Self {
            device: question.device.id(),
            answer: Some(CountedAnswer {
                status: analysis.standing.status,
                qualification: qualification(&analysis.standing),
                verdict: verdict(analysis),
                grid: question.launch.grid,
                block: question.launch.block,
                is_guessed: question.is_shape_guessed,
                totals: analysis.totals,
            }),
            findings,
            ..Self::without(target)
        }
    }

    /// Of one that could not be.
    pub(super) fn failed(target: &Launched<'_>, finding: Finding) -> Self {
        Self {
            findings: vec![finding],
            ..Self::without(target)
        }
    }

    fn without(target: &Launched<'_>) -> Self {
        Self {
            file: target.file.name.clone(),
            kernel: target.name.clone(),
            line: target.line,
            launch: target.words(),
            device: "",
            answer: None,
            findings: Vec::new(),
        }
    }
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) files: usize,
    pub(super) skipped: usize,
    pub(super) launches: Vec<Counted>,
    /// What is about a file and not about a launch.
    pub(super) others: Vec<Finding>,
}

/// The sums of an outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// Launches.
    pub(super) launches: usize,
    /// Findings over a limit.
    pub(super) over: usize,
    /// The same under a guessed launch.
    pub(super) over_if_guessed: usize,
    /// Launches that are not fully counted.
    pub(super) not_counted: usize,
    /// Launches that nobody gives.
    pub(super) guessed: usize,
    /// What could not be checked.
    pub(super) failed: usize,
    /// Findings that a comment or the baseline accepts.
    pub(super) accepted: usize,
}

/// What the program exits with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Within,
    Failed,
    NotCounted,
    Over,
}

impl Exit {
    /// The exit status.
    pub(super) const fn code(self) -> u8 {
        match self {
            Self::Within => 0,
            Self::Failed => 1,
            Self::NotCounted => 3,
            Self::Over => 4,
        }
    }
}

impl Outcome {
    /// Adds what came of another file.
    pub(super) fn add(&mut self, other: Self) {
        self.files += other.files;
        self.skipped += other.skipped;
        self.launches.extend(other.launches);
        self.others.extend(other.others);
    }

    /// Every finding.
    pub(super) fn findings(&self) -> impl Iterator<Item = &Finding> {
        let launches = self.launches.iter().flat_map(|launch| &launch.findings);
        self.others.iter().chain(launches)
    }

    /// Every finding, to be accepted.
    pub(super) fn findings_mut(&mut self) -> impl Iterator<Item = &mut Finding> {
        let launches = self
            .launches
            .iter_mut()
            .flat_map(|launch| &mut launch.findings);
        self.others.iter_mut().chain(launches)
    }

    pub(super) fn summary(&self) -> Summary {
        let mut summary = Summary {
            launches: self.launches.len(),
            ..Summary::default()
        };
        for finding in self.findings() {
            let counter = match (finding.accepted, finding.rule) {
                (Some(Accepted::Comment | Accepted::Baseline), _) => &mut summary.accepted,
                (None, Rule::NotCounted) => &mut summary.not_counted,
                (None, Rule::GuessedLaunch) => &mut summary.guessed,
                (None, Rule::InvalidLaunch | Rule::Unreadable) => &mut summary.failed,
                (None, Rule::BankConflict | Rule::SectorsPerRequest | Rule::WastedSectors) => {
                    match finding.level {
                        Level::Error => &mut summary.over,
                        Level::Warning | Level::Note => &mut summary.over_if_guessed,
                    }
                }
            };
            *counter += 1;
        }
        summary
    }

    /// The gravest of what was found.
    pub(super) fn exit(&self, allows_uncounted: bool) -> Exit {
        let summary = self.summary();
        let is_uncounted = summary.not_counted + summary.guessed > 0;
        match (summary.over, summary.failed) {
            (1.., _) => Exit::Over,
            (0, 1..) => Exit::Failed,
            (0, 0) if is_uncounted && !allows_uncounted => Exit::NotCounted,
            (0, 0) => Exit::Within,
        }
    }
}
