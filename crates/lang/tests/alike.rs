//! Blocks that are proved alike make the same requests: what one costs, times the blocks, is what a
//! run of every block gives.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_lang::{
    Argument, ArgumentValue, Blocks, Budget, Buffer, Contents, End, KernelOptions, Launch,
    Likeness, Program, execute, execute_compared, parse_kernel,
};
use lanescope_model::Device;
use lanescope_tally::{Kind, Sums, Tally};
use proptest::prelude::*;

mod measured;

use measured::{Measured, measured};

type Lines = Vec<(u32, Kind, Sums)>;

fn lines(program: &Program, launch: &Launch, device: &Device) -> Option<Lines> {
    let mut tally = Tally::new(device);
    let lanes = device.warp_lanes();
    let outcome = execute(program, launch, lanes, Budget::default(), &mut tally);
    (outcome.end == End::Completed).then(|| tally.lines(program))
}

fn times(mut lines: Lines, blocks: u64) -> Lines {
    for (_, _, sums) in &mut lines {
        let one = *sums;
        for number in [
            &mut sums.requests,
            &mut sums.wavefronts,
            &mut sums.wavefronts_least,
            &mut sums.ideal_wavefronts,
            &mut sums.conflicts,
            &mut sums.global_requests,
            &mut sums.sectors,
            &mut sums.ideal_sectors,
            &mut sums.bytes_used,
            &mut sums.bytes_moved,
        ] {
            *number *= blocks;
        }
        assert_eq!(one.ways, sums.ways);
    }
    lines
}

/// Whether the blocks are proved alike; where they are, any one tells the whole launch.
fn holds(program: &Program, launch: &Launch, device: &Device) -> bool {
    let only = |block: u64| Launch {
        blocks: Blocks::Only(block),
        ..launch.clone()
    };
    let mut tally = Tally::new(device);
    let budget = Budget::default();
    let (outcome, likeness) = execute_compared(program, &only(0), device, budget, &mut tally);
    let compared = (outcome.end == End::Completed).then(|| tally.lines(program));
    assert_eq!(compared, lines(program, &only(0), device));
    if likeness == Likeness::Unproved {
        return false;
    }
    let blocks = launch.grid_blocks();
    let whole = lines(program, launch, device);
    for block in [0, blocks / 2, blocks - 1] {
        let one = lines(program, &only(block), device).map(|lines| times(lines, blocks));
        if whole.is_some() {
            assert_eq!(one, whole, "block {block} of {}", program.name());
        }
    }
    true
}

/// How many kernels the list has, and the names of those whose blocks are proved alike.
fn golden(list: &str) -> (usize, Vec<String>) {
    let kernels = measured(list);
    let is_alike = |kernel: &Measured| {
        let program = parse_kernel(&kernel.source, &kernel.options).program;
        holds(&program, &kernel.launch, Device::by_id("cc9.0").unwrap())
    };
    let alike = kernels.iter().filter(|kernel| is_alike(kernel));
    (kernels.len(), alike.map(|one| one.name.clone()).collect())
}

#[test]
fn the_published_kernels_extrapolate_exactly() {
    let (all, alike) = golden("h200_kernels.json");
    for name in [
        "transpose_tiled",
        "reduce_interleaved",
        "matmul_naive",
        "copy_row",
    ] {
        assert!(
            alike.iter().any(|one| one.contains(name)),
            "{name}: {alike:?}"
        );
    }
    assert!(2 * alike.len() > all, "{alike:?} of {all}");
}

#[test]
fn more_kernels_extrapolate_exactly() {
    let (all, alike) = golden("h200_more_kernels.json");
    assert!(3 * alike.len() > all, "{alike:?} of {all}");
}

fn proved(source: &str, launch: &Launch) -> bool {
    let program = parse_kernel(source, &KernelOptions::default()).program;
    holds(&program, launch, Device::by_id("cc9.0").unwrap())
}

#[test]
fn a_guard_that_differs_by_block_is_not_proved() {
    let source = "__global__ void k(float* out, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) out[i] = 1;
    }";
    let launch = |n: i64| Launch::new([4, 1, 1], [64, 1, 1]).with("n", ArgumentValue::Integer(n));
    assert!(proved(source, &launch(256)));
    assert!(proved(source, &launch(0)));
    assert!(!proved(source, &launch(255)));
}

#[test]
fn a_drift_of_half_a_line_is_not_proved() {
    let source =
        "__global__ void k(float* out, int pitch) { out[blockIdx.x * pitch + threadIdx.x] = 1; }";
    let launch =
        |n: i64| Launch::new([4, 1, 1], [32, 1, 1]).with("pitch", ArgumentValue::Integer(n));
    assert!(proved(source, &launch(32)));
    assert!(!proved(source, &launch(33)));
}

