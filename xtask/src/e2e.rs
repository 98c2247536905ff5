//! The stories in `tests/e2e`, in a real browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use crate::browser::Browser;
use crate::tally::Tally;
use crate::{native, npm, process, workspace};

/// Files of stories that hold the page to a limit of time: nothing else runs beside them.
const LIMITED: [&str; 1] = ["live"];

/// Files of stories that print how long something took, and hold it to nothing that other work brings near: told alone where
/// they are asked for by name, and beside others where everything is told.
const PRINTED: [&str; 5] = ["embeds", "latency", "listing", "worker", "worst"];

/// Files that are told beside each other where nothing is timed; with a third, pictures of large pages were late on two cores.
const AT_ONCE: u32 = 2;

/// Brings the command line that stories ask for up to date; returns its path.
///
/// # Errors
/// When it does not compile.
pub(crate) fn program() -> Result<PathBuf> {
    let program = ["--quiet", "--locked", "--package", "lanescope"];
    process::run(process::cargo(&["build"]).args(program))?;
    Ok(native::program("lanescope"))
}

/// Tells the stories whose file's name holds `filter` in `browser`, on what is in `dist/`, with the command line at `program`.
///
/// # Errors
/// When something they need is missing or no story is chosen.
pub(crate) fn run(program: &Path, filter: &str, browser: Browser) -> Result<Tally> {
    let executable = browser.ensure()?;
    npm::install(&workspace::e2e())?;
    let stories = stories(filter)?;
    ensure!(!stories.is_empty(), "no story has {filter:?} in its name");
    let (timed, others): (Vec<_>, Vec<_>) = stories
        .into_iter()
        .partition(|story| is_timed(story, filter));
    let mut tally = Tally::default();
    for (stories, is_timed) in [(others, false), (timed, true)] {
        if !stories.is_empty() {
            let mut node = teller(program, browser, &executable);
            if !is_timed {
                node.env("LANESCOPE_UNTIMED", "1");
            }
            tally += run_stories(&mut node, &stories, if is_timed { 1 } else { AT_ONCE })?;
        }
    }
    Ok(tally)
}

/// Whether a story is told alone, by a page whose WASM is compiled for speed.
fn is_timed(story: &str, filter: &str) -> bool {
    let is_of = |names: &[&str]| names.iter().any(|name| story == file(name));
    is_of(&LIMITED) || (!filter.is_empty() && is_of(&PRINTED))
}

/// The file of stories of a name.
fn file(name: &str) -> String {
    format!("stories/{name}.test.js")
}

/// What tells stories in `browser`, which is at `executable`.
fn teller(program: &Path, browser: Browser, executable: &str) -> Command {
    let mut node = process::command("node");
    node.env("LANESCOPE", program)
        .env("BROWSER", browser.name())
        .env(browser.variable(), executable)
        .current_dir(workspace::e2e());
    node
}

/// Has `node` run stories, `at_once` of their files beside each other.
fn run_stories(node: &mut Command, stories: &[String], at_once: u32) -> Result<Tally> {
    node.args([
        "--test",
        &format!("--test-concurrency={at_once}"),
        "--test-reporter=spec",
        "--test-reporter-destination=stderr",
    ]);
    node.args(["--test-reporter=tap", "--test-reporter-destination=stdout"])
        .args(stories);
    process::tally_quietly(node)
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

#[cfg(test)]
mod tests {
    use super::{LIMITED, PRINTED, file, is_timed, stories};

    #[test]
    fn stories_that_time_the_page_are_there() -> anyhow::Result<()> {
        let all = stories("")?;
        for timed in LIMITED.iter().chain(&PRINTED) {
            let story = file(timed);
            assert!(all.contains(&story), "{story} is missing");
        }
        Ok(())
    }

    #[test]
    fn what_prints_figures_is_told_alone_where_it_is_asked_for() {
        let latency = file("latency");
        assert!(is_timed(&latency, "latency") && !is_timed(&latency, ""));
        assert!(is_timed(&file("live"), "") && !is_timed(&file("tables"), "tables"));
    }
}
