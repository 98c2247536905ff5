//! Tokens to statements. Never fails: what cannot be read is remarked on and left out.

mod access;
mod attribute;
mod expression;
mod instruction;
mod mlir;

use std::collections::BTreeSet;
use std::ops::Range;

use super::lexer::{Token, TokenKind};
use super::syntax::Statement;
use super::{Diagnostic, Fault, Nest, Wanted};

/// The deepest nesting of expressions.
const MAX_DEPTH: usize = 20;

type Parse<T> = Result<T, Diagnostic>;

/// The statements of a text, each with the place of its text.
pub(super) fn statements(
    tokens: &[Token],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(Statement, Range<usize>)> {
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        dot_operands: BTreeSet::new(),
    };
    let mut statements = Vec::new();
    while parser.at < tokens.len() {
        if parser.peek() == &TokenKind::End {
            parser.at += 1;
            continue;
        }
        let start = parser.start();
        match parser.statement() {
            Ok(statement) => statements.push((statement, start..parser.end())),
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
        parser.skip_to_end();
    }
    statements
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    /// Aliases of operands of dots, whose encoding says no lanes.
    dot_operands: BTreeSet<String>,
}

impl Parser<'_> {
    fn peek(&self) -> &TokenKind {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &TokenKind {
        self.tokens
            .get(self.at + ahead)
            .map_or(&TokenKind::End, |token| &token.kind)
    }

    fn start(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |token| token.span.start)
    }

    fn end(&self) -> usize {
        let last = self.at.saturating_sub(1);
        self.tokens.get(last).map_or(0, |token| token.span.end)
    }

    fn here(&self) -> Range<usize> {
        let last = self.tokens.last().map_or(0..0, |token| token.span.clone());
        self.tokens
            .get(self.at)
            .map_or(last, |token| token.span.clone())
    }

    fn fail<T>(&self, wanted: Wanted) -> Parse<T> {
        let found = match self.peek() {
            TokenKind::End => None,
            TokenKind::Number(value) => Some(value.to_string()),
            TokenKind::Bytes(value) => Some(format!("{value}B")),
            TokenKind::Name(name) => Some(name.clone()),
            TokenKind::Sign(sign) => Some(sign.to_string()),
            TokenKind::Times => Some("x".to_owned()),
            TokenKind::Scope => Some("::".to_owned()),
            TokenKind::Arrow => Some("->".to_owned()),
        };
        let fault = Fault::Expected { wanted, found };
        Err(Diagnostic::error(self.here(), fault))
    }

    fn skip_to_end(&mut self) {
        if self.at < self.tokens.len() && self.peek() != &TokenKind::End {
            self.at += 1;
            while self.at < self.tokens.len() && self.peek() != &TokenKind::End {
                self.at += 1;
            }
        }
    }

    fn sign(&mut self, sign: char) -> bool {
        let found = self.peek() == &TokenKind::Sign(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: char) -> Parse<()> {
        if self.sign(sign) {
            Ok(())
        } else {
            self.fail(Wanted::Sign(sign))
        }
    }

    fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), TokenKind::Name(name) if name == word);
        self.at += usize::from(found);
        found
    }

    fn name(&mut self, wanted: Wanted) -> Parse<String> {
        let TokenKind::Name(name) = self.peek() else {
            return self.fail(wanted);
        };
        let name = name.clone();
        self.at += 1;
        Ok(name)
    }

    fn number(&mut self) -> Parse<u64> {
        let TokenKind::Number(value) = *self.peek() else {
            return self.fail(Wanted::Number);
        };
        self.at += 1;
        Ok(value)
    }

    fn signed(&mut self) -> Parse<i64> {
        let negative = self.sign('-');
        let span = self.here();
        let value = self.number()?;
        let value =
            i64::try_from(value).map_err(|_| Diagnostic::error(span, Fault::NumberBeyond(63)))?;
        Ok(if negative { -value } else { value })
    }

    fn peek_is(&self, word: &str) -> bool {
        matches!(self.peek(), TokenKind::Name(name) if name == word)
    }

    fn is_sign(&self, ahead: usize, sign: char) -> bool {
        self.peek_at(ahead) == &TokenKind::Sign(sign)
    }

    fn statement(&mut self) -> Parse<Statement> {
        let statement = self.statement_body()?;
        if self.peek() == &TokenKind::End {
            Ok(statement)
        } else {
            self.fail(Wanted::EndOfLine)
        }
    }

    fn statement_body(&mut self) -> Parse<Statement> {
        if let Some(statement) = self.mlir_statement()? {
            return Ok(statement);
        }
        self.skip_label();
        let is_alias = self.word("using");
        self.skip_qualifiers();
        if let Some(name) = self.defined_name() {
            self.skip_lines();
            self.word("typename");
            if self.is_copy_atom() {
                return self.access().map(Statement::Access);
            }
            let expression = self.expression()?;
            return Ok(Statement::Define(name, expression));
        }
        if is_alias {
            return self.fail(Wanted::Sign('='));
        }
        let TokenKind::Name(word) = self.peek().clone() else {
            return self.expression().map(Statement::Show);
        };
        match word.as_str() {
            "type" => self
                .setting("an element type such as `f16`")
                .map(Statement::Type),
            "swizzle" => self
                .setting("`elements` or `bytes`")
                .map(Statement::SwizzleUnit),
            "shift" => self
                .setting("`relative` or `absolute`")
                .map(Statement::Shift),
            "base" => {
                self.at += 1;
                self.number().map(Statement::Base)
            }
            "layout" => {
                self.at += 1;
                self.expression().map(Statement::Show)
            }
            _ if self.is_access(&word) || self.is_copy_atom() => {
                self.access().map(Statement::Access)
            }
            _ => self.expression().map(Statement::Show),
        }
    }

    /// `sA_layout:`, as programs print it before a layout.
    fn skip_label(&mut self) {
        let is_label = matches!(self.peek(), TokenKind::Name(_)) && self.is_sign(1, ':');
        self.at += if is_label { 2 } else { 0 };
    }

    /// What C++ writes before a definition's name.
    fn skip_qualifiers(&mut self) {
        const WORDS: [&str; 8] = [
            "static",
            "constexpr",
            "const",
            "inline",
            "typename",
            "auto",
            "__shared__",
            "__device__",
        ];
        while WORDS.iter().any(|word| self.peek_is(word)) {
            self.at += 1;
        }
        let is_typed = matches!(
            (self.peek(), self.peek_at(1)),
            (TokenKind::Name(_), TokenKind::Name(_))
        );
        if is_typed && self.is_sign(2, '=') {
            self.at += 1;
        }
    }

    /// `name =`.
    fn defined_name(&mut self) -> Option<String> {
        let TokenKind::Name(name) = self.peek() else {
            return None;
        };
        let name = name.clone();
        self.is_sign(1, '=').then(|| {
            self.at += 2;
            name
        })
    }

    fn setting(&mut self, wanted: &'static str) -> Parse<String> {
        self.at += 1;
        self.name(Wanted::OneOf(wanted))
    }

    fn skip_lines(&mut self) {
        while self.at < self.tokens.len() && self.peek() == &TokenKind::End {
            self.at += 1;
        }
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Diagnostic::error(self.here(), Fault::TooDeep(MAX_DEPTH)));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }
}

fn bounded(value: u64) -> Nest {
    Nest::Int(i64::try_from(value).unwrap_or(i64::MAX))
}
