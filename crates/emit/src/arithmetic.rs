//! Arithmetic of up to 32 bits as expressions, bit for bit as `lanescope_ir::eval` defines it.
//!
//! What WGSL defines otherwise (shifts by the width or more, division by zero, conversions out of range) goes through
//! functions of `library.wgsl`; what its compilers refuse (constant expressions that overflow) is computed here.

use lanescope_ir::{
    BinaryOp, Comparison, Instruction, Op, Operand, Rounding, ScalarType, TernaryOp, UnaryOp, eval,
};

use crate::RefusalKind;
use crate::expression::{Expr, Form};
use crate::kinds::Scalar;
use crate::writer::Writer;

pub(crate) fn unnamed(name: impl Into<String>) -> RefusalKind {
    RefusalKind::Instruction { name: name.into() }
}

/// The type that operators of `ty` work on.
const fn carrier(ty: ScalarType) -> Scalar {
    match ty {
        ScalarType::I8 | ScalarType::I16 | ScalarType::I32 => Scalar::I32,
        ScalarType::F16 | ScalarType::BF16 | ScalarType::F32 => Scalar::F32,
        ScalarType::Bool
        | ScalarType::U8
        | ScalarType::U16
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64
        | ScalarType::F64 => Scalar::U32,
    }
}

impl Writer<'_, '_> {
    /// What an instruction that only computes gives.
    pub(crate) fn computed(&mut self, instruction: &Instruction) -> Result<Expr, RefusalKind> {
        if let Some((ty, bits)) = folded(&instruction.op) {
            return Ok(match ty.bits() {
                1 => Expr::flag(if bits == 1 { "true" } else { "false" }),
                64 => self.pair(Operand::Constant(bits))?,
                _ => self.constant(Scalar::of(ty), bits & ty.mask()),
            });
        }
        match &instruction.op {
            Op::Unary { op, ty, dst, a } if ty.bits() == 64 => self.wide_unary(*op, *ty, *dst, *a),
            Op::Unary { op, ty, a, .. } => self.unary(*op, *ty, *a),
            Op::Binary { op, ty, dst, a, b } => {
                let is_wide = ty.bits() == 64 || *op == BinaryOp::MultiplyWide && ty.bits() == 32;
                if is_wide {
                    self.wide_binary(*op, *ty, *dst, *a, *b)
                } else {
                    self.binary(*op, *ty, *a, *b)
                }
            }
            Op::Ternary {
                op,
                ty,
                dst,
                a,
                b,
                c,
            } => {
                let is_wide =
                    ty.bits() == 64 || *op == TernaryOp::MultiplyAddWide && ty.bits() == 32;
                if is_wide {
                    self.wide_ternary(*op, *ty, *dst, [*a, *b, *c])
                } else {
                    self.ternary(*op, *ty, [*a, *b, *c])
                }
            }
            Op::Compare {
                op,
                ty,
                unordered,
                a,
                b,
                ..
            } => self.compare(*op, *ty, *unordered, *a, *b),
            Op::Select {
                dst,
                predicate,
                yes,
                no,
            } => self.select(*dst, *predicate, *yes, *no),
            Op::Convert {
                from,
                to,
                rounding,
                saturate,
                dst,
                a,
            } => self.convert(*from, *to, (*rounding, *saturate), *dst, *a),
            Op::Lop3 {
                table,
                wide,
                a,
                b,
                c,
                ..
            } if !wide => self.lop3(*table, [*a, *b, *c]),
            Op::BitFieldInsert {
                ty: ScalarType::U32,
                a,
                b,
                position,
                length,
                ..
            } => {
                let name = self.helper("bit_field_insert");
                let mut all = Vec::new();
                for operand in [*a, *b, *position, *length] {
                    all.push(self.word(operand, Scalar::U32)?.text);
                }
                Ok(Expr::u32(format!("{name}({})", all.join(", "))))
            }
            Op::Pack { dst, parts } => self.packed(*dst, parts),
            Op::Special { register, .. } => self.special(*register),
            // Addresses are counted from the buffer's first byte.
            Op::Parameter { dst, .. } if self.is_pointer(*dst) => Ok(Expr::u32("0u")),
            Op::Parameter {
                ty, offset, index, ..
            } => self.parameter(*ty, *offset, *index),
            Op::Lop3 { .. } => Err(unnamed("a logic function of 64 bits")),
            Op::BitFieldInsert { .. } => Err(unnamed("a bit-field insertion of 64 bits")),
            Op::Unmodelled { name, .. } => Err(unnamed(name.clone())),
            _ => Err(RefusalKind::Invalid),
        }
    }

