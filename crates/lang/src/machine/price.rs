//! What an instruction takes of the budget of steps.

use crate::code::{Binary, Inst, Unary};

/// Steps that an instruction counts for: about how many additions of a warp it takes as long as, at worst.
///
/// A remainder of floats goes bit by bit through the difference of the exponents (up to 2,100), and the sine of a huge
/// number needs hundreds of digits of pi: counted as one step each, a budget of steps would be no bound on time.
pub(super) const fn price(inst: &Inst) -> u64 {
    match inst {
        Inst::Unary { op, scalar, .. } if scalar.is_float() => match op {
            Unary::Sin | Unary::Cos | Unary::Tan => 64,
            Unary::Abs | Unary::Negate | Unary::Not | Unary::Sqrt => 1,
            Unary::Floor | Unary::Ceil | Unary::Round | Unary::Truncate | Unary::RoundEven => 1,
            Unary::ToBits | Unary::FromBits | Unary::Opaque => 1,
            Unary::LogGamma | Unary::Gamma => 64,
            _ => 16,
        },
        Inst::Binary { op, scalar, .. } => match op {
            Binary::Remainder if scalar.is_float() => 512,
            Binary::Power | Binary::ArcTangent => 32,
            Binary::Divide | Binary::Remainder => 4,
            _ => 1,
        },
        _ => 1,
    }
}
