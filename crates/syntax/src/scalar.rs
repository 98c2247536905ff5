//! The scalar types of a program, and how their values are held.

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `bool`, one byte.
    Bool,
    /// `char`: 8 bits with a sign, and a type of its own.
    I8,
    /// `signed char`, which `int8_t` is.
    SignedChar,
    /// 8 bits.
    U8,
    /// 16 bits with a sign.
    I16,
    /// 16 bits.
    U16,
    /// 32 bits with a sign.
    I32,
    /// 32 bits.
    U32,
    /// 64 bits with a sign.
    I64,
    /// 64 bits.
    U64,
    /// A float of 16 bits.
    F16,
    /// A float of 32 bits.
    F32,
    /// A float of 64 bits.
    F64,
}

impl Scalar {
    /// Bytes of a value.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Bool | Self::I8 | Self::SignedChar | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Whether it is a floating-point type.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    /// Whether it is an integer type with a sign.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(
            self,
            Self::I8 | Self::SignedChar | Self::I16 | Self::I32 | Self::I64
        )
    }

    /// Its name in C.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "char",
            Self::SignedChar => "signed char",
            Self::U8 => "unsigned char",
            Self::I16 => "short",
            Self::U16 => "unsigned short",
            Self::I32 => "int",
            Self::U32 => "unsigned",
            Self::I64 => "long long",
            Self::U64 => "unsigned long long",
            Self::F16 => "half",
            Self::F32 => "float",
            Self::F64 => "double",
        }
    }

    /// The type that an operand of this type has in arithmetic.
    #[must_use]
    pub const fn promoted(self) -> Self {
        match self {
            Self::Bool | Self::I8 | Self::SignedChar | Self::U8 | Self::I16 | Self::U16 => {
                Self::I32
            }
            other => other,
        }
    }

    /// The type of arithmetic on the two: C's usual conversions.
    #[must_use]
    pub fn common(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        if a.rank() >= b.rank() { a } else { b }
    }

    const fn rank(self) -> u8 {
        match self {
            Self::F64 => 8,
            Self::F32 => 7,
            Self::F16 => 6,
            Self::U64 => 5,
            Self::I64 => 4,
            Self::U32 => 3,
            _ => 2,
        }
    }

    /// Brings a whole number into this type's range as a conversion does; floats are held as
    /// the bits of an `f64` and are left alone.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "wrapping is what the conversion means"
    )]
    #[must_use]
    pub const fn wrap(self, value: i64) -> i64 {
        match self {
            Self::Bool => (value != 0) as i64,
            Self::I8 | Self::SignedChar => value as i8 as i64,
            Self::U8 => value as u8 as i64,
            Self::I16 => value as i16 as i64,
            Self::U16 => value as u16 as i64,
            Self::I32 => value as i32 as i64,
            Self::U32 => value as u32 as i64,
            Self::I64 | Self::U64 | Self::F16 | Self::F32 | Self::F64 => value,
        }
    }
}
