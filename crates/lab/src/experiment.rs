use lanescope_kernels::{Family, Kernel, KernelId, Problem, Traffic};
use lanescope_model::Device;

use crate::control::checkpoint;
use crate::plan::Plan;
use crate::report::{Outcome, Row, Table, set_shares};
use crate::timing::Rounds;
use crate::{
    Control, DeviceLimits, Fault, Machine, Prediction, Program, Progress, TimingRules, Variant,
    Verifier,
};

/// No run is started that a smaller one predicts to take longer.
const LONGEST_RUN_NS: f64 = 1e9;
/// Each rehearsal is this many times smaller than the next.
const REHEARSAL_STEP: u64 = 16;
/// Elements of the smallest rehearsal, about.
const FIRST_REHEARSAL: u64 = 1 << 18;
/// Fewest samples that make a result of a run that was cut short.
const FEWEST_SAMPLES: usize = 3;
/// Most elements read back at once for verification.
const VERIFY_SLICE: u64 = 16 << 20;

/// Variants to run on one problem, verified and then timed in turn.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What each works on.
    pub problem: Problem,
    /// The variants; ceilings among them are recognised.
    pub variants: Vec<Variant>,
    /// How to measure.
    pub rules: TimingRules,
    /// The device's last-level cache, in bytes, as far as known: buffers are
    /// used in turn until four times as much is touched.
    pub cache_bytes: u64,
    /// Bytes the buffers may take in all.
    pub memory_bytes: u64,
}

impl Experiment {
    /// Every kernel of a family as it runs best on a device of these limits, after
    /// its ceilings.
    #[must_use]
    pub fn of(family: Family, problem: Problem, limits: &DeviceLimits) -> Self {
        let kernels = Kernel::family(family).filter(|_| family != Family::Ceiling);
        Self::with(
            kernels.map(|kernel| Variant::tuned(kernel, limits)),
            problem,
            limits,
        )
    }

    /// These variants after their ceilings.
    #[must_use]
    pub fn with(
        chosen: impl IntoIterator<Item = Variant>,
        problem: Problem,
        limits: &DeviceLimits,
    ) -> Self {
        let mut variants = ceilings(problem, limits);
        variants.extend(chosen);
        Self {
            problem,
            variants,
            rules: TimingRules::default(),
            cache_bytes: 64 << 20,
            memory_bytes: 4 << 30,
        }
    }

    /// Runs it to the end, or to what ends the session; what was finished is kept.
    pub async fn run<M: Machine>(
        &self,
        machine: &mut M,
        verifier: &mut Verifier,
        control: &impl Control,
    ) -> Table {
        machine.clear();
        let mut session = Session {
            experiment: self,
            machine,
            verifier,
            control,
            ended: None,
            done: 0,
        };
        let table = session.run().await;
        session.machine.clear();
        table
    }

    /// Writes into each row of its table the lane slots that the model predicts on `device`, where it has a number.
    pub fn predict_lanes(&self, table: &mut Table, device: &Device) {
        for (variant, row) in self.variants.iter().zip(&mut table.results) {
            let problem = problem_of(variant, self.problem);
            let predicted = variant
                .kernel
                .and_then(|kernel| Prediction::of(kernel, &variant.values, problem, device));
            row.predicted_lanes = predicted.map(|counts| counts.lanes);
        }
    }

    /// How many sets of buffers are used in turn.
    fn sets(&self, traffic: Traffic) -> u32 {
        let bytes = traffic.read_bytes.max(1);
        let wanted = (4 * self.cache_bytes).div_ceil(bytes);
        let room = (self.memory_bytes / bytes).saturating_sub(1);
        u32::try_from(wanted.min(room).clamp(1, 16)).unwrap_or(1)
    }
}

/// The device's copy and the kernels that copy and read as many elements.
fn ceilings(problem: Problem, limits: &DeviceLimits) -> Vec<Variant> {
    if matches!(problem, Problem::Stride { .. }) {
        return Vec::new();
    }
    vec![
        Variant::buffer_copy(),
        Variant::tuned(Kernel::of(KernelId::CopyVec4), limits),
        Variant::tuned(Kernel::of(KernelId::ReadVec4), limits),
    ]
}

