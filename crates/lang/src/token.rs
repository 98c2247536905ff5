//! Tokens.

use crate::Span;
use crate::scalar::Scalar;
use std::rc::Rc;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Name(Rc<str>),
    Whole {
        value: u64,
        scalar: Scalar,
    },
    Real {
        value: f64,
        scalar: Scalar,
    },
    Text(Rc<str>),
    /// An operator or bracket, one of [`ALONE`] or [`PUNCTUATION`].
    Punct(&'static str),
    /// `#pragma unroll`, with the number if there is one.
    Unroll(Option<u64>),
    /// The rest of a line that begins with `#`.
    Directive(Rc<str>),
    End,
}

/// A token with its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
    /// Whether a line ends before it.
    pub(crate) first_on_line: bool,
    /// Whether a blank stands before it.
    pub(crate) spaced: bool,
}

impl Token {
    pub(crate) fn is(&self, punct: &str) -> bool {
        matches!(&self.kind, Kind::Punct(text) if same(text, punct))
    }

    pub(crate) fn is_name(&self, name: &str) -> bool {
        matches!(&self.kind, Kind::Name(text) if same(text, name))
    }

    /// The token as a message shows it.
    pub(crate) fn shown(&self) -> String {
        match &self.kind {
            Kind::Name(name) => format!("`{name}`"),
            Kind::Whole { value, .. } => format!("`{value}`"),
            Kind::Real { value, .. } => format!("`{value}`"),
            Kind::Text(_) => "a string".to_owned(),
            Kind::Punct(text) => format!("`{text}`"),
            Kind::Unroll(_) => "`#pragma unroll`".to_owned(),
            Kind::Directive(_) => "a line with `#`".to_owned(),
            Kind::End => "the end".to_owned(),
        }
    }
}

/// Whether two texts are the same: most differ in the first byte, which is soon seen.
#[inline]
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.as_bytes().first() == b.as_bytes().first() && a == b
}

/// Operators and brackets that begin no longer one.
pub(crate) const ALONE: [&str; 11] = ["(", ")", "[", "]", "{", "}", ",", ";", "?", "~", "@"];

/// The other operators, longer ones before their beginnings.
pub(crate) const PUNCTUATION: [&str; 41] = [
    "<<<", ">>>", "<<=", ">>=", "...", "##", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
    "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ":", ".", "+", "-", "*", "/",
    "%", "&", "|", "^", "!", "<", ">", "=", "#",
];
