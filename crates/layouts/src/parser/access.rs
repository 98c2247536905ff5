//! Accesses: which lanes ask for what.

use super::instruction::plain;
use super::{Parse, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{AccessOf, Expression, Pattern};
use crate::{Diagnostic, Fault, Wanted};

/// The words that an access begins with.
const FIRST_WORDS: [&str; 10] = [
    "load", "store", "ldmatrix", "stmatrix", "cp", "tv", "row", "column", "lanes", "tensor",
];

impl Parser<'_> {
    /// Whether a statement that begins with `word` is an access.
    pub(super) fn is_access(&self, word: &str) -> bool {
        FIRST_WORDS.contains(&word) || self.is_instruction(word)
    }

    pub(super) fn access(&mut self) -> Parse<AccessOf<Expression>> {
        if let Some(access) = self.instruction()? {
            return self.modified(access);
        }
        let store = self.word("store") || !self.word("load") && self.peek_is("stmatrix");
        let pattern = self.pattern()?;
        let store = store || matches!(pattern, Pattern::AsyncCopy { .. });
        self.modified(plain(store, pattern))
    }

    /// `at (8,0)`, `bits 128`, `cluster`, `everywhere` after an access.
    fn modified(&mut self, mut access: AccessOf<Expression>) -> Parse<AccessOf<Expression>> {
        loop {
            if self.word("at") {
                access.at = self.coordinate()?;
            } else if self.word("bits") {
                access.bits = Some(self.number()?);
            } else if self.word("cluster") {
                access.remote = true;
            } else if self.word("everywhere") {
                access.everywhere = true;
            } else {
                return Ok(access);
            }
        }
    }

    fn coordinate(&mut self) -> Parse<(u64, u64)> {
        self.expect('(')?;
        let row = self.number()?;
        self.expect(',')?;
        let column = self.number()?;
        self.expect(')')?;
        Ok((row, column))
    }

    pub(super) fn pattern(&mut self) -> Parse<Pattern<Expression>> {
        let words = "`tv`, `lanes`, `row`, `column`, `ldmatrix`, `stmatrix` or `cp.async`";
        let wanted = Wanted::OneOf(words);
        if self.is_sign(0, '#') {
            return self.expression().map(Pattern::ThreadValue);
        }
        match self.name(wanted)?.as_str() {
            "tensor" => self.tensor().map(Pattern::ThreadValue),
            "tv" => self.expression().map(Pattern::ThreadValue),
            "row" => Ok(Pattern::Row),
            "column" => Ok(Pattern::Column),
            "lanes" => {
                let down = self.number()?;
                self.times()?;
                Ok(Pattern::Lanes {
                    down,
                    across: self.number()?,
                })
            }
            "ldmatrix" | "stmatrix" => self.matrix(),
            "cp" => {
                self.expect('.')?;
                if !self.word("async") {
                    return self.fail(Wanted::OneOf("`async`"));
                }
                Ok(Pattern::AsyncCopy {
                    bytes: self.number()?,
                })
            }
            _ => {
                self.at -= 1;
                self.fail(wanted)
            }
        }
    }

    fn times(&mut self) -> Parse<()> {
        if self.peek() == &TokenKind::Times || self.peek_is("x") {
            self.at += 1;
            Ok(())
        } else {
            self.fail(Wanted::Times)
        }
    }

    /// `.x4.trans`, and what else PTX puts between the dots: `.sync.aligned.m8n8.x4.shared.b16`.
    fn matrix(&mut self) -> Parse<Pattern<Expression>> {
        let wanted = Wanted::OneOf("`x1`, `x2` or `x4`");
        let (mut matrices, mut transposed) = (None, false);
        while self.sign('.') {
            match self.name(wanted)?.as_str() {
                "x1" => matrices = Some(1),
                "x2" => matrices = Some(2),
                "x4" => matrices = Some(4),
                "trans" => transposed = true,
                "sync" | "aligned" | "m8n8" | "shared" | "b16" => {
                    if self.peek() == &TokenKind::Scope {
                        self.at += 2;
                    }
                }
                _ => {
                    self.at -= 1;
                    return self.fail(if matrices.is_some() {
                        Wanted::OneOf("`trans`")
                    } else {
                        wanted
                    });
                }
            }
        }
        let Some(matrices) = matrices else {
            return self.fail(wanted);
        };
        let down = if self.word("as") {
            self.arrangement(matrices)?
        } else {
            matrices.min(2).into()
        };
        Ok(Pattern::Matrix {
            matrices,
            down,
            transposed,
        })
    }

    /// `4x1`: matrices below and beside each other.
    fn arrangement(&mut self, matrices: u8) -> Parse<u64> {
        let span = self.here();
        let down = self.number()?;
        self.times()?;
        let across = self.number()?;
        if down.checked_mul(across) == Some(matrices.into()) {
            Ok(down)
        } else {
            let fault = Fault::Arrangement {
                down,
                across,
                matrices,
            };
            Err(Diagnostic::error(span, fault))
        }
    }
}
