//! The stories in `tests/e2e`, in a real browser.

use std::fs;

use anyhow::{Result, ensure};

use crate::browser::Browser;
use crate::tally::Tally;
use crate::{npm, process, workspace};

/// Tells the stories whose file's name holds `filter` in `browser`, on what is in `dist/`.
///
/// # Errors
/// When something they need is missing or no story is chosen.
pub(crate) fn run(filter: &str, browser: Browser) -> Result<Tally> {
    let executable = browser.ensure()?;
    npm::install(&workspace::e2e())?;
    let stories = stories(filter)?;
    ensure!(!stories.is_empty(), "no story has {filter:?} in its name");
    let program = ["--quiet", "--locked", "--package", "lanescope"];
    process::run(process::cargo(&["build"]).args(program))?;
    let mut node = process::command("node");
    node.args([
        "--test",
        "--test-concurrency=1",
        "--test-reporter=spec",
        "--test-reporter-destination=stderr",
    ]);
    node.args(["--test-reporter=tap", "--test-reporter-destination=stdout"])
        .args(stories);
    node.env("LANESCOPE", workspace::target().join("debug/lanescope"))
        .env("BROWSER", browser.name())
        .env(browser.variable(), executable);
    process::tally_quietly(node.current_dir(workspace::e2e()))
}

fn stories(filter: &str) -> Result<Vec<String>> {
    let names = fs::read_dir(workspace::e2e().join("stories"))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut chosen: Vec<_> = names
        .filter(|name| name.ends_with(".test.js") && name.contains(filter))
        .collect();
    chosen.sort();
    Ok(chosen
        .into_iter()
        .map(|name| format!("stories/{name}"))
        .collect())
}
