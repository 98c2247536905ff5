//! `lanescope fix --compile`: what is counted in the SASS of a source and of its fixes.

use crate::check_compile::{NVCC, bench, lanescope_at};
use crate::run::{golden, lanescope};
use serde_json::Value;

const LAUNCH: [&str; 11] = [
    "--kernel",
    "transpose",
    "--grid",
    "4,4",
    "--block",
    "32,8",
    "--arg",
    "width=128",
    "-D",
    "TILE=32",
    "--format=json",
];

/// Our nvcc gives one object of every text, so each fix that keeps the launch is counted as the source is.
#[test]
fn every_fix_is_compiled_and_counted() {
    let bench = bench(NVCC);
    let run = |before: &[&str]| {
        let ran = lanescope_at(&bench, &[before, &LAUNCH].concat());
        let json: Value = serde_json::from_str(&ran.out).unwrap_or_default();
        assert!(json.is_object(), "{}{}", ran.out, ran.err);
        json
    };
    let kernel = run(&["kernel", "transpose.cu", "--compile"]);
    let sum = |unit: &str| -> u64 {
        let totals = kernel["totals"].as_object().expect("totals").iter();
        let of_unit = totals.filter(|(name, _)| name.ends_with(unit));
        of_unit.filter_map(|(_, count)| count.as_u64()).sum()
    };
    let fixes = run(&["fix", "transpose.cu", "--compile"]);
    let now = &fixes["sass"]["now"];
    assert_eq!(now["wavefronts"], sum("_wavefronts"), "{now}");
    assert_eq!(now["sectors"], sum("_sectors"), "{now}");
    let issued = &kernel["divergence"]["warp_instructions"];
    assert!(issued.is_u64(), "{kernel}");
    assert_eq!(&now["instructions"], issued);
    let integers = now["integer_instructions"].as_u64();
    assert!(
        integers.is_some_and(|count| count > 0) && integers < issued.as_u64(),
        "{now}"
    );
    let offered = fixes["fixes"].as_array().expect("fixes");
    let counted = fixes["sass"]["fixes"].as_array().expect("counts");
    assert!(!offered.is_empty());
    assert_eq!(counted.len(), offered.len());
    for (fix, counted) in offered.iter().zip(counted) {
        if fix["launch_options"].is_null() {
            assert_eq!(counted, now, "{fix}");
        }
    }
}

#[test]
fn the_table_has_the_compilers_columns() {
    let bench = bench(NVCC);
    let (launch, _) = LAUNCH.split_at(LAUNCH.len() - 1);
    let ran = lanescope_at(
        &bench,
        &[&["fix", "transpose.cu", "--compile"], launch].concat(),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for column in ["index + (estimate)", "SASS wavefronts", "integer"] {
        assert!(ran.out.contains(column), "{column}: {}", ran.out);
    }
}

#[test]
fn a_source_that_nvcc_refuses_is_an_error() {
    let bench = bench("echo 'kernel.cu(5): error: no' >&2; exit 2");
    let (launch, _) = LAUNCH.split_at(LAUNCH.len() - 1);
    let ran = lanescope_at(
        &bench,
        &[&["fix", "transpose.cu", "--compile"], launch].concat(),
    );
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("error: no"), "{}", ran.err);
}

/// A listing with its source beside: the costliest line is named, and the fix of what it touches is the first.
#[test]
fn a_listing_leads_to_the_fixes_of_its_source() {
    let source = golden("compiled/transpose.cu");
    let listing = golden("compiled/transpose.sm_90.nvdisasm");
    let (launch, json) = LAUNCH.split_at(LAUNCH.len() - 1);
    let fix = |more: &[&str]| {
        let all = [
            "fix",
            listing.to_str().unwrap(),
            "--source",
            source.to_str().unwrap(),
        ];
        lanescope(&[&all, launch, more].concat(), b"")
    };
    let ran = fix(&[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let said = "transpose.cu:12 wastes most of the compiled code: ";
    let first = ran.out.lines().next().unwrap_or_default();
    assert!(
        first.contains(said) && first.contains("shared wavefronts, ideal"),
        "{}",
        ran.out
    );
    let ran = fix(json);
    assert!(ran.err.contains(said), "{}", ran.err);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(found["fixes"][0]["array"], "tile", "{}", ran.out);
}

#[test]
fn a_listing_without_lines_of_the_source_is_refused() {
    let source = golden("compiled/transpose.cu");
    let listing = golden("compiled/transpose.sm_90.sass");
    let (launch, _) = LAUNCH.split_at(LAUNCH.len() - 1);
    let all = [
        "fix",
        listing.to_str().unwrap(),
        "--source",
        source.to_str().unwrap(),
    ];
    let ran = lanescope(&[&all, launch].concat(), b"");
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(ran.err.contains("compile with -lineinfo"), "{}", ran.err);
}