/// The problem a variant works on: ceilings take a matrix as an array.
fn problem_of(variant: &Variant, problem: Problem) -> Problem {
    match variant.kernel {
        Some(kernel) if kernel.family != Family::Ceiling => problem,
        _ => Problem::Length(problem.elements()),
    }
}

/// `problem` made smaller by about `factor`, still in quads if it was.
fn smaller(problem: Problem, factor: u64) -> Problem {
    let side = u32::try_from(factor.isqrt()).unwrap_or(u32::MAX);
    let part = |size: u32| (size / side).max(1).next_multiple_of(4).min(size);
    match problem {
        Problem::Length(length) => Problem::Length((length / factor).max(1)),
        Problem::Matrix { rows, columns } => Problem::Matrix {
            rows: part(rows),
            columns: part(columns),
        },
        Problem::Stride {
            stride_words,
            rounds,
            workgroups,
        } => Problem::Stride {
            stride_words,
            rounds,
            workgroups: (u64::from(workgroups) / factor)
                .max(1)
                .try_into()
                .unwrap_or(1),
        },
    }
}

struct Session<'a, M, C> {
    experiment: &'a Experiment,
    machine: &'a mut M,
    verifier: &'a mut Verifier,
    control: &'a C,
    /// What ended the session, if something has.
    ended: Option<Fault>,
    done: usize,
}