    fn unary(&mut self, op: UnaryOp, ty: ScalarType, a: Operand) -> Result<Expr, RefusalKind> {
        if ty == ScalarType::F64 {
            return Err(RefusalKind::Double);
        }
        if op == UnaryOp::Move {
            return match a {
                Operand::Register(register) => self.register(register),
                Operand::Constant(_) if ty == ScalarType::Bool => self.flag(a),
                Operand::Constant(bits) => Ok(self.constant(Scalar::of(ty), bits & ty.mask())),
            };
        }
        if ty == ScalarType::Bool {
            let flag = self.flag(a)?;
            return match op {
                UnaryOp::Not => Ok(Expr::flag(format!("!{}", flag.inner()))),
                _ => Err(unnamed(op.name())),
            };
        }
        if ty.is_float() {
            return self.float_unary(op, ty, a);
        }
        let scalar = carrier(ty);
        let value = self.typed(a, ty)?;
        let inner = value.inner();
        let bits = self.word(a, Scalar::U32)?.text;
        let result = match op {
            UnaryOp::Negate => format!(
                "-{}",
                Expr::word(Scalar::I32, value.as_word(Scalar::I32)).inner()
            ),
            UnaryOp::Not => format!("~{inner}"),
            UnaryOp::Abs if scalar == Scalar::U32 => value.text,
            UnaryOp::Abs => format!("abs({})", value.text),
            UnaryOp::PopCount => return Ok(Expr::u32(format!("countOneBits({bits})"))),
            UnaryOp::LeadingZeros => {
                let above = 32 - ty.bits();
                let zeros = format!("countLeadingZeros({bits})");
                return Ok(Expr::u32(if above == 0 {
                    zeros
                } else {
                    format!("{zeros} - {above}u")
                }));
            }
            UnaryOp::FindLeading => {
                let found = format!("firstLeadingBit({})", value.text);
                return Ok(Expr::u32(Expr::word(scalar, found).as_word(Scalar::U32)));
            }
            UnaryOp::FindFirst => {
                return Ok(Expr::u32(format!("firstTrailingBit({bits}) + 1u")));
            }
            UnaryOp::ReverseBits => {
                let above = 32 - ty.bits();
                let turned = format!("reverseBits({bits})");
                return Ok(Expr::u32(if above == 0 {
                    turned
                } else {
                    format!("{turned} >> {above}u")
                }));
            }
            UnaryOp::IsNan => return Ok(Expr::flag("false")),
            UnaryOp::IsFinite => return Ok(Expr::flag("true")),
            other => return Err(unnamed(other.name())),
        };
        let scalar = if op == UnaryOp::Negate {
            Scalar::I32
        } else {
            scalar
        };
        Ok(self.narrowed(ty, Expr::word(scalar, result)))
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Result<Expr, RefusalKind> {
        if ty == ScalarType::Bool {
            let (a, b) = (self.flag(a)?, self.flag(b)?);
            let symbol = match op {
                BinaryOp::And | BinaryOp::Multiply | BinaryOp::Minimum => "&",
                BinaryOp::Or | BinaryOp::Maximum => "|",
                BinaryOp::Xor | BinaryOp::Add | BinaryOp::Subtract => "!=",
                _ => return Err(unnamed(op.name())),
            };
            return Ok(Expr::flag(format!("{} {symbol} {}", a.inner(), b.inner())));
        }
        if ty.is_float() {
            return self.float_binary(op, ty, a, b);
        }
        let scalar = carrier(ty);
        let x = self.typed(a, ty)?;
        if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            let shifted = self.shifted(op, ty, &x, b)?;
            return Ok(self.narrowed(ty, shifted));
        }
        let y = self.typed(b, ty)?;
        let (p, q) = (x.inner(), y.inner());
        let signed = scalar == Scalar::I32;
        let divisor = match b {
            Operand::Constant(bits) => Some(bits & ty.mask()),
            Operand::Register(_) => None,
        };
        let suffix = if signed { "i32" } else { "u32" };
        let result = match op {
            BinaryOp::Add => format!("{p} + {q}"),
            BinaryOp::Subtract => format!("{p} - {q}"),
            BinaryOp::Multiply => format!("{p} * {q}"),
            BinaryOp::And => format!("{p} & {q}"),
            BinaryOp::Or => format!("{p} | {q}"),
            BinaryOp::Xor => format!("{p} ^ {q}"),
            BinaryOp::Minimum => format!("min({}, {})", x.text, y.text),
            BinaryOp::Maximum => format!("max({}, {})", x.text, y.text),
            // Minus one overflows; zero has a result of its own.
            BinaryOp::Divide if divisor.is_some_and(|one| one != 0 && one != ty.mask()) => {
                format!("{p} / {q}")
            }
            BinaryOp::Remainder if divisor.is_some_and(|one| one != 0 && one != ty.mask()) => {
                format!("{p} % {q}")
            }
            BinaryOp::Divide => {
                let name = self.helper(if signed { "divide_i32" } else { "divide_u32" });
                format!("{name}({}, {})", x.text, y.text)
            }
            BinaryOp::Remainder => {
                let name = self.helper(if signed {
                    "remainder_i32"
                } else {
                    "remainder_u32"
                });
                format!("{name}({}, {})", x.text, y.text)
            }
            BinaryOp::MultiplyHigh if ty.bits() == 32 => {
                let name = self.helper(if signed { "high_i32" } else { "high_u32" });
                format!("{name}({}, {})", x.text, y.text)
            }
            BinaryOp::MultiplyHigh => format!("({p} * {q}) >> {}u", ty.bits()),
            // Of 8 and 16 bits: the product fits a word.
            BinaryOp::MultiplyWide => {
                let product = Expr::word(scalar, format!("{p} * {q}"));
                let to = if ty.bits() == 16 {
                    ScalarType::U32
                } else {
                    ScalarType::U16
                };
                return Ok(self.narrowed(to, Expr::u32(product.as_word(Scalar::U32))));
            }
            BinaryOp::Power | BinaryOp::PowerApprox => {
                let name = self.helper("power_u32");
                let (x, y) = (x.as_word(Scalar::U32), y.as_word(Scalar::U32));
                let result = Expr::u32(format!("{name}({x}, {y})"));
                return Ok(self.narrowed(ty, result));
            }
            BinaryOp::ArcTangent
            | BinaryOp::CopySign
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight => return Err(unnamed(format!("{} of {suffix}", op.name()))),
        };
        Ok(self.narrowed(ty, Expr::word(scalar, result)))
    }

