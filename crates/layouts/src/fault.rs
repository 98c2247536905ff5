//! What can be wrong in a layout's text.

use std::fmt;

use super::LayoutError;

/// What is wrong, or worth knowing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Something else should stand here.
    Expected {
        /// What.
        wanted: Wanted,
        /// What stands here, as written; `None`: the line ends.
        found: Option<String>,
    },
    /// A sign that no layout has.
    Meaningless(char),
    /// A number that does not fit so many bits.
    NumberBeyond(u32),
    /// The text is longer than 64 KiB.
    TextTooLong,
    /// Too many words or brackets; the rest was not read.
    TooMuch,
    /// Nested too deep.
    TooDeep(usize),
    /// Too many layouts composed.
    TooManyCompositions(usize),
    /// An operation without an answer.
    Layout(LayoutError),
    /// `swizzle` without `elements` or `bytes`.
    SwizzleUnit,
    /// `shift` without `relative` or `absolute`.
    ShiftConvention,
    /// A base beyond 4 GiB.
    BaseTooHigh,
    /// A type of no known size.
    UnknownType(String),
    /// A name that stands for nothing, and the one that is like it.
    UnknownName {
        /// The name.
        name: String,
        /// One that is known.
        near: Option<String>,
    },
    /// A function that there is not, and the one that is like it.
    UnknownFunction {
        /// The name.
        name: String,
        /// One that there is.
        near: Option<&'static str>,
    },
    /// A function with more or fewer arguments than it takes.
    Arguments(String),
    /// A function of one or two arguments with others.
    OneOrTwoArguments(String),
    /// A swizzle without a layout.
    LoneSwizzle,
    /// A tiler where a layout should stand.
    TilerForLayout,
    /// A swizzled layout where only a plain one can stand.
    SwizzledForPlain,
    /// No such mode of TMA.
    UnknownTma(String),
    /// A shape that has not two extents.
    TwoExtents,
    /// A base that TMA does not take.
    TmaBase(u64),
    /// A base inside TMA's pattern.
    TmaOffset {
        /// The base.
        base: u64,
        /// Bytes of the pattern.
        repeat: u64,
        /// By how many chunks the pattern is moved.
        offset: u64,
    },
    /// An access before any layout.
    NoLayout,
    /// Matrices that cannot stand so.
    Arrangement {
        /// Below each other.
        down: u64,
        /// Beside each other.
        across: u64,
        /// How many there are.
        matrices: u8,
    },
    /// Bits a lane that do not suit the element.
    Bits {
        /// Asked for.
        bits: u64,
        /// Of the element.
        element: u64,
    },
    /// A lane outside the tile.
    OutsideTile {
        /// The lane.
        lane: usize,
        /// The element's row and column.
        at: [u64; 2],
        /// The tile's rows and columns.
        tile: [u64; 2],
    },
    /// A lane's bytes are not side by side.
    Torn {
        /// Bytes.
        bytes: u64,
        /// The lane.
        lane: usize,
    },
    /// A lane's bytes are not aligned to their number.
    Unaligned {
        /// Bytes.
        bytes: u64,
        /// The lane.
        lane: usize,
    },
    /// More or fewer lanes than a warp has.
    Lanes {
        /// Below each other.
        down: u64,
        /// Beside each other.
        across: u64,
        /// Of a warp.
        most: u64,
    },
    /// Bytes that `cp.async` does not copy.
    CopyBytes,
    /// Bytes that hold no whole element.
    PartOfElement {
        /// The copy's bytes.
        bytes: u64,
        /// The element's.
        element: u64,
    },
    /// A thread-value layout of one mode.
    ThreadValueModes,
    /// Values that are no whole accesses.
    Values {
        /// Values a thread.
        values: u64,
        /// Of one access.
        count: u64,
    },
    /// Too many requests.
    Requests {
        /// Asked for.
        wanted: u64,
        /// At most.
        most: usize,
    },
    /// A thread's element outside the tile of so many.
    ThreadOutside {
        /// The thread.
        thread: u64,
        /// Elements of the tile.
        size: u64,
    },
    /// A thread's element below address 0.
    ThreadBelow(u64),
}

/// What should stand somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wanted {
    /// One sign.
    Sign(char),
    /// One of these words, in quotes, as in `` `x1`, `x2` or `x4` ``.
    OneOf(&'static str),
    /// A number.
    Number,
    /// The end of the line.
    EndOfLine,
    /// A layout.
    Layout,
    /// `x` between two numbers.
    Times,
    /// One of Triton's encodings.
    Encoding,
    /// A tensor's shape.
    Shape,
    /// A setting of an encoding.
    Setting,
}

