//! `lanescope run`: a kernel on a GPU of this machine, verified, timed, beside the device's copy; and a fix of it.

use crate::kernel::watched;
use crate::launched::Launched;
use crate::run_args::RunArgs;
use crate::run_sizes;
use crate::run_table::{Measured, Verdict, rate, table};
use crate::{fix, output};
use anyhow::{Context as _, bail};
use lanescope_emit::{Binding, BufferSource, Emitted, Limits};
use lanescope_ir::{Kernel, ScalarType};
use lanescope_kernels::{Problem, Traffic};
use lanescope_lab::plan::{Check, Plan};
use lanescope_lab::{
    Content, Fault, Gpu, Launch, Machine, Program, TimingRules, Unattended, Variant, Verifier,
    median, time_in_turn,
};
use lanescope_query::GivenShape;
use lanescope_simt::{self as simt, Contents, FindingKind, ParameterValue};
use std::process::ExitCode;
use std::sync::Arc;

/// What the simulator may cost before a launch is too large to be verified.
const BUDGET: simt::Budget = simt::Budget {
    requests: 4_000_000,
    steps: 40_000_000,
    bytes: 1 << 30,
    findings: 64,
    watched_blocks: 0,
};

/// Most bytes of a result that are read back at once.
const SLICE_WORDS: u64 = 16 << 20;

/// Samples of a kernel that changes what it reads: each run begins with its buffers restored.
const RESTORED_SAMPLES: usize = 15;

/// Runs the kernel, and the fix that is asked for, and prints what was measured.
///
/// # Errors
/// When the kernel is refused, there is no GPU, or a result is wrong.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    pollster::block_on(measure(args))
}

async fn measure(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let launched = Launched::of(&args.launched)?;
    let fixed = args.fix.map(|pick| fixed(&launched, pick)).transpose()?;
    let mut gpu = Gpu::open(args.adapter.as_deref()).await?;
    if gpu.card().is_software() {
        output::complain("this adapter is the processor: its times say nothing about a GPU");
    }
    let mut measured = vec![version("as written", launched, args, &mut gpu).await?];
    if let Some((name, fixed)) = fixed {
        measured.push(version(&name, fixed, args, &mut gpu).await?);
    }
    let copy = copy_seconds(&mut gpu, &measured).await?;
    output::print(&table(&gpu, &measured, copy).to_string())?;
    if let [one, other] = measured.as_slice() {
        let ratio = one.seconds / other.seconds;
        let is_equal = one.results == other.results;
        let equal = if is_equal {
            "results equal"
        } else {
            "results differ"
        };
        output::print(&format!("\nfix: {ratio:.2} times as fast, {equal}\n"))?;
        if !is_equal {
            return Ok(ExitCode::FAILURE);
        }
    }
    let is_open = measured
        .iter()
        .any(|one| matches!(one.verdict, Verdict::Unverified));
    Ok(if is_open {
        ExitCode::from(3)
    } else {
        ExitCode::SUCCESS
    })
}

/// The fix of that number, as `lanescope fix` lists them, and its launch.
fn fixed(launched: &Launched, pick: usize) -> anyhow::Result<(String, Launched)> {
    let (name, text, launch) = fix::picked(&launched.state, &launched.question, pick)?;
    let mut state = launched.state.clone();
    state.source = lanescope_share::Source::Kernel(text);
    (state.launch.grid, state.launch.block) = (launch.grid, launch.block);
    let given = GivenShape {
        grid: true,
        block: true,
        dynamic_shared: true,
    };
    let mut fixed = Launched::with(state, given)?;
    fixed.question.launch = launch;
    Ok((name, fixed))
}

