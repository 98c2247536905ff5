//! Text into tokens; anything out of the ordinary ends the reading.

use lanescope_frontend::Span;

/// What a token is; its text is that of its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Name,
    /// A whole number that `int` or `unsigned` holds.
    Whole {
        value: u32,
        unsigned: bool,
    },
    Punct,
    End,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
    pub(crate) first_on_line: bool,
}

/// Operators and brackets of two and three characters; longer ones first.
const LONG: [&str; 12] = [
    "...", "…", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "\r\n", "::",
];

/// The longest text that is read.
const MOST_BYTES: usize = 16 * 1024;

/// The tokens of `source`, the last of which is the end; `None` for comments, directives, texts
/// and other characters than plain ones.
pub(crate) fn tokens(source: &str) -> Option<Vec<Token>> {
    if source.len() > MOST_BYTES {
        return None;
    }
    let bytes = source.as_bytes();
    let mut all = Vec::new();
    let (mut at, mut first_on_line) = (0, true);
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b' ' | b'\t' | b'\n') {
            first_on_line |= *byte == b'\n';
            at += 1;
            continue;
        }
        let (kind, length) = token(source, at)?;
        all.push(Token {
            kind,
            span: Span::new(at, at + length),
            first_on_line,
        });
        first_on_line = false;
        at += length;
    }
    all.push(Token {
        kind: Kind::End,
        span: Span::new(at, at),
        first_on_line: true,
    });
    Some(all)
}

fn token(source: &str, at: usize) -> Option<(Kind, usize)> {
    let bytes = &source.as_bytes()[at..];
    match bytes[0] {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => Some((Kind::Name, word(bytes))),
        b'0'..=b'9' => number(bytes),
        _ => punct(bytes).map(|length| (Kind::Punct, length)),
    }
}

/// Bytes of letters, digits and underscores.
fn word(bytes: &[u8]) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    bytes.iter().take_while(|byte| is_part(byte)).count()
}

fn number(bytes: &[u8]) -> Option<(Kind, usize)> {
    let length = word(bytes);
    let text = &bytes[..length];
    if bytes.get(length) == Some(&b'.') || !text.is_ascii() {
        return None;
    }
    let (digits, unsigned) = match text.split_last() {
        Some((b'u' | b'U', rest)) => (rest, true),
        _ => (text, false),
    };
    let (digits, radix) = match digits {
        [b'0', b'x' | b'X', rest @ ..] => (rest, 16),
        [b'0', _, ..] => return None,
        _ => (digits, 10),
    };
    let value = value_of(digits, radix)?;
    let fits = unsigned || value <= i32::MAX.unsigned_abs();
    fits.then_some((Kind::Whole { value, unsigned }, length))
}

fn value_of(digits: &[u8], radix: u32) -> Option<u32> {
    let mut value: Option<u32> = None;
    for digit in digits {
        let digit = char::from(*digit).to_digit(radix)?;
        value = Some(value.unwrap_or(0).checked_mul(radix)?.checked_add(digit)?);
    }
    value
}

fn punct(bytes: &[u8]) -> Option<usize> {
    let long = LONG.iter().find(|text| bytes.starts_with(text.as_bytes()));
    let after = bytes.get(1).copied().unwrap_or(0);
    match (long, bytes[0]) {
        (Some(&"\r\n" | &"::"), _) => None,
        // `<<=` and `>>=` assign.
        (Some(&("<<" | ">>")), _) if bytes.get(2) == Some(&b'=') => None,
        (Some(text), _) => Some(text.len()),
        // Comments, and operators that assign, step or point.
        (None, b'/') if matches!(after, b'/' | b'*') => None,
        (None, b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^')
            if after == b'=' || (after == bytes[0] && matches!(after, b'+' | b'-')) =>
        {
            None
        }
        (None, b'-') if after == b'>' => None,
        (
            None,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';' | b':' | b'?' | b'.' | b'+'
            | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'~' | b'!' | b'<' | b'>' | b'='
            | b'@',
        ) => Some(1),
        _ => None,
    }
}
