//! How fast programs run: whole launches, and an expression from its text to its requests.

use divan::Bencher;
use divan::counter::ItemsCount;
use lanescope_cuda::{parse_expression, parse_kernel};
use lanescope_frontend::{ArgumentValue, Budget, KernelOptions, NamedLaunch, execute};
use lanescope_model::{Device, Operation};
use lanescope_tally::Tally;

/// Name, source, grid, block and arguments.
type Case = (
    &'static str,
    &'static str,
    [u32; 3],
    [u32; 3],
    &'static [(&'static str, i64)],
);

const KERNELS: [Case; 6] = [
    (
        "matmul_naive",
        include_str!("../../../tests/golden/kernels/matmul_naive.cu"),
        [16, 16, 1],
        [16, 16, 1],
        &[("A", 65_536), ("B", 65_536), ("C", 65_536), ("n", 256)],
    ),
    (
        "matmul_tiled",
        include_str!("../../../tests/golden/more_kernels/matmul_tiled.cu"),
        [16, 16, 1],
        [16, 16, 1],
        &[("A", 65_536), ("B", 65_536), ("C", 65_536), ("n", 256)],
    ),
    (
        "reduce_divergent",
        include_str!("../../../tests/golden/kernels/reduce_divergent.cu"),
        [4096, 1, 1],
        [256, 1, 1],
        &[("in", 1 << 20), ("out", 4096), ("n", 1 << 20)],
    ),
    (
        "reduce_interleaved",
        include_str!("../../../tests/golden/kernels/reduce_interleaved.cu"),
        [4096, 1, 1],
        [256, 1, 1],
        &[("in", 1 << 20), ("out", 4096), ("n", 1 << 20)],
    ),
    (
        "transpose_tiled",
        include_str!("../../../tests/golden/kernels/transpose_tiled.cu"),
        [32, 32, 1],
        [32, 32, 1],
        &[
            ("in", 1 << 20),
            ("out", 1 << 20),
            ("nx", 1024),
            ("ny", 1024),
        ],
    ),
    (
        "scan_blelloch",
        include_str!("../../../tests/golden/kernels/scan_blelloch.cu"),
        [256, 1, 1],
        [256, 1, 1],
        &[("in", 131_072), ("out", 131_072)],
    ),
];

fn main() {
    divan::main();
}

#[divan::bench(args = 0..KERNELS.len(), sample_count = 5)]
fn whole_launch(bencher: Bencher<'_, '_>, at: usize) {
    let (_, source, grid, block, arguments) = KERNELS[at];
    let program = parse_kernel(source, &KernelOptions::default()).program;
    let launch = arguments
        .iter()
        .fold(NamedLaunch::new(grid, block), |launch, (name, value)| {
            launch.with(name, ArgumentValue::Integer(*value))
        });
    let run = || {
        execute(
            &program,
            &launch,
            32,
            Budget::default(),
            &mut Tally::new(<&Device>::default()),
        )
    };
    bencher.counter(ItemsCount::new(run().requests)).bench(run);
}

#[divan::bench(args = 0..KERNELS.len(), sample_count = 5)]
fn without_counting(bencher: Bencher<'_, '_>, at: usize) {
    let (_, source, grid, block, arguments) = KERNELS[at];
    let program = parse_kernel(source, &KernelOptions::default()).program;
    let launch = arguments
        .iter()
        .fold(NamedLaunch::new(grid, block), |launch, (name, value)| {
            launch.with(name, ArgumentValue::Integer(*value))
        });
    let run = || {
        execute(
            &program,
            &launch,
            32,
            Budget::default(),
            &mut |_: &lanescope_frontend::Access<'_>| true,
        )
    };
    bencher.counter(ItemsCount::new(run().requests)).bench(run);
}

#[divan::bench]
fn kernel_text() -> usize {
    parse_kernel(divan::black_box(KERNELS[5].1), &KernelOptions::default())
        .program
        .sites()
        .len()
}

