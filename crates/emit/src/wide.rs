//! Arithmetic of 64-bit integers: of one word where that is all of it, else of pairs by functions of `library.wgsl`.

use lanescope_ir::analysis::PointsTo;
use lanescope_ir::{
    BinaryOp, Comparison, Operand, Register, Rounding, ScalarType, TernaryOp, UnaryOp,
};

use crate::RefusalKind;
use crate::arithmetic::unnamed;
use crate::comparison::symbol;
use crate::expression::Expr;
use crate::kinds::{Kind, Scalar};
use crate::memory::pointee;
use crate::writer::Writer;

impl Writer<'_, '_> {
    /// Whether a result's low word is all that is asked for.
    fn is_low(&self, dst: Register) -> bool {
        self.kind(dst) != Kind::Pair
    }

    pub(crate) fn wide_unary(
        &mut self,
        op: UnaryOp,
        ty: ScalarType,
        dst: Register,
        a: Operand,
    ) -> Result<Expr, RefusalKind> {
        if ty == ScalarType::F64 && op != UnaryOp::Move {
            return Err(RefusalKind::Double);
        }
        if self.is_low(dst) && matches!(op, UnaryOp::Move | UnaryOp::Not | UnaryOp::Negate) {
            let word = self.word(a, Scalar::U32)?;
            return Ok(if op == UnaryOp::Move {
                word
            } else if op == UnaryOp::Not {
                Expr::u32(format!("~{}", word.inner()))
            } else {
                Expr::u32(format!("0u - {}", word.inner()))
            });
        }
        let x = self.pair(a)?;
        let call = |name: &str| Expr::pair(format!("{name}({})", x.text));
        let count = |name: &str| Expr::u32(format!("{name}({})", x.text));
        Ok(match op {
            UnaryOp::Move => x,
            UnaryOp::Negate => call(self.helper("negate_64")),
            UnaryOp::Not => Expr::pair(format!("~{}", x.inner())),
            UnaryOp::Abs if ty == ScalarType::U64 => x,
            UnaryOp::Abs => call(self.helper("abs_64")),
            UnaryOp::PopCount => count(self.helper("ones_64")),
            UnaryOp::LeadingZeros => count(self.helper("leading_zeros_64")),
            UnaryOp::FindFirst => count(self.helper("find_first_64")),
            UnaryOp::FindLeading if ty == ScalarType::U64 => count(self.helper("find_leading_64")),
            UnaryOp::ReverseBits => Expr::pair(format!("reverseBits({}.yx)", x.inner())),
            UnaryOp::IsNan => Expr::flag("false"),
            UnaryOp::IsFinite => Expr::flag("true"),
            // The kernel is refused by the name of what cannot be written.
            other => return Err(unnamed(format!("{} of 64 bits", other.name()))),
        })
    }

