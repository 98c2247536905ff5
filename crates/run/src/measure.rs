//! Launches on a machine: verified, timed in turn, beside the device's own copy.

use lanescope_emit::Emitted;
use lanescope_kernels::{Kernel, KernelId, Problem, Traffic};
use lanescope_lab::plan::Check;
use lanescope_lab::{
    Control, Fault, Machine, Program, TimingRules, Variant, Verifier, median, time_in_turn,
};
use serde::{Deserialize, Serialize};

use crate::inexact::inexact;
use crate::simulated::Words;
use crate::{Counts, Failure, Ready, rate};

/// Most words of a result that are read back at once.
const SLICE_WORDS: u64 = 16 << 20;

/// Samples of runs that are timed one by one.
const SINGLE_SAMPLES: usize = 15;

/// A run longer than this, in nanoseconds, is timed one by one.
const LONG_RUN_NS: f64 = 50e6;

/// What all samples of one long kernel may take, in nanoseconds.
const PATIENCE_NS: f64 = 3e9;

/// How a result was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// All that the simulator knows is equal.
    Equal,
    /// Floats differ by so many units in the last place at most.
    Near(u32),
    /// Floats differ by more, but by so many millionths of the largest of their array at most, and the kernel calls functions
    /// whose results WGSL leaves to the device, as `exp`.
    Inexact(u32),
    /// The launch is too large for the simulator.
    Unverified,
    /// What the launch leaves depends on what the simulator does not know, as the order of its threads.
    Undecided,
}

/// How runs were timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimedBy {
    /// By the slope between passes of many runs.
    Passes,
    /// One by one.
    Runs,
    /// One by one, with its buffers restored before each.
    Restored,
}

/// What came of one launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// How its results were verified.
    pub verdict: Verdict,
    /// Seconds of a run: the median.
    pub seconds: f64,
    /// How many samples it is the median of.
    pub samples: usize,
    /// How they were taken.
    pub timed_by: TimedBy,
    /// Bytes that it reads and writes, each once.
    pub bytes: u64,
    /// What it is counted to cost, as written.
    pub counts: Counts,
    /// Words that it wrote to its buffers.
    pub words: u64,
    /// Whether its results are those of the first launch, bit for bit.
    pub is_equal_to_first: bool,
}

impl Measured {
    /// Bytes a second, each byte once, in units of 10^9.
    #[must_use]
    pub fn rate(&self) -> f64 {
        rate(self.bytes, self.seconds)
    }

    /// The same of the sectors that are moved.
    #[must_use]
    pub fn sector_rate(&self) -> f64 {
        rate(self.counts.sectors.saturating_mul(32), self.seconds)
    }
}

/// The faster copy of the same run: of the device's own and of the lab's kernel for vectors of four.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Copied {
    /// Seconds of a copy.
    pub seconds: f64,
    /// Bytes that it reads and writes.
    pub bytes: u64,
}

impl Copied {
    /// Bytes a second, in units of 10^9.
    #[must_use]
    pub fn rate(&self) -> f64 {
        rate(self.bytes, self.seconds)
    }
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The launches, in their order.
    pub launches: Vec<Measured>,
    /// The device's own copy.
    pub copy: Copied,
}

