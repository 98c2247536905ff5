//! What a compiler makes of a kernel's memory accesses.
//!
//! Static passes over [`lanescope_ir`], one file a pass, under the names that compilers use. A [`Profile`] says which
//! passes run and with which thresholds; each threshold says what it was measured on. [`Profile::NONE`] changes
//! nothing. Each pass leaves [`Remark`]s: what became of which access.
//!
//! ```
//! use lanescope_ir::Kernel;
//! use lanescope_optimizer::{Profile, optimize};
//!
//! let kernel: Kernel = r#"kernel "twice" {
//!   s0 "a[i]" load global f32 bytes=4
//!   s1 "a[i]" load global f32 bytes=4
//! b0:
//!   d0 = parameter.u64 0
//!   r1 = load s0 [d0]
//!   r2 = load s1 [d0]
//!   escape r1, r2
//!   exit
//! }"#.parse()?;
//! assert_eq!(optimize(&kernel, &Profile::NONE).kernel, kernel);
//! let optimized = optimize(&kernel, &Profile::NVCC_13_SM_90);
//! assert_eq!(optimized.remarks.len(), 1);
//! # Ok::<(), lanescope_ir::TextError>(())
//! ```
//!
//! Left out: how text is read, and how warps run.

mod aggregate;
mod branch_folding;
mod branch_merging;
mod carried_loads;
mod choices;
mod close_call;
mod code_sinking;
mod constant_tables;
mod convergence;
mod cost_model;
mod dead_code;
mod dead_stores;
mod equality_propagation;
mod facts;
mod if_conversion;
mod jump_threading;
mod latch_tests;
mod library;
mod load_elimination;
mod load_narrowing;
mod loop_invariants;
mod loop_sinking;
mod loop_unrolling;
mod mentions;
mod noop_stores;
mod private_stores;
mod profile;
mod remark;
mod repeated_branches;
mod runtime_unrolling;
mod scalar_promotion;
mod simplify;
mod switch_cases;
mod traversal;
mod undemanded_bits;
mod unread_arrays;
mod vectorize;
mod work;

pub use choices::{Choice, ChoiceKind, assembler_choices_while, choices, choices_while};
pub use close_call::Leaning;
pub use profile::{Pass, Preferences, Profile, Threshold, Thresholds};
pub use remark::{Remark, RemarkKind};
pub use unread_arrays::has_no_result;

use close_call::CloseCalls;
use lanescope_ir::{Kernel, PlaceId};
use work::Work;

/// A kernel as a compiler leaves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimized {
    /// The kernel. Its sites are those of the kernel given, in that order, and behind them new ones.
    pub kernel: Kernel,
    /// What became of accesses.
    pub remarks: Vec<Remark>,
    /// Loops whose unrolling was so close a call that the compiler may do otherwise, where they stand;
    /// [`Profile::otherwise`] shows what depends on it.
    pub close_calls: Vec<PlaceId>,
    /// Whether every pass came to its end; otherwise the kernel is as far optimized as the work allowed.
    pub is_complete: bool,
}

/// Work that [`optimize`] does at most: many times what the largest measured kernel takes.
pub const WORK: u64 = 1 << 24;

/// Sweeps over all passes: each may make room for another.
const SWEEPS: usize = 2;

/// Runs the passes of a profile.
#[must_use]
pub fn optimize(kernel: &Kernel, profile: &Profile) -> Optimized {
    optimize_within(kernel, profile, WORK)
}

/// [`optimize`], with no more than so much `work`: a unit is an instruction that is analysed once, some tenths of a
/// microsecond on a processor of today. What is spent before the end leaves the kernel as the passes have it then.
#[must_use]
pub fn optimize_within(kernel: &Kernel, profile: &Profile, work: u64) -> Optimized {
    optimize_while(kernel, profile, work, || true)
}

/// [`optimize_within`], for as long as `keep_going` says so, which is asked again and again.
#[must_use]
pub fn optimize_while(
    kernel: &Kernel,
    profile: &Profile,
    work: u64,
    keep_going: impl Fn() -> bool + 'static,
) -> Optimized {
    let mut optimized = Optimized {
        kernel: kernel.clone(),
        remarks: Vec::new(),
        close_calls: Vec::new(),
        is_complete: true,
    };
    if !profile.passes.is_empty() {
        let mut work = Work::new(work, keep_going);
        run(profile, &mut work, &mut optimized);
        optimized.is_complete = !work.is_exhausted();
    }
    optimized
}

fn run(profile: &Profile, work: &mut Work, optimized: &mut Optimized) {
    let Optimized {
        kernel,
        remarks,
        close_calls,
        ..
    } = optimized;
    let mut close = CloseCalls::new(profile.leaning);
    let runs = |pass: Pass| profile.passes.contains(&pass);
    convergence::run(kernel, work);
    if profile.preferences.parts_cases {
        switch_cases::run(kernel, work);
    }
    if runs(Pass::DeadCode) {
        dead_code::remove_dead_checks(kernel, work);
        dead_code::run(kernel, work, remarks);
    }
    if runs(Pass::DeadStores) {
        unread_arrays::run(kernel, work, remarks);
    }
    if runs(Pass::DeadStores) && runs(Pass::DeadCode) {
        dead_code::run(kernel, work, remarks);
    }
    if runs(Pass::LoadElimination) {
        equality_propagation::run(kernel, work);
    }
    if runs(Pass::LoopUnrolling) {
        branch_folding::run(kernel, work);
        loop_unrolling::run(kernel, profile.thresholds, &mut close, work, remarks);
    }
    simplify::run(kernel, work);
    if runs(Pass::LoadElimination) {
        constant_tables::run(kernel, work, remarks);
    }
    if runs(Pass::JumpThreading) {
        if profile.preferences.knows_indices_not_negative {
            repeated_branches::run(kernel, work);
        }
        jump_threading::run(kernel, work);
    }
    if runs(Pass::CodeSinking) {
        code_sinking::run(kernel, work, remarks);
        loop_sinking::run(kernel, work, remarks);
    }
    if runs(Pass::LoopInvariants) {
        loop_invariants::run(kernel, work, remarks);
    }
    if runs(Pass::ScalarPromotion) {
        scalar_promotion::run(kernel, work, remarks);
    }
    if runs(Pass::ScalarPromotion) {
        carried_loads::run(kernel, &mut close, work, remarks);
    }
    if runs(Pass::RuntimeUnrolling) {
        runtime_unrolling::run(kernel, profile, &mut close, work, remarks);
    }
    *close_calls = close.into_places();
    for _ in 0..SWEEPS {
        if runs(Pass::LoadElimination) {
            load_elimination::run(kernel, work, remarks);
        }
        if runs(Pass::DeadStores) {
            noop_stores::run(kernel, work, remarks);
            dead_stores::run(kernel, work, remarks);
            private_stores::run(kernel, work, remarks);
        }
        if runs(Pass::DeadCode) {
            undemanded_bits::run(kernel, work);
            dead_code::run(kernel, work, remarks);
        }
        if runs(Pass::IfConversion) {
            if_conversion::run(kernel, work);
        }
    }
    if runs(Pass::CodeSinking) {
        code_sinking::run(kernel, work, remarks);
    }
    if runs(Pass::BranchMerging) {
        branch_merging::run(kernel, profile.preferences, work, remarks);
    }
    if runs(Pass::DeadCode) {
        load_narrowing::run(kernel, work);
    }
    if runs(Pass::Vectorization) {
        vectorize::run(kernel, profile, work, remarks);
    }
    if runs(Pass::WarpAggregation) {
        aggregate::run(kernel, work, remarks);
    }
}
