//! Reductions that add when they load and that end in a warp, in several spellings each: both leave the same bytes.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use crate::asked;

use lanescope_fixes::{Advice, FixKind, Proof, Reader, Source, Suggestion, Version};
use lanescope_frontend::{Budget, FinalValues, NamedLaunch};
use lanescope_query::SourceReader;

const GRID: [u32; 3] = [4, 1, 1];
const BLOCK: [u32; 3] = [256, 1, 1];

fn advised(text: &str) -> Advice {
    asked::advised(text, NamedLaunch::new(GRID, BLOCK), &[("n", 1000)])
}

fn found<'a>(advice: &'a Advice, kind: &FixKind, text: &str) -> &'a Suggestion {
    let found = advice
        .suggestions
        .iter()
        .take(2)
        .find(|one| one.kind == *kind);
    found.unwrap_or_else(|| {
        let kinds = advice.suggestions.iter().map(|one| one.kind.to_string());
        panic!("{text}\n{:?} {:?}", kinds.collect::<Vec<_>>(), advice.notes)
    })
}

/// Whether two sources leave the same bytes.
fn agree(advice: &Advice, before: &str, after: &Suggestion) -> bool {
    let read = |text: &str| {
        let parsed = SourceReader::default().read(&Source::kernel(text), Version::Written);
        assert!(
            parsed.diagnostics.is_empty(),
            "{text}\n{:?}",
            parsed.diagnostics
        );
        parsed.program
    };
    let (before, changed) = (read(before), read(&after.source.text()));
    let values = |program, launch| FinalValues::of(program, launch, 32, Budget::default()).unwrap();
    let now = values(&before, &advice.launch);
    values(&changed, &after.launch).are_those_of(&now)
}

/// A sum of `n` numbers of type `T`, a block each, with these steps and this end.
fn sum(of: &str, steps: &str, end: &str) -> String {
    format!(
        "__global__ void sum(const {of}* from, {of}* to, unsigned int n) {{
  __shared__ {of} part[256];
  const unsigned int t = threadIdx.x;
  const unsigned int at = blockIdx.x * blockDim.x + threadIdx.x;
  part[t] = at < n ? from[at] : ({of})0;
  __syncthreads();
  {steps}
  {end}
}}"
    )
}

const LAST: &str = "if (t == 0) to[blockIdx.x] = part[0];";

/// Steps that halve, as people write them.
const STEPS: [&str; 12] = [
    "for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {\n    if (t < s) part[t] += part[t + s];\n    __syncthreads();\n  }",
    "for (int s = blockDim.x >> 1; s >= 1; s /= 2)\n  {\n    if (t < s)\n    {\n      part[t] = part[t] + part[t + s];\n    }\n    __syncthreads();\n  }",
    "int s = blockDim.x / 2;\n  while (s != 0) {\n    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];\n    __syncthreads();\n    s /= 2;\n  }",
    "unsigned int s;\n  for (s = 128; 0 < s; s = s / 2) { if (s > t) { part[t] += part[s + t]; } __syncthreads(); }",
    "for (unsigned int s = blockDim.x / 2; s; s = s >> 1) { __syncthreads(); if (t < s) part[t] = part[t + s] + part[t]; }\n  __syncthreads();",
    "for (unsigned int s = 256 / 2; s > 0; s >>= 1) { if (t < s) { part[(t)] += part[(t) + s]; } __syncthreads(); }",
    "for (unsigned int s = blockDim.x / 2; ; s >>= 1) { if (s == 0) break; if (t < s) part[t] += part[t + s]; __syncthreads(); }",
    "int s = blockDim.x / 2;\n  while (true) {\n    if (!s) { break; }\n    if (t < s) part[t] += part[t + s];\n    __syncthreads();\n    s /= 2;\n  }",
    "for (int s = blockDim.x / 2; ; ) { if (!(s >= 1)) break; if (t < s) part[t] += part[t + s]; __syncthreads(); s >>= 1; }",
    "unsigned int s = blockDim.x / 2;\n  do {\n    if (t < s) part[t] += part[t + s];\n    __syncthreads();\n    s >>= 1;\n  } while (s > 0);",
    "int s = 128;\n  do { if (t < s) { part[t] += part[t + s]; } s /= 2; __syncthreads(); } while (s);",
    "int s = 256 >> 1;\n  while (true) {\n    if (t < s) part[t] += part[t + s];\n    __syncthreads();\n    s /= 2;\n    if (s == 0) break;\n  }",
];

