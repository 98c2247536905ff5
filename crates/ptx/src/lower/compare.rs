//! Comparisons: `setp`, `set`, `testp`.

use super::Lowering;
use crate::Operand as Tree;
use crate::opcode::{Opcode, Type, unsigned};
use lanescope_ir::{BinaryOp, Comparison, Op, Operand, ScalarType, UnaryOp};

/// What a comparison's modifier asks.
enum Relation {
    /// An order, and whether it holds of what is no number.
    Order(Comparison, bool),
    /// Whether both are numbers, or (`false`) one is none.
    Numbers(bool),
}

fn relation(opcode: &Opcode<'_>) -> Option<Relation> {
    use Comparison as C;
    opcode.modifiers.iter().find_map(|modifier| {
        Some(match *modifier {
            "eq" => Relation::Order(C::Equal, false),
            "ne" => Relation::Order(C::NotEqual, false),
            "lt" | "lo" => Relation::Order(C::Less, false),
            "le" | "ls" => Relation::Order(C::LessEqual, false),
            "gt" | "hi" => Relation::Order(C::Greater, false),
            "ge" | "hs" => Relation::Order(C::GreaterEqual, false),
            "equ" => Relation::Order(C::Equal, true),
            "neu" => Relation::Order(C::NotEqual, true),
            "ltu" => Relation::Order(C::Less, true),
            "leu" => Relation::Order(C::LessEqual, true),
            "gtu" => Relation::Order(C::Greater, true),
            "geu" => Relation::Order(C::GreaterEqual, true),
            "num" => Relation::Numbers(true),
            "nan" => Relation::Numbers(false),
            _ => return None,
        })
    })
}

