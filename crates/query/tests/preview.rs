//! What this crate reads, it reads as the whole language does: sites, arrays, variables and every request.

use lanescope_cuda::parse_expression;
use lanescope_frontend::{Access, Blocks, Budget, NamedLaunch, Parsed, execute};
use lanescope_model::{Operation, Space, Width};
use lanescope_preview::{Glance, read};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

/// What both have of a request.
type RequestFields = (
    u32,
    [u32; 3],
    u64,
    u32,
    Space,
    Operation,
    Width,
    u64,
    Vec<u64>,
);

fn request_fields(access: &Access<'_>) -> RequestFields {
    let request = &access.request;
    // What stands for a lane that is off means nothing.
    let addresses = request.addresses.iter().enumerate();
    let addresses = addresses.map(|(lane, at)| {
        if request.active.contains(lane) {
            *at
        } else {
            0
        }
    });
    (
        access.site.0,
        access.block_index,
        access.block,
        access.warp,
        request.space,
        request.operation,
        request.width,
        request.active.0,
        addresses.collect(),
    )
}

fn requests_of_glance(
    glance: &Glance,
    launch: &NamedLaunch,
    lanes: u32,
) -> Option<Vec<RequestFields>> {
    let mut all = Vec::new();
    let mut see = |access: &Access<'_>| {
        all.push(request_fields(access));
        true
    };
    let count = glance.run(launch, lanes, &mut see)?;
    assert_eq!(count, all.len() as u64);
    Some(all)
}

fn requests_of_lang(parsed: &Parsed, launch: &NamedLaunch, lanes: u32) -> Vec<RequestFields> {
    let mut all = Vec::new();
    let mut see = |access: &Access<'_>| {
        all.push(request_fields(access));
        true
    };
    let budget = Budget {
        watched_blocks: 0,
        ..Budget::default()
    };
    let outcome = execute(&parsed.program, launch, lanes, budget, &mut see);
    assert_eq!(outcome.findings, []);
    all
}

/// Whether both were compared to the end.
fn compare(
    declarations: &str,
    accesses: &str,
    bare: Operation,
    launch: &NamedLaunch,
    lanes: u32,
) -> bool {
    let Some(glance) = read(declarations, accesses, bare) else {
        return false;
    };
    let parsed = parse_expression(declarations, accesses, bare);
    assert_eq!(parsed.diagnostics, [], "{declarations}\n{accesses}");
    assert_eq!(glance.sites, parsed.program.sites());
    assert_eq!(glance.arrays, parsed.program.arrays());
    assert_eq!(glance.variables, parsed.program.variables());
    let Some(mine) = requests_of_glance(&glance, launch, lanes) else {
        return false;
    };
    let all = requests_of_lang(&parsed, launch, lanes);
    for (mine, other) in mine.iter().zip(&all).filter(|(mine, other)| mine != other) {
        let lane = (0..mine.8.len())
            .find(|lane| mine.8[*lane] != other.8[*lane])
            .unwrap_or(0);
        let short = |request: &RequestFields| {
            (
                request.0,
                request.2,
                request.3,
                request.4,
                request.5,
                request.7,
                lane,
                request.8[lane],
            )
        };
        assert_eq!(short(mine), short(other), "{declarations}\n{accesses}");
    }
    assert_eq!(mine.len(), all.len(), "{declarations}\n{accesses}");
    true
}

fn launch(block: [u32; 3], values: &[(&str, i64)]) -> NamedLaunch {
    NamedLaunch {
        variables: values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect(),
        ..NamedLaunch::new([3, 2, 1], block)
    }
}

