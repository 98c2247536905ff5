//! Profiles: which passes a compiler runs, with which thresholds, and how that is known.

use crate::close_call::Leaning;
use lanescope_model::Confidence;
use strum::VariantArray;

/// An optimizer pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, VariantArray)]
pub enum Pass {
    /// Loops with a known trip count are written out.
    LoopUnrolling,
    /// Blocks that only branch are skipped where the way in tells the answer.
    JumpThreading,
    /// Loads that every iteration of a loop makes of one place are done once, before it.
    LoopInvariants,
    /// Places that a loop reads and writes in every iteration are kept in registers.
    ScalarPromotion,
    /// Counted loops are cut into pieces of several iterations, with remainder loops.
    RuntimeUnrolling,
    /// Redundant loads and loads of what was just stored are left out.
    LoadElimination,
    /// Stores that are overwritten before anything reads them are left out.
    DeadStores,
    /// Loads whose value nothing uses are left out.
    DeadCode,
    /// Branches around a little arithmetic are predicated.
    IfConversion,
    /// Loads move into the one branch that needs their value.
    CodeSinking,
    /// An access that stands in both branches of an `if` is one instruction.
    BranchMerging,
    /// Neighbouring accesses become one of 64 or 128 bits.
    Vectorization,
    /// One lane does an atomic for the warp.
    WarpAggregation,
}

impl Pass {
    /// All passes.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LoopUnrolling => "loop-unrolling",
            Self::RuntimeUnrolling => "runtime-unrolling",
            Self::JumpThreading => "jump-threading",
            Self::LoopInvariants => "loop-invariants",
            Self::ScalarPromotion => "scalar-promotion",
            Self::LoadElimination => "load-elimination",
            Self::DeadStores => "dead-stores",
            Self::DeadCode => "dead-code",
            Self::IfConversion => "if-conversion",
            Self::CodeSinking => "code-sinking",
            Self::BranchMerging => "branch-merging",
            Self::Vectorization => "vectorization",
            Self::WarpAggregation => "warp-aggregation",
        }
    }
}

/// A number that a compiler decides by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The number.
    pub value: u32,
    /// Measured kernels that show it.
    pub evidence: &'static [&'static str],
    /// How sure it is.
    pub confidence: Confidence,
    /// Percent above and below within which what is compared with it, an estimate, may be on the other side.
    pub margin: u32,
}

impl Threshold {
    /// Whether an estimate lies so near that it tells nothing.
    #[must_use]
    pub const fn is_close(&self, estimate: usize) -> bool {
        let distance = (estimate as u64).abs_diff(self.value as u64);
        distance.saturating_mul(100) <= self.value as u64 * self.margin as u64 && self.margin > 0
    }
}

/// The numbers of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Iterations of a loop that is written out without a word in the source.
    pub unrolled_iterations: Threshold,
    /// Instructions that a loop may be written out to.
    pub unrolled_instructions: Threshold,
    /// Instructions that a loop around another that stays one may be written out to.
    pub unrolled_nest: Threshold,
    /// Instructions that a loop may be written out to where the source asks for all iterations.
    pub asked_instructions: Threshold,
    /// What an iteration of a counted loop costs the assembler, at most, where 16 iterations are one piece.
    pub cut_into_16: Threshold,
    /// What it costs the optimizer where 4 are.
    pub cut_into_4: Threshold,
    /// What it costs the optimizer where 2 are.
    pub cut_into_2: Threshold,
    /// Bytes of the widest access that neighbours become.
    pub widest_access: Threshold,
    /// Bytes of the narrowest element that is joined with its neighbours.
    pub narrowest_element: Threshold,
}

/// What the versions of LLVM and of ptxas do differently that one nvcc has for different targets.
///
/// For compute capability 9.0 and before nvcc uses an LLVM like 7, from 10.0 on a newer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preferences {
    /// Whether LLVM makes one of loads that both branches of an `if` begin with, of loads of two arrays that both end
    /// with, and of `v = a[i]; if (test) v = b[i];`. Otherwise only ptxas does of the first, where it may.
    pub merges_loads_of_branches: bool,
    /// Whether an address that lies twice as far into its array as one before is the sum of that one and its index
    /// (LLVM's StraightLineStrengthReduce), so that its alignment is not known.
    pub doubles_addresses: bool,
    /// Whether LLVM knows that a thread's index is not negative, so that `t < 1` asks what `t == 0` asks.
    pub knows_indices_not_negative: bool,
    /// Whether it is known which pieces of a loop are counted down, and what iterations store for the next ones; of
    /// compilers of which it was not read off both are close calls.
    pub knows_pieces: bool,
    /// Whether it is known where the lanes of a `switch` meet that falls through; otherwise they meet before each case.
    pub parts_cases: bool,
}

/// A compiler and its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its name, as on the command line.
    pub name: &'static str,
    /// The passes that run.
    pub passes: std::borrow::Cow<'static, [Pass]>,
    /// Its thresholds.
    pub thresholds: Thresholds,
    /// What it does otherwise than the compilers of other targets.
    pub preferences: Preferences,
    /// Which way decisions near a threshold go.
    pub leaning: Leaning,
}

/// Margin of what a loop that is written out comes to: chosen, not fitted.
const UNROLLED_MARGIN: u32 = 30;
/// Margin of what a nest comes to. Of 315 kernels in the manner of published programs (`docs/COMPILER.md`, seed 1), 8 were
/// wrong and called counted with 50; 4 with 300 and every triangle a close call.
const NEST_MARGIN: u32 = 300;
/// Margin of what an iteration costs the optimizer: four of 52, seven of 95; chosen, not fitted.
const CUT_MARGIN: u32 = 8;
/// Margin of what it costs the assembler: two of 12; chosen, not fitted.
const ASSEMBLER_MARGIN: u32 = 20;