/// Emits, verifies and times one version of a kernel.
async fn version(
    name: &str,
    mut launched: Launched,
    args: &RunArgs,
    gpu: &mut Gpu,
) -> anyhow::Result<Measured> {
    let limits = gpu.limits();
    let counted = watched(launched.question, None);
    launched.question = counted.question;
    let emitted = launched.emitted(Limits {
        threads: limits.invocations,
        sides: [limits.workgroup_size[0], limits.workgroup_size[1], 64],
        shared_bytes: limits.workgroup_bytes,
        groups: limits.workgroups,
        ..Limits::PROMISED
    })?;
    let kernel = launched.kernel()?;
    let mut launch = launched
        .question
        .parsed
        .program
        .simt_launch(&launched.question.launch)
        .context("there is no kernel in this text")?;
    let lanes = launched.question.device.warp_lanes();
    run_sizes::complete(kernel, &mut launch, lanes, BUDGET);
    filled(kernel, &emitted, &mut launch)?;
    let expected = simulated(kernel, &emitted, &launch, &launched)?;
    let traffic = traffic(&emitted, &launch);
    let plan = plan(kernel, &emitted, &launch, traffic, gpu)?;
    let program = gpu
        .prepare(&plan, 1)
        .await
        .map_err(|fault| in_source(fault, &emitted))?;
    gpu.poison(program).await?;
    gpu.run(program, 1).await?;
    let mut results = Vec::new();
    for (at, binding) in emitted.bindings.iter().enumerate() {
        if binding.is_written {
            let words = plan.buffers.get(at).map_or(0, |one| one.bytes / 4);
            results.push((
                binding.name.clone(),
                words_of(gpu, program, at, words).await?,
            ));
        }
    }
    let verdict = match &expected {
        Some(expected) => verified(&emitted, expected, &results, args.ulps)?,
        None => Verdict::Unverified,
    };
    let changes_input = emitted
        .bindings
        .iter()
        .any(|one| one.is_read && one.is_written);
    let seconds = if changes_input {
        restored_seconds(gpu, program).await?
    } else {
        let rules = TimingRules::default();
        let timings = time_in_turn(gpu, &[program], &rules, &Unattended).await?;
        timings.first().map_or(f64::NAN, |timing| timing.seconds)
    };
    gpu.clear();
    Ok(Measured {
        name: name.to_owned(),
        verdict,
        seconds,
        traffic,
        totals: counted.totals,
        results,
    })
}

/// Gives every buffer its bytes; one of which nobody said what it holds gets zeros.
fn filled(kernel: &Kernel, emitted: &Emitted, launch: &mut simt::Launch) -> anyhow::Result<()> {
    for (position, value) in launch.parameters.iter_mut().enumerate() {
        let ParameterValue::Buffer {
            bytes,
            contents,
            base_offset,
            offset_in_allocation,
        } = value
        else {
            continue;
        };
        let parameter = kernel.parameters.get(position);
        let name = parameter.map_or("", |one| one.name.as_str());
        if *base_offset != 0 || *offset_in_allocation != 0 {
            bail!("`{name}` has an offset: a buffer begins where its memory does when it runs");
        }
        let is_bound = emitted.bindings.iter().any(|one| is_of(one, position));
        let size = match (*bytes, &*contents) {
            (Some(bytes), _) => bytes,
            (None, Contents::Bytes(held)) => held.len() as u64,
            (None, _) if is_bound => {
                bail!("how many elements has `{name}`? say --arg {name}=1048576")
            }
            (None, _) => 0,
        };
        let size_here = usize::try_from(size).context("a buffer that does not fit into memory")?;
        let element = element_of(kernel, position);
        let mut held = contents.bytes(element, size_here).unwrap_or_default();
        held.resize(size_here, 0);
        *bytes = Some(size);
        *contents = Contents::Bytes(held.into());
    }
    Ok(())
}

fn is_of(binding: &Binding, position: usize) -> bool {
    binding.source == BufferSource::Parameter(u32::try_from(position).unwrap_or(u32::MAX))
}

/// The type in which a buffer's contents are drawn: that of its accesses.
fn element_of(kernel: &Kernel, position: usize) -> ScalarType {
    let array = kernel.parameters.get(position).and_then(|one| one.array);
    let mut sites = kernel
        .sites
        .iter()
        .filter(|site| site.array == array && array.is_some());
    sites.next().map_or(ScalarType::F32, |site| site.element)
}

struct Nobody;

impl simt::Observer for Nobody {
    fn access(&mut self, _access: &simt::Access<'_>) -> bool {
        true
    }
}

