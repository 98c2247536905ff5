//! The two axes of a WGSL workgroup exchanged.

use std::collections::BTreeSet;

use lanescope_syntax::token::{Kind, Token};
use lanescope_syntax::{Sink, lexer};

use crate::Edit;

/// What numbers an invocation in another way than by its place in the workgroup.
const OTHER_NUMBERS: [&str; 4] = [
    "global_invocation_id",
    "local_invocation_index",
    "subgroup_invocation_id",
    "subgroup_size",
];

/// `x` and `y` of the place in a square workgroup exchanged; `None` where the text does not use both, each alone.
pub(crate) fn swap(text: &str) -> Option<Vec<Edit>> {
    let tokens = lexer::lex(text, &mut Sink::deaf());
    if tokens.iter().any(|token| is_one_of(token, &OTHER_NUMBERS)) {
        return None;
    }
    let declared = declared(&tokens);
    let names: BTreeSet<String> = declared.iter().map(|at| tokens[*at].spelling()).collect();
    let (mut edits, mut seen) = (Vec::new(), [false; 2]);
    for (at, token) in tokens.iter().enumerate() {
        let is_name = matches!(&token.kind, Kind::Name(name) if names.contains(&**name));
        if !is_name || declared.contains(&at) {
            continue;
        }
        let axis = tokens.get(at + 2)?;
        if !tokens.get(at + 1)?.is(".") {
            return None;
        }
        let (side, other) = match axis.spelling().as_str() {
            "x" => (0, "y"),
            "y" => (1, "x"),
            "z" => continue,
            _ => return None,
        };
        seen[side] = true;
        let [start, end] = [axis.span.start as usize, axis.span.end as usize];
        edits.push(Edit::new(start, end, other));
    }
    (seen == [true; 2]).then_some(edits)
}

/// The tokens that name what `@builtin(local_invocation_id)` stands before.
fn declared(tokens: &[Token]) -> BTreeSet<usize> {
    let places = tokens.windows(5).enumerate().filter_map(|(at, five)| {
        let is_place = five[0].is_name("builtin")
            && five[1].is("(")
            && five[2].is_name("local_invocation_id")
            && five[3].is(")");
        is_place.then_some(at + 4)
    });
    places.collect()
}

fn is_one_of(token: &Token, names: &[&str]) -> bool {
    names.iter().any(|name| token.is_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;

    #[test]
    fn axes_are_exchanged_where_each_stands_alone() {
        let text = |head: &str, body: &str| format!("@compute fn f({head}) {{ {body} }}");
        let place = "@builtin(local_invocation_id) l: vec3u";
        let found = swap(&text(place, "a[l.y * 8 + l.x] = l.z; // l.x"));
        let changed = apply(
            &text(place, "a[l.y * 8 + l.x] = l.z; // l.x"),
            &found.unwrap(),
        );
        assert_eq!(
            changed.unwrap(),
            text(place, "a[l.x * 8 + l.y] = l.z; // l.x")
        );
        for body in [
            "a[l.x] = 0;",
            "a[l.x] = l.y; f(l);",
            "a[l.x] = l.y; b = l.xy;",
        ] {
            assert_eq!(swap(&text(place, body)), None, "{body}");
        }
        let both = format!("{place}, @builtin(global_invocation_id) g: vec3u");
        assert_eq!(swap(&text(&both, "a[l.x] = l.y + g.x;")), None);
    }
}
