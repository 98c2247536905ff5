//! Loads, stores, textures.

use super::Lowering;
use super::address::space;
use super::emit::SiteShape;
use super::names::Entity;
use crate::Operand as Tree;
use crate::opcode::{Opcode, Type};
use crate::parser::shorten;
use lanescope_ir::{Address, AddressSpace, Op, Operand, Register, ScalarType};
use lanescope_locale::ptx_fault::PtxFault;
use lanescope_model::{Operation, Width};

/// Element type and count of an access.
#[derive(Clone, Copy)]
struct Elements {
    ty: ScalarType,
    count: usize,
}

impl Elements {
    fn of(opcode: &Opcode<'_>) -> Option<Self> {
        let count = opcode.vector();
        Some(match opcode.last_type()? {
            Type::Wide => Self {
                ty: ScalarType::U64,
                count: 2 * count,
            },
            ty => Self {
                ty: ty.storage()?,
                count,
            },
        })
    }

    fn bytes(self) -> u64 {
        u64::from(self.ty.bytes()) * self.count as u64
    }

    /// How many elements one access of at most 16 bytes takes.
    fn a_part(self) -> usize {
        self.count.min(16 / self.ty.bytes() as usize).max(1)
    }
}

/// Whether each access must be made, whatever was read or written before.
fn is_volatile(opcode: &Opcode<'_>) -> bool {
    opcode
        .first_of(&["volatile", "relaxed", "acquire", "release", "mmio"])
        .is_some()
}

