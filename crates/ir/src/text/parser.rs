//! Reads the text form.

mod arguments;
mod declaration;

use std::collections::VecDeque;
use std::fmt;

use super::lexer::{Kind, Token, tokens};
use super::names;
use crate::{
    Block, BlockId, Guard, Instruction, Kernel, Op, Operand, PlaceId, Register, Terminator,
};

pub(super) use arguments::Argument;
pub(crate) use arguments::Arguments;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// First byte of what is wrong.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl TextError {
    pub(super) const fn new(at: usize, expected: &'static str) -> Self {
        Self { at, expected }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: expected {}", self.at, self.expected)
    }
}

impl std::error::Error for TextError {}

pub(super) fn kernel(text: &str) -> Result<Kernel, TextError> {
    let mut parser = Parser {
        tokens: tokens(text)?.into(),
        last: text.len(),
        widths: Vec::new(),
        kernel: Kernel::default(),
    };
    parser.kernel()?;
    Ok(parser.kernel)
}

struct Parser {
    tokens: VecDeque<Token>,
    /// Bytes of the text: where an error at its end is.
    last: usize,
    /// Bits of each register named so far.
    widths: Vec<Option<u8>>,
    kernel: Kernel,
}

type Parsed<T> = Result<T, TextError>;

/// Registers of a kernel that the parser accepts: a bound, as the text may name any number.
const REGISTERS: u64 = 1 << 24;

impl Parser {
    fn here(&self) -> usize {
        self.tokens.front().map_or(self.last, |token| token.at)
    }

    fn fail<T>(&self, expected: &'static str) -> Parsed<T> {
        Err(TextError::new(self.here(), expected))
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.tokens.front(), Some(Token { kind: Kind::Sign(one), .. }) if *one == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        if is {
            self.tokens.pop_front();
        }
        is
    }

    fn expect(&mut self, sign: &'static str) -> Parsed<()> {
        if self.take(sign) {
            Ok(())
        } else {
            self.fail(sign)
        }
    }

    fn peek_word(&self) -> Option<&str> {
        match self.tokens.front() {
            Some(Token {
                kind: Kind::Word(word),
                ..
            }) => Some(word),
            _ => None,
        }
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is = self.peek_word() == Some(word);
        if is {
            self.tokens.pop_front();
        }
        is
    }

    fn word(&mut self) -> Parsed<String> {
        match self.peek_word().map(str::to_owned) {
            Some(word) => {
                self.tokens.pop_front();
                Ok(word)
            }
            None => self.fail("a name"),
        }
    }

    fn number(&mut self) -> Parsed<u64> {
        match self.tokens.front() {
            Some(Token {
                kind: Kind::Number(number),
                ..
            }) => {
                let number = *number;
                self.tokens.pop_front();
                Ok(number)
            }
            _ => self.fail("a number"),
        }
    }

    fn small<T: TryFrom<u64>>(&mut self) -> Parsed<T> {
        let at = self.here();
        T::try_from(self.number()?).map_err(|_| TextError::new(at, "a smaller number"))
    }

    fn text(&mut self) -> Parsed<String> {
        match self.tokens.front() {
            Some(Token {
                kind: Kind::Text(text),
                ..
            }) => {
                let text = text.clone();
                self.tokens.pop_front();
                Ok(text)
            }
            _ => self.fail("a string"),
        }
    }

    /// A letter with a number, as in `b3`.
    fn peek_indexed(&self, letter: char) -> Option<u32> {
        self.peek_word()?.strip_prefix(letter)?.parse().ok()
    }

    fn take_indexed(&mut self, letter: char) -> Option<u32> {
        let index = self.peek_indexed(letter)?;
        self.tokens.pop_front();
        Some(index)
    }

    fn block_id(&mut self) -> Parsed<BlockId> {
        match self.take_indexed('b') {
            Some(index) => Ok(BlockId(index)),
            None => self.fail("a block"),
        }
    }

    /// ` #3`, if it stands here.
    fn place(&mut self) -> Parsed<PlaceId> {
        if self.take("#") {
            Ok(PlaceId(self.small()?))
        } else {
            Ok(PlaceId::default())
        }
    }

    fn peek_register(&self) -> Option<(Register, u8)> {
        let word = self.peek_word()?;
        let bits = names::bits(*word.as_bytes().first()?)?;
        Some((Register(word.get(1..)?.parse().ok()?), bits))
    }

    fn take_register(&mut self) -> Parsed<Option<Register>> {
        let Some((register, bits)) = self.peek_register() else {
            return Ok(None);
        };
        if u64::from(register.0) >= REGISTERS {
            return self.fail("a register's number below 16,777,216");
        }
        if self.widths.len() <= register.index() {
            self.widths.resize(register.index() + 1, None);
        }
        match self.widths.get_mut(register.index()) {
            Some(width) if width.is_none_or(|width| width == bits) => *width = Some(bits),
            _ => return self.fail("a register of the width it has elsewhere"),
        }
        self.tokens.pop_front();
        Ok(Some(register))
    }

