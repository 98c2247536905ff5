//! Ten Triton kernels for compute capability 10.0 (`tests/golden/triton/kernels.py`): each ends, counted or with what is not
//! modelled named.

use crate::run::lanescope;
use serde_json::Value;
use std::path::PathBuf;

/// A kernel and the values of its sizes, by their places among the parameters' bytes.
const KERNELS: [(&str, &[&str]); 10] = [
    ("softmax", &["@0x10=256"]),
    ("layer_norm", &["@0x20=256"]),
    ("add", &["@0x18=16384"]),
    ("matmul", &["@0x18=512", "@0x1c=128", "@0x20=256"]),
    ("matmul_small", &["@0x18=256"]),
    ("matmul_tma", &["@0x18=512", "@0x1c=128", "@0x20=256"]),
    ("copy_tma", &["@0x10=128", "@0x14=128"]),
    ("flash", &["@0x20=512"]),
    ("transpose", &["@0x10=128", "@0x14=128"]),
    ("histogram", &["@0x10=16384"]),
];

fn counted(name: &str, kind: &str, sizes: &[&str]) -> Value {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/triton");
    let text = std::fs::read(folder.join(format!("{name}.{kind}"))).expect("a listing");
    let mut args = vec!["kernel", "-", "--device", "cc10.0", "--grid", "8,8"];
    args.extend(["--block", "128", "--dynamic-shared", "32768"]);
    args.extend(["--max-seconds", "60", "--format", "json"]);
    for size in sizes {
        args.extend(["--arg", size]);
    }
    let ran = lanescope(&args, &text);
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{name}.{kind}: {}", ran.err))
}

/// Why an answer is not fully counted has to name an instruction that is not modelled: not a limit of time or of steps.
fn names_what_is_not_modelled(answer: &Value) -> bool {
    let reasons = answer["reasons"].as_array().expect("a list");
    let mut partial = reasons.iter().filter(|one| one["status"] == "partial");
    partial.all(|one| {
        let message = one["message"].as_str().unwrap_or_default();
        message.contains("which is not modelled")
    })
}

#[test]
fn each_ends_counted_or_with_what_is_not_modelled() {
    for (name, sizes) in KERNELS {
        for kind in ["ptx", "sass"] {
            let answer = counted(name, kind, sizes);
            let status = answer["status"].as_str().expect("a word");
            let reasons = &answer["reasons"];
            assert!(
                ["counted", "assumed", "partial"].contains(&status),
                "{name}.{kind}: {status}"
            );
            assert!(
                names_what_is_not_modelled(&answer),
                "{name}.{kind}: {reasons}"
            );
        }
    }
}

#[test]
fn global_memory_costs_the_same_as_ptx_and_as_sass() {
    for (name, sizes) in KERNELS
        .into_iter()
        .filter(|(name, _)| !name.ends_with("tma"))
    {
        let [ptx, sass] = ["ptx", "sass"].map(|kind| counted(name, kind, sizes));
        for total in [
            "global_load_sectors",
            "global_store_sectors",
            "global_atomic_sectors",
            "global_reduction_sectors",
        ] {
            assert_eq!(ptx["totals"][total], sass["totals"][total], "{name}");
        }
        assert!(
            sass["totals"]["global_load_sectors"].as_u64() > Some(0),
            "{name}"
        );
    }
}
