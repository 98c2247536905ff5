//! WGSL twins of measured kernels cost what the counters of an H200 say of their CUDA twins.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_frontend::{
    Argument, ArgumentValue, Budget, End, KernelOptions, NamedLaunch, Parsed, Program, Severity,
    execute,
};
use lanescope_model::Device;
use lanescope_optimizer::{Pass, Profile, optimize};
use lanescope_tally::{Tally, Totals};
use serde_json::Value;
use std::path::PathBuf;

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden")
}

fn rows() -> Vec<Value> {
    let files = ["h200_kernels.json", "h200_more_kernels.json"];
    let read = |file: &str| std::fs::read_to_string(golden().join(file)).unwrap();
    files
        .iter()
        .flat_map(|file| serde_json::from_str::<Vec<Value>>(&read(file)).unwrap())
        .collect()
}

/// `n=1024` of the CUDA twin is the field `n` of the uniform `params` here.
fn arguments(text: &str) -> Vec<Argument> {
    let numbers = text
        .split_whitespace()
        .filter_map(|word| word.split_once('='));
    numbers
        .map(|(name, value)| Argument {
            name: format!("params.{name}"),
            value: ArgumentValue::Integer(value.parse().unwrap()),
        })
        .collect()
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap()).unwrap()
}

/// The program as the compiler of the CUDA twin makes it, which is what was measured.
fn compiled(source: &str, parsed: Parsed) -> Program {
    let written = parsed.program;
    // Neighbouring accesses of a WGSL text are its own.
    let profile = Profile::NVCC_13_SM_90.without(Pass::Vectorization);
    let profile = profile.without(Pass::RuntimeUnrolling);
    let kernel = optimize(written.lowered().unwrap(), &profile).kernel;
    Program::new(kernel, source, Vec::new())
}

fn totals(row: &Value, source: &str) -> Totals {
    let parsed = lanescope_wgsl::parse(source, &KernelOptions::default());
    let clean = |one: &lanescope_frontend::Diagnostic| one.severity() == Severity::Note;
    assert!(
        parsed.diagnostics.iter().all(clean),
        "{:#?}",
        parsed.diagnostics
    );
    // The page gets it from a worker.
    assert_eq!(Parsed::of_wire(&parsed.to_wire()).as_ref(), Some(&parsed));
    let block: [u32; 3] = std::array::from_fn(|i| number(&row["block"][i]));
    assert_eq!(parsed.program.block(), Some(block));
    let launch = NamedLaunch {
        arguments: arguments(row["arguments"].as_str().unwrap()),
        ..NamedLaunch::new(std::array::from_fn(|i| number(&row["grid"][i])), [1; 3])
    };
    let mut tally = Tally::new(Device::by_id("cc9.0").unwrap());
    let program = compiled(source, parsed);
    let outcome = execute(&program, &launch, 32, Budget::default(), &mut tally);
    assert_eq!(outcome.end, End::Complete);
    // Some of the measured kernels race.
    let wrong = |one: &&lanescope_frontend::Diagnostic| {
        one.severity() == Severity::Error && one.kind.code() != "race"
    };
    assert_eq!(outcome.findings.iter().find(wrong), None);
    tally.totals()
}

#[test]
fn wgsl_twins_cost_what_the_counters_say() {
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for row in rows() {
        let stem = PathBuf::from(row["file"].as_str().unwrap());
        let stem = stem.file_stem().unwrap().to_str().unwrap().to_owned();
        let Ok(source) = std::fs::read_to_string(golden().join(format!("wgsl/{stem}.wgsl"))) else {
            continue;
        };
        seen += 1;
        let sums = totals(&row, &source);
        for (field, predicted) in sums.named() {
            let measured = &row["measured"][field];
            if measured
                .as_u64()
                .is_some_and(|measured| measured != predicted)
            {
                wrong.push(format!("{stem}: {field}: {predicted}, measured {measured}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let files = std::fs::read_dir(golden().join("wgsl")).unwrap().count();
    assert_eq!(seen, files);
}
