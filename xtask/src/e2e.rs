//! The stories in `tests/e2e`, in a real browser.

use std::fs;

use anyhow::{Result, ensure};

use crate::browser::Browser;
use crate::tally::Tally;
use crate::{npm, process, workspace};

/// Files of stories that time the page: nothing else runs beside them.
const TIMED: [&str; 8] = [
    "embeds", "latency", "links", "listing", "live", "soak", "worker", "worst",
];

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
    let (timed, others): (Vec<_>, Vec<_>) = stories.into_iter().partition(|story| is_timed(story));
    let mut tally = Tally::default();
    for (stories, at_once) in [(others, 2), (timed, 1)] {
        if !stories.is_empty() {
            tally += told(&stories, at_once, browser, &executable)?;
        }
    }
    Ok(tally)
}

/// Stories of how long something takes are told one at a time.
fn is_timed(story: &str) -> bool {
    let name = story.trim_start_matches("stories/");
    TIMED
        .iter()
        .any(|timed| name.strip_suffix(".test.js") == Some(timed))
}

/// Tells stories, `at_once` of their files beside each other.
fn told(stories: &[String], at_once: u32, browser: Browser, executable: &str) -> Result<Tally> {
    let mut node = process::command("node");
    node.args([
        "--test",
        &format!("--test-concurrency={at_once}"),
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

#[cfg(test)]
mod tests {
    use super::{TIMED, stories};

    #[test]
    fn stories_that_time_the_page_are_there() -> anyhow::Result<()> {
        let all = stories("")?;
        for timed in TIMED {
            let story = format!("stories/{timed}.test.js");
            assert!(all.contains(&story), "{story} is missing");
        }
        Ok(())
    }
}
