//! How far an answer can be relied on: counted, predicted, counted under named assumptions, or partial.
//!
//! The one place that decides it. What a run and its source leave in doubt is gathered as reasons, each of which is an
//! assumption or a gap; the worst of them is the status.

use crate::SiteTally;
use lanescope_cuda::source::{Contents, Diagnostic, DiagnosticKind, End, Outcome, Span};
use lanescope_model::Unknown;
use lanescope_simt::Certainty;

/// How far an answer can be relied on; the order is from the best to the worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The whole launch, and nothing that an address, a branch or a count depends on was guessed, unread or left out.
    #[default]
    Counted,
    /// The whole launch, on what the optimizer's model makes of the source: a compiler may treat some access otherwise.
    Predicted,
    /// The whole launch, if the named assumptions hold.
    Assumed,
    /// Something that the kernel reaches could not be read or was not reached.
    Partial,
}

impl Status {
    /// Its name in JSON, which stays the same for ever.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::Predicted => "predicted",
            Self::Assumed => "assumed",
            Self::Partial => "partial",
        }
    }
}

/// What a prediction from source rests on, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// Every access is made as written, and no loop that has one is cut; a compiler might treat some otherwise.
    OpenChoice,
    /// Loops are written out or cut into pieces, and accesses made as written.
    LoopsCut,
    /// Accesses are joined, left out, moved or made once for several.
    AccessesChanged,
}

impl Basis {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::OpenChoice, Self::LoopsCut, Self::AccessesChanged];

    /// Its name in JSON, which stays the same for ever.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::OpenChoice => "open-choice",
            Self::LoopsCut => "loops-cut",
            Self::AccessesChanged => "accesses-changed",
        }
    }
}

/// What requests of a certainty make of an answer.
#[must_use]
pub const fn status_of(certainty: Certainty) -> Status {
    match certainty {
        Certainty::Certain => Status::Counted,
        Certainty::Assumed => Status::Assumed,
        Certainty::Partial => Status::Partial,
    }
}

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
    /// A copy past L1 takes at least so many wavefronts; no rule is known that tells how many more.
    AsyncCopyBound {
        /// Its line, from 1.
        line: u32,
        /// The fewest wavefronts.
        wavefronts: u64,
    },
    /// Lanes copy to one place from different sources: the sectors are those of the lowest lane.
    AsyncCopyRace {
        /// Its line, from 1.
        line: u32,
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
            | Self::Contents { .. }
            | Self::DynamicShared { .. }
            | Self::NoContention { .. }
            | Self::Include { .. }
            | Self::ParameterPlace { .. }
            | Self::AsyncCopyBound { .. }
            | Self::AsyncCopyRace { .. }
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
            Self::Contents { .. } => "contents",
            Self::DynamicShared { .. } => "dynamic-shared",
            Self::NoContention { .. } => "no-contention",
            Self::Include { .. } => "include",
            Self::Prediction(_) => "prediction",
            Self::Compiler => "compiler",
            Self::Unrolling { .. } => "unrolling",
            Self::ParameterPlace { .. } => "parameter-place",
            Self::AsyncCopyBound { .. } => "async-copy-bound",
            Self::AsyncCopyRace { .. } => "async-copy-race",
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
    pub(crate) fn of(one: Diagnostic) -> Option<Self> {
        use DiagnosticKind as Kind;
        match &one.kind {
            Kind::MissingArgument { name, assumed } => Some(Self::Argument {
                name: name.clone(),
                value: *assumed,
            }),
            Kind::MissingTemplateArgument { name, assumed } => Some(Self::Template {
                name: name.clone(),
                value: assumed.clone(),
            }),
            Kind::DependsOnData { array, contents } => Some(Self::Contents {
                array: array.clone(),
                contents: *contents,
            }),
            Kind::NoDynamicShared { name } => Some(Self::DynamicShared { name: name.clone() }),
            Kind::MissingInclude { name } => Some(Self::Include { name: name.clone() }),
            Kind::CompareAndSwapLoop => Some(Self::NoContention { line: one.line }),
            Kind::Stopped { requests } => Some(Self::Stopped {
                requests: *requests,
            }),
            Kind::UnknownArgument { .. }
            | Kind::Ignored { .. }
            | Kind::SeveralKernels { .. }
            | Kind::NoAccess
            | Kind::NeverUsed
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
            | Kind::ReaderForbidden => Some(Self::Unread(Box::new(one))),
        }
    }
}