#[test]
fn data_that_differ_by_block_are_not_proved() {
    let source = "__global__ void k(const int* in, float* out) {
        out[in[blockIdx.x * 32 + threadIdx.x] & 31] = 1;
    }";
    let launch = |contents: Contents| Launch {
        arguments: vec![Argument {
            name: "in".to_owned(),
            value: ArgumentValue::Buffer(Buffer {
                contents,
                ..Buffer::default()
            }),
        }],
        ..Launch::new([4, 1, 1], [32, 1, 1])
    };
    assert!(proved(source, &launch(Contents::Zero)));
    assert!(!proved(source, &launch(Contents::Random(1))));
}

#[test]
fn what_one_block_leaves_for_the_next_is_not_proved() {
    let source = "__global__ void k(int* queue, float* out) {
        int at = atomicAdd(queue, 1);
        out[at * 8] = 1;
    }";
    assert!(!proved(source, &Launch::new([4, 1, 1], [32, 1, 1])));
}

#[test]
fn a_range_that_a_later_block_leaves_is_not_proved() {
    let source = "__global__ void k(float* out) {
        unsigned char c = blockIdx.x * 128 + threadIdx.x;
        out[c * 32] = 1;
    }";
    assert!(!proved(source, &Launch::new([8, 1, 1], [32, 1, 1])));
}

/// An expression of the thread's and the block's coordinates.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("(int)threadIdx.x".to_owned()),
        Just("threadIdx.y".to_owned()),
        Just("blockIdx.x".to_owned()),
        Just("(int)blockIdx.x".to_owned()),
        Just("blockIdx.y".to_owned()),
        Just("blockDim.x".to_owned()),
        Just("n".to_owned()),
        Just("j".to_owned()),
        Just("t[j & 7]".to_owned()),
        prop_oneof![
            Just(1),
            Just(2),
            Just(3),
            Just(5),
            Just(31),
            Just(32),
            Just(64),
            Just(256)
        ]
        .prop_map(|value: i32| value.to_string()),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let operator = prop::sample::select(vec![
            "+", "+", "+", "*", "*", "-", "/", "%", "&", "|", "^", "<<", ">>", "<", "==",
        ]);
        prop_oneof![
            6 => (inner.clone(), operator, inner.clone()).prop_map(|(a, op, b)| match op {
                "/" | "%" => format!("({a} {op} ({b} | 1))"),
                "<<" | ">>" => format!("({a} {op} ({b} & 7))"),
                _ => format!("({a} {op} {b})"),
            }),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("min((int)({a}), (int)({b}))")),
            1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, a, b)| format!("({c} ? {a} : {b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("__shfl_xor_sync(~0u, {a}, {b} & 31)")),
            1 => inner.clone().prop_map(|a| format!("(unsigned short)({a})")),
            1 => inner.prop_map(|a| format!("(long long)(~({a}))")),
        ]
    })
}

fn kernel() -> impl Strategy<Value = String> {
    (
        expression(),
        expression(),
        expression(),
        expression(),
        expression(),
        prop::sample::select(vec![32, 64, 8, 33]),
    )
        .prop_map(|(shared, read, guard, more, bound, pitch)| {
            format!(
                "__global__ void k(const float* in, float* out, int n) {{
                    __shared__ float s[1024];
                    int t[8] = {{0, 1, 2, 3, 4, 5, 6, 7}};
                    int j = 0;
                    int row = blockIdx.y * {pitch} + blockIdx.x * blockDim.x * blockDim.y;
                    s[({shared}) & 1023] = in[row + (({read}) & 255)];
                    __syncthreads();
                    for (; j < (({bound}) & 7); ++j) {{
                        if ({guard}) out[row + (({more}) & 4095)] = s[(({shared}) + j) & 1023];
                        else t[j] = {read};
                        row += {pitch};
                    }}
                    out[(unsigned)({more}) & 65535] = 1;
                }}"
            )
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_kernels_extrapolate_exactly(source in kernel(), device in prop::sample::select(vec!["cc9.0", "cc1.0", "cdna3"])) {
        let program = parse_kernel(&source, &KernelOptions::default()).program;
        let launch = Launch::new([3, 2, 1], [32, 2, 1]).with("n", ArgumentValue::Integer(96));
        if let Some(device) = Device::by_id(device) {
            holds(&program, &launch, device);
        }
    }
}
