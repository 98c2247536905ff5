//! Values of operands.

use super::Lowering;
use super::names::Entity;
use super::symbols::{Symbol, constant_bits};
use crate::Operand as Tree;
use crate::opcode::unsigned;
use crate::parser::shorten;
use lanescope_ir::{AddressSpace, Op, Operand, ScalarType, SpecialRegister, UnaryOp};
use lanescope_locale::ptx_fault::PtxFault;

impl<'t> Lowering<'_, 't> {
    /// What an operand holds, as wide as `ty`.
    pub(super) fn value(&mut self, operand: &Tree<'t>, ty: ScalarType) -> Operand {
        if let Some(bits) = constant_bits(operand, ty) {
            return Operand::Constant(bits);
        }
        if ty == ScalarType::Bool && matches!(operand, Tree::Negated(_)) {
            self.error(PtxFault::PredicateOrNumber);
            return self.unread(ty.bits());
        }
        match operand {
            Tree::Name(name) => self.named_value(name, ty),
            Tree::Sum(name, offset) => {
                let base = self.named_value(name, ty);
                self.plus(base, *offset, ty)
            }
            Tree::Not(inner) => {
                let a = self.value(inner, ScalarType::Bool);
                let negated = self.unary(UnaryOp::Not, ScalarType::Bool, a);
                self.resized(negated, 1, ty)
            }
            Tree::Negated(inner) => {
                let a = self.value(inner, ty);
                self.unary(UnaryOp::Negate, ty, a)
            }
            Tree::Vector(items) => self.packed(items, ty),
            Tree::Address(_) | Tree::Group(_) | Tree::Pair(..) | Tree::Sink => {
                self.error(PtxFault::NoValue);
                self.unread(ty.bits())
            }
            // Constants were answered above.
            Tree::Integer(_) | Tree::Float(_) | Tree::Float32(_) | Tree::Float64(_) => {
                Operand::Constant(0)
            }
        }
    }

    /// The operand at `index`; a missing one is an error and unknown.
    pub(super) fn value_at(
        &mut self,
        operands: &[Tree<'t>],
        index: usize,
        ty: ScalarType,
    ) -> Operand {
        match operands.get(index) {
            Some(operand) => self.value(operand, ty),
            None => {
                self.error(PtxFault::MissingOperand);
                self.unread(ty.bits())
            }
        }
    }

    fn plus(&mut self, base: Operand, offset: i64, ty: ScalarType) -> Operand {
        match base {
            Operand::Constant(bits) => {
                Operand::Constant(bits.wrapping_add_signed(offset) & ty.mask())
            }
            Operand::Register(_) => {
                let term = Operand::Constant(offset.cast_unsigned() & ty.mask());
                self.binary(lanescope_ir::BinaryOp::Add, ty, base, term)
            }
        }
    }

    /// Elements of a vector side by side.
    pub(super) fn packed(&mut self, items: &[Tree<'t>], ty: ScalarType) -> Operand {
        let count = crate::token::offset(items.len()).max(1);
        let part = unsigned(ty.bits() / count);
        if !matches!(items.len(), 2 | 4) || part.bits() * count != ty.bits() {
            self.error(PtxFault::VectorLength);
            return self.unread(ty.bits());
        }
        let parts = items.iter().map(|item| self.value(item, part)).collect();
        let dst = self.fresh(ty.bits());
        self.emit(Op::Pack { dst, parts });
        dst.into()
    }

    fn named_value(&mut self, name: &'t str, ty: ScalarType) -> Operand {
        if let Some(special) = self.special(name) {
            let bits = match special {
                Operand::Register(register) => self.bits_of(register),
                Operand::Constant(_) => ty.bits(),
            };
            return self.resized(special, bits, ty);
        }
        match self.entity(name) {
            Some(Entity::Register(register)) => {
                let bits = self.bits_of(register);
                self.resized(register.into(), bits, ty)
            }
            Some(Entity::Wide(low, _)) => self.resized(low.into(), 64, ty),
            Some(Entity::Symbol(symbol)) => self.symbol_address(symbol, ty),
            Some(Entity::Parameter(offset)) => Operand::Constant(u64::from(offset)),
            Some(Entity::Slots(_)) => {
                self.note(PtxFault::AddressOfParameter(shorten(name)));
                self.unknown(name, ty.bits())
            }
            None => self.unknown_name(name, ty),
        }
    }

    fn unknown_name(&mut self, name: &'t str, ty: ScalarType) -> Operand {
        if name.starts_with('%') || ty == ScalarType::Bool {
            return self.undeclared(name, ty.bits()).into();
        }
        if self
            .module
            .functions
            .iter()
            .any(|function| function.name == name)
        {
            self.note(PtxFault::AddressOfFunction(shorten(name)));
            return self.unknown(name, ty.bits());
        }
        // Shared memory is addressed with 32 bits, global memory with 64.
        let space = if ty.bits() == 32 {
            AddressSpace::Shared
        } else {
            AddressSpace::Global
        };
        let symbol = self.undeclared_symbol(name, space);
        self.symbol_address(symbol, ty)
    }

    /// The low bits of a wider register, or a narrower one with zeros above.
    fn resized(&mut self, value: Operand, bits: u32, ty: ScalarType) -> Operand {
        if bits == ty.bits() {
            return value;
        }
        if bits == 1 || ty == ScalarType::Bool {
            self.error(PtxFault::PredicateOrNumber);
            return self.unread(ty.bits());
        }
        self.convert(unsigned(bits), unsigned(ty.bits()), value)
    }

    /// An array's address in its own space.
    pub(super) fn symbol_address(&mut self, symbol: Symbol, ty: ScalarType) -> Operand {
        match symbol.space {
            AddressSpace::Shared => {
                Operand::Constant(self.kernel.shared_base.wrapping_add(symbol.base) & ty.mask())
            }
            AddressSpace::Local | AddressSpace::Constant => {
                Operand::Constant(symbol.base & ty.mask())
            }
            AddressSpace::Global | AddressSpace::Generic | AddressSpace::SharedCluster => {
                let dst = self.fresh(64);
                self.emit(Op::Special {
                    dst,
                    register: SpecialRegister::ArrayAddress(symbol.array),
                });
                self.resized(dst.into(), 64, ty)
            }
        }
    }
}