#[divan::bench]
fn ten_accesses_of_1024_threads() -> u64 {
    let accesses = "tile[ty][tx]\ntile[tx][ty]\ntile[ty][tx ^ ty]\ntile[tid % 32][tid / 32]\ntile[lane][0]\ntile[0][lane]\ntile[ty][(tx * s) % 32]\nin[tid]\nin[tid * s]\nout[ty * 32 + tx] = in[tx * 32 + ty]";
    let parsed = parse_expression(
        divan::black_box("float tile[32][33]\nfloat* in\nfloat* out\ns = 1, 2, 4 … 32"),
        accesses,
        Operation::Load,
    );
    let launch = NamedLaunch::new([1, 1, 1], [32, 32, 1]);
    execute(
        &parsed.program,
        &launch,
        32,
        Budget::default(),
        &mut Tally::new(<&Device>::default()),
    )
    .requests
}

/// Sources that cost the most within the bounds that the page sets a run: an endless loop of plain sums, of the costliest
/// functions, stores all over global memory, and as many accesses as a text can hold.
const WORST: [(&str, &str, &str); 4] = [
    ("sums", "unsigned x = t; for (;;) {", "x = x * 3 + t;"),
    (
        "functions",
        "double x = t + 1; for (;;) {",
        "x = fmod(x * 1e300, 1e-300) + sin(x * 1e300);",
    ),
    (
        "stores",
        "unsigned x = t; for (;;) {",
        "in[x] = x; x = x * 1664525u + 1013904223u + (unsigned)in[x];",
    ),
    ("accesses", "{", "s[t * t] = 1;"),
];

/// One run of the worst sources of 64 KiB, within the page's bounds: 400,000 steps, 16,384 requests, 24 MiB.
#[divan::bench(args = 0..WORST.len(), sample_count = 5)]
fn worst_link(bencher: Bencher<'_, '_>, at: usize) {
    let (_, first, repeated) = WORST[at];
    let times = 60_000 / repeated.len();
    let body = format!(
        "int t = threadIdx.x; {first} {} }} s[t] = 1;",
        repeated.repeat(times)
    );
    let program = parse_kernel(&list::in_kernel(&body), &KernelOptions::default()).program;
    let launch = NamedLaunch::new([1, 1, 1], [1024, 1, 1]);
    let budget = Budget {
        requests: 16_384,
        steps: 400_000,
        bytes: 24 << 20,
        watched_blocks: 1,
        ..Budget::default()
    };
    bencher.bench(|| {
        execute(
            &program,
            &launch,
            32,
            budget,
            &mut Tally::new(<&Device>::default()),
        )
    });
}

#[path = "../tests/bombs/list.rs"]
mod list;

/// Reading a hostile source: each in some milliseconds.
#[divan::bench(args = 0..list::bombs().len(), sample_count = 3)]
fn bomb(bencher: Bencher<'_, '_>, at: usize) {
    let (_, source) = &list::bombs()[at];
    bencher.bench(|| {
        parse_kernel(source, &KernelOptions::default())
            .program
            .sites()
            .len()
    });
}

/// A kernel of a hundred lines, from its text to the tally of its first blocks.
#[divan::bench]
fn edit_of_a_hundred_lines() -> u64 {
    let mut source = String::from(
        "__global__ void k(const float* in, float* out, unsigned n) {\n  __shared__ float tile[32][33];\n",
    );
    for line in 0..48 {
        source += &format!(
            "  tile[threadIdx.y][(threadIdx.x + {line}) % 32] = in[threadIdx.x + {line} * n];\n  out[threadIdx.y * {line} + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n"
        );
    }
    source += "  __syncthreads();\n}\n";
    let parsed = parse_kernel(divan::black_box(&source), &KernelOptions::default());
    let launch = NamedLaunch {
        blocks: lanescope_frontend::Blocks::First(4),
        ..NamedLaunch::new([32, 32, 1], [32, 32, 1])
    };
    execute(
        &parsed.program,
        &launch.with("n", ArgumentValue::Integer(1024)),
        32,
        Budget::default(),
        &mut Tally::new(<&Device>::default()),
    )
    .requests
}
