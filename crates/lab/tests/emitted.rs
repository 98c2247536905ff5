//! Kernels as WGSL on a real device (or a software one, such as lavapipe) against the simulator, bit for bit.
#![allow(missing_docs, clippy::unwrap_used, clippy::cast_possible_truncation)]

#[path = "../../cuda/tests/oracle/generate.rs"]
mod generate;
#[path = "emitted/run.rs"]
mod run;

use generate::Random;
use lanescope_cuda::{KernelOptions, read};
use lanescope_ir::Kernel;
use lanescope_lab::Machine;
use run::{Argument, Case, gpu};

/// Programs that every run of the tests compares; `LANESCOPE_PROGRAMS` says otherwise (`cargo xtask oracle`).
const SOME: u64 = 300;

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
        arguments: vec![g0, g1, g2, g3, g4, n, m],
    }
}

#[test]
fn generated_programs_leave_what_the_simulator_says() {
    let Some(mut gpu) = gpu() else { return };
    let programs = std::env::var("LANESCOPE_PROGRAMS");
    let programs = programs
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(SOME);
    let mut known = 0;
    for seed in 0..programs {
        let source = without_races(seed);
        let kernel = kernel(&source);
        let case = generated(seed);
        let emitted = case.emitted(&kernel, &gpu);
        let emitted = emitted.unwrap_or_else(|refusal| panic!("seed {seed}: {refusal}\n{source}"));
        let valid = lanescope_wgsl::validate(&emitted.text);
        assert_eq!(valid, Ok(()), "seed {seed}\n{source}\n{}", emitted.text);
        let expected = case.expected(&kernel, &emitted);
        known += expected.iter().flatten().flatten().count();
        let found = pollster::block_on(case.verify(&kernel, &emitted, &expected, &mut gpu));
        assert_eq!(found, Ok(()), "seed {seed}\n{source}\n{}", emitted.text);
        gpu.clear();
    }
    assert!(known as u64 > 1000 * programs, "{known} words are known");
}
