//! Text into tokens.
//!
//! ```text
//! token   = name | number | string | character | punctuation | directive
//! name    = (letter | "_") { letter | digit | "_" }
//! number  = ( "0x" hex { hex } | "0b" bit { bit } | digit { digit } [ "." { digit } ] [ "e" ["+"|"-"] digit { digit } ] ) { letter }
//! blank   = " " | tab | line end | "//" … line end | "/*" … "*/" | "\" line end
//! directive = "#" (first on its line) … line end
//! ```

use crate::Construct;
use crate::diagnostic::DiagnosticKind;
use crate::scalar::Scalar;
use crate::sink::Sink;
use crate::token::{ALONE, Kind, PUNCTUATION, Token};
use crate::{Limits, Span};

/// Splits `source` into tokens, the last of which is [`Kind::End`]; the only one where there are too many.
#[must_use]
pub fn lex(source: &str, sink: &mut Sink) -> Vec<Token> {
    lex_part(source, 0, sink)
}

/// Splits what stands from the byte `start` of `source` on into tokens, as [`lex`] does.
#[must_use]
pub fn lex_part(source: &str, start: usize, sink: &mut Sink) -> Vec<Token> {
    let mut lexer = Lexer {
        source,
        at: start,
        first_on_line: true,
        spaced: false,
        sink,
        tokens: Vec::new(),
    };
    if source.len().saturating_sub(start) as u64 > Limits::DEFAULT.read_bytes {
        let limit = Limits::DEFAULT.read_bytes;
        lexer
            .sink
            .say(Span::new(0, 0), DiagnosticKind::SourceTooLong { limit });
        lexer.at = source.len();
    }
    lexer.run();
    lexer.tokens
}

