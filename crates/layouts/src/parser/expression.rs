//! Expressions: layouts in CuTe's notation, in C++ and in Python.

use super::{MAX_DEPTH, Parse, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{Expression, ExpressionKind, Order};
use crate::{Diagnostic, Fault, Nest, Wanted};

/// Python's modules, whose names before a point say nothing of a layout.
const MODULES: [&str; 8] = [
    "cute",
    "cutlass",
    "nvgpu",
    "tcgen05",
    "warpgroup",
    "utils",
    "pycute",
    "tensor_layouts",
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parse<Expression> {
        self.nested(|parser| {
            let mut terms = vec![parser.sums()?];
            while parser.word("o") || parser.peek_is("_smem_ptr") {
                parser.skip_lines();
                terms.push(parser.sums()?);
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

    /// Numbers added or subtracted, as in C++ and Python.
    fn sums(&mut self) -> Parse<Expression> {
        self.operators(['+', '-'], &mut |parser| {
            parser.operators(['*', '/'], &mut Self::term)
        })
    }

    /// Operands with these operators between them, from the left.
    fn operators(
        &mut self,
        signs: [char; 2],
        operand: &mut dyn FnMut(&mut Self) -> Parse<Expression>,
    ) -> Parse<Expression> {
        let mut left = operand(self)?;
        for _ in 0..MAX_DEPTH {
            let sign = match self.peek() {
                TokenKind::Sign(sign) if signs.contains(sign) => *sign,
                _ => return Ok(left),
            };
            self.at += 1;
            let right = operand(self)?;
            let span = left.span.start..right.span.end;
            let kind = ExpressionKind::Arithmetic(sign, Box::new(left), Box::new(right));
            left = Expression { kind, span };
        }
        Ok(left)
    }

    pub(super) fn term(&mut self) -> Parse<Expression> {
        let start = self.start();
        let kind = self.term_kind()?;
        self.skip_construction();
        Ok(Expression {
            kind,
            span: start..self.end(),
        })
    }

    fn term_kind(&mut self) -> Parse<ExpressionKind> {
        self.skip_namespace();
        match self.peek().clone() {
            TokenKind::Number(_) | TokenKind::Sign('-') => self.shape_or_layout(),
            TokenKind::Sign('(') => self.parenthesis(),
            TokenKind::Sign('<') => self.tiler(),
            TokenKind::Sign('#') => self.triton(),
            TokenKind::Sign('!') => self.mlir_type(),
            TokenKind::Name(name) => self.named(name),
            _ => self.fail(Wanted::Layout),
        }
    }

    /// `{}`, as C++ makes a value of a type.
    fn skip_construction(&mut self) {
        if self.is_sign(0, '{') && self.is_sign(1, '}') {
            self.at += 2;
        }
    }

    /// `(…)` is a shape, unless what stands in it is none: then it groups an expression, or
    /// several as a tuple.
    fn parenthesis(&mut self) -> Parse<ExpressionKind> {
        let start = self.at;
        match self.shape_or_layout() {
            Ok(kind) => Ok(kind),
            Err(as_shape) => {
                let reached = self.at;
                self.at = start;
                match self.group() {
                    Ok(kind) => Ok(kind),
                    Err(_) if reached > self.at || self.peek() == &TokenKind::End => Err(as_shape),
                    Err(as_group) => Err(as_group),
                }
            }
        }
    }

    fn group(&mut self) -> Parse<ExpressionKind> {
        let start = self.start();
        self.expect('(')?;
        let mut parts = vec![self.expression()?];
        while self.sign(',') && !self.is_sign(0, ')') {
            parts.push(self.expression()?);
        }
        self.expect(')')?;
        let span = start..self.end();
        let kind = match parts.len() {
            1 => parts.remove(0).kind,
            _ => ExpressionKind::Call("tuple".to_owned(), parts),
        };
        if !self.sign(':') {
            return Ok(kind);
        }
        // `(Int<8>{},Int<64>{}):(Int<64>{},Int<1>{})`
        let stride = self.nested(Self::term)?;
        let shape = Expression { kind, span };
        Ok(ExpressionKind::Call(
            "Layout".to_owned(),
            vec![shape, stride],
        ))
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
        let stride = self.nest()?;
        if !self.word("over") {
            return Ok(ExpressionKind::Strided(shape, stride));
        }
        if !self.word("F2") {
            return self.fail(Wanted::OneOf("`F2`"));
        }
        Ok(ExpressionKind::Xored(shape, stride))
    }

    pub(super) fn nest(&mut self) -> Parse<Nest> {
        self.nested(|parser| {
            if !parser.sign('(') {
                return parser.integer().map(Nest::Int);
            }
            let mut parts = vec![parser.nest()?];
            while parser.sign(',') && !parser.is_sign(0, ')') {
                parts.push(parser.nest()?);
            }
            parser.expect(')')?;
            Ok(Nest::Tuple(parts))
        })
    }

    /// `cute::` before `_8` or `Int<8>`.
    fn skip_namespace(&mut self) {
        let mut ahead = usize::from(self.peek() == &TokenKind::Scope);
        while matches!(self.peek_at(ahead), TokenKind::Name(_))
            && self.peek_at(ahead + 1) == &TokenKind::Scope
        {
            ahead += 2;
        }
        let is_number = match self.peek_at(ahead) {
            TokenKind::Number(_) => true,
            TokenKind::Name(name) => {
                matches!(name.as_str(), "Int" | "C") && self.is_sign(ahead + 1, '<')
            }
            TokenKind::Sign(_)
            | TokenKind::Bytes(_)
            | TokenKind::Scope
            | TokenKind::Arrow
            | TokenKind::Times
            | TokenKind::End => false,
        };
        self.at += if is_number { ahead } else { 0 };
    }

    /// `8`, `_8`, `_8{}`, `cute::_8{}` and `Int<8>{}` alike.
    fn integer(&mut self) -> Parse<i64> {
        self.skip_namespace();
        let is_template = (self.peek_is("Int") || self.peek_is("C")) && self.is_sign(1, '<');
        let value = if is_template {
            self.at += 2;
            let value = self.signed()?;
            self.expect('>')?;
            value
        } else {
            self.signed()?
        };
        self.skip_construction();
        Ok(value)
    }

    fn tiler(&mut self) -> Parse<ExpressionKind> {
        self.expect('<')?;
        let parts = self.arguments('>')?;
        Ok(ExpressionKind::Tiler(parts))
    }

    fn named(&mut self, name: String) -> Parse<ExpressionKind> {
        self.at += 1;
        let name = self.path(name)?;
        match (name.as_str(), self.peek()) {
            ("Swizzle" | "Sw" | "S", TokenKind::Sign('<')) => self.swizzle('<', '>'),
            ("Swizzle" | "make_swizzle", TokenKind::Sign('(')) => self.swizzle('(', ')'),
            ("Swizzle" | "Sw", _) => self.fail(Wanted::Sign('<')),
            ("tma", TokenKind::Sign('<')) => self.tma(),
            ("smem_ptr" | "_smem_ptr" | "ptr", TokenKind::Sign('[')) => self.pointer(),
            (_, TokenKind::Sign('(' | '<')) => self.call(name),
            _ => Ok(ExpressionKind::Name(name)),
        }
    }

    /// The last name of `cute::GMMA::name` or `cute.name`.
    fn path(&mut self, mut name: String) -> Parse<String> {
        loop {
            let is_module = self.is_sign(0, '.') && MODULES.contains(&name.as_str());
            if self.peek() != &TokenKind::Scope && !is_module {
                return Ok(name);
            }
            self.at += 1;
            name = self.name(Wanted::Layout)?;
        }
    }

    /// The numbers of a swizzle; what must be computed first makes it a call.
    fn swizzle(&mut self, open: char, close: char) -> Parse<ExpressionKind> {
        let start = self.at;
        match self.literal_swizzle(open, close) {
            Ok(kind) => Ok(kind),
            Err(diagnostic)
                if !matches!(
                    self.peek(),
                    TokenKind::Name(_) | TokenKind::Sign('*' | '/' | '+' | '-')
                ) =>
            {
                Err(diagnostic)
            }
            Err(_) => {
                self.at = start + 1;
                let arguments = self.arguments(close)?;
                Ok(ExpressionKind::Call("Swizzle".to_owned(), arguments))
            }
        }
    }

    fn literal_swizzle(&mut self, open: char, close: char) -> Parse<ExpressionKind> {
        self.expect(open)?;
        let bits = self.number()?;
        self.expect(',')?;
        let base = self.number()?;
        self.expect(',')?;
        let shift = self.signed()?;
        self.expect(close)?;
        Ok(ExpressionKind::Swizzle { bits, base, shift })
    }

    fn tma(&mut self) -> Parse<ExpressionKind> {
        self.expect('<')?;
        let mode = match self.peek() {
            TokenKind::Bytes(bytes) => format!("{bytes}B"),
            TokenKind::Name(name) => {
                let name = name.strip_prefix("CU_TENSOR_MAP_SWIZZLE_").unwrap_or(name);
                if name == "NONE" { "none" } else { name }.to_owned()
            }
            _ => return self.fail(Wanted::OneOf("`none`, `32B`, `64B` or `128B`")),
        };
        self.at += 1;
        self.expect('>')?;
        Ok(ExpressionKind::Tma(mode, self.nest()?))
    }

    /// `[16b](unset)` or `[16b](0x7f0000000400)` after `smem_ptr`.
    fn pointer(&mut self) -> Parse<ExpressionKind> {
        self.expect('[')?;
        let bits = self.number()?;
        if !self.word("b") {
            return self.fail(Wanted::OneOf("`b`"));
        }
        self.expect(']')?;
        self.expect('(')?;
        let address = if self.word("unset") {
            None
        } else {
            Some(self.number()?)
        };
        self.expect(')')?;
        Ok(ExpressionKind::Pointer { bits, address })
    }

    /// `name<…>`, `name(…)` or `name<…>(…)`: the arguments of both, in order.
    fn call(&mut self, name: String) -> Parse<ExpressionKind> {
        let mut arguments = Vec::new();
        if self.sign('<') {
            arguments = self.arguments('>')?;
            self.skip_construction();
        }
        if self.sign('(') {
            arguments.extend(self.arguments(')')?);
        }
        Ok(ExpressionKind::Call(name, arguments))
    }

    fn arguments(&mut self, close: char) -> Parse<Vec<Expression>> {
        let mut arguments = Vec::new();
        while !self.sign(close) {
            arguments.push(self.argument()?);
            if !self.sign(',') {
                self.expect(close)?;
                break;
            }
        }
        Ok(arguments)
    }

    /// An argument: an expression, with a name before it in Python.
    fn argument(&mut self) -> Parse<Expression> {
        let start = self.start();
        let TokenKind::Name(name) = self.peek().clone() else {
            return self.expression();
        };
        if !self.is_sign(1, '=') {
            return self.expression();
        }
        self.at += 2;
        let value = Box::new(self.expression()?);
        Ok(Expression {
            kind: ExpressionKind::Keyword(name, value),
            span: start..self.end(),
        })
    }
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