    /// A shift; amounts at or above the width leave zeros, or the sign.
    fn shifted(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        x: &Expr,
        by: Operand,
    ) -> Result<Expr, RefusalKind> {
        let bits = u64::from(ty.bits());
        let (symbol, signed) = match op {
            BinaryOp::ShiftLeft => ("<<", false),
            _ => (">>", ty.is_signed()),
        };
        let Form::Word(scalar) = x.form else {
            return Err(RefusalKind::Invalid);
        };
        if self.most(by) < bits {
            let by = self.word(by, Scalar::U32)?;
            return Ok(Expr::word(
                scalar,
                format!("{} {symbol} {}", x.inner(), by.inner()),
            ));
        }
        if let Operand::Constant(_) = by {
            return Ok(match signed {
                true => Expr::word(scalar, format!("{} >> 31u", x.inner())),
                false => self.constant(scalar, 0),
            });
        }
        let by = self.word(by, Scalar::U32)?;
        let most = bits - 1;
        let text = if signed {
            format!("{} >> min({}, {most}u)", x.inner(), by.text)
        } else {
            let zero = if scalar == Scalar::I32 { "0i" } else { "0u" };
            let shifted = format!("{} {symbol} ({} & 31u)", x.inner(), by.inner());
            format!("select({zero}, {shifted}, {} <= {most}u)", by.inner())
        };
        Ok(Expr::word(scalar, text))
    }

