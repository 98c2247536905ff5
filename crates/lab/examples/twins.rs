//! The lab's kernels as CUDA, emitted, against its own WGSL, timed in turn in one process: `twins [SIZE [SIDE [json | NAME]]]`,
//! SIZE being a length, SIDE that of a square matrix, and NAME a part of the kernels' names. Prints microseconds of both, their
//! ratio, and whether the results are equal. With `json` it times nothing and prints both texts with what they are bound to, a
//! kernel a line, for a browser (`bench/h200/run_twins.py`).
//!
//! Only the first pass of a kernel is compared, with the block of its tuned variant. A kernel whose text adds in another order
//! than its twin says by how much its sums differ.

use std::sync::Arc;

use anyhow::Context as _;
use lanescope_cuda::{KernelOptions, read};
use lanescope_emit::{BufferSource, Emitted, Limits, Options, emit};
use lanescope_ir::Kernel;
use lanescope_kernels::{Family, Kernel as LabKernel, Problem};
use lanescope_lab::plan::{Check, Plan, Role, Slot, Step};
use lanescope_lab::{
    Content, Gpu, Launch, Machine, Program, TimingRules, Unattended, Variant, time_in_turn,
};
use serde_json::{Map, Value, json};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let length: u64 = arguments.next().map_or(Ok(1 << 25), |one| one.parse())?;
    let side: u32 = arguments.next().map_or(Ok(4096), |one| one.parse())?;
    let last = arguments.next();
    let is_exported = last.as_deref() == Some("json");
    let name = last.filter(|_| !is_exported).unwrap_or_default();
    let mut gpu = pollster::block_on(Gpu::open(None))?;
    if !is_exported {
        println!("{:?}", gpu.card());
        println!("kernel                      WGSL us   twin us  ratio  results");
    }
    for kernel in LabKernel::all()
        .iter()
        .filter(|one| one.name().contains(&name))
    {
        let problem = match kernel.family {
            Family::Ceiling | Family::Reduction => Problem::Length(length),
            Family::Transpose => Problem::Matrix {
                rows: side,
                columns: side,
            },
            Family::Stride => continue,
        };
        let row = if is_exported {
            exported(&gpu, kernel, problem).map(|row| row.to_string())
        } else {
            pollster::block_on(compare(&mut gpu, kernel, problem))
        };
        match row {
            Ok(row) => println!("{row}"),
            Err(reason) if is_exported => eprintln!("{}: {reason:#}", kernel.name()),
            Err(reason) => println!("{:24} {reason:#}", kernel.name()),
        }
        gpu.clear();
    }
    Ok(())
}

/// A plan's buffers that the kernel reads and writes, by their slots.
fn buffer(plan: &Plan, at: u32) -> anyhow::Result<usize> {
    let Some(Step::Dispatch { bindings, .. }) = plan.steps.first() else {
        anyhow::bail!("no dispatch");
    };
    let found = bindings.iter().find(|one| one.0 == Slot::first(at));
    Ok(found.context("no such buffer")?.1)
}

async fn words(
    gpu: &mut Gpu,
    program: Program,
    plan: &Plan,
    at: usize,
) -> anyhow::Result<Vec<u32>> {
    Ok(gpu.read(program, at, 0, plan.buffers[at].bytes / 4).await?)
}

