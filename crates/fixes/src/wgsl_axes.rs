//! The two axes of a WGSL workgroup exchanged.
//!
//! `local_invocation_id.x` and `.y` change places, and with them the sides of the workgroup. `global_invocation_id` is put
//! together anew, from the workgroup's place and the exchanged axes, so that every workgroup stays where it is.

use std::collections::BTreeSet;

use lanescope_syntax::token::{Kind, Token};
use lanescope_syntax::{Sink, lexer};

use crate::Edit;
use crate::wgsl_uses::closing;

/// What numbers an invocation in another way than by its place in the workgroup or in the grid.
const OTHER_NUMBERS: [&str; 3] = [
    "local_invocation_index",
    "subgroup_invocation_id",
    "subgroup_size",
];

/// `x` and `y` of the place in a workgroup exchanged; `None` where the text does not use both, each alone, or has several
/// entry points. Beside the changes the piece that says most, where the text's own lines do not.
pub(crate) fn swap(text: &str) -> Option<(Vec<Edit>, Option<String>)> {
    let tokens = lexer::lex(text, &mut Sink::deaf());
    if tokens.iter().any(|token| is_one_of(token, &OTHER_NUMBERS)) {
        return None;
    }
    let entry = Entry::of(&tokens, text)?;
    let local = declared(&tokens, "local_invocation_id");
    let mut edits = entry.swapped_sides();
    let mut seen = exchanged(&tokens, &local, &mut edits)?;
    let mut shown = None;
    let global = declared(&tokens, "global_invocation_id");
    if !global.is_empty() {
        let (anew, piece) = entry.anew(&tokens, &global, &local)?;
        edits.extend(anew);
        shown = Some(piece);
        seen = [true; 2];
    }
    (seen == [true; 2]).then_some((edits, shown))
}

/// Exchanges `x` and `y` wherever the names stand that are declared at these tokens; which of the two is used.
fn exchanged(
    tokens: &[Token],
    declared: &BTreeSet<usize>,
    edits: &mut Vec<Edit>,
) -> Option<[bool; 2]> {
    let names: BTreeSet<String> = declared.iter().map(|at| tokens[*at].spelling()).collect();
    let mut seen = [false; 2];
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
    Some(seen)
}

