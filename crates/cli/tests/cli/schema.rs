//! The JSON of `expr` and `kernel`, and questions, against the published schemas.

use crate::run::{golden, lanescope};
use jsonschema::Validator;
use lanescope_query::{Ask, Question, Report, analyse};
use serde_json::{Value, json};
use std::path::PathBuf;

pub(crate) fn schema(name: &str) -> Validator {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../packages/js")
        .join(name);
    let text = std::fs::read_to_string(path).expect("the schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    jsonschema::validator_for(&schema).expect("a schema")
}

fn hold(schema: &Validator, value: &Value, what: &str) {
    let faults: Vec<String> = schema
        .iter_errors(value)
        .map(|fault| format!("{}: {fault}", fault.instance_path))
        .collect();
    assert!(faults.is_empty(), "{what}: {faults:?}");
}

#[test]
fn expressions_follow_the_schema() {
    let report = schema("report.schema.json");
    let cases: [&[&str]; 6] = [
        &[
            "tile[tx][ty]",
            "--decl",
            "float tile[32][32]",
            "--block",
            "32,32",
        ],
        &[
            "a[3*tid]",
            "--decl",
            "__device__ float a[4096]",
            "--device",
            "cc1.0",
        ],
        &[
            "a[3*tid]",
            "--decl",
            "__device__ float a[4096]",
            "--device",
            "cc2.0",
        ],
        &["a[tid]", "--decl", "float a[64]", "--device", "apple"],
        &["lan[tid]", "b[thread]", "--decl", "float lane_[32]"],
        &["("],
    ];
    for args in cases {
        let ran = lanescope(&[&["expr"], args, &["--format", "json"]].concat(), b"");
        let value = serde_json::from_str(&ran.out).expect("JSON");
        hold(&report, &value, &format!("{args:?}"));
    }
}

#[test]
fn kernels_follow_the_schema() {
    let report = schema("report.schema.json");
    let mut files: Vec<PathBuf> = std::fs::read_dir(golden("kernels"))
        .expect("the folder")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cu"))
        .collect();
    files.sort();
    assert!(files.len() > 10, "{}", files.len());
    for file in files {
        let name = file.to_str().expect("a path");
        let launch = ["kernel", name, "--grid", "2", "--block", "64", "--l1"];
        let text = std::fs::read_to_string(&file).expect("the kernel");
        let size: &[&str] = match text.contains("int n)") || text.contains("int n,") {
            true => &["--arg", "n=128"],
            false => &[],
        };
        let ran = lanescope(&[&launch[..], size, &["--format", "json"]].concat(), b"");
        let value = serde_json::from_str(&ran.out).expect("JSON");
        hold(&report, &value, name);
    }
}

#[test]
fn compiled_code_follows_the_same_schema() {
    let report = schema("report.schema.json");
    let mut files: Vec<PathBuf> = std::fs::read_dir(golden("compiled"))
        .expect("the folder")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|kind| kind != "cu"))
        .collect();
    files.sort();
    let kernels = ["transpose", "apart", "either", "switch_table", "sum_of"];
    let mut held = 0;
    for file in files {
        let name = file.to_str().expect("a path");
        for kernel in kernels {
            let args = [
                "kernel", name, "--kernel", kernel, "--grid", "2", "--block", "64", "--format",
                "json",
            ];
            let ran = lanescope(&args, b"");
            let Ok(value) = serde_json::from_str(&ran.out) else {
                continue;
            };
            hold(&report, &value, name);
            held += 1;
        }
    }
    assert!(held >= 8, "{held}");
}

#[test]
fn further_fields_may_come() {
    let report = schema("report.schema.json");
    let ran = lanescope(
        &[
            "expr",
            "a[tid]",
            "--decl",
            "float a[64]",
            "--format",
            "json",
        ],
        b"",
    );
    let mut value: Value = serde_json::from_str(&ran.out).expect("JSON");
    value["further"] = 1.into();
    value["lines"][0]["further"] = 1.into();
    hold(&report, &value, "with further fields");
    value["version"] = 2.into();
    assert!(!report.is_valid(&value));
}

#[test]
fn questions_follow_theirs_and_are_answered() {
    let (question, report) = (schema("question.schema.json"), schema("report.schema.json"));
    let kernel =
        "__global__ void f(float* a, int n) { if (threadIdx.x < n) a[threadIdx.x * K] = 0; }";
    let numbers = json!({"banks": 16, "bank_bits": 32, "lanes": 16, "broadcast": "one", "sector_bytes": 32, "line_bytes": 128});
    let asked = [
        json!({"accesses": "t[2*tid]", "declarations": ["float t[64]"], "operation": "store"}),
        json!({"accesses": ["t[s*tid]"], "declarations": "float t[256]; s = 1, 2, 4", "values": {"s": 4}, "device": numbers}),
        json!({"kernel": kernel, "defines": {"K": 2}, "arguments": {"n": 16, "a": "4096,iota"}, "grid": 2, "block": [64]}),
        json!({"link": "#v=1&e=tile[tx][ty]&d=float tile[32][33]&b=32,32", "max_requests": 100}),
    ];
    for value in asked {
        hold(&question, &value, "the question");
        let ask: Ask = serde_json::from_value(value).expect("a question");
        let max_requests = ask.max_requests();
        let state = ask.state().expect("a state");
        let analysis = analyse(Question::of(&state, max_requests).expect("it can be asked"));
        let answer = serde_json::to_value(Report::of(&analysis)).expect("JSON");
        hold(&report, &answer, "the answer");
    }
    let refused = [
        json!({}),
        json!({"accesses": "a", "kernel": "b"}),
        json!({"accesses": "a", "block": [0]}),
        json!({"accesses": "a", "block": [1, 1, 1, 1]}),
        json!({"accesses": "a", "colour": 1}),
        json!({"accesses": 1}),
        json!({"accesses": "a", "operation": "both"}),
    ];
    for value in refused {
        assert!(!question.is_valid(&value), "{value}");
        let state = serde_json::from_value::<Ask>(value.clone()).map(Ask::state);
        assert!(!matches!(state, Ok(Ok(_))), "{value}");
    }
}
