//! SARIF 2.1.0: what the documents of every command have in common.

use crate::output;
use serde_json::{Value, json};

/// The document of one run. `column_kind` says what columns count, in SARIF's word.
///
/// # Errors
/// Never, in memory.
pub(crate) fn document(
    rules: &[Value],
    column_kind: &str,
    results: &[Value],
) -> anyhow::Result<String> {
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
            "columnKind": column_kind,
            "results": results,
        }],
    }))
}

/// A rule that results name.
pub(crate) fn rule(id: &str, description: &str) -> Value {
    json!({ "id": id, "shortDescription": { "text": description } })
}

/// A place of a file.
pub(crate) fn location(file: &str, region: &Value) -> Value {
    json!({ "physicalLocation": { "artifactLocation": artifact(file), "region": region } })
}

/// A fix of one file: its regions, and what takes their place.
pub(crate) fn fix<'a>(
    description: &str,
    file: &str,
    edits: impl Iterator<Item = (Value, &'a str)>,
) -> Value {
    fix_of_files(description, vec![change(file, edits)])
}

/// A fix of several files, by what it changes in each.
pub(crate) fn fix_of_files(description: &str, changes: Vec<Value>) -> Value {
    json!({ "description": { "text": description }, "artifactChanges": changes })
}

/// What a fix changes in one file: its regions, and what takes their place.
pub(crate) fn change<'a>(file: &str, edits: impl Iterator<Item = (Value, &'a str)>) -> Value {
    let replacements = edits.map(
        |(region, text)| json!({ "deletedRegion": region, "insertedContent": { "text": text } }),
    );
    json!({
        "artifactLocation": artifact(file),
        "replacements": replacements.collect::<Vec<_>>(),
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
