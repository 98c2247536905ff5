//! Kernels of half precision as WGSL on a device against the simulator, bit for bit: packed into words, and as `f16` where
//! the device has it.
#![allow(missing_docs, clippy::unwrap_used, clippy::cast_possible_truncation)]

use crate::generate;
use crate::run;

use generate::Random;
use lanescope_cuda::{KernelOptions, read};
use lanescope_lab::Machine;
use run::{Argument, Case, gpu};

/// Kernels of each form.
const KERNELS: u64 = 40;

/// Threads of the launch.
const THREADS: u32 = 96;

/// A value of the statements before the `count`-th, or one from memory.
fn operand(random: &mut Random, count: u64) -> String {
    match random.below(4 + count) {
        0 => "a[i]".to_owned(),
        1 => "b[i ^ 1]".to_owned(),
        2 => "__float2half(f[i])".to_owned(),
        3 => format!("__float2half({}.{}f)", random.below(90), random.below(100)),
        at => format!("x{}", at - 4),
    }
}

fn statement(random: &mut Random, count: u64) -> String {
    let [one, other] = [(); 2].map(|()| operand(random, count));
    match random.below(6) {
        0 => format!("{one} + {other}"),
        1 => format!("{one} - {other}"),
        2 => format!("{one} * {other}"),
        3 => format!("__float2half(__half2float({one}) * 0.3f + __half2float({other}))"),
        4 => format!("__hmax({one}, {other})"),
        _ => format!("{one} < {other} ? {other} : {one}"),
    }
}

/// A kernel that loads, computes, exchanges through shared memory and stores halves.
fn kernel(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut body = String::new();
    for count in 0..4 + random.below(6) {
        let text = statement(&mut random, count);
        body += &format!("  half x{count} = {text};\n");
    }
    let last = body.lines().count() - 1;
    format!(
        "#include <cuda_fp16.h>
__global__ void k(const half* a, half* b, const float* f, half* out, float* wide, float scale) {{
  __shared__ half tile[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
{body}  tile[threadIdx.x] = x{last};
  __syncthreads();
  out[i] = tile[threadIdx.x ^ 5] + x0;
  wide[i] = __half2float(x{last}) * scale;
}}"
    )
}

/// Halves without those that are no number: small ones, large ones, and those too small to be normal.
fn halves(random: &mut Random) -> Argument {
    let one = |random: &mut Random| {
        let sign = (random.below(2) as u16) << 15;
        match random.below(8) {
            0 => sign | random.below(0x400) as u16,
            1 => sign | random.below(0x7c00) as u16,
            _ => sign | (0x2c00 + random.below(0x2000) as u16),
        }
    };
    let bytes = (0..THREADS).flat_map(|_| one(random).to_le_bytes());
    Argument::Buffer(bytes.collect())
}

fn case(seed: u64, has_half: bool) -> Case {
    let mut random = Random::new(seed + (1 << 40));
    let floats = (0..THREADS).flat_map(|_| {
        let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
        (sign * (random.below(1 << 20) as f32) / 4096.0).to_le_bytes()
    });
    let floats = Argument::Buffer(floats.collect());
    let [a, b, out] = [(); 3].map(|()| halves(&mut random));
    let wide = Argument::Buffer(vec![0; 4 * THREADS as usize]);
    let scale = Argument::Scalar(1.5_f32.to_le_bytes().to_vec());
    Case {
        grid: [THREADS / 32, 1, 1],
        block: [32, 1, 1],
        dynamic_shared_bytes: 0,
        has_half,
        lanes: 32,
        arguments: vec![a, b, floats, out, wide, scale],
    }
}

#[test]
fn halves_leave_what_the_simulator_says() {
    let Some(mut gpu) = gpu() else { return };
    let forms: &[bool] = if gpu.limits().half {
        &[false, true]
    } else {
        &[false]
    };
    for has_half in forms {
        for seed in 0..KERNELS {
            let source = kernel(seed);
            let parsed = read(&source, &KernelOptions::default());
            let ir = parsed
                .kernel
                .unwrap_or_else(|| panic!("{:?}\n{source}", parsed.diagnostics));
            let case = case(seed, *has_half);
            let emitted = case
                .emitted(&ir, &gpu)
                .unwrap_or_else(|said| panic!("{said}\n{source}"));
            let text = &emitted.text;
            assert_eq!(lanescope_wgsl::validate(text), Ok(()), "{text}");
            assert_eq!(text.contains("array<f16>"), *has_half, "{text}");
            let expected = case.expected(&ir, &emitted);
            let known = expected.iter().flatten().flatten().count();
            assert!(known >= 3 * THREADS as usize / 2, "{known} words are known");
            let found = pollster::block_on(case.verify(&ir, &emitted, &expected, &mut gpu));
            gpu.clear();
            assert_eq!(found, Ok(()), "seed {seed}\n{source}\n{text}");
        }
    }
}
