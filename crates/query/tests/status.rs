//! What makes an answer counted, and what does not.

use lanescope_cuda::parse_kernel;
use lanescope_frontend::{Blocks, Budget, KernelOptions, NamedLaunch, execute};
use lanescope_tally::{Evidence, Reason, Standing, Status, Tally, standing};

fn standing_of(source: &str, launch: &NamedLaunch, budget: Budget) -> Standing {
    let parsed = parse_kernel(source, &KernelOptions::default());
    let outcome = execute(
        &parsed.program,
        launch,
        32,
        budget,
        &mut |_: &lanescope_frontend::Access<'_>| true,
    );
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(outcome.findings.iter().cloned());
    standing(&Evidence {
        diagnostics: &diagnostics,
        outcome: Some(&outcome),
        ..Evidence::default()
    })
}

fn keys(source: &str) -> (Status, Vec<&'static str>) {
    let launch = NamedLaunch::new([2, 1, 1], [32, 1, 1]);
    let standing = standing_of(source, &launch, Budget::default());
    let keys = standing.reasons.iter().map(Reason::key).collect();
    (standing.status, keys)
}

#[test]
fn a_kernel_that_is_read_and_run_whole_is_counted() {
    let source = "__global__ void k(float *a) { a[threadIdx.x] = 1; }";
    assert_eq!(keys(source), (Status::Counted, vec![]));
}

#[test]
fn assumptions_are_named() {
    for (source, key) in [
        (
            "__global__ void k(float *a, int n) { if (threadIdx.x < n) a[0] = 1; }",
            "argument",
        ),
        (
            "template <int N> __global__ void k(float *a) { a[N] = 1; }",
            "template-argument",
        ),
        (
            "__global__ void k(float *a, int *b) { a[b[threadIdx.x]] = 1; }",
            "contents",
        ),
        (
            "__global__ void k(float *a) { extern __shared__ float s[]; s[0] = a[0]; }",
            "dynamic-shared",
        ),
        (
            "__global__ void k(float a) { __shared__ float s[1]; atomicAdd(&s[0], 1.0f); }",
            "no-contention",
        ),
    ] {
        let (status, found) = keys(source);
        assert_eq!(status, Status::Assumed, "{source}");
        assert!(found.contains(&key), "{source}: {found:?}");
    }
}

/// Whether the loops of `source` are counted, in a launch of one block of two warps.
fn counts_loops(source: &str) -> bool {
    let parsed = parse_kernel(source, &KernelOptions::default());
    let device = lanescope_model::Device::by_id("cc9.0").expect("the device");
    let mut tally = Tally::new(device);
    let launch = NamedLaunch::new([1, 1, 1], [64, 1, 1]);
    execute(&parsed.program, &launch, 32, Budget::default(), &mut tally);
    let single_rounds = tally.contention().single_rounds(&parsed.program);
    let evidence = Evidence {
        diagnostics: &parsed.diagnostics,
        single_rounds: &single_rounds,
        ..Evidence::default()
    };
    standing(&evidence).is_counted()
}

#[test]
fn a_compare_and_swap_loop_of_one_round_is_counted() {
    let of = |index: &str| {
        format!(
            "__global__ void k(float a) {{ __shared__ float s[256]; int t = threadIdx.x; \
             atomicAdd(&s[{index}], a); }}"
        )
    };
    assert!(counts_loops(&of("t")));
    assert!(counts_loops(&of("t ^ 5")));
    // Two lanes on one word, two on one bank, two warps on one word.
    for index in ["t / 2", "t * 2", "t % 32"] {
        assert!(!counts_loops(&of(index)), "{index}");
    }
}

#[test]
fn what_could_not_be_read_is_a_gap() {
    for source in [
        "__global__ void k(float *a) { a[0] = mystery(a); }",
        "__global__ void k(float *a) { a[0] = ; }",
        "__global__ void k(float *a) { printf(\"%f\", a[0]); }",
        "struct S { Unknown u; }; __global__ void k(S *a) { a[0] = a[1]; }",
    ] {
        assert_eq!(keys(source).0, Status::Partial, "{source}");
    }
}

#[test]
fn a_run_that_was_cut_is_partial() {
    let source = "__global__ void k(float *a) { a[threadIdx.x] = 1; }";
    let whole = NamedLaunch::new([8, 1, 1], [32, 1, 1]);
    let some = NamedLaunch {
        blocks: Blocks::First(2),
        ..whole.clone()
    };
    let cut = standing_of(source, &some, Budget::default());
    assert_eq!(cut.reasons, [Reason::Blocks { done: 2, total: 8 }]);
    let budget = Budget {
        requests: 3,
        ..Budget::default()
    };
    let stopped = standing_of(source, &whole, budget);
    assert_eq!(stopped.status, Status::Partial);
}

#[test]
fn gaps_come_before_assumptions() {
    let source = "__global__ void k(float *a, int n) { a[n] = mystery(n); }";
    let (status, found) = keys(source);
    assert_eq!((status, found.first()), (Status::Partial, Some(&"unread")));
}
