//! The findings for a terminal.

use super::finding::{Finding, Level};
use super::outcome::{Outcome, Summary};
use std::fmt::Write as _;

/// Each finding that nothing accepts, `FILE:LINE:COLUMN: LEVEL: …`, and the sums.
pub(super) fn text(outcome: &Outcome) -> String {
    let mut text = String::new();
    for finding in outcome.findings().filter(|one| one.accepted.is_none()) {
        text.push_str(&of_finding(finding));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&sums(outcome));
    text.push('\n');
    text
}

fn of_finding(finding: &Finding) -> String {
    let (line, column) = (finding.region.line, finding.region.column);
    let place = match finding.file.is_empty() {
        true => String::new(),
        false => format!("{}:{line}:{column}: ", finding.file),
    };
    let mut text = format!("{place}{}: {}", finding.level.key(), message(finding));
    if !finding.text.is_empty() {
        let _ = write!(text, "\n    {}", finding.text);
    }
    if let Some(fix) = &finding.fix {
        let _ = write!(
            text,
            "\n    proved fix: {} ({})",
            fix.description, fix.proof
        );
        for line in fix.suggestion.lines() {
            let _ = write!(text, "\n    + {}", line.trim_start());
        }
    }
    text.push('\n');
    text
}

/// What a finding says in one line: the kernel, what is wrong, and the rule.
pub(super) fn message(finding: &Finding) -> String {
    let kernel = match finding.kernel.is_empty() {
        true => String::new(),
        false => format!("`{}`: ", finding.kernel),
    };
    format!("{kernel}{} [{}]", finding.message, finding.rule.key())
}

/// The sums in a sentence; what is not counted is always said.
pub(super) fn sums(outcome: &Outcome) -> String {
    let Summary {
        launches,
        over,
        over_if_guessed,
        not_counted,
        guessed,
        failed,
        accepted,
    } = outcome.summary();
    let mut parts = vec![match over {
        0 => "nothing over a limit".to_owned(),
        some => format!("{} over a limit", things(some, "finding")),
    }];
    for (count, words) in [
        (over_if_guessed, "over a limit under a guessed launch"),
        (guessed, "with a guessed launch"),
        (not_counted, "not fully counted"),
        (failed, "that could not be checked"),
        (accepted, "accepted"),
        (outcome.skipped, "left out by a comment"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {words}"));
        }
    }
    format!(
        "{} of {}: {}",
        things(launches, "launch"),
        things(outcome.files, "file"),
        parts.join(", ")
    )
}

fn things(count: usize, name: &str) -> String {
    match (count, name) {
        (1, _) => format!("1 {name}"),
        (_, "launch") => format!("{count} launches"),
        (_, _) => format!("{count} {name}s"),
    }
}

/// Whether a finding makes the check fail.
pub(super) fn fails(finding: &Finding) -> bool {
    finding.accepted.is_none() && finding.level == Level::Error
}
