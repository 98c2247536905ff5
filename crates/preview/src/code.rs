//! What is computed for each lane: numbers of 32 bits, each from ones before it.

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Bool,
    Int,
    Unsigned,
}

impl Type {
    /// The type an operand has in arithmetic.
    pub(crate) const fn promoted(self) -> Self {
        match self {
            Self::Unsigned => Self::Unsigned,
            Self::Int | Self::Bool => Self::Int,
        }
    }

    /// The type of arithmetic on the two.
    pub(crate) fn common(self, other: Self) -> Self {
        if self == Self::Unsigned || other == Self::Unsigned {
            Self::Unsigned
        } else {
            Self::Int
        }
    }

    /// `value` brought into the type's range as a conversion does.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "wrapping is what the conversion means"
    )]
    pub(crate) const fn wrap(self, value: i64) -> i64 {
        match self {
            Self::Bool => (value != 0) as i64,
            Self::Int => value as i32 as i64,
            Self::Unsigned => value as u32 as i64,
        }
    }
}

/// What a launch, a warp or a lane brings along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Thread(usize),
    Block(usize),
    BlockSize(usize),
    GridSize(usize),
    /// The thread's number in its block.
    Rank,
    Lane,
    Warp,
    WarpLanes,
    /// A variable, by its index.
    Variable(usize),
}

/// An operator on two numbers of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    Minimum,
    Maximum,
}

impl Operator {
    /// Whether the result is true or false.
    pub(crate) const fn compares(self) -> bool {
        matches!(
            self,
            Self::Less | Self::LessEqual | Self::Equal | Self::NotEqual
        )
    }

    /// Whether it has no result where its second operand is 0.
    pub(crate) const fn divides(self) -> bool {
        matches!(self, Self::Divide | Self::Remainder)
    }

    /// The result before it is brought into its type's range.
    pub(crate) fn of(self, a: i64, b: i64) -> i64 {
        match self {
            Self::Add => a.wrapping_add(b),
            Self::Subtract => a.wrapping_sub(b),
            Self::Multiply => a.wrapping_mul(b),
            Self::Divide => a.checked_div(b).unwrap_or(0),
            Self::Remainder => a.checked_rem(b).unwrap_or(0),
            // As the hardware shifts: by the width at most.
            Self::ShiftLeft => a << (b & 0xffff_ffff).min(32),
            Self::ShiftRight => a >> (b & 0xffff_ffff).min(32),
            Self::And => a & b,
            Self::Or => a | b,
            Self::Xor => a ^ b,
            Self::Less => i64::from(a < b),
            Self::LessEqual => i64::from(a <= b),
            Self::Equal => i64::from(a == b),
            Self::NotEqual => i64::from(a != b),
            Self::Minimum => a.min(b),
            Self::Maximum => a.max(b),
        }
    }
}

/// The place of a number among those computed.
pub(crate) type At = usize;

/// How a number is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Constant(i64),
    Given(Given),
    Convert(At),
    Binary(Operator, At, At),
    Select(At, At, At),
}

/// A number: its rule, and the type its result is brought into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) rule: Rule,
    pub(crate) of: Type,
}

/// A request: where each lane's byte lies, and what must hold.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Index of its site.
    pub(crate) site: usize,
    /// The numbers that must not be 0 for a lane to take part.
    pub(crate) guards: Vec<At>,
    /// Address of the array's first byte, and the offset in it that all lanes share.
    pub(crate) base: u64,
    pub(crate) offset: u64,
    /// Numbers with the bytes that each counts for.
    pub(crate) terms: Vec<(At, u64)>,
    /// Numbers that must lie below a size.
    pub(crate) bounds: Vec<(At, u64)>,
}
