//! Any text is read as a kernel and as an expression, and what was read runs within its budget; where blocks are proved
//! alike, they are.
#![no_main]

use lanescope_lang::{Access, Blocks, Budget, End, KernelOptions, Launch, Likeness, Limit, Program, execute, execute_compared, parse_expression, parse_kernel};
use lanescope_tally::Tally;
use lanescope_model::{Device, Operation};
use libfuzzer_sys::fuzz_target;

const BUDGET: u64 = 500;

fuzz_target!(|source: &str| {
    let launch = Launch::new([2, 1, 1], [40, 2, 1]);
    let budget = Budget { requests: BUDGET, steps: 20_000, bytes: 16 << 20, ..Budget::default() };
    let kernel = parse_kernel(source, &KernelOptions::default());
    let (declarations, accesses) = source.split_once('\n').unwrap_or(("", source));
    let expression = parse_expression(declarations, accesses, Operation::Store);
    for parsed in [kernel, expression] {
        let mut seen = 0;
        let outcome = execute(&parsed.program, &launch, 32, budget, &mut |access: &Access<'_>| {
            seen += 1;
            assert!(!access.request.active.is_empty());
            true
        });
        assert_eq!(seen, outcome.requests);
        assert!(outcome.requests <= BUDGET);
        if outcome.requests < BUDGET {
            assert_ne!(outcome.end, End::Stopped(Limit::Requests));
        }
        for one in parsed.diagnostics.iter().chain(&outcome.findings) {
            assert!(!one.to_string().is_empty());
        }
        extrapolates(&parsed.program, &launch, budget);
    }
});

/// What the first of two blocks costs, twice, is what both cost, if they are proved alike.
fn extrapolates(program: &Program, launch: &Launch, budget: Budget) {
    let device = <&Device>::default();
    let mut first = Tally::new(device);
    let blocks = Blocks::First(1);
    let (_, likeness) = execute_compared(program, &Launch { blocks, ..launch.clone() }, device, budget, &mut first);
    if likeness == Likeness::Unproved {
        return;
    }
    let lines = |blocks: Blocks| {
        let launch = Launch { blocks, ..launch.clone() };
        let mut tally = Tally::new(device);
        let outcome = execute(program, &launch, device.warp_lanes(), budget, &mut tally);
        (outcome.end == End::Completed).then(|| tally.lines(program))
    };
    let (Some(one), Some(both)) = (lines(Blocks::First(1)), lines(Blocks::All)) else {
        return;
    };
    assert_eq!(one.len(), both.len());
    for ((line, kind, one), (other_line, other_kind, both)) in one.iter().zip(&both) {
        assert_eq!((line, kind), (other_line, other_kind));
        let numbers = [
            (one.requests, both.requests),
            (one.wavefronts, both.wavefronts),
            (one.conflicts, both.conflicts),
            (one.sectors, both.sectors),
            (one.ideal_sectors, both.ideal_sectors),
        ];
        assert!(numbers.iter().all(|(one, both)| 2 * one == *both), "line {line}: {one:?}, {both:?}");
    }
}