/// Texts that must be read: what people write and share.
const PLAIN: [(&str, &str, [u32; 3]); 26] = [
    (
        "float tile[32][32]",
        "tile[threadIdx.x][threadIdx.y]",
        [32, 32, 1],
    ),
    (
        "float tile[32][33]",
        "tile[tx][ty]\ntile[ty][tx]",
        [32, 32, 1],
    ),
    (
        "__shared__ float tile[32][33];",
        "tile[ty][tx ^ ty]",
        [32, 32, 1],
    ),
    ("float a[1024];", "if (tid < 16) a[2 * tid]", [40, 1, 1]),
    ("float a[4096]\ns = 1, 2, 4 … 16", "a[s * tid]", [64, 1, 1]),
    ("float a[4096]\ns = 1 ... 33", "a[tid * s]", [32, 1, 1]),
    ("struct { float x, y, z; } p[64];", "p[tid].y", [64, 1, 1]),
    (
        "struct P { char c; double d; }; P p[64]",
        "p[tid].d; p[tid].c",
        [64, 1, 1],
    ),
    ("float4 v[256]", "v[tid]\nv[tid].z", [64, 1, 1]),
    ("float3 v[256]", "v[tid]", [64, 1, 1]),
    ("unsigned char b[4096];", "b[tid]; b[tid * 4]", [64, 1, 1]),
    (
        "float *in; float *out; __shared__ float t[32][32]",
        "t[ty][tx] = in[ty * 1024 + tx]\nout[tx * 1024 + ty] = t[tx][ty]",
        [32, 8, 1],
    ),
    ("int n = 8; float a[2048]", "a[n * tid]", [32, 1, 1]),
    (
        "const int N = 16; float a[N][N + 1]",
        "a[tx][ty]",
        [16, 16, 1],
    ),
    ("double a[512]", "a[tid + 1] = 0", [64, 1, 1]),
    (
        "float a[64]",
        "a[(tid + 32) % 64]\na[tid >= 32 ? tid - 32 : tid]",
        [64, 1, 1],
    ),
    (
        "float a[64]",
        "a[min(tid, 31)]; a[max(tid, 40)]",
        [64, 1, 1],
    ),
    ("", "2 * tid", [32, 1, 1]),
    ("float a[64]", "a[lane]\nwarp + 4 * lane", [64, 1, 1]),
    (
        "float *g",
        "g[blockIdx.x * blockDim.x + threadIdx.x]",
        [96, 1, 1],
    ),
    ("float a[2][3][40]", "a[1][tid % 3][tid]", [40, 1, 1]),
    ("float a[128]", "i = tid * 3 & 127\na[i]", [64, 1, 1]),
    (
        "float a[128]",
        "if (tid % 2 == 0 && tid < 20) a[tid]",
        [64, 1, 1],
    ),
    ("half h[256]", "h[2 * tid]", [64, 1, 1]),
    (
        "float a[256]",
        "a[(int)(threadIdx.x << 2) >> 1]",
        [64, 1, 1],
    ),
    ("float a[64]", "a[~tid & 63]; a[-tid + 63]", [64, 1, 1]),
];

#[test]
fn plain_texts_are_read_and_agree() {
    for (declarations, accesses, block) in PLAIN {
        for bare in [Operation::Load, Operation::Store] {
            for lanes in [32, 64, 16] {
                let compared = compare(declarations, accesses, bare, &launch(block, &[]), lanes);
                assert!(compared, "not read: {declarations} / {accesses}");
            }
        }
    }
}