/// Words that stand for signs.
const WORDS: [(&str, &str); 11] = [
    ("and", "&&"),
    ("and_eq", "&="),
    ("bitand", "&"),
    ("bitor", "|"),
    ("compl", "~"),
    ("not", "!"),
    ("not_eq", "!="),
    ("or", "||"),
    ("or_eq", "|="),
    ("xor", "^"),
    ("xor_eq", "^="),
];

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    first_on_line: bool,
    spaced: bool,
    sink: &'a mut Sink,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        loop {
            self.skip_blanks();
            let Some(character) = self.peek() else { break };
            if self.tokens.len() as u64 >= Limits::DEFAULT.read_tokens {
                let limit = Limits::DEFAULT.read_tokens;
                self.sink.say(
                    Span::new(self.at, self.at),
                    DiagnosticKind::TooManyTokens { limit },
                );
                self.tokens.clear();
                self.at = self.source.len();
                break;
            }
            self.token(character);
        }
        let end = self.source.len();
        self.push(end, Kind::End);
    }

    fn rest(&self) -> &str {
        self.source.get(self.at..).unwrap_or("")
    }

    fn starts_with(&self, text: &str) -> bool {
        let (rest, text) = (self.rest().as_bytes(), text.as_bytes());
        rest.first() == text.first() && rest.starts_with(text)
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, start: usize, kind: Kind) {
        let span = Span::new(start, self.at);
        self.tokens.push(Token {
            kind,
            span,
            first_on_line: self.first_on_line,
            spaced: self.spaced,
        });
        self.first_on_line = false;
        self.spaced = false;
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.skip_comment();
            } else if rest.starts_with("\\\n") {
                self.at += 2;
            } else if rest.starts_with("\\\r\n") {
                self.at += 3;
            } else {
                match rest.chars().next() {
                    Some(blank) if blank.is_whitespace() || blank == '\u{feff}' => {
                        self.first_on_line |= blank == '\n';
                        self.at += blank.len_utf8();
                    }
                    _ => return,
                }
            }
            self.spaced = true;
        }
    }

    fn skip_comment(&mut self) {
        let (start, rest) = (self.at, self.rest());
        let end = rest[2..].find("*/");
        let length = end.map_or(rest.len(), |end| end + 4);
        let ends_line = rest[..length].contains('\n');
        self.first_on_line |= ends_line;
        self.at += length;
        if end.is_none() {
            self.sink.say(
                Span::new(start, start + 2),
                DiagnosticKind::Unterminated {
                    what: Construct::Comment,
                },
            );
        }
    }

    fn token(&mut self, character: char) {
        let start = self.at;
        let after = self.rest().as_bytes().get(1).copied().unwrap_or(0);
        if character.is_alphabetic() || character == '_' {
            self.at += length_while(self.rest(), |c| c.is_alphanumeric() || c == '_');
            let name = &self.source[start..self.at];
            if ["R", "LR", "uR", "UR", "u8R"].contains(&name) && self.starts_with("\"") {
                self.raw_text(start);
            } else if let Some((_, sign)) = WORDS.iter().find(|(word, _)| *word == name) {
                self.push(start, Kind::Punct(sign));
            } else {
                self.push(start, Kind::Name(name.into()));
            }
        } else if character.is_ascii_digit() || (character == '.' && after.is_ascii_digit()) {
            self.number();
        } else if character == '"' || character == '\'' {
            self.quoted(character);
        } else if character == '#' && self.first_on_line {
            self.directive();
        } else if character == '…' {
            self.at += character.len_utf8();
            self.push(start, Kind::Punct("..."));
        } else {
            self.punctuation(character);
        }
    }

    fn punctuation(&mut self, character: char) {
        let start = self.at;
        let alone = ALONE.iter().find(|text| text.starts_with(character));
        let found = alone.or_else(|| PUNCTUATION.iter().find(|text| self.starts_with(text)));
        if let Some(text) = found {
            self.at += text.len();
            self.push(start, Kind::Punct(text));
        } else {
            self.at += character.len_utf8();
            self.sink.say(
                Span::new(start, self.at),
                DiagnosticKind::UnexpectedCharacter { character },
            );
        }
    }

    fn directive(&mut self) {
        let start = self.at;
        let mut from = 0;
        let rest = self.rest();
        let length = loop {
            let Some(end) = rest[from..].find('\n').map(|end| end + from) else {
                break rest.len();
            };
            if !rest[..end].trim_end_matches('\r').ends_with('\\') {
                break end;
            }
            from = end + 1;
        };
        self.at += length;
        let text = self.source[start + 1..self.at].into();
        self.push(start, Kind::Directive(text));
    }

    fn quoted(&mut self, quote: char) {
        let start = self.at;
        let mut escaped = false;
        let body = length_while(&self.rest()[1..], |c| {
            // A `\` before a line's end joins two lines.
            let go_on = escaped || c != '\n' && c != quote;
            escaped = if escaped { c == '\r' } else { c == '\\' };
            go_on
        });
        let text: std::rc::Rc<str> = self.rest()[1..=body].into();
        self.at += 1 + body;
        if self.rest().starts_with(quote) {
            self.at += 1;
        } else {
            self.sink.say(
                Span::new(start, self.at),
                DiagnosticKind::Unterminated {
                    what: Construct::Text,
                },
            );
        }
        let kind = if quote == '"' {
            Kind::Text(text)
        } else {
            character(&text)
        };
        self.push(start, kind);
    }

    /// `"mark(…)mark"` behind an `R`, in which nothing is escaped.
    fn raw_text(&mut self, start: usize) {
        let rest = &self.rest()[1..];
        let mark = rest.split_once('(').map(|(mark, _)| mark);
        let is_mark = |mark: &&str| mark.len() <= 16 && !mark.contains(['"', '\\', ' ', '\n', ')']);
        let Some(mark) = mark.filter(is_mark) else {
            return self.quoted('"');
        };
        let body = &rest[mark.len() + 1..];
        let end = format!("){mark}\"");
        let length = body.find(&end);
        let text = body[..length.unwrap_or(body.len())].replace('\\', "\\\\");
        let before = 1 + mark.len() + 1;
        self.at += length.map_or(before + body.len(), |length| before + length + end.len());
        if length.is_none() {
            let what = Construct::Text;
            let span = Span::new(start, self.at);
            self.sink.say(span, DiagnosticKind::Unterminated { what });
        }
        self.push(start, Kind::Text(text.into()));
    }

    fn number(&mut self) {
        let start = self.at;
        self.at += number_length(self.rest());
        let text = &self.source[start..self.at];
        if let Some(kind) = plain_number(text) {
            return self.push(start, kind);
        }
        let text = text.replace('\'', "");
        let kind = read_number(&text);
        if kind.is_none() {
            self.sink.say(
                Span::new(start, self.at),
                DiagnosticKind::BadNumber { text },
            );
        }
        self.push(
            start,
            kind.unwrap_or(Kind::Whole {
                value: 0,
                scalar: Scalar::I32,
            }),
        );
    }
}

