//! Compiled code: from standard input, as objects, and where there is no tool to disassemble it.

use crate::run::{golden, lanescope};
use serde_json::Value;
use std::process::Command;

const CUBIN: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../object/tests/data/tables_sm_80.cubin"
);

/// Runs with nothing installed.
fn bare(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_lanescope"))
        .args(args)
        .env_clear()
        .env("PATH", env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the binary starts");
    let said = String::from_utf8(output.stderr).expect("text");
    (output.status.code(), said)
}

#[test]
fn without_tools_one_line_says_how_to_get_them() {
    if std::path::Path::new("/usr/local/cuda/bin").is_dir() {
        return;
    }
    let source = golden("compiled/transpose.cu");
    let source = source.to_str().expect("a path");
    let (code, said) = bare(&["kernel", source, "--compile", "--block", "32"]);
    assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
    assert!(
        said.contains("no nvcc") && said.contains("pip install"),
        "{said}"
    );
    let (code, said) = bare(&["kernel", CUBIN, "--block", "32"]);
    assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
    assert!(
        said.contains("no nvdisasm") && said.contains("pip install"),
        "{said}"
    );
}

#[test]
fn standard_input_is_read_as_any_format() {
    let args = [
        "kernel", "-", "--grid", "1", "--block", "32,32", "--format", "json",
    ];
    let listing = std::fs::read(golden("compiled/transpose.sm_90.sass")).expect("a listing");
    let ran = lanescope(&[&args[..], &["--kernel", "transpose"]].concat(), &listing);
    assert!(
        ran.out.contains("\"opcode\": \"LDS"),
        "{}{}",
        ran.out,
        ran.err
    );
    let wgsl = b"@group(0) @binding(0) var<storage, read_write> a: array<f32>;\n\
        @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32) { a[i] = 1.0; }";
    let ran = lanescope(&args, wgsl);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("\"global_store_sectors\": 4"),
        "{}",
        ran.out
    );
}

#[test]
fn what_is_not_read_is_said_in_one_sentence() {
    let torn = std::fs::read(CUBIN).expect("a cubin");
    for (input, word) in [
        (
            &b"s_load_dwordx2 s[0:1], s[4:5], 0x0\ns_endpgm\n"[..],
            "AMD",
        ),
        (
            b"/* 0x00000a00ff017b82 */\n/* 0x000fe20000000800 */\n",
            "encodings",
        ),
        (&torn[..5000], "cut off"),
    ] {
        let ran = lanescope(&["kernel", "-", "--block", "32"], input);
        assert_eq!(
            (ran.code, ran.err.lines().count()),
            (Some(1), 1),
            "{}",
            ran.err
        );
        assert!(ran.err.contains(word), "{}", ran.err);
    }
}

#[test]
fn a_prediction_stands_beside_the_compiled_code() {
    let [source, listing] = ["compiled/transpose.cu", "compiled/transpose.sm_90.nvdisasm"]
        .map(|name| golden(name).to_str().expect("a path").to_owned());
    let args = [
        "--grid",
        "4,4",
        "--block",
        "32,8",
        "--kernel",
        "transpose",
        "--arg",
        "width=128",
    ];
    let against = ["kernel", &source, "--against", &listing, "--format", "json"];
    let ran = lanescope(&[&against[..], &args].concat(), b"");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let said: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let totals = said["totals"].as_array().expect("totals");
    assert!(totals.len() >= 4, "{}", ran.out);
    for total in totals {
        assert_eq!(total["source"], total["compiled"], "{total}");
    }
    let against = ["kernel", &source, "--against", &source];
    let ran = lanescope(&[&against[..], &args].concat(), b"");
    assert!(ran.err.contains("is no compiled code"), "{}", ran.err);
}

#[test]
fn parameters_that_nobody_gave_are_inferred() {
    let listing = "/*0000*/ S2R R6, SR_TID.X ;\n/*0010*/ LDC.64 R2, c[0x0][0x210] ;\n\
        /*0020*/ ULDC.64 UR4, c[0x0][0x208] ;\n/*0030*/ IMAD.WIDE.U32 R2, R6, 0x8, R2 ;\n\
        /*0040*/ STG.E desc[UR4][R2.64], R6 ;\n/*0050*/ EXIT ;\n";
    let args = ["kernel", "-", "--block", "32", "--format", "json"];
    let ran = lanescope(&args, listing.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("\"global_store_sectors\": 8"),
        "{}",
        ran.out
    );
}

/// PTX of a sum of `ty` in shared memory.
fn shared_sum(ty: &str) -> String {
    format!(
        ".version 8.5\n.target sm_90\n.address_size 64\n\
         .visible .entry k() {{\n\
         .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .f32 %f<2>; .reg .f64 %fd<2>;\n\
         .shared .align 8 .b8 sums[256];\n\
         mov.u32 %r1, %tid.x;\n\
         shl.b32 %r2, %r1, 3;\n\
         mov.u32 %r3, sums;\n\
         add.s32 %r2, %r2, %r3;\n\
         red.shared.add.{ty} [%r2], {};\n\
         ret;\n}}\n",
        if ty.starts_with('f') {
            "0f3F800000"
        } else {
            "1"
        }
    )
}

#[test]
fn a_loop_of_compare_and_swap_in_one_instruction_of_ptx_is_said() {
    let args = ["kernel", "-", "--block", "32", "--format", "json"];
    for (ty, status, atomic_wavefronts) in [
        ("u32", "counted", 2),
        ("f32", "assumed", 4),
        // No two lanes meet in a bank: one round, as an H200 counts a sum of doubles of each thread's own.
        ("u64", "counted", 4),
    ] {
        let ran = lanescope(&args, shared_sum(ty).as_bytes());
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(json["status"], status, "{ty}: {}", ran.err);
        assert_eq!(
            json["totals"]["shared_atomic_wavefronts"], atomic_wavefronts,
            "{ty}"
        );
        let contention = json["reasons"]
            .as_array()
            .expect("reasons")
            .iter()
            .filter(|reason| reason["code"] == "no-contention")
            .count();
        assert_eq!(contention, usize::from(status == "assumed"), "{ty}");
    }
}

#[test]
fn a_sum_of_pairs_in_global_memory_is_done_by_one_instruction() {
    // The counters of an H200 for such a sum: global atomics, and one of the shared ones for each, which is not counted.
    let listing = golden("compiled/sum_of_pairs.sm_90.sass");
    let listing = listing.to_str().expect("a path");
    let args = ["kernel", listing, "--grid", "2", "--block", "64"];
    let ran = lanescope(&[&args[..], &["--format", "json"]].concat(), b"");
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, &json["status"]), (Some(3), &"partial".into()));
    let total = |name: &str| json["totals"][name].as_u64();
    assert_eq!(total("global_atomic_requests"), Some(4));
    for name in ["global_load_requests", "global_store_requests"] {
        assert_eq!(total(name), Some(0), "{name}");
    }
}

#[test]
fn what_a_block_did_until_the_run_was_cut_is_shown() {
    let listing = golden("compiled/sum_of_doubles.sm_90.sass");
    let listing = listing.to_str().expect("a path");
    let cut = ["--max-requests", "10", "--format", "json"];
    let args = ["kernel", listing, "--grid", "1", "--block", "256"];
    let ran = lanescope(&[&args[..], &cut].concat(), b"");
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, &json["status"]), (Some(3), &"partial".into()));
    let lines = json["lines"].as_array().expect("lines");
    let requests = lines.iter().filter_map(|line| line["requests"].as_u64());
    assert_eq!(requests.sum::<u64>(), 10, "{}", ran.out);
}
