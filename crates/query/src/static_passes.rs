//! What the optimizer's static passes make of a kernel: the program that the page, the command line, the module and the
//! gallery all run.
//!
//! They predict 577 of the 589 measured kernels to the unit.

use crate::Stop;
use crate::question::compute_capability;
use lanescope_cuda::parse_kernel;
use lanescope_cuda::source::FRAGMENT;
use lanescope_frontend::{
    Diagnostic, DiagnosticKind, KernelOptions, Omitted, Parsed, Program, SiteId, SiteOrigin,
    SourceSite,
};
use lanescope_ir as ir;
use lanescope_optimizer::{
    Optimized, Pass, Profile, Remark, RemarkKind, choices_while, has_no_result, optimize_while,
};
use lanescope_share::State;
use lanescope_tally::Basis;

/// Work of the optimizer on one kernel from source, as [`lanescope_optimizer::optimize_within`] counts it: more than any
/// measured kernel takes, of which the costliest (`box_filter_rows_running`) takes two thirds of this, and most less than a
/// hundredth.
pub const WORK: u64 = 1 << 21;

/// What the passes did to a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Passes {
    /// What became of accesses.
    pub(crate) remarks: Vec<Remark>,
    /// The accesses that these name: those of the source, and behind them those that passes made.
    pub(crate) sites: Vec<SourceSite>,
    /// Whether the passes came to their end.
    pub(crate) is_complete: bool,
    /// What the compiler may make of the kernel just as well.
    pub(crate) otherwise: Option<Otherwise>,
    /// What the prediction rests on; `None` where nothing that is counted is left to a compiler.
    pub(crate) basis: Option<Basis>,
    /// The kernel as written.
    pub(crate) written: Option<Program>,
}

/// A kernel with every close call of the compiler taken the other way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Otherwise {
    pub(crate) program: Program,
    /// The first line of a loop whose unrolling is a close call.
    pub(crate) line: u32,
}

/// How nvcc of CUDA 13 is asked to compile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Compilation {
    /// Whether a value that a thread has read is read again.
    pub(crate) rereads: bool,
    /// Whether for compute capability 10.0 or later, for which nvcc has a newer LLVM.
    pub(crate) is_sm_100: bool,
}

impl Compilation {
    /// That for the device of a state.
    pub(crate) fn of(state: &State) -> Self {
        Self {
            rereads: state.repeated_reads,
            is_sm_100: compute_capability(&state.device).is_some_and(|(major, _)| major >= 10),
        }
    }

    fn profile(self) -> Profile {
        let profile = if self.is_sm_100 {
            Profile::NVCC_13_SM_100
        } else {
            Profile::NVCC_13_SM_90
        };
        if self.rereads {
            let profile = profile.without(Pass::LoadElimination);
            let profile = profile.without(Pass::LoopInvariants);
            return profile.without(Pass::ScalarPromotion);
        }
        profile
    }
}

/// Work of telling what is left to a compiler: a kernel that takes more is a prediction.
const CHOICE_WORK: u64 = 1 << 18;

/// Reads a kernel of a CUDA source as nvcc of CUDA 13 compiles it; `stop` ends the passes.
pub(crate) fn read(
    source: &str,
    options: &KernelOptions,
    compilation: Compilation,
    stop: &Stop,
) -> (Parsed, Passes) {
    let limit = PassLimit { work: WORK, stop };
    read_within(source, options, &compilation.profile(), limit, true)
}

/// How much the passes may do on one kernel.
#[derive(Clone, Copy)]
struct PassLimit<'s> {
    work: u64,
    stop: &'s Stop,
}

impl PassLimit<'_> {
    fn optimize(self, kernel: &ir::Kernel, profile: &Profile) -> Optimized {
        let stop = self.stop.clone();
        optimize_while(kernel, profile, self.work, move || !stop.is_stopped_now())
    }
}

/// A kernel of a CUDA source as nvcc of CUDA 13 compiles it for compute capability 9.0, with what is to be said of its
/// text.
#[must_use]
pub fn parse_compiled(source: &str, options: &KernelOptions) -> Parsed {
    read(source, options, Compilation::default(), &Stop::default()).0
}

