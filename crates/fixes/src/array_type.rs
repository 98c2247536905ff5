//! A WGSL array's type: where the text says its sizes.

use std::ops::Range;

use crate::lexical::Lexical;

/// The sizes in the array type behind a declared name, the outermost first, as in `: array<array<f32, 16>, 8>`.
pub(crate) fn array_sizes(code: &Lexical, after: usize) -> Vec<Range<usize>> {
    let mut sizes = Vec::new();
    let mut at = code.skip_blanks(after);
    if code.byte(at) != b':' {
        return sizes;
    }
    at += 1;
    while let Some((element, size)) = array_type(code, at) {
        sizes.push(size);
        at = element;
    }
    sizes
}

/// Where the element's type begins, and the inside of the size.
fn array_type(code: &Lexical, at: usize) -> Option<(usize, Range<usize>)> {
    const WORD: &str = "array";
    let at = code.skip_blanks(at);
    let open = code.skip_blanks(at + WORD.len());
    if code.text(at..at + WORD.len()) != WORD || code.byte(open) != b'<' {
        return None;
    }
    let (mut depth, mut comma) = (0_usize, None);
    for place in open + 1..code.len() {
        match code.byte(place) {
            b'<' | b'(' | b'[' => depth += 1,
            b'>' if depth == 0 => return comma.map(|comma: usize| (open + 1, comma + 1..place)),
            b'>' | b')' | b']' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => comma = Some(place),
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::array_sizes;
    use crate::lexical::Lexical;

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
            let sizes = array_sizes(&Lexical::of(text), 3);
            let sizes: Vec<&str> = sizes.into_iter().map(|one| text[one].trim()).collect();
            assert_eq!(sizes, expected, "{text}");
        }
    }
}
