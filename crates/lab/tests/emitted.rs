//! Kernels as WGSL on a real device (or a software one, such as lavapipe) against the simulator, bit for bit.
#![allow(missing_docs, clippy::unwrap_used, clippy::cast_possible_truncation)]

use crate::generate;
use crate::run;

use std::sync::atomic::{AtomicU64, Ordering};

use generate::Random;
use lanescope_cuda::{KernelOptions, read};
use lanescope_ir::Kernel;
use lanescope_kernels::{Family, Kernel as LabKernel, KernelId, Problem, Values};
use lanescope_lab::plan::{Slot, Step};
use lanescope_lab::{Fault, Machine, Variant};
use run::{Argument, Case, gpu};

/// Programs that every run of the tests compares; `LANESCOPE_PROGRAMS` says otherwise (`cargo xtask oracle`).
const SOME: u64 = 100;

fn kernel(source: &str) -> Kernel {
    let parsed = read(source, &KernelOptions::default());
    parsed
        .kernel
        .unwrap_or_else(|| panic!("{:?}\n{source}", parsed.diagnostics))
}

/// Threads of a block of a generated program, each with arrays of its own.
const THREADS: u32 = 8;

/// A program of the oracle's generator in which each thread has arrays of its own, so that nothing depends on which comes
/// first.
fn without_races(seed: u64) -> String {
    let text = generate::kernel(seed);
    let (helper, body) = text.split_once("__global__").unwrap();
    let (_, body) = body.split_once("{\n").unwrap();
    let body = body.split_once("__syncthreads();").unwrap().1;
    format!(
        "{helper}__global__ void k(int* G0, unsigned* G1, float* G2, short* G3, unsigned char* G4, int n, unsigned m) {{
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define g0 (G0 + 1024 * ID)
#define g1 (G1 + 1024 * ID)
#define g2 (G2 + 1024 * ID)
#define g3 (G3 + 1024 * ID)
#define g4 (G4 + 1024 * ID)
#define s0 (S0 + 256 * threadIdx.x)
#define s1 (S1[threadIdx.x])
#define s2 (S2 + 128 * threadIdx.x)
  __shared__ int S0[256 * {THREADS}];
  __shared__ float S1[{THREADS}][16][17];
  __shared__ short S2[128 * {THREADS}];
  for (int i = 0; i < 256; ++i) s0[i] = i * 3;
  for (int i = 0; i < 272; ++i) s1[i / 17][i % 17] = i;
  for (int i = 0; i < 128; ++i) s2[i] = 7 * i - 90;
  __syncthreads();{body}"
    )
}

fn generated(seed: u64) -> Case {
    let mut random = Random::new(seed + (1 << 40));
    let grid = 1 + random.below(2) as u32;
    let elements = 1024 * (grid * THREADS) as usize;
    let (n, m) = (random.below(1 << 12) as u32, random.below(1 << 32) as u32);
    let mut bytes =
        |count: usize| -> Vec<u8> { (0..count).map(|_| random.below(256) as u8).collect() };
    let integers = [
        bytes(4 * elements),
        bytes(4 * elements),
        bytes(2 * elements),
        bytes(elements),
    ];
    let [g0, g1, g3, g4] = integers.map(Argument::Buffer);
    let floats = (0..elements).flat_map(|_| ((random.below(4096) as f32) / 16.0).to_le_bytes());
    let g2 = Argument::Buffer(floats.collect());
    let [n, m] = [n, m].map(|value| Argument::Scalar(value.to_le_bytes().to_vec()));
    Case {
        grid: [grid, 1, 1],
        block: [THREADS, 1, 1],
        dynamic_shared_bytes: 0,
        has_half: false,
        lanes: 32,
        arguments: vec![g0, g1, g2, g3, g4, n, m],
    }
}

