//! Durations from a coarse clock: the slope between N and 2N runs of a pass, so
//! that what submission costs once falls out, the median of many, variants in
//! turn, so that a drifting clock rate touches all alike.

use serde::{Deserialize, Serialize};

use crate::control::checkpoint;
use crate::statistics::{median, relative_spread};
use crate::{Control, Fault, Machine, Program, Progress};

/// How long and how often to measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimingRules {
    /// A pass is repeated until it lasts this long: 200 quanta of 100 us.
    pub pass_ns: f64,
    /// Runs before the first sample count as warm-up up to this long.
    pub warm_up_ns: f64,
    /// Samples of each variant.
    pub samples: usize,
    /// The spread up to which a median is a result.
    pub most_spread: f64,
    /// Most repeats of a run in one pass.
    pub most_repeats: u32,
}

impl Default for TimingRules {
    fn default() -> Self {
        Self {
            pass_ns: 20e6,
            warm_up_ns: 150e6,
            samples: 15,
            most_spread: 0.05,
            most_repeats: 1 << 14,
        }
    }
}

impl TimingRules {
    /// The usual rules; on a processor shorter passes and fewer, since its times say nothing anyway.
    #[must_use]
    pub fn of_adapter(is_software: bool) -> Self {
        let usual = Self::default();
        if is_software {
            return Self {
                pass_ns: 1e6,
                warm_up_ns: 4e6,
                samples: 5,
                ..usual
            };
        }
        usual
    }
}

/// What was measured of one variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Median of the samples.
    pub seconds: f64,
    /// Each slope, in seconds, in the order taken.
    pub samples: Vec<f64>,
    /// See [`relative_spread`].
    pub spread: f64,
    /// N: a sample compares N runs with 2N.
    pub repeats: u32,
}

impl Timing {
    fn new(samples_ns: &[f64], repeats: u32) -> Self {
        let samples: Vec<f64> = samples_ns.iter().map(|ns| ns * 1e-9).collect();
        Self {
            seconds: median(&samples),
            spread: relative_spread(&samples),
            samples,
            repeats,
        }
    }

    /// Whether the samples lie too far apart for their median to mean anything.
    #[must_use]
    pub fn too_noisy(&self, rules: &TimingRules) -> bool {
        // False where either is not a number.
        let steady = self.spread <= rules.most_spread && self.seconds > 0.0;
        !steady
    }
}

/// Times each of `programs`, in turn; one round of samples is one step of progress.
///
/// # Errors
/// The first [`Fault`] of the machine, or [`Fault::Cancelled`].
pub async fn time_in_turn<M: Machine>(
    machine: &mut M,
    programs: &[Program],
    rules: &TimingRules,
    control: &impl Control,
) -> Result<Vec<Timing>, Fault> {
    let mut rounds = Rounds::default();
    rounds.take(machine, programs, rules, control).await?;
    Ok(rounds.timings())
}

/// The samples taken so far; they outlast a run that is cut short.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    repeats: Vec<u32>,
    samples: Vec<Vec<f64>>,
}

impl Rounds {
    /// Takes all samples that `rules` ask for.
    ///
    /// # Errors
    /// The first [`Fault`] of the machine, or [`Fault::Cancelled`]; samples so far are kept.
    pub(crate) async fn take<M: Machine>(
        &mut self,
        machine: &mut M,
        programs: &[Program],
        rules: &TimingRules,
        control: &impl Control,
    ) -> Result<(), Fault> {
        for &program in programs {
            let n = calibrate(machine, program, rules, control).await?;
            self.repeats.push(n);
        }
        self.samples = vec![Vec::with_capacity(rules.samples); programs.len()];
        while self.fewest() < rules.samples {
            control.progress(Progress {
                done: self.fewest(),
                total: rules.samples,
                kernel: "",
            });
            let turns = programs.iter().zip(&self.repeats).zip(&mut self.samples);
            for ((&program, &n), taken) in turns {
                if let Some(slope) = slope(machine, program, n, control).await? {
                    taken.push(slope);
                }
            }
        }
        Ok(())
    }

    /// Samples of the variant that has fewest.
    fn fewest(&self) -> usize {
        self.samples
            .iter()
            .map(Vec::len)
            .min()
            .unwrap_or(usize::MAX)
    }

    /// What the samples so far say, for each program in turn.
    pub(crate) fn timings(&self) -> Vec<Timing> {
        let pairs = self.samples.iter().zip(&self.repeats);
        pairs.map(|(taken, n)| Timing::new(taken, *n)).collect()
    }
}

/// Warms up and returns how many runs fill a pass.
async fn calibrate<M: Machine>(
    machine: &mut M,
    program: Program,
    rules: &TimingRules,
    control: &impl Control,
) -> Result<u32, Fault> {
    let mut repeats = 1;
    let mut spent = 0.0;
    loop {
        checkpoint(control)?;
        let elapsed = machine.run(program, repeats).await?;
        spent += elapsed.max(1e3);
        let long_enough = elapsed >= rules.pass_ns || repeats >= rules.most_repeats;
        if long_enough && spent >= rules.warm_up_ns.min(8.0 * rules.pass_ns) {
            return Ok(repeats);
        }
        if !long_enough {
            repeats = (repeats * 2).min(rules.most_repeats);
        }
    }
}

/// Nanoseconds a run, from a pass of N and one of 2N; `None` if the page was
/// hidden meanwhile.
async fn slope<M: Machine>(
    machine: &mut M,
    program: Program,
    repeats: u32,
    control: &impl Control,
) -> Result<Option<f64>, Fault> {
    while control.hidden() {
        checkpoint(control)?;
        control.rest().await;
    }
    checkpoint(control)?;
    let once = machine.run(program, repeats).await?;
    checkpoint(control)?;
    let twice = machine.run(program, 2 * repeats).await?;
    let seen = !control.hidden();
    Ok(seen.then_some((twice - once) / f64::from(repeats)))
}