/// Both texts of a kernel with what they are bound to.
fn exported(gpu: &Gpu, kernel: &'static LabKernel, problem: Problem) -> anyhow::Result<Value> {
    anyhow::ensure!(kernel.takes(problem), "takes no such problem");
    let limits = gpu.limits();
    let variant = Variant::tuned(kernel, &limits);
    let own = variant.plan(problem, &limits)?;
    let [input, output] = [buffer(&own, 0)?, buffer(&own, 1)?];
    let twin = Twin::of(kernel, &variant, problem, gpu)?;
    let (plan, _) = twin.plan(kernel, problem, [&[0], &[0]], gpu)?;
    let names: Vec<&str> = twin.emitted.bindings.iter().map(|one| &*one.name).collect();
    let own = dispatched(&own, |at| match at {
        _ if at == input => ("input", own.buffers[at].bytes),
        _ if at == output => ("output", own.buffers[at].bytes),
        _ => ("zeros", own.buffers[at].bytes),
    })?;
    let bytes_of = |name: &str| {
        own["bindings"]
            .as_array()?
            .iter()
            .find(|one| one["holds"] == name)?["bytes"]
            .as_u64()
    };
    let sizes = [bytes_of("input"), bytes_of("output")].map(|one| one.unwrap_or(0));
    let twin = dispatched(&plan, |at| match names.get(at).copied() {
        Some("in" | "indices") => ("input", sizes[0]),
        Some("out") => ("output", sizes[1]),
        Some(_) | None => ("zeros", plan.buffers[at].bytes),
    })?;
    Ok(json!({"kernel": kernel.name(), "own": own, "twin": twin}))
}

