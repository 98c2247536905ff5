//! The math library's functions: which of them bring branches along.

use lanescope_ir::{BinaryOp, Op, Operand, ScalarType, UnaryOp, eval};

/// What the branches inside of a library function part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LibraryBranches {
    /// There are none.
    None,
    /// They are predicated in machine code: they part all that is joined before that, which loads from shared memory are not.
    Predicated,
    /// They stay, and part all accesses.
    Kept,
}

impl LibraryBranches {
    /// Those of an operation, as nvcc 13 compiles its function without `--use_fast_math`; measured for each function and type on five kernels that read or write a pair with the function between the two.
    pub(crate) fn of(op: &Op) -> Self {
        match op {
            Op::Unary { op, ty, .. } => match ty {
                ScalarType::F32 => of_float(*op),
                ScalarType::F64 => of_double(*op),
                _ => Self::None,
            },
            Op::Binary { op, ty, a, .. } => of_two(*op, *ty, *a),
            _ => Self::None,
        }
    }
}

const fn of_float(op: UnaryOp) -> LibraryBranches {
    match op {
        UnaryOp::Sin
        | UnaryOp::Cos
        | UnaryOp::Tan
        | UnaryOp::Atan
        | UnaryOp::Asinh
        | UnaryOp::Acosh
        | UnaryOp::Atanh
        | UnaryOp::Log
        | UnaryOp::Log2
        | UnaryOp::Log10
        | UnaryOp::LogPlusOne
        | UnaryOp::Erf
        | UnaryOp::LogGamma
        | UnaryOp::Gamma => LibraryBranches::Predicated,
        _ => LibraryBranches::None,
    }
}

const fn of_double(op: UnaryOp) -> LibraryBranches {
    match op {
        UnaryOp::Sin
        | UnaryOp::Cos
        | UnaryOp::Tan
        | UnaryOp::Sinh
        | UnaryOp::Asinh
        | UnaryOp::Acosh
        | UnaryOp::Atanh
        | UnaryOp::LogPlusOne
        | UnaryOp::LogGamma
        | UnaryOp::Gamma => LibraryBranches::Kept,
        UnaryOp::Asin
        | UnaryOp::Acos
        | UnaryOp::Atan
        | UnaryOp::Cosh
        | UnaryOp::Tanh
        | UnaryOp::Exp
        | UnaryOp::Exp2
        | UnaryOp::ExpMinusOne
        | UnaryOp::Log
        | UnaryOp::Log2
        | UnaryOp::Log10
        | UnaryOp::Cbrt
        | UnaryOp::ErfComplement => LibraryBranches::Predicated,
        _ => LibraryBranches::None,
    }
}

fn of_two(op: BinaryOp, ty: ScalarType, a: Operand) -> LibraryBranches {
    // `exp10` is a power of the constant ten.
    let is_exp10 = op == BinaryOp::Power && a == Operand::Constant(eval::from_f64(ty, 10.0));
    match (op, ty) {
        (BinaryOp::Power, ScalarType::F32) if is_exp10 => LibraryBranches::None,
        (BinaryOp::Power, ScalarType::F64) if is_exp10 => LibraryBranches::Predicated,
        (BinaryOp::Power, ScalarType::F32) => LibraryBranches::Predicated,
        (BinaryOp::Power, ScalarType::F64)
        | (BinaryOp::ArcTangent | BinaryOp::Remainder, ScalarType::F32 | ScalarType::F64) => {
            LibraryBranches::Kept
        }
        _ => LibraryBranches::None,
    }
}
