//! The math library's functions: which of them bring branches along.

use lanescope_ir::{BinaryOp, Op, Operand, ScalarType, UnaryOp, eval};

/// What the branches inside of a library function part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LibraryBranches {
    /// There are none.
    None,
    /// They are predicated in machine code: they part all that is joined before that, which loads from shared memory are
    /// not.
    Predicated,
    /// They stay, and part all accesses.
    Kept,
}

impl LibraryBranches {
    /// Those of an operation, as nvcc 13 compiles its function without `--use_fast_math`; measured for each function and
    /// type on five kernels that read or write a pair with the function between the two.
    pub(crate) fn of(op: &Op) -> Self {
        if let Op::Unary { op, ty, .. } = op {
            of_one(*op, *ty)
        } else if let Op::Binary { op, ty, a, .. } = op {
            of_two(*op, *ty, *a)
        } else {
            Self::None
        }
    }
}

/// Functions of `float` whose branches are predicated. Those of all others have none.
const PREDICATED_FLOAT: &[UnaryOp] = {
    use UnaryOp::*;
    &[
        Sin, Cos, Tan, Atan, Asinh, Acosh, Atanh, Log, Log2, Log10, LogPlusOne, Erf, LogGamma,
        Gamma,
    ]
};

/// Functions of `double` whose branches stay.
const KEPT_DOUBLE: &[UnaryOp] = {
    use UnaryOp::*;
    &[
        Sin, Cos, Tan, Sinh, Asinh, Acosh, Atanh, LogPlusOne, LogGamma, Gamma,
    ]
};

/// Functions of `double` whose branches are predicated. Those of all others have none.
const PREDICATED_DOUBLE: &[UnaryOp] = {
    use UnaryOp::*;
    &[
        Asin,
        Acos,
        Atan,
        Cosh,
        Tanh,
        Exp,
        Exp2,
        ExpMinusOne,
        Log,
        Log2,
        Log10,
        Cbrt,
        ErfComplement,
    ]
};

fn of_one(op: UnaryOp, ty: ScalarType) -> LibraryBranches {
    let (is_float, is_double) = (ty == ScalarType::F32, ty == ScalarType::F64);
    if is_double && KEPT_DOUBLE.contains(&op) {
        LibraryBranches::Kept
    } else if is_float && PREDICATED_FLOAT.contains(&op)
        || is_double && PREDICATED_DOUBLE.contains(&op)
    {
        LibraryBranches::Predicated
    } else {
        LibraryBranches::None
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