/// What the status is decided from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence<'a> {
    /// Of the source and of the run.
    pub diagnostics: &'a [Diagnostic],
    /// How far the run came; `None` where there was none.
    pub outcome: Option<&'a Outcome>,
    /// Whether the blocks that ran are proved to tell all.
    pub is_extrapolated: bool,
    /// Compare-and-swap loops that are proved to take one round.
    pub single_rounds: &'a [Span],
    /// A rule of the device that a request would need and that is not known.
    pub unknown: Option<Unknown>,
    /// Parameters by value that were put where they may not be: each one's position and first byte.
    pub guessed_places: &'a [(u32, u32)],
    /// The accesses, with their lines: of asynchronous copies something may be open.
    pub accesses: &'a [(u32, SiteTally)],
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
}

impl Standing {
    /// Takes into account that a compiler may treat some access otherwise than predicted.
    pub fn predict(&mut self, basis: Basis) {
        self.extend(Some(Reason::Prediction(basis)));
    }

    /// What the prediction rests on, where the answer is one.
    #[must_use]
    pub fn basis(&self) -> Option<Basis> {
        self.reasons.iter().find_map(|reason| match reason {
            Reason::Prediction(basis) => Some(*basis),
            _ => None,
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
    let is_single = |one: &Diagnostic| {
        one.kind == DiagnosticKind::CompareAndSwapLoop && evidence.single_rounds.contains(&one.span)
    };
    for one in evidence.diagnostics.iter().filter(|one| !is_single(one)) {
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
    for (line, tally) in evidence.accesses {
        all.extend_copies(line.saturating_sub(evidence.lines_before), tally);
    }
    all.extend(evidence.unknown.map(Reason::Device));
    all.extend(
        evidence
            .guessed
            .map(|[grid, block]| Reason::Shape { grid, block }),
    );
    if let Some(outcome) = evidence.outcome {
        all.extend(cut(outcome, evidence.is_extrapolated));
    }
    all.reasons
        .sort_by_key(|reason| std::cmp::Reverse(reason.status()));
    all
}

/// What a run left out.
fn cut(outcome: &Outcome, is_extrapolated: bool) -> Option<Reason> {
    let (done, total) = (outcome.blocks_done, outcome.blocks_total);
    match outcome.end {
        End::Stopped(_) => Some(Reason::Stopped {
            requests: outcome.requests,
        }),
        End::Completed if done == total || is_extrapolated => None,
        End::Completed | End::Cancelled => Some(Reason::Blocks { done, total }),
    }
}

impl Standing {
    fn extend_copies(&mut self, line: u32, tally: &SiteTally) {
        let wavefronts = tally.shared.wavefronts;
        let is_bound = tally.copies.is_bound;
        self.extend(is_bound.then_some(Reason::AsyncCopyBound { line, wavefronts }));
        let has_rivals = tally.copies.has_rivals;
        self.extend(has_rivals.then_some(Reason::AsyncCopyRace { line }));
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_cuda::parse_kernel;
    use lanescope_cuda::source::{Blocks, Budget, KernelOptions, Launch, execute};

    fn standing_of(source: &str, launch: &Launch, budget: Budget) -> Standing {
        let parsed = parse_kernel(source, &KernelOptions::default());
        let outcome = execute(
            &parsed.program,
            launch,
            32,
            budget,
            &mut |_: &lanescope_cuda::source::Access<'_>| true,
        );
        let mut diagnostics = parsed.diagnostics;
        diagnostics.extend(outcome.findings.iter().cloned());
        standing(&Evidence {
            diagnostics: &diagnostics,
            outcome: Some(&outcome),
            ..Evidence::default()
        })
    }

    fn keys(source: &str) -> (Status, Vec<&'static str>) {
        let launch = Launch::new([2, 1, 1], [32, 1, 1]);
        let standing = standing_of(source, &launch, Budget::default());
        let keys = standing.reasons.iter().map(Reason::key).collect();
        (standing.status, keys)
    }

    #[test]
    fn a_kernel_that_is_read_and_run_whole_is_counted() {
        let source = "__global__ void k(float *a) { a[threadIdx.x] = 1; }";
        assert_eq!(keys(source), (Status::Counted, vec![]));
    }

    #[test]
    fn assumptions_are_named() {
        for (source, key) in [
            (
                "__global__ void k(float *a, int n) { if (threadIdx.x < n) a[0] = 1; }",
                "argument",
            ),
            (
                "template <int N> __global__ void k(float *a) { a[N] = 1; }",
                "template-argument",
            ),
            (
                "__global__ void k(float *a, int *b) { a[b[threadIdx.x]] = 1; }",
                "contents",
            ),
            (
                "__global__ void k(float *a) { extern __shared__ float s[]; s[0] = a[0]; }",
                "dynamic-shared",
            ),
            (
                "__global__ void k(float a) { __shared__ float s[1]; atomicAdd(&s[0], 1.0f); }",
                "no-contention",
            ),
        ] {
            let (status, found) = keys(source);
            assert_eq!(status, Status::Assumed, "{source}");
            assert!(found.contains(&key), "{source}: {found:?}");
        }
    }

    /// Whether the loops of `source` are counted, in a launch of one block of two warps.
    fn counts_loops(source: &str) -> bool {
        let parsed = parse_kernel(source, &KernelOptions::default());
        let device = lanescope_model::Device::by_id("cc9.0").expect("the device");
        let mut tally = crate::Tally::new(device);
        let launch = Launch::new([1, 1, 1], [64, 1, 1]);
        execute(&parsed.program, &launch, 32, Budget::default(), &mut tally);
        let single_rounds = tally.contention().single_rounds(&parsed.program);
        let evidence = Evidence {
            diagnostics: &parsed.diagnostics,
            single_rounds: &single_rounds,
            ..Evidence::default()
        };
        standing(&evidence).is_counted()
    }

    #[test]
    fn a_compare_and_swap_loop_of_one_round_is_counted() {
        let of = |index: &str| {
            format!(
                "__global__ void k(float a) {{ __shared__ float s[256]; int t = threadIdx.x; \
                 atomicAdd(&s[{index}], a); }}"
            )
        };
        assert!(counts_loops(&of("t")));
        assert!(counts_loops(&of("t ^ 5")));
        // Two lanes on one word, two on one bank, two warps on one word.
        for index in ["t / 2", "t * 2", "t % 32"] {
            assert!(!counts_loops(&of(index)), "{index}");
        }
    }

    #[test]
    fn what_could_not_be_read_is_a_gap() {
        for source in [
            "__global__ void k(float *a) { a[0] = mystery(a); }",
            "__global__ void k(float *a) { a[0] = ; }",
            "__global__ void k(float *a) { printf(\"%f\", a[0]); }",
            "struct S { Unknown u; }; __global__ void k(S *a) { a[0] = a[1]; }",
        ] {
            assert_eq!(keys(source).0, Status::Partial, "{source}");
        }
    }

    #[test]
    fn a_run_that_was_cut_is_partial() {
        let source = "__global__ void k(float *a) { a[threadIdx.x] = 1; }";
        let whole = Launch::new([8, 1, 1], [32, 1, 1]);
        let some = Launch {
            blocks: Blocks::First(2),
            ..whole.clone()
        };
        let cut = standing_of(source, &some, Budget::default());
        assert_eq!(cut.reasons, [Reason::Blocks { done: 2, total: 8 }]);
        let budget = Budget {
            requests: 3,
            ..Budget::default()
        };
        let stopped = standing_of(source, &whole, budget);
        assert_eq!(stopped.status, Status::Partial);
    }

    #[test]
    fn gaps_come_before_assumptions() {
        let source = "__global__ void k(float *a, int n) { a[n] = mystery(n); }";
        let (status, found) = keys(source);
        assert_eq!((status, found.first()), (Status::Partial, Some(&"unread")));
    }
}
