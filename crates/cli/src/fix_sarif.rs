//! Fixes as SARIF 2.1.0, which editors and code reviews read: a result for each fix, with the edits that it makes.

use crate::sarif;
use lanescope_fixes::{Advice, Edit, Suggestion};
use lanescope_frontend::Lines;
use serde_json::{Value, json};

/// The fixes of the file `name` as one run of SARIF.
///
/// # Errors
/// Never, in memory.
pub(crate) fn text(name: &str, source: &str, advice: &Advice) -> anyhow::Result<String> {
    let file = File {
        name,
        source,
        lines: Lines::of(source),
    };
    let results: Vec<Value> = advice
        .suggestions
        .iter()
        .map(|found| file.result(found))
        .collect();
    let rule = sarif::rule(
        RULE,
        "Bank conflicts or wasted sectors that a change of the source avoids",
    );
    sarif::document(&[rule], "utf16CodeUnits", &results)
}

/// The one rule that results name.
const RULE: &str = "memory-access";

struct File<'a> {
    name: &'a str,
    source: &'a str,
    lines: Lines,
}

impl File<'_> {
    fn result(&self, found: &Suggestion) -> Value {
        let [before, after] = found.totals;
        let message = format!(
            "{}: {} (shared wavefronts {} to {}, global sectors {} to {})",
            found.kind,
            found.snippet,
            before.shared.wavefronts,
            after.shared.wavefronts,
            before.global.units,
            after.global.units
        );
        let first = found.edits.iter().min_by_key(|edit| edit.span.start);
        let locations = first.map(|edit| sarif::location(self.name, &self.region(edit)));
        let edits = found.edits.iter();
        let edits = edits.map(|edit| (self.region(edit), edit.replacement.as_str()));
        json!({
            "ruleId": RULE,
            "level": "warning",
            "message": { "text": message },
            "locations": locations.into_iter().collect::<Vec<_>>(),
            "fixes": [sarif::fix(&found.kind.to_string(), self.name, edits)],
        })
    }

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
