//! Atomics: `atom`, `red`.

use super::Lowering;
use super::address::space;
use super::emit::SiteShape;
use crate::Operand as Tree;
use crate::opcode::{Opcode, Type};
use lanescope_ir::{Address, AddressSpace, ArrayId, AtomicOp, Op, ScalarType};
use lanescope_model::{Operation, Width};

fn atomic_op(opcode: &Opcode<'_>) -> Option<AtomicOp> {
    opcode.modifiers.iter().find_map(|modifier| {
        Some(match *modifier {
            "add" => AtomicOp::Add,
            "exch" => AtomicOp::Exchange,
            "min" => AtomicOp::Minimum,
            "max" => AtomicOp::Maximum,
            "and" => AtomicOp::And,
            "or" => AtomicOp::Or,
            "xor" => AtomicOp::Xor,
            "inc" => AtomicOp::Increment,
            "dec" => AtomicOp::Decrement,
            "cas" => AtomicOp::CompareAndSwap,
            _ => return None,
        })
    })
}

impl<'t> Lowering<'_, 't> {
    /// The load of what a loop of compare and swap expects first.
    fn read_before_loop(
        &mut self,
        opcode: &Opcode<'t>,
        element: ScalarType,
        width: Width,
        (address, array): (Address, Option<ArrayId>),
    ) {
        let site = self.site(
            opcode.text,
            &SiteShape {
                space: AddressSpace::Shared,
                operation: Operation::Load,
                element,
                width,
                array,
                is_volatile: true,
                is_read_only: false,
            },
        );
        self.emit(Op::Load {
            dst: vec![None],
            address,
            site,
        });
    }

    pub(super) fn atomic(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let (Some(op), Some(ty)) = (atomic_op(opcode), opcode.last_type()) else {
            self.unmodelled(opcode.text, operands, false);
            return;
        };
        let Some(element) = ty
            .storage()
            .filter(|_| opcode.vector() == 1 && !opcode.has("async"))
        else {
            self.unmodelled(opcode.text, operands, false);
            return;
        };
        let space = space(opcode);
        if is_open_sum_of_halves(ty, space) {
            self.unmodelled(opcode.text, operands, false);
            return;
        }
        // What acquires waits for the old value, though nobody asks for it.
        let is_awaited = opcode.base == "atom"
            && space != AddressSpace::Shared
            && (opcode.has("acquire") || opcode.has("acq_rel"));
        let is_sunk = operands.first() == Some(&Tree::Sink);
        let is_reduction = opcode.base == "red" || is_sunk && !is_awaited;
        let (destination, rest) = match operands.split_first() {
            Some((first, rest)) if opcode.base == "atom" => (Some(first), rest),
            _ => (None, operands),
        };
        let a = match ty {
            Type::Packed(_) => {
                // Sums of packed halves are not followed, only where they go.
                self.unknown(opcode.text, element.bits())
            }
            Type::Scalar(_) | Type::Wide | Type::Opaque => self.value_at(rest, 1, element),
        };
        let b = (op == AtomicOp::CompareAndSwap).then(|| self.value_at(rest, 2, element));
        let (address, array) = self.address(rest.first(), space);
        let width = Width::from_bytes(u64::from(element.bytes())).unwrap_or(Width::Bytes4);
        let is_loop = space == AddressSpace::Shared && is_compare_and_swap_loop(op, ty);
        if is_loop {
            self.read_before_loop(opcode, element, width, (address, array));
        }
        let operation = match (op, is_reduction) {
            (AtomicOp::CompareAndSwap, _) => Operation::CompareAndSwap,
            _ if is_loop => Operation::CompareAndSwap,
            // There is no exchange in global memory that keeps the old value to itself.
            (AtomicOp::Exchange, true) if space == AddressSpace::Global => Operation::Atomic,
            (_, true) => Operation::Reduction,
            (_, false) => Operation::Atomic,
        };
        let site = self.site(
            opcode.text,
            &SiteShape {
                space,
                operation,
                element,
                width,
                array,
                is_volatile: true,
                is_read_only: false,
            },
        );
        let target = (!is_reduction).then(|| self.destination(destination, unsigned_like(element)));
        self.emit(Op::Atomic {
            op,
            dst: target.map(|target| target.register),
            address,
            a,
            b,
            site,
        });
        if let Some(target) = target {
            if is_awaited {
                let src = vec![target.register.into()];
                self.emit(Op::Escape { src });
            }
            self.finish_write(target);
        }
    }
}

/// Whether it is not known what ptxas makes of a sum of halves: a loop of compare and swap of a single one, and of two behind
/// a generic address an `ATOM` with a loop for shared memory beside it, whoever asks for the old value (nvcc 13.5 for CC 9.0).
fn is_open_sum_of_halves(ty: Type, space: AddressSpace) -> bool {
    match ty {
        Type::Scalar(ScalarType::F16 | ScalarType::BF16) => space != AddressSpace::Shared,
        Type::Packed(_) => space == AddressSpace::Generic,
        Type::Scalar(_) | Type::Wide | Type::Opaque => false,
    }
}

/// Whether shared memory has no instruction for it, so that ptxas makes a loop of compare and swap: sums of floats, and all
/// of 64 bits but exchanges (measured on CC 9.0 with nvcc 13, `tests/golden/more_kernels/atomics_totals.cu`).
fn is_compare_and_swap_loop(op: AtomicOp, ty: Type) -> bool {
    let has_no_instruction = match ty {
        Type::Scalar(scalar) => scalar.is_float() || scalar.bits() == 64,
        Type::Packed(_) | Type::Wide | Type::Opaque => true,
    };
    has_no_instruction && !matches!(op, AtomicOp::Exchange | AtomicOp::CompareAndSwap)
}

/// A register holds bits; only their number matters to where they are written.
const fn unsigned_like(ty: ScalarType) -> ScalarType {
    crate::opcode::unsigned(ty.bits())
}
