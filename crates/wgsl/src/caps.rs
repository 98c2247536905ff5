//! How large a text may be before naga sees it.
//!
//! naga has no bounds of its own on what these bound, and recurses over what is nested or chained.

use lanescope_frontend::{DiagnosticKind, Span};

/// The most bytes of a text.
pub const MOST_BYTES: usize = 32 * 1024;
/// The most tokens of a text.
pub const MOST_TOKENS: usize = 4_096;
/// The most operators, brackets and dots of one statement.
pub const MOST_OPERATORS: usize = 512;
/// The most brackets open at once.
pub const MOST_NESTED: usize = 64;

/// What is too large about `source`, and where; `None`: naga may see it.
pub(crate) fn exceeded(source: &str) -> Option<(Span, DiagnosticKind)> {
    let limit = |limit: usize| limit as u64;
    if source.len() > MOST_BYTES {
        let limit = limit(MOST_BYTES);
        return Some((Span::default(), DiagnosticKind::SourceTooLong { limit }));
    }
    let mut count = Count::default();
    for token in tokens(source) {
        if !count.allows(token.text) {
            let kind = if count.tokens > MOST_TOKENS {
                DiagnosticKind::TooManyTokens {
                    limit: limit(MOST_TOKENS),
                }
            } else if count.open > MOST_NESTED {
                DiagnosticKind::TooDeep {
                    limit: limit(MOST_NESTED),
                }
            } else {
                DiagnosticKind::TooDeep {
                    limit: limit(MOST_OPERATORS),
                }
            };
            return Some((Span::new(token.at, token.at + token.text.len()), kind));
        }
    }
    None
}

#[derive(Default)]
struct Count {
    tokens: usize,
    open: usize,
    operators: usize,
}

impl Count {
    /// Counts one token; whether all is still within bounds.
    fn allows(&mut self, token: &str) -> bool {
        self.tokens += 1;
        match token {
            "(" | "[" | "{" => self.open += 1,
            ")" | "]" | "}" => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        match token {
            ";" | "{" | "}" => self.operators = 0,
            _ => self.operators += usize::from(!is_word(token)),
        }
        self.tokens <= MOST_TOKENS && self.open <= MOST_NESTED && self.operators <= MOST_OPERATORS
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// A word, or another character.
pub(crate) struct Token<'s> {
    /// Its first byte.
    pub(crate) at: usize,
    /// Its text.
    pub(crate) text: &'s str,
}

/// Words, and every other character for itself; comments and blanks are left out.
pub(crate) fn tokens(source: &str) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at = after_blanks(source, at);
        let rest = source.get(at..)?;
        let first = rest.chars().next()?;
        let length = if is_word(rest) {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let token = Token {
            at,
            text: &rest[..length],
        };
        at += length;
        Some(token)
    })
}

fn after_blanks(source: &str, mut at: usize) -> usize {
    loop {
        let rest = source.get(at..).unwrap_or("");
        let blanks = rest.len() - rest.trim_start().len();
        at += blanks;
        let rest = &rest[blanks..];
        at += if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            comment(rest)
        } else {
            return at;
        };
    }
}

/// Bytes of the comment that `text` begins with; comments nest.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_u32, 0);
    while let Some(rest) = text.get(at..) {
        let (step, change) = match rest.as_bytes() {
            [b'/', b'*', ..] => (2, 1),
            [b'*', b'/', ..] => (2, -1),
            [] => return text.len(),
            _ => (rest.chars().next().map_or(1, char::len_utf8), 0),
        };
        at += step;
        depth = depth.saturating_add_signed(change);
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(source: &str) -> Option<&'static str> {
        exceeded(source).map(|(_, kind)| kind.code())
    }

    #[test]
    fn each_bound_holds_at_its_number() {
        assert_eq!(code(&" ".repeat(MOST_BYTES)), None);
        assert_eq!(code(&" ".repeat(MOST_BYTES + 1)), Some("source-too-long"));
        assert_eq!(code(&"a;".repeat(MOST_TOKENS / 2)), None);
        assert_eq!(
            code(&format!("{}a", "a;".repeat(MOST_TOKENS / 2))),
            Some("too-many-tokens")
        );
        assert_eq!(code(&"(".repeat(MOST_NESTED)), None);
        assert_eq!(code(&"(".repeat(MOST_NESTED + 1)), Some("too-deep"));
        assert_eq!(code(&"+1".repeat(MOST_OPERATORS)), None);
        assert_eq!(code(&"+1".repeat(MOST_OPERATORS + 1)), Some("too-deep"));
        assert_eq!(code(&"[0]".repeat(MOST_OPERATORS)), Some("too-deep"));
    }

    #[test]
    fn comments_count_nothing() {
        let nested = format!("/* {} /* */ */ a // {}", "(".repeat(200), "(".repeat(200));
        assert_eq!(code(&nested), None);
        assert_eq!(code("/* never closed ("), None);
        assert_eq!(tokens("a/*b*/c // d\n+=").count(), 4);
    }
}