#[test]
fn variables_take_the_values_chosen() {
    let text = ("float a[4096]\ns = 1, 2, 4 … 64", "a[s * tid]");
    for s in [1, 2, 32, 64] {
        assert!(compare(
            text.0,
            text.1,
            Operation::Load,
            &launch([32, 1, 1], &[("s", s)]),
            32
        ));
    }
    let glance = read(text.0, text.1, Operation::Load).expect("plain");
    let unknown = launch([32, 1, 1], &[("t", 1)]);
    assert_eq!(glance.run(&unknown, 32, &mut |_: &Access<'_>| true), None);
}

/// Texts of which there is something to say, or that hold more than is read.
#[test]
fn what_needs_the_whole_language_is_left_to_it() {
    for (declarations, accesses) in [
        ("float a[32]", "a[tix]"),
        ("float a[32]", "a[tid"),
        ("float a[32]", "b[tid]"),
        ("float a[32]", "a[tid] // why"),
        ("#define N 32\nfloat a[N]", "a[tid]"),
        ("float a[32]", "for (int i = 0; i < 3; ++i) a[i]"),
        ("float a[32]", "atomicAdd(&a[tid], 1)"),
        ("float a[32]", "a[tid] += 1"),
        ("float a[32]; int b[32]", "a[b[tid]]"),
        ("float a[32]", "if (tid < 4) a[tid]\nelse a[0]"),
        ("float a[32]", "a[tid / 0]"),
        ("float a[32]", "if ((tid ? (28 ^ 28) : (2 << 31))) a[tid]"),
        ("float a[32]", "a"),
        ("float a[32][32]", "a[tid]"),
        ("float a[32]; float a[16]", "a[tid]"),
        ("", ""),
    ] {
        assert!(
            read(declarations, accesses, Operation::Load).is_none(),
            "{accesses}"
        );
    }
    let out_of_range = read("float a[16]", "a[tid]", Operation::Load).expect("plain");
    assert_eq!(
        out_of_range.run(&launch([32, 1, 1], &[]), 32, &mut |_: &Access<'_>| true),
        None
    );
}

#[test]
fn the_observer_may_stop_it_and_blocks_are_chosen() {
    let glance = read("float a[64]", "a[tid]\na[tid]", Operation::Load).expect("plain");
    let mut seen = 0;
    let mut once = |_: &Access<'_>| {
        seen += 1;
        false
    };
    assert_eq!(glance.run(&launch([64, 1, 1], &[]), 32, &mut once), Some(1));
    assert_eq!(seen, 1);
    for blocks in [
        Blocks::First(2),
        Blocks::Only(4),
        Blocks::Only(9),
        Blocks::All,
    ] {
        let launch = NamedLaunch {
            blocks,
            ..launch([64, 1, 1], &[])
        };
        assert!(compare(
            "float a[64]",
            "a[tid]",
            Operation::Load,
            &launch,
            32
        ));
    }
}

/// Expressions of the grammar, most of them sound.
fn number(depth: u32) -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        3 => prop::sample::select(vec!["tid", "tx", "ty", "tz", "lane", "warp", "threadIdx.x", "threadIdx.y", "blockIdx.x", "blockDim.x", "gridDim.y", "warpSize", "n", "s", "k"]).prop_map(str::to_owned),
        2 => (0_u32..70).prop_map(|value| value.to_string()),
        1 => prop::sample::select(vec!["0x1f", "31u", "4096", "2147483647", "4294967295u"]).prop_map(str::to_owned),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let inner = || number(depth - 1);
    let operators = vec![
        "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&",
        "||",
    ];
    prop_oneof![
        2 => leaf,
        6 => (inner(), prop::sample::select(operators), inner()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
        2 => (inner(), prop::sample::select(vec!["+", "*", "%", "^", "&", "-"]), inner()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        1 => (prop::sample::select(vec!["-", "~", "!", "+", "(int)", "(unsigned)"]), inner()).prop_map(|(op, a)| format!("{op}({a})")),
        1 => (prop::sample::select(vec!["min", "max"]), inner(), inner()).prop_map(|(f, a, b)| format!("{f}({a}, {b})")),
        1 => (inner(), inner(), inner()).prop_map(|(c, a, b)| format!("({c} ? {a} : {b})")),
    ]
    .boxed()
}

fn line() -> impl Strategy<Value = String> {
    let inside = |array: &'static str, size: u32| {
        number(3).prop_map(move |index| format!("{array}[({index}) & {}]", size - 1))
    };
    let place = prop_oneof![
        inside("a", 64),
        (number(2), number(2)).prop_map(|(y, x)| format!("t[({y}) & 31][({x}) & 31]")),
        inside("p", 16).prop_map(|place| format!("{place}.z")),
        inside("v", 16),
        inside("c", 64),
        inside("g", 1 << 20),
        number(2).prop_map(|index| format!("g[{index}]")),
        number(2).prop_map(|index| format!("a[{index}]")),
    ];
    (
        proptest::option::of(number(2)),
        place,
        proptest::option::of(inside("g", 4096)),
        number(2),
        0..4_u8,
    )
        .prop_map(|(guard, place, source, bare, kind)| {
            let guard = guard.map_or(String::new(), |guard| format!("if ({guard}) "));
            match (kind, source) {
                (0, Some(source)) if place.starts_with('a') || place.starts_with('g') => {
                    format!("{guard}{place} = {source}")
                }
                (1, _) => format!("{guard}{bare}"),
                _ => format!("{guard}{place}"),
            }
        })
}

const DECLARED: &str = "float a[64]; __shared__ float t[32][33], u[3]\nstruct S { float x; char y; double z; }; S p[16];\nfloat4 v[16]; unsigned char c[64]\nconst float *g; int n = 7; const int k = 5\ns = 1, 2, 4 … 32";

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1500), ..ProptestConfig::default() })]

    #[test]
    fn random_texts_agree(
        lines in prop::collection::vec(line(), 1..4),
        block in prop::sample::select(vec![[32, 1, 1], [16, 4, 1], [8, 3, 5], [70, 1, 1]]),
        lanes in prop::sample::select(vec![32_u32, 64, 16]),
        store in any::<bool>(),
        s in prop::sample::select(vec![1_i64, 4, 32]),
    ) {
        let bare = if store { Operation::Store } else { Operation::Load };
        compare(DECLARED, &lines.join("\n"), bare, &launch(block, &[("s", s)]), lanes);
    }
}

/// The texts of the generator are mostly read: the property above compares something.
#[test]
fn most_random_texts_are_read() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = line();
    let mut compared = 0;
    for _ in 0..300 {
        let text = strategy.new_tree(&mut runner).expect("a line").current();
        compared += u32::from(compare(
            DECLARED,
            &text,
            Operation::Load,
            &launch([32, 2, 1], &[]),
            32,
        ));
    }
    assert!(compared > 120, "{compared} of 300");
}

proptest! {
    #[test]
    fn any_text_is_read_or_left(declarations in "[a-z0-9 \\[\\]();=+*{},.\n]{0,60}", accesses in "\\PC{0,60}") {
        let _ = compare(&declarations, &accesses, Operation::Load, &launch([32, 1, 1], &[]), 32);
    }
}
