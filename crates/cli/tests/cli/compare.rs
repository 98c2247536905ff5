//! `lanescope compare` with exports from an H200 (`tests/golden/profiler/README.md`).

use crate::run::{Ran, golden, lanescope};
use serde_json::Value;
use std::collections::BTreeSet;

fn compare(files: &[&str], options: &[&str]) -> Ran {
    let paths: Vec<String> = files
        .iter()
        .map(|name| golden("profiler").join(name).display().to_string())
        .collect();
    let mut args = vec!["compare"];
    args.extend(paths.iter().map(String::as_str));
    args.extend(options);
    lanescope(&args, b"")
}

fn json(files: &[&str], options: &[&str]) -> (Option<i32>, Value) {
    let ran = compare(files, &[options, &["--format", "json"]].concat());
    let value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("no JSON: {}", ran.err));
    (ran.code, value)
}

/// Rows of a table whose difference is not `difference`.
fn others<'v>(value: &'v Value, table: &str, difference: &str) -> Vec<&'v Value> {
    let rows = value[table].as_array().expect("rows").iter();
    rows.filter(|row| row["difference"] != difference).collect()
}

/// Kernels of `tests/golden` that have every opcode of memory in them which is counted by address, each with the launch
/// that was measured.
#[test]
fn every_opcode_of_memory_is_predicted_instruction_by_instruction() {
    let launches = golden("profiler").join("opcodes_launches.jsonl");
    let text = std::fs::read_to_string(&launches).expect("the launches");
    let mut opcodes = BTreeSet::new();
    for (at, line) in text.lines().enumerate() {
        let launch: Value = serde_json::from_str(line).expect("a launch");
        let kernel = launch["kernel"].as_str().expect("a name");
        let recorded = format!("{}#{}", launches.display(), at + 1);
        let (code, value) = json(
            &["opcodes_source_sass.csv", "opcodes_raw.csv"],
            &["--kernel", kernel, "--launch", &recorded],
        );
        assert_eq!(
            (code, &value["status"]),
            (Some(0), &Value::from("counted")),
            "{kernel}"
        );
        let wrong = others(&value, "instructions", "equal");
        assert_eq!(wrong, [&Value::Null; 0], "{kernel}");
        for row in value["totals"].as_array().expect("totals") {
            let difference = row["difference"].as_str().expect("a difference");
            let is_explained = matches!(difference, "equal" | "arbitration" | "not-measured");
            assert!(is_explained, "{kernel}: {row}");
        }
        for row in value["instructions"].as_array().expect("instructions") {
            let text = row["instruction"].as_str().expect("an instruction");
            let mut words = text
                .split_whitespace()
                .filter(|word| !word.starts_with('@'));
            opcodes.extend(words.next().map(str::to_owned));
        }
    }
    assert_eq!(opcodes.len(), 46, "{opcodes:?}");
}

#[test]
fn sass_of_the_source_page_is_predicted_instruction_by_instruction() {
    let size = ["--arg", "2=128", "--arg", "3=128"];
    for (kernel, options, instructions) in [
        ("transpose_naive", &size[..], 2),
        ("transpose_padded", &size, 4),
        ("transpose_swizzled", &size, 4),
        ("reduce_interleaved", &[], 27),
        ("scale_strided", &["--arg", "1=2.0f", "--arg", "2=4"], 2),
        (
            "transpose_tiled",
            &["--nth", "1", "--arg", "2=128", "--arg", "3=128"],
            4,
        ),
        (
            "transpose_tiled",
            &["--nth", "2", "--arg", "2=64", "--arg", "3=64"],
            4,
        ),
    ] {
        let options = [&["--kernel", kernel], options].concat();
        let (code, value) = json(&["source_sass.csv", "raw.csv"], &options);
        assert_eq!(
            (code, &value["status"]),
            (Some(0), &Value::from("counted")),
            "{kernel}"
        );
        assert_eq!(
            others(&value, "totals", "equal"),
            [&Value::Null; 0],
            "{kernel}"
        );
        assert_eq!(
            others(&value, "instructions", "equal"),
            [&Value::Null; 0],
            "{kernel}"
        );
        let rows = value["instructions"].as_array().expect("rows");
        assert_eq!(rows.len(), instructions, "{kernel}");
        assert!(
            rows.iter().all(|row| row["measured"].as_u64() > Some(0)),
            "{kernel}"
        );
    }
}

