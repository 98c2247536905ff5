//! Parser: statements, declarations and operands.

use crate::number;
use crate::parser::{MAX_NESTING, Parser, shorten, variable_space};
use crate::token::TokenKind;
use crate::{Instruction, Module, Operand, Statement, StatementKind, Variable};
use lanescope_locale::ptx_fault::PtxFault;

impl<'t> Parser<'t> {
    /// One statement, added to `list`.
    pub(crate) fn statement(&mut self, list: &mut Vec<Statement<'t>>) {
        let start = self.position();
        let text = self.peek_text();
        let kind = match text {
            "{" => {
                self.advance();
                StatementKind::Open
            }
            "}" => {
                self.advance();
                StatementKind::Close
            }
            ";" => {
                self.advance();
                return;
            }
            ".loc" => {
                let (file, line) = self.location();
                StatementKind::Location { file, line }
            }
            ".file" => {
                self.file(&mut Module::default());
                return;
            }
            ".branchtargets" | ".calltargets" => {
                self.advance();
                StatementKind::Targets(self.names())
            }
            ".extern" | ".visible" | ".weak" => {
                self.advance();
                return;
            }
            _ if variable_space(text).is_some() => {
                for variable in self.variables() {
                    let span = self.span_from(start);
                    let kind = StatementKind::Variable(variable);
                    list.push(Statement { kind, span });
                }
                return;
            }
            _ if text.starts_with('.') => {
                self.skip_statement();
                return;
            }
            _ if self.is_word() && self.peek_after() == ":" => {
                self.advance();
                self.advance();
                StatementKind::Label(text)
            }
            _ if self.is_word() || self.is_mark(b'@') => match self.instruction() {
                Some(instruction) => StatementKind::Instruction(instruction),
                None => return,
            },
            _ => {
                let fault = PtxFault::Unexpected(shorten(text));
                let span = self.here();
                self.diagnostics.error(span, fault);
                self.advance();
                self.skip_statement();
                return;
            }
        };
        let span = self.span_from(start);
        list.push(Statement { kind, span });
    }

