//! Operators of arithmetic and of warps.
//!
//! What each gives is defined once, by `eval.rs`.

use crate::ScalarType;

/// Gives an enum of unit variants its list of all variants and their names in the text form.
macro_rules! mnemonics {
    ($type:ident { $($variant:ident => $name:literal,)* }) => {
        impl $type {
            /// Every variant, in the order of declaration.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its name in the text form.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The variant of that name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }
        }
    };
}
pub(crate) use mnemonics;

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOp {
    /// The bits as they are.
    Move,
    /// Additive inverse.
    Negate,
    /// Bitwise complement; of a predicate, its negation.
    Not,
    /// Absolute value.
    Abs,
    /// Number of ones.
    PopCount,
    /// Zeros above the highest one; the type's bits for 0.
    LeadingZeros,
    /// Position of the most significant bit that differs from the sign (of an unsigned type: of the highest one);
    /// all ones where there is none (`bfind`, `FLO`).
    FindLeading,
    /// Position of the lowest one, from 1; 0 for 0 (`__ffs`).
    FindFirst,
    /// Bits in reverse order.
    ReverseBits,
    /// Towards minus infinity.
    Floor,
    /// Towards plus infinity.
    Ceil,
    /// To the nearest integer, a half away from zero.
    Round,
    /// To the nearest integer, a half to the even one.
    RoundEven,
    /// Towards zero.
    Truncate,
    /// Square root.
    Sqrt,
    /// One over the square root.
    ReciprocalSqrt,
    /// One over the operand.
    Reciprocal,
    /// e to the operand.
    Exp,
    /// 2 to the operand.
    Exp2,
    /// e to the operand, less 1.
    ExpMinusOne,
    /// Natural logarithm.
    Log,
    /// Logarithm to the base 2.
    Log2,
    /// Logarithm to the base 10.
    Log10,
    /// Natural logarithm of one more than the operand.
    LogPlusOne,
    /// Sine of radians.
    Sin,
    /// Cosine of radians.
    Cos,
    /// Tangent of radians.
    Tan,
    /// Inverse sine.
    Asin,
    /// Inverse cosine.
    Acos,
    /// Inverse tangent.
    Atan,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Inverse hyperbolic sine.
    Asinh,
    /// Inverse hyperbolic cosine.
    Acosh,
    /// Inverse hyperbolic tangent.
    Atanh,
    /// Cube root.
    Cbrt,
    /// Error function.
    Erf,
    /// One less the error function.
    ErfComplement,
    /// Logarithm of the gamma function.
    LogGamma,
    /// Gamma function.
    Gamma,
    /// Sine of radians, as the hardware's unit approximates it (`sin.approx`, `__sinf`).
    SinApprox,
    /// Cosine of radians, as the hardware's unit approximates it (`cos.approx`, `__cosf`).
    CosApprox,
    /// Tangent of radians, as the hardware's unit approximates it (`__tanf`).
    TanApprox,
    /// Natural logarithm, as the hardware's unit approximates it (`__logf`).
    LogApprox,
    /// Logarithm to the base 2, as the hardware's unit approximates it (`lg2.approx`, `__log2f`).
    Log2Approx,
    /// Logarithm to the base 10, as the hardware's unit approximates it (`__log10f`).
    Log10Approx,
    /// Whether the float is a NaN: a predicate.
    IsNan,
    /// Whether the float is finite: a predicate.
    IsFinite,
}

/// An operator with two operands of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOp {
    /// Sum, modulo two to the width.
    Add,
    /// Difference, modulo two to the width.
    Subtract,
    /// Low half of the product.
    Multiply,
    /// High half of the product of integers.
    MultiplyHigh,
    /// Whole product of 8-, 16- or 32-bit integers, twice as wide as the operands.
    MultiplyWide,
    /// Quotient towards zero; by zero: all ones.
    Divide,
    /// Remainder with the sign of the first operand; by zero: the first operand.
    Remainder,
    /// Left shift; 0 for amounts at or above the width.
    ShiftLeft,
    /// Right shift, arithmetic for signed types; amounts at or above the width give 0 or the sign.
    ShiftRight,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The lesser; of floats, the one that is a number.
    Minimum,
    /// The greater; of floats, the one that is a number.
    Maximum,
    /// First operand to the power of the second.
    Power,
    /// First operand to the power of the second, by the hardware's approximations (`__powf`).
    PowerApprox,
    /// Angle of the point whose y is the first operand.
    ArcTangent,
    /// Magnitude of the first with the sign of the second.
    CopySign,
}