impl<M: Machine, C: Control> Session<'_, M, C> {
    async fn run(&mut self) -> Table {
        let variants = &self.experiment.variants;
        let mut outcomes: Vec<Result<(), Fault>> = Vec::new();
        for variant in variants {
            let rehearsed = self.rehearse(variant).await;
            outcomes.push(self.note(rehearsed));
        }
        self.machine.clear();
        let mut ready = Vec::new();
        for (variant, rehearsed) in variants.iter().zip(outcomes) {
            let program = match rehearsed {
                Ok(()) => self.make_ready(variant).await,
                Err(fault) => Err(fault),
            };
            ready.push(self.note(program));
        }
        self.measure(ready).await
    }

    /// Remembers a fault that ends the session.
    fn note<T>(&mut self, result: Result<T, Fault>) -> Result<T, Fault> {
        if let Some(ended) = &self.ended {
            return Err(ended.clone());
        }
        if let Err(fault) = &result
            && fault.ends_session()
        {
            self.ended = Some(fault.clone());
        }
        result
    }

    /// Steps of the whole session: rehearsing and verifying each variant, and rounds of samples.
    fn steps(&self) -> usize {
        2 * self.experiment.variants.len() + self.experiment.rules.samples
    }

    fn step(&mut self, variant: &Variant) -> Result<(), Fault> {
        if let Some(ended) = &self.ended {
            return Err(ended.clone());
        }
        self.control.progress(Progress {
            done: self.done,
            total: self.steps(),
            kernel: variant.name(),
        });
        self.done += 1;
        checkpoint(self.control)
    }

    /// Runs smaller sizes first; each must have been quick for the next to run.
    async fn rehearse(&mut self, variant: &Variant) -> Result<(), Fault> {
        self.step(variant)?;
        let problem = problem_of(variant, self.experiment.problem);
        let mut factor = 1;
        while problem.elements() / factor > FIRST_REHEARSAL {
            factor *= REHEARSAL_STEP;
        }
        while factor > 1 {
            checkpoint(self.control)?;
            let plan = variant.plan(smaller(problem, factor), &self.machine.limits())?;
            let program = self.machine.prepare(&plan, 1).await?;
            self.machine.run(program, 1).await?;
            let elapsed = self.machine.run(program, 1).await?;
            #[expect(clippy::cast_precision_loss, reason = "16")]
            let next = elapsed * REHEARSAL_STEP as f64;
            if next > LONGEST_RUN_NS {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "positive, rounded"
                )]
                let predicted_ms = (next * 1e-6) as u64;
                return Err(Fault::TooSlow { predicted_ms });
            }
            factor /= REHEARSAL_STEP;
        }
        Ok(())
    }

    /// Allocates at full size and verifies one run.
    async fn make_ready(&mut self, variant: &Variant) -> Result<(Program, Plan), Fault> {
        self.step(variant)?;
        let problem = problem_of(variant, self.experiment.problem);
        let plan = variant.plan(problem, &self.machine.limits())?;
        let sets = self.experiment.sets(plan.traffic);
        let program = match self.machine.prepare(&plan, sets).await {
            Err(Fault::OutOfMemory { bytes }) => return Err(self.what_fits(variant, bytes).await),
            prepared => prepared?,
        };
        self.verify(program, &plan).await?;
        Ok((program, plan))
    }

    /// After a failed allocation: halves twice, to say a size that fits.
    async fn what_fits(&mut self, variant: &Variant, bytes: u64) -> Fault {
        let problem = problem_of(variant, self.experiment.problem);
        for factor in [4, 16] {
            let Ok(plan) = variant.plan(smaller(problem, factor), &self.machine.limits()) else {
                continue;
            };
            if self.machine.prepare(&plan, 1).await.is_ok() {
                self.machine.clear();
                return Fault::TooLarge {
                    bytes,
                    fits_bytes: plan.traffic.read_bytes,
                };
            }
        }
        Fault::OutOfMemory { bytes }
    }

    /// One run into poisoned buffers, compared with the CPU slice by slice.
    async fn verify(&mut self, program: Program, plan: &Plan) -> Result<(), Fault> {
        self.machine.poison(program).await?;
        self.machine.run(program, 1).await?;
        for (buffer, check) in &plan.results {
            let elements = check.elements();
            let mut first = 0;
            while first < elements {
                checkpoint(self.control)?;
                let count = VERIFY_SLICE.min(elements - first);
                let found = self.machine.read(program, *buffer, first, count).await?;
                self.verifier.compare(check, first, &found)?;
                first += count;
            }
        }
        Ok(())
    }

    async fn measure(&mut self, ready: Vec<Result<(Program, Plan), Fault>>) -> Table {
        let programs: Vec<_> = ready
            .iter()
            .flatten()
            .map(|(program, _)| *program)
            .collect();
        let rules = &self.experiment.rules;
        let mut rounds = Rounds::default();
        if self.ended.is_none() {
            let told = After {
                control: self.control,
                done: self.done,
                total: self.steps(),
            };
            let taken = rounds.take(self.machine, &programs, rules, &told).await;
            self.ended = taken.err();
        }
        let unfinished = self.ended.clone().unwrap_or(Fault::Cancelled);
        let mut timings = rounds.timings().into_iter();
        let mut results = Vec::new();
        for (variant, ready) in self.experiment.variants.iter().zip(&ready) {
            let outcome = match ready {
                Err(fault) => Outcome::from_fault(fault.clone()),
                Ok((_, plan)) => match timings.next() {
                    Some(timing) if timing.samples.len() >= FEWEST_SAMPLES => {
                        Outcome::from_timing(timing, plan.traffic, rules)
                    }
                    _ => Outcome::from_fault(unfinished.clone()),
                },
            };
            results.push(Row::new(variant, outcome));
        }
        set_shares(
            &self.experiment.variants,
            self.experiment.problem,
            &mut results,
        );
        self.table(results, &ready)
    }

    fn table(&self, results: Vec<Row>, ready: &[Result<(Program, Plan), Fault>]) -> Table {
        let (rows, columns) = match self.experiment.problem {
            Problem::Matrix { rows, columns } => (rows, u64::from(columns)),
            problem => (1, problem.elements()),
        };
        let traffic = ready.iter().flatten().next().map(|(_, plan)| plan.traffic);
        let buffer_sets = traffic.map_or(1, |traffic| self.experiment.sets(traffic));
        Table {
            rows,
            columns,
            buffer_sets,
            ended: self.ended.clone(),
            results,
        }
    }
}

/// A control whose progress begins where the session is.
struct After<'a, C> {
    control: &'a C,
    done: usize,
    total: usize,
}

impl<C: Control> Control for After<'_, C> {
    fn cancelled(&self) -> bool {
        self.control.cancelled()
    }

    fn hidden(&self) -> bool {
        self.control.hidden()
    }

    async fn rest(&self) {
        self.control.rest().await;
    }

    fn progress(&self, round: Progress) {
        self.control.progress(Progress {
            done: self.done + round.done,
            total: self.total,
            kernel: round.kernel,
        });
    }
}
