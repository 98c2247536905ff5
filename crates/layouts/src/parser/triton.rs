//! Triton's shared encodings and their settings.

use super::{Parse, Parser, bounded};
use crate::lexer::TokenKind;
use crate::syntax::{Encoding, ExpressionKind};
use crate::{Nest, Wanted};

impl Parser<'_> {
    pub(super) fn triton(&mut self) -> Parse<ExpressionKind> {
        self.expect('#')?;
        let mut name = self.name(Wanted::Encoding)?;
        while self.sign('.') {
            name = self.name(Wanted::Encoding)?;
        }
        self.expect('<')?;
        let mut settings = Settings::default();
        if self.sign('[') {
            self.pads(&mut settings)?;
        }
        if self.peek() == &TokenKind::Sign('{') {
            self.settings(&mut settings)?;
        }
        self.expect('>')?;
        let shape = match settings.shape.take() {
            Some(shape) => shape,
            None if self.word("on") => self.nest()?,
            None => return self.fail(Wanted::Shape),
        };
        Ok(ExpressionKind::Triton(
            settings.encoding(&name, self)?,
            shape,
        ))
    }

    fn pads(&mut self, settings: &mut Settings) -> Parse<()> {
        loop {
            let interval = self.number()?;
            self.expect(':')?;
            self.expect('+')?;
            settings.pads.push((interval, self.number()?));
            if !self.sign(',') {
                return self.expect(']');
            }
        }
    }

    fn settings(&mut self, settings: &mut Settings) -> Parse<()> {
        self.expect('{')?;
        loop {
            let name = self.name(Wanted::Setting)?;
            self.expect('=')?;
            self.one_setting(&name, settings)?;
            if !self.sign(',') {
                return self.expect('}');
            }
        }
    }

    fn one_setting(&mut self, name: &str, settings: &mut Settings) -> Parse<()> {
        match name {
            "vec" => settings.vec = self.number()?,
            "perPhase" => settings.per_phase = self.number()?,
            "maxPhase" => settings.max_phase = self.number()?,
            "swizzlingByteWidth" => settings.width = self.number()?,
            "transposed" => {
                settings.transposed = self.name(Wanted::OneOf("`true` or `false`"))? == "true"
            }
            "order" => settings.order = self.pair()?,
            "shape" => {
                let [rows, columns] = self.pair()?;
                settings.shape = Some(Nest::Tuple(vec![bounded(rows), bounded(columns)]));
            }
            _ => self.skip_value(),
        }
        Ok(())
    }

    /// Settings without a meaning for one block's tile, as `elementBitWidth = 16`.
    fn skip_value(&mut self) {
        let mut brackets = 0_usize;
        while self.peek() != &TokenKind::End {
            match self.peek() {
                TokenKind::Sign('[' | '<' | '(') => brackets += 1,
                TokenKind::Sign(',' | '}') if brackets == 0 => return,
                TokenKind::Sign(']' | '>' | ')') => brackets = brackets.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
        }
    }

    fn pair(&mut self) -> Parse<[u64; 2]> {
        self.expect('[')?;
        let first = self.number()?;
        self.expect(',')?;
        let second = self.number()?;
        self.expect(']')?;
        Ok([first, second])
    }
}

/// What Triton's text sets.
struct Settings {
    vec: u64,
    per_phase: u64,
    max_phase: u64,
    order: [u64; 2],
    width: u64,
    transposed: bool,
    shape: Option<Nest>,
    pads: Vec<(u64, u64)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            vec: 1,
            per_phase: 1,
            max_phase: 1,
            order: [1, 0],
            width: 0,
            transposed: false,
            shape: None,
            pads: Vec::new(),
        }
    }
}

impl Settings {
    fn encoding(self, name: &str, parser: &Parser<'_>) -> Parse<Encoding> {
        match name {
            "shared" | "swizzled_shared" => Ok(Encoding::Swizzled(
                [self.vec, self.per_phase, self.max_phase],
                self.order,
            )),
            "padded_shared" => Ok(Encoding::Padded(self.pads, self.order)),
            "nvmma_shared" => Ok(Encoding::Nvmma(self.width, self.transposed)),
            _ => parser.fail(Wanted::OneOf(
                "`shared`, `swizzled_shared`, `padded_shared` or `nvmma_shared`",
            )),
        }
    }
}
