//! Lines of MLIR: aliases, types, and operations on memory descriptors.

use super::{Parse, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{AccessOf, Expression, ExpressionKind, Pattern, Statement, Tensor};
use crate::{Nest, Wanted};

/// The dialects whose operations stand in a text of Triton's.
const DIALECTS: [&str; 8] = ["ttg", "ttng", "tt", "amdg", "gluon", "arith", "scf", "cute"];

impl Parser<'_> {
    /// `#name = …`, `!name = …`, or an operation; `None` where the line is none of them.
    pub(super) fn mlir_statement(&mut self) -> Parse<Option<Statement>> {
        if let (TokenKind::Sign(sign @ ('#' | '!')), TokenKind::Name(name), true) = (
            self.peek().clone(),
            self.peek_at(1).clone(),
            self.is_sign(2, '='),
        ) {
            let name = format!("{sign}{name}");
            self.at += 3;
            if sign == '#' && self.is_dot_operand() {
                self.dot_operands.insert(name);
                self.skip_to_last();
                return Ok(Some(Statement::Nothing));
            }
            if sign == '#' && self.is_other_attribute() {
                self.skip_to_last();
                return Ok(Some(Statement::Nothing));
            }
            return self
                .expression()
                .map(|expression| Some(Statement::Define(name, expression)));
        }
        if self.is_operation() {
            return self.operation().map(Some);
        }
        Ok(None)
    }

    /// `#ttg.shared_memory` and its kin: attributes without angle brackets, or not of Triton's
    /// encodings at all, as `#loc = loc("file.py":0:0)`.
    fn is_other_attribute(&self) -> bool {
        let mut ahead = 1;
        if !self.is_sign(0, '#') {
            return true;
        }
        let mut last = "";
        while let TokenKind::Name(name) = self.peek_at(ahead) {
            last = name;
            ahead += 1;
            if !self.is_sign(ahead, '.') {
                break;
            }
            ahead += 1;
        }
        let is_encoding = self.is_sign(ahead, '<');
        let of_other_memory = last.starts_with("tensor_memory") || last.starts_with("amd_");
        !is_encoding || of_other_memory && last != "amd_rotating_shared"
    }

    /// Whether the line is an operation, or part of a function, of MLIR.
    fn is_operation(&self) -> bool {
        match self.peek() {
            TokenKind::Sign('%' | '}' | '^' | '@') => true,
            TokenKind::Name(name) if name == "module" || name == "loc" => true,
            TokenKind::Name(name) => DIALECTS.contains(&name.as_str()) && self.is_operation_name(),
            TokenKind::Sign(_)
            | TokenKind::Number(_)
            | TokenKind::Bytes(_)
            | TokenKind::Scope
            | TokenKind::Arrow
            | TokenKind::Times
            | TokenKind::End => false,
        }
    }

    /// `ttg.local_load %…`: a dialect's name, a point, a name, and no bracket right after it.
    fn is_operation_name(&self) -> bool {
        let is_named = matches!(self.peek_at(2), TokenKind::Name(_));
        self.is_sign(1, '.') && is_named && !self.is_sign(3, '(') && !self.is_sign(3, '<')
    }

    /// An operation: the memory it is about, and the tensor that goes there or comes from it.
    fn operation(&mut self) -> Parse<Statement> {
        let (mut name, mut memory, mut tensor) = (String::new(), None, Tensor::None);
        while self.peek() != &TokenKind::End {
            match self.peek().clone() {
                TokenKind::Name(word) if word == "tensor" && self.is_sign(1, '<') => {
                    self.at += 1;
                    tensor = self.operation_tensor().unwrap_or(tensor);
                }
                TokenKind::Sign('!') if self.is_memory_descriptor() => {
                    memory = Some(self.term()?);
                }
                TokenKind::Name(word) => {
                    if word.starts_with("local_") {
                        name = word;
                    }
                    self.at += 1;
                }
                TokenKind::Sign(_)
                | TokenKind::Number(_)
                | TokenKind::Bytes(_)
                | TokenKind::Scope
                | TokenKind::Arrow
                | TokenKind::Times
                | TokenKind::End => self.at += 1,
            }
        }
        let store = match name.as_str() {
            "local_load" => Some(false),
            "local_store" | "local_alloc" => Some(true),
            _ => None,
        };
        let Some((memory, store)) = memory.zip(store) else {
            return Ok(Statement::Nothing);
        };
        let access = match tensor {
            Tensor::None => Tensor::None,
            Tensor::DotOperand => Tensor::DotOperand,
            Tensor::Of(tensor) => Tensor::Of(AccessOf {
                store,
                pattern: Pattern::ThreadValue(tensor),
                at: (0, 0),
                bits: None,
                remote: false,
                everywhere: false,
            }),
        };
        Ok(Statement::Operation(memory, access))
    }

    /// `<64x64xf16, #blocked>` of an operation, or `<64x64xf16, #ttg.dot_op<…>>`.
    fn operation_tensor(&mut self) -> Option<Tensor<Expression>> {
        let start = self.at;
        if self.expect('<').is_ok()
            && self.shape_and_element().is_ok()
            && self.sign(',')
            && self.is_dot_operand()
        {
            self.skip_argument();
            return Some(Tensor::DotOperand);
        }
        self.at = start;
        self.tensor_type().ok().map(Tensor::Of)
    }

    /// Whether `#ttg.dot_op<…>`, or its alias, stands here.
    fn is_dot_operand(&self) -> bool {
        let TokenKind::Name(first) = self.peek_at(1) else {
            return false;
        };
        let mut name = first;
        let mut ahead = 2;
        while self.is_sign(ahead, '.')
            && let TokenKind::Name(next) = self.peek_at(ahead + 1)
        {
            name = next;
            ahead += 2;
        }
        let is_alias = ahead == 2 && self.dot_operands.contains(&format!("#{name}"));
        self.is_sign(0, '#') && (name == "dot_op" || is_alias)
    }

    fn is_memory_descriptor(&self) -> bool {
        let is_named =
            |ahead| matches!(self.peek_at(ahead), TokenKind::Name(name) if name == "memdesc");
        is_named(1) || is_named(3)
    }

    /// `tensor<64x64xf16, #blocked>` after `load` or `store`, past the word.
    pub(super) fn tensor(&mut self) -> Parse<Expression> {
        self.tensor_type()
    }

    /// `<64x64xf16, #blocked>`: the encoding.
    fn tensor_type(&mut self) -> Parse<Expression> {
        self.expect('<')?;
        self.shape_and_element()?;
        self.expect(',')?;
        let encoding = self.term()?;
        self.expect('>')?;
        Ok(encoding)
    }

    /// `!ttg.memdesc<64x64xf16, #shared, #smem, mutable>`, `!cute.layout<"…">`, or an alias.
    pub(super) fn mlir_type(&mut self) -> Parse<ExpressionKind> {
        self.expect('!')?;
        let mut name = self.name(Wanted::Layout)?;
        while self.sign('.') {
            name = self.name(Wanted::Layout)?;
        }
        if !self.is_sign(0, '<') {
            return Ok(ExpressionKind::Name(format!("!{name}")));
        }
        match name.as_str() {
            "memdesc" => self.memory_descriptor(),
            "layout" | "composed_layout" | "swizzle" => {
                self.expect('<')?;
                let inner = self.expression()?;
                self.expect('>')?;
                Ok(inner.kind)
            }
            _ => self.fail(Wanted::OneOf("`memdesc` or `layout`")),
        }
    }

    fn memory_descriptor(&mut self) -> Parse<ExpressionKind> {
        self.expect('<')?;
        let (shape, element) = self.shape_and_element()?;
        self.expect(',')?;
        let encoding = Box::new(self.term()?);
        while self.sign(',') {
            self.skip_argument();
        }
        self.expect('>')?;
        Ok(ExpressionKind::Encoded {
            encoding,
            shape,
            element: Some(element),
        })
    }

    /// `#smem`, `mutable`, `2x64x64`: whatever stands up to the next comma.
    pub(super) fn skip_argument(&mut self) {
        let mut brackets = 0_usize;
        while self.peek() != &TokenKind::End {
            match self.peek() {
                TokenKind::Sign('<') => brackets += 1,
                TokenKind::Sign(',' | '>') if brackets == 0 => return,
                TokenKind::Sign('>') => brackets -= 1,
                TokenKind::Sign(_)
                | TokenKind::Number(_)
                | TokenKind::Bytes(_)
                | TokenKind::Name(_)
                | TokenKind::Scope
                | TokenKind::Arrow
                | TokenKind::Times
                | TokenKind::End => {}
            }
            self.at += 1;
        }
    }

    /// `64x64xf16`.
    fn shape_and_element(&mut self) -> Parse<(Nest, String)> {
        let mut extents = Vec::new();
        while let TokenKind::Number(extent) = *self.peek() {
            self.at += 1;
            extents.push(super::bounded(extent));
            if self.peek() != &TokenKind::Times {
                return self.fail(Wanted::Times);
            }
            self.at += 1;
        }
        let is_pointer = self.sign('!');
        let element = self.name(Wanted::OneOf("an element type such as `f16`"))?;
        if is_pointer {
            self.skip_argument();
        }
        Ok((Nest::Tuple(extents), element))
    }

    /// `(64,64)` or `64x64`.
    pub(super) fn extents(&mut self) -> Parse<Nest> {
        if self.is_sign(0, '(') {
            return self.nest();
        }
        let mut extents = vec![super::bounded(self.number()?)];
        while self.peek() == &TokenKind::Times {
            self.at += 1;
            extents.push(super::bounded(self.number()?));
        }
        Ok(Nest::Tuple(extents))
    }

    fn skip_to_last(&mut self) {
        while self.peek() != &TokenKind::End {
            self.at += 1;
        }
    }
}