impl<'t> Lowering<'_, 't> {
    pub(super) fn load(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let Some(elements) = Elements::of(opcode) else {
            self.unmodelled(opcode.text, operands, false);
            return;
        };
        if opcode
            .modifiers
            .iter()
            .any(|modifier| modifier.starts_with("param"))
        {
            self.load_parameter(opcode, operands, elements);
            return;
        }
        let space = space(opcode);
        let destinations = self.loaded_registers(operands.first(), elements);
        let (address, array) = self.address(operands.get(1), space);
        for (part, chunk) in destinations.chunks(elements.a_part()).enumerate() {
            let bytes = chunk.len() as u64 * u64::from(elements.ty.bytes());
            let site = self.site(
                opcode.text,
                &SiteShape {
                    space,
                    operation: Operation::Load,
                    element: elements.ty,
                    width: Width::from_bytes(bytes).unwrap_or(Width::Bytes4),
                    array,
                    is_volatile: is_volatile(opcode),
                    is_read_only: opcode.has("nc")
                        || opcode.base == "ldu"
                        || space == AddressSpace::Constant,
                },
            );
            self.emit(Op::Load {
                dst: chunk.to_vec(),
                address: shifted(address, part, elements),
                site,
            });
        }
        self.say_split(opcode, elements);
    }

    fn say_split(&mut self, opcode: &Opcode<'t>, elements: Elements) {
        if elements.bytes() > 16 {
            self.note(PtxFault::CountedAsTwo(shorten(opcode.text)));
        }
    }

    /// Registers that a load fills, one an element; `None` where one is not wanted.
    fn loaded_registers(
        &mut self,
        operand: Option<&Tree<'t>>,
        elements: Elements,
    ) -> Vec<Option<Register>> {
        let items: Vec<Tree<'t>> = match operand {
            Some(Tree::Vector(items)) => items.clone(),
            Some(other) => vec![other.clone()],
            None => Vec::new(),
        };
        let mut registers = Vec::new();
        for item in &items {
            match self.wide_registers(item) {
                Some(pair) => registers.extend(pair.map(Some)),
                None => registers.push(match item {
                    Tree::Name(name) => self.register_named(name, elements.ty.bits()),
                    _ => None,
                }),
            }
        }
        if registers.len() != elements.count {
            self.error(PtxFault::VectorMismatch);
            registers.resize(elements.count, None);
        }
        // A register narrower than the element holds its low bits.
        for register in registers.iter_mut().flatten() {
            if self.bits_of(*register) < elements.ty.bits() {
                self.error(PtxFault::NarrowRegister);
                *register = self.fresh(elements.ty.bits());
            }
        }
        registers
    }

    pub(super) fn store(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let Some(elements) = Elements::of(opcode) else {
            self.unmodelled(opcode.text, operands, false);
            return;
        };
        let values = self.stored_values(operands.get(1), elements);
        if opcode
            .modifiers
            .iter()
            .any(|modifier| modifier.starts_with("param"))
        {
            self.store_parameter(operands, elements, &values);
            return;
        }
        if opcode.first_of(&["async", "bulk"]).is_some() {
            self.unmodelled(opcode.text, operands, false);
            return;
        }
        let space = space(opcode);
        let (address, array) = self.address(operands.first(), space);
        for (part, chunk) in values.chunks(elements.a_part()).enumerate() {
            let bytes = chunk.len() as u64 * u64::from(elements.ty.bytes());
            let site = self.site(
                opcode.text,
                &SiteShape {
                    space,
                    operation: Operation::Store,
                    element: elements.ty,
                    width: Width::from_bytes(bytes).unwrap_or(Width::Bytes4),
                    array,
                    is_volatile: is_volatile(opcode),
                    is_read_only: false,
                },
            );
            self.emit(Op::Store {
                src: chunk.to_vec(),
                address: shifted(address, part, elements),
                site,
            });
        }
        self.say_split(opcode, elements);
    }

    fn stored_values(&mut self, operand: Option<&Tree<'t>>, elements: Elements) -> Vec<Operand> {
        let items: Vec<Tree<'t>> = match operand {
            Some(Tree::Vector(items)) => items.clone(),
            Some(other) => vec![other.clone()],
            None => Vec::new(),
        };
        let mut values = Vec::new();
        for item in &items {
            match self.wide_registers(item) {
                Some(pair) => values.extend(pair.map(Operand::from)),
                None => values.push(self.value(item, elements.ty)),
            }
        }
        if values.len() != elements.count {
            self.error(PtxFault::VectorMismatch);
            values.resize(elements.count, Operand::Constant(0));
        }
        values
    }

    /// The slots or the kernel parameter that an address names: which, and the bytes behind its first.
    fn named_parameter(&mut self, operand: Option<&Tree<'t>>) -> Option<(&'t str, Entity, i64)> {
        let Some(Tree::Address(items)) = operand else {
            return None;
        };
        let (name, offset) = match items.first()? {
            Tree::Name(name) => (*name, 0),
            Tree::Sum(name, offset) => (*name, *offset),
            _ => return None,
        };
        Some((name, self.entity(name)?, offset))
    }

    fn load_parameter(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>], elements: Elements) {
        let Some((name, entity, start)) = self.named_parameter(operands.get(1)) else {
            self.error(PtxFault::UndeclaredParameter);
            self.unmodelled(opcode.text, operands, true);
            return;
        };
        let destinations = self.loaded_registers(operands.first(), elements);
        for (at, register) in destinations.into_iter().enumerate() {
            let Some(register) = register else { continue };
            let bytes = i64::from(elements.ty.bytes()) * i64::from(crate::token::offset(at));
            let offset = start.wrapping_add(bytes);
            let unsigned_offset = u64::try_from(offset).unwrap_or(0);
            match entity {
                Entity::Slots(index) => {
                    let value = self.load_slot(name, index, unsigned_offset, elements.ty);
                    self.widen_to(register, elements.ty, value);
                }
                Entity::Parameter(base) => self.emit(Op::Parameter {
                    ty: elements.ty,
                    dst: register,
                    offset: base.saturating_add(u32::try_from(offset).unwrap_or(0)),
                    index: None,
                }),
                Entity::Register(index) => {
                    let (offset, index) = match u32::try_from(offset) {
                        Ok(offset) => (offset, Operand::from(index)),
                        Err(_) => {
                            let ty = crate::opcode::unsigned(self.bits_of(index));
                            let term = Operand::Constant(offset.cast_unsigned() & ty.mask());
                            let sum =
                                self.binary(lanescope_ir::BinaryOp::Add, ty, index.into(), term);
                            (0, sum)
                        }
                    };
                    self.emit(Op::Parameter {
                        ty: elements.ty,
                        dst: register,
                        offset,
                        index: Some(index),
                    });
                }
                Entity::Wide(..) | Entity::Symbol(_) => {
                    self.error(PtxFault::NotAParameter(shorten(name)));
                }
            }
        }
    }

    /// Writes a value of `ty` to a register at least as wide.
    fn widen_to(&mut self, register: Register, ty: ScalarType, value: Operand) {
        let bits = self.bits_of(register);
        if bits == ty.bits() {
            self.move_to(register, value);
            return;
        }
        let from = if ty.is_float() {
            crate::opcode::unsigned(ty.bits())
        } else {
            ty
        };
        let wide = self.convert(from, crate::opcode::unsigned(bits), value);
        self.move_to(register, wide);
    }

    fn store_parameter(&mut self, operands: &[Tree<'t>], elements: Elements, values: &[Operand]) {
        let Some((_, Entity::Slots(index), start)) = self.named_parameter(operands.first()) else {
            self.error(PtxFault::ReadOnlyParameter);
            return;
        };
        for (at, &value) in values.iter().enumerate() {
            let bytes = i64::from(elements.ty.bytes()) * i64::from(crate::token::offset(at));
            let offset = u64::try_from(start.wrapping_add(bytes)).unwrap_or(0);
            self.store_slot(index, offset, elements.ty, value);
        }
    }

    /// Textures and surfaces: a pipe of its own.
    pub(super) fn texture(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let is_store = matches!(opcode.base, "sust" | "sured");
        let (written, read) = match operands.split_first() {
            Some((first, rest)) if !is_store => (self.registers_of(first), rest),
            _ => (Vec::new(), operands),
        };
        if matches!(opcode.base, "txq" | "suq") {
            self.unmodelled(opcode.text, operands, true);
            return;
        }
        let mut src = Vec::new();
        for operand in read {
            src.extend(self.registers_of(operand).into_iter().map(Operand::from));
        }
        let site = self.site(
            opcode.text,
            &SiteShape {
                space: AddressSpace::Global,
                operation: if is_store {
                    Operation::Store
                } else {
                    Operation::Load
                },
                element: ScalarType::U32,
                width: Width::Bytes4,
                array: None,
                is_volatile: false,
                is_read_only: !is_store,
            },
        );
        self.emit(Op::Texture {
            dst: written,
            src,
            site,
        });
    }
}

/// The address of an access's part.
fn shifted(address: Address, part: usize, elements: Elements) -> Address {
    let bytes = part.saturating_mul(elements.a_part()) * elements.ty.bytes() as usize;
    Address {
        offset: address
            .offset
            .wrapping_add(i64::try_from(bytes).unwrap_or(0)),
        ..address
    }
}
