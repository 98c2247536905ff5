//! Functions of WGSL that the emitted text calls: those it needs of `library.wgsl`, and those that these call.

use std::collections::BTreeSet;

const LIBRARY: &str = include_str!("library.wgsl");

/// The name and text of each function.
fn functions() -> impl Iterator<Item = (&'static str, &'static str)> {
    LIBRARY.split("\n\n").filter_map(|text| {
        let text = text.trim();
        let name = text.strip_prefix("fn ")?.split('(').next()?;
        Some((name, text))
    })
}

/// Whether a text calls a function.
fn calls(text: &str, name: &str) -> bool {
    let call = format!("{name}(");
    text.match_indices(&call).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        !before.is_some_and(|one| one.is_alphanumeric() || one == '_')
    })
}

/// The functions of those names with all that they call, in the library's order.
pub(crate) fn with_callees(wanted: &BTreeSet<&'static str>) -> Vec<&'static str> {
    let mut wanted: BTreeSet<&str> = wanted.iter().copied().collect();
    loop {
        let before = wanted.len();
        for (name, text) in functions() {
            if wanted.contains(name) {
                let body = text.split_once('{').map_or("", |(_, body)| body);
                let called = functions().filter(|(other, _)| calls(body, other));
                let called: Vec<&str> = called.map(|(other, _)| other).collect();
                wanted.extend(called);
            }
        }
        if wanted.len() == before {
            break;
        }
    }
    functions()
        .filter(|(name, _)| wanted.contains(name))
        .map(|(_, text)| text)
        .collect()
}

/// Names of all functions.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    functions().map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::{names, with_callees};

    #[test]
    fn all_functions_are_valid() {
        let all = names().collect();
        let declared = "enable f16;\nconst lanes: u32 = 32u;\nconst threads: u32 = 64u;\n\
            var<workgroup> exchange: array<u32, 64>;\nvar<workgroup> exchange_flags: array<u32, 64>;\n\
            @group(0) @binding(0) var<storage, read_write> outside: array<atomic<u32>>;\n";
        let text = format!("{declared}{}", with_callees(&all).join("\n"));
        assert_eq!(lanescope_wgsl::validate(&text), Ok(()));
    }

    #[test]
    fn functions_bring_what_they_call() {
        let texts = with_callees(&["high_i32"].into());
        let firsts: Vec<&str> = texts
            .iter()
            .filter_map(|text| text.split('(').next())
            .collect();
        assert_eq!(firsts, ["fn high_i32", "fn wide_u32", "fn wide_i32"]);
        assert!(names().count() > 50);
    }
}
