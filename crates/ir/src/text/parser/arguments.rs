//! Arguments of an instruction in the text, handed out in order.

use std::collections::VecDeque;

use super::{Parsed, Parser, TextError};
use crate::text::lexer::{Kind, Token};
use crate::{Address, ArrayId, BarrierId, BlockId, Operand, Register, SiteId};

impl Parser {
    pub(super) fn arguments(&mut self) -> Parsed<VecDeque<Argument>> {
        let mut arguments = VecDeque::new();
        loop {
            self.take(",");
            match self.tokens.front() {
                None => return Ok(arguments),
                Some(token) if token.starts_line => return Ok(arguments),
                Some(_) => {}
            }
            if self.is("#") || self.is("}") {
                return Ok(arguments);
            }
            arguments.push_back(self.argument()?);
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
pub(super) enum Argument {
    Operand(Operand),
    Address(Address),
    Site(SiteId),
    Array(ArrayId),
    Block(BlockId),
    Barrier(BarrierId),
    Text(String),
    Nothing,
}

/// An instruction's results and arguments, taken one after another; `None` where the next is of another kind.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(super) results: VecDeque<Option<Register>>,
    pub(super) arguments: VecDeque<Argument>,
}

/// Takes the next argument if it is of a kind.
macro_rules! taker {
    ($name:ident, $kind:ident, $type:ty) => {
        pub(crate) fn $name(&mut self) -> Option<$type> {
            match self.arguments.pop_front() {
                Some(Argument::$kind(one)) => Some(one),
                Some(other) => {
                    self.arguments.push_front(other);
                    None
                }
                None => None,
            }
        }
    };
}

impl Arguments {
    taker!(operand, Operand, Operand);
    taker!(address, Address, Address);
    taker!(site, Site, SiteId);
    taker!(array, Array, ArrayId);
    taker!(block, Block, BlockId);
    taker!(barrier, Barrier, BarrierId);
    taker!(text, Text, String);

    pub(crate) fn number(&mut self) -> Option<u64> {
        match self.operand()? {
            Operand::Constant(bits) => Some(bits),
            Operand::Register(_) => None,
        }
    }

    /// An operand, or `_` for none.
    pub(crate) fn optional_operand(&mut self) -> Option<Option<Operand>> {
        if let Some(Argument::Nothing) = self.arguments.front() {
            self.arguments.pop_front();
            return Some(None);
        }
        self.operand().map(Some)
    }

    pub(crate) fn operands(&mut self) -> Vec<Operand> {
        std::iter::from_fn(|| self.operand()).collect()
    }

    pub(crate) fn optional_result(&mut self) -> Option<Option<Register>> {
        self.results.pop_front()
    }

    pub(crate) fn optional_results(&mut self) -> Vec<Option<Register>> {
        self.results.drain(..).collect()
    }

    /// The next result, which must be a register.
    pub(crate) fn result(&mut self) -> Option<Register> {
        self.results.pop_front().flatten()
    }

    pub(crate) fn results(&mut self) -> Option<Vec<Register>> {
        self.results.drain(..).collect()
    }
}
