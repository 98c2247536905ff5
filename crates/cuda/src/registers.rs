//! Registers: reading one as a type, defining one from a type, conversions between.

use crate::control::Translator;
use crate::source::code::{Preset, Reg};
use crate::types::{Held, preset_type};
use lanescope_ir::{
    BinaryOp, Comparison, Instruction, Op, Operand, Register, Rounding, ScalarType,
    SpecialRegister, UnaryOp, eval,
};

/// Whether bits of one type are those of the other with the same value, or wrap to it.
const fn same_bits(a: ScalarType, b: ScalarType) -> bool {
    a.bits() == b.bits() && a.is_float() == b.is_float()
}

/// A constant of the flat program as bits of a type.
fn constant(value: i64, ty: ScalarType) -> Operand {
    let bits = value.cast_unsigned();
    Operand::Constant(match ty {
        ScalarType::Bool => u64::from(value != 0),
        _ if ty.is_float() => eval::from_f64(ty, f64::from_bits(bits)),
        _ => bits & ty.mask(),
    })
}

impl Translator<'_> {
    /// A new register.
    pub(crate) fn fresh(&mut self, ty: ScalarType) -> Register {
        let index = u32::try_from(self.kernel.registers.len()).unwrap_or(u32::MAX);
        self.kernel
            .registers
            .push(u8::try_from(ty.bits()).unwrap_or(64));
        Register(index)
    }

    pub(crate) fn emit(&mut self, op: Op) {
        let instruction = Instruction {
            guard: None,
            op,
            place: self.place,
        };
        self.push(instruction);
    }

    /// What a register of the flat program holds.
    pub(crate) fn held(&self, reg: Reg) -> Held {
        let held = self.held.get(usize::from(reg)).copied();
        held.unwrap_or(Held::Typed(ScalarType::I32))
    }

    /// The register that stands for one of the flat program.
    pub(crate) fn register(&mut self, reg: Reg, ty: ScalarType) -> Register {
        if let Some(Some(register)) = self.registers.get(usize::from(reg)) {
            return *register;
        }
        let register = self.fresh(ty);
        if let Some(entry) = self.registers.get_mut(usize::from(reg)) {
            *entry = Some(register);
        }
        register
    }

    /// A register's value as `ty`.
    pub(crate) fn read(&mut self, reg: Reg, ty: ScalarType) -> Operand {
        let held = match self.held(reg) {
            Held::Constant(value) => return constant(value, ty),
            Held::Typed(held) => held,
        };
        let register = self.register(reg, held);
        if held == ty || same_bits(held, ty) {
            return register.into();
        }
        if let Some(known) = self.converted.get(&(reg, ty)) {
            return *known;
        }
        let result = self.converted_to(held, ty, register.into());
        self.converted.insert((reg, ty), result);
        result
    }

    /// A register's value as a 64-bit integer, which extends it as its own type says.
    pub(crate) fn read_wide(&mut self, reg: Reg) -> Operand {
        self.read(reg, ScalarType::I64)
    }

    /// The type that a register's value is read as where an instruction does not say.
    pub(crate) fn own_type(&self, reg: Reg) -> ScalarType {
        match self.held(reg) {
            Held::Constant(_) => ScalarType::I64,
            Held::Typed(held) => held,
        }
    }

    /// Defines a register by an instruction that gives a `ty`.
    pub(crate) fn define(&mut self, reg: Reg, ty: ScalarType, op: impl FnOnce(Register) -> Op) {
        let (dst, held) = self.target(reg, ty);
        self.emit(op(dst));
        self.finish(reg, ty, dst, held);
    }

    /// The register that an instruction which gives a `ty` writes for `reg`; [`Self::finish`] brings the value where it
    /// goes.
    pub(crate) fn target(&mut self, reg: Reg, ty: ScalarType) -> (Register, ScalarType) {
        let held = match self.held(reg) {
            Held::Typed(held) => held,
            Held::Constant(_) => ty,
        };
        let dst = if same_bits(held, ty) {
            self.register(reg, held)
        } else {
            self.fresh(ty)
        };
        (dst, held)
    }

    /// What [`Self::target`] began.
    pub(crate) fn finish(&mut self, reg: Reg, ty: ScalarType, dst: Register, held: ScalarType) {
        self.forget(reg);
        if !same_bits(held, ty) {
            let to = self.register(reg, held);
            self.convert(ty, held, to, dst.into());
        }
    }

    /// Gives a register the value of an operand of type `ty`.
    pub(crate) fn give(&mut self, reg: Reg, ty: ScalarType, a: Operand) {
        let held = match self.held(reg) {
            Held::Typed(held) => held,
            Held::Constant(_) => ty,
        };
        self.forget(reg);
        let dst = self.register(reg, held);
        if same_bits(held, ty) {
            let op = UnaryOp::Move;
            self.emit(Op::Unary { op, ty, dst, a });
        } else {
            self.convert(ty, held, dst, a);
        }
    }

    /// A register changes: what it was converted to does not stand for it any more.
    fn forget(&mut self, reg: Reg) {
        let all = (reg, ScalarType::Bool)..=(reg, ScalarType::F64);
        let stale: Vec<_> = self.converted.range(all).map(|(key, _)| *key).collect();
        for key in stale {
            self.converted.remove(&key);
        }
    }

    /// An operand of one type as one of another.
    pub(crate) fn converted_to(&mut self, from: ScalarType, to: ScalarType, a: Operand) -> Operand {
        if same_bits(from, to) {
            return a;
        }
        let dst = self.fresh(to);
        self.convert(from, to, dst, a);
        dst.into()
    }

    fn convert(&mut self, from: ScalarType, to: ScalarType, dst: Register, a: Operand) {
        if to == ScalarType::Bool {
            self.emit(Op::Compare {
                op: Comparison::NotEqual,
                ty: from,
                unordered: from.is_float(),
                dst,
                a,
                b: Operand::Constant(0),
            });
            return;
        }
        let rounding = if from.is_float() && !to.is_float() {
            Rounding::TowardsZero
        } else {
            Rounding::NearestEven
        };
        self.emit(Op::Convert {
            from,
            to,
            rounding,
            saturate: false,
            dst,
            a,
        });
    }

    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Operand {
        let dst = self.fresh(ty);
        self.emit(Op::Binary { op, ty, dst, a, b });
        dst.into()
    }

    /// Reads special registers and parameters into the registers that hold them for the whole kernel.
    pub(crate) fn read_presets(&mut self) {
        let code = self.program.code();
        let mut is_read = vec![false; usize::from(code.registers)];
        for reg in code.insts.iter().flat_map(|inst| inst.sources()) {
            if let Some(is_read) = is_read.get_mut(usize::from(reg)) {
                *is_read = true;
            }
        }
        for (reg, preset) in &code.presets {
            if is_read.get(usize::from(*reg)) == Some(&true) {
                self.read_preset(*reg, *preset);
            }
        }
    }

    fn read_preset(&mut self, reg: Reg, preset: Preset) {
        let Some(ty) = preset_type(preset, &self.parameter_types) else {
            return;
        };
        let register = match preset {
            Preset::Constant(_) => return,
            Preset::BlockDim(axis) => SpecialRegister::BlockSize(axis),
            Preset::GridDim(axis) => SpecialRegister::GridSize(axis),
            Preset::BlockIdx(axis) => SpecialRegister::BlockIndex(axis),
            Preset::WarpLanes => SpecialRegister::WarpSize,
            Preset::ThreadIdx(axis) => SpecialRegister::ThreadIndex(axis),
            Preset::ThreadRank => SpecialRegister::LinearThreadIndex,
            Preset::Lane => SpecialRegister::Lane,
            Preset::Warp => SpecialRegister::Warp,
            Preset::Array(id) => SpecialRegister::ArrayAddress(lanescope_ir::ArrayId(id.0)),
            Preset::Elements(id) => SpecialRegister::Elements(lanescope_ir::ArrayId(id.0)),
            Preset::Variable(at) => SpecialRegister::Variable(at),
            Preset::Parameter(at) => {
                let offset = self.parameter_offset(at);
                let index = None;
                self.define(reg, ty, |dst| Op::Parameter {
                    ty,
                    dst,
                    offset,
                    index,
                });
                return;
            }
            Preset::Local(base) => {
                let window = self.fresh(ty);
                self.emit(Op::Special {
                    dst: window,
                    register: SpecialRegister::LocalWindow,
                });
                self.define(reg, ty, |dst| Op::Binary {
                    op: BinaryOp::Add,
                    ty,
                    dst,
                    a: window.into(),
                    b: Operand::Constant(u64::from(base)),
                });
                return;
            }
        };
        self.define(reg, ty, |dst| Op::Special { dst, register });
    }
}
