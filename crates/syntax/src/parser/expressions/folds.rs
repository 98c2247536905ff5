//! Fold expressions.

use crate::Construct;
use crate::Span;
use crate::parser::Parser;
use crate::token::Kind;
use crate::tree::{Expr, ExprKind, OPERATORS};

/// Tokens of a fold's pattern, at most.
const MOST_OF_FOLD: usize = 256;

impl Parser<'_> {
    /// A fold behind its `(`, if one stands here: `... op pattern)`, `pattern op ...)`, or `a op ... op b)`.
    pub(super) fn fold_expression(&mut self, start: Span) -> Option<Expr> {
        if self.take("...") {
            let op = self.operator_of_fold()?;
            let right = self.unary();
            return Some(self.folded(start, op, None, Some(right)));
        }
        if !self.fold_follows() {
            return None;
        }
        let left = self.unary();
        let op = self.operator_of_fold()?;
        self.expect("...");
        let right = match self.is(")") {
            true => None,
            false => {
                self.operator_of_fold()?;
                Some(self.unary())
            }
        };
        Some(self.folded(start, op, Some(left), right))
    }

    fn folded(
        &mut self,
        start: Span,
        op: &'static str,
        left: Option<Expr>,
        right: Option<Expr>,
    ) -> Expr {
        self.expect(")");
        let span = start.to(self.last_span());
        let (left, right) = (left.map(Box::new), right.map(Box::new));
        self.expr(span, ExprKind::Fold { op, left, right })
    }

    /// Whether the bracket that has been opened holds an operator before a `...` of its own.
    fn fold_follows(&self) -> bool {
        let mut depth = 0_usize;
        for by in 0..MOST_OF_FOLD {
            match &self.ahead(by).kind {
                Kind::Punct("(" | "[" | "{") => depth += 1,
                Kind::Punct(")" | "]" | "}") if depth == 0 => return false,
                Kind::Punct(")" | "]" | "}") => depth -= 1,
                Kind::Punct("...") if depth == 0 => {
                    return by > 0 && fold_operator(&self.ahead(by - 1).kind).is_some();
                }
                Kind::Punct(";") | Kind::End => return false,
                _ => {}
            }
        }
        false
    }

    fn operator_of_fold(&mut self) -> Option<&'static str> {
        let found = fold_operator(&self.token().kind);
        match found {
            Some(_) => self.next(),
            None => self.unexpected(Construct::Expression),
        }
        found
    }
}

/// The operator of a fold that a token is.
fn fold_operator(kind: &Kind) -> Option<&'static str> {
    let Kind::Punct(text) = kind else { return None };
    let operators = OPERATORS.iter().map(|(op, _)| *op);
    let assignments = super::ASSIGNMENTS.iter().map(|(text, _)| *text);
    operators
        .chain(assignments)
        .chain([","])
        .find(|op| op == text)
}