/// An operator with three operands of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TernaryOp {
    /// `a * b + c`, the low half; of floats, fused.
    MultiplyAdd,
    /// High half of `a * b`, plus `c`.
    MultiplyAddHigh,
    /// Whole product of 16- or 32-bit integers plus `c`, which is twice as wide, as the result is.
    MultiplyAddWide,
    /// `a + b + c`.
    Add3,
    /// `b:a` (b above) shifted left by `c & 31` (32-bit words), the high word.
    FunnelShiftLeft,
    /// `b:a` shifted right by `c & 31`, the low word.
    FunnelShiftRight,
    /// `b:a` shifted left by `min(c, 32)`, the high word.
    FunnelShiftLeftClamped,
    /// `b:a` shifted right by `min(c, 32)`, the low word.
    FunnelShiftRightClamped,
    /// `c & 0xff` bits of `a` from bit `b & 0xff` on; sign-extended for signed types (`bfe`).
    BitFieldExtract,
    /// Byte permutation: nibble i of `c` chooses byte i of the result from the eight of `b:a`; a nibble's high bit
    /// repeats the byte's sign (`prmt`).
    BytePermute,
    /// `|a - b| + c`.
    SumAbsoluteDifference,
    /// Dot product of the operands' four bytes, plus `c`.
    DotProduct4,
}

/// A relation between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterEqual,
}

/// How a conversion rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rounding {
    /// To the nearest, a half to even.
    NearestEven,
    /// Towards zero, as C converts a float to an integer.
    TowardsZero,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
}

/// What an atomic does to its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomicOp {
    /// Adds.
    Add,
    /// Puts the operand there.
    Exchange,
    /// Keeps the lesser.
    Minimum,
    /// Keeps the greater.
    Maximum,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Adds one, from the operand on zero.
    Increment,
    /// Takes one away, from zero or above the operand on the operand.
    Decrement,
    /// Puts the second operand there if the first is what is there.
    CompareAndSwap,
}

/// Where a shuffle takes a lane's value from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ShuffleMode {
    /// The lane that the operand names.
    Index,
    /// So many lanes below.
    Up,
    /// So many lanes above.
    Down,
    /// The lane whose number differs in the operand's bits.
    Butterfly,
}

/// A question to all lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VoteMode {
    /// Whether the predicate holds in all active lanes.
    All,
    /// Whether it holds in any.
    Any,
    /// Whether it is the same in all.
    Uniform,
    /// A bit for each active lane in which it holds.
    Ballot,
}

/// Which lanes hold the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchMode {
    /// The mask of the lanes that hold what this lane holds.
    Any,
    /// The mask of all active lanes where they all hold the same, else 0; the predicate tells which.
    All,
}

/// What a warp-wide reduction or scan computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WarpReduceOp {
    /// Sum.
    Add,
    /// Product.
    Multiply,
    /// Least.
    Minimum,
    /// Greatest.
    Maximum,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

/// Over which lanes a warp-wide reduction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WarpReduceScope {
    /// All active lanes.
    All,
    /// The active lanes up to and with this one.
    Inclusive,
    /// The active lanes before this one.
    Exclusive,
}

mnemonics! {
    UnaryOp {
        Move => "mov",
        Negate => "neg",
        Not => "not",
        Abs => "abs",
        PopCount => "popc",
        LeadingZeros => "clz",
        FindLeading => "bfind",
        FindFirst => "ffs",
        ReverseBits => "brev",
        Floor => "floor",
        Ceil => "ceil",
        Round => "round",
        RoundEven => "round_even",
        Truncate => "trunc",
        Sqrt => "sqrt",
        ReciprocalSqrt => "rsqrt",
        Reciprocal => "rcp",
        Exp => "exp",
        Exp2 => "exp2",
        ExpMinusOne => "expm1",
        Log => "log",
        Log2 => "log2",
        Log10 => "log10",
        LogPlusOne => "log1p",
        Sin => "sin",
        Cos => "cos",
        Tan => "tan",
        SinApprox => "sin_approx",
        CosApprox => "cos_approx",
        TanApprox => "tan_approx",
        LogApprox => "log_approx",
        Log2Approx => "log2_approx",
        Log10Approx => "log10_approx",
        Asin => "asin",
        Acos => "acos",
        Atan => "atan",
        Sinh => "sinh",
        Cosh => "cosh",
        Tanh => "tanh",
        Asinh => "asinh",
        Acosh => "acosh",
        Atanh => "atanh",
        Cbrt => "cbrt",
        Erf => "erf",
        ErfComplement => "erfc",
        LogGamma => "lgamma",
        Gamma => "tgamma",
        IsNan => "is_nan",
        IsFinite => "is_finite",
    }
}

