//! What stands before a kernel's blocks: its stage, places, parameters, arrays and accesses.

use lanescope_model::Width;

use super::{Parsed, Parser, TextError};
use crate::text::lexer::{Kind, Token};
use crate::text::names;
use crate::{
    AddressSpace, Array, ArrayId, LoopHint, Parameter, Place, PlaceId, ScalarType, Site, Stage,
    Variable,
};

impl Parser {
    pub(super) fn header(&mut self) -> Parsed<()> {
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
            "shared_zeroed" => self.kernel.is_shared_zeroed = self.number()? != 0,
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

    pub(super) fn declaration(&mut self) -> Parsed<()> {
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
                    let scalar = ScalarType::from_name(&self.word()?);
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
        let element =
            ScalarType::from_name(&self.word()?).ok_or_else(|| TextError::new(at, "a type"))?;
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
