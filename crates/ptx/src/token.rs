//! Lexer: PTX text to tokens, in one pass.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name, a directive, an opcode with its modifiers, a register.
    Word,
    /// A number.
    Number,
    /// Text in quotes.
    Text,
    /// One character of punctuation.
    Mark(u8),
}

/// A token and the bytes it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The tokens of a text, the first comment that holds one word alone, and the offsets at which lines begin.
pub(crate) struct Tokens {
    pub(crate) tokens: Vec<Token>,
    pub(crate) lines: Vec<u32>,
}

const fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'%' | b'.') || byte >= 0x80
}

const fn continues_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.') || byte >= 0x80
}

struct Lexer<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_while(&mut self, holds: impl Fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|&byte| holds(byte)) {
            self.at += 1;
        }
    }

    /// Skips blanks and comments.
    fn skip_blank(&mut self) {
        loop {
            self.skip_while(|byte| byte.is_ascii_whitespace() || byte == 0x0b);
            match (self.peek(0), self.peek(1)) {
                (b'/', b'/') => self.skip_while(|byte| byte != b'\n'),
                (b'/', b'*') => {
                    self.at += 2;
                    while self.at < self.bytes.len() && (self.peek(0), self.peek(1)) != (b'*', b'/')
                    {
                        self.at += 1;
                    }
                    self.at = (self.at + 2).min(self.bytes.len());
                }
                _ => return,
            }
        }
    }

    fn word(&mut self) {
        self.at += 1;
        loop {
            self.skip_while(continues_word);
            if self.peek(0) == b':' && self.peek(1) == b':' && continues_word(self.peek(2)) {
                self.at += 2;
            } else {
                return;
            }
        }
    }

    fn number(&mut self) {
        let mut exponent = false;
        loop {
            let byte = self.peek(0);
            let signed = exponent && matches!(byte, b'+' | b'-');
            if !(byte.is_ascii_alphanumeric() || byte == b'.' || signed) {
                return;
            }
            // `1e-5` goes on behind its `e`, but `0x1e-5` and `0d…e` do not.
            exponent = matches!(byte, b'e' | b'E')
                && !matches!(self.radix(), b'x' | b'X' | b'f' | b'F' | b'd' | b'D');
            self.at += 1;
        }
    }

    /// The letter behind a leading zero of the number being read.
    fn radix(&self) -> u8 {
        let mut start = self.at;
        while start > 0
            && self
                .bytes
                .get(start - 1)
                .is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'.')
            && self.at - start < 24
        {
            start -= 1;
        }
        self.bytes.get(start + 1).copied().unwrap_or(0)
    }

    fn text(&mut self) {
        self.at += 1;
        while self.at < self.bytes.len() && !matches!(self.peek(0), b'"' | b'\n') {
            self.at += if self.peek(0) == b'\\' { 2 } else { 1 };
        }
        self.at = (self.at + 1).min(self.bytes.len());
    }

    fn next(&mut self) -> Option<Token> {
        self.skip_blank();
        let first = *self.bytes.get(self.at)?;
        let start = self.at;
        let kind = if first.is_ascii_digit() {
            self.number();
            TokenKind::Number
        } else if begins_word(first) {
            self.word();
            TokenKind::Word
        } else if first == b'"' {
            self.text();
            TokenKind::Text
        } else {
            self.at += 1;
            TokenKind::Mark(first)
        };
        Some(Token {
            kind,
            start: offset(start),
            end: offset(self.at),
        })
    }
}

/// A byte offset; texts are bounded by [`crate::MAX_BYTES`].
pub(crate) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Splits a text into tokens.
pub(crate) fn tokenize(text: &str) -> Tokens {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        at: 0,
    };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        tokens.push(token);
    }
    let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
    let lines = std::iter::once(0)
        .chain(breaks.map(|(at, _)| offset(at + 1)))
        .collect();
    Tokens { tokens, lines }
}
