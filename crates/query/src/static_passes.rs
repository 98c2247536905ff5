//! What the optimizer's static passes make of a kernel, counted at a cost that follows the pattern of the launch.
//!
//! They predict 573 of the 589 measured kernels to the unit; the emulation, which gives a second opinion, 571.

use crate::stop::StoppableClasses;
use crate::{Language, Question, Stop};
use lanescope_ir as ir;
use lanescope_lang::{
    Budget, End, Fate, KernelOptions, Launch, Outcome, Parsed, Program, SiteId, Spared,
    execute_classes, parse_kernel,
};
use lanescope_model::Device;
use lanescope_optimizer::{Optimized, Profile, RemarkKind, optimize};
use lanescope_tally::ClassTally;

/// The question's kernel as the static passes leave it; `None` where the question is none of a compiled kernel.
pub(crate) fn compiled(question: &Question) -> Option<Parsed> {
    let (parsed, optimized) = passed(question)?;
    let names = parsed.program.kernels().to_vec();
    let fates = fates(&optimized, parsed.program.sites().len());
    Some(Parsed {
        program: Program::from_ir(optimized.kernel, &question.source, names)
            .with_fates(&parsed.program, fates),
        diagnostics: parsed.diagnostics,
    })
}

/// The same with its remarks, and the program whose sites these name.
pub(crate) fn optimized(question: &Question) -> Option<(Optimized, Program)> {
    let (_, optimized) = passed(question)?;
    let program = Program::from_ir(optimized.kernel.clone(), &question.source, Vec::new());
    Some((optimized, program))
}

fn passed(question: &Question) -> Option<(Parsed, Optimized)> {
    read(&question.source, question.as_written.as_ref()?)
}

/// The kernel of a CUDA source as the passes leave it, of options that read it as it is written.
fn read(source: &str, options: &KernelOptions) -> Option<(Parsed, Optimized)> {
    let parsed = parse_kernel(source, options);
    if parsed.program.name().is_empty() {
        return None;
    }
    let kernel = lanescope_cuda::translate(source, &parsed.program, Language::Cuda);
    let optimized = optimize(&kernel, &Profile::NVCC_13_SM_90);
    Some((parsed, optimized))
}

/// Blocks of a CUDA kernel's launch that stand for all: the linear index of each, and for how many it stands. `None`
/// where that is not proved within `budget`, or they are too many.
pub(crate) fn block_classes(
    source: &str,
    options: KernelOptions,
    launch: &Launch,
    budget: Budget,
    device: &Device,
) -> Option<Vec<(u64, u64)>> {
    let options = KernelOptions {
        as_written: true,
        ..options
    };
    let (_, optimized) = read(source, &options)?;
    let program = Program::from_ir(optimized.kernel, source, Vec::new());
    let (tally, outcome) = counted(&program, launch, budget, device, &Stop::default())?;
    let classes = tally.classes().filter(|_| outcome.end == End::Completed)?;
    Some(classes.to_vec())
}

/// Counts a kernel of `ir` by classes of blocks; `None` of another program.
pub(crate) fn counted<'d>(
    program: &Program,
    launch: &Launch,
    budget: Budget,
    device: &'d Device,
    stop: &Stop,
) -> Option<(ClassTally<'d>, Outcome)> {
    let mut tally = ClassTally::new(device);
    let (lanes, periods) = (device.warp_lanes(), ClassTally::periods(device));
    let mut stoppable = StoppableClasses {
        tally: &mut tally,
        stop,
    };
    let outcome = execute_classes(program, launch, lanes, budget, periods, &mut stoppable)?;
    Some((tally, outcome))
}

/// What became of each site. A site that a pass has made counts for the first access that became part of it where it
/// stands.
fn fates(optimized: &Optimized, written: usize) -> Vec<Fate> {
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
        let members = optimized.remarks.iter().filter(|one| match one.kind {
            RemarkKind::Vectorized { into, .. } => into == id,
            RemarkKind::Merged { with } => with == id,
            _ => false,
        });
        let members = members.map(|one| one.site);
        let all = (0..).map(ir::SiteId).take(written);
        let found = members
            .chain(all)
            .find(|one| one.index() < written && place(*one) == place(id));
        found.map_or(own(id.index()), |found| own(found.index()))
    };
    (0..)
        .map(ir::SiteId)
        .take(sites.len())
        .map(|id| Fate {
            counts_for: made(id),
            spared: spared(optimized, id, made),
        })
        .collect()
}

/// Why a site makes no request; of several reasons the last.
fn spared(
    optimized: &Optimized,
    id: ir::SiteId,
    made: impl Fn(ir::SiteId) -> SiteId,
) -> Option<Spared> {
    let remarks = optimized.remarks.iter().rev();
    let mut own = remarks.filter(|one| one.site == id);
    own.find_map(|one| match one.kind {
        RemarkKind::Vectorized { into, .. } => Some(Spared::Joined(made(into))),
        RemarkKind::Merged { with } => Some(Spared::Merged(made(with))),
        RemarkKind::Eliminated { .. } | RemarkKind::PartlyEliminated { .. } => Some(Spared::Held),
        RemarkKind::Overwritten => Some(Spared::Overwritten),
        RemarkKind::Unused => Some(Spared::Unused),
        _ => None,
    })
}
