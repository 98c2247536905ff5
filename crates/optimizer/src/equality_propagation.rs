//! Equalities that a branch proves: behind `if (t == 0)`, `t` is 0 (LLVM's GVN, `propagateEquality`).
//!
//! It is what makes neighbours of `s[t]` and `s[t + 1]` there: an address made of a known number is aligned. Loops are written out
//! after it, so that a test that only an iteration's number makes one (`t < s` with `s` 1 at last) proves nothing.
//!
//! The register has one definition, so that the fact holds in every block that the branch's way dominates: there the number
//! may stand for it.
//!
//! NB: a `switch` proves nothing here; in LLVM it does.

use std::collections::BTreeMap;

use lanescope_ir::analysis::{ControlFlow, Dominators};
use lanescope_ir::{
    Block, BlockId, Comparison, Kernel, Op, Operand, Register, ScalarType, SlotMut, Terminator,
    UnaryOp,
};

use crate::facts::size;
use crate::work::Work;

/// Branches that are followed in one kernel, at most.
const BRANCHES: usize = 256;

/// A number that a register holds in all lanes that reach a block.
#[derive(Clone, Copy, Debug)]
struct Equality {
    register: Register,
    value: u64,
    holds_from: BlockId,
}

/// Puts numbers in the place of registers that a branch proves equal to them.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work) {
    if !work.spend(2 * size(kernel)) {
        return;
    }
    let flow = ControlFlow::of(kernel);
    let definitions = Definitions::of(kernel);
    let found: Vec<_> = (0..)
        .map(BlockId)
        .zip(&kernel.blocks)
        .filter_map(|(_, block)| proved(block, &flow, &definitions))
        .take(BRANCHES)
        .collect();
    if found.is_empty() {
        return;
    }
    let dominators = Dominators::of(&flow);
    for equality in found {
        if !work.spend(size(kernel)) {
            return;
        }
        replace(kernel, &dominators, &definitions, equality);
    }
}

/// The one instruction that writes each register; registers that several write are none of these.
struct Definitions(BTreeMap<Register, Option<Op>>);

impl Definitions {
    fn of(kernel: &Kernel) -> Self {
        let mut found = BTreeMap::new();
        let instructions = kernel.blocks.iter().flat_map(|block| &block.instructions);
        for instruction in instructions {
            for register in instruction.op.defs() {
                let is_only = instruction.guard.is_none() && !found.contains_key(&register);
                found.insert(register, is_only.then(|| instruction.op.clone()));
            }
        }
        Self(found)
    }

    fn get(&self, register: Register) -> Option<&Op> {
        self.0.get(&register)?.as_ref()
    }

    /// The register that a chain of moves begins with.
    fn origin(&self, mut register: Register) -> Register {
        while let Some(Op::Unary {
            op: UnaryOp::Move,
            a: Operand::Register(from),
            ..
        }) = self.get(register)
        {
            if self.get(*from).is_none() {
                break;
            }
            register = *from;
        }
        register
    }
}

/// What the branch at a block's end proves in one of the blocks it goes to, which nothing else goes to.
fn proved(block: &Block, flow: &ControlFlow, definitions: &Definitions) -> Option<Equality> {
    let Terminator::Branch {
        predicate: Operand::Register(predicate),
        negated,
        taken,
        otherwise,
        ..
    } = block.terminator
    else {
        return None;
    };
    let (register, value, where_it_holds) = equality(definitions, predicate)?;
    let holds_from = if where_it_holds == negated {
        otherwise
    } else {
        taken
    };
    definitions.get(register)?;
    let is_only_way = flow.predecessors(holds_from).len() == 1 && taken != otherwise;
    is_only_way.then(|| Equality {
        register: definitions.origin(register),
        value,
        holds_from,
    })
}

/// The register and the number that a comparison proves equal, and whether they are where it holds or where it does not.
fn equality(definitions: &Definitions, predicate: Register) -> Option<(Register, u64, bool)> {
    let test = definitions.get(predicate)?;
    if let Op::Unary {
        op: UnaryOp::Not,
        ty: ScalarType::Bool,
        a: Operand::Register(inverted),
        ..
    } = test
    {
        return compared(definitions.get(*inverted)?).map(|(a, b, holds)| (a, b, !holds));
    }
    compared(test)
}

fn compared(test: &Op) -> Option<(Register, u64, bool)> {
    let Op::Compare {
        op,
        ty,
        a: Operand::Register(a),
        b: Operand::Constant(b),
        ..
    } = test
    else {
        return None;
    };
    let is_unsigned = matches!(ty, ScalarType::U32 | ScalarType::U64);
    if !is_unsigned && !matches!(ty, ScalarType::I32 | ScalarType::I64) {
        return None;
    }
    match op {
        Comparison::Equal => Some((*a, *b, true)),
        Comparison::NotEqual => Some((*a, *b, false)),
        Comparison::Less if is_unsigned && *b == 1 => Some((*a, 0, true)),
        Comparison::GreaterEqual if is_unsigned && *b == 1 => Some((*a, 0, false)),
        Comparison::LessEqual if is_unsigned && *b == 0 => Some((*a, 0, true)),
        Comparison::Greater if is_unsigned && *b == 0 => Some((*a, 0, false)),
        Comparison::Less
        | Comparison::LessEqual
        | Comparison::Greater
        | Comparison::GreaterEqual => None,
    }
}

fn replace(
    kernel: &mut Kernel,
    dominators: &Dominators,
    definitions: &Definitions,
    equality: Equality,
) {
    let stands_for = |operand: &Operand| match operand {
        Operand::Register(register) => {
            definitions.get(*register).is_some()
                && definitions.origin(*register) == equality.register
        }
        Operand::Constant(_) => false,
    };
    let blocks = (0..).map(BlockId).zip(&mut kernel.blocks);
    for (_, block) in blocks.filter(|(at, _)| dominators.dominates(equality.holds_from, *at)) {
        for instruction in &mut block.instructions {
            instruction.op.visit_mut(&mut |slot| match slot {
                SlotMut::Use(operand) if stands_for(operand) => {
                    *operand = Operand::Constant(equality.value);
                }
                SlotMut::Use(_) | SlotMut::Def(_) | SlotMut::Site(_) => {}
            });
        }
    }
}