/// The words that the text's buffers hold in the end, by their bindings; none where the launch is too large. A launch that
/// leaves its buffers is refused.
fn simulated(
    kernel: &Kernel,
    emitted: &Emitted,
    launch: &simt::Launch,
    launched: &Launched,
) -> anyhow::Result<Option<Vec<Vec<Option<u32>>>>> {
    let lanes = launched.question.device.warp_lanes();
    let (outcome, memory) = simt::execute_storing(kernel, launch, lanes, BUDGET, &mut Nobody);
    for finding in &outcome.findings {
        let line = kernel
            .places
            .get(finding.place.index())
            .map_or(0, |place| place.line);
        match finding.kind {
            FindingKind::OutOfBounds { .. } | FindingKind::Index { .. } => {
                bail!("line {line}: an index is out of bounds; a GPU's checks would move it inside")
            }
            FindingKind::Deadlock { .. } => {
                bail!("line {line}: threads wait for each other for ever")
            }
            _ => {}
        }
    }
    if outcome.end != simt::End::Complete {
        output::complain(
            "note: not verified: the launch is too large for the simulator; a smaller grid is verified",
        );
        return Ok(None);
    }
    let words = |binding: &Binding| {
        let known = match binding.source {
            BufferSource::Parameter(position) => {
                let bytes = buffer_bytes(launch, position as usize).map_or(0, |held| held.len());
                memory.parameter(kernel, position as usize, bytes)
            }
            BufferSource::Array(id) => memory.array(id, array_bytes(kernel, binding)),
        };
        let word = |four: &[Option<u8>]| {
            let four: Option<Vec<u8>> = four.iter().copied().collect();
            Some(u32::from_le_bytes(four?.try_into().ok()?))
        };
        known.chunks_exact(4).map(word).collect()
    };
    Ok(Some(emitted.bindings.iter().map(words).collect()))
}

fn buffer_bytes(launch: &simt::Launch, position: usize) -> Option<&Arc<[u8]>> {
    match launch.parameters.get(position)? {
        ParameterValue::Buffer {
            contents: Contents::Bytes(held),
            ..
        } => Some(held),
        ParameterValue::Buffer { .. } | ParameterValue::Bytes(_) | ParameterValue::Missing => None,
    }
}

fn array_bytes(kernel: &Kernel, binding: &Binding) -> usize {
    let BufferSource::Array(id) = binding.source else {
        return 0;
    };
    let array = kernel.arrays.get(id.index());
    array
        .and_then(|array| usize::try_from(array.bytes?).ok())
        .unwrap_or(0)
}

/// The bytes of a binding's buffer before the launch.
fn held(kernel: &Kernel, binding: &Binding, launch: &simt::Launch) -> Arc<[u8]> {
    if let BufferSource::Parameter(position) = binding.source {
        return buffer_bytes(launch, position as usize)
            .cloned()
            .unwrap_or_default();
    }
    let mut bytes = vec![0; array_bytes(kernel, binding)];
    if let BufferSource::Array(id) = binding.source {
        for (at, initial) in kernel
            .arrays
            .get(id.index())
            .into_iter()
            .flat_map(|one| &one.initial)
        {
            let start = usize::try_from(*at).unwrap_or(usize::MAX);
            for (to, from) in bytes.iter_mut().skip(start).zip(initial) {
                *to = *from;
            }
        }
    }
    bytes.into()
}

/// The bytes of the buffers that are read, and of those that are written: each once.
fn traffic(emitted: &Emitted, launch: &simt::Launch) -> Traffic {
    let bytes = |is: fn(&Binding) -> bool| {
        let buffers = emitted.bindings.iter().filter(|one| is(one));
        let each = buffers.filter_map(|one| match one.source {
            BufferSource::Parameter(position) => buffer_bytes(launch, position as usize),
            BufferSource::Array(_) => None,
        });
        each.map(|held| held.len() as u64).sum()
    };
    Traffic {
        read_bytes: bytes(|one| one.is_read),
        written_bytes: bytes(|one| one.is_written),
    }
}

