use lanescope_kernels::{Kernel, KernelId, Problem};
use serde::{Deserialize, Serialize};

use crate::banks::{Banks, infer_banks};
use crate::{Control, Fault, Machine, Program, TimingRules, Variant, Verifier, time_in_turn};

/// Strides probed, in words: 64 tells 64 banks from 32.
pub(crate) const STRIDES: [u32; 34] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
    27, 28, 29, 30, 31, 32, 33, 64,
];
/// Rounds of 16 loads a lane.
const ROUNDS: u32 = 64;
/// A run of at least this long is enough to see.
const ENOUGH_NS: f64 = 5e5;
/// Most workgroups of a run.
const MOST_WORKGROUPS: u32 = 2048;

/// What shared-memory loads cost by the stride of their lanes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StrideTable {
    /// A step of the staircase for each stride.
    pub steps: Vec<StrideStep>,
    /// The banks it looks like; `None`: it cannot be told.
    pub banks: Option<Banks>,
}

/// One step of the staircase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StrideStep {
    /// Words between neighbouring lanes.
    pub stride_words: u32,
    /// Seconds of a run; all runs do the same number of loads.
    pub seconds: f64,
    /// The cost in units of stride 1's.
    pub relative: f64,
    /// See [`crate::relative_spread`].
    pub spread: f64,
}

/// Measures and verifies every stride.
///
/// # Errors
/// The first [`Fault`], [`Fault::WrongResult`] among them.
pub async fn probe_strides<M: Machine>(
    machine: &mut M,
    rules: &TimingRules,
    control: &impl Control,
) -> Result<StrideTable, Fault> {
    machine.clear();
    let workgroups = enough_workgroups(machine).await?;
    let mut programs = Vec::new();
    for stride_words in STRIDES {
        programs.push(ready(machine, stride_words, workgroups).await?);
    }
    let timings = time_in_turn(machine, &programs, rules, control).await?;
    machine.clear();
    let unit = timings.first().map_or(1.0, |timing| timing.seconds);
    let steps: Vec<_> = STRIDES
        .into_iter()
        .zip(&timings)
        .map(|(stride_words, timing)| StrideStep {
            stride_words,
            seconds: timing.seconds,
            relative: timing.seconds / unit,
            spread: timing.spread,
        })
        .collect();
    let costs: Vec<_> = steps
        .iter()
        .map(|step| (step.stride_words, step.seconds))
        .collect();
    Ok(StrideTable {
        banks: infer_banks(&costs),
        steps,
    })
}

fn problem(stride_words: u32, workgroups: u32) -> Problem {
    Problem::Stride {
        stride_words,
        rounds: ROUNDS,
        workgroups,
    }
}

/// Grows the run until it takes long enough; each step only after a quick one.
async fn enough_workgroups<M: Machine>(machine: &mut M) -> Result<u32, Fault> {
    let mut workgroups = 16;
    loop {
        let program = ready(machine, 1, workgroups).await?;
        let elapsed = machine.run(program, 1).await?;
        if elapsed >= ENOUGH_NS || workgroups >= MOST_WORKGROUPS {
            return Ok(workgroups);
        }
        workgroups *= 2;
    }
}

async fn ready<M: Machine>(
    machine: &mut M,
    stride: u32,
    workgroups: u32,
) -> Result<Program, Fault> {
    let variant = Variant::of(Kernel::of(KernelId::StrideProbe));
    let plan = variant.plan(problem(stride, workgroups), &machine.limits())?;
    let program = machine.prepare(&plan, 1).await?;
    machine.poison(program).await?;
    machine.run(program, 1).await?;
    for (buffer, check) in &plan.results {
        let found = machine.read(program, *buffer, 0, check.elements()).await?;
        Verifier::default().compare(check, 0, &found)?;
    }
    Ok(program)
}
