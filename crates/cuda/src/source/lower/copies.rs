//! `memcpy`, `memset` and their kin, as the loads and stores that a compiler makes of them.

use super::memory::address_at;
use super::registers::Reg;
use super::resolve::scalar_or_int;
use super::{Lower, Memory, Value};
use lanescope_frontend::{Construct, Span, raw_type, side_by_side};

use crate::source::ctype::{Struct, Target, Type};
use lanescope_ir::{Op, Operand, Register, ScalarType};
use lanescope_model::{Operation, Space, Width};
use lanescope_syntax::{diagnostic::DiagnosticKind, scalar::Scalar, tree::Expr};
use std::rc::Rc;

/// How a copy from global to shared memory is made.
pub(super) struct CopyForm {
    /// Bytes a lane: 4, 8 or 16.
    pub(super) bytes: u8,
    /// Bytes that are read, the rest being zeros; `None`: all.
    pub(super) source_bytes: Option<Reg>,
    /// Whether it passes L1 by (`.cg`).
    pub(super) bypasses_l1: bool,
}

/// The most pieces of one copy.
const MOST_PIECES: u64 = 1024;

impl Lower<'_> {
    /// `memcpy(to, from, bytes)` of a constant number of bytes.
    pub(super) fn copy_memory(&mut self, arguments: &[Expr], span: Span) -> Value {
        let [to, from, bytes] = arguments else {
            self.values_of(arguments);
            return self.nothing();
        };
        let (to, from) = (self.value(to), self.value(from));
        let Some((count, target, source)) = self.ends_of_copy(&to, Some(&from), bytes, span) else {
            return to;
        };
        let widest = self.known_align(&target).min(self.known_align(&source));
        for (at, width) in wholes(&target, count, widest) {
            let value = self.load_in_pieces(&source, (at, width), widest, span);
            self.store(&part(&target, at, width), &value, span);
        }
        to
    }

    /// The `width` bytes at `at`, put together from pieces that are no wider than `widest`.
    fn load_in_pieces(
        &mut self,
        source: &Memory,
        (at, width): (u64, u64),
        widest: u64,
        span: Span,
    ) -> Value {
        if width <= widest {
            return self.load(&part(source, at, width), span);
        }
        let ty = raw_type(widest.cast_signed());
        let mut parts = Vec::new();
        for (behind, piece) in pieces(width, widest) {
            let value = self.load(&part(source, at + behind, piece), span);
            let (_, reg) = self.scalar(&value, span);
            parts.push(self.operand_of(reg, ty));
        }
        let whole = side_by_side(&mut self.builder, parts, ty);
        let reg = self.operand_value(raw_type(width.cast_signed()), whole);
        Value {
            ty: raw(width),
            regs: vec![reg],
        }
    }

    /// What an address is known to be a multiple of where a pointer to anything is given: what the variable that it
    /// points into is aligned to. Of memory that the launch gives nothing is known: it is copied byte by byte.
    fn known_align(&self, memory: &Memory) -> u64 {
        let is_declared = match memory.target {
            Target::Local(_) => return 16,
            Target::Array(id) => self.arrays[id.0 as usize].bytes.is_some(),
            Target::Within(space) => space == Space::Shared,
            Target::Unknown => false,
        };
        match is_declared {
            true => memory.ty.align().clamp(1, 16),
            false => 1,
        }
    }

    /// `memset(to, byte, bytes)` of a constant number of bytes.
    pub(super) fn set_memory(&mut self, arguments: &[Expr], span: Span) -> Value {
        let [to, byte, bytes] = arguments else {
            self.values_of(arguments);
            return self.nothing();
        };
        let to = self.value(to);
        let byte = self.fold(byte).unwrap_or(0) & 0xff;
        let Some((count, target, _)) = self.ends_of_copy(&to, None, bytes, span) else {
            return to;
        };
        let widest = match target.target {
            Target::Local(_) => 8,
            Target::Array(_) | Target::Within(_) | Target::Unknown => self.known_align(&target),
        };
        for (at, width) in pieces(count, widest) {
            let piece = Memory {
                ty: raw(width),
                offset: target.offset.wrapping_add(at.cast_signed()),
                ..target.clone()
            };
            let leaves = piece.ty.leaves();
            let filled = leaves.iter().map(|leaf| {
                let repeated = byte.wrapping_mul(0x0101_0101_0101_0101);
                let scalar = leaf.ty.scalar().unwrap_or(Scalar::U32);
                self.constant(scalar.wrap(repeated))
            });
            let value = Value {
                ty: piece.ty.clone(),
                regs: filled.collect(),
            };
            self.store(&piece, &value, span);
        }
        to
    }

    /// `__pipeline_memcpy_async(to, from, bytes, zeros)`: `cp.async`.
    pub(super) fn pipeline_copy(&mut self, arguments: &[Expr], span: Span) -> Value {
        let (Some(to), Some(from), Some(bytes)) =
            (arguments.first(), arguments.get(1), arguments.get(2))
        else {
            self.values_of(arguments);
            return self.nothing();
        };
        let (to, from) = (self.value(to), self.value(from));
        let Some((count, target, source)) = self.ends_of_copy(&to, Some(&from), bytes, span) else {
            return Value::void();
        };
        if !matches!(count, 4 | 8 | 16) {
            let what = Construct::AsyncCopyOf(count);
            self.say(span, DiagnosticKind::Unsupported { what });
            return Value::void();
        }
        let source_bytes = arguments.get(3).map(|zeros| {
            let zeros = self.value(zeros);
            let all = self.whole(count.cast_signed(), Scalar::U32);
            let read = self.binary("-", &all, &zeros, span);
            let (scalar, reg) = self.scalar(&read, span);
            self.convert_reg(reg, scalar, Scalar::U32)
        });
        let whole = |memory: Memory| Memory {
            ty: raw(count),
            ..memory
        };
        let (target, source) = (whole(target), whole(source));
        if self.is_elsewhere(&target, Space::Shared) || self.is_elsewhere(&source, Space::Global) {
            // Between other spaces the standard library copies through registers.
            let value = self.load(&source, span);
            self.store(&target, &value, span);
            return Value::void();
        }
        let form = CopyForm {
            bytes: u8::try_from(count).unwrap_or(16),
            source_bytes,
            bypasses_l1: count == 16,
        };
        self.copy_asynchronously(&target, &source, &form, span);
        Value::void()
    }

    /// `cp.async`: the lanes' bytes go from global to shared memory without registers.
    pub(super) fn copy_asynchronously(
        &mut self,
        target: &Memory,
        source: &Memory,
        form: &CopyForm,
        span: Span,
    ) {
        let width = Width::from_bytes(u64::from(form.bytes)).unwrap_or(Width::Bytes16);
        let ty = ScalarType::U32;
        let known = form.source_bytes.and_then(|reg| self.known(reg));
        let size = form
            .source_bytes
            .filter(|_| known != Some(i64::from(form.bytes)));
        self.check(target, span);
        if size.is_none() {
            self.check(source, span);
        }
        let as_written = Memory {
            volatile: true,
            ..source.clone()
        };
        let source_site = self.site(span, &as_written, Operation::Load, width);
        let source_site = self.site_of(source_site, ty);
        self.stand_at(span);
        let source_bytes = size.map(|reg| self.operand_of(reg, ty));
        let from = self.operand_of(source.address, ScalarType::U64);
        let destination = self.shared_address(target);
        let site = self.uncounted_site(target, ty, Operation::AsyncCopy);
        self.names_access(site, span, width);
        self.emit(Op::AsyncCopy {
            destination,
            source: address_at(from, source.offset),
            bytes: form.bytes,
            source_bytes,
            bypasses_l1: form.bypasses_l1,
            site,
            source_site,
        });
        self.stand_nowhere();
    }

    /// Whether memory is known to lie outside of a space.
    fn is_elsewhere(&self, memory: &Memory, space: Space) -> bool {
        match memory.target {
            Target::Local(_) => true,
            Target::Array(_) | Target::Within(_) => self.space_of(memory) != space,
            Target::Unknown => false,
        }
    }

    /// `__pipeline_bulk_copy(to, from, bytes)` of our own text: a bulk copy (`cp.async.bulk`), whose bytes go from global to
    /// shared memory without a request of any warp.
    pub(super) fn bulk_copy(&mut self, arguments: &[Expr], span: Span) -> Value {
        let values = self.values_of(arguments);
        let mut ends = values.iter().map(|value| self.pointee(value, span));
        if let (Some(Some(to)), Some(Some(from))) = (ends.next(), ends.next()) {
            let ty = ScalarType::U64;
            let addresses = [to.address, from.address].map(|reg| self.operand_of(reg, ty));
            let moved = (addresses.to_vec(), Vec::new());
            let bytes = values.get(2).and_then(|bytes| bytes.regs.first());
            let bytes = bytes.map(|bytes| self.operand_of(*bytes, ScalarType::U32));
            self.bulk_access(Some(&to), Operation::Store, moved, bytes, span);
        }
        Value::void()
    }

    /// What no warp asks for: a copy in bulk, or matrices that the tensor cores read by descriptor. `operation` is what
    /// is done to shared memory, at `to` where that is known; `bytes` are those that it moves and no barrier expects.
    pub(super) fn bulk_access(
        &mut self,
        to: Option<&Memory>,
        operation: Operation,
        (addresses, dst): (Vec<Operand>, Vec<Register>),
        bytes: Option<Operand>,
        span: Span,
    ) {
        let nowhere = self.constant(0);
        let within = Memory::at(
            Type::Scalar(Scalar::U32),
            nowhere,
            Target::Within(Space::Shared),
        );
        let site = self.uncounted_site(to.unwrap_or(&within), ScalarType::U32, operation);
        self.names_access(site, span, Width::Bytes16);
        self.stand_at(span);
        self.emit(Op::BulkAccess {
            addresses,
            dst,
            site,
            bytes,
        });
        self.stand_nowhere();
    }

    /// The bytes to copy, to where and from where; says so where that is not known.
    fn ends_of_copy(
        &mut self,
        to: &Value,
        from: Option<&Value>,
        bytes: &Expr,
        span: Span,
    ) -> Option<(u64, Memory, Memory)> {
        let known = self.fold(bytes).and_then(|bytes| u64::try_from(bytes).ok());
        let Some(count) = known.filter(|count| *count <= MOST_PIECES) else {
            let count = self.value(bytes);
            for reg in count.regs.iter().chain(&to.regs) {
                self.escape(*reg);
            }
            let what = Construct::CopyOfUnknownLength;
            self.say(span, DiagnosticKind::Unsupported { what });
            return None;
        };
        let target = self.pointee(to, span)?;
        let source = match from {
            Some(from) => self.pointee(from, span)?,
            None => target.clone(),
        };
        Some((count, target, source))
    }
}

