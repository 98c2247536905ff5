//! What every lowering writes to: the kernel, its registers, the instructions of the current row.

mod constant;
mod operand;

use lanescope_ir::{
    BinaryOp, Guard, Instruction, Kernel, Op, Operand, PlaceId, Register, ScalarType,
    SpecialRegister, UnaryOp,
};

use crate::banks::Banks;
use crate::generation::Generation;
use crate::operand::{File, Name};

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
        let bits = op.result_bits(ty);
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

    /// A value as 64 bits; one of 32 is extended with zeros.
    pub(crate) fn widened(&mut self, value: Operand) -> Operand {
        let bits = value
            .register()
            .and_then(|register| self.kernel.registers.get(register.index()));
        match bits {
            Some(32) => self.pack(value, Operand::Constant(0)),
            _ => value,
        }
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
}
