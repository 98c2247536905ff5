//! Any text is read as WGSL within its caps, and what was read runs within its budget.
#![no_main]

use lanescope_frontend::{Access, Budget, KernelOptions, NamedLaunch, execute};
use lanescope_wgsl::parse;
use libfuzzer_sys::fuzz_target;

const BUDGET: u64 = 500;

fuzz_target!(|source: &str| {
    let parsed = parse(source, &KernelOptions::default());
    for one in &parsed.diagnostics {
        assert!(!one.to_string().is_empty());
    }
    let launch = NamedLaunch::new([2, 1, 1], parsed.program.block().unwrap_or([32, 1, 1]));
    let budget = Budget {
        requests: BUDGET,
        steps: 20_000,
        bytes: 16 << 20,
        ..Budget::default()
    };
    let outcome = execute(
        &parsed.program,
        &launch,
        32,
        budget,
        &mut |access: &Access<'_>| {
            assert!(!access.request.active.is_empty());
            true
        },
    );
    assert!(outcome.requests <= BUDGET);
});
