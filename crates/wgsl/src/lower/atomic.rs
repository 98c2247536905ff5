//! Atomics.

use super::Lower;
use super::access::Access;
use super::layout::scalar_type;
use super::number::Number;
use super::place::{Memory, Object, Place};
use lanescope_frontend::{ArrayId, DiagnosticKind, Piece, Span, address_at, load_pieces};
use lanescope_ir::{AddressSpace, AtomicOp, Comparison, Op, ScalarType, UnaryOp};
use lanescope_model::{Operation, Width};
use naga::{AtomicFunction, Expression, Handle, TypeInner};

/// An atomic of the text: its place, what it does, and with what.
type Atomic = (Handle<Expression>, AtomicFunction, Handle<Expression>);

/// What an atomic does to its word, with its operands.
struct Update {
    op: AtomicOp,
    a: Number,
    b: Option<Number>,
}

impl Lower<'_> {
    pub(super) fn atomic(
        &mut self,
        (pointer, fun, value): Atomic,
        result: Option<Handle<Expression>>,
        span: Span,
    ) {
        let Place::Memory(memory) = self.place(pointer) else {
            return;
        };
        let a = self.scalar(value);
        let is_wanted = result.is_some_and(|result| self.frame().uses.uses(result));
        let (op, compare) = operator(fun);
        let update = match compare {
            Some(compare) => Update {
                op,
                a: self.scalar(compare),
                b: Some(a),
            },
            None if fun == AtomicFunction::Subtract => Update {
                op,
                a: self.unary(UnaryOp::Negate, a),
                b: None,
            },
            None => Update { op, a, b: None },
        };
        let ty = match self.inner(pointer) {
            TypeInner::Pointer { base, .. } => {
                let scalar = self.module.types[*base].inner.scalar();
                scalar.map_or(ScalarType::U32, scalar_type)
            }
            _ => update.a.ty,
        };
        let old = self.updated(&memory, ty, &update, is_wanted, span);
        let Some((result, old)) = result.zip(old) else {
            return;
        };
        let mut value = vec![old];
        if update.b.is_some() {
            value.push(self.compare(Comparison::Equal, old, update.a));
        }
        self.set(result, value);
    }

    /// The atomic itself, and what was there before, as far as it is wanted.
    fn updated(
        &mut self,
        memory: &Memory,
        ty: ScalarType,
        update: &Update,
        is_wanted: bool,
        span: Span,
    ) -> Option<Number> {
        let is_shared = self.is_shared(memory);
        let by_one = update.op == AtomicOp::Add && update.a.constant() == Some(1);
        // What the hardware has no instruction for is a loop of compare and swap.
        let swaps = is_shared
            && (ty.is_float() || ty.bits() == 64)
            && !matches!(update.op, AtomicOp::Exchange | AtomicOp::CompareAndSwap);
        let operation = if is_shared && !is_wanted && by_one && !swaps {
            Operation::Increment
        } else if swaps || update.op == AtomicOp::CompareAndSwap {
            Operation::CompareAndSwap
        } else if !is_wanted && (is_shared || update.op != AtomicOp::Exchange) {
            // There is no exchange in global memory that keeps the old value to itself.
            Operation::Reduction
        } else {
            Operation::Atomic
        };
        let access = Access {
            memory,
            operation,
            is_volatile: true,
            span,
        };
        self.check(access);
        let width = Width::from_bytes(ty.bytes().into())?;
        if swaps {
            self.say(span, DiagnosticKind::CompareAndSwapLoop);
            self.read_before_swap(access, ty, width);
        }
        let site = self.site(access, width);
        let piece = Piece {
            site,
            offset: memory.offset,
            bytes: width.bytes().cast_signed(),
        };
        self.name_elements(&[piece], ty);
        let gives = !matches!(operation, Operation::Reduction | Operation::Increment);
        let dst = gives.then(|| self.builder.register(ty));
        self.stand_at(span);
        self.builder.emit(Op::Atomic {
            op: update.op,
            dst,
            site,
            address: address_at(memory.address, memory.offset),
            a: update.a.operand,
            b: update.b.map(|b| b.operand),
        });
        self.stand_nowhere();
        dst.map(|dst| Number::new(ty, dst.into()))
    }

    /// Reads the value that a loop of compare and swap begins with.
    fn read_before_swap(&mut self, access: Access<'_>, ty: ScalarType, width: Width) {
        let read = Access {
            operation: Operation::Load,
            ..access
        };
        let piece = Piece {
            site: self.site(read, width),
            offset: access.memory.offset,
            bytes: width.bytes().cast_signed(),
        };
        self.name_elements(&[piece], ty);
        self.stand_at(access.span);
        let part = lanescope_frontend::Part {
            offset: piece.offset,
            ty,
        };
        let base = access.memory.address;
        load_pieces(&mut self.builder, base, &[piece], &[part], ty);
        self.stand_nowhere();
    }

    fn is_shared(&self, memory: &Memory) -> bool {
        let is = |id: ArrayId| {
            let array = self.arrays.get(id.index());
            array.is_some_and(|array| array.space == AddressSpace::Shared)
        };
        match memory.object {
            Object::Counted(id) => is(id),
            Object::Constant(_) | Object::Local => false,
        }
    }
}

/// What an atomic does to its word; of an exchange by comparison, what is expected there.
const fn operator(fun: AtomicFunction) -> (AtomicOp, Option<Handle<Expression>>) {
    match fun {
        AtomicFunction::Add | AtomicFunction::Subtract => (AtomicOp::Add, None),
        AtomicFunction::And => (AtomicOp::And, None),
        AtomicFunction::ExclusiveOr => (AtomicOp::Xor, None),
        AtomicFunction::InclusiveOr => (AtomicOp::Or, None),
        AtomicFunction::Min => (AtomicOp::Minimum, None),
        AtomicFunction::Max => (AtomicOp::Maximum, None),
        AtomicFunction::Exchange { compare: None } => (AtomicOp::Exchange, None),
        AtomicFunction::Exchange {
            compare: Some(compare),
        } => (AtomicOp::CompareAndSwap, Some(compare)),
    }
}
