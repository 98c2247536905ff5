//! The findings as SARIF 2.1.0, for code scanning.

use super::finding::{Accepted, Finding, ProvedFix, Region};
use super::outcome::Outcome;
use super::rule::Rule;
use crate::output;
use serde_json::{Value, json};

/// The document.
///
/// # Errors
/// Never, in memory.
pub(super) fn text(outcome: &Outcome) -> anyhow::Result<String> {
    let rules = Rule::ALL.map(|rule| {
        json!({
            "id": rule.key(),
            "shortDescription": { "text": rule.description() },
        })
    });
    let results: Vec<Value> = outcome.findings().map(result).collect();
    output::json(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "lanescope",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                },
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
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
        result["locations"] = json!([{
            "physicalLocation": {
                "artifactLocation": artifact(&finding.file),
                "region": region(finding.region),
            },
        }]);
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
    let replacements = fix.edits.iter().map(|(at, replacement)| {
        json!({
            "deletedRegion": region(*at),
            "insertedContent": { "text": replacement },
        })
    });
    json!({
        "description": { "text": format!("{}: {}", fix.description, fix.proof) },
        "artifactChanges": [{
            "artifactLocation": artifact(file),
            "replacements": replacements.collect::<Vec<_>>(),
        }],
    })
}

/// A file as a URI reference: relative where its path is.
fn artifact(file: &str) -> Value {
    let mut uri = String::new();
    for byte in file.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                uri.push(char::from(byte))
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    json!({ "uri": if file.starts_with('/') { format!("file://{uri}") } else { uri } })
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