    fn ternary(
        &mut self,
        op: TernaryOp,
        ty: ScalarType,
        [a, b, c]: [Operand; 3],
    ) -> Result<Expr, RefusalKind> {
        if ty.is_float() {
            return self.float_ternary(op, ty, [a, b, c]);
        }
        if op == TernaryOp::BitFieldExtract {
            let name = self.helper(if ty.is_signed() {
                "bit_field_i32"
            } else {
                "bit_field_u32"
            });
            let scalar = carrier(ty);
            let x = self.typed(a, ty)?.text;
            let (b, c) = (
                self.word(b, Scalar::U32)?.text,
                self.word(c, Scalar::U32)?.text,
            );
            return Ok(self.narrowed(ty, Expr::word(scalar, format!("{name}({x}, {b}, {c})"))));
        }
        let scalar = carrier(ty);
        let (x, y, z) = (self.typed(a, ty)?, self.typed(b, ty)?, self.typed(c, ty)?);
        let call = |name: &str| format!("{name}({}, {}, {})", x.text, y.text, z.text);
        let result = match op {
            TernaryOp::MultiplyAdd => {
                format!("{} * {} + {}", x.inner(), y.inner(), z.inner())
            }
            TernaryOp::Add3 => format!("{} + {} + {}", x.inner(), y.inner(), z.inner()),
            TernaryOp::MultiplyAddHigh if ty.bits() == 32 => {
                let name = self.helper(if ty.is_signed() {
                    "high_i32"
                } else {
                    "high_u32"
                });
                format!("{name}({}, {}) + {}", x.text, y.text, z.inner())
            }
            TernaryOp::FunnelShiftLeft => call(self.helper("funnel_left")),
            TernaryOp::FunnelShiftRight => call(self.helper("funnel_right")),
            TernaryOp::FunnelShiftLeftClamped => call(self.helper("funnel_left_clamped")),
            TernaryOp::FunnelShiftRightClamped => call(self.helper("funnel_right_clamped")),
            TernaryOp::BytePermute => call(self.helper("byte_permute")),
            TernaryOp::SumAbsoluteDifference => {
                let (x, y) = (x.text, y.text);
                let difference = format!("max({x}, {y}) - min({x}, {y})");
                format!("{difference} + {}", z.inner())
            }
            TernaryOp::DotProduct4 => {
                call(self.helper(if ty.is_signed() { "dot_i8" } else { "dot_u8" }))
            }
            TernaryOp::MultiplyAddWide => {
                let c = self.word(c, Scalar::U32)?;
                let product = Expr::word(scalar, format!("{} * {}", x.inner(), y.inner()));
                let product = Expr::u32(product.as_word(Scalar::U32));
                return Ok(Expr::u32(format!("{} + {}", product.inner(), c.inner())));
            }
            TernaryOp::MultiplyAddHigh | TernaryOp::BitFieldExtract => {
                return Err(unnamed(op.name()));
            }
        };
        let by_bits = matches!(
            op,
            TernaryOp::FunnelShiftLeft
                | TernaryOp::FunnelShiftRight
                | TernaryOp::FunnelShiftLeftClamped
                | TernaryOp::FunnelShiftRightClamped
                | TernaryOp::BytePermute
        );
        if by_bits && scalar == Scalar::I32 {
            return self.ternary(op, ScalarType::U32, [a, b, c]);
        }
        Ok(self.narrowed(ty, Expr::word(scalar, result)))
    }

    fn compare(
        &mut self,
        op: Comparison,
        ty: ScalarType,
        unordered: bool,
        a: Operand,
        b: Operand,
    ) -> Result<Expr, RefusalKind> {
        if ty.bits() == 64 {
            return self.wide_compare(op, ty, a, b);
        }
        let (x, y) = (self.typed(a, ty)?, self.typed(b, ty)?);
        let written = |op| format!("{} {} {}", x.inner(), symbol(op), y.inner());
        let is_negated = ty.is_float() && unordered != (op == Comparison::NotEqual);
        let text = if is_negated {
            format!("!({})", written(opposite(op)))
        } else {
            written(op)
        };
        if ty == ScalarType::Bool && !matches!(op, Comparison::Equal | Comparison::NotEqual) {
            return Err(unnamed("an order of predicates"));
        }
        Ok(Expr::flag(text))
    }

