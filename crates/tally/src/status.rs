//! How far an answer can be relied on: counted, predicted, counted under named assumptions, or partial.
//!
//! The one place that decides it. What a run and its source leave in doubt is gathered as reasons, each of which is an
//! assumption or a gap; the worst of them is the status.

use lanescope_frontend::{Contents, Diagnostic, DiagnosticKind, End, SourceOutcome, Span};
use lanescope_model::Unknown;

use crate::{Basis, Need, PREDICTION_RECORD, RecordRow, Status};

/// Why an answer is not simply counted.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// A parameter has no value; this one was taken.
    Argument {
        /// The parameter.
        name: String,
        /// The value taken.
        value: i64,
    },
    /// A template parameter has no value; this one was taken.
    Template {
        /// The parameter.
        name: String,
        /// The value taken.
        value: String,
    },
    /// A name that the text leaves open was taken for what such texts mean by it.
    Name {
        /// As written.
        name: String,
        /// What it was taken for.
        value: String,
    },
    /// An address, or whether a line runs, depends on what an array holds.
    Contents {
        /// The array, where it is known.
        array: Option<String>,
        /// What it was taken to hold.
        contents: Contents,
    },
    /// Dynamic shared memory without a size is taken to be large enough.
    DynamicShared {
        /// The array in it.
        name: String,
    },
    /// An atomic is a loop of compare and swap, of which one round was counted.
    NoContention {
        /// Its line, from 1.
        line: u32,
    },
    /// More warps of a block than were measured ask for one word of an atomic; they are taken not to wait for each other.
    CrowdedAtomic {
        /// Its line, from 1.
        line: u32,
    },
    /// Nothing that the kernel computes is stored outside its blocks, so that a compiler would leave nothing of it.
    NoResult,
    /// A copy past L1 takes at least so many wavefronts, which were counted.
    CopyBound {
        /// Its line, from 1.
        line: u32,
        /// The wavefronts counted.
        least: u64,
    },
    /// Lanes of a copy write one place from different sources; the lowest counts.
    CopyRace {
        /// Its line, from 1.
        line: u32,
    },
    /// An included file was not given; it is taken to change nothing that the kernel uses.
    Include {
        /// Its name as written.
        name: String,
    },
    /// What the compiler makes of the kernel is predicted, and it may do otherwise.
    Prediction(Basis),
    /// What the compiler makes of the kernel was predicted only in part: the optimizer's work is bounded.
    Compiler,
    /// Whether the compiler unrolls a loop, or how far, is a close call, and counts differ.
    Unrolling {
        /// Its line, from 1.
        line: u32,
    },
    /// A structure passed by value was put where it may not be: how it is aligned is not known.
    ParameterPlace {
        /// The argument, from 0.
        position: u32,
        /// Its first byte among the parameters.
        offset: u32,
    },
    /// Grid and block were guessed.
    Shape {
        /// Blocks.
        grid: [u32; 3],
        /// Threads of a block.
        block: [u32; 3],
    },
    /// Part of the source that the kernel reaches was not read, or is wrong.
    Unread(Box<Diagnostic>),
    /// The run ended at its budget.
    Stopped {
        /// Requests made until then.
        requests: u64,
    },
    /// Only some blocks were run.
    Blocks {
        /// Blocks that ran.
        done: u64,
        /// Blocks of the grid.
        total: u64,
    },
    /// The device's rule is not known.
    Device(Unknown),
}

impl Reason {
    /// What it makes of the answer.
    #[must_use]
    pub const fn status(&self) -> Status {
        match self {
            Self::Argument { .. }
            | Self::Template { .. }
            | Self::Name { .. }
            | Self::Contents { .. }
            | Self::DynamicShared { .. }
            | Self::NoContention { .. }
            | Self::CrowdedAtomic { .. }
            | Self::NoResult
            | Self::CopyBound { .. }
            | Self::CopyRace { .. }
            | Self::Include { .. }
            | Self::ParameterPlace { .. }
            | Self::Shape { .. } => Status::Assumed,
            Self::Prediction(_) | Self::Compiler | Self::Unrolling { .. } => Status::Predicted,
            Self::Unread(_) | Self::Stopped { .. } | Self::Blocks { .. } | Self::Device(_) => {
                Status::Partial
            }
        }
    }

