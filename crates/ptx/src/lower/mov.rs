//! Moves: `mov`, with vectors taken apart and put together, `selp`, `slct`.

use super::Lowering;
use super::names::Entity;
use crate::Operand as Tree;
use crate::opcode::{Opcode, Type, unsigned};
use lanescope_ir::{Comparison, Op, Operand, Register, ScalarType};
use lanescope_locale::ptx_fault::PtxFault;

impl<'t> Lowering<'_, 't> {
    /// `mov`.
    pub(super) fn mov(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        match (opcode.last_type(), operands) {
            (Some(Type::Wide), [destination, source]) => {
                let [low, high] = self.wide_value(source);
                self.wide_write(destination, [low, high]);
            }
            (Some(ty), [Tree::Vector(items), source]) => {
                let storage = ty.storage().unwrap_or(ScalarType::U32);
                let value = self.value(source, unsigned(storage.bits()));
                self.unpack(items, storage.bits(), value);
            }
            (Some(ty), [destination, source]) => {
                let storage = ty.storage().unwrap_or(ScalarType::U32);
                let value = self.value(source, storage);
                self.write(Some(destination), storage, value);
            }
            _ => self.unmodelled(opcode.text, operands, true),
        }
    }

    /// Takes a value apart into the registers of a vector.
    pub(super) fn unpack(&mut self, items: &[Tree<'t>], bits: u32, value: Operand) {
        let count = crate::token::offset(items.len());
        if !matches!(count, 2 | 4) || !bits.is_multiple_of(count) {
            self.error(PtxFault::VectorLength);
            return;
        }
        let part = unsigned(bits / count);
        let mut parts = Vec::new();
        let mut destinations = Vec::new();
        for item in items {
            if *item == Tree::Sink {
                parts.push(None);
                continue;
            }
            let destination = self.destination(Some(item), part);
            parts.push(Some(destination.register));
            destinations.push(destination);
        }
        self.emit(Op::Unpack {
            parts,
            part_bits: part.bits(),
            a: value,
        });
        for destination in destinations {
            self.finish_write(destination);
        }
    }

    /// The halves of 128 bits.
    pub(super) fn wide_value(&mut self, operand: &Tree<'t>) -> [Operand; 2] {
        match operand {
            Tree::Name(name) => match self.entity(name) {
                Some(Entity::Wide(low, high)) => [low.into(), high.into()],
                _ => {
                    let low = self.value(operand, ScalarType::U64);
                    [low, Operand::Constant(0)]
                }
            },
            Tree::Vector(items) if items.len() == 4 => {
                let (low, high) = items.split_at(2);
                [
                    self.packed(low, ScalarType::U64),
                    self.packed(high, ScalarType::U64),
                ]
            }
            Tree::Vector(items) if items.len() == 2 => [
                self.value_at(items, 0, ScalarType::U64),
                self.value_at(items, 1, ScalarType::U64),
            ],
            other => [self.value(other, ScalarType::U64), Operand::Constant(0)],
        }
    }

    /// The two registers of 128 bits.
    pub(super) fn wide_registers(&mut self, operand: &Tree<'t>) -> Option<[Register; 2]> {
        match operand {
            Tree::Name(name) => match self.entity(name)? {
                Entity::Wide(low, high) => Some([low, high]),
                Entity::Register(_)
                | Entity::Slots(_)
                | Entity::Symbol(_)
                | Entity::Parameter(_) => None,
            },
            _ => None,
        }
    }

    fn wide_write(&mut self, destination: &Tree<'t>, [low, high]: [Operand; 2]) {
        if let Some([low_register, high_register]) = self.wide_registers(destination) {
            self.move_to(low_register, low);
            self.move_to(high_register, high);
            return;
        }
        match destination {
            Tree::Vector(items) if items.len() == 2 => {
                self.write(items.first(), ScalarType::U64, low);
                self.write(items.get(1), ScalarType::U64, high);
            }
            Tree::Vector(items) if items.len() == 4 => {
                let (first, second) = items.split_at(2);
                self.unpack(first, 64, low);
                self.unpack(second, 64, high);
            }
            other => self.write(Some(other), ScalarType::U64, low),
        }
    }

    /// `selp`.
    pub(super) fn select_predicate(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let Some(ty) = opcode.last_type().and_then(Type::storage) else {
            self.unmodelled(opcode.text, operands, true);
            return;
        };
        let yes = self.value_at(operands, 1, ty);
        let no = self.value_at(operands, 2, ty);
        let predicate = self.value_at(operands, 3, ScalarType::Bool);
        let destination = self.destination(operands.first(), ty);
        self.emit(Op::Select {
            dst: destination.register,
            predicate,
            yes,
            no,
        });
        self.finish_write(destination);
    }

    /// `slct`: the first operand where the third is not negative.
    pub(super) fn select_sign(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let types: Vec<ScalarType> = opcode
            .types()
            .into_iter()
            .filter_map(Type::storage)
            .collect();
        let [ty, tested] = types.as_slice() else {
            self.unmodelled(opcode.text, operands, true);
            return;
        };
        let yes = self.value_at(operands, 1, *ty);
        let no = self.value_at(operands, 2, *ty);
        let c = self.value_at(operands, 3, *tested);
        let predicate = self.fresh(1);
        self.emit(Op::Compare {
            op: Comparison::GreaterEqual,
            ty: *tested,
            unordered: false,
            dst: predicate,
            a: c,
            b: Operand::Constant(0),
        });
        let result = self.select(ty.bits(), predicate.into(), yes, no);
        self.write(operands.first(), *ty, result);
    }
}