#[test]
fn the_last_steps_become_shuffles() {
    for steps in STEPS {
        for of in ["float", "int", "double", "unsigned long long"] {
            let text = sum(of, steps, LAST);
            let advice = advised(&text);
            let fix = found(&advice, &FixKind::WarpShuffle, &text);
            assert_eq!(fix.proof, Proof::SameResults);
            let [before, after] = fix.totals;
            assert!(after.shared.wavefronts < before.shared.wavefronts, "{text}");
            assert_eq!(before.global, after.global, "{text}");
            assert!(agree(&advice, &text, fix), "{text}");
            let changed = fix.source.text();
            assert!(
                changed.contains("__shfl_down_sync(0xffffffffu, value, offset)"),
                "{changed}"
            );
        }
    }
}

#[test]
fn the_first_step_is_added_while_loading() {
    for steps in STEPS {
        for of in ["float", "int"] {
            let text = sum(of, steps, LAST);
            let advice = advised(&text);
            let fix = found(&advice, &FixKind::FirstAdd, &text);
            let [before, after] = fix.totals;
            assert_eq!(fix.launch.block, [128, 1, 1], "{text}");
            assert_eq!(fix.launch.grid, GRID, "{text}");
            assert!(after.shared.wavefronts < before.shared.wavefronts, "{text}");
            assert_eq!(before.global.units, after.global.units, "{text}");
            assert!(agree(&advice, &text, fix), "{text}");
        }
    }
}

#[test]
fn elements_are_loaded_in_many_ways() {
    let loads = [
        "part[t] = from[blockIdx.x * blockDim.x + threadIdx.x];",
        "int i = threadIdx.x + blockDim.x * blockIdx.x; float own = (i < n) ? from[i] : 0.0f; part[t] = own;",
        "const int i = THREADS * blockIdx.x + t; part[t] = i < n ? from[i] * 2.0f : 0.0f;",
        "int i = blockIdx.x * 256 + t; part[t] = i < n ? from[i] : 0.0f;",
        "unsigned int i = blockIdx.x * blockDim.x + t; part[t] = fabsf(from[i]) + 1.0f;",
        "int i = blockIdx.x * 256 + t; float own = 0.0f; if (i < n) own = from[i]; part[t] = own;",
        "int i = blockIdx.x * 256 + t; part[t] = 0; if (i < n) { part[t] = from[i]; }",
        "int i = blockIdx.x * 256 + t; if (i < n) part[t] = from[i]; else part[t] = 0;",
        "int i = blockIdx.x * 256 + t; float own; own = 1.0f; if (n > i) { own = from[i] + 1; } part[t] = own;",
        // The place is computed where it is used.
        "float own = 0; if (blockIdx.x * blockDim.x + threadIdx.x < n) own = from[blockIdx.x * blockDim.x + threadIdx.x]; part[t] = own;",
        "part[t] = 0; if (blockIdx.x * 256 + t < n) { part[t] = from[t + blockIdx.x * 256]; }",
        "if (n > THREADS * blockIdx.x + t) part[t] = from[THREADS * blockIdx.x + t]; else part[t] = 0;",
        "part[t] = blockIdx.x * blockDim.x + t < n ? from[blockIdx.x * blockDim.x + t] : 0.0f;",
    ];
    for load in loads {
        let text = format!(
            "const int THREADS = 256;
__global__ void sum(const float* from, float* to, int n) {{
  __shared__ float part[256];
  int t = threadIdx.x;
  {load}
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {{ if (t < s) part[t] += part[t + s]; __syncthreads(); }}
  if (!t) to[blockIdx.x] = part[0];
}}"
        );
        let advice = advised(&text);
        let fix = found(&advice, &FixKind::FirstAdd, &text);
        assert!(agree(&advice, &text, fix), "{}", fix.source.text());
    }
}

/// What else is reduced: the largest, bits, and by a function.
#[test]
fn other_operations_are_reduced_too() {
    let steps = [
        "part[t] = fmaxf(part[t], part[t + s]);",
        "part[t] = part[t] > part[t + s] ? part[t] : part[t + s];",
        "part[t] *= part[t + s];",
        "part[t] = least(part[t], part[t + s]);",
    ];
    for step in steps {
        let text = format!(
            "__device__ float least(float a, float b) {{ return a < b ? a : b; }}\n{}",
            sum(
                "float",
                &format!(
                    "for (int s = blockDim.x / 2; s > 0; s >>= 1) {{ if (t < s) {step} __syncthreads(); }}"
                ),
                LAST,
            )
        );
        let advice = advised(&text);
        for kind in [FixKind::WarpShuffle, FixKind::FirstAdd] {
            let fix = found(&advice, &kind, &text);
            assert!(agree(&advice, &text, fix), "{}", fix.source.text());
        }
    }
}

