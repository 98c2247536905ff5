//! Atomics.

use super::memory::{Piece, address_at};
use super::registers::{Reg, scalar_type};
use super::resolve::scalar_or_int;
use super::{Lower, Memory, Place, Value};
use crate::source::ctype::Target;
use lanescope_frontend::{Construct, Span};
use lanescope_ir::{AtomicOp, Op, UnaryOp};
use lanescope_model::{Operation, Space, Width};
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Expr, ExprKind},
};

/// What an atomic of the source does to its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rmw {
    Add,
    Subtract,
    Exchange,
    Minimum,
    Maximum,
    And,
    Or,
    Xor,
    Increment,
    Decrement,
    CompareAndSwap,
}

impl Rmw {
    const fn op(self) -> AtomicOp {
        match self {
            Self::Add | Self::Subtract => AtomicOp::Add,
            Self::Exchange => AtomicOp::Exchange,
            Self::Minimum => AtomicOp::Minimum,
            Self::Maximum => AtomicOp::Maximum,
            Self::And => AtomicOp::And,
            Self::Or => AtomicOp::Or,
            Self::Xor => AtomicOp::Xor,
            Self::Increment => AtomicOp::Increment,
            Self::Decrement => AtomicOp::Decrement,
            Self::CompareAndSwap => AtomicOp::CompareAndSwap,
        }
    }
}

/// Atomics and what they do.
pub(super) const ATOMICS: [(&str, Rmw); 11] = [
    ("atomicAdd", Rmw::Add),
    ("atomicSub", Rmw::Subtract),
    ("atomicExch", Rmw::Exchange),
    ("atomicMin", Rmw::Minimum),
    ("atomicMax", Rmw::Maximum),
    ("atomicAnd", Rmw::And),
    ("atomicOr", Rmw::Or),
    ("atomicXor", Rmw::Xor),
    ("atomicInc", Rmw::Increment),
    ("atomicDec", Rmw::Decrement),
    ("atomicCAS", Rmw::CompareAndSwap),
];

/// What the atomic of this name does, of whatever scope.
pub(super) fn named(name: &str) -> Option<Rmw> {
    let plain = name
        .strip_suffix("_block")
        .or_else(|| name.strip_suffix("_system"))
        .unwrap_or(name);
    let found = ATOMICS.iter().find(|(known, _)| *known == plain);
    found.map(|(_, rmw)| *rmw)
}