/// Bytes without another meaning.
pub(super) fn raw(bytes: u64) -> Type {
    match bytes {
        1 => Type::Scalar(Scalar::U8),
        2 => Type::Scalar(Scalar::U16),
        4 => Type::Scalar(Scalar::U32),
        8 => Type::Scalar(Scalar::U64),
        _ => Struct::vector("uint4")
            .map_or(Type::Scalar(Scalar::U64), |ty| Type::Struct(Rc::new(ty))),
    }
}

/// So many bytes of a place.
fn part(memory: &Memory, at: u64, width: u64) -> Memory {
    Memory {
        ty: raw(width),
        offset: memory.offset.wrapping_add(at.cast_signed()),
        ..memory.clone()
    }
}

/// The parts in which a copy is stored: into a variable of the thread's own its scalars, as they are read from there; to
/// all other memory pieces.
fn wholes(target: &Memory, bytes: u64, widest: u64) -> Vec<(u64, u64)> {
    let stride = target.ty.stride();
    if !matches!(target.target, Target::Local(_)) || widest >= 8 || stride == 0 {
        return pieces(bytes, widest);
    }
    let leaves = target.ty.leaves();
    let mut list = Vec::new();
    let mut end = 0;
    for begin in (0..)
        .map(|at| at * stride)
        .take_while(|begin| *begin < bytes)
    {
        for leaf in &leaves {
            let (at, width) = (begin + leaf.offset, scalar_or_int(&leaf.ty).bytes());
            if at < end || at + width > bytes || width <= widest {
                continue;
            }
            list.extend(
                pieces(at - end, widest)
                    .into_iter()
                    .map(|(from, width)| (end + from, width)),
            );
            list.push((at, width));
            end = at + width;
        }
    }
    list.extend(
        pieces(bytes - end, widest)
            .into_iter()
            .map(|(from, width)| (end + from, width)),
    );
    list
}

/// The pieces of a copy: the byte and the width of each, as wide as alignment and length allow.
fn pieces(bytes: u64, widest: u64) -> Vec<(u64, u64)> {
    let (mut at, mut list) = (0, Vec::new());
    while at < bytes {
        let mut width = widest.max(1);
        while width > bytes - at {
            width /= 2;
        }
        list.push((at, width));
        at += width;
    }
    list
}