/// The one entry point of a text.
struct Entry<'t> {
    /// The sides of its workgroup, as written, each from byte to byte.
    sides: [(usize, usize, &'t str); 2],
    /// The token behind `(` that its parameters begin with.
    parameters: usize,
    /// The token `)` that ends them.
    end: usize,
    /// The byte behind the `{` of its body.
    body: usize,
}

impl<'t> Entry<'t> {
    fn of(tokens: &[Token], text: &'t str) -> Option<Self> {
        let mut sizes = (0..tokens.len()).filter(|at| tokens[*at].is_name("workgroup_size"));
        let (Some(size), None) = (sizes.next(), sizes.next()) else {
            return None;
        };
        let end = closing_parenthesis(tokens, size + 1)?;
        let mut sides = Vec::new();
        let mut first = size + 2;
        for at in size + 2..=end {
            if (tokens[at].is(",") || at == end) && first < at {
                let from = tokens[first].span.start as usize;
                let to = tokens[at - 1].span.end as usize;
                sides.push((from, to, text.get(from..to)?));
                first = at + 1;
            }
        }
        let sides = [*sides.first()?, *sides.get(1)?];
        let function = (end..tokens.len()).find(|at| tokens[*at].is_name("fn"))?;
        let open = function + 2;
        let end = closing_parenthesis(tokens, open)?;
        let body = (end..tokens.len()).find(|at| tokens[*at].is("{"))?;
        Some(Self {
            sides,
            parameters: open + 1,
            end,
            body: tokens[body].span.end as usize,
        })
    }

    fn swapped_sides(&self) -> Vec<Edit> {
        let [x, y] = self.sides;
        match x.2 == y.2 {
            true => Vec::new(),
            false => vec![Edit::new(x.0, x.1, y.2), Edit::new(y.0, y.1, x.2)],
        }
    }

    /// The place in the grid, which one parameter holds, put together from the exchanged axes; and that of `x` alone.
    fn anew(
        &self,
        tokens: &[Token],
        global: &BTreeSet<usize>,
        local: &BTreeSet<usize>,
    ) -> Option<(Vec<Edit>, String)> {
        let is_parameter = |at: &usize| (self.parameters..self.end).contains(at);
        let only = |found: &BTreeSet<usize>| {
            let mut all = found.iter();
            match (all.next(), all.next()) {
                (Some(at), None) if is_parameter(at) => Some(*at),
                _ => None,
            }
        };
        let at = only(global)?;
        let name = tokens[at].spelling();
        let mut added = String::new();
        let mut parameter = |found: &BTreeSet<usize>, builtin: &str, new: &str| {
            if found.is_empty() {
                let new = free_name(tokens, new);
                added.push_str(&format!("@builtin({builtin}) {new}: vec3<u32>, "));
                return Some(new);
            }
            only(found).map(|at| tokens[at].spelling())
        };
        let group = declared(tokens, "workgroup_id");
        let group = parameter(&group, "workgroup_id", "block")?;
        let local = parameter(local, "local_invocation_id", "thread")?;
        let own = free_name(tokens, &format!("{name}_as_launched"));
        let [x, y] = self.sides.map(|(_, _, text)| text);
        let along_x = format!("{group}.x * ({x}) + {local}.y");
        let place = format!(
            "\n  let {name} = vec3<u32>({along_x}, {group}.y * ({y}) + {local}.x, {own}.z);"
        );
        let span = tokens[at].span;
        let start = tokens.get(self.parameters)?.span.start as usize;
        let mut edits = vec![
            Edit::new(span.start as usize, span.end as usize, own),
            Edit::new(self.body, self.body, place),
        ];
        if !added.is_empty() {
            edits.push(Edit::new(start, start, added));
        }
        Some((edits, along_x))
    }
}

/// The token that closes the parenthesis at `open`.
fn closing_parenthesis(tokens: &[Token], open: usize) -> Option<usize> {
    let is_open = tokens.get(open)?.is("(");
    is_open.then(|| closing(tokens, open)).flatten()
}

/// A name that no token has.
fn free_name(tokens: &[Token], wanted: &str) -> String {
    let mut name = wanted.to_owned();
    while tokens.iter().any(|token| token.is_name(&name)) {
        name.push('_');
    }
    name
}

/// The tokens that name what `@builtin(…)` of this kind stands before.
fn declared(tokens: &[Token], builtin: &str) -> BTreeSet<usize> {
    let places = tokens.windows(5).enumerate().filter_map(|(at, five)| {
        let is_place = five[0].is_name("builtin")
            && five[1].is("(")
            && five[2].is_name(builtin)
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

    fn swapped(text: &str) -> Option<String> {
        apply(text, &swap(text)?.0)
    }

    fn text(sides: &str, head: &str, body: &str) -> String {
        format!("@compute @workgroup_size({sides}) fn f({head}) {{ {body} }}")
    }

    #[test]
    fn axes_are_exchanged_where_each_stands_alone() {
        let place = "@builtin(local_invocation_id) l: vec3u";
        for (sides, turned) in [("8, 8", "8, 8"), ("8, 4, 2", "4, 8, 2"), ("X,Y", "Y,X")] {
            assert_eq!(
                swapped(&text(sides, place, "a[l.y * 8 + l.x] = l.z; // l.x")),
                Some(text(turned, place, "a[l.x * 8 + l.y] = l.z; // l.x"))
            );
        }
        for body in [
            "a[l.x] = 0;",
            "a[l.x] = l.y; f(l);",
            "a[l.x] = l.y; b = l.xy;",
        ] {
            assert_eq!(swapped(&text("8, 8", place, body)), None, "{body}");
        }
        let more = format!("{place}, @builtin(local_invocation_index) i: u32");
        assert_eq!(swapped(&text("8, 8", &more, "a[l.x] = l.y + i;")), None);
    }

    #[test]
    fn the_place_in_the_grid_is_put_together_anew() {
        let body = "a[g.x * 64 + g.y] = 0;";
        let global = "@builtin(global_invocation_id) g: vec3u";
        assert_eq!(
            swapped(&text("16, 4", global, body)).unwrap(),
            "@compute @workgroup_size(4, 16) fn f(@builtin(workgroup_id) block: vec3<u32>, \
             @builtin(local_invocation_id) thread: vec3<u32>, @builtin(global_invocation_id) g_as_launched: vec3u) \
             {\n  let g = vec3<u32>(block.x * (16) + thread.y, block.y * (4) + thread.x, g_as_launched.z); \
             a[g.x * 64 + g.y] = 0; }"
        );
        let all = "@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_id) l: vec3u, \
                   @builtin(global_invocation_id) g: vec3u";
        assert_eq!(
            swapped(&text("8, 8", all, "t[l.x] = a[g.x]; b[w.x] = l.y;")).unwrap(),
            "@compute @workgroup_size(8, 8) fn f(@builtin(workgroup_id) w: vec3u, \
             @builtin(local_invocation_id) l: vec3u, @builtin(global_invocation_id) g_as_launched: vec3u) \
             {\n  let g = vec3<u32>(w.x * (8) + l.y, w.y * (8) + l.x, g_as_launched.z); t[l.y] = a[g.x]; b[w.x] = l.x; }"
        );
        // One side, or two entry points.
        assert_eq!(swapped(&text("64", global, body)), None);
        let two = text("8, 8", global, body) + &text("8, 8", global, body);
        assert_eq!(swapped(&two), None);
    }
}