fn plan(
    kernel: &Kernel,
    emitted: &Emitted,
    launch: &simt::Launch,
    traffic: Traffic,
    gpu: &Gpu,
) -> Result<Plan, Fault> {
    let mut image = Vec::new();
    for (parameter, value) in kernel.parameters.iter().zip(&launch.parameters) {
        let at = parameter.offset as usize;
        image.resize(image.len().max(at + parameter.bytes as usize), 0);
        if let ParameterValue::Bytes(bytes) = value {
            let place = image.iter_mut().skip(at).take(parameter.bytes as usize);
            place.zip(bytes).for_each(|(to, from)| *to = *from);
        }
    }
    let content = |binding: &Binding| Content {
        bytes: held(kernel, binding, launch),
        check: Check::Nothing,
    };
    let contents: Vec<Content> = emitted.bindings.iter().map(content).collect();
    let launch = Launch {
        emitted,
        grid: launch.grid,
        parameters: &image,
        contents: &contents,
        traffic,
    };
    launch.plan(&gpu.limits())
}

/// A fault of the device's compiler, with the line of the source that it is about.
fn in_source(fault: Fault, emitted: &Emitted) -> anyhow::Error {
    let line = fault.line().and_then(|line| emitted.source_line(line));
    match line {
        Some(line) => anyhow::Error::new(fault).context(format!("line {line}")),
        None => anyhow::Error::new(fault),
    }
}

async fn words_of(
    gpu: &mut Gpu,
    program: Program,
    buffer: usize,
    words: u64,
) -> Result<Vec<u32>, Fault> {
    let mut all = Vec::new();
    while (all.len() as u64) < words {
        let first = all.len() as u64;
        let count = SLICE_WORDS.min(words - first);
        all.extend(gpu.read(program, buffer, first, count).await?);
    }
    Ok(all)
}

/// Compares what the device left with what the simulator says.
fn verified(
    emitted: &Emitted,
    expected: &[Vec<Option<u32>>],
    results: &[(String, Vec<u32>)],
    ulps: u32,
) -> anyhow::Result<Verdict> {
    let mut verdict = Verdict::Equal;
    let written = emitted
        .bindings
        .iter()
        .zip(expected)
        .filter(|(one, _)| one.is_written);
    for ((_, expected), (name, found)) in written.zip(results) {
        let check = |ulps| Check::Values {
            expected: expected.as_slice().into(),
            ulps,
        };
        let found = found
            .get(..expected.len().min(found.len()))
            .unwrap_or_default();
        if Verifier::default().compare(&check(0), 0, found).is_ok() {
            continue;
        }
        Verifier::default()
            .compare(&check(ulps), 0, found)
            .with_context(|| format!("`{name}` is not what the simulator says"))?;
        verdict = Verdict::Near(ulps);
    }
    Ok(verdict)
}

/// Seconds of a run, each with its buffers restored before: the median.
async fn restored_seconds(gpu: &mut Gpu, program: Program) -> Result<f64, Fault> {
    let mut samples = Vec::new();
    for _ in 0..RESTORED_SAMPLES {
        gpu.poison(program).await?;
        samples.push(gpu.run(program, 1).await? * 1e-9);
    }
    Ok(median(&samples))
}

/// Seconds of the device's own copy of half as many bytes as the kernel moves: it reads and writes each.
async fn copy_seconds(gpu: &mut Gpu, measured: &[Measured]) -> anyhow::Result<(f64, f64)> {
    let bytes = measured
        .iter()
        .map(|one| one.traffic.total_bytes())
        .max()
        .unwrap_or(0);
    let elements = (bytes / 8).max(1);
    let plan = Variant::buffer_copy().plan(Problem::Length(elements), &gpu.limits())?;
    let program = gpu.prepare(&plan, 1).await?;
    let rules = TimingRules::default();
    let timings = time_in_turn(gpu, &[program], &rules, &Unattended).await?;
    let seconds = timings.first().map_or(f64::NAN, |timing| timing.seconds);
    Ok((seconds, rate(elements * 8, seconds)))
}