/// How many words of a generated program are known, or how it differs.
fn verified(seed: u64, gpu: &mut lanescope_lab::Gpu) -> Result<usize, String> {
    let source = without_races(seed);
    let kernel = kernel(&source);
    let case = generated(seed);
    let emitted = case.emitted(&kernel, gpu);
    let emitted = emitted.unwrap_or_else(|refusal| panic!("seed {seed}: {refusal}\n{source}"));
    let valid = lanescope_wgsl::validate(&emitted.text);
    assert_eq!(valid, Ok(()), "seed {seed}\n{source}\n{}", emitted.text);
    let expected = case.expected(&kernel, &emitted);
    let found = pollster::block_on(case.verify(&kernel, &emitted, &expected, gpu));
    gpu.clear();
    found.map_err(|fault| format!("seed {seed}: {fault}\n{source}\n{}", emitted.text))?;
    Ok(expected.iter().flatten().flatten().count())
}

#[test]
fn generated_programs_leave_what_the_simulator_says() {
    let programs = std::env::var("LANESCOPE_PROGRAMS");
    let programs = programs
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(SOME);
    // A driver compiles a text on one core: each core has a device of its own.
    let devices = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let next = AtomicU64::new(0);
    let share = || {
        let mut gpu = gpu()?;
        let seeds = std::iter::from_fn(|| {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            (seed < programs).then_some(seed)
        });
        Some(
            seeds
                .map(|seed| verified(seed, &mut gpu))
                .collect::<Vec<_>>(),
        )
    };
    let shares: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..devices).map(|_| scope.spawn(share)).collect();
        threads.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let Some(results) = shares.into_iter().collect::<Option<Vec<_>>>() else {
        return;
    };
    let (known, faults): (Vec<_>, Vec<_>) = results.into_iter().flatten().partition(Result::is_ok);
    assert_eq!((known.len() + faults.len()) as u64, programs);
    let first = faults.first().and_then(|one| one.as_ref().err());
    let first = first.map_or("", String::as_str);
    assert!(
        faults.is_empty(),
        "{} of {programs} differ; {first}",
        faults.len()
    );
    let known: usize = known.into_iter().flatten().sum();
    assert!(known as u64 > 1000 * programs, "{known} words are known");
}

/// What a hand-written kernel of the lab leaves in its output after one pass, and its bytes before.
struct Written {
    output: Vec<u32>,
    input: Vec<u8>,
    output_bytes: Vec<u8>,
}

fn hand_written(
    gpu: &mut lanescope_lab::Gpu,
    variant: &Variant,
    problem: Problem,
) -> Option<Written> {
    let mut plan = variant.plan(problem, &gpu.limits()).ok()?;
    plan.steps.truncate(1);
    let Some(Step::Dispatch { bindings, .. }) = plan.steps.first() else {
        return None;
    };
    let buffer = |at: u32| {
        bindings
            .iter()
            .find(|one| one.0 == Slot::first(at))
            .map(|one| one.1)
    };
    let (input, output) = (buffer(0)?, buffer(1)?);
    let words = |at: usize| plan.buffers[at].bytes / 4;
    let (read, left) = (words(input), words(output));
    let found = pollster::block_on(async {
        let program = gpu.prepare(&plan, 1).await?;
        gpu.poison(program).await?;
        let before = gpu.read(program, output, 0, left).await?;
        gpu.run(program, 1).await?;
        let input = gpu.read(program, input, 0, read).await?;
        let output = gpu.read(program, output, 0, left).await?;
        Ok::<_, Fault>((before, input, output))
    });
    let (before, input, output) = found.ok()?;
    let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Some(Written {
        output,
        input: bytes(&input),
        output_bytes: bytes(&before),
    })
}

/// The twin's launch on the same bytes.
fn twin(
    kernel: &LabKernel,
    values: &Values,
    problem: Problem,
    written: &Written,
) -> Option<(Kernel, Case)> {
    let ir = self::kernel(&kernel.twin(values));
    let shape = kernel.shape(problem, values)?;
    let [x, y] = kernel.workgroup(values);
    let argument = |name: &str| {
        let number = |value: u32| Some(Argument::Scalar(value.to_le_bytes().to_vec()));
        match name {
            "in" | "indices" => Some(Argument::Buffer(written.input.clone())),
            "out" => Some(Argument::Buffer(written.output_bytes.clone())),
            "tickets" => Some(Argument::Buffer(vec![
                0;
                4 * (2 * shape.groups as usize + 4)
            ])),
            "columns" | "stride" => number(shape.columns),
            "rows" | "rounds" => number(shape.rows),
            "n" => number(shape.length),
            _ => None,
        }
    };
    let arguments = ir.parameters.iter().map(|one| argument(&one.name));
    let case = Case {
        grid: kernel.dispatch(problem, values, 65_535)?,
        block: [x, y, 1],
        dynamic_shared_bytes: 0,
        has_half: false,
        lanes: 32,
        arguments: arguments.collect::<Option<_>>()?,
    };
    Some((ir, case))
}

