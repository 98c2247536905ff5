//! What an index of a loop is made of, by the names of the source: an array and the counter.

use super::ops;
use lanescope_ir::analysis::NaturalLoop;
use lanescope_ir::{
    Address, AddressSpace, ArrayId, BinaryOp, Kernel, Op, Operand, Register, ScalarType,
    SpecialRegister, TernaryOp, UnaryOp,
};
use std::collections::BTreeMap;

/// Names of one value that are followed, at most.
const FOLLOWED: usize = 8;

/// Each register of a kernel with what makes it, in the loop and before it.
pub(super) struct Names<'k> {
    kernel: &'k Kernel,
    inside: BTreeMap<Register, Option<&'k Op>>,
    outside: BTreeMap<Register, Option<&'k Op>>,
    counter: Option<Register>,
    is_signed: bool,
    is_narrow: bool,
}

impl<'k> Names<'k> {
    pub(super) fn of(
        kernel: &'k Kernel,
        natural_loop: &'k NaturalLoop,
        counter: Operand,
        ty: ScalarType,
    ) -> Self {
        let outside = (0..).zip(&kernel.blocks).filter(|(at, _)| {
            let block = lanescope_ir::BlockId(*at);
            !natural_loop.contains(block)
        });
        Self {
            kernel,
            inside: makers(ops(kernel, natural_loop)),
            outside: makers(outside.flat_map(|(_, block)| {
                block.instructions.iter().map(|instruction| &instruction.op)
            })),
            counter: counter.register(),
            is_signed: ty == ScalarType::I32,
            is_narrow: ty.bits() == 32,
        }
    }

    /// Whether an address is that of an array and, as its index, the counter and a constant. Of an array in shared memory
    /// with rows, a counter with sign may stand behind another index.
    pub(super) fn is_index(&self, address: &Address, array: Option<ArrayId>) -> bool {
        let Some((index, base)) = self.parts(address) else {
            return self.is_moving(address);
        };
        let has_rows = array.is_some_and(|id| {
            let array = self.kernel.arrays.get(id.index());
            array
                .is_some_and(|array| array.space == AddressSpace::Shared && array.extents.len() > 1)
        });
        let is_base = self.is_array(base) || has_rows && self.is_signed;
        is_base && self.counter_behind(index, true)
    }

    /// Whether a sum with the counter may wrap around.
    pub(super) const fn may_wrap(&self) -> bool {
        self.is_narrow && !self.is_signed
    }

    /// Whether an address is a pointer that the loop moves by a constant.
    fn is_moving(&self, address: &Address) -> bool {
        let Some(pointer) = address.base.register() else {
            return false;
        };
        let (mut register, mut moves) = (pointer, false);
        for _ in 0..FOLLOWED {
            register = match self.inside.get(&register) {
                Some(Some(Op::Unary {
                    op: UnaryOp::Move,
                    a: Operand::Register(a),
                    ..
                })) => *a,
                Some(Some(Op::Binary {
                    op: BinaryOp::Add,
                    a: Operand::Register(a),
                    b: Operand::Constant(_),
                    ..
                })) => {
                    moves = true;
                    *a
                }
                _ => return false,
            };
            if register == pointer && moves {
                return true;
            }
        }
        false
    }

    /// Whether the index is the counter itself.
    pub(super) fn is_counter(&self, address: &Address) -> bool {
        let is_plain = |(index, _)| self.counter_behind(index, false);
        address.offset == 0
            && self
                .parts(address)
                .map_or_else(|| self.is_moving(address), is_plain)
    }

    /// The index and the rest of an address.
    fn parts(&self, address: &Address) -> Option<(Register, Register)> {
        let made = self.inside.get(&address.base.register()?).copied()??;
        let Op::Ternary {
            op: TernaryOp::MultiplyAdd,
            a,
            b: Operand::Constant(_),
            c,
            ..
        } = made
        else {
            return None;
        };
        Some((a.register()?, c.register()?))
    }

    fn is_array(&self, mut register: Register) -> bool {
        for _ in 0..FOLLOWED {
            let made = self.inside.get(&register).or(self.outside.get(&register));
            match made {
                Some(Some(Op::Special {
                    register: SpecialRegister::ArrayAddress(_),
                    ..
                })) => return true,
                Some(Some(Op::Unary {
                    op: UnaryOp::Move,
                    a: Operand::Register(a),
                    ..
                })) => register = *a,
                _ => return false,
            }
        }
        false
    }

    fn counter_behind(&self, mut register: Register, with_constant: bool) -> bool {
        for _ in 0..FOLLOWED {
            if Some(register) == self.counter {
                return true;
            }
            register = match self.inside.get(&register) {
                Some(Some(
                    Op::Unary {
                        op: UnaryOp::Move,
                        a: Operand::Register(a),
                        ..
                    }
                    | Op::Convert {
                        a: Operand::Register(a),
                        ..
                    },
                )) => *a,
                Some(Some(Op::Binary {
                    op: BinaryOp::Add | BinaryOp::Subtract,
                    a: Operand::Register(a),
                    b: Operand::Constant(_),
                    ..
                })) if with_constant => *a,
                _ => return false,
            };
        }
        false
    }
}

/// What makes each register, where it is one operation.
fn makers<'k>(all: impl Iterator<Item = &'k Op>) -> BTreeMap<Register, Option<&'k Op>> {
    let mut found = BTreeMap::new();
    for op in all {
        for def in op.defs() {
            let only = !found.contains_key(&def);
            found.insert(def, only.then_some(op));
        }
    }
    found
}