    fn convert(
        &mut self,
        from: ScalarType,
        to: ScalarType,
        (rounding, saturate): (Rounding, bool),
        dst: lanescope_ir::Register,
        a: Operand,
    ) -> Result<Expr, RefusalKind> {
        if from == ScalarType::F64 || to == ScalarType::F64 {
            return Err(RefusalKind::Double);
        }
        if from.bits() == 64 || to.bits() == 64 {
            return self.wide_convert(from, to, (rounding, saturate), dst, a);
        }
        if from == ScalarType::Bool {
            let flag = self.flag(a)?;
            return Ok(match to {
                ScalarType::F16 => Expr::u32(format!("select(0u, 15360u, {})", flag.text)),
                ScalarType::BF16 => Expr::u32(format!("select(0u, 16256u, {})", flag.text)),
                ScalarType::F32 => {
                    Expr::word(Scalar::F32, format!("select(0.0f, 1.0f, {})", flag.text))
                }
                _ => Expr::word(Scalar::of(to), flag.as_word(Scalar::of(to))),
            });
        }
        let value = self.typed(a, from)?;
        if to == ScalarType::Bool {
            let low = Expr::u32(value.as_word(Scalar::U32));
            return Ok(Expr::flag(format!("({} & 1u) != 0u", low.inner())));
        }
        match (from.is_float(), to.is_float()) {
            (false, false) if saturate => Err(unnamed("a saturating conversion of integers")),
            (false, false) => {
                let kept = Expr::word(Scalar::of(to), value.as_word(Scalar::of(to)));
                Ok(self.narrowed(to, kept))
            }
            (false, true) if rounding != Rounding::NearestEven => {
                Err(unnamed("a conversion that rounds to one side"))
            }
            (false, true) => {
                let float = Expr::word(Scalar::F32, format!("f32({})", value.text));
                Ok(self.narrowed(to, float))
            }
            (true, false) => {
                let rounded = match rounding {
                    Rounding::TowardsZero => value.text,
                    Rounding::NearestEven => format!("round({})", value.text),
                    Rounding::Down => format!("floor({})", value.text),
                    Rounding::Up => format!("ceil({})", value.text),
                };
                let (name, scalar) = match to {
                    ScalarType::I32 => ("i32_of_f32", Scalar::I32),
                    ScalarType::U32 => ("u32_of_f32", Scalar::U32),
                    ScalarType::I8 => ("i8_of_f32", Scalar::I32),
                    ScalarType::I16 => ("i16_of_f32", Scalar::I32),
                    ScalarType::U8 => ("u8_of_f32", Scalar::U32),
                    ScalarType::U16 => ("u16_of_f32", Scalar::U32),
                    _ => return Err(unnamed("a conversion")),
                };
                let name = self.helper(name);
                let whole = Expr::word(scalar, format!("{name}({rounded})"));
                Ok(self.narrowed(to, whole))
            }
            (true, true) if to.bits() < 32 && rounding != Rounding::NearestEven => {
                Err(unnamed("a conversion that rounds to one side"))
            }
            (true, true) => Ok(self.narrowed(to, value)),
        }
    }

    fn select(
        &mut self,
        dst: lanescope_ir::Register,
        predicate: Operand,
        yes: Operand,
        no: Operand,
    ) -> Result<Expr, RefusalKind> {
        use crate::kinds::Kind;
        let flag = self.flag(predicate)?.text;
        let kind = self.kind(dst);
        let one = |this: &mut Self, operand| match kind {
            Kind::Flag => this.flag(operand),
            Kind::Word(scalar) => this.word(operand, scalar),
            Kind::Low | Kind::Unsigned | Kind::Signed => this.word(operand, Scalar::U32),
            Kind::Pair => this.pair(operand),
        };
        let (yes, no) = (one(self, yes)?, one(self, no)?);
        Ok(Expr {
            text: format!("select({}, {}, {flag})", no.text, yes.text),
            form: yes.form,
        })
    }

