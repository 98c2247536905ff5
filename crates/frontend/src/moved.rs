//! A program whose text has changed around it.

use crate::{Moves, Program, SourceArray, SourceParameter, SourceSite, SourceVariable, Span};

impl Program {
    /// The same program, its places in the text after `moves`. It cannot be run: its kernel keeps the places it had and
    /// is let go.
    #[must_use]
    pub fn moved(&self, moves: &Moves) -> Self {
        Self {
            sites: self.sites.iter().map(|site| site.moved(moves)).collect(),
            arrays: self.arrays.iter().map(|array| array.moved(moves)).collect(),
            parameters: self
                .parameters
                .iter()
                .map(|parameter| parameter.moved(moves))
                .collect(),
            variables: self
                .variables
                .iter()
                .map(|variable| variable.moved(moves))
                .collect(),
            lines: moves.lines().clone(),
            lowered: None,
            ..self.clone()
        }
    }

    /// What is to be said of the program, and nothing to run: for whoever shows what ran elsewhere.
    #[must_use]
    pub fn without_code(self) -> Self {
        Self {
            lowered: None,
            ..self
        }
    }
}

impl SourceSite {
    /// The same access in the text after `moves`.
    #[must_use]
    pub fn moved(&self, moves: &Moves) -> Self {
        let (span, line, column) = placed(self.span, moves);
        Self {
            span,
            line,
            column,
            ..self.clone()
        }
    }
}

impl SourceArray {
    fn moved(&self, moves: &Moves) -> Self {
        let (span, line, column) = placed(self.span, moves);
        Self {
            span,
            line,
            column,
            ..self.clone()
        }
    }
}

impl SourceParameter {
    fn moved(&self, moves: &Moves) -> Self {
        let (span, line, column) = placed(self.span, moves);
        Self {
            span,
            line,
            column,
            ..self.clone()
        }
    }
}

impl SourceVariable {
    fn moved(&self, moves: &Moves) -> Self {
        Self {
            span: moves.span(self.span),
            ..self.clone()
        }
    }
}

/// A span in the text after `moves`, with the line and column where it begins.
fn placed(span: Span, moves: &Moves) -> (Span, u32, u32) {
    let span = moves.span(span);
    let (line, column) = moves.place(span);
    (span, line, column)
}
