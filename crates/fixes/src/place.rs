//! Where an array's elements can be put.

use std::fmt;

use lanescope_layouts::Swizzle;

use crate::LinearSwizzle;

/// The sides of an array, the outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    extents: Vec<u64>,
    element_bytes: u64,
}

impl Shape {
    /// An array of these extents; `None` when it has no elements or more than 2^24.
    #[must_use]
    pub fn new(extents: &[u64], element_bytes: u64) -> Option<Self> {
        let size = extents
            .iter()
            .try_fold(1_u64, |size, extent| size.checked_mul(*extent))?;
        let fits = (1..=1 << 24).contains(&size) && (1..=1 << 16).contains(&element_bytes);
        fits.then(|| Self {
            extents: extents.to_vec(),
            element_bytes,
        })
    }

    /// Its sides, the outermost first.
    #[must_use]
    pub fn extents(&self) -> &[u64] {
        &self.extents
    }

    /// Bytes of one element.
    #[must_use]
    pub const fn element_bytes(&self) -> u64 {
        self.element_bytes
    }

    /// How many elements it has.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.extents.iter().product()
    }

    /// How many elements one step along dimension `dimension` skips.
    #[must_use]
    pub fn stride(&self, dimension: usize) -> u64 {
        self.extents.iter().skip(dimension + 1).product()
    }

    /// Elements of a row: the innermost extent.
    #[must_use]
    pub fn row(&self) -> u64 {
        self.extents.last().copied().unwrap_or(1)
    }
}

/// A one-to-one rule that gives each element of an array its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Where it is.
    AsIs,
    /// `elements` more at the end of dimension `dimension`.
    Pad {
        /// Which dimension, the outermost being 0.
        dimension: usize,
        /// How many elements more.
        elements: u64,
    },
    /// After each `group` elements of the whole array, `elements` are left out:
    /// `i + i / group * elements`.
    PadEvery {
        /// A power of two.
        group: u64,
        /// How many elements are left out.
        elements: u64,
    },
    /// CuTe's swizzle of the element's number.
    Swizzle(Swizzle),
    /// The innermost index XORed with `((row / divisor) % modulus) << shift`, where row is the
    /// index before it.
    RowXor {
        /// What the row is divided by.
        divisor: u64,
        /// A power of two.
        modulus: u64,
        /// By how many bits the result is moved to the left.
        shift: u32,
    },
    /// The two innermost dimensions exchanged.
    Transposed,
    /// Bits of the element's number XORed onto others, as no `Swizzle<B,M,S>` does it.
    Linear(LinearSwizzle),
}

/// Places of a kind, compared among themselves: who cannot spare bytes or will not write an XOR
/// wants to see the best of the other kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// As it is.
    None,
    /// Costs bytes.
    Padding,
    /// Costs instructions.
    Xor,
    /// Costs neither.
    Transposed,
}

impl Place {
    /// Its kind.
    #[must_use]
    pub const fn family(self) -> Family {
        match self {
            Self::AsIs => Family::None,
            Self::Pad { .. } | Self::PadEvery { .. } => Family::Padding,
            Self::Swizzle(_) | Self::RowXor { .. } | Self::Linear(_) => Family::Xor,
            Self::Transposed => Family::Transposed,
        }
    }

    /// The place of element `element`, counted in elements.
    #[must_use]
    pub fn of(self, shape: &Shape, element: u64) -> u64 {
        match self {
            Self::AsIs => element,
            Self::Pad {
                dimension,
                elements,
            } => {
                let step = shape.stride(dimension);
                let slab = step * shape.extents.get(dimension).copied().unwrap_or(1);
                spread(element, slab, elements.saturating_mul(step))
            }
            Self::PadEvery { group, elements } => spread(element, group, elements),
            Self::Swizzle(swizzle) => swizzle.apply(element),
            Self::RowXor {
                divisor,
                modulus,
                shift,
            } => {
                let columns = shape.row().max(1);
                let (row, column) = (element / columns % row_count(shape), element % columns);
                let key = (row / divisor.max(1)) % modulus.max(1);
                (element - column).wrapping_add(column ^ key.checked_shl(shift).unwrap_or(0))
            }
            Self::Transposed => transposed(shape, element),
            Self::Linear(swizzle) => swizzle.apply(element),
        }
    }