/// Runs launches that differ in how they do the same, verifies and times them in turn, with the copy of as many bytes.
///
/// # Errors
/// A fault of the device, or the first result that is wrong.
pub async fn measure<M: Machine>(
    machine: &mut M,
    launches: &[Ready],
    rules: &TimingRules,
    control: &impl Control,
) -> Result<Report, Failure> {
    let mut ran = Vec::new();
    for launch in launches {
        if control.cancelled() {
            return Err(Fault::Cancelled.into());
        }
        ran.push(Ran::of(machine, launch).await?);
    }
    let bytes = launches
        .iter()
        .map(|launch| launch.traffic.total_bytes())
        .max();
    // Half of them are read and half written, each from one buffer.
    let most_bytes = machine.limits().array_bytes().saturating_mul(2);
    let copy_bytes = 8 * (bytes.unwrap_or(0).min(most_bytes) / 8).max(1);
    let copies = copies(machine, copy_bytes).await?;
    let in_turn = ran.iter().filter(|one| one.timed_by == TimedBy::Passes);
    let programs: Vec<Program> = in_turn.map(|one| one.program).chain(copies).collect();
    let timings = time_in_turn(machine, &programs, rules, control).await?;
    let mut timings = timings.into_iter();
    let mut times = Vec::new();
    for one in &ran {
        times.push(match one.timed_by {
            TimedBy::Passes => timings.next().map_or((f64::NAN, 0), |timing| {
                (timing.seconds, timing.samples.len())
            }),
            TimedBy::Runs | TimedBy::Restored => one_by_one(machine, one, control).await?,
        });
    }
    let copied = timings
        .map(|timing| timing.seconds)
        .fold(f64::NAN, f64::min);
    machine.clear();
    let first = ran.first().map(|one| one.results.clone());
    let measured = launches.iter().zip(&ran).zip(times);
    Ok(Report {
        launches: measured
            .map(|((launch, ran), (seconds, samples))| Measured {
                verdict: ran.verdict,
                seconds,
                samples,
                timed_by: ran.timed_by,
                bytes: Traffic::total_bytes(launch.traffic),
                counts: launch.counts,
                words: ran
                    .results
                    .iter()
                    .map(|(_, words)| words.len() as u64)
                    .sum(),
                is_equal_to_first: first.as_ref() == Some(&ran.results),
            })
            .collect(),
        copy: Copied {
            seconds: copied,
            bytes: copy_bytes,
        },
    })
}

/// The copies that bound a run, of so many bytes read and written: the device's own, and the lab's kernel for vectors of
/// four where the device takes it.
async fn copies<M: Machine>(machine: &mut M, bytes: u64) -> Result<Vec<Program>, Fault> {
    let limits = machine.limits();
    let problem = Problem::Length(bytes / 8);
    let own = Variant::buffer_copy().plan(problem, &limits)?;
    let mut copies = vec![machine.prepare(&own, 1).await?];
    let vectors = Variant::tuned(Kernel::of(KernelId::CopyVec4), &limits);
    if let Ok(plan) = vectors.plan(problem, &limits) {
        copies.push(machine.prepare(&plan, 1).await?);
    }
    Ok(copies)
}

/// A launch that ran once and was verified.
struct Ran {
    program: Program,
    verdict: Verdict,
    timed_by: TimedBy,
    first_ns: f64,
    /// The words of each buffer that it writes.
    results: Vec<(String, Vec<u32>)>,
}

impl Ran {
    async fn of<M: Machine>(machine: &mut M, launch: &Ready) -> Result<Self, Failure> {
        check_inside(machine, launch).await?;
        let plan = launch.plan(&machine.limits())?;
        let prepared = machine.prepare(&plan, 1).await;
        let program = prepared.map_err(|fault| in_source(fault, &launch.emitted))?;
        machine.poison(program).await?;
        let first_ns = machine.run(program, 1).await?;
        let mut results = Vec::new();
        for (at, binding) in launch.emitted.bindings.iter().enumerate() {
            if binding.is_written {
                let words = plan.buffers.get(at).map_or(0, |one| one.bytes / 4);
                let words = words_of(machine, program, at, words).await?;
                results.push((binding.name.clone(), words));
            }
        }
        let verdict = match &launch.expected {
            Ok(expected) => verified(launch, expected, &results)?,
            Err(verdict) => *verdict,
        };
        Ok(Self {
            program,
            verdict,
            timed_by: match (launch.changes_its_input(), first_ns > LONG_RUN_NS) {
                (true, _) => TimedBy::Restored,
                (false, true) => TimedBy::Runs,
                (false, false) => TimedBy::Passes,
            },
            first_ns,
            results,
        })
    }
}

