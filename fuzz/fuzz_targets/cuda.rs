//! Any text as a CUDA kernel: translated as written it is valid, what the compiler's model makes of it is valid too, and
//! both run within their budget. The passes have a clock, as every command has: what comes after its end counts.
#![no_main]

use lanescope_cuda::parse_kernel;
use lanescope_frontend::{Access, Budget, KernelOptions, NamedLaunch, Program, execute};
use lanescope_optimizer::{Profile, optimize_while};
use lanescope_query::WORK;
use libfuzzer_sys::fuzz_target;
use std::time::{Duration, Instant};

const BUDGET: u64 = 500;

/// How long the passes may take.
const CLOCK: Duration = Duration::from_secs(2);

fuzz_target!(|source: &str| {
    let parsed = parse_kernel(source, &KernelOptions::default());
    let Some(written) = parsed.program.lowered().cloned() else {
        return;
    };
    assert_eq!(written.verify(), Ok(()));
    let end = Instant::now() + CLOCK;
    let profile = Profile::NVCC_13_SM_90;
    let optimized = optimize_while(&written, &profile, WORK, move || Instant::now() < end);
    assert_eq!(optimized.kernel.verify(), Ok(()));
    let launch = NamedLaunch::new([2, 1, 1], [40, 2, 1]);
    let budget = Budget {
        requests: BUDGET,
        steps: 20_000,
        bytes: 16 << 20,
        ..Budget::default()
    };
    for kernel in [written, optimized.kernel] {
        let program = Program::new(kernel, source, Vec::new());
        let outcome = execute(&program, &launch, 32, budget, &mut |access: &Access<'_>| {
            assert!(!access.request.active.is_empty());
            true
        });
        assert!(outcome.requests <= BUDGET);
    }
});
