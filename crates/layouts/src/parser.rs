//! Tokens to statements. Never fails: what cannot be read is remarked on and left out.

mod access;
mod triton;

use std::ops::Range;

use super::lexer::{Token, TokenKind};
use super::syntax::{Expression, ExpressionKind, Order, Statement};
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

    fn statement(&mut self) -> Parse<Statement> {
        let statement = self.statement_body()?;
        if self.peek() == &TokenKind::End {
            Ok(statement)
        } else {
            self.fail(Wanted::EndOfLine)
        }
    }

    fn statement_body(&mut self) -> Parse<Statement> {
        if let (TokenKind::Name(name), TokenKind::Sign('=')) = (self.peek(), self.peek_at(1)) {
            let name = name.clone();
            self.at += 2;
            self.skip_lines();
            return Ok(Statement::Define(name, self.expression()?));
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
            "load" | "store" | "ldmatrix" | "stmatrix" | "cp" | "tv" | "row" | "column"
            | "lanes" => self.access().map(Statement::Access),
            _ => self.expression().map(Statement::Show),
        }
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

    fn expression(&mut self) -> Parse<Expression> {
        self.nested(|parser| {
            let mut terms = vec![parser.term()?];
            while parser.word("o") {
                parser.skip_lines();
                terms.push(parser.term()?);
                if terms.len() > MAX_DEPTH {
                    return Err(Diagnostic::error(
                        parser.here(),
                        Fault::TooManyCompositions(MAX_DEPTH),
                    ));
                }
            }
            Ok(fold_right(terms))
        })
    }

    fn term(&mut self) -> Parse<Expression> {
        let start = self.start();
        let kind = self.term_kind()?;
        Ok(Expression {
            kind,
            span: start..self.end(),
        })
    }

    fn term_kind(&mut self) -> Parse<ExpressionKind> {
        match self.peek().clone() {
            TokenKind::Number(_) | TokenKind::Sign('-') => self.shape_or_layout(),
            TokenKind::Sign('(') => self.parenthesis(),
            TokenKind::Sign('<') => self.tiler(),
            TokenKind::Sign('#') => self.triton(),
            TokenKind::Name(name) => self.named(name),
            _ => self.fail(Wanted::Layout),
        }
    }

    /// `(…)` is a shape, unless what stands in it is none: then it groups an expression.
    fn parenthesis(&mut self) -> Parse<ExpressionKind> {
        let start = self.at;
        match self.shape_or_layout() {
            Ok(kind) => Ok(kind),
            Err(as_shape) => {
                let reached = self.at;
                self.at = start + 1;
                let grouped = self
                    .expression()
                    .and_then(|inner| self.expect(')').map(|()| inner));
                match grouped {
                    Ok(inner) => Ok(inner.kind),
                    Err(_) if reached > self.at => Err(as_shape),
                    Err(as_group) => Err(as_group),
                }
            }
        }
    }

    fn shape_or_layout(&mut self) -> Parse<ExpressionKind> {
        let shape = self.nest()?;
        if !self.sign(':') {
            return Ok(ExpressionKind::Shape(shape));
        }
        for (word, order) in [
            ("row", Order::Row),
            ("LayoutRight", Order::Row),
            ("col", Order::Column),
            ("column", Order::Column),
            ("LayoutLeft", Order::Column),
        ] {
            if self.word(word) {
                return Ok(ExpressionKind::Compact(shape, order));
            }
        }
        Ok(ExpressionKind::Strided(shape, self.nest()?))
    }

    fn nest(&mut self) -> Parse<Nest> {
        self.nested(|parser| {
            if !parser.sign('(') {
                return parser.signed().map(Nest::Int);
            }
            let mut parts = vec![parser.nest()?];
            while parser.sign(',') {
                parts.push(parser.nest()?);
            }
            parser.expect(')')?;
            Ok(Nest::Tuple(parts))
        })
    }

    fn tiler(&mut self) -> Parse<ExpressionKind> {
        self.expect('<')?;
        let mut parts = vec![self.expression()?];
        while self.sign(',') {
            parts.push(self.expression()?);
        }
        self.expect('>')?;
        Ok(ExpressionKind::Tiler(parts))
    }

    fn named(&mut self, name: String) -> Parse<ExpressionKind> {
        self.at += 1;
        match (name.as_str(), self.peek()) {
            ("Swizzle" | "Sw", _) => self.swizzle(),
            ("tma", TokenKind::Sign('<')) => self.tma(),
            ("Layout", TokenKind::Sign('<')) => self.cpp_layout(),
            (_, TokenKind::Sign('(')) => self.call(name),
            _ => Ok(ExpressionKind::Name(name)),
        }
    }

    fn swizzle(&mut self) -> Parse<ExpressionKind> {
        self.expect('<')?;
        let bits = self.number()?;
        self.expect(',')?;
        let base = self.number()?;
        self.expect(',')?;
        let shift = self.signed()?;
        self.expect('>')?;
        Ok(ExpressionKind::Swizzle { bits, base, shift })
    }

    fn tma(&mut self) -> Parse<ExpressionKind> {
        self.expect('<')?;
        let mode = match self.peek() {
            TokenKind::Bytes(bytes) => format!("{bytes}B"),
            TokenKind::Name(name) => name.clone(),
            _ => return self.fail(Wanted::OneOf("`none`, `32B`, `64B` or `128B`")),
        };
        self.at += 1;
        self.expect('>')?;
        Ok(ExpressionKind::Tma(mode, self.nest()?))
    }

    /// `Layout<Shape<_8,_4>, Stride<_4,_1>>`, as in C++.
    fn cpp_layout(&mut self) -> Parse<ExpressionKind> {
        self.expect('<')?;
        let shape = self.cpp_nest("Shape")?;
        let stride = if self.sign(',') {
            Some(self.cpp_nest("Stride")?)
        } else {
            None
        };
        self.expect('>')?;
        Ok(match stride {
            Some(stride) => ExpressionKind::Strided(shape, stride),
            None => ExpressionKind::Compact(shape, Order::Column),
        })
    }

    fn cpp_nest(&mut self, tuple: &str) -> Parse<Nest> {
        self.nested(|parser| {
            if parser.word("Int") {
                parser.expect('<')?;
                let value = parser.signed()?;
                parser.expect('>')?;
                return Ok(Nest::Int(value));
            }
            if !parser.word(tuple) {
                return parser.signed().map(Nest::Int);
            }
            parser.expect('<')?;
            let mut parts = vec![parser.cpp_nest(tuple)?];
            while parser.sign(',') {
                parts.push(parser.cpp_nest(tuple)?);
            }
            parser.expect('>')?;
            Ok(Nest::Tuple(parts))
        })
    }

    fn call(&mut self, name: String) -> Parse<ExpressionKind> {
        self.expect('(')?;
        let mut arguments = vec![self.expression()?];
        while self.sign(',') {
            arguments.push(self.expression()?);
        }
        self.expect(')')?;
        Ok(ExpressionKind::Call(name, arguments))
    }
}

fn bounded(value: u64) -> Nest {
    Nest::Int(i64::try_from(value).unwrap_or(i64::MAX))
}

fn fold_right(mut terms: Vec<Expression>) -> Expression {
    let last = terms.pop();
    terms
        .into_iter()
        .rev()
        .fold(last, |right, left| match right {
            None => Some(left),
            Some(right) => {
                let span = left.span.start..right.span.end;
                let kind = ExpressionKind::Compose(Box::new(left), Box::new(right));
                Some(Expression { kind, span })
            }
        })
        .unwrap_or(Expression {
            kind: ExpressionKind::Shape(Nest::Int(1)),
            span: 0..0,
        })
}
