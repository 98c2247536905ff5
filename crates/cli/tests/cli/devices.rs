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
