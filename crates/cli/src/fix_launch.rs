//! A fix's launch in words, for outputs that hold the changes of the text.

/// The launch that a fix is to have as a sentence, where the changed text does not say it; `is_alone`: the text stays as it is.
pub(crate) fn sentence(left: &[(&'static str, String)], is_alone: bool) -> Option<String> {
    if left.is_empty() {
        return None;
    }
    let options: Vec<String> = left
        .iter()
        .map(|(option, value)| format!("{option} {value}"))
        .collect();
    let options = options.join(" ");
    Some(match is_alone {
        true => format!("only the launch changes: {options}"),
        false => format!("launch it with {options}"),
    })
}

/// The same as a line of its own before a diff, which tools that apply diffs pass over.
pub(crate) fn comment(left: &[(&'static str, String)], is_alone: bool) -> String {
    sentence(left, is_alone).map_or_else(String::new, |text| format!("# {text}\n"))
}
