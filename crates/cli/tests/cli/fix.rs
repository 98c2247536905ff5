//! `lanescope fix`.

use crate::run::lanescope;
use std::path::Path;

/// The page's story of the same kernel (`tests/e2e/stories/worker.test.js`) holds its list to this snapshot.
#[test]
fn fixes_of_a_hundred_lines_as_json() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixes/benches/hundred_lines.cu");
    let file = file.to_str().unwrap();
    let ran = lanescope(
        &[
            "fix",
            file,
            "--grid",
            "8,8",
            "--block",
            "256",
            "--arg",
            "width=250",
            "--arg",
            "height=250",
            "--format",
            "json",
        ],
        b"",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    insta::assert_snapshot!("fixes_of_a_hundred_lines", ran.out);
}
