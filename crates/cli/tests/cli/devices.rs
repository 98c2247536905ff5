use crate::run::lanescope;

#[test]
fn the_default_is_the_h200() {
    let ran = lanescope(&["devices", "--format", "json"], b"");
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["default"], "cc9.0");
    let devices = json["devices"].as_array().expect("a list");
    assert!(
        devices
            .iter()
            .any(|device| device["id"] == "cc9.0" && device["banks"] == 32)
    );
}

#[test]
fn every_fact_has_a_source_and_a_confidence() {
    let ran = lanescope(&["devices", "--format", "json"], b"");
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    for device in json["devices"].as_array().expect("a list") {
        for fact in device["facts"].as_array().expect("a list") {
            assert!(
                fact["source"].as_str().is_some_and(|text| !text.is_empty()),
                "{fact}"
            );
            assert!(
                fact["confidence"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{fact}"
            );
        }
    }
}

#[test]
fn the_table_of_one_device() {
    let ran = lanescope(&["devices", "cc9.0"], b"");
    assert_eq!(ran.code, Some(0));
    insta::assert_snapshot!("devices_cc9.0", ran.out);
}

#[test]
fn a_device_of_ones_own() {
    let ran = lanescope(&["devices", "custom:4,32,4,any,32,128"], b"");
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("custom"), "{}", ran.out);
}

#[test]
fn an_unknown_device_is_bad_usage() {
    for device in [
        "cc99",
        "custom:",
        "custom:0,32,32,any,32,128",
        "custom:32,32,32,some,32,128",
    ] {
        let ran = lanescope(&["trace", "-", "--device", device], b"");
        assert_eq!(ran.code, Some(2), "{device}");
        assert!(
            ran.out.is_empty() && ran.err.contains("--device"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn a_device_is_known_by_every_name() {
    for (name, id) in [
        ("sm_75", "cc7.x"),
        ("sm_86", "cc8.6"),
        ("sm_89", "cc8.6"),
        ("sm_90a", "cc9.0"),
        ("sm_100", "cc10.x"),
        ("compute_120", "cc12.x"),
        ("A100", "cc8.0"),
        ("h100", "cc9.0"),
        ("rtx4090", "cc8.6"),
        ("NVIDIA H100 80GB HBM3", "cc9.0"),
        ("mi300x", "cdna3"),
        ("gfx90a", "gcn"),
        ("gfx942", "cdna3"),
        ("gfx1151", "rdna3"),
        ("gfx1201", "rdna4"),
    ] {
        let expression = ["expr", "a[threadIdx.x]", "--decl", "float a[64]"];
        let device = ["--device", name, "--format", "json"];
        let ran = lanescope(&[&expression[..], &device].concat(), b"");
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(json["device"], id, "{name}");
    }
    let ran = lanescope(&["devices", "h100"], b"");
    assert!(
        ran.out.contains("also called: cc9.x, hopper, h100, h200"),
        "{}",
        ran.out
    );
}

#[test]
fn a_misspelt_device_has_the_name_that_is_meant() {
    for (name, meant) in [
        ("h1000", "h100"),
        ("mi300xx", "mi300x"),
        ("gfx1104", "gfx110"),
    ] {
        let ran = lanescope(&["devices", name], b"");
        assert_eq!(ran.code, Some(2), "{name}");
        let said = format!("no device `{name}`; did you mean `{meant}");
        assert!(ran.err.contains(&said), "{}", ran.err);
    }
    let ran = lanescope(&["devices", "zx99"], b"");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("there are cc1.0, cc1.1"), "{}", ran.err);
}

#[test]
fn a_hip_source_is_for_an_amd_device() {
    let text = b"#include <hip/hip_runtime.h>\n\
        __global__ void row(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }\n";
    let launch = [
        "kernel", "-", "--grid", "1", "--block", "64", "--format", "json",
    ];
    let device = |more: &[&str]| {
        let ran = lanescope(&[&launch[..], more].concat(), text);
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        (json["device"].as_str().map(str::to_owned), ran.err)
    };
    let (chosen, said) = device(&[]);
    assert_eq!(chosen.as_deref(), Some("cdna3"));
    assert!(said.contains("a HIP source is counted for cdna3"), "{said}");
    let (given, said) = device(&["--device", "h100"]);
    assert_eq!(given.as_deref(), Some("cc9.0"));
    assert!(!said.contains("HIP"), "{said}");
}
