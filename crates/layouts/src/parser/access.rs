//! Accesses: which lanes ask for what.

use super::{Parse, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{Access, Pattern};
use crate::{Diagnostic, Fault, Wanted};

impl Parser<'_> {
    pub(super) fn access(&mut self) -> Parse<Access> {
        let store = self.word("store") || !self.word("load") && self.peek_is("stmatrix");
        let pattern = self.pattern()?;
        let store = store || matches!(pattern, Pattern::AsyncCopy { .. });
        let mut access = Access {
            store,
            pattern,
            at: (0, 0),
            bits: None,
        };
        loop {
            if self.word("at") {
                access.at = self.coordinate()?;
            } else if self.word("bits") {
                access.bits = Some(self.number()?);
            } else {
                return Ok(access);
            }
        }
    }

    fn peek_is(&self, word: &str) -> bool {
        matches!(self.peek(), TokenKind::Name(name) if name == word)
    }

    fn coordinate(&mut self) -> Parse<(u64, u64)> {
        self.expect('(')?;
        let row = self.number()?;
        self.expect(',')?;
        let column = self.number()?;
        self.expect(')')?;
        Ok((row, column))
    }

    fn pattern(&mut self) -> Parse<Pattern> {
        let words = "`tv`, `lanes`, `row`, `column`, `ldmatrix`, `stmatrix` or `cp.async`";
        let wanted = Wanted::OneOf(words);
        match self.name(wanted)?.as_str() {
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

    fn matrix(&mut self) -> Parse<Pattern> {
        self.expect('.')?;
        let matrices = match self.name(Wanted::OneOf("`x1`, `x2` or `x4`"))?.as_str() {
            "x1" => 1,
            "x2" => 2,
            "x4" => 4,
            _ => {
                self.at -= 1;
                return self.fail(Wanted::OneOf("`x1`, `x2` or `x4`"));
            }
        };
        let transposed = self.sign('.');
        if transposed && !self.word("trans") {
            return self.fail(Wanted::OneOf("`trans`"));
        }
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
