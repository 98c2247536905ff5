//! What a macro writes stands all in one place, and counts as what is written out.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_cuda::parse_kernel;
use lanescope_frontend::{Budget, KernelOptions, NamedLaunch, execute};
use lanescope_model::Device;
use lanescope_syntax::bundle;
use lanescope_tally::{Tally, Totals};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// What is told apart by where it stands, or might be.
const ACCESSES: [&str; 4] = [
    "int before; before = atomicMax(&w[0], t); out[t] = before;",
    "atomicMax(&w[0], t); out[t] = 1;",
    "w[t]; out[t] = w[t + 1]; out[t + 1] = w[t] + w[2 * t];",
    "float4 v = ((float4*)out)[t]; out[t] = v.x; w[0] = out[t + 1]; out[t + 1];",
];

/// A text without its comments.
fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = [rest.find("//"), rest.find("/*")]
        .into_iter()
        .flatten()
        .min()
    {
        out += &rest[..at];
        // The line's end stays.
        let (end, taken) = if rest[at..].starts_with("//") {
            ("\n", 0)
        } else {
            ("*/", 2)
        };
        let length = rest[at..]
            .find(end)
            .map_or(rest.len() - at, |end| end + taken);
        rest = &rest[at + length..];
        out.push(' ');
    }
    out + rest
}

/// The same source, the body of its last kernel written by a macro.
fn by_macro(source: &str) -> Option<String> {
    let kernel = source.rfind("__global__")?;
    let start = kernel + source[kernel..].find('{')? + 1;
    let mut depth = 1;
    let end = source[start..].find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    })? + start;
    let body = &source[start..end];
    if body.contains(['#', '\\']) {
        return None;
    }
    let line: Vec<&str> = body.split_whitespace().collect();
    let (before, behind) = (&source[..start], &source[end..]);
    Some(format!(
        "#define WHOLE_BODY {}\n{before} WHOLE_BODY {behind}",
        line.join(" ")
    ))
}

fn counted(source: &str) -> (u64, Totals) {
    let program = parse_kernel(source, &KernelOptions::default()).program;
    let launch = NamedLaunch::new([2, 1, 1], [32, 4, 1]);
    let mut tally = Tally::new(<&Device>::default());
    let budget = Budget {
        requests: 5_000,
        steps: 500_000,
        ..Budget::default()
    };
    let outcome = execute(&program, &launch, 32, budget, &mut tally);
    (outcome.requests, tally.totals())
}

#[test]
fn accesses_of_a_macro_are_told_apart() {
    for body in ACCESSES {
        let source = format!(
            "__global__ void k(int* out) {{ __shared__ int w[512]; int t = threadIdx.x; {body} }}"
        );
        let written_out = counted(&source);
        assert!(written_out.0 > 0);
        assert_eq!(counted(&by_macro(&source).unwrap()), written_out, "{body}");
    }
}

#[test]
fn a_kernel_that_a_macro_writes_counts_the_same() {
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let mut compared = 0;
    for folder in ["kernels", "more_kernels"] {
        for file in fs::read_dir(golden.join(folder)).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "cu") {
                continue;
            }
            let source = without_comments(&fs::read_to_string(&path).unwrap());
            let Some(by_macro) = by_macro(&source) else {
                continue;
            };
            let written_out = counted(&source);
            assert_eq!(counted(&by_macro), written_out, "{}", path.display());
            compared += usize::from(written_out.0 > 0);
        }
    }
    assert!(compared > 50, "{compared} kernels were compared");
}

fn codes(source: &str) -> Vec<&'static str> {
    let parsed = parse_kernel(source, &KernelOptions::default());
    let list = parsed.diagnostics.iter();
    list.map(|one| one.kind.code()).collect()
}

#[test]
fn a_parameter_behind_a_number_sign_is_a_string() {
    let source = "#define SAID(x) said(#x, x)\n\
        __device__ int said(const char* text, int value) { return value; }\n\
        __global__ void k(int* out) { out[SAID(threadIdx.x)] = 1; }";
    assert_eq!(codes(source), Vec::<&str>::new());
    let plain = "__global__ void k(int* out) { out[threadIdx.x] = 1; }";
    assert_eq!(counted(source), counted(plain));
}

#[test]
fn files_given_with_a_source_may_add_as_many_tokens_as_they_have() {
    let header = |name: char| {
        (0..2_000).fold(String::new(), |text, at| {
            text + &format!("__device__ int {name}{at}(int a) {{ return a + 1; }}\n")
        })
    };
    let files: BTreeMap<String, String> = ['a', 'b', 'c']
        .map(|name| (format!("{name}.h"), header(name)))
        .into();
    let kernel = "__global__ void k(int* out) { out[c1999(threadIdx.x)] = 1; }";
    let source = format!("#include \"a.h\"\n#include \"b.h\"\n#include \"c.h\"\n{kernel}");
    assert_eq!(codes(&bundle(&source, &files)), Vec::<&str>::new());
    let over_and_over = "#include \"c.h\"\n".repeat(8) + kernel;
    assert!(codes(&bundle(&over_and_over, &files)).contains(&"too-many-tokens"));
}