fn problems(family: Family) -> Vec<Problem> {
    match family {
        Family::Ceiling | Family::Reduction => {
            [1, 257, 4097, 100_003].map(Problem::Length).to_vec()
        }
        Family::Transpose => [(33, 65), (128, 64), (203, 101)]
            .map(|(rows, columns)| Problem::Matrix { rows, columns })
            .to_vec(),
        Family::Stride => vec![Problem::Stride {
            stride_words: 6,
            rounds: 3,
            workgroups: 5,
        }],
    }
}

/// Kernels whose hand-written text adds floats in another order than the twin: by components of a vector, or over subgroups
/// as wide as the device's.
const OTHER_ORDER: [KernelId; 4] = [
    KernelId::ReduceVec4,
    KernelId::ReduceTwoPass,
    KernelId::ReduceSubgroup,
    KernelId::ReduceSinglePass,
];

#[test]
fn twins_of_the_lab_leave_what_its_own_texts_leave() {
    let Some(mut gpu) = gpu() else { return };
    let (mut verified, mut faults) = (std::collections::BTreeSet::new(), Vec::new());
    for kernel in LabKernel::all() {
        let variant = Variant::tuned(kernel, &gpu.limits());
        for problem in problems(kernel.family) {
            let Some(written) = kernel
                .takes(problem)
                .then(|| hand_written(&mut gpu, &variant, problem))
                .flatten()
            else {
                continue;
            };
            gpu.clear();
            let (ir, case) = twin(kernel, &variant.values, problem, &written)
                .unwrap_or_else(|| panic!("{}", kernel.name()));
            let emitted = case
                .emitted(&ir, &gpu)
                .unwrap_or_else(|refusal| panic!("{}: {refusal}", kernel.name()));
            assert_eq!(
                lanescope_wgsl::validate(&emitted.text),
                Ok(()),
                "{}",
                emitted.text
            );
            let ulps = if OTHER_ORDER.contains(&kernel.id) {
                256
            } else {
                0
            };
            let expected: Vec<Vec<Option<u32>>> = emitted
                .bindings
                .iter()
                .map(|binding| match binding.name.as_str() {
                    "out" => written.output.iter().copied().map(Some).collect(),
                    _ => Vec::new(),
                })
                .collect();
            let found =
                pollster::block_on(case.verify_within(&ir, &emitted, &expected, ulps, &mut gpu));
            match found {
                Ok(()) => drop(verified.insert(kernel.name())),
                Err(fault) => faults.push(format!(
                    "{} {problem:?}: {fault}\n{}",
                    kernel.name(),
                    emitted.text
                )),
            }
            let expected = case.expected(&ir, &emitted);
            let found = pollster::block_on(case.verify(&ir, &emitted, &expected, &mut gpu));
            if let Err(fault) = found {
                faults.push(format!("{} {problem:?}, simulated: {fault}", kernel.name()));
            }
            gpu.clear();
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(verified.len(), LabKernel::all().len(), "{verified:?}");
}

/// Whole programs, each kernel launched as its host code launches it.
fn launched(source: &str, name: &str, elements: [usize; 2]) -> (Kernel, Case) {
    let options = KernelOptions {
        kernel: Some(name.to_owned()),
        ..KernelOptions::default()
    };
    let kernel = read(source, &options).kernel.unwrap();
    let host = lanescope_cuda::source::host_launch(source, name, &[]).unwrap();
    let float = |index: usize| (((index * 37) % 1024) as f32 / 8.0).to_le_bytes();
    let mut buffers = elements.into_iter();
    let argument = |(at, parameter): (usize, &lanescope_ir::Parameter)| match parameter.array {
        Some(_) => {
            let count = buffers.next().unwrap();
            Argument::Buffer((0..count).flat_map(float).collect())
        }
        None => {
            let value = host.arguments[at].unwrap() as u32;
            Argument::Scalar(value.to_le_bytes().to_vec())
        }
    };
    let arguments = kernel.parameters.iter().enumerate().map(argument).collect();
    let case = Case {
        grid: host.grid.unwrap(),
        block: host.block.unwrap(),
        dynamic_shared_bytes: host.dynamic_shared_bytes.unwrap_or(0),
        has_half: false,
        lanes: 32,
        arguments,
    };
    (kernel, case)
}

#[test]
fn transposes_and_reductions_run_as_their_programs_launch_them() {
    let Some(mut gpu) = gpu() else { return };
    let transposes = include_str!("emitted/transposes.cu");
    let reductions = include_str!("emitted/reductions.cu");
    let names = [
        "copyRow",
        "copyCol",
        "naiveRow",
        "naiveCol",
        "unrolledRow",
        "diagonalRow",
        "tiled",
        "padded",
    ];
    let transposes = names.map(|name| (transposes, name, [1 << 15, 1 << 15]));
    let names = ["divergent", "interleaved", "sequential"];
    let reductions = names.map(|name| (reductions, name, [1 << 12, 1 << 4]));
    for (source, name, elements) in transposes.into_iter().chain(reductions) {
        let (kernel, case) = launched(source, name, elements);
        let emitted = case.emitted(&kernel, &gpu);
        let emitted = emitted.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        assert_eq!(
            lanescope_wgsl::validate(&emitted.text),
            Ok(()),
            "{}",
            emitted.text
        );
        let expected = case.expected(&kernel, &emitted);
        let words = expected.iter().flatten();
        assert!(words.clone().all(Option::is_some), "{name}: all is known");
        let found = pollster::block_on(case.verify(&kernel, &emitted, &expected, &mut gpu));
        assert_eq!(found, Ok(()), "{name}\n{}", emitted.text);
        gpu.clear();
    }
}

/// Shuffles and votes as the device's own: its subgroups are the warps here, whatever their width.
#[test]
fn shuffles_and_votes_of_subgroups_leave_what_the_simulator_says() {
    let Some(mut gpu) = gpu() else { return };
    let lanes = gpu.limits().subgroup_lanes;
    if !(4..=32).contains(&lanes) {
        return;
    }
    let source = "__global__ void k(int* out, const int* in, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      int v = in[i];
      for (int d = 2; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffff, v, d);
      unsigned odd = __ballot_sync(0xffffffff, in[i] & 1);
      int up = __shfl_up_sync(0xffffffff, in[i], 1);
      int at = __shfl_sync(0xffffffff, in[i], 3);
      if (i < n) v += 5 * __any_sync(0xffffffff, in[i] > 250);
      out[i] = v ^ (odd << 8) ^ up ^ at * 3 ^ (__all_sync(0xffffffff, in[i] < 256) << 20);
    }";
    let kernel = kernel(source);
    let mut random = Random::new(7);
    let elements = 4 * 64;
    let bytes = (0..elements).flat_map(|_| (random.below(256) as u32).to_le_bytes());
    let case = Case {
        grid: [4, 1, 1],
        block: [64, 1, 1],
        dynamic_shared_bytes: 0,
        has_half: false,
        lanes,
        arguments: vec![
            Argument::Buffer(vec![0; 4 * elements]),
            Argument::Buffer(bytes.collect()),
            Argument::Scalar((elements as u32 / 2).to_le_bytes().to_vec()),
        ],
    };
    let emitted = case.emitted(&kernel, &gpu).unwrap();
    assert!(
        emitted.text.contains("subgroupShuffle("),
        "{}",
        emitted.text
    );
    assert!(emitted.text.contains("subgroupBallot("), "{}", emitted.text);
    assert_eq!(emitted.workgroup_bytes, 0, "{}", emitted.text);
    let expected = case.expected(&kernel, &emitted);
    let found = pollster::block_on(case.verify(&kernel, &emitted, &expected, &mut gpu));
    assert_eq!(found, Ok(()), "{}", emitted.text);
}
