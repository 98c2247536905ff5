//! Scalar types: how an instruction reads the bits of its operands.

use crate::operator::operators;

operators! {
    /// A scalar type. Registers have a width only; the instruction says how it reads their bits.
    ScalarType {
        /// One bit: a predicate. In memory it takes one byte.
        Bool = "bool",
        /// 8 bits, two's complement.
        I8 = "i8",
        /// 8 bits, unsigned.
        U8 = "u8",
        /// 16 bits, two's complement.
        I16 = "i16",
        /// 16 bits, unsigned.
        U16 = "u16",
        /// 32 bits, two's complement.
        I32 = "i32",
        /// 32 bits, unsigned.
        U32 = "u32",
        /// 64 bits, two's complement.
        I64 = "i64",
        /// 64 bits, unsigned.
        U64 = "u64",
        /// IEEE binary16.
        F16 = "f16",
        /// bfloat16.
        BF16 = "bf16",
        /// IEEE binary32.
        F32 = "f32",
        /// IEEE binary64.
        F64 = "f64",
    }
}

impl ScalarType {
    /// Bits of a value in a register: 1, 8, 16, 32 or 64.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::I8 | Self::U8 => 8,
            Self::I16 | Self::U16 | Self::F16 | Self::BF16 => 16,
            Self::I32 | Self::U32 | Self::F32 => 32,
            Self::I64 | Self::U64 | Self::F64 => 64,
        }
    }

    /// Bytes of a value in memory: 1, 2, 4 or 8.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// The ones in the low [`Self::bits`] bits.
    #[must_use]
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// Whether it is a floating-point type.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::BF16 | Self::F32 | Self::F64)
    }

    /// Whether it is a two's-complement integer.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }
}