    fn names(&mut self) -> Vec<&'t str> {
        let mut names = Vec::new();
        while self.peek().is_some() && !self.accept(b';') && !self.is_mark(b'}') {
            if self.is_word() {
                names.push(self.peek_text());
            }
            self.advance();
        }
        names
    }

    fn instruction(&mut self) -> Option<Instruction<'t>> {
        let mut guard = None;
        if self.accept(b'@') {
            let negated = self.accept(b'!');
            guard = Some((negated, self.advance()));
        }
        if !self.is_word() {
            let span = self.here();
            self.diagnostics.error(span, PtxFault::MissingInstruction);
            self.skip_statement();
            return None;
        }
        let opcode = self.advance();
        let mut operands = Vec::new();
        while self.peek().is_some() && !self.is_mark(b'}') {
            if self.accept(b';') {
                break;
            }
            let before = self.here();
            match self.operand(0) {
                Some(operand) => operands.push(operand),
                None => {
                    let fault = PtxFault::NotAnOperand(shorten(self.peek_text()));
                    self.diagnostics.error(before, fault);
                    self.skip_statement();
                    break;
                }
            }
            if !self.accept(b',') && !self.is_mark(b';') && !self.is_mark(b'}') {
                // A call's results stand before its name without a comma in old texts.
                if matches!(operands.last(), Some(Operand::Group(_))) {
                    continue;
                }
                let span = self.here();
                let fault = if self.peek().is_none() {
                    PtxFault::EndsInInstruction
                } else {
                    PtxFault::MissingSemicolon(shorten(self.peek_text()))
                };
                self.diagnostics.error(span, fault);
                if self.peek_after() == ":" || !self.is_mark(b'(') {
                    break;
                }
                self.skip_statement();
                break;
            }
        }
        Some(Instruction {
            guard,
            opcode,
            operands,
        })
    }

    /// `a | b`, or one operand.
    pub(crate) fn operand(&mut self, depth: u32) -> Option<Operand<'t>> {
        if depth > MAX_NESTING {
            return None;
        }
        let first = self.sum(depth)?;
        if self.accept(b'|') {
            let second = self.sum(depth + 1)?;
            return Some(Operand::Pair(Box::new(first), Box::new(second)));
        }
        Some(first)
    }

    /// A primary, with constants added.
    fn sum(&mut self, depth: u32) -> Option<Operand<'t>> {
        let mut value = self.primary(depth)?;
        loop {
            let minus = if self.is_mark(b'+') {
                false
            } else if self.is_mark(b'-') {
                true
            } else {
                return Some(value);
            };
            self.advance();
            let Operand::Integer(term) = self.primary(depth)? else {
                return None;
            };
            let term = if minus { term.wrapping_neg() } else { term };
            value = match value {
                Operand::Integer(sum) => Operand::Integer(sum.wrapping_add(term)),
                Operand::Name(name) => Operand::Sum(name, term.cast_signed()),
                Operand::Sum(name, sum) => Operand::Sum(name, sum.wrapping_add(term.cast_signed())),
                _ => return None,
            };
        }
    }

    fn primary(&mut self, depth: u32) -> Option<Operand<'t>> {
        if depth > MAX_NESTING {
            return None;
        }
        let token = self.peek()?;
        match token.kind {
            TokenKind::Number => {
                let text = self.advance();
                number::number(text)
            }
            TokenKind::Word => {
                let name = self.advance();
                Some(if name == "_" {
                    Operand::Sink
                } else {
                    Operand::Name(name)
                })
            }
            TokenKind::Mark(b'-') => {
                self.advance();
                Some(match self.primary(depth + 1)? {
                    Operand::Integer(value) => Operand::Integer(value.wrapping_neg()),
                    Operand::Float(value) => Operand::Float(-value),
                    Operand::Float32(bits) => Operand::Float32(bits ^ (1 << 31)),
                    Operand::Float64(bits) => Operand::Float64(bits ^ (1 << 63)),
                    other => Operand::Negated(Box::new(other)),
                })
            }
            TokenKind::Mark(b'+') => {
                self.advance();
                self.primary(depth + 1)
            }
            TokenKind::Mark(b'~') => {
                self.advance();
                match self.primary(depth + 1)? {
                    Operand::Integer(value) => Some(Operand::Integer(!value)),
                    _ => None,
                }
            }
            TokenKind::Mark(b'!') => {
                self.advance();
                self.primary(depth + 1)
                    .map(|inner| Operand::Not(Box::new(inner)))
            }
            TokenKind::Mark(b'{') => self.list(b'}', depth).map(Operand::Vector),
            TokenKind::Mark(b'[') => self.list(b']', depth).map(Operand::Address),
            TokenKind::Mark(b'(') => self.list(b')', depth).map(Operand::Group),
            TokenKind::Text | TokenKind::Mark(_) => None,
        }
    }

    /// Operands between two brackets.
    fn list(&mut self, close: u8, depth: u32) -> Option<Vec<Operand<'t>>> {
        self.advance();
        let mut items = Vec::new();
        loop {
            if self.accept(close) {
                return Some(items);
            }
            items.push(self.operand(depth + 1)?);
            if !self.accept(b',') && !self.is_mark(close) {
                return None;
            }
        }
    }

    /// A declaration of one or several variables, up to its `;`.
    pub(crate) fn variables(&mut self) -> Vec<Variable<'t>> {
        let first = self.one_variable();
        let mut list = vec![first];
        while self.accept(b',') {
            let Some(head) = list.first() else { break };
            let mut next = Variable {
                range: None,
                extents: Vec::new(),
                initial: Vec::new(),
                ..head.clone()
            };
            self.declarator(&mut next);
            list.push(next);
        }
        if !self.accept(b';') {
            let span = self.here();
            self.diagnostics.error(span, PtxFault::OpenDeclaration);
            self.skip_statement();
        }
        list
    }

    /// State space, type, name, size and contents of one variable.
    pub(crate) fn one_variable(&mut self) -> Variable<'t> {
        let mut variable = Variable {
            vector: 1,
            ..Variable::default()
        };
        variable.space = variable_space(self.advance()).unwrap_or("");
        while self.is_word() && self.peek_text().starts_with('.') {
            let word = self.advance();
            match word {
                ".align" => {
                    let value = self.integer();
                    // `.ptr .align` tells of what is pointed to.
                    if !variable.is_pointer {
                        variable.alignment = value;
                    }
                }
                ".ptr" => variable.is_pointer = true,
                ".v2" => variable.vector = 2,
                ".v4" => variable.vector = 4,
                ".v8" => variable.vector = 8,
                ".attribute" => {
                    while self.peek().is_some() && !self.accept(b')') {
                        self.advance();
                    }
                }
                _ if variable_space(word).is_some() => {}
                _ => variable.element = word.trim_start_matches('.'),
            }
        }
        self.declarator(&mut variable);
        variable
    }

    /// Name, range, dimensions and contents.
    fn declarator(&mut self, variable: &mut Variable<'t>) {
        variable.span = self.here();
        if self.is_word() {
            variable.name = self.advance();
        }
        if self.accept(b'<') {
            variable.range = Some(self.integer().unwrap_or(0));
            self.accept(b'>');
        }
        while self.accept(b'[') {
            variable.extents.push(self.integer());
            if !self.accept(b']') {
                return;
            }
        }
        if self.accept(b'=') {
            self.initializer(&mut variable.initial);
        }
    }

    /// What follows `=`, braces flattened: a missing tail of an inner brace is not filled up.
    fn initializer(&mut self, values: &mut Vec<Operand<'t>>) {
        let mut depth = 0_u32;
        while self.peek().is_some() {
            if self.accept(b'{') {
                depth += 1;
            } else if self.accept(b'}') {
                depth = depth.saturating_sub(1);
            } else if self.is_mark(b';') {
                return;
            } else if self.is_mark(b',') {
                if depth == 0 {
                    return;
                }
                self.advance();
            } else {
                match self.sum(0) {
                    Some(value) => values.push(value),
                    None => {
                        self.advance();
                    }
                }
                // `generic(name)`, `0xff(name)`: an address, which no text knows.
                if self.is_mark(b'(') {
                    while self.peek().is_some() && !self.accept(b')') {
                        self.advance();
                    }
                    values.pop();
                    values.push(Operand::Sink);
                }
            }
        }
    }
}
