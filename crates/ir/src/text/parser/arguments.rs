//! Arguments of an instruction in the text, handed out in order.

use std::collections::VecDeque;

use super::{Parsed, Parser, TextError};
use crate::text::lexer::{Kind, Token};
use crate::{Address, ArrayId, BarrierId, BlockId, Op, Operand, Register, SiteId};

impl Parser {
    pub(super) fn arguments(
        &mut self,
        words: VecDeque<String>,
        results: VecDeque<Option<Register>>,
    ) -> Parsed<Arguments> {
        let mut line = Arguments {
            words,
            results,
            accesses: VecDeque::new(),
            operands: VecDeque::new(),
        };
        loop {
            self.take(",");
            match self.tokens.front() {
                None => return Ok(line),
                Some(token) if token.starts_line => return Ok(line),
                Some(_) => {}
            }
            if self.is("#") || self.is("}") {
                return Ok(line);
            }
            let argument = self.argument()?;
            match argument {
                Argument::Site(_) | Argument::Address(_) => line.accesses.push_back(argument),
                Argument::Operand(_)
                | Argument::Array(_)
                | Argument::Block(_)
                | Argument::Barrier(_)
                | Argument::Text(_)
                | Argument::Nothing => line.operands.push_back(argument),
            }
        }
    }

    fn argument(&mut self) -> Parsed<Argument> {
        if self.take("[") {
            let address = self.address()?;
            return Ok(Argument::Address(address));
        }
        if let Some(operand) = self.take_operand()? {
            return Ok(Argument::Operand(operand));
        }
        if let Some(Token {
            kind: Kind::Text(_),
            ..
        }) = self.tokens.front()
        {
            return Ok(Argument::Text(self.text()?));
        }
        if self.take_word("_") {
            return Ok(Argument::Nothing);
        }
        if let Some(site) = self.take_indexed('s') {
            return Ok(Argument::Site(SiteId(site)));
        }
        if let Some(array) = self.take_indexed('a') {
            return Ok(Argument::Array(ArrayId(array)));
        }
        if let Some(block) = self.take_indexed('b') {
            return Ok(Argument::Block(BlockId(block)));
        }
        match self.take_indexed('c') {
            Some(barrier) => Ok(Argument::Barrier(BarrierId(barrier))),
            None => self.fail("an argument"),
        }
    }

    fn address(&mut self) -> Parsed<Address> {
        let base = self.operand()?;
        let mut index = None;
        let mut offset = 0;
        loop {
            if self.take("]") {
                return Ok(Address {
                    base,
                    index,
                    offset,
                });
            }
            let is_negative = self.take("-");
            if !is_negative {
                self.expect("+")?;
            }
            if !is_negative && self.take_word("const") {
                index = Some(Operand::Constant(self.number()?));
            } else if !is_negative && self.peek_register().is_some() {
                index = Some(self.operand()?);
            } else {
                let at = self.here();
                let number = i128::from(self.number()?);
                let number = i64::try_from(if is_negative { -number } else { number });
                offset = number.map_err(|_| TextError::new(at, "a smaller number"))?;
            }
        }
    }
}

/// One argument of an instruction.
#[derive(Clone, Debug)]
pub(in crate::text) enum Argument {
    Operand(Operand),
    Address(Address),
    Site(SiteId),
    Array(ArrayId),
    Block(BlockId),
    Barrier(BarrierId),
    Text(String),
    Nothing,
}

/// The parts of an instruction's line that are not yet taken.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// The mnemonic's words.
    pub(in crate::text) words: VecDeque<String>,
    pub(in crate::text) results: VecDeque<Option<Register>>,
    /// Sites and addresses.
    pub(in crate::text) accesses: VecDeque<Argument>,
    pub(in crate::text) operands: VecDeque<Argument>,
}

impl Arguments {
    pub(super) fn is_empty(&self) -> bool {
        self.results.is_empty() && self.accesses.is_empty() && self.operands.is_empty()
    }

    /// What `take` makes of the rest of the line, if its first word is the mnemonic and all words are taken. An empty
    /// mnemonic leaves the first word for the operator.
    pub(crate) fn operation(
        &mut self,
        mnemonic: &str,
        take: impl FnOnce(&mut Self) -> Option<Op>,
    ) -> Option<Op> {
        let words = self.words.clone();
        if !mnemonic.is_empty() && self.words.pop_front_if(|word| word == mnemonic).is_none() {
            return None;
        }
        let op = take(self).filter(|_| self.words.is_empty());
        self.words = words;
        op
    }

    /// The next operand, if it is a register or a constant.
    pub(in crate::text) fn operand(&mut self) -> Option<Operand> {
        match self.operands.front()? {
            Argument::Operand(operand) => {
                let operand = *operand;
                self.operands.pop_front();
                Some(operand)
            }
            Argument::Address(_)
            | Argument::Site(_)
            | Argument::Array(_)
            | Argument::Block(_)
            | Argument::Barrier(_)
            | Argument::Text(_)
            | Argument::Nothing => None,
        }
    }
}
