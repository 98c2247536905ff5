//! What every lowering writes to: the kernel, its registers, the instructions of the current row.

use crate::banks::Banks;
use crate::generation::{Generation, Word};
use crate::instruction::{Refused, SassInstruction};
use crate::operand::{File, Kind, Name, Operand as Written, Sum};
use lanescope_ir::{
    BinaryOp, Guard, Instruction, Kernel, Op, Operand, PlaceId, Register, ScalarType,
    SpecialRegister, UnaryOp,
};

/// Bits of the widths that temporaries have.
const WIDTHS: [u8; 5] = [1, 8, 16, 32, 64];

/// The kernel in the making.
pub(crate) struct Builder<'a> {
    /// The kernel.
    pub(crate) kernel: Kernel,
    /// What its constant bank 0 holds.
    pub(crate) generation: Generation,
    /// What its other constant banks hold.
    pub(crate) banks: &'a Banks,
    /// Instructions of the current block.
    pub(crate) instructions: Vec<Instruction>,
    /// The current row's predicate.
    pub(crate) guard: Option<Guard>,
    /// The current row's place.
    pub(crate) place: PlaceId,
    /// The stack pointer at the kernel's entry.
    pub(crate) stack: u32,
    /// Address behind the current row.
    pub(crate) next_address: u64,
    registers: [Vec<Option<Register>>; 4],
    temporaries: [Vec<Register>; 5],
    used: [usize; 5],
    constant_arrays: Vec<(u32, lanescope_ir::ArrayId)>,
    barrier_result: Option<(Register, Register)>,
}

/// A register as an operand.
const fn of(register: Register) -> Operand {
    Operand::Register(register)
}

/// No bits.
pub(crate) const ZERO: Operand = Operand::Constant(0);

impl<'a> Builder<'a> {
    /// An empty kernel.
    pub(crate) fn new(generation: Generation, banks: &'a Banks, stack: u32) -> Self {
        Self {
            kernel: Kernel {
                places: vec![lanescope_ir::Place::default()],
                shared_base: generation.shared_base,
                local_bytes: u64::from(stack),
                ..Kernel::default()
            },
            generation,
            banks,
            instructions: Vec::new(),
            guard: None,
            place: PlaceId(0),
            stack,
            next_address: 0,
            registers: std::array::from_fn(|_| Vec::new()),
            temporaries: std::array::from_fn(|_| Vec::new()),
            used: [0; 5],
            constant_arrays: Vec::new(),
            barrier_result: None,
        }
    }

    /// Temporaries of the row before may be used again.
    pub(crate) fn begin_row(&mut self) {
        self.used = [0; 5];
        self.guard = None;
    }

    /// Appends an instruction.
    pub(crate) fn emit(&mut self, op: Op) {
        self.instructions.push(Instruction {
            guard: self.guard,
            op,
            place: self.place,
        });
    }

    fn declare(&mut self, bits: u8) -> Register {
        let index = u32::try_from(self.kernel.registers.len()).unwrap_or(u32::MAX);
        self.kernel.registers.push(bits);
        Register(index)
    }

    /// A register that only the current row uses.
    pub(crate) fn fresh(&mut self, bits: u32) -> Register {
        let width = WIDTHS
            .iter()
            .position(|width| u32::from(*width) == bits)
            .unwrap_or(WIDTHS.len() - 1);
        let (used, pool) = match (self.used.get_mut(width), self.temporaries.get(width)) {
            (Some(used), Some(pool)) => {
                *used += 1;
                (*used - 1, pool)
            }
            _ => return Register(0),
        };
        if let Some(register) = pool.get(used) {
            return *register;
        }
        let register = self.declare(WIDTHS.get(width).copied().unwrap_or(64));
        if let Some(pool) = self.temporaries.get_mut(width) {
            pool.push(register);
        }
        register
    }

    fn named(&mut self, file: usize, index: u8, bits: u8) -> Register {
        let at = usize::from(index);
        let known = self
            .registers
            .get(file)
            .and_then(|list| list.get(at).copied().flatten());
        if let Some(register) = known {
            return register;
        }
        let register = self.declare(bits);
        if let Some(list) = self.registers.get_mut(file) {
            if list.len() <= at {
                list.resize(at + 1, None);
            }
            if let Some(slot) = list.get_mut(at) {
                *slot = Some(register);
            }
        }
        register
    }

    /// A register of 32 bits; `None` for the zero register.
    pub(crate) fn register(&mut self, name: Name) -> Option<Register> {
        let file = usize::from(name.file == File::Uniform);
        Some(self.named(file, name.index?, 32))
    }

