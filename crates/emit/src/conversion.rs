//! Conversions between types of up to 32 bits.

use lanescope_ir::{Operand, Rounding, ScalarType};

use crate::RefusalKind;
use crate::arithmetic::unnamed;
use crate::expression::Expr;
use crate::kinds::Scalar;
use crate::writer::Writer;

impl Writer<'_, '_> {
    pub(crate) fn convert(
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
}
