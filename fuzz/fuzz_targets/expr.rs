//! Declarations on the first line and accesses after it: what the small reader of the first paint reads, the language
//! reads as the same requests.
#![no_main]

use lanescope_cuda::parse_expression;
use lanescope_frontend::{Access, Budget, End, NamedLaunch, execute};
use lanescope_model::Operation;
use lanescope_preview::read;
use libfuzzer_sys::fuzz_target;

type Told = (u32, u32, u64, Vec<u64>);

fn told(access: &Access<'_>) -> Told {
    let request = &access.request;
    let addresses = request
        .active
        .iter()
        .filter_map(|lane| request.addresses.get(lane).copied());
    (
        access.site.0,
        access.warp,
        request.active.0,
        addresses.collect(),
    )
}

fuzz_target!(|text: &str| {
    let (declarations, accesses) = text.split_once('\n').unwrap_or(("", text));
    let parsed = parse_expression(declarations, accesses, Operation::Load);
    for one in &parsed.diagnostics {
        assert!(!one.to_string().is_empty());
    }
    let launch = NamedLaunch::new([2, 1, 1], [40, 2, 1]);
    let budget = Budget {
        requests: 2_000,
        steps: 100_000,
        bytes: 16 << 20,
        watched_blocks: 0,
        ..Budget::default()
    };
    let mut whole = Vec::new();
    let outcome = execute(
        &parsed.program,
        &launch,
        32,
        budget,
        &mut |access: &Access<'_>| {
            whole.push(told(access));
            true
        },
    );
    let Some(glance) = read(declarations, accesses, Operation::Load) else {
        return;
    };
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let mut first = Vec::new();
    let count = glance.run(&launch, 32, &mut |access: &Access<'_>| {
        first.push(told(access));
        true
    });
    if count.is_some() && outcome.end == End::Complete {
        assert_eq!(first, whole);
    }
});
