//! Text to tokens.

use std::ops::Range;

use super::{Diagnostic, Fault};

/// The longest text, in bytes.
const MAX_BYTES: usize = 65_536;
/// The most tokens.
const MAX_TOKENS: usize = 8_192;
/// The deepest nesting of brackets.
const MAX_BRACKETS: usize = 24;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A number, `_8` and `8` alike.
    Number(u64),
    /// A number of bytes: `128B`.
    Bytes(u64),
    /// A name or a word.
    Name(String),
    /// One sign: `( ) < > [ ] { } , : = + - # . * / ! % @`.
    Sign(char),
    /// `::`, as between a namespace and a name.
    Scope,
    /// `->`.
    Arrow,
    /// The `x` of `8x4` and of `8xf16`.
    Times,
    /// A line's end, or `;`, outside brackets.
    End,
}

/// A token and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Range<usize>,
}

/// All tokens of a text, ending with [`TokenKind::End`]; what cannot be read is remarked on.
pub(super) fn tokens(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut lexer = Lexer {
        text,
        at: 0,
        brackets: 0,
        tokens: Vec::new(),
    };
    if text.len() > MAX_BYTES {
        diagnostics.push(Diagnostic::error(0..0, Fault::TextTooLong));
        lexer.at = text.len();
    }
    while lexer.at < text.len() {
        if lexer.tokens.len() >= MAX_TOKENS || lexer.brackets > MAX_BRACKETS {
            diagnostics.push(Diagnostic::error(lexer.at..text.len(), Fault::TooMuch));
            break;
        }
        if let Err(diagnostic) = lexer.next() {
            diagnostics.push(diagnostic);
        }
    }
    lexer.push(TokenKind::End, text.len());
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    brackets: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token {
            kind,
            span: start..self.at.max(start),
        });
    }

    fn next(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let Some(sign) = self.rest().chars().next() else {
            return Ok(());
        };
        self.at += sign.len_utf8();
        match sign {
            ';' => {
                self.brackets = 0;
                self.push(TokenKind::End, start);
            }
            '\n' if self.brackets == 0 => self.push(TokenKind::End, start),
            '/' if self.rest().starts_with('/') => self.skip_line(),
            '/' if self.rest().starts_with('*') => self.skip_comment(),
            ':' if self.rest().starts_with(':') => self.pair(TokenKind::Scope, start),
            '-' if self.rest().starts_with('>') => self.pair(TokenKind::Arrow, start),
            '(' | '[' | '<' => self.open(sign, start),
            ')' | ']' | '>' => self.close(sign, start),
            // Braces hold whole lines, as those of a function.
            '{' | '}' => self.push(TokenKind::Sign(sign), start),
            ',' | ':' | '=' | '+' | '-' | '#' | '.' | '*' | '/' | '!' | '%' | '@' => {
                self.push(TokenKind::Sign(sign), start);
            }
            // Quotes, as MLIR puts around a layout, say nothing.
            '"' | '\'' => {}
            '∘' => self.push(TokenKind::Name("o".to_owned()), start),
            '0'..='9' => self.number(start)?,
            '_' if self.rest().starts_with(|next: char| next.is_ascii_digit()) => {
                self.number(start)?;
            }
            _ if sign.is_alphabetic() || sign == '_' => self.name(start),
            _ if sign.is_whitespace() => {}
            _ => {
                return Err(Diagnostic::error(start..self.at, Fault::Meaningless(sign)));
            }
        }
        Ok(())
    }

    fn open(&mut self, sign: char, start: usize) {
        self.brackets += 1;
        self.push(TokenKind::Sign(sign), start);
    }

    fn close(&mut self, sign: char, start: usize) {
        self.brackets = self.brackets.saturating_sub(1);
        self.push(TokenKind::Sign(sign), start);
    }

    fn pair(&mut self, kind: TokenKind, start: usize) {
        self.at += 1;
        self.push(kind, start);
    }

    fn skip_comment(&mut self) {
        let rest = self.rest();
        self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
    }

    fn skip_line(&mut self) {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        self.at += length;
    }

    /// `0x400`, as pointers are printed.
    fn hexadecimal(&mut self, start: usize) -> Result<(), Diagnostic> {
        self.at += 1;
        let rest = self.rest();
        let length = rest
            .find(|next: char| !next.is_ascii_hexdigit())
            .unwrap_or(rest.len());
        let digits = rest.get(..length).unwrap_or("");
        let value = u64::from_str_radix(digits, 16);
        self.at += length;
        let Ok(value) = value else {
            return Err(Diagnostic::error(start..self.at, Fault::NumberBeyond(64)));
        };
        self.push(TokenKind::Number(value), start);
        Ok(())
    }

    fn number(&mut self, start: usize) -> Result<(), Diagnostic> {
        let rest = self.rest();
        let mut second = rest.chars();
        let is_hexadecimal = self.text.get(start..self.at) == Some("0")
            && second.next() == Some('x')
            && second.next().is_some_and(|next| next.is_ascii_hexdigit());
        if is_hexadecimal {
            return self.hexadecimal(start);
        }
        self.at += rest
            .find(|next: char| !next.is_ascii_digit())
            .unwrap_or(rest.len());
        let digits = self
            .text
            .get(start..self.at)
            .unwrap_or("")
            .trim_start_matches('_');
        let Ok(value) = digits.parse::<u64>() else {
            return Err(Diagnostic::error(start..self.at, Fault::NumberBeyond(64)));
        };
        let mut after = self.rest().chars();
        match (after.next(), after.next()) {
            (Some('B'), next) if !next.is_some_and(char::is_alphanumeric) => {
                self.at += 1;
                self.push(TokenKind::Bytes(value), start);
            }
            (Some('x'), Some(next)) if next.is_alphanumeric() || next == '!' => {
                self.push(TokenKind::Number(value), start);
                self.at += 1;
                self.push(TokenKind::Times, self.at - 1);
            }
            _ => self.push(TokenKind::Number(value), start),
        }
        Ok(())
    }

    fn name(&mut self, start: usize) {
        let rest = self.rest();
        let part = |next: char| next.is_alphanumeric() || next == '_';
        self.at += rest.find(|next: char| !part(next)).unwrap_or(rest.len());
        let name = self.text.get(start..self.at).unwrap_or("").to_owned();
        self.push(TokenKind::Name(name), start);
    }
}
