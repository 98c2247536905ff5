//! Tokens of the text form.

use super::parser::TextError;

/// A token and the byte it starts at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) at: usize,
    /// Whether it is the first of its line.
    pub(super) starts_line: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, digits, `_`; starts with a letter or `_`.
    Word(String),
    /// A number without sign, decimal or `0x`.
    Number(u64),
    /// Text between quotes, escapes undone.
    Text(String),
    /// `..` or one of `{ } [ ] ( ) = , . : + - @ ! #`.
    Sign(&'static str),
}

const SIGNS: [&str; 14] = [
    "..", "{", "}", "[", "]", "=", ",", ".", ":", "+", "-", "@", "!", "#",
];

/// Cuts a text into tokens.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, TextError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut starts_line = true;
    loop {
        let at = text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return Ok(tokens);
        };
        if first.is_whitespace() || first == ';' {
            starts_line |= first == '\n' || first == ';';
            rest = after(rest, first.len_utf8());
            continue;
        }
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| after(rest, end));
            continue;
        }
        let (kind, bytes) = if first.is_ascii_digit() {
            let bytes = length(rest, |c| c.is_ascii_alphanumeric());
            let digits = rest.get(..bytes).unwrap_or_default();
            let number = digits
                .strip_prefix("0x")
                .map_or_else(|| digits.parse(), |hex| u64::from_str_radix(hex, 16));
            let number = number.map_err(|_| TextError::new(at, "a number of at most 64 bits"))?;
            (Kind::Number(number), bytes)
        } else if first.is_ascii_alphabetic() || first == '_' {
            let bytes = length(rest, |c| c.is_ascii_alphanumeric() || c == '_');
            let word = rest.get(..bytes).unwrap_or_default();
            (Kind::Word(word.to_owned()), bytes)
        } else if first == '"' {
            let (text, bytes) =
                string(after(rest, 1)).ok_or_else(|| TextError::new(at, "a closed string"))?;
            (Kind::Text(text), bytes + 1)
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            (Kind::Sign(sign), sign.len())
        } else {
            return Err(TextError::new(at, "a token"));
        };
        tokens.push(Token {
            kind,
            at,
            starts_line,
        });
        starts_line = false;
        rest = after(rest, bytes);
    }
}

fn after(text: &str, bytes: usize) -> &str {
    text.get(bytes..).unwrap_or_default()
}

fn length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// The string behind its opening quote, and its bytes with the closing one.
fn string(text: &str) -> Option<(String, usize)> {
    let mut out = String::new();
    let mut chars = text.char_indices();
    while let Some((at, one)) = chars.next() {
        match one {
            '"' => return Some((out, at + 1)),
            '\\' => match chars.next()?.1 {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'u' => {
                    let mut code = String::new();
                    if chars.next()?.1 != '{' {
                        return None;
                    }
                    loop {
                        match chars.next()?.1 {
                            '}' => break,
                            digit => code.push(digit),
                        }
                    }
                    out.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
                }
                other => out.push(other),
            },
            other => out.push(other),
        }
    }
    None
}

/// A string in quotes, with escapes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => {
                out.push('\\');
                out.push(char);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            other if other.is_control() => {
                out.push_str(&format!("\\u{{{:x}}}", u32::from(other)));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
