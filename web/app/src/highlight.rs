//! Source text in pieces, each with its class of colour.

use lanescope_frontend::{Diagnostic, Severity};

const KEYWORDS: [&str; 24] = [
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "struct",
    "const",
    "volatile",
    "static",
    "extern",
    "template",
    "typename",
    "typedef",
    "using",
    "__shared__",
    "__global__",
    "__device__",
    "tile_static",
];
const TYPES: [&str; 26] = [
    "void",
    "bool",
    "char",
    "short",
    "int",
    "long",
    "unsigned",
    "signed",
    "float",
    "double",
    "half",
    "auto",
    "size_t",
    "int2",
    "int3",
    "int4",
    "uint",
    "uint2",
    "uint4",
    "float2",
    "float3",
    "float4",
    "double2",
    "uint8_t",
    "uint32_t",
    "__align__",
];
const BUILTINS: [&str; 16] = [
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "lane",
    "warp",
    "tid",
    "tx",
    "ty",
    "tz",
    "bx",
    "by",
    "min",
    "max",
    "__syncthreads",
];

/// The most pieces that are told apart; what follows them is one plain piece.
const MOST_PIECES: usize = 8_192;

/// A stretch of text in one colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) class: &'static str,
}

impl Piece {
    /// In no colour of its own.
    pub(crate) fn plain(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            class: "",
        }
    }
}

/// A stretch to underline, in bytes, and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Underline {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) is_error: bool,
    pub(crate) message: String,
}

impl Underline {
    /// Where `diagnostic`, in the words of `message`, stands in a field whose text, `text`, begins at byte `offset` of
    /// the source. A place between two characters is shown at the one after it, or before it at the end of a line.
    pub(crate) fn of(
        diagnostic: &Diagnostic,
        offset: usize,
        text: &str,
        message: String,
    ) -> Option<Self> {
        let start = (diagnostic.span.start as usize).checked_sub(offset)?;
        let end = (diagnostic.span.end as usize)
            .saturating_sub(offset)
            .min(text.len());
        let (start, end) = if start == end && start > 0 {
            around(text, start)?
        } else {
            (start, end)
        };
        let is_error = diagnostic.severity() == Severity::Error;
        (start < end && diagnostic.severity() != Severity::Note).then_some(Self {
            start,
            end,
            is_error,
            message,
        })
    }
}

/// The character at byte `at` of `text`, or the last one before it where a line ends there.
fn around(text: &str, at: usize) -> Option<(usize, usize)> {
    let (before, after) = text.split_at_checked(at)?;
    let next = after.chars().next().filter(|next| !next.is_whitespace());
    if let Some(next) = next {
        return Some((at, at + next.len_utf8()));
    }
    let end = before.trim_end();
    let last = end.chars().next_back()?;
    Some((end.len() - last.len_utf8(), end.len()))
}

/// `text` in pieces: keywords, types, numbers, comments.
pub(crate) fn highlight(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (length, class) = if pieces.len() < MOST_PIECES {
            token(rest)
        } else {
            (rest.len(), "")
        };
        add(&mut pieces, rest.get(..length).unwrap_or(rest), class);
        at += length;
    }
    pieces
}

/// `text` in pieces: what is underlined, and what lies between.
pub(crate) fn underlined(text: &str, underlines: &[Underline]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let inside = |at: &usize| text.is_char_boundary(*at);
    let edges = underlines
        .iter()
        .flat_map(|underline| [underline.start, underline.end]);
    let mut cuts: Vec<usize> = edges.filter(inside).chain([0, text.len()]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    for pair in cuts.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let under = underlines
            .iter()
            .find(|underline| underline.start < to && underline.end > from);
        let class = under.map_or("", |under| {
            if under.is_error {
                "squiggle"
            } else {
                "squiggle warning"
            }
        });
        add(&mut pieces, text.get(from..to).unwrap_or_default(), class);
    }
    pieces
}

/// Length and class of the token that `rest` begins with.
fn token(rest: &str) -> (usize, &'static str) {
    // Letters past ASCII stand in names as well; no table of them is needed to colour text.
    let is_word = |character: char| {
        character.is_ascii_alphanumeric() || character == '_' || !character.is_ascii()
    };
    let first = rest.chars().next().unwrap_or(' ');
    if rest.starts_with("//") {
        (rest.find('\n').unwrap_or(rest.len()), "c")
    } else if rest.starts_with("/*") {
        (rest.find("*/").map_or(rest.len(), |end| end + 2), "c")
    } else if first.is_ascii_digit() {
        (
            length_while(rest, |character| is_word(character) || character == '.'),
            "n",
        )
    } else if is_word(first) {
        let length = length_while(rest, is_word);
        (length, word_class(rest.get(..length).unwrap_or_default()))
    } else {
        (
            length_while(rest, |character| !is_word(character) && character != '/')
                .max(first.len_utf8()),
            "",
        )
    }
}

fn length_while(text: &str, is_wanted: impl Fn(char) -> bool) -> usize {
    text.find(|character| !is_wanted(character))
        .unwrap_or(text.len())
}

fn word_class(word: &str) -> &'static str {
    if KEYWORDS.contains(&word) {
        "k"
    } else if TYPES.contains(&word) {
        "t"
    } else if BUILTINS.contains(&word) {
        "b"
    } else {
        ""
    }
}

/// Adds a stretch; one in the colour of the piece before becomes part of that.
fn add(pieces: &mut Vec<Piece>, text: &str, class: &'static str) {
    match pieces.last_mut() {
        Some(last) if last.class == class => last.text.push_str(text),
        _ => pieces.push(Piece {
            text: text.to_owned(),
            class,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(text: &str) -> Vec<(String, String)> {
        highlight(text)
            .into_iter()
            .map(|piece| (piece.text, piece.class.to_owned()))
            .collect()
    }

    #[test]
    fn pieces_make_up_the_text() {
        for text in [
            "float t[32]; // é ü",
            "/* open",
            "a/b//c\nd",
            "",
            "1.5f + 中文 / 2",
        ] {
            let joined: String = highlight(text)
                .into_iter()
                .map(|piece| piece.text)
                .collect();
            assert_eq!(joined, text);
        }
    }

    #[test]
    fn tells_types_numbers_and_names_apart() {
        let expected = [("float", "t"), (" a[", ""), ("32", "n"), ("]", "")];
        let expected: Vec<_> = expected
            .map(|(text, class)| (text.to_owned(), class.to_owned()))
            .into();
        assert_eq!(classes("float a[32]"), expected);
    }

    fn error(start: usize, end: usize) -> Underline {
        Underline {
            start,
            end,
            is_error: true,
            message: String::new(),
        }
    }

    #[test]
    fn underlines_cut_the_text() {
        let pieces = underlined("abcd", &[error(1, 3)]);
        let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(texts, ["a", "bc", "d"]);
        assert_eq!(pieces[1].class, "squiggle");
    }

    #[test]
    fn underlines_of_another_text_leave_the_text_whole() {
        for text in ["é", "ab", ""] {
            let pieces = underlined(text, &[error(1, 9), error(0, 1)]);
            let joined: String = pieces.into_iter().map(|piece| piece.text).collect();
            assert_eq!(joined, text);
        }
    }
}
