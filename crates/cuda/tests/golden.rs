//! Whole kernels against the counters of an H200.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_frontend::{
    ArgumentValue, Budget, End, KernelOptions, NamedLaunch, Severity, SiteId, execute,
};
use lanescope_model::Device;
use lanescope_query::parse_compiled;
use lanescope_tally::{L1View, Tally, l1_bytes};
use std::collections::BTreeMap;

use crate::measured;

use measured::{golden, measured};

fn totals(
    source: &str,
    options: &KernelOptions,
    launch: &NamedLaunch,
) -> BTreeMap<&'static str, u64> {
    let parsed = parse_compiled(source, options);
    assert!(
        parsed
            .diagnostics
            .iter()
            .all(|one| one.severity() != Severity::Error),
        "{:#?}",
        parsed.diagnostics
    );
    let mut tally = Tally::new(Device::by_id("cc9.0").unwrap());
    let outcome = execute(&parsed.program, launch, 32, Budget::default(), &mut tally);
    assert_eq!(outcome.end, End::Complete);
    BTreeMap::from(tally.totals().named())
}

#[test]
fn the_published_kernels_cost_what_the_counters_say() {
    let kernels = measured("h200_kernels.json");
    let mut wrong = Vec::new();
    for kernel in &kernels {
        let sums = totals(&kernel.source, &kernel.options, &kernel.launch);
        for (field, measured) in kernel.row["measured"].as_object().unwrap() {
            let exact = field.starts_with("shared_") && !field.ends_with("with_arbitration")
                || field.starts_with("global_") && !field.ends_with("hits");
            let predicted = sums.get(field.as_str()).copied().unwrap_or(0);
            if exact && Some(predicted) != measured.as_u64() {
                let name = &kernel.name;
                wrong.push(format!(
                    "{name}: {field}: predicted {predicted}, measured {measured}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(kernels.len() >= 23, "{} kernels", kernels.len());
}

/// A published count: over 2^25 floats the interleaved sum makes 35 store conflicts in each of
/// 131,072 blocks, the sequential one none. No block differs from another, so a sixty-fourth of them is run.
#[test]
fn the_published_4587520_conflicts() {
    const OF_BLOCKS: u32 = 64;
    let conflicts = |file: &str| {
        let source = std::fs::read_to_string(golden().join("kernels").join(file)).unwrap();
        let launch = NamedLaunch::new([131_072 / OF_BLOCKS, 1, 1], [256, 1, 1]).with(
            "n",
            ArgumentValue::Integer((1 << 25) / i64::from(OF_BLOCKS)),
        );
        let program = parse_compiled(&source, &KernelOptions::default()).program;
        let mut tally = Tally::new(Device::by_id("cc9.0").unwrap());
        let outcome = execute(&program, &launch, 32, Budget::default(), &mut tally);
        assert!(outcome.exact());
        tally.totals().shared_store_bank_conflicts * u64::from(OF_BLOCKS)
    };
    assert_eq!(conflicts("reduce_interleaved.cu"), 4_587_520);
    assert_eq!(conflicts("reduce_sequential.cu"), 0);
}

/// With caches flushed before the launch, sectors less hits are those that L1 fetches; an H200's
/// has 256 KiB with shared memory. Warps of other blocks share the cache, so only kernels whose
/// blocks have no sector in common are held to the counters.
#[test]
fn an_l1_fetches_the_distinct_sectors_of_each_block() {
    let fetched = |file: &str, grid: [u32; 3], block: [u32; 3]| {
        let source = std::fs::read_to_string(golden().join("kernels").join(file)).unwrap();
        let launch = ["nx", "ny"]
            .iter()
            .fold(NamedLaunch::new(grid, block), |launch, name| {
                launch.with(name, ArgumentValue::Integer(1024))
            });
        let program = parse_compiled(&source, &KernelOptions::default()).program;
        let h200 = Device::by_id("cc9.0").unwrap();
        let mut view = L1View::new(l1_bytes(h200, &program, &launch).unwrap());
        execute(&program, &launch, 32, Budget::default(), &mut view);
        let counts = view.counts();
        assert_eq!(counts.distinct, counts.fetched);
        let of_sites = (0..10).map(|site| view.of_site(SiteId(site)));
        let requested: u64 = of_sites.clone().map(|one| one.requested).sum();
        let fetched: u64 = of_sites.map(|one| one.fetched).sum();
        assert_eq!((requested, fetched), (counts.requested, counts.fetched));
        (counts.requested, counts.fetched)
    };
    assert_eq!(
        fetched("copy_col.cu", [32, 32, 1], [32, 32, 1]),
        (1_048_576, 1_048_576 - 917_504)
    );
    assert_eq!(
        fetched("transpose_naive_col.cu", [32, 32, 1], [32, 32, 1]),
        (1_048_576, 1_048_576 - 917_504)
    );
    assert_eq!(
        fetched("transpose_naive_row.cu", [32, 32, 1], [32, 32, 1]),
        (131_072, 131_072)
    );
    assert_eq!(
        fetched("vec3_aos.cu", [1024, 1, 1], [256, 1, 1]),
        (294_912, 294_912 - 196_608)
    );
    assert_eq!(
        fetched("stencil_1d.cu", [1024, 1, 1], [256, 1, 1]),
        (43_008, 43_008 - 9_216)
    );
}
