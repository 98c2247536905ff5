//! What an instruction takes of the budget of steps.

use crate::code::{Binary, Inst, Unary};

/// Steps that an instruction counts for: about how many additions of a warp it takes as long as, at worst.
///
/// A remainder of floats goes bit by bit through the difference of the exponents (up to 2,100), and the sine of a huge
/// number needs hundreds of digits of pi: counted as one step each, a budget of steps would be no bound on time.
pub(super) const fn price(inst: &Inst) -> u64 {
    match inst {
        Inst::Unary { op, scalar, .. } if scalar.is_float() => match op {
            Unary::Sin | Unary::Cos => 64,
            Unary::Exp | Unary::Exp2 | Unary::Log | Unary::Log2 => 16,
            _ => 1,
        },
        Inst::Binary { op, scalar, .. } => match op {
            Binary::Remainder if scalar.is_float() => 512,
            Binary::Power => 32,
            Binary::Divide | Binary::Remainder => 4,
            _ => 1,
        },
        _ => 1,
    }
}
