//! Arithmetic of up to 32 bits as expressions, bit for bit as `lanescope_ir::eval` defines it.
//!
//! What WGSL defines otherwise (shifts by the width or more, division by zero, conversions out of range) goes through
//! functions of `library.wgsl`; what its compilers refuse (constant expressions that overflow) is computed here.

use lanescope_ir::{BinaryOp, Instruction, Op, Operand, ScalarType, TernaryOp, UnaryOp};

use crate::RefusalKind;
use crate::constant_fold::folded;
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
            Op::Undefined { dst } => {
                let ty = match self.facts.kernel.registers.get(dst.index()) {
                    Some(1) => ScalarType::Bool,
                    Some(64) => ScalarType::U64,
                    Some(_) | None => ScalarType::U32,
                };
                self.unary(UnaryOp::Move, ty, Operand::Constant(0))
            }
            // Addresses are counted from the buffer's first byte.
            Op::Parameter { dst, .. } if self.is_pointer(*dst) => Ok(Expr::u32("0u")),
            Op::Parameter {
                ty, offset, index, ..
            } => self.parameter(*ty, *offset, *index),
            Op::Lop3 { .. } => Err(unnamed("a logic function of 64 bits")),
            Op::BitFieldInsert { .. } => Err(unnamed("a bit-field insertion of 64 bits")),
            Op::Unmodelled { name, .. } => Err(unnamed(name.clone())),
            // The kernel is refused by the name of what cannot be written.
            other => Err(unnamed(other.mnemonic())),
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
            return if op == UnaryOp::Not {
                Ok(Expr::flag(format!("!{}", flag.inner())))
            } else {
                Err(unnamed(op.name()))
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
            // The kernel is refused by the name of what cannot be written.
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
                BinaryOp::MultiplyHigh
                | BinaryOp::MultiplyWide
                | BinaryOp::Divide
                | BinaryOp::Remainder
                | BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
                | BinaryOp::Power
                | BinaryOp::PowerApprox
                | BinaryOp::ArcTangent
                | BinaryOp::CopySign => return Err(unnamed(op.name())),
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
        let (symbol, signed) = if op == BinaryOp::ShiftLeft {
            ("<<", false)
        } else {
            (">>", ty.is_signed())
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
