//! The lines of an expression, and the values of its variables.

use super::Parser;
use crate::token::Kind;
use crate::tree::{Stmt, StmtKind, ValuePart};

impl Parser<'_> {
    /// All lines: declarations, variables and accesses.
    pub(super) fn lines(&mut self) -> Vec<Stmt> {
        let mut list = Vec::new();
        while !self.at_end() {
            let before = self.at;
            list.push(self.statement());
            if self.at == before {
                self.next();
            }
        }
        list
    }

    /// Whether `name = …` up to the line's end is a list of values: it has a comma or `…` outside
    /// brackets, or is a number alone.
    pub(super) fn values_follow(&mut self) -> bool {
        let (mut at, mut depth, mut commas) = (2, 0_u32, false);
        loop {
            let token = self.ahead(at);
            // Lines that end inside brackets are seen by each line before them.
            let far = self.seen > 2 * self.tokens.len();
            if token.kind == Kind::End
                || token.is(";")
                || (token.first_on_line && depth == 0)
                || far
            {
                break;
            }
            match token.kind {
                Kind::Punct("(" | "[" | "{") => depth += 1,
                Kind::Punct(")" | "]" | "}") => depth = depth.saturating_sub(1),
                Kind::Punct("," | "...") if depth == 0 => commas = true,
                _ => {}
            }
            at += 1;
            self.seen += 1;
        }
        commas || (at == 3 && matches!(self.ahead(2).kind, Kind::Whole { .. }))
    }

    /// `name = value, value … value`.
    pub(super) fn values(&mut self) -> StmtKind {
        let (name, name_span) = self.name();
        self.expect("=");
        let mut list = Vec::new();
        while !self.at_end() && !self.is(";") && (!self.token().first_on_line || list.is_empty()) {
            let before = self.at;
            let span = self.span();
            if self.take("...") {
                list.push(ValuePart::Dots(span));
            } else {
                list.push(ValuePart::One(self.ternary()));
            }
            self.take(",");
            if self.at == before {
                self.next();
            }
        }
        self.end_statement();
        StmtKind::Values {
            name,
            name_span,
            list,
        }
    }
}
