//! The workgroup size that a text in WGSL has as literals: written anew there.

use std::ops::Range;

use lanescope_frontend::is_wgsl;
use lanescope_share::{Source, State};

use crate::page::Page;

/// What stands before the sides.
const ATTRIBUTE: &str = "@workgroup_size";

/// The source of `state` with a workgroup of `size` threads for the kernel of `page`. `None` where that is not in WGSL, or the size
/// stands there otherwise.
pub(crate) fn rewritten(page: &Page, state: &State, size: [u32; 3]) -> Option<Source> {
    let Source::Kernel(text) = &state.source else {
        return None;
    };
    let program = &page.answer.program;
    let was = program.block().filter(|_| is_wgsl(text))?;
    written(text, program.name(), [was, size]).map(Source::Kernel)
}

/// `text` with a workgroup of `size` threads along x, y, z for its entry point `entry`, which has `was`: literals get another
/// value. `None` where no side is a literal, or a side that is none (an override, an expression) would have to change.
fn written(text: &str, entry: &str, [was, size]: [[u32; 3]; 2]) -> Option<String> {
    let sides = sides(text, entry)?;
    let mut new = text.to_owned();
    let end = sides.last()?.end;
    let is_literal = |side: &Range<usize>| text.get(side.clone()).is_some_and(is_literal);
    if !sides.iter().any(is_literal) {
        return None;
    }
    // From the last on, so that what stands before stays where it is.
    let missing = size.iter().enumerate().skip(sides.len());
    for (axis, side) in missing.rev() {
        // Sides that are not written are 1; where a later one is wanted, so is this.
        if size.iter().skip(axis).any(|side| *side != 1) {
            new.insert_str(end, &format!(", {side}"));
        }
    }
    for (axis, place) in sides.into_iter().enumerate().rev() {
        let (side, before) = (size.get(axis)?, was.get(axis)?);
        if side == before {
            continue;
        }
        if !is_literal(&place) {
            return None;
        }
        new.replace_range(place, &side.to_string());
    }
    Some(new)
}

/// Whether a side is a whole number as it stands.
fn is_literal(side: &str) -> bool {
    let digits = side.trim_end_matches(['u', 'i']);
    let has_suffix = side.len() - digits.len();
    let (digits, radix) = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (digits, 10),
    };
    has_suffix <= 1 && !digits.is_empty() && digits.chars().all(|one| one.is_digit(radix))
}

/// Where the sides of an entry point's workgroup stand.
fn sides(text: &str, entry: &str) -> Option<Vec<Range<usize>>> {
    let code = without_comments(text);
    let head = code.match_indices(entry).find_map(|(at, _)| {
        let before = code.get(..at)?.trim_end();
        let after = code.get(at + entry.len()..)?.trim_start();
        (before.ends_with("fn") && after.starts_with('(')).then_some(before)
    })?;
    let attribute = head.rfind(ATTRIBUTE)?;
    // Another entry point's is not this one's.
    if head.get(attribute..)?.contains([';', '{', '}']) {
        return None;
    }
    let open = attribute + head.get(attribute..)?.find('(')?;
    let mut sides = Vec::new();
    let (mut depth, mut start) = (0_usize, open + 1);
    for (at, char_indice) in code.char_indices().skip_while(|(at, _)| *at < open) {
        match char_indice {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && char_indice == ',' {
            let side = code.get(start..at)?;
            let first = start + side.len() - side.trim_start().len();
            let trimmed = side.trim();
            // A comma may stand behind the last side.
            if !trimmed.is_empty() {
                sides.push(first..first + trimmed.len());
            }
            start = at + 1;
        }
        if depth == 0 {
            return Some(sides);
        }
    }
    None
}

/// A text with blanks for its comments, byte for byte.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let (mut depth, mut is_line) = (0_usize, false);
    let mut rest = text;
    while let Some(one) = rest.chars().next() {
        let starts = |mark: &str| rest.starts_with(mark);
        let taken = match (is_line, depth) {
            (true, _) => {
                is_line = one != '\n';
                one.len_utf8()
            }
            (false, 0) if starts("//") => {
                is_line = true;
                2
            }
            (false, _) if starts("/*") => {
                depth += 1;
                2
            }
            (false, 1..) if starts("*/") => {
                depth -= 1;
                2
            }
            (false, 1..) => one.len_utf8(),
            (false, 0) => {
                code.push(one);
                rest = rest.get(one.len_utf8()..).unwrap_or_default();
                continue;
            }
        };
        code.extend(std::iter::repeat_n(' ', taken));
        rest = rest.get(taken..).unwrap_or_default();
    }
    code
}

#[cfg(test)]
mod tests {
    use super::written;

    fn sized(attribute: &str, [was, size]: [[u32; 3]; 2]) -> Option<String> {
        let text = |attribute: &str| {
            format!(
                "// fn k( @workgroup_size(1)\n@compute @workgroup_size(7) fn other() {{}}\n\
                 @compute /* ü @workgroup_size(2) */ {attribute}\nfn k() {{}}\n"
            )
        };
        let new = written(&text(attribute), "k", [was, size])?;
        let [before, after] = text("#").split_once('#').map(|(a, b)| [a.len(), b.len()])?;
        assert!(new.starts_with(&text(attribute)[..before]));
        Some(new[before..new.len() - after].to_owned())
    }

    #[test]
    fn literals_are_written_anew_and_sides_added() {
        for (attribute, was, size, expected) in [
            (
                "@workgroup_size(64)",
                [64, 1, 1],
                [128, 1, 1],
                "@workgroup_size(128)",
            ),
            (
                "@workgroup_size(64)",
                [64, 1, 1],
                [16, 16, 1],
                "@workgroup_size(16, 16)",
            ),
            (
                "@workgroup_size(64)",
                [64, 1, 1],
                [8, 1, 4],
                "@workgroup_size(8, 1, 4)",
            ),
            (
                "@workgroup_size( 16u, 0x10, )",
                [16, 16, 1],
                [32, 1, 1],
                "@workgroup_size( 32, 1, )",
            ),
            (
                "@workgroup_size(SIDE, 8)",
                [8, 8, 1],
                [8, 4, 1],
                "@workgroup_size(SIDE, 4)",
            ),
            (
                "@workgroup_size(max(2, N), 8)",
                [2, 8, 1],
                [2, 8, 2],
                "@workgroup_size(max(2, N), 8, 2)",
            ),
            (
                "@workgroup_size(64)",
                [64, 1, 1],
                [64, 1, 1],
                "@workgroup_size(64)",
            ),
        ] {
            let sized = sized(attribute, [was, size]);
            assert_eq!(sized.as_deref(), Some(expected), "{attribute}");
        }
    }

    #[test]
    fn what_is_no_literal_stays() {
        let wider = [[8, 8, 1], [16, 8, 1]];
        assert_eq!(sized("@workgroup_size(SIDE, 8)", wider), None);
        assert_eq!(sized("@workgroup_size(SIDE, SIDE)", [[8, 8, 1]; 2]), None);
        assert_eq!(sized("", [[1; 3]; 2]), None);
        assert_eq!(written("fn k() {}", "other", [[1; 3]; 2]), None);
    }
}