    pub(crate) fn wide_binary(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        dst: Register,
        a: Operand,
        b: Operand,
    ) -> Result<Expr, RefusalKind> {
        if ty == ScalarType::F64 {
            return Err(RefusalKind::Double);
        }
        self.check_pointers(op, a, b)?;
        if self.is_low(dst)
            && let Some(expr) = self.low_binary(op, a, b)?
        {
            return Ok(expr);
        }
        if op == BinaryOp::MultiplyWide {
            let signed = ty.is_signed();
            let name = self.helper(if signed { "wide_i32" } else { "wide_u32" });
            let (x, y) = (self.typed(a, ty)?.text, self.typed(b, ty)?.text);
            return Ok(Expr::pair(format!("{name}({x}, {y})")));
        }
        if let Some(expr) = self.short_binary(op, ty, a, b)? {
            return Ok(expr);
        }
        let signed = ty.is_signed();
        let x = self.pair(a)?;
        if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            let name = self.helper(match (op, signed) {
                (BinaryOp::ShiftLeft, _) => "shift_left_64",
                (_, true) => "shift_right_i64",
                (_, false) => "shift_right_u64",
            });
            let by = self.word(b, Scalar::U32)?.text;
            return Ok(Expr::pair(format!("{name}({}, {by})", x.text)));
        }
        let y = self.pair(b)?;
        let name = match op {
            BinaryOp::Add => "add_64",
            BinaryOp::Subtract => "subtract_64",
            BinaryOp::Multiply => "multiply_64",
            BinaryOp::Divide if signed => "divide_i64",
            BinaryOp::Divide => "divide_u64",
            BinaryOp::Remainder if signed => "remainder_i64",
            BinaryOp::Remainder => "remainder_u64",
            BinaryOp::Minimum if signed => "minimum_i64",
            BinaryOp::Minimum => "minimum_u64",
            BinaryOp::Maximum if signed => "maximum_i64",
            BinaryOp::Maximum => "maximum_u64",
            BinaryOp::And => return Ok(Expr::pair(format!("{} & {}", x.inner(), y.inner()))),
            BinaryOp::Or => return Ok(Expr::pair(format!("{} | {}", x.inner(), y.inner()))),
            BinaryOp::Xor => return Ok(Expr::pair(format!("{} ^ {}", x.inner(), y.inner()))),
            BinaryOp::MultiplyHigh
            | BinaryOp::MultiplyWide
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight
            | BinaryOp::Power
            | BinaryOp::PowerApprox
            | BinaryOp::ArcTangent
            | BinaryOp::CopySign => return Err(unnamed(format!("{} of 64 bits", op.name()))),
        };
        let name = self.helper(name);
        Ok(Expr::pair(format!("{name}({}, {})", x.text, y.text)))
    }

    /// Pointers may be moved, and those into one buffer subtracted.
    fn check_pointers(&self, op: BinaryOp, a: Operand, b: Operand) -> Result<(), RefusalKind> {
        let pointees = &self.facts.pointees;
        match (pointee(pointees, a), pointee(pointees, b)) {
            (PointsTo::One(one), PointsTo::One(other)) if one != other => {
                Err(RefusalKind::PointersMixed)
            }
            (PointsTo::One(_), _) | (_, PointsTo::One(_)) => match op {
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::And | BinaryOp::Or => Ok(()),
                BinaryOp::Multiply
                | BinaryOp::MultiplyHigh
                | BinaryOp::MultiplyWide
                | BinaryOp::Divide
                | BinaryOp::Remainder
                | BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
                | BinaryOp::Xor
                | BinaryOp::Minimum
                | BinaryOp::Maximum
                | BinaryOp::Power
                | BinaryOp::PowerApprox
                | BinaryOp::ArcTangent
                | BinaryOp::CopySign => Err(RefusalKind::PointerAsNumber),
            },
            _ => Ok(()),
        }
    }

    /// The low word of a result that follows from the low words of the operands.
    fn low_binary(
        &mut self,
        op: BinaryOp,
        a: Operand,
        b: Operand,
    ) -> Result<Option<Expr>, RefusalKind> {
        let symbol = match op {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply | BinaryOp::MultiplyWide => "*",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::ShiftLeft if self.most(b) < 32 => "<<",
            BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight
            | BinaryOp::MultiplyHigh
            | BinaryOp::Divide
            | BinaryOp::Remainder
            | BinaryOp::Minimum
            | BinaryOp::Maximum
            | BinaryOp::Power
            | BinaryOp::PowerApprox
            | BinaryOp::ArcTangent
            | BinaryOp::CopySign => return Ok(None),
        };
        // What is added to nothing, as an offset to the beginning of a buffer, is itself.
        if op == BinaryOp::Add {
            for (one, other) in [(a, b), (b, a)] {
                if self.is_start(one) {
                    return self.word(other, Scalar::U32).map(Some);
                }
            }
        }
        let (x, y) = (self.word(a, Scalar::U32)?, self.word(b, Scalar::U32)?);
        Ok(Some(Expr::u32(format!(
            "{} {symbol} {}",
            x.inner(),
            y.inner()
        ))))
    }

    /// The same as an operator of one word, where operands are no longer.
    fn short_binary(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Result<Option<Expr>, RefusalKind> {
        let is_whole = |this: &Self, signed| {
            this.fits(a, signed) && (this.fits(b, signed) || matches!(op, BinaryOp::ShiftRight))
        };
        let is_narrow = matches!(
            op,
            BinaryOp::Divide | BinaryOp::Remainder | BinaryOp::Minimum | BinaryOp::Maximum
        ) || op == BinaryOp::ShiftRight && self.most(b) < 32;
        let is_divided_by_zero = matches!(op, BinaryOp::Divide | BinaryOp::Remainder)
            && !matches!(b, Operand::Constant(bits) if bits != 0);
        if !is_narrow || is_divided_by_zero {
            return Ok(None);
        }
        let as_type = if is_whole(self, false) {
            ScalarType::U32
        } else if ty.is_signed() && is_whole(self, true) && op != BinaryOp::Divide {
            ScalarType::I32
        } else {
            return Ok(None);
        };
        let (x, y) = (self.typed(a, as_type)?, self.typed(b, as_type)?);
        let text = match op {
            BinaryOp::Divide => format!("{} / {}", x.inner(), y.inner()),
            BinaryOp::Remainder => format!("{} % {}", x.inner(), y.inner()),
            BinaryOp::Minimum => format!("min({}, {})", x.text, y.text),
            BinaryOp::Maximum => format!("max({}, {})", x.text, y.text),
            BinaryOp::ShiftRight => {
                let by = self.word(b, Scalar::U32)?;
                format!("{} >> {}", x.inner(), by.inner())
            }
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::MultiplyHigh
            | BinaryOp::MultiplyWide
            | BinaryOp::ShiftLeft
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Power
            | BinaryOp::PowerApprox
            | BinaryOp::ArcTangent
            | BinaryOp::CopySign => return Ok(None),
        };
        if as_type == ScalarType::I32 {
            let name = self.helper("i64_of_i32");
            return Ok(Some(Expr::pair(format!("{name}({text})"))));
        }
        Ok(Some(Expr::u32(text)))
    }

    pub(crate) fn wide_ternary(
        &mut self,
        op: TernaryOp,
        ty: ScalarType,
        dst: Register,
        [a, b, c]: [Operand; 3],
    ) -> Result<Expr, RefusalKind> {
        if ty == ScalarType::F64 {
            return Err(RefusalKind::Double);
        }
        let adds = matches!(
            op,
            TernaryOp::MultiplyAdd | TernaryOp::MultiplyAddWide | TernaryOp::Add3
        );
        if !adds {
            return Err(unnamed(format!("{} of 64 bits", op.name())));
        }
        if self.is_low(dst) {
            let (x, y) = (self.word(a, Scalar::U32)?, self.word(b, Scalar::U32)?);
            let symbol = if op == TernaryOp::Add3 { "+" } else { "*" };
            let first = format!("{} {symbol} {}", x.inner(), y.inner());
            if self.is_start(c) {
                return Ok(Expr::u32(first));
            }
            let z = self.word(c, Scalar::U32)?;
            return Ok(Expr::u32(format!("{first} + {}", z.inner())));
        }
        let add = self.helper("add_64");
        let first = if op == TernaryOp::MultiplyAddWide {
            let name = self.helper(if ty.is_signed() {
                "wide_i32"
            } else {
                "wide_u32"
            });
            format!(
                "{name}({}, {})",
                self.typed(a, ty)?.text,
                self.typed(b, ty)?.text
            )
        } else {
            let name = self.helper(if op == TernaryOp::Add3 {
                "add_64"
            } else {
                "multiply_64"
            });
            format!("{name}({}, {})", self.pair(a)?.text, self.pair(b)?.text)
        };
        let z = self.pair(c)?.text;
        Ok(Expr::pair(format!("{add}({first}, {z})")))
    }

    pub(crate) fn wide_compare(
        &mut self,
        op: Comparison,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Result<Expr, RefusalKind> {
        if ty == ScalarType::F64 {
            return Err(RefusalKind::Double);
        }
        let pointees = &self.facts.pointees;
        match (pointee(pointees, a), pointee(pointees, b)) {
            (PointsTo::One(one), PointsTo::One(other)) if one != other => {
                return Err(RefusalKind::PointersMixed);
            }
            // Buffers are there: no pointer to one is null.
            (PointsTo::One(_), PointsTo::Nothing) if b == Operand::Constant(0) => {
                return Ok(Expr::flag(match op {
                    Comparison::NotEqual | Comparison::Greater | Comparison::GreaterEqual => "true",
                    Comparison::Equal | Comparison::Less | Comparison::LessEqual => "false",
                }));
            }
            (PointsTo::One(_), PointsTo::Nothing) | (PointsTo::Nothing, PointsTo::One(_)) => {
                return Err(RefusalKind::PointerAsNumber);
            }
            _ => {}
        }
        let as_type = if self.fits(a, false) && self.fits(b, false) {
            Some(ScalarType::U32)
        } else if ty.is_signed() && self.fits(a, true) && self.fits(b, true) {
            Some(ScalarType::I32)
        } else {
            None
        };
        if let Some(ty) = as_type {
            let (x, y) = (self.typed(a, ty)?, self.typed(b, ty)?);
            return Ok(Expr::flag(format!(
                "{} {} {}",
                x.inner(),
                symbol(op),
                y.inner()
            )));
        }
        if let Some(text) = self.mixed_compare(op, ty, a, b)? {
            return Ok(Expr::flag(text));
        }
        let (x, y) = (self.pair(a)?, self.pair(b)?);
        Ok(Expr::flag(match op {
            Comparison::Equal => format!("all({} == {})", x.inner(), y.inner()),
            Comparison::NotEqual => format!("any({} != {})", x.inner(), y.inner()),
            Comparison::Less | Comparison::Greater => {
                let name = self.helper(if ty.is_signed() {
                    "less_i64"
                } else {
                    "less_u64"
                });
                let (x, y) = if op == Comparison::Less {
                    (x, y)
                } else {
                    (y, x)
                };
                format!("{name}({}, {})", x.text, y.text)
            }
            Comparison::LessEqual | Comparison::GreaterEqual => {
                let name = self.helper(if ty.is_signed() {
                    "less_i64"
                } else {
                    "less_u64"
                });
                let (x, y) = if op == Comparison::LessEqual {
                    (y, x)
                } else {
                    (x, y)
                };
                format!("!{name}({}, {})", x.text, y.text)
            }
        }))
    }

    /// A comparison of a number that a word holds unsigned with one that a word holds signed, as of `size_t` with `int`.
    /// Read as unsigned, a negative number is greater than any word.
    fn mixed_compare(
        &mut self,
        op: Comparison,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Result<Option<String>, RefusalKind> {
        let (word, number, op) = if self.fits(a, false) && self.fits(b, true) {
            (a, b, op)
        } else if self.fits(a, true) && self.fits(b, false) {
            (b, a, turned(op))
        } else {
            return Ok(None);
        };
        let x = self.word(word, Scalar::U32)?.inner();
        let number = self.word(number, Scalar::I32)?;
        let (sign, y) = (number.inner(), number.inner_word(Scalar::U32));
        let compared = format!("{x} {} {y}", symbol(op));
        let is_less = matches!(op, Comparison::Less | Comparison::LessEqual);
        let holds_of_negative = match op {
            Comparison::Equal => false,
            Comparison::NotEqual => true,
            Comparison::Less
            | Comparison::LessEqual
            | Comparison::Greater
            | Comparison::GreaterEqual => is_less != ty.is_signed(),
        };
        Ok(Some(if holds_of_negative {
            format!("{sign} < 0i || {compared}")
        } else {
            format!("{sign} >= 0i && {compared}")
        }))
    }

    pub(crate) fn wide_convert(
        &mut self,
        from: ScalarType,
        to: ScalarType,
        (rounding, saturate): (Rounding, bool),
        dst: Register,
        a: Operand,
    ) -> Result<Expr, RefusalKind> {
        if !to.is_float() && !from.is_float() && !saturate {
            if from.bits() == 64 && to.bits() == 64 {
                return if self.is_low(dst) {
                    self.word(a, Scalar::U32)
                } else {
                    self.pair(a)
                };
            }
            if to.bits() == 64 {
                let value = self.typed(a, from)?;
                if from.is_signed() && !self.is_low(dst) {
                    let name = self.helper("i64_of_i32");
                    return Ok(Expr::pair(format!("{name}({})", value.text)));
                }
                return Ok(Expr::u32(value.as_word(Scalar::U32)));
            }
            if to == ScalarType::Bool {
                let low = self.word(a, Scalar::U32)?;
                return Ok(Expr::flag(format!("({} & 1u) != 0u", low.inner())));
            }
            let word = self.word(a, Scalar::of(to))?;
            return Ok(self.narrowed(to, word));
        }
        // A number of one word becomes a float as that word does.
        if to.is_float() && rounding == Rounding::NearestEven {
            let as_type = if self.fits(a, false) {
                ScalarType::U32
            } else if from.is_signed() && self.fits(a, true) {
                ScalarType::I32
            } else {
                let name = self.helper(if from.is_signed() {
                    "f32_of_i64"
                } else {
                    "f32_of_u64"
                });
                let pair = self.pair(a)?.text;
                return Ok(self.narrowed(to, Expr::word(Scalar::F32, format!("{name}({pair})"))));
            };
            let value = self.typed(a, as_type)?;
            let float = Expr::word(Scalar::F32, format!("f32({})", value.text));
            return Ok(self.narrowed(to, float));
        }
        if from == ScalarType::F32 && rounding == Rounding::TowardsZero {
            let value = self.typed(a, from)?;
            let name = self.helper(if to.is_signed() {
                "i64_of_f32"
            } else {
                "u64_of_f32"
            });
            return Ok(Expr::pair(format!("{name}({})", value.text)));
        }
        Err(unnamed("a conversion between a float and a 64-bit integer"))
    }
}

/// The relation of the operands in the other order.
const fn turned(op: Comparison) -> Comparison {
    match op {
        Comparison::Equal => Comparison::Equal,
        Comparison::NotEqual => Comparison::NotEqual,
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
    }
}