    fn register(&mut self) -> Parsed<Register> {
        match self.take_register()? {
            Some(register) => Ok(register),
            None => self.fail("a register"),
        }
    }

    fn take_operand(&mut self) -> Parsed<Option<Operand>> {
        if let Some(register) = self.take_register()? {
            return Ok(Some(register.into()));
        }
        match self.tokens.front() {
            Some(Token {
                kind: Kind::Number(_),
                ..
            }) => Ok(Some(Operand::Constant(self.number()?))),
            _ => Ok(None),
        }
    }

    fn operand(&mut self) -> Parsed<Operand> {
        match self.take_operand()? {
            Some(operand) => Ok(operand),
            None => self.fail("an operand"),
        }
    }

    fn kernel(&mut self) -> Parsed<()> {
        if !self.take_word("kernel") {
            return self.fail("kernel");
        }
        self.kernel.name = self.text()?;
        while !self.take("{") {
            self.header()?;
        }
        while !self.is("}") && self.peek_indexed('b').is_none() {
            self.declaration()?;
        }
        while !self.take("}") {
            self.block()?;
        }
        if !self.tokens.is_empty() {
            return self.fail("the end");
        }
        for width in &self.widths {
            match width {
                Some(bits) => self.kernel.registers.push(*bits),
                None => {
                    return Err(TextError::new(
                        self.last,
                        "registers numbered without a gap",
                    ));
                }
            }
        }
        Ok(())
    }

    fn block(&mut self) -> Parsed<()> {
        let at = self.here();
        let index = self.block_id()?;
        if index.index() != self.kernel.blocks.len() {
            return Err(TextError::new(at, "blocks in order"));
        }
        self.expect(":")?;
        let mut instructions = Vec::new();
        loop {
            if let Some(terminator) = self.terminator()? {
                let place = self.place()?;
                self.kernel.blocks.push(Block {
                    instructions,
                    terminator,
                    place,
                });
                return Ok(());
            }
            instructions.push(self.instruction()?);
        }
    }

    fn terminator(&mut self) -> Parsed<Option<Terminator>> {
        if self.take_word("exit") {
            return Ok(Some(Terminator::Exit));
        }
        if self.take_word("jump") {
            return Ok(Some(Terminator::Jump(self.block_id()?)));
        }
        if self.take_word("indirect") {
            let address = self.operand()?;
            return Ok(Some(Terminator::Indirect { address }));
        }
        if self.take_word("switch") {
            let index = self.operand()?;
            let mut targets = Vec::new();
            while self.take(",") {
                targets.push(self.block_id()?);
            }
            return Ok(Some(Terminator::Switch { index, targets }));
        }
        if self.take_word("branch") {
            let negated = self.take("!");
            let predicate = self.operand()?;
            self.expect(",")?;
            let taken = self.block_id()?;
            self.expect(",")?;
            let otherwise = self.block_id()?;
            let join = if self.take(",") {
                Some(self.block_id()?)
            } else {
                None
            };
            return Ok(Some(Terminator::Branch {
                predicate,
                negated,
                taken,
                otherwise,
                join,
            }));
        }
        Ok(None)
    }

    /// Whether results stand here: a register or `_`, and behind it `,` or `=`.
    fn results(&mut self) -> Parsed<VecDeque<Option<Register>>> {
        let mut results = VecDeque::new();
        let is_sign = |token: Option<&Token>| matches!(token, Some(Token { kind: Kind::Sign(sign), .. }) if *sign == "," || *sign == "=");
        if !is_sign(self.tokens.get(1)) {
            return Ok(results);
        }
        loop {
            if self.take_word("_") {
                results.push_back(None);
            } else {
                results.push_back(Some(self.register()?));
            }
            if !self.take(",") {
                self.expect("=")?;
                return Ok(results);
            }
        }
    }

    fn instruction(&mut self) -> Parsed<Instruction> {
        let guard = if self.take("@") {
            let negated = self.take("!");
            let predicate = self.register()?;
            Some(Guard { predicate, negated })
        } else {
            None
        };
        let results = self.results()?;
        let at = self.here();
        let mut words = VecDeque::from([self.word()?]);
        while self.take(".") {
            words.push_back(match self.tokens.front() {
                Some(Token {
                    kind: Kind::Number(_),
                    ..
                }) => self.number()?.to_string(),
                _ => self.word()?,
            });
        }
        let mut line = self.arguments(words, results)?;
        let op = Op::read(&mut line).filter(|_| line.is_empty());
        let op = op.ok_or_else(|| TextError::new(at, "an operation with its operands"))?;
        let place = self.place()?;
        Ok(Instruction { guard, op, place })
    }
}
