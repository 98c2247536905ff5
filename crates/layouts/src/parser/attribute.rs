//! Attributes as MLIR prints them, `{vec = 8, order = [1, 0]}`, and the encodings they describe.

use std::collections::BTreeMap;

use super::{Parse, Parser};
use crate::Wanted;
use crate::encoding::{Distributed, Encoding, Phases};
use crate::lexer::TokenKind;
use crate::syntax::{Expression, ExpressionKind};

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attribute {
    Number(u64),
    Word(String),
    List(Vec<Attribute>),
    /// Something else, which no encoding here depends on.
    Other,
}

impl Attribute {
    fn numbers(&self) -> Option<Vec<u64>> {
        match self {
            Self::List(parts) => parts.iter().map(Self::number).collect(),
            Self::Number(_) | Self::Word(_) | Self::Other => None,
        }
    }

    const fn number(&self) -> Option<u64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Word(_) | Self::List(_) | Self::Other => None,
        }
    }

    /// `[[0, 1], [0, 2]]`.
    fn bases(&self) -> Option<Vec<Vec<u64>>> {
        match self {
            Self::List(parts) => parts.iter().map(Self::numbers).collect(),
            Self::Number(_) | Self::Word(_) | Self::Other => None,
        }
    }
}

/// Settings by name.
type Settings = BTreeMap<String, Attribute>;

