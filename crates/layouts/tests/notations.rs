//! Layouts as people paste them, from C++, Python, printed output and Triton's IR.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_layouts::{self as layouts, Document, Severity};

fn read(text: &str) -> Document {
    let document = layouts::parse(text);
    let wrong = |found: &&layouts::Diagnostic| found.severity == Severity::Error;
    let wrong: Vec<_> = document.diagnostics.iter().filter(wrong).collect();
    assert!(wrong.is_empty(), "{text}: {wrong:?}");
    document
}

/// The lines of a data file that are neither empty nor notes, split at ` => `.
fn cases(data: &str) -> impl Iterator<Item = (String, String)> {
    data.lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
        .map(|line| line.split_once(" => ").unwrap())
        .map(|(text, expected)| (text.replace('⏎', "\n"), expected.replace('⏎', "\n")))
}

#[test]
fn each_notation_says_the_same_bytes() {
    let mut checked = 0;
    for (text, same) in cases(include_str!("data/notations.txt")) {
        let (left, right) = (read(&text).placement, read(&same).placement);
        let left = left.unwrap_or_else(|| panic!("no layout: {text}"));
        let right = right.unwrap();
        assert_eq!(left.size(), right.size(), "{text}");
        let bytes = |of: &layouts::Placement| {
            (0..of.size())
                .map(|index| of.address_of(index))
                .collect::<Vec<_>>()
        };
        assert_eq!(bytes(&left), bytes(&right), "{text}");
        checked += 1;
    }
    assert!(checked > 80, "{checked}");
}