/// Others read what the first thread leaves, or write anew: the warp is waited for.
#[test]
fn what_all_threads_read_is_waited_for() {
    let ends = [
        "to[at] = part[0];",
        "if (t % 32 == 0) to[blockIdx.x * 8 + t / 32] = part[0];",
    ];
    for end in ends {
        let text = sum("float", STEPS[0], end);
        let advice = advised(&text);
        let fix = found(&advice, &FixKind::WarpShuffle, &text);
        let changed = fix.source.text();
        let waits = changed.matches("__syncthreads()").count();
        assert_eq!(
            waits,
            text.matches("__syncthreads()").count() + 1,
            "{changed}"
        );
        assert!(agree(&advice, &text, fix), "{changed}");
    }
}

/// A loop that asks at its end asks before its first turn once a warp is left to shuffles: a block of 64 has no turn then.
#[test]
fn loops_that_ask_at_their_ends_ask_first() {
    for (block, steps) in [(64, STEPS[9]), (64, STEPS[11]), (256, STEPS[9])] {
        let steps = steps.replace("256 >> 1", &format!("{block} >> 1"));
        let text = sum("float", &steps, LAST);
        let launch = NamedLaunch::new(GRID, [block, 1, 1]);
        let advice = asked::advised(&text, launch, &[("n", 200)]);
        let fix = found(&advice, &FixKind::WarpShuffle, &text);
        let changed = fix.source.text();
        let is_first = [
            "while (s > 32) {",
            "while (true) {\n    if (s <= 32) break;",
        ]
        .iter()
        .any(|head| changed.contains(head));
        assert!(is_first && !changed.contains("do {"), "{changed}");
        assert!(agree(&advice, &text, fix), "{changed}");
    }
}

/// What is none of these reductions stays as it is.
#[test]
fn other_loops_stay() {
    let steps = [
        // The other lanes' elements are read later.
        (
            "for (int s = 128; s > 0; s >>= 1) { if (t < s) part[t] += part[t + s]; __syncthreads(); }",
            "to[at] = part[t];",
        ),
        // Every other step is left out.
        (
            "for (int s = 128; s > 0; s >>= 2) { if (t < s) part[t] += part[t + s]; __syncthreads(); }",
            LAST,
        ),
        // Another guard.
        (
            "for (int s = 128; s > 0; s >>= 1) { if (t < s && t + s < n) part[t] += part[t + s]; __syncthreads(); }",
            LAST,
        ),
        // The first turn runs unasked, and whether it would be asked for is not known.
        (
            "int s = n / 2; do { if (t < s) part[t] += part[t + s]; __syncthreads(); s /= 2; } while (s > 0);",
            LAST,
        ),
        // Backwards.
        (
            "for (int s = 128; s > 0; s >>= 1) { if (t < s) part[255 - t] += part[255 - t - s]; __syncthreads(); }",
            LAST,
        ),
    ];
    for (steps, end) in steps {
        let text = sum("float", steps, end);
        let advice = advised(&text);
        let kinds = advice.suggestions.iter().map(|one| &one.kind);
        let mut shuffles = kinds.filter(|kind| **kind == FixKind::WarpShuffle);
        assert_eq!(shuffles.next(), None, "{text}");
    }
}

/// An inner loop that runs over what lanes share keeps it in a register once it is the outer one.
#[test]
fn loops_are_exchanged() {
    let text = "__global__ void k(const float* from, float* to, int n, int m) {
  __shared__ float tile[64][33];
  int t = threadIdx.x;
  for (int i = 0; i < 64; i++) tile[i][t] = from[i * 32 + t];
  __syncthreads();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      to[(j * n + i) * 32 + t] = tile[j][t] * 2.0f;
}";
    let launch = NamedLaunch::new([1, 1, 1], [32, 1, 1]);
    let advice = asked::advised(text, launch, &[("n", 16), ("m", 8)]);
    let fix = found(&advice, &FixKind::LoopOrder, text);
    assert_eq!(fix.snippet, "for (int j = 0; j < m; j++)");
    let changed = fix.source.text();
    assert!(
        changed.contains("for (int j = 0; j < m; j++)\n    for (int i = 0; i < n; i++)"),
        "{changed}"
    );
    assert!(agree(&advice, text, fix), "{changed}");
}