mnemonics! {
    BinaryOp {
        Add => "add",
        Subtract => "sub",
        Multiply => "mul",
        MultiplyHigh => "mul_hi",
        MultiplyWide => "mul_wide",
        Divide => "div",
        Remainder => "rem",
        ShiftLeft => "shl",
        ShiftRight => "shr",
        And => "and",
        Or => "or",
        Xor => "xor",
        Minimum => "min",
        Maximum => "max",
        Power => "pow",
        PowerApprox => "pow_approx",
        ArcTangent => "atan2",
        CopySign => "copysign",
    }
}

mnemonics! {
    TernaryOp {
        MultiplyAdd => "mad",
        MultiplyAddHigh => "mad_hi",
        MultiplyAddWide => "mad_wide",
        Add3 => "add3",
        FunnelShiftLeft => "shf_l",
        FunnelShiftRight => "shf_r",
        FunnelShiftLeftClamped => "shf_l_clamp",
        FunnelShiftRightClamped => "shf_r_clamp",
        BitFieldExtract => "bfe",
        BytePermute => "prmt",
        SumAbsoluteDifference => "sad",
        DotProduct4 => "dot4",
    }
}

mnemonics! {
    Comparison {
        Equal => "eq",
        NotEqual => "ne",
        Less => "lt",
        LessEqual => "le",
        Greater => "gt",
        GreaterEqual => "ge",
    }
}

mnemonics! {
    Rounding {
        NearestEven => "rn",
        TowardsZero => "rz",
        Down => "rm",
        Up => "rp",
    }
}

mnemonics! {
    AtomicOp {
        Add => "add",
        Exchange => "exch",
        Minimum => "min",
        Maximum => "max",
        And => "and",
        Or => "or",
        Xor => "xor",
        Increment => "inc",
        Decrement => "dec",
        CompareAndSwap => "cas",
    }
}

mnemonics! {
    ShuffleMode {
        Index => "idx",
        Up => "up",
        Down => "down",
        Butterfly => "bfly",
    }
}

mnemonics! {
    VoteMode {
        All => "all",
        Any => "any",
        Uniform => "uni",
        Ballot => "ballot",
    }
}

mnemonics! {
    MatchMode {
        Any => "any",
        All => "all",
    }
}

mnemonics! {
    WarpReduceOp {
        Add => "add",
        Multiply => "mul",
        Minimum => "min",
        Maximum => "max",
        And => "and",
        Or => "or",
        Xor => "xor",
    }
}

mnemonics! {
    WarpReduceScope {
        All => "all",
        Inclusive => "inclusive",
        Exclusive => "exclusive",
    }
}

impl UnaryOp {
    /// Bits of the result for operands of a type.
    #[must_use]
    pub const fn result_bits(self, ty: ScalarType) -> u32 {
        match self {
            Self::IsNan | Self::IsFinite => 1,
            Self::PopCount | Self::LeadingZeros | Self::FindLeading | Self::FindFirst => 32,
            Self::Move
            | Self::Negate
            | Self::Not
            | Self::Abs
            | Self::ReverseBits
            | Self::Floor
            | Self::Ceil
            | Self::Round
            | Self::RoundEven
            | Self::Truncate
            | Self::Sqrt
            | Self::ReciprocalSqrt
            | Self::Reciprocal
            | Self::Exp
            | Self::Exp2
            | Self::ExpMinusOne
            | Self::Log
            | Self::Log2
            | Self::Log10
            | Self::LogPlusOne
            | Self::Sin
            | Self::Cos
            | Self::Tan
            | Self::SinApprox
            | Self::CosApprox
            | Self::TanApprox
            | Self::LogApprox
            | Self::Log2Approx
            | Self::Log10Approx
            | Self::Asin
            | Self::Acos
            | Self::Atan
            | Self::Sinh
            | Self::Cosh
            | Self::Tanh
            | Self::Asinh
            | Self::Acosh
            | Self::Atanh
            | Self::Cbrt
            | Self::Erf
            | Self::ErfComplement
            | Self::LogGamma
            | Self::Gamma => ty.bits(),
        }
    }

