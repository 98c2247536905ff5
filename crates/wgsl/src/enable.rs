//! `enable subgroups;`, which naga does without and refuses.

use crate::caps::{Token, tokens};
use std::borrow::Cow;

/// Extensions that naga takes for granted.
const GRANTED: [&str; 1] = ["subgroups"];

/// The text with blanks for the extensions that naga takes for granted, so that places stay.
pub(crate) fn without_granted(source: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(source);
    for directive in directives(source) {
        let (mut kept, mut dropped) = (0, Vec::new());
        for name in directive.iter().filter(|token| is_name(token)) {
            if GRANTED.contains(&name.text) {
                dropped.push(name);
            } else {
                kept += 1;
            }
        }
        let all: Vec<&Token<'_>> = directive.iter().collect();
        let blanks = match (kept, &dropped[..]) {
            (_, []) => continue,
            (0, _) => all,
            // The commas beside go too: naga takes one at the end, none at the beginning.
            _ => with_commas(&directive),
        };
        for token in blanks {
            let end = token.at + token.text.len();
            let blank = " ".repeat(token.text.len());
            text.to_mut().replace_range(token.at..end, &blank);
        }
    }
    text
}

/// What is granted, each with the comma behind it.
fn with_commas<'t, 's>(directive: &'t [Token<'s>]) -> Vec<&'t Token<'s>> {
    let mut list = Vec::new();
    for (at, token) in directive.iter().enumerate() {
        if GRANTED.contains(&token.text) {
            list.push(token);
            list.extend(directive.get(at + 1).filter(|next| next.text == ","));
        }
    }
    list
}

fn is_name(token: &Token<'_>) -> bool {
    !matches!(token.text, "enable" | "," | ";")
}

/// The `enable` directives at the beginning, each with its semicolon.
fn directives(source: &str) -> Vec<Vec<Token<'_>>> {
    let mut list: Vec<Vec<Token<'_>>> = Vec::new();
    let mut open: Vec<Token<'_>> = Vec::new();
    for token in tokens(source) {
        let begins = open.is_empty();
        if begins && !matches!(token.text, "enable" | "requires" | "diagnostic") {
            break;
        }
        let ends = token.text == ";";
        open.push(token);
        if ends {
            list.push(std::mem::take(&mut open));
        }
    }
    list.retain(|one| one[0].text == "enable");
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_naga_grants_is_blank_and_places_stay() {
        let cases = [
            ("enable subgroups; a", "                  a"),
            ("enable f16, subgroups; a", "enable f16,          ; a"),
            ("enable subgroups, f16; a", "enable            f16; a"),
            (
                "enable f16; enable subgroups; a",
                "enable f16;                   a",
            ),
            (
                "fn enable() {} // enable subgroups;",
                "fn enable() {} // enable subgroups;",
            ),
        ];
        for (source, expected) in cases {
            let text = without_granted(source);
            let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(squeezed(&text), squeezed(expected), "{source}");
            assert_eq!(text.len(), source.len());
        }
    }
}