impl<'t> Lowering<'_, 't> {
    pub(super) fn compare(
        &mut self,
        op: Comparison,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Operand {
        let dst = self.fresh(1);
        self.emit(Op::Compare {
            op,
            ty,
            unordered: false,
            dst,
            a,
            b,
        });
        dst.into()
    }

    fn is_nan(&mut self, ty: ScalarType, a: Operand) -> Operand {
        let dst = self.fresh(1);
        self.emit(Op::Unary {
            op: UnaryOp::IsNan,
            ty,
            dst,
            a,
        });
        dst.into()
    }

    fn related(&mut self, relation: &Relation, ty: ScalarType, a: Operand, b: Operand) -> Operand {
        match *relation {
            Relation::Order(op, unordered) => {
                // Unsigned relations of signed types do not exist; `lo` and the like are of unsigned ones.
                let dst = self.fresh(1);
                self.emit(Op::Compare {
                    op,
                    ty,
                    unordered,
                    dst,
                    a,
                    b,
                });
                dst.into()
            }
            Relation::Numbers(both) => {
                let first = self.is_nan(ty, a);
                let second = self.is_nan(ty, b);
                let none = self.binary(BinaryOp::Or, ScalarType::Bool, first, second);
                if both {
                    self.unary(UnaryOp::Not, ScalarType::Bool, none)
                } else {
                    none
                }
            }
        }
    }

    /// `related` combined with a predicate, if the opcode says how.
    fn combined(&mut self, opcode: &Opcode<'t>, value: Operand, with: Option<Operand>) -> Operand {
        let op = match opcode.first_of(&["and", "or", "xor"]) {
            Some("and") => BinaryOp::And,
            Some("or") => BinaryOp::Or,
            Some(_) => BinaryOp::Xor,
            None => return value,
        };
        match with {
            Some(with) => self.binary(op, ScalarType::Bool, value, with),
            None => value,
        }
    }

    fn combining(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) -> Option<Operand> {
        opcode
            .first_of(&["and", "or", "xor"])
            .map(|_| self.value_at(operands, 3, ScalarType::Bool))
    }

    /// `setp`: one predicate or two, the second of the opposite relation, or of a packed type that of the upper halves.
    pub(super) fn set_predicate(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let (holds, upper) = match (relation(opcode), opcode.last_type()) {
            (Some(relation), Some(Type::Scalar(ty))) => {
                let a = self.value_at(operands, 1, ty);
                let b = self.value_at(operands, 2, ty);
                (self.related(&relation, ty, a, b), None)
            }
            (Some(relation), Some(Type::Packed(part))) => {
                let [lower, upper] = self.related_halves(&relation, part, operands);
                (lower, Some(upper))
            }
            _ => {
                self.unmodelled(opcode.text, operands, true);
                return;
            }
        };
        let with = self.combining(opcode, operands);
        let first = self.combined(opcode, holds, with);
        let Some(Tree::Pair(p, q)) = operands.first() else {
            self.write(operands.first(), ScalarType::Bool, first);
            return;
        };
        let other = upper.unwrap_or_else(|| self.unary(UnaryOp::Not, ScalarType::Bool, holds));
        let second = self.combined(opcode, other, with);
        // The guard may be one of the two: it is written last, while it still guards.
        let guards_first = match (p.as_ref(), self.guard) {
            (Tree::Name(name), Some(guard)) => {
                self.register_named(name, 1) == Some(guard.predicate)
            }
            _ => false,
        };
        if guards_first {
            self.write(Some(q), ScalarType::Bool, second);
            self.write(Some(p), ScalarType::Bool, first);
        } else {
            self.write(Some(p), ScalarType::Bool, first);
            self.write(Some(q), ScalarType::Bool, second);
        }
    }

    /// Whether a relation holds of the lower halves, and of the upper ones.
    fn related_halves(
        &mut self,
        relation: &Relation,
        part: ScalarType,
        operands: &[Tree<'t>],
    ) -> [Operand; 2] {
        let whole = unsigned(2 * part.bits());
        let a = self.value_at(operands, 1, whole);
        let b = self.value_at(operands, 2, whole);
        let ([a0, a1], [b0, b1]) = (self.halves(part, a), self.halves(part, b));
        [(a0, b0), (a1, b1)].map(|(a, b)| self.related(relation, part, a, b))
    }

    /// `set`: all ones, or 1.0 for floats, where the relation holds.
    pub(super) fn set_value(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let types = opcode.types();
        let (Some(relation), [Type::Scalar(to), Type::Scalar(ty)]) =
            (relation(opcode), types.as_slice())
        else {
            self.unmodelled(opcode.text, operands, true);
            return;
        };
        let a = self.value_at(operands, 1, *ty);
        let b = self.value_at(operands, 2, *ty);
        let with = self.combining(opcode, operands);
        let holds = self.related(&relation, *ty, a, b);
        let holds = self.combined(opcode, holds, with);
        let yes = match to {
            ScalarType::F32 => u64::from(1.0_f32.to_bits()),
            ScalarType::F64 => 1.0_f64.to_bits(),
            ScalarType::F16 => 0x3c00,
            ScalarType::BF16 => 0x3f80,
            other => other.mask(),
        };
        let result = self.select(
            to.bits(),
            holds,
            Operand::Constant(yes),
            Operand::Constant(0),
        );
        self.write(operands.first(), unsigned(to.bits()), result);
    }

    /// `testp`.
    pub(super) fn test_property(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let Some(Type::Scalar(ty)) = opcode.last_type() else {
            self.unmodelled(opcode.text, operands, true);
            return;
        };
        let a = self.value_at(operands, 1, ty);
        let nan = self.is_nan(ty, a);
        let finite = self.fresh(1);
        self.emit(Op::Unary {
            op: UnaryOp::IsFinite,
            ty,
            dst: finite,
            a,
        });
        let result = match opcode.first_of(&["finite", "infinite", "number", "notanumber"]) {
            Some("finite") => finite.into(),
            Some("infinite") => {
                let either = self.binary(BinaryOp::Or, ScalarType::Bool, finite.into(), nan);
                self.unary(UnaryOp::Not, ScalarType::Bool, either)
            }
            Some("number") => self.unary(UnaryOp::Not, ScalarType::Bool, nan),
            Some(_) => nan,
            None => self.unknown(opcode.text, 1),
        };
        self.write(operands.first(), ScalarType::Bool, result);
    }
}