impl Parser<'_> {
    /// `#name<…>`, with `on` and a shape where they follow, or an alias.
    pub(super) fn triton(&mut self) -> Parse<ExpressionKind> {
        let start = self.start();
        self.expect('#')?;
        let mut name = self.name(Wanted::Encoding)?;
        while self.sign('.') {
            name = self.name(Wanted::Encoding)?;
        }
        let (kind, shape) = if self.is_sign(0, '<') {
            let (encoding, shape) = self.encoding(&name)?;
            (ExpressionKind::Encoding(encoding), shape)
        } else {
            (ExpressionKind::Name(format!("#{name}")), None)
        };
        let shape = if self.word("on") {
            Some(self.extents()?)
        } else {
            shape
        };
        let encoding = Expression {
            kind,
            span: start..self.end(),
        };
        Ok(match shape {
            None => encoding.kind,
            Some(shape) => ExpressionKind::Encoded {
                encoding: Box::new(encoding),
                shape,
                element: None,
            },
        })
    }

    /// What stands between an encoding's angle brackets; the shape where a setting gives one.
    fn encoding(&mut self, name: &str) -> Parse<(Encoding, Option<crate::Nest>)> {
        self.expect('<')?;
        let pads = if self.is_sign(0, '[') {
            self.pads()?
        } else {
            Vec::new()
        };
        let mut settings = Settings::new();
        if self.is_sign(0, '{') {
            settings = self.settings()?;
        }
        // `, alignment = 16` after the bases of a shared linear layout.
        while self.sign(',') {
            self.name(Wanted::Setting)?;
            self.expect('=')?;
            self.value()?;
        }
        self.expect('>')?;
        let shape = settings.get("shape").and_then(Attribute::numbers);
        let shape =
            shape.map(|shape| crate::Nest::Tuple(shape.into_iter().map(super::bounded).collect()));
        Ok((self.described(name, &settings, pads)?, shape))
    }

    fn pads(&mut self) -> Parse<Vec<(u64, u64)>> {
        self.expect('[')?;
        let mut pads = Vec::new();
        loop {
            let interval = self.number()?;
            self.expect(':')?;
            self.expect('+')?;
            pads.push((interval, self.number()?));
            if !self.sign(',') {
                self.expect(']')?;
                return Ok(pads);
            }
        }
    }

    fn settings(&mut self) -> Parse<Settings> {
        self.expect('{')?;
        let mut settings = Settings::new();
        while !self.sign('}') {
            let name = self.name(Wanted::Setting)?;
            self.expect('=')?;
            settings.insert(name, self.value()?);
            if !self.sign(',') {
                self.expect('}')?;
                return Ok(settings);
            }
        }
        Ok(settings)
    }

    fn value(&mut self) -> Parse<Attribute> {
        match self.peek().clone() {
            TokenKind::Number(value) => {
                self.at += 1;
                Ok(Attribute::Number(value))
            }
            TokenKind::Name(word) => {
                self.at += 1;
                Ok(Attribute::Word(word))
            }
            TokenKind::Sign('[') => self.nested(Self::list),
            _ => {
                self.skip_value();
                Ok(Attribute::Other)
            }
        }
    }

    fn list(&mut self) -> Parse<Attribute> {
        self.expect('[')?;
        let mut parts = Vec::new();
        while !self.sign(']') {
            parts.push(self.value()?);
            if !self.sign(',') {
                self.expect(']')?;
                break;
            }
        }
        Ok(Attribute::List(parts))
    }

    /// A value without a meaning here, as `parent = #blocked`.
    fn skip_value(&mut self) {
        let mut brackets = 0_usize;
        while self.peek() != &TokenKind::End {
            match self.peek() {
                TokenKind::Sign('[' | '<' | '(' | '{') => brackets += 1,
                TokenKind::Sign(',' | '}' | '>' | ']') if brackets == 0 => return,
                TokenKind::Sign(']' | '>' | ')' | '}') => brackets = brackets.saturating_sub(1),
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

    /// The encoding of this name and these settings.
    fn described(&self, name: &str, settings: &Settings, pads: Vec<(u64, u64)>) -> Parse<Encoding> {
        let number = |name: &str| settings.get(name).and_then(Attribute::number);
        let numbers = |name: &str| settings.get(name).and_then(Attribute::numbers);
        let bases = |name: &str| settings.get(name).and_then(Attribute::bases);
        let is = |name: &str| settings.get(name) == Some(&Attribute::Word("true".to_owned()));
        let order = || {
            let order = numbers("order").unwrap_or_else(|| vec![1, 0]);
            let axis = |axis: u64| usize::try_from(axis).unwrap_or(usize::MAX);
            order.into_iter().map(axis).collect::<Vec<_>>()
        };
        let phases = || Phases {
            vec: number("vec").unwrap_or(1),
            per_phase: number("perPhase").unwrap_or(1),
            max_phase: number("maxPhase").unwrap_or(1),
        };
        Ok(match name {
            "shared" | "swizzled_shared" => Encoding::Swizzled(phases(), order()),
            "amd_rotating_shared" => Encoding::Rotating(phases(), order()),
            "padded_shared" => Encoding::Padded {
                pads,
                order: order(),
                offset: bases("offset"),
            },
            "shared_linear" => Encoding::Linear(bases("offset").unwrap_or_default()),
            "nvmma_shared" => Encoding::Nvmma {
                width: number("swizzlingByteWidth").unwrap_or(0),
                transposed: is("transposed"),
                element_bits: number("elementBitWidth"),
            },
            "blocked" => Encoding::Distributed(Distributed::Blocked {
                size: numbers("sizePerThread").unwrap_or_default(),
                threads: numbers("threadsPerWarp").unwrap_or_default(),
                warps: numbers("warpsPerCTA").unwrap_or_default(),
                order: order(),
            }),
            "linear" => Encoding::Distributed(Distributed::Linear {
                register: bases("register").unwrap_or_default(),
                lane: bases("lane").unwrap_or_default(),
                warp: bases("warp").unwrap_or_default(),
            }),
            "nvidia_mma" | "mma" => Encoding::Distributed(Distributed::Mma {
                version: number("versionMajor").unwrap_or(2),
                warps: numbers("warpsPerCTA").unwrap_or_default(),
                instruction: numbers("instrShape").unwrap_or_default(),
            }),
            _ => {
                return self.fail(Wanted::OneOf(
                    "`swizzled_shared`, `amd_rotating_shared`, `padded_shared`, `shared_linear`, \
                     `nvmma_shared`, `blocked`, `linear` or `nvidia_mma`",
                ));
            }
        })
    }
}
