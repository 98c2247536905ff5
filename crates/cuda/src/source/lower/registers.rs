//! Values of the program: what each holds, and the operations that make one of others.

use super::{Lower, Value};
use lanescope_frontend::ArrayId;
use lanescope_ir::{BinaryOp, Op, Operand, Register, ScalarType, SpecialRegister, UnaryOp, eval};
use lanescope_syntax::scalar::Scalar;

/// A scalar value: a constant, or a register of the kernel. Its index among those of the program.
pub(super) type Reg = u16;

/// What a scalar value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// Always this: an integer, or the bits of an `f64`.
    Constant(i64),
    /// What a register holds, whose bits are of this type.
    Register(Register, ScalarType),
}

/// A value that is the same from the kernel's beginning to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum BuiltinValue {
    Constant(i64),
    BlockDim(u8),
    GridDim(u8),
    BlockIdx(u8),
    WarpLanes,
    ThreadIdx(u8),
    /// `threadIdx` without dimensions: x runs fastest.
    ThreadRank,
    Lane,
    Warp,
    /// The value of a scalar parameter.
    Parameter(u16),
    /// The address that a pointer parameter holds, or an array's first byte.
    Array(ArrayId),
    /// First byte of a local array.
    Local(u32),
    /// The value of an expression's variable.
    Variable(u16),
}

/// The type in the intermediate representation.
pub(crate) const fn scalar_type(scalar: Scalar) -> ScalarType {
    match scalar {
        Scalar::Bool => ScalarType::Bool,
        Scalar::I8 | Scalar::SignedChar => ScalarType::I8,
        Scalar::U8 => ScalarType::U8,
        Scalar::I16 => ScalarType::I16,
        Scalar::U16 => ScalarType::U16,
        Scalar::I32 => ScalarType::I32,
        Scalar::U32 => ScalarType::U32,
        Scalar::I64 => ScalarType::I64,
        Scalar::U64 => ScalarType::U64,
        Scalar::F16 => ScalarType::F16,
        Scalar::F32 => ScalarType::F32,
        Scalar::F64 => ScalarType::F64,
    }
}

/// A constant as bits of a type.
fn constant_bits(value: i64, ty: ScalarType) -> Operand {
    let bits = value.cast_unsigned();
    Operand::Constant(match ty {
        ScalarType::Bool => u64::from(value != 0),
        _ if ty.is_float() => eval::from_f64(ty, f64::from_bits(bits)),
        _ => bits & ty.mask(),
    })
}