fn length_while(text: &str, mut accept: impl FnMut(char) -> bool) -> usize {
    text.char_indices()
        .find(|(_, c)| !accept(*c))
        .map_or(text.len(), |(at, _)| at)
}

/// Bytes of the number that `text` begins with; `1...4` is a number followed by dots.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let mut at = 0;
    while at < bytes.len() {
        let (byte, previous) = (bytes[at], if at > 0 { bytes[at - 1] } else { 0 });
        let exponent = if is_hex {
            matches!(previous, b'p' | b'P')
        } else {
            matches!(previous, b'e' | b'E')
        };
        let sign = (byte == b'+' || byte == b'-') && exponent;
        let point = byte == b'.' && bytes.get(at + 1) != Some(&b'.') && previous != b'.';
        if !(byte.is_ascii_alphanumeric() || byte == b'\'' || sign || point) {
            break;
        }
        at += 1;
    }
    at
}

/// A decimal number of few digits, as most are.
fn plain_number(text: &str) -> Option<Kind> {
    let plain = text.len() < 10
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text.len() == 1 || !text.starts_with('0'));
    let value = text.parse().ok().filter(|_| plain)?;
    Some(Kind::Whole {
        value,
        scalar: Scalar::I32,
    })
}

fn read_number(text: &str) -> Option<Kind> {
    let lower = text.to_ascii_lowercase();
    let radix = if lower.starts_with("0x") {
        16
    } else if lower.starts_with("0b") {
        2
    } else {
        10
    };
    if radix == 16 && lower.contains('p') {
        return read_hex_real(&lower[2..]);
    }
    if radix == 10 && (lower.contains('.') || lower.contains('e') || lower.ends_with('f')) {
        return read_real(&lower);
    }
    let body = if radix == 10 { &lower[..] } else { &lower[2..] };
    let digits = body.trim_end_matches(['u', 'l']);
    let suffix = &body[digits.len()..];
    let octal = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    let value = u64::from_str_radix(digits, if octal { 8 } else { radix }).ok()?;
    Some(Kind::Whole {
        value,
        scalar: whole_type(value, suffix, radix != 10 || octal)?,
    })
}

fn whole_type(value: u64, suffix: &str, may_be_unsigned: bool) -> Option<Scalar> {
    let unsigned = suffix.contains('u');
    let long = suffix.contains('l');
    if suffix.matches('u').count() > 1 || suffix.matches('l').count() > 2 {
        return None;
    }
    let fits = |limit: u64| value <= limit;
    Some(match (unsigned, long) {
        (false, false) if fits(0x7fff_ffff) => Scalar::I32,
        (false, false) if may_be_unsigned && fits(0xffff_ffff) => Scalar::U32,
        (true, false) if fits(0xffff_ffff) => Scalar::U32,
        (false, _) if fits(i64::MAX.unsigned_abs()) => Scalar::I64,
        _ => Scalar::U64,
    })
}

