//! Operators of arithmetic and of warps: one table for each kind.
//!
//! A row is an operator's doc, its variant and its name in the text form. An operator of arithmetic says besides which
//! types it takes, how wide its result is ([`Types`], [`Gives`]) and which laws hold of it ([`Law`]): passes ask for the
//! law, not for a list of operators, so that a new operator has one row to fill in. What each operator computes is
//! defined once, by `eval.rs`.

use crate::ScalarType;

/// The types of operands that an operator takes.
#[derive(Clone, Copy)]
enum Types {
    /// Every type.
    All,
    /// Integers and predicates.
    Bits,
    /// Integers and floats.
    Numbers,
    /// Integers.
    Integers,
    /// Integers of at most 32 bits.
    Narrow,
    /// Integers of 16 or 32 bits.
    Halves,
    /// Integers of 32 bits.
    Words,
    /// Floats.
    Floats,
}

impl Types {
    const fn contain(self, ty: ScalarType) -> bool {
        let is_integer = !ty.is_float() && !matches!(ty, ScalarType::Bool);
        match self {
            Self::All => true,
            Self::Bits => !ty.is_float(),
            Self::Numbers => !matches!(ty, ScalarType::Bool),
            Self::Integers => is_integer,
            Self::Narrow => is_integer && ty.bits() <= 32,
            Self::Halves => is_integer && (ty.bits() == 16 || ty.bits() == 32),
            Self::Words => is_integer && ty.bits() == 32,
            Self::Floats => ty.is_float(),
        }
    }
}

/// How wide the result of an operator is.
#[derive(Clone, Copy)]
enum Gives {
    /// As wide as the operands.
    Same,
    /// Twice as wide.
    Double,
    /// A 32-bit number.
    Count,
    /// A predicate.
    Predicate,
}

impl Gives {
    const fn bits(self, ty: ScalarType) -> u32 {
        match self {
            Self::Same => ty.bits(),
            Self::Double => 2 * ty.bits(),
            Self::Count => 32,
            Self::Predicate => 1,
        }
    }
}

/// A property of an operator of arithmetic on integers, by which passes treat it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// The first two operands may change places.
    Commutes,
    /// A ring operation modulo two to the width: a bit of the result depends on no higher bit of any operand.
    Modular,
    /// Bit by bit: a bit of the result depends on the same bit of each operand alone.
    Bitwise,
    /// What follows the first operand says which of its bits, always as a `u32`.
    Shifts,
    /// A quotient or its remainder.
    Divides,
    /// The result is one of the operands.
    Chooses,
}