    /// A predicate; `None` for the true one.
    pub(crate) fn predicate(&mut self, name: Name) -> Option<Register> {
        let file = 2 + usize::from(name.file == File::Uniform);
        Some(self.named(file, name.index?, 1))
    }

    /// The register `distance` behind a name, read.
    pub(crate) fn behind(&mut self, name: Name, distance: u8) -> Operand {
        self.behind_register(name, distance).map_or(ZERO, of)
    }

    /// The register `distance` behind a name.
    pub(crate) fn behind_register(&mut self, name: Name, distance: u8) -> Option<Register> {
        let index = name.index?.checked_add(distance)?;
        let (file, index) = (name.file, Some(index));
        self.register(Name { file, index })
    }

    /// The count and the predicate that a barrier's reduction leaves.
    pub(crate) fn barrier_result(&mut self) -> (Register, Register) {
        if let Some(result) = self.barrier_result {
            return result;
        }
        let result = (self.declare(32), self.declare(1));
        self.barrier_result = Some(result);
        result
    }

    /// Writes `op` into a fresh register.
    pub(crate) fn value(&mut self, bits: u32, op: impl FnOnce(Register) -> Op) -> Operand {
        let dst = self.fresh(bits);
        self.emit(op(dst));
        of(dst)
    }

    /// `op a` in a fresh register.
    pub(crate) fn unary(&mut self, op: UnaryOp, ty: ScalarType, a: Operand) -> Operand {
        self.value(ty.bits(), |dst| Op::Unary { op, ty, dst, a })
    }

