//! Arithmetic on integers and floats with one, two or three operands.

use super::Lowering;
use crate::Operand as Tree;
use crate::opcode::{Opcode, Type, signed, unsigned};
use lanescope_ir::{BinaryOp, Op, Operand, Register, Rounding, ScalarType, TernaryOp, UnaryOp};

/// What is done to each element.
#[derive(Clone, Copy)]
pub(super) enum Scalar {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Ternary(TernaryOp),
}

impl Scalar {
    const fn arity(self) -> usize {
        match self {
            Self::Unary(_) => 1,
            Self::Binary(_) => 2,
            Self::Ternary(_) => 3,
        }
    }
}

/// The direction in which an instruction rounds, if it is not to the nearest.
fn directed(opcode: &Opcode<'_>) -> Option<Rounding> {
    Some(match opcode.first_of(&["rz", "rm", "rp"])? {
        "rz" => Rounding::TowardsZero,
        "rm" => Rounding::Down,
        _ => Rounding::Up,
    })
}

impl<'t> Lowering<'_, 't> {
    pub(super) fn one(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>], op: UnaryOp) {
        self.elementwise(opcode, operands, Scalar::Unary(op));
    }

    pub(super) fn two(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>], op: BinaryOp) {
        self.elementwise(opcode, operands, Scalar::Binary(op));
    }

    /// `min`, `max`: of two or three, with `.NaN` and `.xorsign.abs` unknown where a value decides.
    pub(super) fn extremum(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>], op: BinaryOp) {
        if opcode.has("xorsign") || opcode.has("relu") {
            self.unmodelled(opcode.text, operands, true);
            return;
        }
        match (opcode.last_type(), operands) {
            (Some(Type::Scalar(ty)), [_, _, _, _]) => {
                let [a, b, c] = [1, 2, 3].map(|at| self.value_at(operands, at, ty));
                let first = self.binary(op, ty, a, b);
                let all = self.binary(op, ty, first, c);
                self.write(operands.first(), ty, all);
            }
            _ => self.two(opcode, operands, op),
        }
    }

    pub(super) fn copy_sign(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        // PTX names the sign first.
        if let [destination, sign, magnitude] = operands {
            let turned = [destination.clone(), magnitude.clone(), sign.clone()];
            self.two(opcode, &turned, BinaryOp::CopySign);
        } else {
            self.unmodelled(opcode.text, operands, true);
        }
    }

    /// An operation on a scalar or on each of two packed ones.
    pub(super) fn elementwise(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>], op: Scalar) {
        // `add{.rnd}.f32.bf16` takes a narrower last operand.
        let types = opcode.types();
        match (types.first(), types.len()) {
            (Some(&Type::Scalar(ty)), 1) => {
                let inputs = self.inputs(operands, op.arity(), ty);
                self.scalar(opcode, operands, op, ty, &inputs);
            }
            (Some(&Type::Packed(part)), 1) => self.packed_elementwise(opcode, operands, op, part),
            _ => self.unmodelled(opcode.text, operands, true),
        }
    }

    fn inputs(&mut self, operands: &[Tree<'t>], count: usize, ty: ScalarType) -> Vec<Operand> {
        (1..=count)
            .map(|at| self.value_at(operands, at, ty))
            .collect()
    }

    fn scalar(
        &mut self,
        opcode: &Opcode<'t>,
        operands: &[Tree<'t>],
        op: Scalar,
        ty: ScalarType,
        inputs: &[Operand],
    ) {
        if ty == ScalarType::F32
            && let Some(rounding) = directed(opcode)
        {
            let result = self.rounded(op, inputs, rounding);
            self.write(operands.first(), ty, result);
            return;
        }
        if opcode.has("sat") {
            let result = if ty.is_float() {
                let plain = self.apply(op, ty, inputs);
                self.clamp_to_one(ty, plain)
            } else {
                self.saturated(op, ty, inputs)
            };
            self.write(operands.first(), ty, result);
            return;
        }
        let destination = self.destination(operands.first(), ty);
        self.apply_to(destination.register, op, ty, inputs);
        self.finish_write(destination);
    }

    /// The operation in the next wider type, rounded once more as asked: of floats with 24 bits the sum, product and
    /// quotient in 53 bits round as the exact ones do, but for halves of the last place.
    fn rounded(&mut self, op: Scalar, inputs: &[Operand], rounding: Rounding) -> Operand {
        let wide: Vec<Operand> = inputs
            .iter()
            .map(|&input| self.convert(ScalarType::F32, ScalarType::F64, input))
            .collect();
        let result = self.apply(op, ScalarType::F64, &wide);
        let dst = self.fresh(32);
        self.emit(Op::Convert {
            from: ScalarType::F64,
            to: ScalarType::F32,
            rounding,
            saturate: false,
            dst,
            a: result,
        });
        dst.into()
    }

    /// `.sat` of 32-bit integers.
    fn saturated(&mut self, op: Scalar, ty: ScalarType, inputs: &[Operand]) -> Operand {
        let wide_ty = signed(64);
        let wide: Vec<Operand> = inputs
            .iter()
            .map(|&input| self.convert(ty, wide_ty, input))
            .collect();
        let result = self.apply(op, wide_ty, &wide);
        let dst = self.fresh(ty.bits());
        self.emit(Op::Convert {
            from: wide_ty,
            to: ty,
            rounding: Rounding::TowardsZero,
            saturate: true,
            dst,
            a: result,
        });
        dst.into()
    }

    /// `.sat` of floats: 0 to 1, and 0 for what is no number.
    pub(super) fn clamp_to_one(&mut self, ty: ScalarType, value: Operand) -> Operand {
        let one = match ty {
            ScalarType::F64 => 1.0_f64.to_bits(),
            ScalarType::F16 => 0x3c00,
            ScalarType::BF16 => 0x3f80,
            _ => u64::from(1.0_f32.to_bits()),
        };
        let low = self.binary(BinaryOp::Maximum, ty, value, Operand::Constant(0));
        self.binary(BinaryOp::Minimum, ty, low, Operand::Constant(one))
    }

    pub(super) fn apply(&mut self, op: Scalar, ty: ScalarType, inputs: &[Operand]) -> Operand {
        let dst = self.fresh(ty.bits());
        self.apply_to(dst, op, ty, inputs);
        dst.into()
    }

    fn apply_to(&mut self, dst: Register, op: Scalar, ty: ScalarType, inputs: &[Operand]) {
        let input = |at: usize| inputs.get(at).copied().unwrap_or(Operand::Constant(0));
        let op = match op {
            Scalar::Unary(op) => Op::Unary {
                op,
                ty,
                dst,
                a: input(0),
            },
            Scalar::Binary(op) => Op::Binary {
                op,
                ty,
                dst,
                a: input(0),
                b: input(1),
            },
            Scalar::Ternary(op) => Op::Ternary {
                op,
                ty,
                dst,
                a: input(0),
                b: input(1),
                c: input(2),
            },
        };
        self.emit(op);
    }

    /// Both halves of packed operands, one after the other.
    fn packed_elementwise(
        &mut self,
        opcode: &Opcode<'t>,
        operands: &[Tree<'t>],
        op: Scalar,
        part: ScalarType,
    ) {
        let whole = unsigned(2 * part.bits());
        let inputs = self.inputs(operands, op.arity(), whole);
        let halves: Vec<[Operand; 2]> = inputs
            .iter()
            .map(|&input| self.halves(part, input))
            .collect();
        let parts = [0, 1].map(|half| {
            let inputs: Vec<Operand> = halves
                .iter()
                .map(|pair| pair.get(half).copied().unwrap_or(Operand::Constant(0)))
                .collect();
            let result = self.apply(op, part, &inputs);
            if opcode.has("sat") && part.is_float() {
                self.clamp_to_one(part, result)
            } else {
                result
            }
        });
        let destination = self.destination(operands.first(), whole);
        self.emit(Op::Pack {
            dst: destination.register,
            parts: parts.to_vec(),
        });
        self.finish_write(destination);
    }

    /// The two parts of a packed value.
    pub(super) fn halves(&mut self, part: ScalarType, value: Operand) -> [Operand; 2] {
        let low = self.fresh(part.bits());
        let high = self.fresh(part.bits());
        self.emit(Op::Unpack {
            parts: vec![Some(low), Some(high)],
            part_bits: part.bits(),
            a: value,
        });
        [low.into(), high.into()]
    }

    /// `mul` with `.lo`, `.hi`, `.wide`, and of floats.
    pub(super) fn multiply(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        match (opcode.first_of(&["hi", "wide"]), opcode.last_type()) {
            (Some("hi"), _) => self.two(opcode, operands, BinaryOp::MultiplyHigh),
            (Some(_), Some(Type::Scalar(ty))) => {
                let a = self.value_at(operands, 1, ty);
                let b = self.value_at(operands, 2, ty);
                let wide = wide_of(ty);
                let destination = self.destination(operands.first(), wide);
                self.emit(Op::Binary {
                    op: BinaryOp::MultiplyWide,
                    ty,
                    dst: destination.register,
                    a,
                    b,
                });
                self.finish_write(destination);
            }
            _ => self.two(opcode, operands, BinaryOp::Multiply),
        }
    }

    /// `mad`, `fma`.
    pub(super) fn multiply_add(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        match (opcode.first_of(&["hi", "wide"]), opcode.last_type()) {
            (Some("hi"), _) if !opcode.has("sat") => {
                self.elementwise(
                    opcode,
                    operands,
                    Scalar::Ternary(TernaryOp::MultiplyAddHigh),
                );
            }
            (Some("wide"), Some(Type::Scalar(ty))) => {
                let a = self.value_at(operands, 1, ty);
                let b = self.value_at(operands, 2, ty);
                let wide = wide_of(ty);
                let c = self.value_at(operands, 3, wide);
                let destination = self.destination(operands.first(), wide);
                self.emit(Op::Ternary {
                    op: TernaryOp::MultiplyAddWide,
                    ty,
                    dst: destination.register,
                    a,
                    b,
                    c,
                });
                self.finish_write(destination);
            }
            (Some(_), _) => self.unmodelled(opcode.text, operands, true),
            (None, _) if opcode.has("relu") => self.unmodelled(opcode.text, operands, true),
            (None, _) => {
                self.elementwise(opcode, operands, Scalar::Ternary(TernaryOp::MultiplyAdd))
            }
        }
    }

    /// `mul24`, `mad24`: bits 0-31 (`.lo`) or 16-47 (`.hi`) of a product of 24-bit numbers.
    pub(super) fn multiply_24(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let Some(Type::Scalar(ty)) = opcode.last_type() else {
            self.unmodelled(opcode.text, operands, true);
            return;
        };
        let [a, b] = [1, 2].map(|at| {
            let value = self.value_at(operands, at, ty);
            let field = [value, Operand::Constant(0), Operand::Constant(24)];
            self.ternary(TernaryOp::BitFieldExtract, ty, field)
        });
        let dst = self.fresh(64);
        self.emit(Op::Binary {
            op: BinaryOp::MultiplyWide,
            ty,
            dst,
            a,
            b,
        });
        let shift = if opcode.has("hi") { 16 } else { 0 };
        let product = self.binary(
            BinaryOp::ShiftRight,
            ScalarType::U64,
            dst.into(),
            Operand::Constant(shift),
        );
        let mut result = self.convert(ScalarType::U64, unsigned(32), product);
        if opcode.base == "mad24" {
            let c = self.value_at(operands, 3, ty);
            result = self.binary(BinaryOp::Add, ty, result, c);
        }
        self.write(operands.first(), ty, result);
    }

    pub(super) fn sum_absolute_difference(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        self.elementwise(
            opcode,
            operands,
            Scalar::Ternary(TernaryOp::SumAbsoluteDifference),
        );
    }

    /// `shl`, `shr`: the amount has 32 bits whatever is shifted.
    pub(super) fn shift(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>], op: BinaryOp) {
        let Some(Type::Scalar(ty)) = opcode.last_type() else {
            self.unmodelled(opcode.text, operands, true);
            return;
        };
        let a = self.value_at(operands, 1, ty);
        let b = self.value_at(operands, 2, ScalarType::U32);
        let destination = self.destination(operands.first(), ty);
        self.emit(Op::Binary {
            op,
            ty,
            dst: destination.register,
            a,
            b,
        });
        self.finish_write(destination);
    }
}

/// The integer type twice as wide.
pub(super) const fn wide_of(ty: ScalarType) -> ScalarType {
    if ty.is_signed() {
        signed(ty.bits() * 2)
    } else {
        unsigned(ty.bits() * 2)
    }
}
