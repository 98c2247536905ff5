//! What the optimizer's static passes make of a kernel, counted at a cost that follows the pattern of the launch.
//!
//! The emulation of nvcc counts request by request while the kernel runs, and is held to more measured kernels; the
//! static passes take a whole launch of any size. The two share no rule's code: where they differ, what the compiler
//! does is not certain, and the answer says so.

use crate::stop::Stoppable;
use crate::{Language, Question, Stop};
use lanescope_lang::{
    Budget, End, KernelOptions, Launch, Outcome, Parsed, Program, execute_classes, parse_kernel,
};
use lanescope_model::Device;
use lanescope_optimizer::{Optimized, Profile, optimize};
use lanescope_tally::ClassTally;

/// The question's kernel as the static passes leave it; `None` where the question is none of a compiled kernel.
pub(crate) fn compiled(question: &Question) -> Option<Parsed> {
    let (parsed, optimized) = passed(question)?;
    let names = parsed.program.kernels().to_vec();
    Some(Parsed {
        program: Program::from_ir(optimized.kernel, &question.source, names),
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
    let mut stoppable = Stoppable {
        tally: &mut tally,
        stop,
    };
    let outcome = execute_classes(program, launch, lanes, budget, periods, &mut stoppable)?;
    Some((tally, outcome))
}
