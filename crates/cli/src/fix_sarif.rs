//! Fixes as SARIF 2.1.0, which editors and code reviews read: a result for each fix, with the edits that it makes.

use crate::fix::launch_left;
use crate::{fix_launch, sarif};
use lanescope_fixes::{Advice, Edit, Suggestion};
use lanescope_frontend::Lines;
use lanescope_report::ChangedFile;
use serde_json::{Value, json};

/// The fixes of the file `name` as one run of SARIF.
///
/// # Errors
/// Never, in memory.
pub(crate) fn text(name: &str, source: &str, advice: &Advice) -> anyhow::Result<String> {
    let results: Vec<Value> = advice
        .suggestions
        .iter()
        .map(|found| result(name, source, advice, found))
        .collect();
    let rule = sarif::rule(
        RULE,
        "Bank conflicts or wasted sectors that a change of the source avoids",
    );
    sarif::document(&[rule], "utf16CodeUnits", &results)
}

/// The one rule that results name.
const RULE: &str = "memory-access";

fn result(name: &str, source: &str, advice: &Advice, found: &Suggestion) -> Value {
    let [before, after] = found.totals;
    let what = match found.snippet.as_str() {
        "" => found.kind.to_string(),
        snippet => format!("{}: {snippet}", found.kind),
    };
    let mut message = format!(
        "{what} (shared wavefronts {} to {}, global sectors {} to {})",
        before.shared.wavefronts, after.shared.wavefronts, before.global.units, after.global.units
    );
    let left = launch_left(advice, found);
    if let Some(sentence) = fix_launch::sentence(&left, found.edits.is_empty()) {
        message.push_str(&format!("; {sentence}"));
    }
    let files = ChangedFile::all(name, source, &found.edits);
    let mut locations = Vec::new();
    let mut changes = Vec::new();
    for changed in &files {
        let file = File {
            source: changed.text,
            lines: Lines::of(changed.text),
        };
        let first = changed.edits.iter().min_by_key(|edit| edit.span.start);
        locations.extend(first.map(|edit| sarif::location(&changed.path, &file.region(edit))));
        let edits = changed.edits.iter();
        let edits = edits.map(|edit| (file.region(edit), edit.replacement.as_str()));
        changes.push(sarif::change(&changed.path, edits));
    }
    locations.truncate(1);
    let mut result = json!({
        "ruleId": RULE,
        "level": "warning",
        "message": { "text": message },
        "locations": locations,
    });
    // What changes the launch alone replaces nothing.
    if !changes.is_empty()
        && let Some(fields) = result.as_object_mut()
    {
        let fix = sarif::fix_of_files(&found.kind.to_string(), changes);
        fields.insert("fixes".to_owned(), json!([fix]));
    }
    result
}

struct File<'a> {
    source: &'a str,
    lines: Lines,
}

impl File<'_> {
    fn region(&self, edit: &Edit) -> Value {
        let [start, end] = [edit.span.start, edit.span.end].map(|at| self.place(at));
        json!({ "startLine": start.0, "startColumn": start.1, "endLine": end.0, "endColumn": end.1 })
    }

    /// Line and column of a byte, both from 1; columns count UTF-16 code units, as SARIF's do.
    fn place(&self, at: u32) -> (u32, usize) {
        let (line, column) = self.lines.place(at);
        let start = (at + 1).saturating_sub(column) as usize;
        let before = self.source.get(start..at as usize).unwrap_or("");
        (line, before.encode_utf16().count() + 1)
    }
}
