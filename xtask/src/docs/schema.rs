//! A JSON schema as a document: a table for each object, with what its fields are.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde_json::Value;

/// The schema as Markdown.
///
/// # Errors
/// When it is no JSON, or has no title.
pub(super) fn markdown(source: &str) -> Result<String> {
    let schema: Value = serde_json::from_str(source)?;
    let title = schema["title"].as_str().context("it has no title")?;
    let mut text = format!("# {title}\n\n{}\n", described(&schema));
    object(&mut text, "", &schema)?;
    Ok(text)
}

/// The table of an object's fields, then a part for each object among them.
fn object(text: &mut String, path: &str, schema: &Value) -> Result<()> {
    let Some(fields) = schema["properties"].as_object() else {
        return Ok(());
    };
    writeln!(text, "\n| field | type | |\n| --- | --- | --- |")?;
    for (name, field) in fields {
        let required = schema["required"].as_array();
        let is_required = required.is_some_and(|names| names.iter().any(|n| n == name.as_str()));
        let needed = if is_required { "" } else { "*optional*; " };
        let said = described(field).replace('|', "\\|");
        writeln!(text, "| `{name}` | {} | {needed}{said} |", kind(field))?;
    }
    for (name, field) in fields {
        let (inner, mark) = match field.get("items") {
            Some(items) => (items, "[]"),
            None => (field, ""),
        };
        if inner.get("properties").is_some() {
            let path = format!("{path}{name}{mark}");
            writeln!(text, "\n## `{path}`\n\n{}", described(inner))?;
            object(text, &format!("{path}."), inner)?;
        }
    }
    Ok(())
}

fn described(schema: &Value) -> String {
    schema["description"].as_str().unwrap_or("").to_owned()
}

/// What a field's values are, in a few words.
fn kind(schema: &Value) -> String {
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(|v| format!("`{v}`")).collect();
        return values.join(", ").replace('|', "\\|");
    }
    if let Some(value) = schema.get("const") {
        return format!("`{value}`");
    }
    if let Some(place) = schema["$ref"].as_str() {
        let name = place.rsplit('/').next().unwrap_or(place);
        return format!("as `{name}`");
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[choice].as_array() {
            let choices: Vec<String> = choices.iter().map(kind).collect();
            return choices.join(" or ");
        }
    }
    let name = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let kind_of = &schema["type"];
    match (kind_of.as_array(), schema.get("items")) {
        (Some(kinds), _) => kinds.iter().map(name).collect::<Vec<_>>().join(" or "),
        (None, Some(items)) => format!("array of {}", kind(items)),
        (None, None) => name(kind_of),
    }
}

#[cfg(test)]
mod tests {
    use super::markdown;

    #[test]
    fn fields_stand_in_tables() {
        let schema = r#"{"title": "T", "description": "D.", "required": ["a"], "properties": {
            "a": {"type": "integer", "description": "A."},
            "b": {"type": "array", "items": {"type": "object", "description": "Each.",
                "properties": {"c": {"enum": ["x", "y"]}}}}}}"#;
        let text = markdown(schema).unwrap();
        assert!(text.starts_with("# T\n\nD.\n"));
        assert!(text.contains("| `a` | integer | A. |"));
        assert!(text.contains("| `b` | array of object | *optional*;  |"));
        assert!(text.contains("## `b[]`\n\nEach.\n"));
        assert!(text.contains("| `c` | `\"x\"`, `\"y\"` |"));
        assert!(markdown("{}").is_err());
    }
}
