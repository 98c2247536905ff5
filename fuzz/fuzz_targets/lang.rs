//! Any text is read as a kernel and as an expression, and what was read runs within its budget.
#![no_main]

use lanescope_cuda::{parse_expression, parse_kernel};
use lanescope_frontend::{Access, Budget, End, KernelOptions, NamedLaunch, execute};
use lanescope_model::Operation;
use libfuzzer_sys::fuzz_target;

const BUDGET: u64 = 500;

fuzz_target!(|source: &str| {
    let launch = NamedLaunch::new([2, 1, 1], [40, 2, 1]);
    let budget = Budget {
        requests: BUDGET,
        steps: 20_000,
        bytes: 16 << 20,
        ..Budget::default()
    };
    let kernel = parse_kernel(source, &KernelOptions::default());
    let (declarations, accesses) = source.split_once('\n').unwrap_or(("", source));
    let expression = parse_expression(declarations, accesses, Operation::Store);
    for parsed in [kernel, expression] {
        let mut seen = 0;
        let outcome = execute(
            &parsed.program,
            &launch,
            32,
            budget,
            &mut |access: &Access<'_>| {
                seen += 1;
                assert!(!access.request.active.is_empty());
                true
            },
        );
        assert_eq!(seen, outcome.requests);
        assert!(outcome.requests <= BUDGET);
        if outcome.requests < BUDGET {
            assert_ne!(outcome.end, End::Requests);
        }
        for one in parsed.diagnostics.iter().chain(&outcome.findings) {
            assert!(!one.to_string().is_empty());
        }
    }
});