    /// Whether it takes operands of a type.
    #[must_use]
    pub const fn takes(self, ty: ScalarType) -> bool {
        match self {
            Self::Move => true,
            Self::Not => !ty.is_float(),
            Self::Negate | Self::Abs => !matches!(ty, ScalarType::Bool),
            Self::PopCount
            | Self::LeadingZeros
            | Self::FindLeading
            | Self::FindFirst
            | Self::ReverseBits => !ty.is_float() && !matches!(ty, ScalarType::Bool),
            Self::Floor
            | Self::Ceil
            | Self::Round
            | Self::RoundEven
            | Self::Truncate
            | Self::Sqrt
            | Self::ReciprocalSqrt
            | Self::Reciprocal
            | Self::Exp
            | Self::Exp2
            | Self::ExpMinusOne
            | Self::Log
            | Self::Log2
            | Self::Log10
            | Self::LogPlusOne
            | Self::Sin
            | Self::Cos
            | Self::Tan
            | Self::SinApprox
            | Self::CosApprox
            | Self::TanApprox
            | Self::LogApprox
            | Self::Log2Approx
            | Self::Log10Approx
            | Self::Asin
            | Self::Acos
            | Self::Atan
            | Self::Sinh
            | Self::Cosh
            | Self::Tanh
            | Self::Asinh
            | Self::Acosh
            | Self::Atanh
            | Self::Cbrt
            | Self::Erf
            | Self::ErfComplement
            | Self::LogGamma
            | Self::Gamma
            | Self::IsNan
            | Self::IsFinite => ty.is_float(),
        }
    }
}

impl BinaryOp {
    /// Bits of the result for operands of a type.
    #[must_use]
    pub const fn result_bits(self, ty: ScalarType) -> u32 {
        match self {
            Self::MultiplyWide => 2 * ty.bits(),
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::MultiplyHigh
            | Self::Divide
            | Self::Remainder
            | Self::ShiftLeft
            | Self::ShiftRight
            | Self::And
            | Self::Or
            | Self::Xor
            | Self::Minimum
            | Self::Maximum
            | Self::Power
            | Self::PowerApprox
            | Self::ArcTangent
            | Self::CopySign => ty.bits(),
        }
    }

    /// Whether it takes operands of a type.
    #[must_use]
    pub const fn takes(self, ty: ScalarType) -> bool {
        let is_bool = matches!(ty, ScalarType::Bool);
        match self {
            Self::And | Self::Or | Self::Xor => !ty.is_float(),
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::Divide
            | Self::Remainder
            | Self::Minimum
            | Self::Maximum => !is_bool,
            Self::MultiplyHigh | Self::ShiftLeft | Self::ShiftRight => !is_bool && !ty.is_float(),
            Self::MultiplyWide => !is_bool && !ty.is_float() && ty.bits() <= 32,
            Self::Power | Self::PowerApprox | Self::ArcTangent | Self::CopySign => ty.is_float(),
        }
    }
}

impl TernaryOp {
    /// Bits of the result for operands of a type.
    #[must_use]
    pub const fn result_bits(self, ty: ScalarType) -> u32 {
        match self {
            Self::MultiplyAddWide => 2 * ty.bits(),
            Self::MultiplyAdd
            | Self::MultiplyAddHigh
            | Self::Add3
            | Self::FunnelShiftLeft
            | Self::FunnelShiftRight
            | Self::FunnelShiftLeftClamped
            | Self::FunnelShiftRightClamped
            | Self::BitFieldExtract
            | Self::BytePermute
            | Self::SumAbsoluteDifference
            | Self::DotProduct4 => ty.bits(),
        }
    }

    /// Whether it takes operands of a type.
    #[must_use]
    pub const fn takes(self, ty: ScalarType) -> bool {
        let is_whole = !ty.is_float() && !matches!(ty, ScalarType::Bool);
        match self {
            Self::MultiplyAdd => !matches!(ty, ScalarType::Bool),
            Self::MultiplyAddWide => is_whole && (ty.bits() == 16 || ty.bits() == 32),
            Self::MultiplyAddHigh
            | Self::Add3
            | Self::BitFieldExtract
            | Self::SumAbsoluteDifference => is_whole,
            Self::FunnelShiftLeft
            | Self::FunnelShiftRight
            | Self::FunnelShiftLeftClamped
            | Self::FunnelShiftRightClamped
            | Self::BytePermute
            | Self::DotProduct4 => is_whole && ty.bits() == 32,
        }
    }
}
