//! Reads the text form.

use super::lexer::{Kind, Token, tokens};
use super::{names, operation};
use crate::{
    Address, AddressSpace, Array, ArrayId, BarrierId, Block, BlockId, Guard, Instruction, Kernel,
    LoopHint, Operand, Parameter, Place, PlaceId, Register, Site, SiteId, Stage, Terminator,
    Variable,
};
use lanescope_model::Width;
use std::collections::VecDeque;
use std::fmt;

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

    fn header(&mut self) -> Parsed<()> {
        let at = self.here();
        let name = self.word()?;
        self.expect("=")?;
        match name.as_str() {
            "stage" => {
                let at = self.here();
                let stage = Stage::from_name(&self.word()?);
                self.kernel.stage = stage.ok_or_else(|| TextError::new(at, "a stage"))?;
            }
            "shared" => self.kernel.shared_bytes = Some(self.number()?),
            "shared_base" => self.kernel.shared_base = self.number()?,
            "local" => self.kernel.local_bytes = self.number()?,
            "barriers" => self.kernel.barriers = self.small()?,
            "block" => {
                let x = self.small()?;
                self.expect(",")?;
                let y = self.small()?;
                self.expect(",")?;
                self.kernel.block_size = Some([x, y, self.small()?]);
            }
            _ => return Err(TextError::new(at, "a property of the kernel")),
        }
        Ok(())
    }

    fn declaration(&mut self) -> Parsed<()> {
        let at = self.here();
        if let Some(index) = self.take_indexed('a') {
            return self.array(at, index);
        }
        if let Some(index) = self.take_indexed('s') {
            return self.site(at, index);
        }
        match self.word()?.as_str() {
            "registers" => while self.take_register()?.is_some() {},
            "file" => {
                let file = self.text()?;
                self.kernel.files.push(file);
            }
            "place" => self.place_declaration(at)?,
            "parameter" => self.parameter()?,
            "variable" => {
                let name = self.text()?;
                let mut values = Vec::new();
                loop {
                    let is_negative = self.take("-");
                    let at = self.here();
                    match self.tokens.front() {
                        Some(Token {
                            kind: Kind::Number(_),
                            ..
                        }) => {}
                        _ if is_negative => return self.fail("a number"),
                        _ => break,
                    }
                    let value = i128::from(self.number()?);
                    let value = if is_negative { -value } else { value };
                    let value = i64::try_from(value);
                    values.push(value.map_err(|_| TextError::new(at, "a smaller number"))?);
                }
                let place = self.place()?;
                self.kernel.variables.push(Variable {
                    name,
                    place,
                    values,
                });
            }
            "unroll" => {
                let header = self.block_id()?;
                let unroll = self.small()?;
                self.kernel.loop_hints.push(LoopHint { header, unroll });
            }
            "code" => {
                let address = self.number()?;
                let block = self.block_id()?;
                self.kernel.code_addresses.push((address, block));
            }
            _ => return Err(TextError::new(at, "a declaration or a block")),
        }
        Ok(())
    }

    fn place_declaration(&mut self, at: usize) -> Parsed<()> {
        if self.number()? != self.kernel.places.len() as u64 {
            return Err(TextError::new(at, "places in order"));
        }
        let mut place = Place {
            start: self.small()?,
            ..Place::default()
        };
        self.expect("..")?;
        place.end = self.small()?;
        if matches!(
            self.tokens.front(),
            Some(Token {
                kind: Kind::Number(_),
                ..
            })
        ) {
            place.line = self.small()?;
            self.expect(":")?;
            place.column = self.small()?;
        }
        if self.take_word("origin") {
            let file = self.small()?;
            self.expect(":")?;
            place.origin = Some((file, self.small()?));
        }
        self.kernel.places.push(place);
        Ok(())
    }

    fn parameter(&mut self) -> Parsed<()> {
        let mut parameter = Parameter {
            name: self.text()?,
            place: PlaceId::default(),
            declared: String::new(),
            offset: 0,
            bytes: 0,
            scalar: None,
            array: None,
        };
        if let Some(Token {
            kind: Kind::Text(_),
            ..
        }) = self.tokens.front()
        {
            parameter.declared = self.text()?;
        }
        while let Some(name) = self.peek_word().map(str::to_owned) {
            if self.tokens.front().is_some_and(|token| token.starts_line) {
                break;
            }
            self.tokens.pop_front();
            self.expect("=")?;
            match name.as_str() {
                "offset" => parameter.offset = self.small()?,
                "bytes" => parameter.bytes = self.small()?,
                "scalar" => {
                    let scalar = names::scalar(&self.word()?);
                    if scalar.is_none() {
                        return self.fail("a type");
                    }
                    parameter.scalar = scalar;
                }
                "array" => match self.take_indexed('a') {
                    Some(array) => parameter.array = Some(ArrayId(array)),
                    None => return self.fail("an array"),
                },
                _ => return self.fail("a property of a parameter"),
            }
        }
        parameter.place = self.place()?;
        self.kernel.parameters.push(parameter);
        Ok(())
    }

    fn space(&mut self) -> Parsed<AddressSpace> {
        let at = self.here();
        AddressSpace::from_name(&self.word()?).ok_or_else(|| TextError::new(at, "a memory space"))
    }

    fn array(&mut self, at: usize, index: u32) -> Parsed<()> {
        if index as usize != self.kernel.arrays.len() {
            return Err(TextError::new(at, "arrays in order"));
        }
        let mut array = Array {
            name: self.text()?,
            place: PlaceId::default(),
            space: self.space()?,
            element: self.text()?,
            element_bytes: 0,
            header_bytes: 0,
            extents: Vec::new(),
            bytes: None,
            alignment: 0,
            base: 0,
            is_restrict: false,
            initial: Vec::new(),
        };
        while self.tokens.front().is_some_and(|token| !token.starts_line) && !self.is("#") {
            if self.take("[") {
                array.extents.push(self.number()?);
                self.expect("]")?;
            } else if self.take_word("restrict") {
                array.is_restrict = true;
            } else {
                let at = self.here();
                let name = self.word()?;
                self.expect("=")?;
                match name.as_str() {
                    "size" => array.element_bytes = self.number()?,
                    "bytes" => array.bytes = Some(self.number()?),
                    "header" => array.header_bytes = self.number()?,
                    "align" => array.alignment = self.number()?,
                    "base" => array.base = self.number()?,
                    "init" => {
                        let offset = self.number()?;
                        self.expect(":")?;
                        let bytes = hex(&self.text()?);
                        let bytes =
                            bytes.ok_or_else(|| TextError::new(at, "pairs of hex digits"))?;
                        array.initial.push((offset, bytes));
                    }
                    _ => return Err(TextError::new(at, "a property of an array")),
                }
            }
        }
        array.place = self.place()?;
        self.kernel.arrays.push(array);
        Ok(())
    }

    fn site(&mut self, at: usize, index: u32) -> Parsed<()> {
        if index as usize != self.kernel.sites.len() {
            return Err(TextError::new(at, "sites in order"));
        }
        let text = self.text()?;
        let at = self.here();
        let operation = names::parse_operation(&self.word()?)
            .ok_or_else(|| TextError::new(at, "what the access does"))?;
        let space = self.space()?;
        let at = self.here();
        let element = names::scalar(&self.word()?).ok_or_else(|| TextError::new(at, "a type"))?;
        let mut site = Site {
            text,
            place: PlaceId::default(),
            space,
            operation,
            element,
            width: Width::from_bytes(u64::from(element.bytes())).unwrap_or(Width::Bytes4),
            array: None,
            is_volatile: false,
            is_read_only: false,
            is_warp_aggregated: false,
            alignment: (1, 0),
        };
        while self.tokens.front().is_some_and(|token| !token.starts_line) && !self.is("#") {
            let at = self.here();
            match self.word()?.as_str() {
                "volatile" => site.is_volatile = true,
                "readonly" => site.is_read_only = true,
                "aggregated" => site.is_warp_aggregated = true,
                "bytes" => {
                    self.expect("=")?;
                    let width = Width::from_bytes(self.number()?);
                    site.width = width.ok_or_else(|| TextError::new(at, "1, 2, 4, 8 or 16"))?;
                }
                "array" => {
                    self.expect("=")?;
                    match self.take_indexed('a') {
                        Some(array) => site.array = Some(ArrayId(array)),
                        None => return self.fail("an array"),
                    }
                }
                "align" => {
                    self.expect("=")?;
                    site.alignment.0 = self.small()?;
                    if self.take("+") {
                        site.alignment.1 = self.small()?;
                    }
                }
                _ => return Err(TextError::new(at, "a property of an access")),
            }
        }
        site.place = self.place()?;
        self.kernel.sites.push(site);
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
        let mut words = vec![self.word()?];
        while self.take(".") {
            words.push(match self.tokens.front() {
                Some(Token {
                    kind: Kind::Number(_),
                    ..
                }) => self.number()?.to_string(),
                _ => self.word()?,
            });
        }
        let mut arguments = Arguments {
            results,
            arguments: self.arguments()?,
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let op = operation::build(&words, &mut arguments);
        let op = op.filter(|_| arguments.results.is_empty() && arguments.arguments.is_empty());
        let op = op.ok_or_else(|| TextError::new(at, "an operation with its operands"))?;
        let place = self.place()?;
        Ok(Instruction { guard, op, place })
    }

    fn arguments(&mut self) -> Parsed<VecDeque<Argument>> {
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

/// Pairs of hexadecimal digits.
fn hex(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) || !digits.is_ascii() {
        return None;
    }
    (0..digits.len() / 2)
        .map(|at| u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok())
        .collect()
}

/// One argument of an instruction.
#[derive(Clone, Debug)]
enum Argument {
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
pub(super) struct Arguments {
    results: VecDeque<Option<Register>>,
    arguments: VecDeque<Argument>,
}

/// Takes the next argument if it is of a kind.
macro_rules! taker {
    ($name:ident, $kind:ident, $type:ty) => {
        pub(super) fn $name(&mut self) -> Option<$type> {
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

    pub(super) fn number(&mut self) -> Option<u64> {
        match self.operand()? {
            Operand::Constant(bits) => Some(bits),
            Operand::Register(_) => None,
        }
    }

    /// An operand, or `_` for none.
    pub(super) fn optional_operand(&mut self) -> Option<Option<Operand>> {
        if let Some(Argument::Nothing) = self.arguments.front() {
            self.arguments.pop_front();
            return Some(None);
        }
        self.operand().map(Some)
    }

    pub(super) fn operands(&mut self) -> Vec<Operand> {
        std::iter::from_fn(|| self.operand()).collect()
    }

    pub(super) fn optional_result(&mut self) -> Option<Option<Register>> {
        self.results.pop_front()
    }

    pub(super) fn optional_results(&mut self) -> Vec<Option<Register>> {
        self.results.drain(..).collect()
    }

    /// The next result, which must be a register.
    pub(super) fn result(&mut self) -> Option<Register> {
        self.results.pop_front().flatten()
    }

    pub(super) fn results(&mut self) -> Option<Vec<Register>> {
        self.results.drain(..).collect()
    }
}