impl Lower<'_> {
    fn hold(&mut self, held: Held, passing: bool) -> Reg {
        let reg = Reg::try_from(self.held.len()).unwrap_or(Reg::MAX);
        if reg == Reg::MAX {
            self.too_large();
            return Reg::MAX - 1;
        }
        self.held.push(held);
        self.passing.push(passing);
        reg
    }

    /// Whether a register is a variable's, so that it can be assigned to.
    pub(super) fn is_variable(&self, reg: Reg) -> bool {
        self.known(reg).is_none() && self.passing.get(usize::from(reg)) == Some(&false)
    }

    /// A register that keeps its value from statement to statement.
    pub(super) fn kept(&mut self, scalar: Scalar) -> Reg {
        let ty = scalar_type(scalar);
        let register = self.builder.register(ty);
        self.hold(Held::Register(register, ty), false)
    }

    /// A value that an operation gives as a `ty`.
    pub(super) fn define(&mut self, ty: ScalarType, op: impl FnOnce(Register) -> Op) -> Reg {
        let register = self.builder.register(ty);
        self.emit(op(register));
        self.hold(Held::Register(register, ty), true)
    }

    /// A value that is there as an operand of type `ty`.
    pub(super) fn operand_value(&mut self, ty: ScalarType, operand: Operand) -> Reg {
        match operand {
            Operand::Register(register) => self.hold(Held::Register(register, ty), true),
            Operand::Constant(_) => self.define(ty, |dst| Op::Unary {
                op: UnaryOp::Move,
                ty,
                dst,
                a: operand,
            }),
        }
    }

    /// A value, read as `from`, as a `to` in a register of its own.
    pub(super) fn converted_value(&mut self, src: Reg, from: ScalarType, to: ScalarType) -> Reg {
        let a = self.operand_of(src, from);
        let register = self.builder.register(to);
        if self.has_room() {
            self.builder.assign(from, to, register, a);
        }
        self.hold(Held::Register(register, to), true)
    }

    /// The same value in a register of its own, which later assignments leave alone.
    pub(super) fn copy(&mut self, src: Reg, scalar: Scalar) -> Reg {
        let ty = match self.content(src) {
            Held::Constant(_) => scalar_type(scalar),
            Held::Register(_, ty) => ty,
        };
        self.converted_value(src, ty, ty)
    }

    /// Gives a variable's register a value, for the lanes that are on.
    pub(super) fn give(&mut self, dst: Reg, src: Reg) {
        let Held::Register(register, to) = self.content(dst) else {
            return;
        };
        match self.content(src) {
            Held::Constant(value) => {
                let a = constant_bits(value, to);
                self.builder.assign(to, to, register, a);
            }
            Held::Register(a, from) => self.builder.assign(from, to, register, a.into()),
        }
    }

    /// A variable's register holds nothing that a line wrote.
    pub(super) fn leave_undefined(&mut self, dst: Reg) {
        if let Held::Register(dst, _) = self.content(dst) {
            self.emit(Op::Undefined { dst });
        }
    }

    pub(super) fn content(&self, reg: Reg) -> Held {
        let held = self.held.get(usize::from(reg)).copied();
        held.unwrap_or(Held::Constant(0))
    }

    /// A value as an operand of type `ty`.
    pub(super) fn operand_of(&mut self, reg: Reg, ty: ScalarType) -> Operand {
        match self.content(reg) {
            Held::Constant(value) => constant_bits(value, ty),
            Held::Register(register, held) => self.builder.convert(held, ty, register.into()),
        }
    }

    /// The type that a value is read as where an operation does not say.
    pub(super) fn own_type(&self, reg: Reg) -> ScalarType {
        match self.content(reg) {
            Held::Constant(_) => ScalarType::I64,
            Held::Register(_, ty) => ty,
        }
    }

    /// Adds an operation to the kernel, as far as it is not too large.
    pub(super) fn emit(&mut self, op: Op) {
        if self.has_room() {
            self.builder.emit(op);
        }
    }

    pub(super) fn builtin_value(&mut self, builtin: BuiltinValue) -> Reg {
        if let Some(reg) = self.registers_of.get(&builtin) {
            return *reg;
        }
        let held = match builtin {
            BuiltinValue::Constant(value) => Held::Constant(value),
            BuiltinValue::Parameter(at) => self.parameter_read(at),
            BuiltinValue::Local(base) => self.local_address(base),
            BuiltinValue::BlockDim(axis) => self.special(SpecialRegister::BlockSize(axis)),
            BuiltinValue::GridDim(axis) => self.special(SpecialRegister::GridSize(axis)),
            BuiltinValue::BlockIdx(axis) => self.special(SpecialRegister::BlockIndex(axis)),
            BuiltinValue::WarpLanes => self.special(SpecialRegister::WarpSize),
            BuiltinValue::ThreadIdx(axis) => self.special(SpecialRegister::ThreadIndex(axis)),
            BuiltinValue::ThreadRank => self.special(SpecialRegister::LinearThreadIndex),
            BuiltinValue::Lane => self.special(SpecialRegister::Lane),
            BuiltinValue::Warp => self.special(SpecialRegister::Warp),
            BuiltinValue::Array(id) => {
                let register = SpecialRegister::ArrayAddress(lanescope_ir::ArrayId(id.0));
                self.special_as(ScalarType::U64, register)
            }
            BuiltinValue::Variable(at) => {
                self.special_as(ScalarType::I64, SpecialRegister::Variable(at))
            }
        };
        let reg = self.hold(held, false);
        self.registers_of.insert(builtin, reg);
        reg
    }

    fn special(&mut self, register: SpecialRegister) -> Held {
        self.special_as(ScalarType::U32, register)
    }

    fn special_as(&mut self, ty: ScalarType, register: SpecialRegister) -> Held {
        let dst = self
            .builder
            .at_entry(ty, |dst| Op::Special { dst, register });
        Held::Register(dst, ty)
    }

    fn parameter_read(&mut self, at: u16) -> Held {
        let parameter = self.parameters.get(usize::from(at));
        let ty = parameter.and_then(|one| one.scalar);
        let ty = ty.unwrap_or(ScalarType::I32);
        let offset = parameter.map_or(0, |one| one.offset);
        let dst = self.builder.at_entry(ty, |dst| Op::Parameter {
            ty,
            dst,
            offset,
            index: None,
        });
        Held::Register(dst, ty)
    }

    /// The generic address of a byte of a thread's own memory.
    fn local_address(&mut self, base: u32) -> Held {
        let ty = ScalarType::U64;
        let window = self.builder.at_entry(ty, |dst| Op::Special {
            dst,
            register: SpecialRegister::LocalWindow,
        });
        let dst = self.builder.at_entry(ty, |dst| Op::Binary {
            op: BinaryOp::Add,
            ty,
            dst,
            a: window.into(),
            b: Operand::Constant(u64::from(base)),
        });
        Held::Register(dst, ty)
    }

    pub(super) fn constant(&mut self, value: i64) -> Reg {
        self.builtin_value(BuiltinValue::Constant(value))
    }

    pub(super) fn whole(&mut self, value: i64, scalar: Scalar) -> Value {
        let reg = self.constant(if scalar.is_float() {
            as_bits(value)
        } else {
            scalar.wrap(value)
        });
        Value::scalar(scalar, reg)
    }

    pub(super) fn known(&self, reg: Reg) -> Option<i64> {
        match self.held.get(usize::from(reg)) {
            Some(Held::Constant(value)) => Some(*value),
            Some(Held::Register(..)) | None => None,
        }
    }
}

/// The bits by which a float of this value is held.
#[allow(clippy::cast_precision_loss, reason = "a conversion to float rounds")]
const fn as_bits(value: i64) -> i64 {
    (value as f64).to_bits().cast_signed()
}