#[test]
fn what_hangs_on_data_is_told_apart() {
    for (kernel, options, instruction) in [
        (
            "histogram",
            &["--arg", "2=16384"][..],
            "ATOMS.POPC.INC.32 RZ, [R5+URZ]",
        ),
        ("gather", &[], "LDG.E R5, desc[UR4][R4.64]"),
    ] {
        let options = [&["--kernel", kernel], options].concat();
        let (code, value) = json(&["source_sass.csv", "raw.csv"], &options);
        assert_eq!(
            (code, &value["status"]),
            (Some(0), &Value::from("assumed")),
            "{kernel}"
        );
        let different = others(&value, "instructions", "equal");
        assert_eq!(different.len(), 1, "{kernel}");
        assert_eq!(different[0]["instruction"], instruction);
        assert_eq!(different[0]["difference"], "data");
        let totals = others(&value, "totals", "equal");
        assert!(
            totals.len() == 1 && totals[0]["difference"] == "data",
            "{kernel}"
        );
    }
}

#[test]
fn a_source_or_ptx_is_predicted_by_total() {
    let size = [
        "--kernel",
        "transpose_padded",
        "--arg",
        "nx=128",
        "--arg",
        "ny=128",
    ];
    for files in [
        &["raw.csv", "kernels.cu"],
        &["raw_base_units.csv", "source_cuda.csv"],
    ] {
        let (code, value) = json(files, &size);
        assert_eq!(code, Some(0));
        assert_eq!(others(&value, "totals", "equal"), [&Value::Null; 0]);
        assert_eq!(value["totals"].as_array().map(Vec::len), Some(6));
    }
    let (code, value) = json(
        &["raw.csv", "source_ptx.csv"],
        &["--kernel", "reduce_interleaved"],
    );
    assert_eq!(
        (code, others(&value, "totals", "equal").len()),
        (Some(0), 0)
    );
}

#[test]
fn a_difference_that_nothing_explains_has_its_own_exit_status() {
    // Another launch's arguments: rows lie elsewhere, and the strided side asks for other sectors.
    let (code, value) = json(
        &["source_sass.csv", "raw.csv"],
        &[
            "--kernel",
            "scale_strided",
            "--arg",
            "1=2.0f",
            "--arg",
            "2=1",
        ],
    );
    assert_eq!(code, Some(4));
    let different = others(&value, "totals", "equal");
    assert!(!different.is_empty() && different.iter().all(|row| row["difference"] == "not-known"));
}

#[test]
fn bad_input_is_one_clear_sentence() {
    for (files, options, expected) in [
        (
            &["raw.csv"][..],
            &["--kernel", "gather"][..],
            "the export holds no code",
        ),
        (
            &["raw.csv", "kernels.cu"],
            &[],
            "the export has several kernels; choose one: `transpose_naive(",
        ),
        (
            &["raw.csv", "kernels.cu"],
            &["--kernel", "scan"],
            "no kernel `scan` in the export; it has `transpose_naive(",
        ),
        (
            &["raw.csv", "kernels.cu"],
            &["--kernel", "transpose_tiled"],
            "`transpose_tiled(const float *, float *, int, int)` was launched 2 times; choose one from 1 to 2",
        ),
        (
            &["source_sass.csv"],
            &["--kernel", "gather"],
            "the export says no grid and block",
        ),
        (
            &["kernels.cu"],
            &[],
            "no table of Nsight Compute's CSV pages in it; export one with `ncu ",
        ),
        (
            &["source_cuda.csv", "kernels.cu"],
            &["--kernel", "gather"],
            "no kernel `gather` in the export",
        ),
    ] {
        let ran = compare(files, options);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{files:?}");
        assert!(ran.err.contains(expected), "{files:?}: {}", ran.err);
    }
}

#[test]
fn counters_that_are_missing_are_named_with_their_command() {
    let export = "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"gpu__time_duration.sum\"\n\
                  \"0\",\"copy(float *)\",\"(32, 1, 1)\",\"(1, 1, 1)\",\"9.0\",\"1,024\"\n";
    let source = std::env::temp_dir().join(format!("lanescope-compare-{}.cu", std::process::id()));
    std::fs::write(
        &source,
        "__global__ void copy(float* a) { a[threadIdx.x] = 1; }",
    )
    .expect("a file");
    let ran = lanescope(
        &["compare", "-", source.to_str().expect("a path")],
        export.as_bytes(),
    );
    std::fs::remove_file(&source).expect("the file");
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains(
            "ncu --csv --page raw --metrics l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,"
        ),
        "{}",
        ran.err
    );
}

#[test]
fn what_is_printed_for_people_is_measured_alone_or_beside_code() {
    let alone = compare(&["details.txt"], &[]);
    assert_eq!(alone.code, Some(3), "{}", alone.err);
    let sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
    let row = alone.out.lines().find(|line| line.starts_with(sectors));
    assert!(
        row.is_some_and(|row| row.ends_with("16,384")),
        "{}",
        alone.out
    );
    let (code, value) = json(
        &["details.txt", "kernels.cu"],
        &["--arg", "nx=128", "--arg", "ny=128"],
    );
    assert_eq!(code, Some(0), "{value}");
    assert_eq!(others(&value, "totals", "equal"), [&Value::Null; 0]);
}
