//! Inline assembly's accesses of memory.

use super::super::{Lower, Memory, Value};
use super::Assembly;
use super::instruction::{Instruction, inside};
use crate::source::ctype::{Target, Type};
use crate::source::lower::atomics::Rmw;
use crate::source::lower::copies::{self, CopyForm};
use crate::source::lower::registers::{BuiltinValue, Reg};
use lanescope_frontend::Span;
use lanescope_ir::{AddressSpace, BinaryOp, Op, ScalarType};
use lanescope_model::{Operation, Space, Width};
use lanescope_syntax::scalar::Scalar;
use std::rc::Rc;

/// Half of a 64-bit address: that in its window.
const IN_WINDOW: i64 = 0xffff_ffff;

/// What `atom` and `red` do, by the part of their name that says so.
const ASSEMBLED: [(&str, Rmw); 10] = [
    ("add", Rmw::Add),
    ("exch", Rmw::Exchange),
    ("min", Rmw::Minimum),
    ("max", Rmw::Maximum),
    ("and", Rmw::And),
    ("or", Rmw::Or),
    ("xor", Rmw::Xor),
    ("inc", Rmw::Increment),
    ("dec", Rmw::Decrement),
    ("cas", Rmw::CompareAndSwap),
];

impl Lower<'_> {
    /// The memory at `[base + offset]`.
    pub(super) fn assembled_memory(
        &mut self,
        assembly: &Assembly<'_>,
        text: &str,
        ty: Type,
        space: Space,
    ) -> Option<Memory> {
        let text = inside(text).first().copied()?;
        let (base, offset) = text.split_once('+').unwrap_or((text, "0"));
        let value = self.operand(assembly, base, Scalar::U64)?;
        let offset = self.operand(assembly, offset, Scalar::I64)?;
        let offset = offset.regs.first().and_then(|reg| self.known(*reg))?;
        let reg = *value.regs.first()?;
        let (address, target) = match &value.ty {
            Type::Pointer(pointer) => (reg, pointer.target),
            _ if space == Space::Shared => (self.in_shared_window(reg)?, Target::Within(space)),
            _ => (reg, Target::Within(space)),
        };
        Some(Memory {
            offset,
            volatile: true,
            ..Memory::at(ty, address, target)
        })
    }

    /// The generic address of a place in shared memory that is a number of 32 bits.
    fn in_shared_window(&mut self, reg: Reg) -> Option<Reg> {
        let array = self
            .arrays
            .iter()
            .position(|array| array.space == AddressSpace::Shared)?;
        let id = lanescope_frontend::ArrayId(u32::try_from(array).ok()?);
        let within = self.builtin_value(BuiltinValue::Array(id));
        let (high, low) = (self.constant(!IN_WINDOW), self.constant(IN_WINDOW));
        let window = self.binary_reg(BinaryOp::And, Scalar::I64, within, high);
        let low = self.binary_reg(BinaryOp::And, Scalar::I64, reg, low);
        Some(self.binary_reg(BinaryOp::Or, Scalar::I64, window, low))
    }

    /// `cp.async [to], [from], bytes {, source bytes or predicate} {, policy}`.
    pub(super) fn assembled_copy(
        &mut self,
        assembly: &Assembly<'_>,
        instruction: &Instruction<'_>,
        span: Span,
    ) -> Option<()> {
        let [to, from, bytes, rest @ ..] = &instruction.arguments[..] else {
            return None;
        };
        let bytes = self.operand(assembly, bytes, Scalar::I64)?;
        let bytes = bytes.regs.first().and_then(|reg| self.known(*reg))?;
        let bytes = u8::try_from(bytes).ok()?;
        if !matches!(bytes, 4 | 8 | 16) {
            return None;
        }
        let ty = copies::raw(u64::from(bytes));
        let target = self.assembled_memory(assembly, to, ty.clone(), Space::Shared)?;
        let source = self.assembled_memory(assembly, from, ty, Space::Global)?;
        let policies = usize::from(instruction.has("L2::cache_hint"));
        let source_bytes = match rest.first().filter(|_| rest.len() > policies) {
            Some(size) => Some(self.source_bytes(assembly, size, bytes)?),
            None => None,
        };
        let form = CopyForm {
            bytes,
            source_bytes,
            bypasses_l1: instruction.has("cg"),
        };
        self.copy_asynchronously(&target, &source, &form, span);
        Some(())
    }

    /// Bytes that are read: a number, or none where a predicate says that the source is not to be looked at.
    fn source_bytes(&mut self, assembly: &Assembly<'_>, text: &str, bytes: u8) -> Option<Reg> {
        let (name, negated) = match text.trim().strip_prefix('!') {
            Some(name) => (name, true),
            None => (text, false),
        };
        let value = self.operand(assembly, name, Scalar::U32)?;
        let reg = *value.regs.first()?;
        if value.ty.scalar() != Some(Scalar::Bool) {
            return (!negated).then_some(reg);
        }
        let (none, all) = (self.constant(0), self.constant(i64::from(bytes)));
        let sizes = if negated { (all, none) } else { (none, all) };
        Some(self.select_reg(Scalar::U32, reg, sizes))
    }

    /// `ldmatrix` and `stmatrix` of 8 x 8 elements of 16 bits.
    pub(super) fn assembled_matrix(
        &mut self,
        assembly: &mut Assembly<'_>,
        instruction: &Instruction<'_>,
        span: Span,
    ) -> Option<()> {
        let matrices = match () {
            () if !instruction.has("m8n8") || !instruction.has("b16") => return None,
            () if instruction.has("x1") => 1,
            () if instruction.has("x2") => 2,
            () if instruction.has("x4") => 4,
            () => return None,
        };
        let is_load = instruction.name() == "ldmatrix";
        let (list, address) = if is_load { (0, 1) } else { (1, 0) };
        let list = inside(instruction.arguments.get(list)?);
        let address = instruction.arguments.get(address)?;
        if list.len() != usize::from(matrices) {
            return None;
        }
        let ty = Type::Scalar(Scalar::U32);
        let memory = self.assembled_memory(assembly, address, ty, Space::Shared)?;
        let mut src = Vec::new();
        if !is_load {
            for source in &list {
                let value = self.operand(assembly, source, Scalar::U32)?;
                src.push(self.operand_of(*value.regs.first()?, ScalarType::U32));
            }
        }
        self.check(&memory, span);
        self.stand_at(span);
        let operation = if is_load {
            Operation::MatrixLoad { matrices }
        } else {
            Operation::MatrixStore { matrices }
        };
        let site = self.site(span, &memory, operation, Width::Bytes16);
        let site = self.shared_site(site, ScalarType::U16);
        let address = self.shared_address(&memory);
        let transposed = instruction.has("trans");
        if is_load {
            let mut dst = Vec::new();
            for _ in &list {
                dst.push(self.builder.register(ScalarType::U32));
            }
            self.emit(Op::MatrixLoad {
                dst: dst.clone(),
                address,
                transposed,
                site,
            });
            for (target, register) in list.into_iter().zip(dst) {
                let reg = self.operand_value(ScalarType::U32, register.into());
                self.give_operand(assembly, target, Value::scalar(Scalar::U32, reg));
            }
        } else {
            self.emit(Op::MatrixStore {
                src,
                address,
                transposed,
                site,
            });
        }
        self.stand_nowhere();
        Some(())
    }

    /// `mbarrier`, `cp.async.mbarrier.arrive`: what stands before the address is written. A test or wait finds its phase
    /// complete.
    pub(super) fn assembled_object_barrier(
        &mut self,
        assembly: &mut Assembly<'_>,
        instruction: &Instruction<'_>,
        span: Span,
    ) -> Option<()> {
        let mut arguments = instruction.arguments.iter();
        let Some(at) = arguments.position(|argument| argument.starts_with('[')) else {
            // What a state token holds is not followed.
            let reads_token = instruction.has("pending_count");
            return reads_token.then(|| self.give_opaque(assembly, instruction));
        };
        let tests = instruction.has("test_wait") || instruction.has("try_wait");
        let ty = Type::Scalar(Scalar::U64);
        let memory =
            self.assembled_memory(assembly, instruction.arguments.get(at)?, ty, Space::Shared)?;
        let used = instruction.arguments.iter().skip(at + 1);
        let used: Vec<Value> = used
            .filter_map(|source| self.operand(assembly, source, Scalar::U32))
            .collect();
        self.use_all(&used);
        let expected = used.first().filter(|_| instruction.has("expect_tx"));
        let expected = expected.and_then(|bytes| bytes.regs.first());
        let expected_bytes = expected.map(|bytes| self.operand_of(*bytes, ScalarType::U32));
        self.stand_at(span);
        let address = self.shared_address(&memory);
        let written = instruction.arguments.first().filter(|_| at > 0);
        let written = written.filter(|target| **target != "_");
        if tests {
            let done = self.builder.register(ScalarType::Bool);
            self.emit(Op::ObjectBarrier {
                done: Some(done),
                state: None,
                address,
                expected_bytes: None,
            });
            if let Some(target) = written {
                let holds = self.whole(1, Scalar::Bool);
                self.give_operand(assembly, target, holds);
            }
        } else {
            let state = written.map(|_| self.builder.register(ScalarType::U64));
            self.emit(Op::ObjectBarrier {
                done: None,
                state,
                address,
                expected_bytes,
            });
            if let (Some(target), Some(state)) = (written, state) {
                let reg = self.operand_value(ScalarType::U64, state.into());
                self.give_operand(assembly, target, Value::scalar(Scalar::U64, reg));
            }
        }
        self.stand_nowhere();
        Some(())
    }

    /// `cp.async.bulk` and its kin, and `wgmma`, which reads matrices from shared memory by descriptor: no warp's request.
    pub(super) fn assembled_bulk(
        &mut self,
        assembly: &mut Assembly<'_>,
        instruction: &Instruction<'_>,
        span: Span,
    ) -> Option<()> {
        if instruction.has("prefetch") {
            return Some(());
        }
        let is_product = instruction.name() == "wgmma";
        let (written, read) = if is_product {
            instruction
                .arguments
                .split_first()
                .map(|(first, rest)| (inside(first), rest))?
        } else {
            (Vec::new(), &instruction.arguments[..])
        };
        let mut addresses = Vec::new();
        let sources = read.iter().flat_map(|argument| inside(argument));
        let sources: Vec<&str> = written.iter().copied().chain(sources).collect();
        for source in sources.iter().flat_map(|source| inside(source)) {
            let name = source.split('+').next().unwrap_or(source);
            for reg in self
                .operand(assembly, name, Scalar::U64)
                .map(|value| value.regs)
                .unwrap_or_default()
            {
                let ty = self.own_type(reg);
                addresses.push(self.operand_of(reg, ty));
            }
        }
        let writes_global = instruction.has("global")
            && instruction.position("global") < instruction.position_of_shared();
        let operation = if is_product || writes_global {
            Operation::Load
        } else {
            Operation::Store
        };
        let ty = Type::Scalar(instruction.scalar().unwrap_or(Scalar::F32));
        let mut dst = Vec::new();
        for _ in &written {
            dst.push(self.builder.register(ScalarType::U32));
        }
        let size = match (writes_global, instruction.arguments.get(2)) {
            // A tensor's box is in its map.
            (true, _) if instruction.has("tensor") => {
                Some(self.opaque(&Type::Scalar(Scalar::U32), &[]))
            }
            (true, Some(size)) => self.operand(assembly, size, Scalar::U32),
            (true, None) | (false, _) => None,
        };
        let size = size.and_then(|size| size.regs.first().copied());
        let bytes = size.map(|size| self.operand_of(size, ScalarType::U32));
        self.bulk_access(None, operation, (addresses, dst.clone()), bytes, span);
        for (target, register) in written.into_iter().zip(dst) {
            let reg = self.operand_value(ScalarType::U32, register.into());
            let reg = match ty.scalar() {
                Some(Scalar::F32 | Scalar::F16) => self.float_reg(Scalar::F32, reg),
                _ => reg,
            };
            self.give_operand(
                assembly,
                target,
                Value {
                    ty: ty.clone(),
                    regs: vec![reg],
                },
            );
        }
        Some(())
    }

    /// `ld` and `st`.
    pub(super) fn assembled_access(
        &mut self,
        assembly: &mut Assembly<'_>,
        instruction: &Instruction<'_>,
        span: Span,
    ) -> Option<()> {
        if instruction.has("local")
            || instruction.has("param")
            || instruction.has("shared::cluster")
        {
            return None;
        }
        let scalar = instruction.scalar()?;
        let count = match () {
            () if instruction.has("v2") => 2,
            () if instruction.has("v4") => 4,
            () => 1,
        };
        let is_load = instruction.name() != "st";
        let (list, address) = if is_load { (0, 1) } else { (1, 0) };
        let list = inside(instruction.arguments.get(list)?);
        let address = instruction.arguments.get(address)?;
        if list.len() != count {
            return None;
        }
        let space = instruction.space().unwrap_or(Space::Global);
        let bytes = scalar.bytes().saturating_mul(count as u64);
        let whole = copies::raw(bytes);
        let mut memory = self.assembled_memory(assembly, address, whole, space)?;
        if instruction.has("const") {
            return None;
        }
        memory.read_only |= instruction.has("nc");
        // Whatever its elements are, the whole is one access.
        let element = Rc::new(Type::Scalar(scalar));
        let elements = Memory {
            ty: Type::Array(element, count as u64),
            ..memory.clone()
        };
        if is_load {
            let pieces = self.requests(&memory, Operation::Load, span);
            let loaded = self.loaded(&elements, &pieces, span);
            for (target, reg) in list.into_iter().zip(loaded) {
                self.give_operand(assembly, target, Value::scalar(scalar, reg));
            }
            return Some(());
        }
        let mut stored = Vec::new();
        for source in list {
            let value = self.operand(assembly, source, scalar)?;
            let from = value.ty.scalar().unwrap_or(scalar);
            stored.push(self.same_bits(*value.regs.first()?, from, scalar));
        }
        let pieces = self.requests(&memory, Operation::Store, span);
        self.stored(&elements, &pieces, &stored, span);
        Some(())
    }

    /// `atom` and `red` of one number, of whatever order and scope.
    pub(super) fn assembled_atomic(
        &mut self,
        assembly: &mut Assembly<'_>,
        instruction: &Instruction<'_>,
        span: Span,
    ) -> Option<()> {
        let is_vector = ["v2", "v4", "v8", "local", "param", "shared::cluster"];
        if is_vector.iter().any(|part| instruction.has(part)) {
            return None;
        }
        let (_, rmw) = ASSEMBLED.iter().find(|(part, _)| instruction.has(part))?;
        let scalar = instruction.scalar()?;
        if scalar == Scalar::F16 {
            return None;
        }
        let gives = instruction.name() == "atom";
        let address = instruction.arguments.get(usize::from(gives))?;
        let space = instruction.space().unwrap_or(Space::Global);
        let memory = self.assembled_memory(assembly, address, Type::Scalar(scalar), space)?;
        let mut operands = Vec::new();
        for source in instruction.arguments.iter().skip(1 + usize::from(gives)) {
            let value = self.operand(assembly, source, scalar)?;
            let from = value.ty.scalar().unwrap_or(scalar);
            operands.push(self.same_bits(*value.regs.first()?, from, scalar));
        }
        let wanted = 1 + usize::from(*rmw == Rmw::CompareAndSwap);
        if operands.len() != wanted {
            return None;
        }
        let old = self.atomic_at(&memory, *rmw, &operands, !gives, span);
        if gives {
            let target = instruction.arguments.first()?;
            if space == Space::Global && (instruction.has("acquire") || instruction.has("acq_rel"))
            {
                // It waits for the old value, though nobody asks for it.
                self.use_all(std::slice::from_ref(&old));
            }
            self.give_operand(assembly, target, old);
        }
        Some(())
    }

    /// A register's bits as those of another type of as many.
    fn same_bits(&mut self, reg: Reg, from: Scalar, to: Scalar) -> Reg {
        match (from.is_float(), to.is_float()) {
            (true, false) => {
                let bits = self.bits_reg(from, reg);
                self.convert_reg(bits, Scalar::I64, to)
            }
            (false, true) => self.float_reg(to, reg),
            _ => self.convert_reg(reg, from, to),
        }
    }
}