/// Declares enumerations of operators, a row each, with `ALL`, `name` and `from_name`.
macro_rules! operators {
    ($(
        $(#[$meta:meta])*
        $type:ident {
            $($(#[$row_meta:meta])* $variant:ident = $name:literal
                $(: $types:ident => $gives:ident $([$($law:ident),*])?)?,)*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type {
            $($(#[$row_meta])* $variant,)*
        }

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
                Self::ALL.iter().copied().find(|variant| variant.name() == name)
            }
        }

        operators! { typed $type { $($variant $(: $types => $gives $([$($law),*])?)?,)* } }
    )*};
    // Names alone: no operator of arithmetic.
    (typed $type:ident { $($variant:ident,)* }) => {};
    (typed $type:ident {
        $($variant:ident: $types:ident => $gives:ident $([$($law:ident),*])?,)*
    }) => {
        impl $type {
            /// Whether it takes operands of a type.
            #[must_use]
            pub const fn takes(self, ty: ScalarType) -> bool {
                match self {
                    $(Self::$variant => Types::$types.contain(ty),)*
                }
            }

            /// Bits of the result for operands of a type.
            #[must_use]
            pub const fn result_bits(self, ty: ScalarType) -> u32 {
                match self {
                    $(Self::$variant => Gives::$gives.bits(ty),)*
                }
            }

            /// Whether its result is a number of bits or of places, whatever it counts them in.
            #[must_use]
            pub const fn is_count(self) -> bool {
                match self {
                    $(Self::$variant => matches!(Gives::$gives, Gives::Count),)*
                }
            }

            /// The laws that hold of it.
            const fn laws(self) -> &'static [Law] {
                match self {
                    $(Self::$variant => &[$($(Law::$law),*)?],)*
                }
            }

            /// Whether a law holds of it.
            #[must_use]
            pub fn has(self, law: Law) -> bool {
                self.laws().contains(&law)
            }
        }
    };
}
pub(crate) use operators;

operators! {
    /// An operator with one operand.
    UnaryOp {
        /// The bits as they are.
        Move = "mov": All => Same,
        /// Additive inverse.
        Negate = "neg": Numbers => Same,
        /// Bitwise complement; of a predicate, its negation.
        Not = "not": Bits => Same,
        /// Absolute value.
        Abs = "abs": Numbers => Same,
        /// Number of ones.
        PopCount = "popc": Integers => Count,
        /// Zeros above the highest one; the type's bits for 0.
        LeadingZeros = "clz": Integers => Count,
        /// Position of the most significant bit that differs from the sign (of an unsigned type: of the highest one);
        /// all ones where there is none (`bfind`, `FLO`).
        FindLeading = "bfind": Integers => Count,
        /// Position of the lowest one, from 1; 0 for 0 (`__ffs`).
        FindFirst = "ffs": Integers => Count,
        /// Bits in reverse order.
        ReverseBits = "brev": Integers => Same,
        /// Towards minus infinity.
        Floor = "floor": Floats => Same,
        /// Towards plus infinity.
        Ceil = "ceil": Floats => Same,
        /// To the nearest integer, a half away from zero.
        Round = "round": Floats => Same,
        /// To the nearest integer, a half to the even one.
        RoundEven = "round_even": Floats => Same,
        /// Towards zero.
        Truncate = "trunc": Floats => Same,
        /// Square root.
        Sqrt = "sqrt": Floats => Same,
        /// One over the square root.
        ReciprocalSqrt = "rsqrt": Floats => Same,
        /// One over the operand.
        Reciprocal = "rcp": Floats => Same,
        /// e to the operand.
        Exp = "exp": Floats => Same,
        /// 2 to the operand.
        Exp2 = "exp2": Floats => Same,
        /// e to the operand, less 1.
        ExpMinusOne = "expm1": Floats => Same,
        /// Natural logarithm.
        Log = "log": Floats => Same,
        /// Logarithm to the base 2.
        Log2 = "log2": Floats => Same,
        /// Logarithm to the base 10.
        Log10 = "log10": Floats => Same,
        /// Natural logarithm of one more than the operand.
        LogPlusOne = "log1p": Floats => Same,
        /// Sine of radians.
        Sin = "sin": Floats => Same,
        /// Cosine of radians.
        Cos = "cos": Floats => Same,
        /// Tangent of radians.
        Tan = "tan": Floats => Same,
        /// Inverse sine.
        Asin = "asin": Floats => Same,
        /// Inverse cosine.
        Acos = "acos": Floats => Same,
        /// Inverse tangent.
        Atan = "atan": Floats => Same,
        /// Hyperbolic sine.
        Sinh = "sinh": Floats => Same,
        /// Hyperbolic cosine.
        Cosh = "cosh": Floats => Same,
        /// Hyperbolic tangent.
        Tanh = "tanh": Floats => Same,
        /// Inverse hyperbolic sine.
        Asinh = "asinh": Floats => Same,
        /// Inverse hyperbolic cosine.
        Acosh = "acosh": Floats => Same,
        /// Inverse hyperbolic tangent.
        Atanh = "atanh": Floats => Same,
        /// Cube root.
        Cbrt = "cbrt": Floats => Same,
        /// Error function.
        Erf = "erf": Floats => Same,
        /// One less the error function.
        ErfComplement = "erfc": Floats => Same,
        /// Logarithm of the gamma function.
        LogGamma = "lgamma": Floats => Same,
        /// Gamma function.
        Gamma = "tgamma": Floats => Same,
        /// Sine of radians, as the hardware's unit approximates it (`sin.approx`, `__sinf`).
        SinApprox = "sin_approx": Floats => Same,
        /// Cosine of radians, as the hardware's unit approximates it (`cos.approx`, `__cosf`).
        CosApprox = "cos_approx": Floats => Same,
        /// Tangent of radians, as the hardware's unit approximates it (`__tanf`).
        TanApprox = "tan_approx": Floats => Same,
        /// Natural logarithm, as the hardware's unit approximates it (`__logf`).
        LogApprox = "log_approx": Floats => Same,
        /// Logarithm to the base 2, as the hardware's unit approximates it (`lg2.approx`, `__log2f`).
        Log2Approx = "log2_approx": Floats => Same,
        /// Logarithm to the base 10, as the hardware's unit approximates it (`__log10f`).
        Log10Approx = "log10_approx": Floats => Same,
        /// Whether the float is a NaN: a predicate.
        IsNan = "is_nan": Floats => Predicate,
        /// Whether the float is finite: a predicate.
        IsFinite = "is_finite": Floats => Predicate,
    }
}

operators! {
    /// An operator with two operands of one type.
    BinaryOp {
        /// Sum, modulo two to the width.
        Add = "add": Numbers => Same [Modular, Commutes],
        /// Difference, modulo two to the width.
        Subtract = "sub": Numbers => Same [Modular],
        /// Low half of the product.
        Multiply = "mul": Numbers => Same [Modular, Commutes],
        /// High half of the product of integers.
        MultiplyHigh = "mul_hi": Integers => Same [Commutes],
        /// Whole product of 8-, 16- or 32-bit integers, twice as wide as the operands.
        MultiplyWide = "mul_wide": Narrow => Double [Commutes],
        /// Quotient towards zero; by zero: all ones.
        Divide = "div": Numbers => Same [Divides],
        /// Remainder with the sign of the first operand; by zero: the first operand.
        Remainder = "rem": Numbers => Same [Divides],
        /// Left shift; 0 for amounts at or above the width.
        ShiftLeft = "shl": Integers => Same [Shifts],
        /// Right shift, arithmetic for signed types; amounts at or above the width give 0 or the sign.
        ShiftRight = "shr": Integers => Same [Shifts],
        /// Bitwise and.
        And = "and": Bits => Same [Bitwise, Commutes],
        /// Bitwise or.
        Or = "or": Bits => Same [Bitwise, Commutes],
        /// Bitwise exclusive or.
        Xor = "xor": Bits => Same [Bitwise, Commutes],
        /// The lesser; of floats, the one that is a number.
        Minimum = "min": Numbers => Same [Chooses, Commutes],
        /// The greater; of floats, the one that is a number.
        Maximum = "max": Numbers => Same [Chooses, Commutes],
        /// First operand to the power of the second.
        Power = "pow": Floats => Same,
        /// First operand to the power of the second, by the hardware's approximations (`__powf`).
        PowerApprox = "pow_approx": Floats => Same,
        /// Angle of the point whose y is the first operand.
        ArcTangent = "atan2": Floats => Same,
        /// Magnitude of the first with the sign of the second.
        CopySign = "copysign": Floats => Same,
    }
}

operators! {
    /// An operator with three operands of one type.
    TernaryOp {
        /// `a * b + c`, the low half; of floats, fused.
        MultiplyAdd = "mad": Numbers => Same [Modular],
        /// High half of `a * b`, plus `c`.
        MultiplyAddHigh = "mad_hi": Integers => Same,
        /// Whole product of 16- or 32-bit integers plus `c`, which is twice as wide, as the result is.
        MultiplyAddWide = "mad_wide": Halves => Double,
        /// `a + b + c`.
        Add3 = "add3": Integers => Same [Modular],
        /// `b:a` (b above) shifted left by `c & 31` (32-bit words), the high word.
        FunnelShiftLeft = "shf_l": Words => Same,
        /// `b:a` shifted right by `c & 31`, the low word.
        FunnelShiftRight = "shf_r": Words => Same,
        /// `b:a` shifted left by `min(c, 32)`, the high word.
        FunnelShiftLeftClamped = "shf_l_clamp": Words => Same,
        /// `b:a` shifted right by `min(c, 32)`, the low word.
        FunnelShiftRightClamped = "shf_r_clamp": Words => Same,
        /// `c & 0xff` bits of `a` from bit `b & 0xff` on; sign-extended for signed types (`bfe`).
        BitFieldExtract = "bfe": Integers => Same [Shifts],
        /// Byte permutation: nibble i of `c` chooses byte i of the result from the eight of `b:a`; a nibble's high bit
        /// repeats the byte's sign (`prmt`).
        BytePermute = "prmt": Words => Same,
        /// `|a - b| + c`.
        SumAbsoluteDifference = "sad": Integers => Same,
        /// Dot product of the operands' four bytes, plus `c`.
        DotProduct4 = "dot4": Words => Same,
    }
}

operators! {
    /// A relation between two operands.
    Comparison {
        /// Equal.
        Equal = "eq",
        /// Not equal.
        NotEqual = "ne",
        /// Less.
        Less = "lt",
        /// Less or equal.
        LessEqual = "le",
        /// Greater.
        Greater = "gt",
        /// Greater or equal.
        GreaterEqual = "ge",
    }
}

operators! {
    /// How a conversion rounds.
    Rounding {
        /// To the nearest, a half to even.
        NearestEven = "rn",
        /// Towards zero, as C converts a float to an integer.
        TowardsZero = "rz",
        /// Towards minus infinity.
        Down = "rm",
        /// Towards plus infinity.
        Up = "rp",
    }
}

operators! {
    /// What an atomic does to its word.
    AtomicOp {
        /// Adds.
        Add = "add",
        /// Puts the operand there.
        Exchange = "exch",
        /// Keeps the lesser.
        Minimum = "min",
        /// Keeps the greater.
        Maximum = "max",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// Adds one, from the operand on zero.
        Increment = "inc",
        /// Takes one away, from zero or above the operand on the operand.
        Decrement = "dec",
        /// Puts the second operand there if the first is what is there.
        CompareAndSwap = "cas",
    }
}

operators! {
    /// Where a shuffle takes a lane's value from.
    ShuffleMode {
        /// The lane that the operand names.
        Index = "idx",
        /// So many lanes below.
        Up = "up",
        /// So many lanes above.
        Down = "down",
        /// The lane whose number differs in the operand's bits.
        Butterfly = "bfly",
    }
}

operators! {
    /// A question to all lanes.
    VoteMode {
        /// Whether the predicate holds in all active lanes.
        All = "all",
        /// Whether it holds in any.
        Any = "any",
        /// Whether it is the same in all.
        Uniform = "uni",
        /// A bit for each active lane in which it holds.
        Ballot = "ballot",
    }
}

operators! {
    /// Which lanes hold the same value.
    MatchMode {
        /// The mask of the lanes that hold what this lane holds.
        Any = "any",
        /// The mask of all active lanes where they all hold the same, else 0; the predicate tells which.
        All = "all",
    }
}

operators! {
    /// What a warp-wide reduction or scan computes.
    WarpReduceOp {
        /// Sum.
        Add = "add",
        /// Product.
        Multiply = "mul",
        /// Least.
        Minimum = "min",
        /// Greatest.
        Maximum = "max",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
    }
}

operators! {
    /// Over which lanes a warp-wide reduction runs.
    WarpReduceScope {
        /// All active lanes.
        All = "all",
        /// The active lanes up to and with this one.
        Inclusive = "inclusive",
        /// The active lanes before this one.
        Exclusive = "exclusive",
    }
}