/// Runs a launch once, in the text that notes what it accesses outside, where nothing proves that it stays inside.
///
/// # Errors
/// [`Failure::Outside`], or a fault of the device.
async fn check_inside<M: Machine>(machine: &mut M, launch: &Ready) -> Result<(), Failure> {
    let Some(plan) = launch.watched_plan(&machine.limits())? else {
        return Ok(());
    };
    let (Some(watch), Some(text)) = (launch.watch(), &launch.watched) else {
        return Ok(());
    };
    let prepared = machine.prepare(&plan, 1).await;
    let program = prepared.map_err(|fault| in_source(fault, text))?;
    machine.poison(program).await?;
    machine.run(program, 1).await?;
    let noted = plan.buffers.len() - 1;
    let noted = words_of(machine, program, noted, watch.memories.len() as u64).await?;
    let mut noted = watch.memories.iter().zip(noted);
    match noted.find(|(_, noted)| *noted != 0) {
        Some(((name, _), noted)) => Err(Failure::Outside {
            name: name.clone(),
            line: noted - 1,
        }),
        None => Ok(()),
    }
}

/// A fault of the device's compiler, with the line of the source that it is about.
fn in_source(fault: Fault, emitted: &Emitted) -> Failure {
    let line = fault.line().and_then(|line| emitted.source_line(line));
    Failure::Device { fault, line }
}

async fn words_of<M: Machine>(
    machine: &mut M,
    program: Program,
    buffer: usize,
    words: u64,
) -> Result<Vec<u32>, Fault> {
    let mut all = Vec::with_capacity(usize::try_from(words).unwrap_or(0));
    while (all.len() as u64) < words {
        let first = all.len() as u64;
        let count = SLICE_WORDS.min(words - first);
        let read = machine.read(program, buffer, first, count).await?;
        if read.is_empty() {
            return Err(Fault::DeviceLost);
        }
        all.extend(read);
    }
    Ok(all)
}

/// Compares what the device left with what the simulator says.
fn verified(
    launch: &Ready,
    expected: &[Words],
    results: &[(String, Vec<u32>)],
) -> Result<Verdict, Failure> {
    let mut verdict = Verdict::Equal;
    let bindings = launch.emitted.bindings.iter().zip(expected);
    let written = bindings.filter(|(binding, _)| binding.is_written);
    for ((_, expected), (name, found)) in written.zip(results) {
        let compare = |ulps| {
            let check = Check::Values {
                expected: expected.as_slice().into(),
                ulps,
            };
            let found = found.get(..expected.len().min(found.len()));
            Verifier::default().compare(&check, 0, found.unwrap_or_default())
        };
        if compare(0).is_ok() {
            continue;
        }
        let near = match compare(launch.ulps) {
            Ok(()) => Verdict::Near(launch.ulps),
            Err(Fault::WrongResult { index }) => inexact(&launch.emitted.text, expected, found)
                .ok_or_else(|| Failure::Wrong {
                    name: name.clone(),
                    index,
                })?,
            Err(fault) => return Err(fault.into()),
        };
        verdict = farther(verdict, near);
    }
    Ok(verdict)
}

/// The one of two verdicts on parts of a result that says less.
fn farther(one: Verdict, other: Verdict) -> Verdict {
    match (one, other) {
        (Verdict::Inexact(a), Verdict::Inexact(b)) => Verdict::Inexact(a.max(b)),
        (Verdict::Inexact(_), _) => one,
        (Verdict::Equal | Verdict::Near(_) | Verdict::Unverified | Verdict::Undecided, _) => other,
    }
}

/// Seconds of a run, the median, and how many samples were taken.
async fn one_by_one<M: Machine>(
    machine: &mut M,
    ran: &Ran,
    control: &impl Control,
) -> Result<(f64, usize), Failure> {
    let (mut samples, mut spent_ns) = (Vec::new(), ran.first_ns);
    while samples.len() < SINGLE_SAMPLES && (samples.is_empty() || spent_ns < PATIENCE_NS) {
        while control.hidden() && !control.cancelled() {
            control.rest().await;
        }
        if control.cancelled() {
            return Err(Fault::Cancelled.into());
        }
        if ran.timed_by == TimedBy::Restored {
            machine.poison(ran.program).await?;
        }
        let ns = machine.run(ran.program, 1).await?;
        spent_ns += ns;
        samples.push(ns * 1e-9);
    }
    Ok((median(&samples), samples.len()))
}