    /// Elements that the array takes in memory with this rule.
    #[must_use]
    pub fn room(self, shape: &Shape) -> u64 {
        let size = shape.size();
        match self {
            Self::Pad {
                dimension,
                elements,
            } => {
                let extents = shape.extents.iter().enumerate();
                extents.fold(1, |room: u64, (at, extent)| {
                    let more = if at == dimension { elements } else { 0 };
                    room.saturating_mul(extent.saturating_add(more))
                })
            }
            Self::PadEvery { group, elements } => spread(size, group, elements),
            _ => size,
        }
    }

    /// Bytes that the array takes more than now.
    #[must_use]
    pub fn extra_bytes(self, shape: &Shape) -> u64 {
        self.room(shape)
            .saturating_sub(shape.size())
            .saturating_mul(shape.element_bytes)
    }

    /// Instructions more for each index, at most: shifts, masks, additions and XORs.
    #[must_use]
    pub fn instructions(self, shape: &Shape) -> u32 {
        match self {
            Self::AsIs | Self::Pad { .. } | Self::Transposed => 0,
            Self::PadEvery { elements, .. } => 2 + u32::from(elements != 1),
            Self::Swizzle(swizzle) => {
                let whole = covers_outermost(swizzle, shape);
                1 + u32::from(swizzle.shift() != 0 && !aligned(swizzle, shape)) + u32::from(!whole)
            }
            Self::RowXor {
                divisor,
                modulus,
                shift,
            } => {
                1 + u32::from(divisor != 1)
                    + u32::from(modulus < row_count(shape).div_ceil(divisor.max(1)))
                    + u32::from(shift != 0)
            }
            Self::Linear(swizzle) => swizzle.instructions(shape),
        }
    }
}

/// Whether the bits a swizzle reads are all the bits above them, so that no mask is needed.
fn covers_outermost(swizzle: Swizzle, shape: &Shape) -> bool {
    let (read, _) = swizzle.masks();
    let rest = shape.size().saturating_sub(1) >> read.trailing_zeros().min(63);
    swizzle.shift() > 0 && rest >> swizzle.bits().min(63) == 0
}

/// Whether a swizzle takes the lowest bits of the row to the lowest bits of the column.
fn aligned(swizzle: Swizzle, shape: &Shape) -> bool {
    swizzle.base() == 0
        && shape.extents.len() > 1
        && shape.row().is_power_of_two()
        && swizzle.shift() == i32::try_from(shape.row().trailing_zeros()).unwrap_or(-1)
}

/// `element` and `more` for each whole `group` before it.
fn spread(element: u64, group: u64, more: u64) -> u64 {
    element.saturating_add((element / group.max(1)).saturating_mul(more))
}

/// The extent of the dimension before the innermost.
pub(crate) fn row_count(shape: &Shape) -> u64 {
    shape
        .extents
        .iter()
        .rev()
        .nth(1)
        .copied()
        .unwrap_or(1)
        .max(1)
}

fn transposed(shape: &Shape, element: u64) -> u64 {
    let (rows, columns) = (row_count(shape), shape.row().max(1));
    let (tile, inner) = (element / (rows * columns), element % (rows * columns));
    tile * rows * columns + inner % columns * rows + inner / columns
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AsIs => f.write_str("as is"),
            Self::Pad {
                dimension,
                elements,
            } => write!(f, "pad dimension {dimension} by {elements}"),
            Self::PadEvery { group, elements } => {
                write!(f, "leave out {elements} after every {group}")
            }
            Self::Swizzle(swizzle) => swizzle.fmt(f),
            Self::RowXor {
                divisor,
                modulus,
                shift,
            } => {
                write!(f, "column ^ ((row / {divisor}) % {modulus}) << {shift}")
            }
            Self::Transposed => f.write_str("transposed"),
            Self::Linear(_) => f.write_str("XOR of shifted index bits"),
        }
    }
}
