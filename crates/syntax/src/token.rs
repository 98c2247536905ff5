//! Tokens.

use crate::Construct;
use crate::Span;
use crate::scalar::Scalar;
use std::rc::Rc;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// An identifier or a keyword.
    Name(Rc<str>),
    /// An integer literal or a character.
    Whole {
        /// Its value.
        value: u64,
        /// Its type, by its suffix and size.
        scalar: Scalar,
    },
    /// A floating-point literal.
    Real {
        /// Its value.
        value: f64,
        /// Its type, by its suffix.
        scalar: Scalar,
    },
    /// A string.
    Text(Rc<str>),
    /// An operator or bracket, one of [`ALONE`] or [`PUNCTUATION`].
    Punct(&'static str),
    /// `#pragma pack`: what members' alignment is limited to from here on; 0: not at all.
    Pack(u64),
    /// `#pragma unroll`, with the number if there is one.
    Unroll(Option<u64>),
    /// The rest of a line that begins with `#`.
    Directive(Rc<str>),
    /// Behind the last token.
    End,
}

/// A token with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
    /// Whether a line ends before it.
    pub first_on_line: bool,
    /// Whether a blank stands before it.
    pub spaced: bool,
}

impl Token {
    /// Whether it is this operator or bracket.
    #[must_use]
    pub fn is(&self, punct: &str) -> bool {
        matches!(&self.kind, Kind::Punct(text) if same(text, punct))
    }

    /// Whether it is this name.
    #[must_use]
    pub fn is_name(&self, name: &str) -> bool {
        matches!(&self.kind, Kind::Name(text) if same(text, name))
    }

    /// The token's text where macros paste it; empty for a string.
    #[must_use]
    pub fn spelling(&self) -> String {
        if let Construct::Code(text) = self.shown() {
            text
        } else {
            String::new()
        }
    }

    /// The token as a message shows it.
    #[must_use]
    pub fn shown(&self) -> Construct {
        match &self.kind {
            Kind::Name(name) => Construct::code(name),
            Kind::Whole { value, .. } => Construct::Code(value.to_string()),
            Kind::Real { value, .. } => Construct::Code(value.to_string()),
            Kind::Text(_) => Construct::Text,
            Kind::Punct(text) => Construct::code(text),
            Kind::Pack(_) => Construct::code("#pragma pack"),
            Kind::Unroll(_) => Construct::code("#pragma unroll"),
            Kind::Directive(_) => Construct::Directive,
            Kind::End => Construct::End,
        }
    }
}

/// Whether two texts are the same: most differ in the first byte, which is soon seen.
#[inline]
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.as_bytes().first() == b.as_bytes().first() && a == b
}

/// Operators and brackets that begin no longer one.
pub const ALONE: [&str; 11] = ["(", ")", "[", "]", "{", "}", ",", ";", "?", "~", "@"];

/// The other operators, longer ones before their beginnings.
pub const PUNCTUATION: [&str; 41] = [
    "<<<", ">>>", "<<=", ">>=", "...", "##", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
    "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ":", ".", "+", "-", "*", "/",
    "%", "&", "|", "^", "!", "<", ">", "=", "#",
];