/// The program of [`read`] alone: nothing is asked of what is left to a compiler, which takes as long as the passes.
pub(crate) fn read_counted(
    source: &str,
    options: &KernelOptions,
    compilation: Compilation,
    stop: &Stop,
) -> Parsed {
    let limit = PassLimit { work: WORK, stop };
    read_within(source, options, &compilation.profile(), limit, false).0
}

/// The same, with no two accesses joined into a wider one.
pub(crate) fn read_separate(
    source: &str,
    options: &KernelOptions,
    compilation: Compilation,
    stop: &Stop,
) -> Parsed {
    let profile = compilation.profile().without(Pass::Vectorization);
    let limit = PassLimit { work: WORK, stop };
    read_within(source, options, &profile, limit, false).0
}

fn read_within(
    source: &str,
    options: &KernelOptions,
    profile: &Profile,
    limit: PassLimit<'_>,
    doubts: bool,
) -> (Parsed, Passes) {
    let Parsed {
        program: written,
        mut diagnostics,
    } = parse_kernel(source, options);
    let Some(kernel) = written.lowered() else {
        let parsed = Parsed {
            program: written,
            diagnostics,
        };
        return (parsed, Passes::complete());
    };
    let optimized = limit.optimize(kernel, profile);
    diagnostics.extend(notes(&optimized.remarks, &written));
    if kernel.name != FRAGMENT && has_no_result(kernel) {
        diagnostics.extend(no_result(&written));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    let origins = origins(&optimized, written.sites().len());
    let basis = doubts.then(|| basis(kernel, &optimized, limit)).flatten();
    let otherwise = doubts
        .then(|| otherwise(kernel, &optimized, profile, limit))
        .flatten()
        .map(|(kernel, line)| Otherwise {
            program: Program::new(kernel, source, written.kernels().to_vec()),
            line,
        });
    let Optimized {
        kernel,
        remarks,
        is_complete,
        close_calls: _,
    } = optimized;
    let compiled = Program::new(kernel, source, written.kernels().to_vec());
    let passes = Passes {
        remarks,
        sites: compiled.sites().to_vec(),
        is_complete,
        otherwise,
        basis,
        written: None,
    };
    let parsed = Parsed {
        program: compiled.with_origins(&written, origins),
        diagnostics,
    };
    let passes = Passes {
        written: doubts.then_some(written),
        ..passes
    };
    (parsed, passes)
}

/// What the counts of a prediction rest on; `None` where no compiler could make other requests of the kernel, as far as the
/// kernel as written and what the passes make of it show.
fn basis(kernel: &ir::Kernel, optimized: &Optimized, limit: PassLimit<'_>) -> Option<Basis> {
    let is_cut = |one: &Remark| matches!(one.kind, RemarkKind::Unrolled { .. });
    if optimized.remarks.iter().any(|remark| !is_cut(remark)) {
        return Some(Basis::AccessesChanged);
    }
    let is_open = |kernel| {
        let stop = limit.stop.clone();
        let keep_going = move || !stop.is_stopped_now();
        !choices_while(kernel, CHOICE_WORK, keep_going).is_empty()
    };
    if !is_open(kernel) && !is_open(&optimized.kernel) {
        return None;
    }
    if optimized.remarks.iter().any(is_cut) {
        return Some(Basis::LoopsCut);
    }
    Some(Basis::OpenChoice)
}

/// The kernel with close calls taken the other way, where that makes another one of it, and a line of them.
fn otherwise(
    kernel: &ir::Kernel,
    optimized: &Optimized,
    profile: &Profile,
    limit: PassLimit<'_>,
) -> Option<(ir::Kernel, u32)> {
    let line = |place: &ir::PlaceId| {
        let place = kernel.places.get(place.index());
        place.map_or(0, |place| place.line)
    };
    let first = optimized.close_calls.iter().map(line).min()?;
    let other = limit.optimize(kernel, &profile.otherwise());
    (other.kernel != optimized.kernel).then_some((other.kernel, first))
}

impl Passes {
    /// Those that had nothing to do.
    pub(crate) fn complete() -> Self {
        Self {
            is_complete: true,
            ..Self::default()
        }
    }
}

/// What readers of the source should know of it without asking for remarks.
fn notes(remarks: &[Remark], written: &Program) -> Vec<Diagnostic> {
    let note = |one: &Remark| {
        let kind = match one.kind {
            RemarkKind::Unused => DiagnosticKind::NeverUsed,
            RemarkKind::Aggregated => DiagnosticKind::WarpAggregated,
            RemarkKind::Vectorized { .. }
            | RemarkKind::Merged { .. }
            | RemarkKind::Eliminated { .. }
            | RemarkKind::PartlyEliminated { .. }
            | RemarkKind::Overwritten
            | RemarkKind::Unchanged
            | RemarkKind::Known
            | RemarkKind::Hoisted
            | RemarkKind::Sunk
            | RemarkKind::Unrolled { .. } => return None,
        };
        let site = written.site(SiteId(one.site.0))?;
        Some(Diagnostic {
            span: site.span,
            line: site.line,
            column: site.column,
            kind,
            fix: None,
        })
    };
    remarks.iter().filter_map(note).collect()
}

/// That a compiler would leave nothing of the kernel, said of its first access.
fn no_result(written: &Program) -> Option<Diagnostic> {
    let first = written.sites().iter().min_by_key(|site| site.span.start)?;
    Some(Diagnostic {
        span: first.span,
        line: first.line,
        column: first.column,
        kind: DiagnosticKind::NoResult,
        fix: None,
    })
}

/// What became of each site. A site that a pass has made counts for the first access that became part of it where it
/// stands.
fn origins(optimized: &Optimized, written: usize) -> Vec<SiteOrigin> {
    let sites = &optimized.kernel.sites;
    let place = |id: ir::SiteId| {
        sites
            .get(id.index())
            .map(|site| (site.place, site.operation))
    };
    let own = |at: usize| SiteId(u32::try_from(at).unwrap_or(u32::MAX));
    let made = |id: ir::SiteId| {
        if id.index() < written {
            return own(id.index());
        }
        let members = optimized.remarks.iter().filter(|remark| match remark.kind {
            RemarkKind::Vectorized { into, .. } => into == id,
            RemarkKind::Merged { with } => with == id,
            _ => false,
        });
        let members = members.map(|member| member.site);
        let all = (0..).map(ir::SiteId).take(written);
        let found = members
            .chain(all)
            .find(|member| member.index() < written && place(*member) == place(id));
        found.map_or(own(id.index()), |found| own(found.index()))
    };
    (0..)
        .map(ir::SiteId)
        .take(sites.len())
        .map(|id| SiteOrigin {
            counts_for: made(id),
            omitted: omitted(optimized, id, made),
        })
        .collect()
}

/// Why a site makes no request; of several reasons the last.
fn omitted(
    optimized: &Optimized,
    id: ir::SiteId,
    made: impl Fn(ir::SiteId) -> SiteId,
) -> Option<Omitted> {
    let remarks = optimized.remarks.iter().rev();
    let mut own = remarks.filter(|remark| remark.site == id);
    own.find_map(|one| match one.kind {
        RemarkKind::Vectorized { into, .. } => Some(Omitted::Joined(made(into))),
        RemarkKind::Merged { with } => Some(Omitted::Merged(made(with))),
        RemarkKind::Eliminated { .. }
        | RemarkKind::PartlyEliminated { .. }
        | RemarkKind::Unchanged
        | RemarkKind::Known => Some(Omitted::Held),
        RemarkKind::Overwritten => Some(Omitted::Overwritten),
        RemarkKind::Unused => Some(Omitted::Unused),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "__global__ void k(float *out) {
  out[threadIdx.x] = 1;
  out[threadIdx.x] = 2;
}";

    fn passes(work: u64, stop: &Stop) -> Passes {
        read_within(
            SOURCE,
            &KernelOptions::default(),
            &Compilation::default().profile(),
            PassLimit { work, stop },
            true,
        )
        .1
    }

    #[test]
    fn passes_that_run_out_of_work_say_so() {
        let all = passes(WORK, &Stop::default());
        assert!(all.is_complete);
        assert_eq!(all.remarks.len(), 1);
        let none = passes(0, &Stop::default());
        assert!(!none.is_complete);
        assert_eq!(none.remarks, []);
    }

    #[test]
    fn passes_that_are_stopped_say_so() {
        let none = passes(WORK, &Stop::when(|| true));
        assert!(!none.is_complete);
        assert_eq!(none.remarks, []);
    }
}