    /// Its name in JSON, which stays the same for ever.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Argument { .. } => "argument",
            Self::Template { .. } => "template-argument",
            Self::Name { .. } => "name",
            Self::Contents { .. } => "contents",
            Self::DynamicShared { .. } => "dynamic-shared",
            Self::NoContention { .. } => "no-contention",
            Self::CrowdedAtomic { .. } => "crowded-atomic",
            Self::NoResult => "no-result",
            Self::CopyBound { .. } => "async-copy-bound",
            Self::CopyRace { .. } => "async-copy-race",
            Self::Include { .. } => "include",
            Self::Prediction(_) => "prediction",
            Self::Compiler => "compiler",
            Self::Unrolling { .. } => "unrolling",
            Self::ParameterPlace { .. } => "parameter-place",
            Self::Shape { .. } => "launch-shape",
            Self::Unread(_) => "unread",
            Self::Stopped { .. } => "stopped",
            Self::Blocks { .. } => "blocks",
            Self::Device(_) => "device",
        }
    }

    /// The reason that a diagnostic gives, if it gives any.
    ///
    /// Faults of the kernel that change no address and no count (a race, an index outside its dimension but inside the
    /// array) are none.
    pub(crate) fn of(diagnostic: Diagnostic) -> Option<Self> {
        use DiagnosticKind as Kind;
        match &diagnostic.kind {
            Kind::MissingArgument { name, assumed } => Some(Self::Argument {
                name: name.clone(),
                value: *assumed,
            }),
            Kind::MissingTemplateArgument { name, assumed }
            | Kind::AssumedType { name, assumed } => Some(Self::Template {
                name: name.clone(),
                value: assumed.clone(),
            }),
            Kind::AssumedName { name, assumed } => Some(Self::Name {
                name: name.clone(),
                value: assumed.clone(),
            }),
            Kind::DependsOnData { array, contents } => Some(Self::Contents {
                array: array.clone(),
                contents: *contents,
            }),
            Kind::NoDynamicShared { name } => Some(Self::DynamicShared { name: name.clone() }),
            Kind::MissingInclude { name } => Some(Self::Include { name: name.clone() }),
            Kind::NoResult => Some(Self::NoResult),
            Kind::CompareAndSwapLoop => Some(Self::NoContention {
                line: diagnostic.line,
            }),
            Kind::Stopped { requests } => Some(Self::Stopped {
                requests: *requests,
            }),
            Kind::PassesCut => Some(Self::Compiler),
            Kind::AssemblerChoice => Some(Self::Prediction(Basis::AssemblerChoice)),
            Kind::UnknownArgument { .. }
            | Kind::Ignored { .. }
            | Kind::SeveralKernels { .. }
            | Kind::NoAccess
            | Kind::NeverUsed
            | Kind::GuessedLaunch { .. }
            | Kind::WarpAggregated
            | Kind::OutOfRange { .. }
            | Kind::BarrierAfterReturn { .. }
            | Kind::Race { .. }
            | Kind::CompiledNote { .. }
            | Kind::LayoutNote { .. } => None,
            Kind::SourceTooLong { .. }
            | Kind::TooManyTokens { .. }
            | Kind::TooDeep { .. }
            | Kind::TooLarge { .. }
            | Kind::TooManySteps { .. }
            | Kind::TooManyTypes { .. }
            | Kind::TooManyBytes { .. }
            | Kind::UnexpectedCharacter { .. }
            | Kind::Unterminated { .. }
            | Kind::BadNumber { .. }
            | Kind::Expected { .. }
            | Kind::MacroArguments { .. }
            | Kind::UnknownName { .. }
            | Kind::UnknownType { .. }
            | Kind::UnknownFunction { .. }
            | Kind::UnknownField { .. }
            | Kind::ArgumentCount { .. }
            | Kind::NotIndexable { .. }
            | Kind::NotAPointer { .. }
            | Kind::NotAssignable
            | Kind::NotConstant { .. }
            | Kind::Mismatch { .. }
            | Kind::Redeclared { .. }
            | Kind::Recursion { .. }
            | Kind::Unsupported { .. }
            | Kind::LeftOut { .. }
            | Kind::NoKernel
            | Kind::OtherLanguage { .. }
            | Kind::NeedsCompiler { .. }
            | Kind::UnknownKernel { .. }
            | Kind::TooManyValues { .. }
            | Kind::DivisionByZero
            | Kind::BlockTooLarge { .. }
            | Kind::OutOfBounds { .. }
            | Kind::WildPointer { .. }
            | Kind::Misaligned { .. }
            | Kind::DivergentBarrier { .. }
            | Kind::Layout { .. }
            | Kind::Wgsl { .. }
            | Kind::DependsOnUnknown { .. }
            | Kind::CompiledGap { .. }
            | Kind::CompiledError { .. }
            | Kind::ObjectAlone { .. }
            | Kind::ReaderSlow
            | Kind::ReaderMissing
            | Kind::ReaderForbidden => Some(Self::Unread(Box::new(diagnostic))),
        }
    }
}

