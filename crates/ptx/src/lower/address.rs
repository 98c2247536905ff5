//! Addresses of memory accesses.

use super::Lowering;
use super::names::Entity;
use super::symbols::Symbol;
use crate::Operand as Tree;
use crate::opcode::{Opcode, unsigned};
use crate::parser::shorten;
use lanescope_ir::{Address, AddressSpace, ArrayId, Op, Operand, ScalarType, SpecialRegister};
use lanescope_locale::ptx_fault::PtxFault;

/// The state space that an instruction names; generic without one.
pub(super) fn space(opcode: &Opcode<'_>) -> AddressSpace {
    let named = opcode.modifiers.iter().find_map(|modifier| {
        Some(match *modifier {
            "global" => AddressSpace::Global,
            "shared" | "shared::cta" => AddressSpace::Shared,
            "shared::cluster" => AddressSpace::SharedCluster,
            "local" => AddressSpace::Local,
            "const" => AddressSpace::Constant,
            _ => return None,
        })
    });
    named.unwrap_or(AddressSpace::Generic)
}

impl<'t> Lowering<'_, 't> {
    /// Where an access goes, and the array it names, if it names one.
    pub(super) fn address(
        &mut self,
        operand: Option<&Tree<'t>>,
        space: AddressSpace,
    ) -> (Address, Option<ArrayId>) {
        let inner = match operand {
            Some(Tree::Address(items)) => items.first(),
            other => other,
        };
        match inner {
            Some(Tree::Name(name)) => self.named_address(name, 0, space),
            Some(Tree::Sum(name, offset)) => self.named_address(name, *offset, space),
            Some(Tree::Integer(at)) => (constant(*at, 0), None),
            _ => {
                self.error(PtxFault::MissingAddress);
                let base = self.unread(64);
                (at(base, 0), None)
            }
        }
    }

    fn named_address(
        &mut self,
        name: &'t str,
        offset: i64,
        space: AddressSpace,
    ) -> (Address, Option<ArrayId>) {
        match self.entity(name) {
            Some(Entity::Register(register)) => match self.bits_of(register) {
                32 | 64 => (at(register.into(), offset), None),
                bits => {
                    let base = self.convert(unsigned(bits), ScalarType::U32, register.into());
                    (at(base, offset), None)
                }
            },
            Some(Entity::Wide(low, _)) => (at(low.into(), offset), None),
            Some(Entity::Symbol(symbol)) => self.symbol_operand(symbol, offset, space),
            Some(Entity::Parameter(start)) => (constant(u64::from(start), offset), None),
            Some(Entity::Slots(_)) => {
                let base = self.unknown(name, 64);
                (at(base, offset), None)
            }
            None if name.starts_with('%') => {
                let bits = match space {
                    AddressSpace::Shared | AddressSpace::Local => 32,
                    AddressSpace::Generic
                    | AddressSpace::Global
                    | AddressSpace::Constant
                    | AddressSpace::SharedCluster => 64,
                };
                let base = self.undeclared(name, bits);
                (at(base.into(), offset), None)
            }
            None => {
                let own = match space {
                    AddressSpace::Generic | AddressSpace::SharedCluster => AddressSpace::Global,
                    AddressSpace::Global
                    | AddressSpace::Shared
                    | AddressSpace::Local
                    | AddressSpace::Constant => space,
                };
                let symbol = self.undeclared_symbol(name, own);
                self.symbol_operand(symbol, offset, space)
            }
        }
    }

    /// An array's address as an access of `space` takes it: a generic access adds the window of its space.
    fn symbol_operand(
        &mut self,
        symbol: Symbol,
        offset: i64,
        space: AddressSpace,
    ) -> (Address, Option<ArrayId>) {
        let own = self.symbol_address(symbol, ScalarType::U64);
        let base = if space == AddressSpace::Generic {
            self.generic_of(own, symbol.space)
        } else {
            own
        };
        (at(base, offset), Some(symbol.array))
    }

    /// The first generic address of a space; `None` where generic addresses are the space's own.
    fn window(&mut self, space: AddressSpace) -> Option<Operand> {
        let register = match space {
            AddressSpace::Shared | AddressSpace::SharedCluster => SpecialRegister::SharedWindow,
            AddressSpace::Local => SpecialRegister::LocalWindow,
            AddressSpace::Global | AddressSpace::Generic | AddressSpace::Constant => return None,
        };
        let dst = self.fresh(64);
        self.emit(Op::Special { dst, register });
        Some(dst.into())
    }

    /// `cvta`: a space's address as a generic one.
    pub(super) fn generic_of(&mut self, address: Operand, space: AddressSpace) -> Operand {
        match self.window(space) {
            Some(window) => self.binary(
                lanescope_ir::BinaryOp::Add,
                ScalarType::U64,
                address,
                window,
            ),
            None => address,
        }
    }

    /// `cvta.to`: a generic address as a space's own.
    pub(super) fn own_of_generic(&mut self, address: Operand, space: AddressSpace) -> Operand {
        match self.window(space) {
            Some(window) => self.binary(
                lanescope_ir::BinaryOp::Subtract,
                ScalarType::U64,
                address,
                window,
            ),
            None => address,
        }
    }

    /// `cvta` and `cvta.to`.
    pub(super) fn convert_address(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let ty = match opcode.last_type().and_then(crate::opcode::Type::storage) {
            Some(ty) if ty.bits() == 32 => ScalarType::U32,
            _ => ScalarType::U64,
        };
        let space = space(opcode);
        if opcode.first_of(&["param", "const"]).is_some() {
            self.note(PtxFault::GenericAddress(shorten(opcode.text)));
            let result = self.unknown(opcode.text, ty.bits());
            self.write(operands.first(), ty, result);
            return;
        }
        let value = self.value_at(operands, 1, ScalarType::U64);
        let result = if opcode.has("to") {
            self.own_of_generic(value, space)
        } else {
            self.generic_of(value, space)
        };
        let result = self.convert(ScalarType::U64, ty, result);
        self.write(operands.first(), ty, result);
    }

    /// `isspacep`: whether a generic address lies in a space's window of 16 MiB; in global memory if in none.
    pub(super) fn is_space(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        use lanescope_ir::{BinaryOp, Comparison, UnaryOp};
        let address = self.value_at(operands, 1, ScalarType::U64);
        let within = |lowering: &mut Self, space| {
            let relative = lowering.own_of_generic(address, space);
            let dst = lowering.fresh(1);
            lowering.emit(Op::Compare {
                op: Comparison::Less,
                ty: ScalarType::U64,
                unordered: false,
                dst,
                a: relative,
                b: Operand::Constant(1 << 24),
            });
            Operand::from(dst)
        };
        let result = match space(opcode) {
            space @ (AddressSpace::Shared | AddressSpace::SharedCluster | AddressSpace::Local) => {
                within(self, space)
            }
            AddressSpace::Global => {
                let shared = within(self, AddressSpace::Shared);
                let local = within(self, AddressSpace::Local);
                let either = self.binary(BinaryOp::Or, ScalarType::Bool, shared, local);
                self.unary(UnaryOp::Not, ScalarType::Bool, either)
            }
            AddressSpace::Constant | AddressSpace::Generic => self.unknown(opcode.text, 1),
        };
        self.write(operands.first(), ScalarType::Bool, result);
    }
}

const fn at(base: Operand, offset: i64) -> Address {
    Address {
        base,
        index: None,
        offset,
    }
}

const fn constant(value: u64, offset: i64) -> Address {
    at(Operand::Constant(value), offset)
}
