//! The reference of the documentation is what the command line says of itself.

use crate::run::lanescope;
use std::fs;
use std::path::Path;

#[test]
fn the_reference_is_that_of_this_command_line() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/command-line.md");
    let ran = lanescope(&["man", "--markdown"], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        fs::write(&path, &ran.out).expect("the reference");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == ran.out,
        "{} is of another version; `cargo xtask bless` writes it",
        path.display()
    );
    for part in [
        "## `lanescope check`",
        "| `--max-ways <N>` |",
        "lanescope man check",
    ] {
        assert!(written.contains(part), "{part}");
    }
}
