//! Constant banks: parameters, the launch's words, and arrays of an object.

use lanescope_ir::{BinaryOp, Op, Operand, PlaceId, ScalarType, SpecialRegister};

use super::{Builder, of};
use crate::generation::Word;
use crate::operand::Sum;

impl<'a> Builder<'a> {
    /// A word of a constant bank.
    pub(crate) fn constant(&mut self, bank: Option<u32>, place: &Sum, ty: ScalarType) -> Operand {
        let offset = u32::try_from(place.offset).unwrap_or(0);
        let index = self.sum_of(&place.terms);
        if bank == Some(0) {
            return self.launch_word(offset, index, ty);
        }
        if let Some(bank) = bank.filter(|bank| !self.banks.pieces(*bank).is_empty()) {
            if index.is_none()
                && !self.banks.has_variables(bank)
                && let Some(bytes) = self.banks.bytes(bank, offset, ty.bytes())
                && let Some(bits) = read_bits(bytes, ty)
            {
                return Operand::Constant(bits);
            }
            return self.bank_load(bank, offset, index, ty);
        }
        let name = match bank {
            Some(bank) => format!("c[{bank:#x}][{offset:#x}]"),
            None => "cx[]".to_owned(),
        };
        self.unknown(ty.bits().max(32), name, index.into_iter().collect())
    }

    /// Reads constant bank 0.
    fn launch_word(&mut self, offset: u32, index: Option<Operand>, ty: ScalarType) -> Operand {
        let bits = ty.bits().max(32);
        match (self.generation.word(offset), index) {
            (Word::Parameter(offset), index) => self.value(bits, |dst| Op::Parameter {
                ty,
                dst,
                offset,
                index,
            }),
            (Word::Stack, None) => Operand::Constant(self.stack.into()),
            (Word::Special(register), None) if ty.bits() >= 32 => match register {
                SpecialRegister::SharedWindow | SpecialRegister::LocalWindow if bits == 32 => {
                    self.special_half(register, 0)
                }
                SpecialRegister::SharedWindow | SpecialRegister::LocalWindow => {
                    self.value(64, |dst| Op::Special { dst, register })
                }
                _ if bits == 64 => {
                    let low = self.value(32, |dst| Op::Special { dst, register });
                    let high = self.launch_word(offset.saturating_add(4), None, ScalarType::U32);
                    self.pack(low, high)
                }
                _ => self.value(32, |dst| Op::Special { dst, register }),
            },
            (Word::HighHalf(register), None) if bits == 32 => self.special_half(register, 1),
            _ => {
                let name = format!("c[0x0][{offset:#x}]");
                self.unknown(bits, name, index.into_iter().collect())
            }
        }
    }

    /// Loads from a bank of which something is known; the rest of it holds what nobody gave.
    fn bank_load(
        &mut self,
        bank: u32,
        offset: u32,
        index: Option<Operand>,
        ty: ScalarType,
    ) -> Operand {
        let array = self.constant_array(bank);
        let site = self.site(crate::site::SiteForm {
            text: format!("c[{bank:#x}]"),
            space: lanescope_ir::AddressSpace::Constant,
            operation: lanescope_model::Operation::Load,
            element: ty,
            bytes: ty.bytes(),
            is_read_only: true,
            array: Some(array),
        });
        let dst = self.fresh(ty.bits().max(32));
        self.emit(Op::Load {
            dst: vec![Some(dst)],
            address: lanescope_ir::Address {
                base: Operand::Constant(bank_base(bank)),
                index,
                offset: i64::from(offset),
            },
            site,
        });
        of(dst)
    }

    fn constant_array(&mut self, bank: u32) -> lanescope_ir::ArrayId {
        let known = self
            .constant_arrays
            .iter()
            .find(|(known, _)| *known == bank);
        if let Some((_, array)) = known {
            return *array;
        }
        let id = lanescope_ir::ArrayId(u32::try_from(self.kernel.arrays.len()).unwrap_or(u32::MAX));
        self.kernel.arrays.push(lanescope_ir::Array {
            name: format!("c[{bank:#x}]"),
            place: PlaceId(0),
            space: lanescope_ir::AddressSpace::Constant,
            element: String::new(),
            element_bytes: 1,
            header_bytes: 0,
            extents: Vec::new(),
            // Of the bytes between the pieces nothing is known, not that they are zero.
            bytes: None,
            alignment: 256,
            base: bank_base(bank),
            is_restrict: false,
            initial: self.banks.pieces(bank).to_vec(),
        });
        self.constant_arrays.push((bank, id));
        id
    }

    /// Registers of a sum as one word; `None` where there is none.
    fn sum_of(&mut self, terms: &[crate::operand::Term]) -> Option<Operand> {
        let mut total = None;
        for term in terms {
            let Some(register) = self.register(term.name) else {
                continue;
            };
            let value = self.shifted(of(register), term.shift);
            total = Some(match total {
                None => value,
                Some(sum) => self.binary(BinaryOp::Add, ScalarType::U32, sum, value),
            });
        }
        total
    }
}

/// Where a bank lies among the bytes of all banks: each has 64 KiB.
fn bank_base(bank: u32) -> u64 {
    u64::from(bank) << 16
}

/// A bank's bytes as bits of a type.
fn read_bits(bytes: &[u8], ty: ScalarType) -> Option<u64> {
    let mut word = [0; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let bits = u64::from_le_bytes(word);
    let shift = 64 - ty.bits();
    Some(if ty.is_signed() {
        ((bits << shift).cast_signed() >> shift).cast_unsigned() & 0xffff_ffff
    } else {
        bits
    })
}
