//! `dist/door/`: the model as an ES module for other people's pages and programs.

use std::fs;

use anyhow::{Context, Result};

use crate::tally::Tally;
use crate::wasm::{self, Speed};
use crate::{process, workspace};

/// What is taken as it stands in `packages/js/`.
const FILES: [&str; 6] = [
    "lanescope.js",
    "lanescope.d.ts",
    "package.json",
    "README.md",
    "question.schema.json",
    "report.schema.json",
];

/// Builds the module into `dist/door/`.
///
/// # Errors
/// When a step fails.
pub(crate) fn build(speed: Speed) -> Result<()> {
    let module = wasm::build("lanescope-js", speed)?;
    let folder = workspace::dist().join("door");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("glue.js"), module.glue)?;
    fs::write(folder.join("lanescope.wasm"), module.wasm)?;
    for file in FILES {
        fs::copy(
            workspace::root().join("packages/js").join(file),
            folder.join(file),
        )
        .with_context(|| format!("could not copy {file}"))?;
    }
    Ok(())
}

/// Runs it in Node, as it stands in `dist/door/`.
///
/// # Errors
/// When Node is missing.
pub(crate) fn test() -> Result<Tally> {
    let mut node = process::command("node");
    node.args(["--test", "--test-reporter=tap"])
        .arg("tests/js/js.test.js");
    process::tally_quietly(node.current_dir(workspace::root()))
}
