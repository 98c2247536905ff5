//! The outcome as a comment of a pull request: beside the base (A) the head (B).

use super::outcome::{Counted, CountedAnswer, Outcome};
use super::text::{message, sums};
use crate::input;
use anyhow::Context as _;
use lanescope_tally::Totals;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

/// What is set side by side: a title, and the totals that it adds up.
const ROWS: [(&str, &[&str]); 3] = [
    (
        "shared wavefronts",
        &[
            "shared_load_wavefronts",
            "shared_store_wavefronts",
            "shared_atomic_wavefronts",
            "matrix_load_wavefronts",
            "matrix_store_wavefronts",
            "async_copy_wavefronts",
        ],
    ),
    (
        "bank conflicts",
        &["shared_load_bank_conflicts", "shared_store_bank_conflicts"],
    ),
    (
        "global sectors",
        &[
            "global_load_sectors",
            "global_store_sectors",
            "global_atomic_sectors",
            "global_reduction_sectors",
        ],
    ),
];

/// The comment. `base` is the JSON of the same check on the base.
///
/// # Errors
/// When the base's JSON cannot be read.
pub(super) fn text(outcome: &Outcome, base: Option<&Path>) -> anyhow::Result<String> {
    let base = base.map(read).transpose()?;
    let mut text = format!("### Lanescope\n\n{}.\n", sums(outcome));
    let changed: Vec<String> = outcome
        .launches
        .iter()
        .filter_map(|launch| card(launch, base.as_ref()))
        .collect();
    if !changed.is_empty() {
        text.push_str("\n| kernel | | A (base) | B (head) |\n| --- | --- | ---: | ---: |\n");
        text.extend(changed);
    } else if base.is_some() {
        text.push_str("\nNo kernel's counts have changed.\n");
    }
    let findings: Vec<_> = outcome
        .findings()
        .filter(|one| one.accepted.is_none())
        .collect();
    if !findings.is_empty() {
        text.push('\n');
    }
    for finding in findings {
        let _ = writeln!(
            text,
            "- **{}** {}:{}: {}",
            finding.level.key(),
            plain(&finding.file),
            finding.region.line,
            plain(&message(finding))
        );
        if let Some(fix) = &finding.fix {
            let _ = writeln!(
                text,
                "  Proved fix: {} ({})\n\n  ```cuda",
                plain(&fix.description),
                plain(&fix.proof)
            );
            for line in fix.suggestion.lines() {
                let _ = writeln!(text, "  {}", line.replace("```", "` ` `"));
            }
            text.push_str("  ```\n");
        }
    }
    Ok(text)
}

fn read(path: &Path) -> anyhow::Result<Value> {
    let text = input::text(path)?;
    serde_json::from_str(&text)
        .with_context(|| format!("{} is no JSON of `lanescope check`", path.display()))
}

/// A launch's rows; where there is a base, only if they differ from it.
fn card(counted: &Counted, base: Option<&Value>) -> Option<String> {
    let answer = counted.answer.as_ref()?;
    let before = base.and_then(|base| of_base(counted, base));
    let now = |names: &[&str]| total(&answer.totals, names);
    let old = |names: &[&str]| {
        let totals = before?.get("totals")?;
        let counts = names.iter().filter_map(|name| totals.get(name)?.as_u64());
        Some(counts.sum::<u64>())
    };
    let status = |key: &str| match key {
        "counted" => "counted",
        "predicted" => "predicted",
        "assumed" => "counted if",
        _ => "not fully counted",
    };
    let old_status = before.and_then(|before| before.get("status")?.as_str());
    let is_same = old_status == Some(answer.status.key())
        && ROWS.iter().all(|(_, names)| old(names) == Some(now(names)));
    if base.is_some() && is_same {
        return None;
    }
    let name = format!(
        "`{}` {}",
        plain(&counted.kernel),
        plain(&launch(counted, answer))
    );
    let mut rows = format!(
        "| {} | status | {} | {} |\n",
        name.trim(),
        old_status.map_or("", status),
        status(answer.status.key())
    );
    for (title, names) in ROWS {
        let (old, now) = (old(names), now(names));
        if old.unwrap_or(0) + now > 0 {
            let old = old.map_or_else(String::new, grouped);
            let _ = writeln!(rows, "| | {title} | {old} | {} |", grouped(now));
        }
    }
    Some(rows)
}

fn launch(counted: &Counted, answer: &CountedAnswer) -> String {
    match (answer.is_guessed, counted.launch.is_empty()) {
        (true, _) => "(launch guessed)".to_owned(),
        (false, true) => String::new(),
        (false, false) => format!("({})", counted.launch),
    }
}

/// The same launch in the base.
fn of_base<'b>(counted: &Counted, base: &'b Value) -> Option<&'b Value> {
    let is_it = |value: &&Value| {
        let has = |key: &str, text: &str| value.get(key).and_then(Value::as_str) == Some(text);
        has("file", &counted.file)
            && has("kernel", &counted.kernel)
            && has("launch", &counted.launch)
    };
    base.get("launches")?.as_array()?.iter().find(is_it)
}

fn total(totals: &Totals, names: &[&str]) -> u64 {
    let mine = totals
        .named()
        .into_iter()
        .filter(|(name, _)| names.contains(name));
    mine.map(|(_, count)| count).sum()
}

/// A number with a comma before each three digits.
fn grouped(number: u64) -> String {
    crate::table::grouped(number)
}

/// A text without what Markdown or HTML would take for its own.
fn plain(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('|', "\\|")
        .replace('\n', " ")
}