/// The functions an expression may call.
pub(super) const FUNCTIONS: &str = "coalesce, composition, complement, right_inverse, left_inverse, \
     logical_divide, zipped_divide, tiled_divide, flat_divide, logical_product, zipped_product, \
     tiled_product, flat_product, blocked_product, raked_product";

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sign(sign) => write!(f, "`{sign}`"),
            Self::OneOf(words) => f.write_str(words),
            Self::Number => f.write_str("a number"),
            Self::EndOfLine => f.write_str("the end of the line"),
            Self::Layout => f.write_str("a layout, as in `(8,4):(4,1)`"),
            Self::Times => f.write_str("`x`, as in `8x4`"),
            Self::Encoding => f.write_str("an encoding such as `shared`"),
            Self::Shape => f.write_str("the tensor's shape, as in `on (64,64)`"),
            Self::Setting => f.write_str("a setting such as `vec = 8`"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected {
                wanted,
                found: Some(found),
            } => {
                write!(f, "expected {wanted}, found `{found}`")
            }
            Self::Expected {
                wanted,
                found: None,
            } => {
                write!(f, "expected {wanted}, found the end of the line")
            }
            Self::Meaningless(sign) => write!(f, "`{sign}` has no meaning here"),
            Self::NumberBeyond(bits) => write!(f, "a number beyond {bits} bits"),
            Self::TextTooLong => f.write_str("a text of more than 64 KiB; shorten it"),
            Self::TooMuch => f.write_str("too long or too deeply nested; the rest was not read"),
            Self::TooDeep(most) => write!(f, "nested more than {most} deep"),
            Self::TooManyCompositions(most) => write!(f, "more than {most} compositions"),
            Self::Layout(error) => error.fmt(f),
            Self::SwizzleUnit => f.write_str("a swizzle acts on `elements` or on `bytes`"),
            Self::ShiftConvention => f.write_str("S is `relative` (CuTe) or `absolute` (M + S)"),
            Self::BaseTooHigh => f.write_str("a base beyond 4 GiB"),
            Self::UnknownType(name) => write!(
                f,
                "unknown type `{name}`; use f8, f16, f32, f64, float2, float4, u8 and so on"
            ),
            Self::UnknownName {
                name,
                near: Some(near),
            } => {
                write!(f, "unknown name `{name}`; did you mean `{near}`?")
            }
            Self::UnknownName { name, near: None } => write!(
                f,
                "unknown name `{name}`; give it a layout first, as in `{name} = (8,4):(4,1)`"
            ),
            Self::UnknownFunction {
                name,
                near: Some(near),
            } => {
                write!(f, "unknown function `{name}`; did you mean `{near}`?")
            }
            Self::UnknownFunction { name, near: None } => {
                write!(f, "unknown function `{name}`; there are {FUNCTIONS}")
            }
            Self::Arguments(name) => write!(f, "`{name}` takes another number of arguments"),
            Self::OneOrTwoArguments(name) => write!(f, "`{name}` takes 1 or 2 arguments"),
            Self::LoneSwizzle => f.write_str(
                "a swizzle alone; compose it with a layout, as in `Swizzle<3,0,3> o (8,8):(8,1)`",
            ),
            Self::TilerForLayout => f.write_str("a tiler is not a layout"),
            Self::SwizzledForPlain => {
                f.write_str("a swizzled layout; only a plain one can stand here")
            }
            Self::UnknownTma(mode) => {
                write!(f, "no swizzle `{mode}`; use `none`, `32B`, `64B` or `128B`")
            }
            Self::TwoExtents => f.write_str("expected a shape of two extents, as in `(64,64)`"),
            Self::TmaBase(base) => {
                write!(
                    f,
                    "base {base} is not aligned to 128 bytes, as TMA needs it"
                )
            }
            Self::TmaOffset {
                base,
                repeat,
                offset,
            } => write!(
                f,
                "base {base} is not aligned to the pattern's {repeat} bytes, so the chunks are offset by {offset}"
            ),
            Self::NoLayout => {
                f.write_str("an access without a layout; write one first, as in `(32,32):(32,1)`")
            }
            _ => self.of_lanes(f),
        }
    }
}

impl Fault {
    fn of_lanes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arrangement {
                down,
                across,
                matrices,
            } => {
                write!(f, "{down}x{across} matrices are not {matrices}")
            }
            Self::Bits { bits, element } => write!(
                f,
                "{bits} bits a lane do not suit elements of {element}; use 8, 16, 32, 64 or 128, at least the element's"
            ),
            Self::OutsideTile {
                lane,
                at: [row, column],
                tile: [rows, columns],
            } => write!(
                f,
                "lane {lane} asks for row {row}, column {column}, outside the tile of {rows} x {columns}"
            ),
            Self::Torn { bytes, lane } => write!(
                f,
                "the {bytes} bytes of lane {lane} are not side by side in memory; use a narrower access or a layout that keeps them together"
            ),
            Self::Unaligned { bytes, lane } => write!(
                f,
                "the {bytes} bytes of lane {lane} are not aligned in memory; use a narrower access or a layout that keeps them together"
            ),
            Self::Lanes { down, across, most } => {
                write!(f, "{down}x{across} lanes; a warp has 1 to {most}")
            }
            Self::CopyBytes => f.write_str("cp.async copies 4, 8 or 16 bytes a lane"),
            Self::PartOfElement { bytes, element } => {
                write!(f, "{bytes} bytes hold no whole element of {element}")
            }
            Self::ThreadValueModes => f.write_str(
                "a thread-value layout needs two modes, as in `((4,8),(2,4)):((32,1),(16,8))`",
            ),
            Self::Values { values, count } => {
                write!(
                    f,
                    "{values} values a thread are no whole accesses of {count}"
                )
            }
            Self::Requests { wanted, most } => {
                write!(f, "{wanted} requests; at most {most} a text")
            }
            Self::ThreadOutside { thread, size } => {
                write!(
                    f,
                    "thread {thread} owns an element outside the tile of {size}"
                )
            }
            Self::ThreadBelow(thread) => {
                write!(f, "thread {thread} owns an element below address 0")
            }
            _ => Ok(()),
        }
    }
}

impl From<LayoutError> for Fault {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}
