//! The outcome as JSON; `check.schema.json` beside the command line's tests describes it.

use super::finding::{Accepted, Finding, Region};
use super::outcome::{Counted, CountedAnswer, Outcome};
use crate::output;
use serde_json::{Map, Value, json};

/// The version of the document: it grows where a field goes or changes its meaning; further fields may come at any time.
const VERSION: u32 = 1;

/// The document.
///
/// # Errors
/// Never, in memory.
pub(super) fn text(outcome: &Outcome) -> anyhow::Result<String> {
    let summary = outcome.summary();
    output::json(&json!({
        "version": VERSION,
        "summary": {
            "files": outcome.files,
            "launches": summary.launches,
            "over_limit": summary.over,
            "over_limit_if_guessed": summary.over_if_guessed,
            "not_fully_counted": summary.not_counted,
            "guessed_launches": summary.guessed,
            "not_checked": summary.failed,
            "accepted": summary.accepted,
            "left_out": outcome.skipped,
        },
        "launches": outcome.launches.iter().map(launch).collect::<Vec<_>>(),
        "findings": outcome.findings().map(finding).collect::<Vec<_>>(),
    }))
}

fn launch(counted: &Counted) -> Value {
    let mut object = json!({
        "file": counted.file,
        "line": counted.line,
        "kernel": counted.kernel,
        "launch": counted.launch,
        "status": "not-checked",
    });
    if let Some(CountedAnswer {
        status,
        qualification,
        verdict,
        grid,
        block,
        is_guessed,
        totals,
    }) = &counted.answer
    {
        let totals: Map<String, Value> = totals
            .named()
            .into_iter()
            .map(|(name, count)| (name.to_owned(), count.into()))
            .collect();
        object["status"] = status.key().into();
        object["device"] = counted.device.into();
        object["qualification"] = qualification.as_str().into();
        object["verdict"] = verdict.as_str().into();
        object["grid"] = json!(grid);
        object["block"] = json!(block);
        object["is_launch_guessed"] = (*is_guessed).into();
        object["totals"] = totals.into();
    }
    object
}

fn finding(finding: &Finding) -> Value {
    let mut object = json!({
        "rule": finding.rule.key(),
        "level": finding.level.key(),
        "file": finding.file,
        "kernel": finding.kernel,
        "message": finding.message,
        "text": finding.text,
        "status": finding.status.map(lanescope_tally::Status::key),
        "value": finding.value,
        "limit": finding.limit,
        "fingerprint": finding.fingerprint(),
        "accepted": finding.accepted.map(accepted),
    });
    region(&mut object, finding.region);
    if let Some(fix) = &finding.fix {
        let edits = fix.edits.iter().map(|(at, replacement)| {
            let mut edit = json!({ "replacement": replacement });
            region(&mut edit, *at);
            edit
        });
        object["fix"] = json!({
            "description": fix.description,
            "proof": fix.proof,
            "edits": edits.collect::<Vec<_>>(),
        });
    }
    object
}

fn region(object: &mut Value, at: Region) {
    object["line"] = at.line.into();
    object["column"] = at.column.into();
    object["end_line"] = at.end_line.into();
    object["end_column"] = at.end_column.into();
}

/// Who accepts it.
pub(super) const fn accepted(by: Accepted) -> &'static str {
    match by {
        Accepted::Comment => "comment",
        Accepted::Baseline => "baseline",
    }
}
