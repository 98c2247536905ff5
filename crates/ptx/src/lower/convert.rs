//! `cvt`.

use super::Lowering;
use crate::Operand as Tree;
use crate::opcode::{Opcode, Type};
use lanescope_ir::{Op, Operand, Rounding, ScalarType, UnaryOp};

fn rounding(opcode: &Opcode<'_>) -> Rounding {
    match opcode.first_of(&["rzi", "rz", "rmi", "rm", "rpi", "rp"]) {
        Some("rzi" | "rz") => Rounding::TowardsZero,
        Some("rmi" | "rm") => Rounding::Down,
        Some(_) => Rounding::Up,
        None => Rounding::NearestEven,
    }
}

impl<'t> Lowering<'_, 't> {
    pub(super) fn cvt(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        match (opcode.types().as_slice(), operands) {
            ([Type::Scalar(to), Type::Scalar(from)], [destination, source])
                if !opcode.has("pack") && !opcode.has("relu") =>
            {
                let a = self.value(source, *from);
                self.convert_scalar(opcode, destination, [*from, *to], a);
            }
            ([Type::Packed(part), Type::Scalar(from)], [destination, high, low])
                if !opcode.has("relu") =>
            {
                // The first operand goes to the upper half.
                let parts = [low, high].map(|operand| {
                    let value = self.value(operand, *from);
                    let dst = self.fresh(part.bits());
                    self.emit(Op::Convert {
                        from: *from,
                        to: *part,
                        rounding: rounding(opcode),
                        saturate: false,
                        dst,
                        a: value,
                    });
                    Operand::from(dst)
                });
                let storage = crate::opcode::unsigned(2 * part.bits());
                let destination = self.destination(Some(destination), storage);
                self.emit(Op::Pack {
                    dst: destination.register,
                    parts: parts.to_vec(),
                });
                self.finish_write(destination);
            }
            _ => self.unmodelled(opcode.text, operands, true),
        }
    }

    fn convert_scalar(
        &mut self,
        opcode: &Opcode<'t>,
        destination: &Tree<'t>,
        [from, to]: [ScalarType; 2],
        a: Operand,
    ) {
        if from.is_float() && to.is_float() {
            let whole = match opcode.first_of(&["rni", "rzi", "rmi", "rpi"]) {
                Some("rni") => Some(UnaryOp::RoundEven),
                Some("rzi") => Some(UnaryOp::Truncate),
                Some("rmi") => Some(UnaryOp::Floor),
                Some(_) => Some(UnaryOp::Ceil),
                None => None,
            };
            let a = whole.map_or(a, |op| self.unary(op, from, a));
            let mut result = self.convert_rounded(opcode, [from, to], a, false);
            if opcode.has("sat") {
                result = self.clamp_to_one(to, result);
            }
            self.write(Some(destination), to, result);
            return;
        }
        let saturate = opcode.has("sat") || (from.is_float() && !to.is_float());
        let target = self.destination(Some(destination), to);
        self.emit(Op::Convert {
            from,
            to,
            rounding: rounding(opcode),
            saturate,
            dst: target.register,
            a,
        });
        self.finish_write(target);
    }

    fn convert_rounded(
        &mut self,
        opcode: &Opcode<'t>,
        [from, to]: [ScalarType; 2],
        a: Operand,
        saturate: bool,
    ) -> Operand {
        if from == to {
            return a;
        }
        let dst = self.fresh(to.bits());
        self.emit(Op::Convert {
            from,
            to,
            rounding: rounding(opcode),
            saturate,
            dst,
            a,
        });
        dst.into()
    }
}
