//! What layouts can refuse to do.

use std::fmt;

use lanescope_locale::{Language, layout_fault};

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
    /// An encoding of registers where one of memory should stand.
    NotInMemory,
    /// A shape with fewer axes than the encoding speaks of.
    WrongRank {
        /// Axes that the encoding speaks of.
        rank: usize,
    },
    /// Accumulators of an instruction that this tool does not know.
    UnknownInstruction {
        /// The encoding's version.
        version: u64,
    },
    /// `order` that does not name each axis once.
    BadOrder,
    /// Bases of a shared linear layout that do not reach every element.
    BasesDoNotReach,
}

impl LayoutError {
    /// Why there is no answer, in `language`: lower case, no full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::NotCongruent => layout_fault::not_congruent(language).into(),
            Self::EmptyMode => layout_fault::empty_mode(language).into(),
            Self::TooLarge => layout_fault::too_large(language).into(),
            Self::TooManyModes => layout_fault::too_many_modes(language).into(),
            Self::StrideDoesNotDivide { extent, stride } => {
                layout_fault::stride_does_not_divide(language, *extent, *stride)
            }
            Self::ShapeDoesNotDivide { extent, wanted } => {
                layout_fault::shape_does_not_divide(language, *extent, *wanted)
            }
            Self::ModesOverlap => layout_fault::modes_overlap(language).into(),
            Self::NegativeStride => layout_fault::negative_stride(language).into(),
            Self::NotInjective => layout_fault::not_injective(language).into(),
            Self::TilerTooLong => layout_fault::tiler_too_long(language).into(),
            Self::BadSwizzle => layout_fault::bad_swizzle(language).into(),
            Self::SwizzleTearsElement => layout_fault::swizzle_tears_element(language).into(),
            Self::BoxTooWide {
                row_bytes,
                span_bytes,
            } => layout_fault::box_too_wide(language, *row_bytes, *span_bytes),
            Self::BoxNotInChunks { row_bytes } => {
                layout_fault::box_not_in_chunks(language, *row_bytes)
            }
            Self::NotAPowerOfTwo { name } => layout_fault::not_a_power_of_two(language, name),
            Self::NotInMemory => layout_fault::not_in_memory(language).into(),
            Self::WrongRank { rank } => layout_fault::wrong_rank(language, *rank),
            Self::UnknownInstruction { version } => {
                layout_fault::unknown_instruction(language, *version)
            }
            Self::BadOrder => layout_fault::bad_order(language).into(),
            Self::BasesDoNotReach => layout_fault::bases_do_not_reach(language).into(),
        }
    }
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}

impl std::error::Error for LayoutError {}