fn read_real(lower: &str) -> Option<Kind> {
    let digits = lower.trim_end_matches(['f', 'l', 'h']);
    let scalar = if lower.ends_with('f') {
        Scalar::F32
    } else {
        Scalar::F64
    };
    let value: f64 = digits.parse().ok()?;
    Some(Kind::Real { value, scalar })
}

/// A hexadecimal number with a fraction, as in `0x1.8p3f`, from behind its `0x`.
fn read_hex_real(lower: &str) -> Option<Kind> {
    let (digits, exponent) = lower.split_once('p')?;
    let power = exponent.trim_end_matches(['f', 'l']);
    let scalar = if exponent.ends_with('f') {
        Scalar::F32
    } else {
        Scalar::F64
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut value = 0.0_f64;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let places = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    let power = power.parse::<i32>().ok()?.checked_sub(places)?;
    let value = libm::scalbn(value, power);
    Some(Kind::Real { value, scalar })
}

/// A character literal; of several characters it is an `int` with the last in its lowest byte.
fn character(text: &str) -> Kind {
    let mut rest = text;
    let (mut value, mut count) = (0_u64, 0_u32);
    while !rest.is_empty() {
        let (one, behind) = rest.split_at(character_length(rest));
        value = value << 8 | character_value(one) & 0xff;
        (rest, count) = (behind, count + 1);
    }
    if count > 1 {
        return Kind::Whole {
            value: value & 0xffff_ffff,
            scalar: Scalar::I32,
        };
    }
    Kind::Whole {
        value: character_value(text),
        scalar: Scalar::I8,
    }
}

/// How many characters the texts between two quotes stand for, an escaped one counted once.
#[must_use]
pub fn characters(text: &str) -> u64 {
    let (mut rest, mut count) = (text, 0);
    while !rest.is_empty() {
        let length = character_length(rest);
        count += match rest.starts_with('\\') {
            true => 1,
            false => length as u64,
        };
        rest = &rest[length..];
    }
    count
}

/// The bytes that the texts between two quotes stand for.
pub fn character_bytes(mut text: &str) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let (one, behind) = text.split_at_checked(character_length(text))?;
        text = behind;
        (!one.is_empty()).then_some(one)
    })
    .flat_map(|one| match one.starts_with('\\') {
        true => vec![character_value(one).to_le_bytes()[0]],
        false => one.as_bytes().to_vec(),
    })
}

/// Bytes of the text of the first character: of one that is escaped with its `\\`.
fn character_length(text: &str) -> usize {
    let Some(escaped) = text.strip_prefix('\\') else {
        return text.chars().next().map_or(0, char::len_utf8);
    };
    let digits = |radix: u32, most: usize, from: usize| {
        let rest = escaped.get(from..).unwrap_or_default();
        let digits = rest.chars().take(most);
        1 + from + digits.take_while(|digit| digit.is_digit(radix)).count()
    };
    match escaped.chars().next() {
        Some('x') => digits(16, usize::MAX, 1),
        Some('0'..='7') => digits(8, 3, 0),
        Some(other) => 1 + other.len_utf8(),
        None => 1,
    }
}

/// The value of a character: of one that is escaped, as C has it.
fn character_value(text: &str) -> u64 {
    let Some(escaped) = text.strip_prefix('\\') else {
        return u64::from(text.chars().next().map_or(0, u32::from));
    };
    let value = match escaped.chars().next() {
        Some('x') => return digits_value(&escaped[1..], 16),
        Some('0'..='7') => return digits_value(escaped, 8),
        Some('a') => '\x07',
        Some('b') => '\x08',
        Some('f') => '\x0c',
        Some('v') => '\x0b',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some(other) => other,
        None => '\0',
    };
    u64::from(u32::from(value))
}

/// The byte that digits stand for, held as a signed `char` is.
fn digits_value(digits: &str, radix: u32) -> u64 {
    let value = u8::from_str_radix(digits, radix).unwrap_or(0);
    i64::from(value.cast_signed()).cast_unsigned()
}
