//! Atomics.

use super::places::cell;
use super::{Lower, Memory, Place, Value};
use crate::source::Construct;
use crate::source::Span;
use crate::source::code::{Inst, Reg, Rmw};
use crate::source::ctype::Target;
use crate::source::diagnostic::DiagnosticKind;
use crate::source::scalar::Scalar;
use crate::source::syntax::{Expr, ExprKind};
use lanescope_model::{Operation, Space, Width};

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
    pub(super) fn atomic(&mut self, rmw: Rmw, arguments: &[Expr], span: Span) -> Value {
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
        let of = memory.of.clone();
        let mut operands: Vec<Reg> = Vec::new();
        for one in &arguments[1..] {
            let value = self.value(one);
            let value = self.convert(value, &of, one.span);
            operands.extend(value.regs.first().copied());
        }
        let a = operands.first().copied().unwrap_or(0);
        let b = operands.get(1).copied().unwrap_or(a);
        if rmw == Rmw::Add && matches!(of.scalar(), None | Some(Scalar::F16)) {
            // A pair asks first whether its address is shared; a half alone, and a pair there, are loops of compare and
            // swap, in which lanes of one word wait for one another.
            let what = Construct::SumOfHalves;
            self.say(span, DiagnosticKind::Unsupported { what });
        }
        // Packed halves are never gathered, and what their sums come to is not followed.
        let rmw = match (of.scalar(), rmw) {
            (None, Rmw::Add) => Rmw::Exchange,
            _ => rmw,
        };
        let dst = self.temp();
        let unused = self.discarded == Some(arguments.as_ptr().addr());
        let by_one = rmw == Rmw::Add && self.known(a) == Some(1);
        let is_shared = self.space_of(&memory) == Space::Shared;
        let operation = match of.scalar() {
            Some(Scalar::I32 | Scalar::U32) if is_shared && unused && by_one => {
                Operation::Increment
            }
            // What the hardware has no instruction for is a loop of compare and swap.
            _ if rmw == Rmw::CompareAndSwap || self.swaps(&memory, rmw) => {
                Operation::CompareAndSwap
            }
            // There is no exchange in global memory that keeps the old value to itself.
            _ if unused && (is_shared || rmw != Rmw::Exchange) => Operation::Reduction,
            _ => Operation::Atomic,
        };
        self.atomic_request(&memory, rmw, operation, span);
        self.emit(Inst::Atomic {
            rmw,
            dst,
            a,
            b,
            cell: cell(&memory, 0, &of),
        });
        let scalar = super::resolve::scalar_or_int(&of);
        Value::scalar(scalar, dst)
    }

    /// Whether the hardware has no instruction for `rmw` on such values of shared memory.
    fn swaps(&self, memory: &Memory, rmw: Rmw) -> bool {
        let is_float = memory.of.scalar().is_some_and(Scalar::is_float);
        self.space_of(memory) == Space::Shared
            && (is_float || memory.of.bytes() == 8)
            && !matches!(rmw, Rmw::Exchange | Rmw::CompareAndSwap)
    }

    fn atomic_request(&mut self, memory: &Memory, rmw: Rmw, operation: Operation, span: Span) {
        if matches!(memory.target, Target::Local(_)) {
            return;
        }
        self.check(memory, span);
        let Some(width) = Width::from_bytes(memory.of.bytes()) else {
            return;
        };
        if self.swaps(memory, rmw) {
            self.say(span, DiagnosticKind::CompareAndSwapLoop);
            self.swapped(memory, width, span);
        }
        let site = self.site(span, memory, operation, width);
        let (address, offset) = self.reachable(memory.address, memory.offset);
        self.emit(Inst::Request {
            site,
            address,
            offset,
        });
    }

    /// Reads the value that a loop of compare and swap begins with.
    fn swapped(&mut self, memory: &Memory, width: Width, span: Span) {
        let is_read = Memory {
            volatile: true,
            ..memory.clone()
        };
        let site = self.site(span, &is_read, Operation::Load, width);
        let (address, offset) = self.reachable(memory.address, memory.offset);
        self.emit(Inst::Request {
            site,
            address,
            offset,
        });
        let dst = self.temp();
        self.emit(Inst::Read {
            dst,
            cell: cell(memory, 0, &memory.of),
        });
    }
}
