//! Where a WGSL text declares and uses one array, found among its tokens: they are those of C.

use std::ops::Range;

use lanescope_syntax::token::{Kind, Token};
use lanescope_syntax::{Sink, Span, lexer};

use crate::uses::{Use, Uses};

impl Uses {
    /// Those of the module's variable `name` that is declared at a place; `None` where it is not declared there.
    pub(crate) fn of_wgsl(text: &str, name: &str, at: Span) -> Option<Self> {
        let tokens = lexer::lex(text, &mut Sink::deaf());
        let is_there = |one: &Token| one.span.start <= at.end && one.span.end >= at.start;
        let declared = tokens
            .iter()
            .position(|one| one.is_name(name) && is_there(one))?;
        let mut indices = Vec::new();
        let mut is_bare = false;
        for (at, token) in tokens.iter().enumerate() {
            let is_member = at > 0 && tokens[at - 1].is(".");
            if !token.is_name(name) || at == declared || is_member {
                continue;
            }
            let brackets = brackets(&tokens, at + 1);
            is_bare |= brackets.is_empty();
            if !brackets.is_empty() {
                indices.push(Use {
                    start: token.span.start as usize,
                    is_pure: true,
                    brackets,
                });
            }
        }
        let declared_at = tokens.get(declared)?.span;
        Some(Self {
            declared: declared_at.start as usize..declared_at.end as usize,
            extents: array_sizes(&tokens, declared + 1),
            pointed: Vec::new(),
            has_other_names: false,
            indices,
            is_bare,
        })
    }
}

/// The insides of the `[…]` from the token `at` on, one after another.
fn brackets(tokens: &[Token], mut at: usize) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    while tokens.get(at).is_some_and(|one| one.is("[")) {
        let Some(end) = closing(tokens, at) else {
            return groups;
        };
        groups.push(tokens[at].span.end as usize..tokens[end].span.start as usize);
        at = end + 1;
    }
    groups
}

/// The bracket that closes the one at `open`.
pub(crate) fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Punct("(" | "[" | "{") => depth += 1,
            Kind::Punct(")" | "]" | "}") => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The sizes in the array type behind a declared name, the outermost first, as in `: array<array<f32, 16>, 8>`.
fn array_sizes(tokens: &[Token], at: usize) -> Vec<Range<usize>> {
    let mut sizes = Vec::new();
    if !tokens.get(at).is_some_and(|one| one.is(":")) {
        return sizes;
    }
    let mut at = at + 1;
    while let Some((element, size)) = array_type(tokens, at) {
        sizes.push(size);
        at = element;
    }
    sizes
}

/// Where the element's type begins, and the inside of the size.
fn array_type(tokens: &[Token], at: usize) -> Option<(usize, Range<usize>)> {
    if !tokens.get(at)?.is_name("array") || !tokens.get(at + 1)?.is("<") {
        return None;
    }
    let (mut depth, mut comma) = (0_usize, None);
    for token in tokens.iter().skip(at + 2) {
        match token.kind {
            Kind::Punct("<" | "(" | "[") => depth += 1,
            Kind::Punct(">") if depth == 0 => {
                let size = |comma: usize| (at + 2, comma..token.span.start as usize);
                return comma.map(size);
            }
            // The first closes what is open, the second the array.
            Kind::Punct(">>") if depth <= 1 => {
                let size = |comma: usize| (at + 2, comma..token.span.start as usize);
                return comma.map(size).filter(|_| depth == 0);
            }
            Kind::Punct(">>") => depth -= 2,
            Kind::Punct(">" | ")" | "]") => depth = depth.checked_sub(1)?,
            Kind::Punct(",") if depth == 0 => comma = Some(token.span.end as usize),
            Kind::Punct(";" | "{" | "}") | Kind::End => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_found_from_the_outermost_on() {
        let cases: [(&str, &[&str]); 5] = [
            ("box: array<array<f32, 16>, 8>;", &["8", "16"]),
            ("box : array < vec4<f32>, (2u * N) >;", &["(2u * N)"]),
            ("box: array<atomic<u32>, 256>;", &["256"]),
            ("box: Tile;", &[]),
            ("box: array<f32>;", &[]),
        ];
        for (text, expected) in cases {
            let uses = Uses::of_wgsl(text, "box", Span::new(0, 3)).unwrap();
            let sizes = uses.extents.into_iter().map(|one| text[one].trim());
            assert_eq!(sizes.collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn uses_are_told_from_members_and_comments() {
        let text =
            "var<workgroup> t: array<f32, 64>; // t[1]\nfn f() { t[a[0]] = u.t[2] + t[ i ]; }";
        let at = text.find("t: ").unwrap();
        let uses = Uses::of_wgsl(text, "t", Span::new(at, at + 1)).unwrap();
        let inside = |one: &Use| text[one.brackets[0].clone()].to_owned();
        let found: Vec<_> = uses.indices.iter().map(inside).collect();
        assert_eq!(
            (found, uses.is_bare),
            (vec!["a[0]".into(), " i ".into()], false)
        );
    }
}