/// An asynchronous copy whose counts the hardware's rule does not settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UncertainCopy {
    /// Its line in the text, from 1.
    pub line: u32,
    /// Its wavefronts, where they are a lower bound.
    pub least: Option<u64>,
    /// Whether lanes write one place from different sources.
    pub has_rivals: bool,
}

/// What the status is decided from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence<'a> {
    /// Of the source and of the run.
    pub diagnostics: &'a [Diagnostic],
    /// How far the run came; `None` where there was none.
    pub outcome: Option<&'a SourceOutcome>,
    /// Whether the blocks that ran are proved to tell all.
    pub is_extrapolated: bool,
    /// Compare-and-swap loops that are proved to take one round.
    pub single_rounds: &'a [Span],
    /// Lines of atomics for whose words more warps of a block ask than was measured.
    pub crowded: &'a [u32],
    /// Asynchronous copies whose counts the hardware's rule does not settle.
    pub copies: &'a [UncertainCopy],
    /// A rule of the device that a request would need and that is not known.
    pub unknown: Option<Unknown>,
    /// Parameters by value that were put where they may not be: each one's position and first byte.
    pub guessed_places: &'a [(u32, u32)],
    /// Grid and block, where they were guessed.
    pub guessed: Option<[[u32; 3]; 2]>,
    /// Lines before the first that users count.
    pub lines_before: u32,
}

/// The status of an answer, with the reasons for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// The worst that a reason makes of it.
    pub status: Status,
    /// Gaps first, then assumptions; each once.
    pub reasons: Vec<Reason>,
    /// What the kernel as written takes, where a prediction stands beside it.
    pub as_written: Option<Need>,
}

impl Standing {
    /// Takes into account that a compiler may treat some access otherwise than predicted.
    pub fn predict(&mut self, basis: Basis) {
        self.extend(Some(Reason::Prediction(basis)));
    }

    /// Whether what is predicted to waste nothing wastes nothing as written either, so that it can stand in green.
    #[must_use]
    pub fn is_free_as_written(&self) -> bool {
        let is_free = |need: Need| need.wasted_wavefronts() == 0 && need.wasted_units() == 0;
        self.as_written.is_some_and(is_free)
    }

    /// Grid and block, where they were guessed.
    #[must_use]
    pub fn guessed_shape(&self) -> Option<[[u32; 3]; 2]> {
        self.reasons.iter().find_map(|reason| match reason {
            Reason::Shape { grid, block } => Some([*grid, *block]),
            _ => None,
        })
    }