    fn lop3(&mut self, table: u8, operands: [Operand; 3]) -> Result<Expr, RefusalKind> {
        let mut words = Vec::new();
        for operand in operands {
            words.push(self.word(operand, Scalar::U32)?.inner());
        }
        let rows = (0..8_u8).filter(|row| table >> row & 1 == 1);
        let terms: Vec<String> = rows
            .map(|row| {
                let side = |at: usize, bit: u8| {
                    let word = words.get(at).map_or("0u", String::as_str);
                    if row & bit == 0 {
                        format!("~{word}")
                    } else {
                        word.to_owned()
                    }
                };
                format!("({} & {} & {})", side(0, 4), side(1, 2), side(2, 1))
            })
            .collect();
        Ok(Expr::u32(if terms.is_empty() {
            "0u".to_owned()
        } else {
            terms.join(" | ")
        }))
    }

    fn packed(
        &mut self,
        dst: lanescope_ir::Register,
        parts: &[Operand],
    ) -> Result<Expr, RefusalKind> {
        match parts {
            [low, high] => {
                let is_pair = self.facts.kernel.registers.get(dst.index()) == Some(&64);
                let (low, high) = (
                    self.word(*low, Scalar::U32)?,
                    self.word(*high, Scalar::U32)?,
                );
                Ok(if is_pair {
                    Expr::pair(format!("vec2<u32>({}, {})", low.text, high.text))
                } else {
                    Expr::u32(format!("{} | ({} << 16u)", low.inner(), high.inner()))
                })
            }
            _ => Err(unnamed("a vector of four parts")),
        }
    }
}

pub(crate) const fn symbol(op: Comparison) -> &'static str {
    match op {
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
    }
}

const fn opposite(op: Comparison) -> Comparison {
    match op {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
    }
}

/// What an operation gives whose operands are all constants.
fn folded(op: &Op) -> Option<(ScalarType, u64)> {
    let bits_of = |bits: u32| match bits {
        1 => ScalarType::Bool,
        8 => ScalarType::U8,
        16 => ScalarType::U16,
        64 => ScalarType::U64,
        _ => ScalarType::U32,
    };
    match op {
        Op::Unary { op, ty, a, .. } if *op != UnaryOp::Move && *ty != ScalarType::F64 => {
            let value = eval::unary(*op, *ty, a.constant()?);
            let bits = op.result_bits(*ty);
            Some((
                if bits == ty.bits() {
                    *ty
                } else {
                    bits_of(bits)
                },
                value,
            ))
        }
        Op::Binary { op, ty, a, b, .. } if *ty != ScalarType::F64 => {
            let value = eval::binary(*op, *ty, a.constant()?, b.constant()?);
            let bits = op.result_bits(*ty);
            Some((
                if bits == ty.bits() {
                    *ty
                } else {
                    bits_of(bits)
                },
                value,
            ))
        }
        Op::Ternary {
            op, ty, a, b, c, ..
        } if *ty != ScalarType::F64 => {
            let (a, b, c) = (a.constant()?, b.constant()?, c.constant()?);
            let bits = op.result_bits(*ty);
            let ty_of = if bits == ty.bits() {
                *ty
            } else {
                bits_of(bits)
            };
            Some((ty_of, eval::ternary(*op, *ty, a, b, c)))
        }
        Op::Compare {
            op,
            ty,
            unordered,
            a,
            b,
            ..
        } if *ty != ScalarType::F64 => {
            let holds = eval::compare(*op, *ty, *unordered, a.constant()?, b.constant()?);
            Some((ScalarType::Bool, u64::from(holds)))
        }
        Op::Convert {
            from,
            to,
            rounding,
            saturate,
            a,
            ..
        } if *from != ScalarType::F64 && *to != ScalarType::F64 => {
            let a = a.constant()?;
            Some((*to, eval::convert(*from, *to, *rounding, *saturate, a)))
        }
        _ => None,
    }
}