const THRESHOLDS: Thresholds = Thresholds {
    unrolled_iterations: Threshold {
        value: 64,
        evidence: &["loop_sizes", "loops_cut", "halves_joined"],
        confidence: Confidence::Measured,
        margin: 0,
    },
    unrolled_instructions: Threshold {
        value: 2000,
        evidence: &["sgemm_blocktiling_2d"],
        confidence: Confidence::Measured,
        margin: UNROLLED_MARGIN,
    },
    unrolled_nest: Threshold {
        // LLVM's threshold at -O3; nests of 17 shapes with 2 to 8 outer iterations were compiled.
        value: 300,
        evidence: &[],
        confidence: Confidence::Measured,
        margin: NEST_MARGIN,
    },
    asked_instructions: Threshold {
        // LLVM's `PragmaUnrollThreshold`; loops of 65 to 3,000 iterations were compiled and all written out.
        value: 16_384,
        evidence: &[],
        confidence: Confidence::ThirdParty,
        margin: 0,
    },
    cut_into_16: Threshold {
        // Loops around each of 50 operations, with 0 to 12 instructions more, compiled.
        value: 12,
        evidence: &["loops_cut", "loop_sizes"],
        confidence: Confidence::Measured,
        margin: ASSEMBLER_MARGIN,
    },
    cut_into_4: Threshold {
        // Loops around each of 80 operations, with 0 to 99 instructions more, compiled.
        value: 52,
        evidence: &["loop_sizes"],
        confidence: Confidence::Measured,
        margin: CUT_MARGIN,
    },
    cut_into_2: Threshold {
        value: 95,
        evidence: &["loop_sizes"],
        confidence: Confidence::Measured,
        margin: CUT_MARGIN,
    },
    widest_access: Threshold {
        value: 16,
        evidence: &[
            "matmul_unrolled_default",
            "attention_tile",
            "scan_multi_element",
        ],
        confidence: Confidence::Measured,
        margin: 0,
    },
    narrowest_element: Threshold {
        value: 1,
        evidence: &["halves_joined"],
        confidence: Confidence::Measured,
        margin: 0,
    },
};

const SM_90: Preferences = Preferences {
    merges_loads_of_branches: true,
    doubles_addresses: false,
    knows_indices_not_negative: false,
    knows_pieces: true,
    parts_cases: true,
};

/// Read off PTX and SASS of 150 small kernels, compiled for 10.0 and 12.0 beside 9.0 (`docs/COMPILER.md`).
const SM_100: Preferences = Preferences {
    merges_loads_of_branches: false,
    doubles_addresses: true,
    knows_indices_not_negative: true,
    knows_pieces: false,
    parts_cases: false,
};

impl Profile {
    /// As written: nothing changes.
    pub const NONE: Self = Self {
        name: "none",
        passes: std::borrow::Cow::Borrowed(&[]),
        thresholds: THRESHOLDS,
        preferences: SM_90,
        leaning: Leaning::Fitted,
    };

    /// nvcc of CUDA 13 for compute capability 9.0, read off kernels measured on an H200.
    pub const NVCC_13_SM_90: Self = Self {
        name: "nvcc-13",
        passes: std::borrow::Cow::Borrowed(Pass::ALL),
        thresholds: THRESHOLDS,
        preferences: SM_90,
        leaning: Leaning::Fitted,
    };

    /// nvcc of CUDA 13 for compute capability 10.0 and later: the same passes and thresholds, with other preferences,
    /// which SASS of `sm_100` and `sm_120` shows.
    pub const NVCC_13_SM_100: Self = Self {
        name: "nvcc-13-sm_100",
        preferences: SM_100,
        ..Self::NVCC_13_SM_90
    };

    /// ptxas of CUDA 13 for compute capability 9.0: what is left to do of PTX, whose loops are unrolled and whose
    /// global accesses are joined already.
    ///
    /// Read off PTX that was written for this: neighbouring loads of shared memory become one also where nothing
    /// aligns the array by itself, stores part them whatever their address, guarded and volatile accesses,
    /// single bytes and those of global memory stay as they are.
    pub const PTXAS_13_SM_90: Self = Self {
        name: "ptxas-13",
        passes: std::borrow::Cow::Borrowed(&[
            Pass::LoadElimination,
            Pass::DeadStores,
            Pass::DeadCode,
            Pass::Vectorization,
            Pass::WarpAggregation,
        ]),
        thresholds: Thresholds {
            narrowest_element: Threshold {
                value: 2,
                evidence: &["byte_tile_uchar4", "halves_joined"],
                confidence: Confidence::Measured,
                margin: 0,
            },
            ..THRESHOLDS
        },
        preferences: Preferences {
            parts_cases: false,
            ..SM_90
        },
        leaning: Leaning::Fitted,
    };

    /// All profiles.
    pub const ALL: [Self; 4] = [
        Self::NONE,
        Self::NVCC_13_SM_90,
        Self::NVCC_13_SM_100,
        Self::PTXAS_13_SM_90,
    ];

    /// The profile of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name == name)
    }

    /// The same with every close call taken the other way.
    #[must_use]
    pub fn otherwise(&self) -> Self {
        Self {
            leaning: Leaning::Otherwise,
            ..self.clone()
        }
    }

    /// The same without one pass: for an ablation.
    #[must_use]
    pub fn without(&self, pass: Pass) -> Self {
        let mut passes = self.passes.to_vec();
        passes.retain(|other| *other != pass);
        Self {
            passes: passes.into(),
            ..self.clone()
        }
    }
}
