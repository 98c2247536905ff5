//! Inline assembly's accesses of memory.

use super::super::{Lower, Memory, Value};
use super::Assembly;
use super::instruction::{Instruction, inside};
use crate::source::Construct;
use crate::source::Span;
use crate::source::code::{Binary, Cell, Inst, Preset, Unary};
use crate::source::ctype::{Target, Type};
use crate::source::diagnostic::DiagnosticKind;
use crate::source::lower::{copies, places};
use crate::source::scalar::Scalar;
use lanescope_model::{Operation, Space};

/// Half of a 64-bit address: that in its window.
const IN_WINDOW: i64 = 0xffff_ffff;

impl Lower<'_> {
    /// The memory at `[base + offset]`.
    pub(super) fn assembled_memory(
        &mut self,
        assembly: &Assembly<'_>,
        text: &str,
        of: Type,
        space: Space,
    ) -> Option<Memory> {
        let text = inside(text).first().copied()?;
        let (base, offset) = text.split_once('+').unwrap_or((text, "0"));
        let value = self.operand(assembly, base, Scalar::U64)?;
        let offset = self.operand(assembly, offset, Scalar::I64)?;
        let offset = offset.regs.first().and_then(|reg| self.known(*reg))?;
        let reg = *value.regs.first()?;
        let (address, target) = match &value.of {
            Type::Pointer(pointer) => (reg, pointer.target),
            _ if space == Space::Shared => (self.in_shared_window(reg)?, Target::Within(space)),
            _ => (reg, Target::Within(space)),
        };
        Some(Memory {
            offset,
            volatile: true,
            ..Memory::at(of, address, target)
        })
    }

    /// The generic address of a place in shared memory that is a number of 32 bits.
    fn in_shared_window(&mut self, reg: u16) -> Option<u16> {
        let array = self
            .arrays
            .iter()
            .position(|array| array.space == Space::Shared)?;
        let id = crate::source::ArrayId(u32::try_from(array).ok()?);
        let within = self.preset(Preset::Array(id));
        let (high, low) = (self.constant(!IN_WINDOW), self.constant(IN_WINDOW));
        let window = self.binary_reg(Binary::And, Scalar::I64, within, high);
        let low = self.binary_reg(Binary::And, Scalar::I64, reg, low);
        Some(self.binary_reg(Binary::Or, Scalar::I64, window, low))
    }

    /// `cp.async`.
    pub(super) fn assembled_copy(
        &mut self,
        assembly: &Assembly<'_>,
        one: &Instruction<'_>,
        span: Span,
    ) -> Option<()> {
        let [to, from, bytes, rest @ ..] = &one.arguments[..] else {
            return None;
        };
        let bytes = self.operand(assembly, bytes, Scalar::I64)?;
        let bytes = bytes.regs.first().and_then(|reg| self.known(*reg))?;
        let of = copies::raw(u64::try_from(bytes).ok()?);
        let target = self.assembled_memory(assembly, to, of.clone(), Space::Shared)?;
        let source = self.assembled_memory(assembly, from, of, Space::Global)?;
        let read = match rest.first() {
            Some(size) => Some(self.operand(assembly, size, Scalar::I32)?),
            None => None,
        };
        self.copy_asynchronously(&target, &source, read.as_ref(), span);
        Some(())
    }

    /// `ldmatrix` and `stmatrix`, which the profiler counts apart from loads and stores.
    pub(super) fn assembled_matrix(
        &mut self,
        assembly: &mut Assembly<'_>,
        one: &Instruction<'_>,
        span: Span,
    ) -> Option<()> {
        if !one.has("m8n8") {
            return None;
        }
        let is_load = one.name() == "ldmatrix";
        let (list, address) = if is_load { (0, 1) } else { (1, 0) };
        let list = inside(one.arguments.get(list)?);
        let address = one.arguments.get(address)?;
        let of = Type::Scalar(Scalar::U32);
        let memory = self.assembled_memory(assembly, address, of.clone(), Space::Shared)?;
        self.check(&memory, span);
        self.use_all(&[Value::scalar(Scalar::I64, memory.address)]);
        let what = Construct::MatrixInstruction(one.name().to_owned());
        self.say(span, DiagnosticKind::Ignored { what });
        self.emit(Inst::Fence);
        if is_load {
            for target in list {
                let value = self.opaque(&of, &[]);
                self.give(assembly, target, value);
            }
        }
        Some(())
    }

    /// `ld` and `st`.
    pub(super) fn assembled_access(
        &mut self,
        assembly: &mut Assembly<'_>,
        one: &Instruction<'_>,
        span: Span,
    ) -> Option<()> {
        if one.has("local") || one.has("param") || one.has("shared::cluster") {
            return None;
        }
        let scalar = one.scalar()?;
        let count = match () {
            () if one.has("v2") => 2,
            () if one.has("v4") => 4,
            () => 1,
        };
        let is_load = one.name() != "st";
        let (list, address) = if is_load { (0, 1) } else { (1, 0) };
        let list = inside(one.arguments.get(list)?);
        let address = one.arguments.get(address)?;
        if list.len() != count {
            return None;
        }
        let space = one.space().unwrap_or(Space::Global);
        let bytes = scalar.bytes().saturating_mul(count as u64);
        let whole = copies::raw(bytes);
        let mut memory = self.assembled_memory(assembly, address, whole, space)?;
        if one.has("const") {
            return None;
        }
        memory.read_only |= one.has("nc");
        let of = Type::Scalar(scalar);
        let cells: Vec<Cell> = (0_u64..)
            .take(count)
            .map(|at| places::cell(&memory, at * scalar.bytes(), &of))
            .collect();
        if is_load {
            self.requests(&memory, Operation::Load, span);
            let mut loaded = Vec::new();
            for cell in cells {
                let dst = self.temp();
                self.emit(Inst::Read { dst, cell });
                loaded.push(dst);
            }
            for (target, reg) in list.into_iter().zip(loaded) {
                self.give(assembly, target, Value::scalar(scalar, reg));
            }
            return Some(());
        }
        let mut stored = Vec::new();
        for source in list {
            let value = self.operand(assembly, source, scalar)?;
            let from = value.of.scalar().unwrap_or(scalar);
            stored.push(self.same_bits(*value.regs.first()?, from, scalar));
        }
        self.requests(&memory, Operation::Store, span);
        for (src, cell) in stored.into_iter().zip(cells) {
            self.emit(Inst::Write { src, cell });
        }
        Some(())
    }

    /// A register's bits as those of another type of as many.
    fn same_bits(&mut self, reg: u16, from: Scalar, to: Scalar) -> u16 {
        match (from.is_float(), to.is_float()) {
            (true, false) => {
                let bits = self.unary_reg(Unary::ToBits, from, reg);
                self.convert_reg(bits, Scalar::I64, to)
            }
            (false, true) => self.unary_reg(Unary::FromBits, to, reg),
            _ => self.convert_reg(reg, from, to),
        }
    }

    /// An asynchronous copy: it asks for the source as a load does. That it writes shared memory is no request of the
    /// kernel's own; `read` says how many bytes are read, where that is not all.
    pub(in crate::source::lower) fn copy_asynchronously(
        &mut self,
        target: &Memory,
        source: &Memory,
        read: Option<&Value>,
        span: Span,
    ) {
        self.emit(Inst::Fence);
        let (target, source) = (held_back(target), held_back(source));
        let size = read.and_then(|read| read.regs.first().copied());
        match size.map(|reg| (reg, self.known(reg))) {
            Some((_, Some(0))) => {}
            Some((condition, None)) => {
                let scalar = read
                    .and_then(|read| read.of.scalar())
                    .unwrap_or(Scalar::I32);
                let condition = self.convert_reg(condition, scalar, Scalar::Bool);
                let at = self.insts.len();
                self.emit(Inst::If {
                    condition,
                    otherwise: 0,
                });
                self.in_frame(|lower| lower.copied_cells(&target, &source, span));
                self.close_if(at);
            }
            Some((_, Some(_))) | None => self.copied_cells(&target, &source, span),
        }
        let what = Construct::AsyncCopyStore;
        self.say(span, DiagnosticKind::Ignored { what });
        self.emit(Inst::Fence);
    }

    fn copied_cells(&mut self, target: &Memory, source: &Memory, span: Span) {
        let value = self.load(source, span);
        for (leaf, src) in target.of.leaves().iter().zip(&value.regs) {
            let cell = places::cell(target, leaf.offset, &leaf.of);
            self.emit(Inst::Write { src: *src, cell });
        }
    }
}

/// Memory whose accesses stay as they are.
fn held_back(memory: &Memory) -> Memory {
    Memory {
        volatile: true,
        ..memory.clone()
    }
}