impl Lower<'_> {
    /// An atomic; `unused`: nobody wants the old value.
    pub(super) fn atomic(
        &mut self,
        rmw: Rmw,
        arguments: &[Expr],
        unused: bool,
        span: Span,
    ) -> Value {
        let expected = if rmw == Rmw::CompareAndSwap { 3 } else { 2 };
        if !self.count("an atomic", expected, arguments, span) {
            return self.nothing();
        }
        let place = match &arguments[0].kind {
            ExprKind::Prefix("&", inner) => self.place(inner),
            _ => {
                let pointer = self.value(&arguments[0]);
                self.pointee(&pointer, span).map(Place::Memory)
            }
        };
        let Some(Place::Memory(memory)) = place else {
            return self.nothing();
        };
        let ty = memory.ty.clone();
        let mut operands: Vec<Reg> = Vec::new();
        for argument in &arguments[1..] {
            let value = self.value(argument);
            let value = self.convert(value, &ty, argument.span);
            operands.extend(value.regs.first().copied());
        }
        self.atomic_at(&memory, rmw, &operands, unused, span)
    }

    /// An atomic on a place, with what it is given.
    pub(super) fn atomic_at(
        &mut self,
        memory: &Memory,
        rmw: Rmw,
        operands: &[Reg],
        unused: bool,
        span: Span,
    ) -> Value {
        let ty = memory.ty.clone();
        let a = operands.first().copied().unwrap_or(0);
        let b = operands.get(1).copied().unwrap_or(a);
        if rmw == Rmw::Add && matches!(ty.scalar(), None | Some(Scalar::F16)) {
            // A pair asks first whether its address is shared; a half alone, and a pair there, are loops of compare and
            // swap, in which lanes of one word wait for one another.
            let what = Construct::SumOfHalves;
            self.say(span, DiagnosticKind::Unsupported { what });
        }
        // Packed halves are never gathered, and what their sums come to is not followed.
        let rmw = match (ty.scalar(), rmw) {
            (None, Rmw::Add) => Rmw::Exchange,
            _ => rmw,
        };
        let by_one = rmw == Rmw::Add && self.known(a) == Some(1);
        let is_shared = self.space_of(memory) == Space::Shared;
        let operation = match ty.scalar() {
            Some(Scalar::I32 | Scalar::U32) if is_shared && unused && by_one => {
                Operation::Increment
            }
            // What the hardware has no instruction for is a loop of compare and swap.
            _ if rmw == Rmw::CompareAndSwap || self.swaps(memory, rmw) => Operation::CompareAndSwap,
            // There is no exchange in global memory that keeps the old value to itself.
            _ if unused && (is_shared || rmw != Rmw::Exchange) => Operation::Reduction,
            _ => Operation::Atomic,
        };
        let piece = self.atomic_request(memory, rmw, operation, span);
        let scalar = scalar_or_int(&ty);
        let dst = self.updated(memory, (rmw, operation), (a, b), piece, span);
        Value::scalar(scalar, dst)
    }

    /// The atomic itself, and what it gives back; without a request, in a thread's own memory.
    fn updated(
        &mut self,
        memory: &Memory,
        (rmw, operation): (Rmw, Operation),
        (a, b): (Reg, Reg),
        piece: Option<Piece>,
        span: Span,
    ) -> Reg {
        let ty = scalar_type(scalar_or_int(&memory.ty));
        let (site, base) = match piece {
            Some(piece) => {
                self.stand_at(span);
                (self.site_of(piece.site, ty), self.base_of(memory))
            }
            None => {
                let site = self.uncounted_site(memory, ty, Operation::Atomic);
                let base = self.operand_of(memory.address, lanescope_ir::ScalarType::U64);
                (site, base)
            }
        };
        let address = address_at(base, memory.offset);
        let mut a = self.operand_of(a, ty);
        if rmw == Rmw::Subtract {
            a = self.builder.unary(UnaryOp::Negate, ty, a);
        }
        let b = (rmw == Rmw::CompareAndSwap).then(|| self.operand_of(b, ty));
        let op = rmw.op();
        let is_wanted = !matches!(operation, Operation::Reduction | Operation::Increment);
        let atomic = |dst| Op::Atomic {
            op,
            dst,
            address,
            a,
            b,
            site,
        };
        let old = if is_wanted || piece.is_none() {
            self.define(ty, |dst| atomic(Some(dst)))
        } else {
            self.emit(atomic(None));
            self.constant(0)
        };
        self.stand_nowhere();
        old
    }

    /// Whether the hardware has no instruction for `rmw` on such values of shared memory.
    fn swaps(&self, memory: &Memory, rmw: Rmw) -> bool {
        let is_float = memory.ty.scalar().is_some_and(Scalar::is_float);
        self.space_of(memory) == Space::Shared
            && (is_float || memory.ty.bytes() == 8)
            && !matches!(rmw, Rmw::Exchange | Rmw::CompareAndSwap)
    }

    fn atomic_request(
        &mut self,
        memory: &Memory,
        rmw: Rmw,
        operation: Operation,
        span: Span,
    ) -> Option<Piece> {
        if matches!(memory.target, Target::Local(_)) {
            return None;
        }
        self.check(memory, span);
        let width = Width::from_bytes(memory.ty.bytes())?;
        if self.swaps(memory, rmw) {
            self.say(span, DiagnosticKind::CompareAndSwapLoop);
            self.swapped(memory, width, span);
        }
        Some(Piece {
            site: self.site(span, memory, operation, width),
            offset: memory.offset,
            bytes: width.bytes().cast_signed(),
        })
    }

    /// Reads the value that a loop of compare and swap begins with.
    fn swapped(&mut self, memory: &Memory, width: Width, span: Span) {
        let is_read = Memory {
            volatile: true,
            ..memory.clone()
        };
        let piece = Piece {
            site: self.site(span, &is_read, Operation::Load, width),
            offset: memory.offset,
            bytes: width.bytes().cast_signed(),
        };
        self.loaded(memory, &[piece], span);
    }
}
