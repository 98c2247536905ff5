//! The findings as SARIF 2.1.0, for code scanning.

use super::finding::{Accepted, Finding, ProvedFix, Region};
use super::outcome::Outcome;
use super::rule::Rule;
use crate::sarif;
use serde_json::{Value, json};

/// The document.
///
/// # Errors
/// Never, in memory.
pub(super) fn text(outcome: &Outcome) -> anyhow::Result<String> {
    let of = |rule: &Rule| sarif::rule(rule.key(), rule.description());
    let rules: Vec<Value> = Rule::ALL.iter().map(of).collect();
    let results: Vec<Value> = outcome.findings().map(result).collect();
    sarif::document(&rules, "unicodeCodePoints", &results)
}

fn result(finding: &Finding) -> Value {
    let mut result = json!({
        "ruleId": finding.rule.key(),
        "level": finding.level.key(),
        "message": { "text": super::text::message(finding) },
        "partialFingerprints": { "lanescope/v1": finding.fingerprint() },
        "properties": { "status": finding.status.map(lanescope_tally::Status::key) },
    });
    if !finding.file.is_empty() {
        result["locations"] = json!([sarif::location(&finding.file, &region(finding.region))]);
    }
    if let Some(by) = finding.accepted {
        let kind = match by {
            Accepted::Comment => "inSource",
            Accepted::Baseline => "external",
        };
        result["suppressions"] = json!([{ "kind": kind }]);
    }
    if let Some(fix) = &finding.fix {
        result["fixes"] = json!([of_fix(fix, &finding.file)]);
    }
    result
}

fn of_fix(fix: &ProvedFix, file: &str) -> Value {
    let edits = fix
        .edits
        .iter()
        .map(|(at, text)| (region(*at), text.as_str()));
    sarif::fix(&format!("{}: {}", fix.description, fix.proof), file, edits)
}

fn region(at: Region) -> Value {
    if at == Region::of_line(at.line) {
        return json!({ "startLine": at.line });
    }
    json!({
        "startLine": at.line,
        "startColumn": at.column,
        "endLine": at.end_line,
        "endColumn": at.end_column,
    })
}
