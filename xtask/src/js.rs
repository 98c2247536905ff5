//! `dist/door/`: the model as an ES module for other people's pages and programs.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::tally::Tally;
use crate::wasm::{self, Speed};
use crate::{bundle, process, workspace};

const PACKAGE: &str = "lanescope-js";

/// What is taken as it stands in `packages/js/`.
const FILES: [&str; 8] = [
    "lanescope.js",
    "lanescope.d.ts",
    "package.json",
    "README.md",
    "question.schema.json",
    "report.schema.json",
    "LICENSE-MIT",
    "LICENSE-APACHE",
];

/// The element, which the module's package has under `lanescope/element`.
const ELEMENT: [&str; 3] = ["lane-scope.js", "lane-scope.d.ts", "react.d.ts"];

/// Builds the module into `dist/door/`.
///
/// # Errors
/// When a step fails.
pub(crate) fn build(speed: Speed) -> Result<()> {
    let [module] = wasm::build([PACKAGE], speed)?;
    write(&module)
}

/// As [`build`], where the page stands, which has most of it.
///
/// # Errors
/// When a step fails.
pub(crate) fn build_beside_page(speed: Speed) -> Result<()> {
    write(&wasm::build_beside(PACKAGE, &bundle::PACKAGES, speed)?)
}

fn write(module: &wasm::Module) -> Result<()> {
    let folder = workspace::dist().join("door");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("glue.js"), &module.glue)?;
    fs::write(folder.join("lanescope.wasm"), &module.wasm)?;
    let of_package = |package, files: &[&'static str]| {
        let files = files.iter().map(move |file| (package, *file));
        files.collect::<Vec<_>>()
    };
    for (package, file) in [of_package("js", &FILES), of_package("element", &ELEMENT)].concat() {
        let source = workspace::root().join("packages").join(package);
        fs::copy(source.join(file), folder.join(file))
            .with_context(|| format!("could not copy {file}"))?;
    }
    Ok(())
}

/// Runs it in Node, as it stands in `dist/door/`, beside the command line at `program`.
///
/// # Errors
/// When Node is missing.
pub(crate) fn test(program: &Path) -> Result<Tally> {
    let mut node = process::command("node");
    node.args(["--test", "--test-reporter=tap"]).args([
        "tests/js/alike.test.js",
        "tests/js/golden.test.js",
        "tests/js/js.test.js",
        "tests/js/packed.test.js",
        "tests/js/workflows.test.js",
    ]);
    node.env("LANESCOPE", program);
    process::tally_quietly(node.current_dir(workspace::root()))
}
