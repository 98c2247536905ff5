//! Whole kernels against the counters of an H200.

use lanescope_lang::{
    Access, ArgumentValue, Budget, End, KernelOptions, Launch, execute, parse_kernel,
};
use lanescope_model::{Device, Operation, Space};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden")
}

fn numbers(value: &Value) -> [u32; 3] {
    std::array::from_fn(|i| u32::try_from(value[i].as_u64().unwrap()).unwrap())
}

/// `in:f32[1024] n=1024`: sizes of buffers and values of numbers.
fn arguments(mut launch: Launch, text: &str) -> Launch {
    for word in text.split_whitespace() {
        if let Some((name, value)) = word.split_once('=') {
            launch = launch.with(name, ArgumentValue::Integer(value.parse().unwrap()));
        } else {
            let (name, rest) = word.split_once(':').unwrap();
            let count = rest.split(['[', ']']).nth(1).unwrap();
            launch = launch.with(name, ArgumentValue::Integer(count.parse().unwrap()));
        }
    }
    launch
}

fn totals(source: &str, options: &KernelOptions, launch: &Launch) -> BTreeMap<&'static str, u64> {
    let parsed = parse_kernel(source, options);
    assert!(
        parsed
            .diagnostics
            .iter()
            .all(|one| one.severity() != lanescope_lang::Severity::Error),
        "{:#?}",
        parsed.diagnostics
    );
    let device = Device::by_id("cc9.0").unwrap();
    let mut sums: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut observe = |access: &Access<'_>| {
        let request = &access.request;
        let mut add = |name, by: u32| *sums.entry(name).or_default() += u64::from(by);
        match (request.space, request.operation) {
            (Space::Shared, operation) => {
                let counts = device.shared_counts(request).unwrap();
                let (wavefronts, conflicts) = match operation {
                    Operation::Load => ("shared_load_wavefronts", "shared_load_bank_conflicts"),
                    Operation::Store => ("shared_store_wavefronts", "shared_store_bank_conflicts"),
                    _ => ("shared_atomic_wavefronts", "shared_atomic_bank_conflicts"),
                };
                add(wavefronts, counts.wavefronts);
                add(conflicts, counts.conflicts);
            }
            (Space::Global, operation) => {
                let counts = device.global_counts(request).unwrap();
                let (requests, sectors) = match operation {
                    Operation::Load => ("global_load_requests", "global_load_sectors"),
                    Operation::Store => ("global_store_requests", "global_store_sectors"),
                    _ => return true,
                };
                add(requests, counts.requests);
                add(sectors, counts.units);
            }
        }
        true
    };
    let started = std::time::Instant::now();
    let outcome = execute(&parsed.program, launch, 32, Budget::default(), &mut observe);
    if std::env::var_os("LANESCOPE_TIMES").is_some() {
        eprintln!(
            "{:24} {:9} requests {:?} {:?}",
            parsed.program.name(),
            outcome.requests,
            started.elapsed(),
            outcome
                .findings
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        );
    }
    assert_eq!(outcome.end, End::Completed);
    sums
}

fn check(file: &str) {
    let text = std::fs::read_to_string(golden().join(file)).unwrap();
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    for row in &rows {
        let source = std::fs::read_to_string(golden().join(row["file"].as_str().unwrap())).unwrap();
        let mut launch = arguments(
            Launch::new(numbers(&row["grid"]), numbers(&row["block"])),
            row["arguments"].as_str().unwrap(),
        );
        launch.dynamic_shared_bytes = row["dynamic_shared_bytes"].as_u64().unwrap_or(0);
        let name = row
            .get("launch")
            .unwrap_or(&row["kernel"])
            .as_str()
            .unwrap();
        let options = KernelOptions {
            kernel: Some(name.to_owned()),
            defines: Vec::new(),
        };
        let sums = totals(&source, &options, &launch);
        for (field, measured) in row["measured"].as_object().unwrap() {
            let exact = field.starts_with("shared_") && !field.ends_with("with_arbitration")
                || field.starts_with("global_") && !field.ends_with("hits");
            let predicted = sums.get(field.as_str()).copied().unwrap_or(0);
            if exact && Some(predicted) != measured.as_u64() {
                wrong.push(format!(
                    "{name}: {field}: predicted {predicted}, measured {measured}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(rows.len() >= 23, "{} kernels", rows.len());
}

#[test]
fn the_published_kernels_cost_what_the_counters_say() {
    check("h200_kernels.json");
}

#[test]
fn more_kernels_cost_what_the_counters_say() {
    check("h200_more_kernels.json");
}