/// The first dispatch of a plan: its text, its workgroups, and of each buffer what it holds, by `told`, and its bytes.
fn dispatched(plan: &Plan, told: impl Fn(usize) -> (&'static str, u64)) -> anyhow::Result<Value> {
    let Some(Step::Dispatch {
        shader,
        bindings,
        workgroups,
    }) = plan.steps.first()
    else {
        anyhow::bail!("no dispatch");
    };
    let bindings = bindings.iter().map(|(slot, at)| {
        let (holds, bytes) = told(*at);
        match &plan.buffers[*at].role {
            Role::Uniform(given) => {
                json!({"group": slot.group, "binding": slot.binding, "uniform": given.to_vec()})
            }
            Role::Input(_) | Role::Output(..) | Role::Data(..) => {
                json!({"group": slot.group, "binding": slot.binding, "holds": holds, "bytes": bytes})
            }
        }
    });
    Ok(json!({
        "text": shader.text,
        "entry": shader.entry,
        "constants": shader.constants.iter().map(|(name, value)| (name.to_string(), json!(value))).collect::<Map<_, _>>(),
        "workgroups": workgroups,
        "bindings": bindings.collect::<Vec<_>>(),
    }))
}

async fn compare(
    gpu: &mut Gpu,
    kernel: &'static LabKernel,
    problem: Problem,
) -> anyhow::Result<String> {
    anyhow::ensure!(kernel.takes(problem), "takes no such problem");
    let limits = gpu.limits();
    let variant = Variant::tuned(kernel, &limits);
    let mut own = variant.plan(problem, &limits)?;
    own.steps.truncate(1);
    let (input, output) = (buffer(&own, 0)?, buffer(&own, 1)?);
    let own_program = gpu.prepare(&own, 1).await?;
    let before = words(gpu, own_program, &own, output).await?;
    gpu.run(own_program, 1).await?;
    let given = words(gpu, own_program, &own, input).await?;
    let left = words(gpu, own_program, &own, output).await?;

    let twin = Twin::of(kernel, &variant, problem, gpu)?;
    let (plan, at) = twin.plan(kernel, problem, [&given, &before], gpu)?;
    let program = gpu.prepare(&plan, 1).await?;
    gpu.run(program, 1).await?;
    let found = words(gpu, program, &plan, at).await?;
    let results = difference(&left, &found);

    let rules = TimingRules::of_adapter(gpu.card().is_software());
    let timings = time_in_turn(gpu, &[own_program, program], &rules, &Unattended).await?;
    let [own, twin] = [0, 1].map(|at: usize| timings[at].seconds * 1e6);
    Ok(format!(
        "{:24} {own:10.1} {twin:9.1} {:6.2}  {results}",
        kernel.name(),
        twin / own
    ))
}

/// Whether words are equal, or how many are not and by how much floats differ at most.
fn difference(left: &[u32], found: &[u32]) -> String {
    if left.len() != found.len() {
        return format!("{} words instead of {}", found.len(), left.len());
    }
    let pairs = left.iter().zip(found).filter(|(one, other)| one != other);
    let apart: Vec<f32> = pairs
        .map(|(one, other)| {
            let (one, other) = (f32::from_bits(*one), f32::from_bits(*other));
            let apart = ((one - other) / one.abs().max(f32::MIN_POSITIVE)).abs();
            if apart.is_nan() { f32::INFINITY } else { apart }
        })
        .collect();
    if apart.is_empty() {
        return "equal".to_owned();
    }
    let most = apart.iter().copied().fold(0.0, f32::max);
    format!(
        "{} of {} words differ, by {most:.1e} at most",
        apart.len(),
        left.len()
    )
}

/// A kernel's twin, emitted for the block and grid of a variant.
struct Twin {
    kernel: Kernel,
    emitted: Emitted,
    grid: [u32; 3],
    shape: lanescope_kernels::Shape,
}

impl Twin {
    fn of(
        kernel: &LabKernel,
        variant: &Variant,
        problem: Problem,
        gpu: &Gpu,
    ) -> anyhow::Result<Self> {
        let parsed = read(&kernel.twin(&variant.values), &KernelOptions::default());
        let limits = gpu.limits();
        let shape = kernel.shape(problem, &variant.values);
        // What is emitted folds a long grid by itself.
        let grid = kernel.dispatch(problem, &variant.values, u32::MAX);
        let grid = grid.context("no grid")?;
        let [x, y] = kernel.workgroup(&variant.values);
        let ir = parsed.kernel.context("the twin is not read")?;
        let options = Options {
            block: [x, y, 1],
            grid,
            dynamic_shared_bytes: 0,
            lanes: 32,
            limits: Limits {
                shared_bytes: limits.workgroup_bytes,
                threads: limits.invocations,
                subgroup_lanes: limits.subgroup_lanes,
                ..Limits::default()
            },
            is_watched: false,
        };
        let emitted = emit(&ir, &options).map_err(|refusal| anyhow::anyhow!("{refusal}"))?;
        Ok(Self {
            kernel: ir,
            emitted,
            grid,
            shape: shape.context("no shape")?,
        })
    }

    /// The plan, and the buffer in it that holds the results.
    fn plan(
        &self,
        kernel: &LabKernel,
        problem: Problem,
        [given, before]: [&[u32]; 2],
        gpu: &Gpu,
    ) -> anyhow::Result<(Plan, usize)> {
        let bytes = |words: &[u32]| words.iter().flat_map(|one| one.to_le_bytes()).collect();
        let mut contents = Vec::new();
        for binding in &self.emitted.bindings {
            let held: Vec<u8> = match binding.source {
                BufferSource::Parameter(_) => match binding.name.as_str() {
                    "in" | "indices" => bytes(given),
                    "out" => bytes(before),
                    _ => vec![0; 4 * (2 * self.shape.groups as usize + 4)],
                },
                BufferSource::Array(id) => {
                    let bytes = self.kernel.arrays[id.index()].bytes.unwrap_or(4);
                    vec![0; usize::try_from(bytes)?]
                }
            };
            contents.push(Content {
                bytes: held.into(),
                check: Check::Values {
                    expected: Arc::from([]),
                    ulps: 0,
                },
            });
        }
        let launch = Launch {
            emitted: &self.emitted,
            grid: self.grid,
            parameters: &self.image(),
            contents: &contents,
            traffic: kernel.traffic(problem),
        };
        let plan = launch.plan(&gpu.limits())?;
        let mut bindings = self.emitted.bindings.iter();
        let at = bindings.position(|one| one.name == "out");
        Ok((plan, at.context("no results")?))
    }

    /// The bytes of all parameters.
    fn image(&self) -> Vec<u8> {
        let mut image = Vec::new();
        for parameter in &self.kernel.parameters {
            let value = match parameter.name.as_str() {
                "columns" | "stride" => self.shape.columns,
                "rows" | "rounds" => self.shape.rows,
                "n" => self.shape.length,
                _ => 0,
            };
            let at = parameter.offset as usize;
            image.resize(image.len().max(at + parameter.bytes as usize), 0);
            if parameter.array.is_none() {
                image[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
        }
        image
    }
}
