//! What layouts can refuse to do.

use std::fmt;

/// Why an operation on layouts has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutError {
    /// Shape and stride are not nested alike: write one stride for each mode of the shape.
    NotCongruent,
    /// A mode has no elements: every extent must be at least 1.
    EmptyMode,
    /// A size or a stride passes the limits of this tool (2^20 elements, offsets of 2^40).
    TooLarge,
    /// More modes or deeper nesting than this tool takes (64 modes, 16 levels).
    TooManyModes,
    /// The left layout's mode of `extent` elements cannot be walked in steps of `stride`: one
    /// must divide the other.
    StrideDoesNotDivide {
        /// Elements of the left layout's mode.
        extent: u64,
        /// The step asked for.
        stride: u64,
    },
    /// `wanted` elements cannot be taken from a mode of `extent` elements.
    ShapeDoesNotDivide {
        /// Elements the mode offers.
        extent: u64,
        /// Elements asked for.
        wanted: u64,
    },
    /// The right layout's modes overlap, so that the composition is no layout.
    ModesOverlap,
    /// A negative stride where only positive ones have a meaning.
    NegativeStride,
    /// Two indices of the layout share a place, so that nothing complements it.
    NotInjective,
    /// The tiler has more modes than the layout.
    TilerTooLong,
    /// `Swizzle<B,M,S>` with |S| < B, or bits past 40.
    BadSwizzle,
    /// A swizzle on bytes that would tear an element apart: M must be at least log2 of its size.
    SwizzleTearsElement,
    /// A TMA box whose inner row is longer than the swizzle spans.
    BoxTooWide {
        /// Bytes of the box's inner row.
        row_bytes: u64,
        /// Bytes the swizzle spans.
        span_bytes: u64,
    },
    /// A TMA box whose inner row is no multiple of 16 bytes.
    BoxNotInChunks {
        /// Bytes of the box's inner row.
        row_bytes: u64,
    },
    /// A number of an encoding that must be a power of two is none.
    NotAPowerOfTwo {
        /// Which number.
        name: &'static str,
    },
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotCongruent => {
                f.write_str("shape and stride are nested differently; give one stride for each mode of the shape")
            }
            Self::EmptyMode => f.write_str("a mode of 0 elements; every extent must be at least 1"),
            Self::TooLarge => {
                f.write_str("too large; at most 1,048,576 elements and offsets up to 2^40")
            }
            Self::TooManyModes => f.write_str("too many modes; at most 64, nested 16 deep"),
            Self::StrideDoesNotDivide { extent, stride } => write!(
                f,
                "a mode of {extent} elements cannot be walked in steps of {stride}; one must divide the other"
            ),
            Self::ShapeDoesNotDivide { extent, wanted } => write!(
                f,
                "{wanted} elements do not fill whole modes of {extent}; use a multiple or a divisor of {extent}"
            ),
            Self::ModesOverlap => {
                f.write_str("the modes of the right layout overlap, so the composition is not a layout")
            }
            Self::NegativeStride => f.write_str("a negative stride has no meaning here"),
            Self::NotInjective => {
                f.write_str("two indices of this layout share a place, so it has no complement")
            }
            Self::TilerTooLong => f.write_str("the tiler has more modes than the layout"),
            Self::BadSwizzle => {
                f.write_str("a swizzle needs |S| >= B, and at most 40 bits in all")
            }
            Self::SwizzleTearsElement => f.write_str(
                "this swizzle on bytes tears elements apart; M must be at least log2 of the element's bytes",
            ),
            Self::BoxTooWide { row_bytes, span_bytes } => write!(
                f,
                "a box row of {row_bytes} bytes; this swizzle takes at most {span_bytes}"
            ),
            Self::BoxNotInChunks { row_bytes } => write!(
                f,
                "a box row of {row_bytes} bytes; it must be a multiple of 16"
            ),
            Self::NotAPowerOfTwo { name } => write!(f, "{name} must be a power of two"),
        }
    }
}

impl std::error::Error for LayoutError {}
