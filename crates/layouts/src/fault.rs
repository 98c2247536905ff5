//! What can be wrong in a layout's text.

use std::fmt;

use lanescope_locale::{Language, layout_fault};

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
    /// A pointer without a layout.
    LonePointer,
    /// An operand of a dot: the compiler chooses its loads.
    DotOperand,
    /// An encoding without a shape.
    EncodingWithoutShape,
    /// A swizzle of addresses that moves groups of fewer than 16 bytes.
    NarrowAddressSwizzle {
        /// The swizzle.
        swizzle: String,
        /// Bytes of the groups that it moves.
        bytes: u64,
    },
    /// An access of another block's memory, whose banks nobody has measured.
    Remote,
    /// A thread-value encoding without a warp, or with more lanes than any warp has.
    EncodingLanes(u64),
    /// A type in the layout that is not the one of the line `type`.
    OtherType {
        /// Of the layout.
        layout: String,
        /// Of the line.
        line: String,
    },
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
     tiled_product, flat_product, blocked_product, raked_product, make_layout, make_ordered_layout, \
     make_shape, make_stride, make_composed_layout, tile_to_shape, upcast, downcast";

impl Wanted {
    /// What should stand there, in `language`.
    #[must_use]
    pub fn text(self, language: Language) -> String {
        match self {
            Self::Sign(sign) => format!("`{sign}`"),
            Self::OneOf(words) => layout_fault::one_of(language, words),
            Self::Number => layout_fault::wanted_number(language).into(),
            Self::EndOfLine => layout_fault::wanted_end_of_line(language).into(),
            Self::Layout => layout_fault::wanted_layout(language).into(),
            Self::Times => layout_fault::wanted_times(language).into(),
            Self::Encoding => layout_fault::wanted_encoding(language).into(),
            Self::Shape => layout_fault::wanted_shape(language).into(),
            Self::Setting => layout_fault::wanted_setting(language).into(),
        }
    }
}

impl Fault {
    /// What is wrong and, where there is one, the fix, in `language`: lower case, no full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::Expected { wanted, found } => {
                let wanted = wanted.text(language);
                match found {
                    Some(found) => layout_fault::expected(language, &wanted, found),
                    None => layout_fault::expected_at_end(language, &wanted),
                }
            }
            Self::Meaningless(sign) => layout_fault::meaningless(language, *sign),
            Self::NumberBeyond(bits) => layout_fault::number_beyond(language, *bits),
            Self::TextTooLong => layout_fault::text_too_long(language).into(),
            Self::TooMuch => layout_fault::too_much(language).into(),
            Self::TooDeep(most) => layout_fault::too_deep(language, *most),
            Self::TooManyCompositions(most) => layout_fault::too_many_compositions(language, *most),
            Self::Layout(error) => error.text(language),
            Self::SwizzleUnit => layout_fault::swizzle_unit(language).into(),
            Self::ShiftConvention => layout_fault::shift_convention(language).into(),
            Self::BaseTooHigh => layout_fault::base_too_high(language).into(),
            Self::UnknownType(name) => layout_fault::unknown_type(language, name),
            Self::UnknownName { name, near } => match near {
                Some(near) => layout_fault::misspelt_name(language, name, near),
                None => layout_fault::unknown_name(language, name),
            },
            Self::UnknownFunction { name, near } => match near {
                Some(near) => layout_fault::misspelt_function(language, name, near),
                None => layout_fault::unknown_function(language, name, FUNCTIONS),
            },
            Self::Arguments(name) => layout_fault::arguments(language, name),
            Self::OneOrTwoArguments(name) => layout_fault::one_or_two_arguments(language, name),
            Self::LoneSwizzle => layout_fault::lone_swizzle(language).into(),
            Self::TilerForLayout => layout_fault::tiler_for_layout(language).into(),
            Self::LonePointer => layout_fault::lone_pointer(language).into(),
            Self::DotOperand => layout_fault::dot_operand(language).into(),
            Self::EncodingWithoutShape => layout_fault::encoding_without_shape(language).into(),
            Self::NarrowAddressSwizzle { swizzle, bytes } => {
                layout_fault::narrow_address_swizzle(language, swizzle, *bytes)
            }
            Self::Remote => layout_fault::remote(language).into(),
            Self::EncodingLanes(lanes) => layout_fault::encoding_lanes(language, *lanes),
            Self::OtherType { layout, line } => layout_fault::other_type(language, layout, line),
            Self::SwizzledForPlain => layout_fault::swizzled_for_plain(language).into(),
            Self::UnknownTma(mode) => layout_fault::unknown_tma(language, mode),
            Self::TwoExtents => layout_fault::two_extents(language).into(),
            Self::TmaBase(base) => layout_fault::tma_base(language, *base),
            Self::TmaOffset {
                base,
                repeat,
                offset,
            } => layout_fault::tma_offset(language, *base, *repeat, *offset),
            Self::NoLayout => layout_fault::no_layout(language).into(),
            Self::Arrangement {
                down,
                across,
                matrices,
            } => layout_fault::arrangement(language, *down, *across, *matrices),
            Self::Bits { bits, element } => layout_fault::bits(language, *bits, *element),
            Self::OutsideTile { lane, at, tile } => {
                layout_fault::outside_tile(language, *lane, *at, *tile)
            }
            Self::Torn { bytes, lane } => layout_fault::torn(language, *bytes, *lane),
            Self::Unaligned { bytes, lane } => layout_fault::unaligned(language, *bytes, *lane),
            Self::Lanes { down, across, most } => {
                layout_fault::lanes(language, *down, *across, *most)
            }
            Self::CopyBytes => layout_fault::copy_bytes(language).into(),
            Self::PartOfElement { bytes, element } => {
                layout_fault::part_of_element(language, *bytes, *element)
            }
            Self::ThreadValueModes => layout_fault::thread_value_modes(language).into(),
            Self::Values { values, count } => layout_fault::values(language, *values, *count),
            Self::Requests { wanted, most } => layout_fault::requests(language, *wanted, *most),
            Self::ThreadOutside { thread, size } => {
                layout_fault::thread_outside(language, *thread, *size)
            }
            Self::ThreadBelow(thread) => layout_fault::thread_below(language, *thread),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}

impl From<LayoutError> for Fault {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}
