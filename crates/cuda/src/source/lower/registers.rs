//! Registers of the program, and what is known of them while it is lowered.

use super::{Lower, Value};
use crate::source::code::{Preset, Reg};
use crate::source::scalar::Scalar;

impl Lower<'_> {
    pub(super) fn register(&mut self, passing: bool) -> Reg {
        if self.registers == Reg::MAX {
            self.too_large();
            return Reg::MAX - 1;
        }
        self.registers += 1;
        self.passing.push(passing);
        self.registers - 1
    }

    /// Whether a register is a variable's, so that it can be assigned to.
    pub(super) fn is_variable(&self, reg: Reg) -> bool {
        self.known(reg).is_none() && self.passing.get(usize::from(reg)) == Some(&false)
    }

    /// A register for an intermediate value.
    pub(super) fn temp(&mut self) -> Reg {
        self.register(true)
    }

    /// A register that keeps its value from statement to statement.
    pub(super) fn kept(&mut self) -> Reg {
        self.register(false)
    }

    pub(super) fn preset(&mut self, preset: Preset) -> Reg {
        if let Some(reg) = self.registers_of.get(&preset) {
            return *reg;
        }
        let reg = self.kept();
        self.presets.push((reg, preset));
        self.registers_of.insert(preset, reg);
        if let Preset::Constant(value) = preset {
            self.constants.resize(usize::from(reg) + 1, None);
            self.constants[usize::from(reg)] = Some(value);
        }
        reg
    }

    pub(super) fn constant(&mut self, value: i64) -> Reg {
        self.preset(Preset::Constant(value))
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
        self.constants.get(usize::from(reg)).copied().flatten()
    }

    /// A value to go on with where there is none.
    pub(super) fn nothing(&mut self) -> Value {
        self.whole(0, Scalar::I32)
    }
}

/// The bits by which a float of this value is held.
#[allow(clippy::cast_precision_loss, reason = "a conversion to float rounds")]
const fn as_bits(value: i64) -> i64 {
    (value as f64).to_bits().cast_signed()
}
