//! Concepts: that they stand before a template's parameter is read, which types they take is not.

use super::Parser;
use crate::Construct;
use crate::diagnostic::DiagnosticKind;
use crate::token::Kind;

impl Parser<'_> {
    /// `concept Name = condition;` behind a template's header, if that stands here.
    pub(super) fn concept(&mut self) -> bool {
        if !self.take_name("concept") {
            return false;
        }
        let (name, _) = self.name();
        self.concepts.insert(name);
        self.recover();
        true
    }

    /// Whether a concept stands before a type here, as in `template <Small T>`: which types it takes is not read. The
    /// last of its words is left.
    pub(super) fn is_constrained(&mut self) -> bool {
        let mut by = 0;
        while matches!(self.ahead(by).kind, Kind::Name(_)) && self.ahead(by + 1).is("::") {
            by += 2;
        }
        let Kind::Name(name) = self.ahead(by).kind.clone() else {
            return false;
        };
        if !self.concepts.contains(&name) || !matches!(self.ahead(by + 1).kind, Kind::Name(_)) {
            return false;
        }
        let (span, what) = (self.span(), Construct::code(&name));
        self.sink.say(span, DiagnosticKind::Unsupported { what });
        self.at += by;
        true
    }
}
