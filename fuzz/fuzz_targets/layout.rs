//! Any text is read as a layout; its requests are requests of a warp, and what is drawn and printed of it ends.
#![no_main]

use lanescope_frontend::{Access, Budget, NamedLaunch, execute};
use lanescope_layouts::{parse, snippets};
use lanescope_query::parse_layout;
use libfuzzer_sys::fuzz_target;

const BUDGET: u64 = 500;

fuzz_target!(|text: &str| {
    let document = parse(text);
    for one in &document.diagnostics {
        assert!(!one.fault.to_string().is_empty());
    }
    if let Some(placement) = &document.placement {
        let _ = (
            placement.rows(),
            placement.columns(),
            placement.element_bytes(),
        );
        let _ = snippets(placement);
    }
    let parsed = parse_layout(text);
    let launch = NamedLaunch::new([u32::MAX, 65_535, 65_535], [32, 1, 1]);
    let budget = Budget {
        requests: BUDGET,
        steps: 20_000,
        bytes: 16 << 20,
        ..Budget::default()
    };
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
});