    /// `a op b` in a fresh register.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Operand {
        let bits = match op {
            BinaryOp::MultiplyWide => 2 * ty.bits(),
            _ => ty.bits(),
        };
        self.value(bits, |dst| Op::Binary { op, ty, dst, a, b })
    }

    /// `dst = a`.
    pub(crate) fn assign(&mut self, dst: Register, ty: ScalarType, a: Operand) {
        let op = UnaryOp::Move;
        self.emit(Op::Unary { op, ty, dst, a });
    }

    /// `predicate ? yes : no` in a fresh register.
    pub(crate) fn select(
        &mut self,
        bits: u32,
        predicate: Operand,
        yes: Operand,
        no: Operand,
    ) -> Operand {
        self.value(bits, |dst| Op::Select {
            dst,
            predicate,
            yes,
            no,
        })
    }

    /// What is not known, in a fresh register.
    pub(crate) fn unknown(&mut self, bits: u32, name: String, src: Vec<Operand>) -> Operand {
        self.value(bits, |dst| Op::Unmodelled {
            name,
            dst: vec![dst],
            src,
            is_pure: true,
        })
    }

    /// A special register of 64 bits as one half of it.
    pub(crate) fn special_half(&mut self, register: SpecialRegister, half: usize) -> Operand {
        let whole = self.value(64, |dst| Op::Special { dst, register });
        self.half(whole, half)
    }

    /// The low (0) or high (1) word of 64 bits.
    pub(crate) fn half(&mut self, whole: Operand, half: usize) -> Operand {
        let dst = self.fresh(32);
        let mut parts = vec![None, None];
        if let Some(slot) = parts.get_mut(half) {
            *slot = Some(dst);
        }
        self.emit(Op::Unpack {
            parts,
            part_bits: 32,
            a: whole,
        });
        of(dst)
    }

    /// Two words as 64 bits.
    pub(crate) fn pack(&mut self, low: Operand, high: Operand) -> Operand {
        match (low, high) {
            (Operand::Constant(low), Operand::Constant(high)) => {
                Operand::Constant((high & 0xffff_ffff) << 32 | (low & 0xffff_ffff))
            }
            _ => self.value(64, |dst| Op::Pack {
                dst,
                parts: vec![low, high],
            }),
        }
    }

    /// A word of a constant bank.
    pub(crate) fn constant(&mut self, bank: Option<u32>, place: &Sum, ty: ScalarType) -> Operand {
        let offset = u32::try_from(place.offset).unwrap_or(0);
        let index = self.sum_of(&place.terms);
        if bank == Some(0) {
            return self.launch_word(offset, index, ty);
        }
        if let Some(bank) = bank.filter(|bank| !self.banks.pieces(*bank).is_empty()) {
            if index.is_none()
                && !self.banks.has_variables(bank)
                && let Some(bytes) = self.banks.bytes(bank, offset, ty.bytes())
                && let Some(bits) = read_bits(bytes, ty)
            {
                return Operand::Constant(bits);
            }
            return self.bank_load(bank, offset, index, ty);
        }
        let name = match bank {
            Some(bank) => format!("c[{bank:#x}][{offset:#x}]"),
            None => "cx[]".to_owned(),
        };
        self.unknown(ty.bits().max(32), name, index.into_iter().collect())
    }

    /// Reads constant bank 0.
    fn launch_word(&mut self, offset: u32, index: Option<Operand>, ty: ScalarType) -> Operand {
        let bits = ty.bits().max(32);
        match (self.generation.word(offset), index) {
            (Word::Parameter(offset), index) => self.value(bits, |dst| Op::Parameter {
                ty,
                dst,
                offset,
                index,
            }),
            (Word::Stack, None) => Operand::Constant(self.stack.into()),
            (Word::Special(register), None) if ty.bits() >= 32 => match register {
                SpecialRegister::SharedWindow | SpecialRegister::LocalWindow if bits == 32 => {
                    self.special_half(register, 0)
                }
                SpecialRegister::SharedWindow | SpecialRegister::LocalWindow => {
                    self.value(64, |dst| Op::Special { dst, register })
                }
                _ if bits == 64 => {
                    let low = self.value(32, |dst| Op::Special { dst, register });
                    let high = self.launch_word(offset.saturating_add(4), None, ScalarType::U32);
                    self.pack(low, high)
                }
                _ => self.value(32, |dst| Op::Special { dst, register }),
            },
            (Word::HighHalf(register), None) if bits == 32 => self.special_half(register, 1),
            _ => {
                let name = format!("c[0x0][{offset:#x}]");
                self.unknown(bits, name, index.into_iter().collect())
            }
        }
    }

    /// Loads from a bank of which something is known; the rest of it holds what nobody gave.
    fn bank_load(
        &mut self,
        bank: u32,
        offset: u32,
        index: Option<Operand>,
        ty: ScalarType,
    ) -> Operand {
        let array = self.constant_array(bank);
        let site = self.site(crate::site::SiteForm {
            text: format!("c[{bank:#x}]"),
            space: lanescope_ir::AddressSpace::Constant,
            operation: lanescope_model::Operation::Load,
            element: ty,
            bytes: ty.bytes(),
            is_read_only: true,
            array: Some(array),
        });
        let dst = self.fresh(ty.bits().max(32));
        self.emit(Op::Load {
            dst: vec![Some(dst)],
            address: lanescope_ir::Address {
                base: Operand::Constant(bank_base(bank)),
                index,
                offset: i64::from(offset),
            },
            site,
        });
        of(dst)
    }

    fn constant_array(&mut self, bank: u32) -> lanescope_ir::ArrayId {
        let known = self
            .constant_arrays
            .iter()
            .find(|(known, _)| *known == bank);
        if let Some((_, array)) = known {
            return *array;
        }
        let id = lanescope_ir::ArrayId(u32::try_from(self.kernel.arrays.len()).unwrap_or(u32::MAX));
        self.kernel.arrays.push(lanescope_ir::Array {
            name: format!("c[{bank:#x}]"),
            place: PlaceId(0),
            space: lanescope_ir::AddressSpace::Constant,
            element: String::new(),
            element_bytes: 1,
            header_bytes: 0,
            extents: Vec::new(),
            // Of the bytes between the pieces nothing is known, not that they are zero.
            bytes: None,
            alignment: 256,
            base: bank_base(bank),
            is_restrict: false,
            initial: self.banks.pieces(bank).to_vec(),
        });
        self.constant_arrays.push((bank, id));
        id
    }

    /// Registers of a sum as one word; `None` where there is none.
    fn sum_of(&mut self, terms: &[crate::operand::Term]) -> Option<Operand> {
        let mut total = None;
        for term in terms {
            let Some(register) = self.register(term.name) else {
                continue;
            };
            let value = self.shifted(of(register), term.shift);
            total = Some(match total {
                None => value,
                Some(sum) => self.binary(BinaryOp::Add, ScalarType::U32, sum, value),
            });
        }
        total
    }

    /// `value << shift`.
    pub(crate) fn shifted(&mut self, value: Operand, shift: u8) -> Operand {
        if shift == 0 {
            return value;
        }
        let amount = Operand::Constant(shift.into());
        self.binary(BinaryOp::ShiftLeft, ScalarType::U32, value, amount)
    }

    /// Bits of an operand of 32 bits, without its signs.
    pub(crate) fn bits(&mut self, written: &Written<'_>) -> Result<Operand, Refused> {
        Ok(match &written.kind {
            Kind::Register(name) => self.register(*name).map_or(ZERO, of),
            Kind::Integer(value) => Operand::Constant(value.cast_unsigned() & 0xffff_ffff),
            Kind::Number(value) => Operand::Constant(u64::from(single(*value).to_bits())),
            Kind::Constant(bank, place) => self.constant(*bank, place, ScalarType::U32),
            Kind::Code(label) | Kind::Word(label) => {
                Operand::Constant(self.banks.code_word(label).ok_or(Refused)? & 0xffff_ffff)
            }
            Kind::Predicate(_) | Kind::Barrier(_) | Kind::Memory(_) => return Err(Refused),
        })
    }

    /// An operand of 32 bits as an integer.
    pub(crate) fn word(&mut self, written: &Written<'_>) -> Result<Operand, Refused> {
        let mut value = self.bits(written)?;
        let ty = ScalarType::I32;
        if !matches!(written.suffix, "" | ".reuse" | ".64" | ".U32" | ".S32") {
            value = self.part(value, written.suffix, ScalarType::U8, ScalarType::U16)?;
        }
        if written.absolute {
            value = self.unary(UnaryOp::Abs, ty, value);
        }
        if written.inverted {
            value = self.folded(UnaryOp::Not, value);
        }
        if written.negated {
            value = self.folded(UnaryOp::Negate, value);
        }
        Ok(value)
    }

    /// Complement or negation of a word.
    fn folded(&mut self, op: UnaryOp, value: Operand) -> Operand {
        match (op, value) {
            (UnaryOp::Not, Operand::Constant(bits)) => Operand::Constant(!bits & 0xffff_ffff),
            (UnaryOp::Negate, Operand::Constant(bits)) => {
                Operand::Constant(bits.wrapping_neg() & 0xffff_ffff)
            }
            _ => self.unary(op, ScalarType::I32, value),
        }
    }

    /// A byte (`.B1`) or half (`.H1`) of a word, extended as the types say.
    pub(crate) fn part(
        &mut self,
        value: Operand,
        suffix: &str,
        byte: ScalarType,
        half: ScalarType,
    ) -> Result<Operand, Refused> {
        let (ty, number) = match suffix {
            ".B0" => (byte, 0),
            ".B1" => (byte, 1),
            ".B2" => (byte, 2),
            ".B3" => (byte, 3),
            ".H0" | ".H0_H0" => (half, 0),
            ".H1" | ".H1_H1" => (half, 1),
            _ => return Err(Refused),
        };
        let word = if ty.is_signed() {
            ScalarType::I32
        } else {
            ScalarType::U32
        };
        let position = Operand::Constant(u64::from(number * ty.bits()));
        let length = Operand::Constant(ty.bits().into());
        Ok(self.value(32, |dst| Op::Ternary {
            op: lanescope_ir::TernaryOp::BitFieldExtract,
            ty: word,
            dst,
            a: value,
            b: position,
            c: length,
        }))
    }

    /// An operand of 64 bits as an integer; an immediate of 32 bits is zero-extended, one with a sign sign-extended.
    pub(crate) fn pair(&mut self, written: &Written<'_>) -> Result<Operand, Refused> {
        let value = match &written.kind {
            Kind::Register(name) => {
                let (low, high) = (self.behind(*name, 0), self.behind(*name, 1));
                self.pack(low, high)
            }
            Kind::Integer(value) => Operand::Constant(value.cast_unsigned()),
            Kind::Constant(bank, place) => self.constant(*bank, place, ScalarType::U64),
            Kind::Number(_)
            | Kind::Predicate(_)
            | Kind::Barrier(_)
            | Kind::Memory(_)
            | Kind::Code(_)
            | Kind::Word(_) => return Err(Refused),
        };
        let value = match written.inverted {
            true => self.unary(UnaryOp::Not, ScalarType::I64, value),
            false => value,
        };
        Ok(match written.negated {
            true => self.unary(UnaryOp::Negate, ScalarType::I64, value),
            false => value,
        })
    }

    /// Applies an operand's signs as floating point.
    fn signed(&mut self, written: &Written<'_>, ty: ScalarType, value: Operand) -> Operand {
        let value = match written.absolute {
            true => self.unary(UnaryOp::Abs, ty, value),
            false => value,
        };
        match written.negated {
            true => self.unary(UnaryOp::Negate, ty, value),
            false => value,
        }
    }

    /// An operand as a 32-bit float.
    pub(crate) fn float(&mut self, written: &Written<'_>) -> Result<Operand, Refused> {
        let value = self.bits(written)?;
        Ok(self.signed(written, ScalarType::F32, value))
    }

    /// An operand as a 64-bit float; an immediate stands for the whole.
    pub(crate) fn double(&mut self, written: &Written<'_>) -> Result<Operand, Refused> {
        let value = match &written.kind {
            Kind::Number(value) => Operand::Constant(value.to_bits()),
            Kind::Register(name) => {
                let (low, high) = (self.behind(*name, 0), self.behind(*name, 1));
                self.pack(low, high)
            }
            Kind::Constant(bank, place) => self.constant(*bank, place, ScalarType::U64),
            _ => return Err(Refused),
        };
        Ok(self.signed(written, ScalarType::F64, value))
    }

    /// A predicate that is read.
    pub(crate) fn condition(&mut self, written: &Written<'_>) -> Result<Operand, Refused> {
        let Kind::Predicate(name) = written.kind else {
            return Err(Refused);
        };
        Ok(match (self.predicate(name), written.inverted) {
            (None, inverted) => Operand::Constant((!inverted).into()),
            (Some(register), false) => of(register),
            (Some(register), true) => self.unary(UnaryOp::Not, ScalarType::Bool, of(register)),
        })
    }

    /// A register that is written; a temporary where the value is dropped.
    pub(crate) fn destination(&mut self, written: &Written<'_>) -> Result<Register, Refused> {
        let Kind::Register(name) = written.kind else {
            return Err(Refused);
        };
        Ok(match self.register(name) {
            Some(register) => register,
            None => self.fresh(32),
        })
    }

    /// A predicate that is written; `None` where the value is dropped.
    pub(crate) fn target(&mut self, written: &Written<'_>) -> Result<Option<Register>, Refused> {
        match written.kind {
            Kind::Predicate(name) => Ok(self.predicate(name)),
            _ => Err(Refused),
        }
    }

    /// Writes 64 bits to a pair.
    pub(crate) fn write_pair(
        &mut self,
        written: &Written<'_>,
        value: Operand,
    ) -> Result<(), Refused> {
        let Kind::Register(name) = written.kind else {
            return Err(Refused);
        };
        let parts = vec![self.behind_register(name, 0), self.behind_register(name, 1)];
        if parts.iter().any(Option::is_some) {
            self.emit(Op::Unpack {
                parts,
                part_bits: 32,
                a: value,
            });
        }
        Ok(())
    }

    /// Writes predicates at the end of a row, so that none is changed before all are computed.
    pub(crate) fn write_predicates(&mut self, list: &[(Option<Register>, Operand)]) {
        let guard = self.guard;
        for (dst, value) in list {
            let Some(dst) = *dst else { continue };
            self.assign(dst, ScalarType::Bool, *value);
        }
        self.guard = guard;
    }

    /// Everything that the row may read, for what is not modelled.
    pub(crate) fn reads(&mut self, instruction: &SassInstruction<'_>) -> Vec<Operand> {
        let mut list = Vec::new();
        for written in &instruction.operands {
            match &written.kind {
                Kind::Register(name) => list.extend(self.register(*name).map(of)),
                Kind::Predicate(name) => list.extend(self.predicate(*name).map(of)),
                Kind::Memory(sum) | Kind::Constant(_, sum) => {
                    for term in &sum.terms {
                        list.extend(self.register(term.name).map(of));
                    }
                }
                Kind::Barrier(_)
                | Kind::Integer(_)
                | Kind::Number(_)
                | Kind::Code(_)
                | Kind::Word(_) => {}
            }
        }
        list
    }
}

/// The nearest 32-bit float.
#[allow(clippy::cast_possible_truncation)]
const fn single(value: f64) -> f32 {
    value as f32
}

/// Where a bank lies among the bytes of all banks: each has 64 KiB.
fn bank_base(bank: u32) -> u64 {
    u64::from(bank) << 16
}

/// A bank's bytes as bits of a type.
fn read_bits(bytes: &[u8], ty: ScalarType) -> Option<u64> {
    let mut word = [0; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let bits = u64::from_le_bytes(word);
    let shift = 64 - ty.bits();
    Some(if ty.is_signed() {
        ((bits << shift).cast_signed() >> shift).cast_unsigned() & 0xffff_ffff
    } else {
        bits
    })
}
