//! Kernels in WGSL with another workgroup than their text says.

use crate::run::lanescope;
use serde_json::Value;

#[test]
fn another_workgroup_of_wgsl_replaces_the_texts_and_is_said() {
    let text = "override SIDE: u32 = 8;
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(SIDE) fn k(@builtin(global_invocation_id) at: vec3<u32>) { a[at.x] = SIDE; }";
    let literal = text.replace("_size(SIDE)", "_size(8)");
    let counted = |text: &str, more: &[&str]| {
        let args = ["kernel", "-", "--grid", "2", "--format", "json"];
        let ran = lanescope(&[&args[..], more].concat(), text.as_bytes());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let json: Value = serde_json::from_str(&ran.out).expect("JSON");
        (json["totals"]["global_store_requests"].clone(), ran.err)
    };
    // Two blocks of a warp, and of eight.
    for (text, said) in [
        (text, "through `SIDE`"),
        (
            &literal,
            "@workgroup_size(256, 1, 1), where the text says (8, 1, 1)",
        ),
    ] {
        assert_eq!(counted(text, &[]).0, 2);
        let (requests, err) = counted(text, &["--block", "256"]);
        assert_eq!(requests, 16);
        assert!(err.contains("note: assumed") && err.contains(said), "{err}");
        let (_, err) = counted(text, &["--block", "8"]);
        assert!(!err.contains("assumed"), "{err}");
    }
    let args = ["emit", "-", "--block", "256", "--grid", "2"];
    let ran = lanescope(&args, literal.as_bytes());
    assert!(ran.out.contains("@workgroup_size(256)"), "{}", ran.out);
}