    /// What the prediction rests on, where the answer is one.
    #[must_use]
    pub fn basis(&self) -> Option<Basis> {
        self.reasons.iter().find_map(|reason| match reason {
            Reason::Prediction(basis) => Some(*basis),
            _ => None,
        })
    }

    /// How often such predictions were exact on kernels that no rule was fitted to, a row a set of them; none where the
    /// answer is no prediction.
    #[must_use]
    pub fn record(&self) -> Vec<&'static RecordRow> {
        let is_prediction = self.status == Status::Predicted;
        let basis = self.basis().filter(|_| is_prediction);
        basis.map_or_else(Vec::new, |basis| {
            PREDICTION_RECORD.rows(self.status.key(), basis.key())
        })
    }

    /// Takes into account that what the compiler makes of the kernel was predicted only in part.
    pub fn doubt_compiler(&mut self) {
        self.extend(Some(Reason::Compiler));
    }

    /// Takes into account that the compiler may as well unroll the loop on `line` otherwise, with other counts.
    pub fn doubt_unrolling(&mut self, line: u32) {
        self.extend(Some(Reason::Unrolling { line }));
    }
}

/// Decides how far an answer can be relied on.
#[must_use]
pub fn standing(evidence: &Evidence<'_>) -> Standing {
    let mut all = Standing::default();
    let is_single = |diagnostic: &Diagnostic| {
        diagnostic.kind == DiagnosticKind::CompareAndSwapLoop
            && evidence.single_rounds.contains(&diagnostic.span)
    };
    for one in evidence
        .diagnostics
        .iter()
        .filter(|diagnostic| !is_single(diagnostic))
    {
        let counted = one.line.saturating_sub(evidence.lines_before);
        let mut one = one.clone();
        if counted > 0 {
            one.line = counted;
        }
        all.extend(Reason::of(one));
    }
    for (position, offset) in evidence.guessed_places.iter().copied() {
        all.extend(Some(Reason::ParameterPlace { position, offset }));
    }
    for line in evidence.crowded {
        let line = line.saturating_sub(evidence.lines_before);
        all.extend(Some(Reason::CrowdedAtomic { line }));
    }
    for copy in evidence.copies {
        let line = copy.line.saturating_sub(evidence.lines_before);
        all.extend(copy.least.map(|least| Reason::CopyBound { line, least }));
        all.extend(copy.has_rivals.then_some(Reason::CopyRace { line }));
    }
    // That an address could not be read is said by what could not be read.
    let unknown = evidence.unknown.filter(|one| *one != Unknown::Address);
    all.extend(unknown.map(Reason::Device));
    all.extend(
        evidence
            .guessed
            .map(|[grid, block]| Reason::Shape { grid, block }),
    );
    if let Some(outcome) = evidence.outcome {
        all.extend(cut(outcome, evidence.is_extrapolated));
    }
    // Of assumptions the shape of the launch comes first: all else was found under it.
    all.reasons.sort_by_key(|reason| {
        let is_shape = matches!(reason, Reason::Shape { .. });
        (std::cmp::Reverse(reason.status()), !is_shape)
    });
    all
}

/// What a run left out.
fn cut(outcome: &SourceOutcome, is_extrapolated: bool) -> Option<Reason> {
    let (done, total) = (outcome.blocks_done, outcome.blocks_total);
    if outcome.end.is_cut() {
        return Some(Reason::Stopped {
            requests: outcome.requests,
        });
    }
    let is_whole = outcome.end == End::Complete && (done == total || is_extrapolated);
    (!is_whole).then_some(Reason::Blocks { done, total })
}

impl Standing {
    fn extend(&mut self, reason: Option<Reason>) {
        if let Some(reason) = reason.filter(|reason| !self.reasons.contains(reason)) {
            self.status = self.status.max(reason.status());
            self.reasons.push(reason);
        }
    }

    /// Whether nothing is in doubt.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.status == Status::Counted
    }
}
