//! Shapes and strides: CuTe's layout.

use std::fmt;

use super::LayoutError;

/// The most elements of one layout.
pub(super) const MAX_SIZE: u64 = 1 << 20;
/// The farthest offset, and the longest stride.
pub(super) const MAX_OFFSET: i64 = 1 << 40;
/// The most modes of one layout, all levels together.
const MAX_MODES: usize = 64;
/// The deepest nesting.
pub(super) const MAX_DEPTH: usize = 16;

/// An integer or a tuple of such: the shape or the stride alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nest {
    /// One integer.
    Int(i64),
    /// A tuple, nested at will.
    Tuple(Vec<Nest>),
}

/// One extent with its stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// How many steps, at least 1.
    pub shape: u64,
    /// How far one step goes, in elements.
    pub stride: i64,
}

/// A layout: a function from coordinates (or from `0..size`, leftmost mode fastest) to offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One extent with its stride.
    Mode(Mode),
    /// Layouts side by side; the first runs fastest.
    Tuple(Vec<Layout>),
}

impl Mode {
    /// A mode within this tool's limits.
    pub(super) fn checked(shape: u64, stride: i64) -> Result<Self, LayoutError> {
        if shape == 0 {
            return Err(LayoutError::EmptyMode);
        }
        if shape > MAX_SIZE || stride.unsigned_abs() > MAX_OFFSET.unsigned_abs() {
            return Err(LayoutError::TooLarge);
        }
        let reach = (shape - 1).checked_mul(stride.unsigned_abs());
        match reach {
            Some(reach) if reach <= MAX_OFFSET.unsigned_abs() => Ok(Self { shape, stride }),
            _ => Err(LayoutError::TooLarge),
        }
    }
}

impl Layout {
    /// The layout of this shape and stride.
    ///
    /// # Errors
    /// When they are not nested alike, or pass this tool's limits.
    pub fn new(shape: &Nest, stride: &Nest) -> Result<Self, LayoutError> {
        Self::zip(shape, stride)?.checked()
    }

    /// One mode.
    ///
    /// # Errors
    /// When it has no elements or passes this tool's limits.
    pub fn mode(shape: u64, stride: i64) -> Result<Self, LayoutError> {
        Mode::checked(shape, stride).map(Self::Mode)
    }

    /// The compact layout of a shape whose leftmost mode runs fastest (CuTe's default).
    ///
    /// # Errors
    /// When an extent is 0 or negative, or the shape passes this tool's limits.
    pub fn left(shape: &Nest) -> Result<Self, LayoutError> {
        let mut next = 1;
        Self::compact(shape, &mut next, false)?.checked()
    }

    /// The compact layout of a shape whose rightmost mode runs fastest (row-major).
    ///
    /// # Errors
    /// As [`Layout::left`].
    pub fn right(shape: &Nest) -> Result<Self, LayoutError> {
        let mut next = 1;
        Self::compact(shape, &mut next, true)?.checked()
    }

    fn zip(shape: &Nest, stride: &Nest) -> Result<Self, LayoutError> {
        match (shape, stride) {
            (Nest::Int(shape), Nest::Int(stride)) => Self::mode(extent(*shape)?, *stride),
            (Nest::Tuple(shapes), Nest::Tuple(strides)) if shapes.len() == strides.len() => shapes
                .iter()
                .zip(strides)
                .map(|(shape, stride)| Self::zip(shape, stride))
                .collect::<Result<_, _>>()
                .map(Self::Tuple),
            _ => Err(LayoutError::NotCongruent),
        }
    }

    fn compact(shape: &Nest, next: &mut i64, from_right: bool) -> Result<Self, LayoutError> {
        match shape {
            Nest::Int(shape) => {
                let mode = Mode::checked(extent(*shape)?, *next)?;
                *next = next.saturating_mul(*shape);
                Ok(Self::Mode(mode))
            }
            Nest::Tuple(shapes) if from_right => {
                let modes: Result<Vec<_>, _> = shapes
                    .iter()
                    .rev()
                    .map(|shape| Self::compact(shape, next, from_right))
                    .collect();
                modes.map(|mut modes| {
                    modes.reverse();
                    Self::Tuple(modes)
                })
            }
            Nest::Tuple(shapes) => shapes
                .iter()
                .map(|shape| Self::compact(shape, next, from_right))
                .collect::<Result<_, _>>()
                .map(Self::Tuple),
        }
    }

    /// The same layout, if it keeps to this tool's limits.
    pub(super) fn checked(self) -> Result<Self, LayoutError> {
        let mut size: u64 = 1;
        let mut modes = 0;
        for mode in self.leaves() {
            modes += 1;
            size = size.saturating_mul(mode.shape);
        }
        if modes > MAX_MODES || self.depth() > MAX_DEPTH {
            Err(LayoutError::TooManyModes)
        } else if size > MAX_SIZE {
            Err(LayoutError::TooLarge)
        } else {
            Ok(self)
        }
    }

    /// Its modes of the first level; itself when it is a single mode.
    #[must_use]
    pub fn modes(&self) -> &[Self] {
        match self {
            Self::Mode(_) => std::slice::from_ref(self),
            Self::Tuple(modes) => modes,
        }
    }

    /// How many modes the first level has.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.modes().len()
    }

    /// Levels of nesting: 0 for a single mode.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::Mode(_) => 0,
            Self::Tuple(modes) => 1 + modes.iter().map(Self::depth).max().unwrap_or(0),
        }
    }

    /// All modes of all levels, left to right.
    #[must_use]
    pub fn leaves(&self) -> Vec<Mode> {
        let mut leaves = Vec::new();
        self.collect_leaves(&mut leaves);
        leaves
    }

    fn collect_leaves(&self, leaves: &mut Vec<Mode>) {
        match self {
            Self::Mode(mode) => leaves.push(*mode),
            Self::Tuple(modes) => modes.iter().for_each(|mode| mode.collect_leaves(leaves)),
        }
    }

    /// How many indices the layout takes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.leaves()
            .iter()
            .fold(1, |size: u64, mode| size.saturating_mul(mode.shape))
    }

    /// One past the farthest offset.
    #[must_use]
    pub fn cosize(&self) -> u64 {
        self.leaves().iter().fold(1, |cosize: u64, mode| {
            cosize.saturating_add(
                mode.shape
                    .saturating_sub(1)
                    .saturating_mul(mode.stride.unsigned_abs()),
            )
        })
    }

    /// The offset of index `index`, the leftmost mode running fastest; an index past the size
    /// goes on along the last mode, as in CuTe.
    #[must_use]
    pub fn offset(&self, index: u64) -> i64 {
        let leaves = self.leaves();
        offset_of(&leaves, index)
    }

    /// The offset of row `row` of mode 0 and index `column` of the other modes.
    #[must_use]
    pub fn offset_at(&self, row: u64, column: u64) -> i64 {
        match self.modes() {
            [] => 0,
            [only] => only.offset(row.wrapping_add(column.wrapping_mul(only.size()))),
            [rows, rest @ ..] => {
                let columns = Self::Tuple(rest.to_vec());
                rows.offset(row).wrapping_add(columns.offset(column))
            }
        }
    }

    /// Its shape alone.
    #[must_use]
    pub fn shape(&self) -> Nest {
        self.nest(&|mode| i64::try_from(mode.shape).unwrap_or(i64::MAX))
    }

    /// Its stride alone.
    #[must_use]
    pub fn stride(&self) -> Nest {
        self.nest(&|mode| mode.stride)
    }

    fn nest(&self, part: &dyn Fn(&Mode) -> i64) -> Nest {
        match self {
            Self::Mode(mode) => Nest::Int(part(mode)),
            Self::Tuple(modes) => Nest::Tuple(modes.iter().map(|mode| mode.nest(part)).collect()),
        }
    }

    /// These modes as one layout: itself for a single mode, `1:0` for none.
    pub(super) fn of_leaves(modes: Vec<Mode>) -> Self {
        match modes.as_slice() {
            [] => Self::Mode(Mode {
                shape: 1,
                stride: 0,
            }),
            [mode] => Self::Mode(*mode),
            _ => Self::Tuple(modes.into_iter().map(Self::Mode).collect()),
        }
    }
}

/// The offset of `index` in a flat layout.
pub(super) fn offset_of(leaves: &[Mode], index: u64) -> i64 {
    let mut rest = index;
    let mut offset: i64 = 0;
    for (at, mode) in leaves.iter().enumerate() {
        let step = if at + 1 == leaves.len() {
            rest
        } else {
            rest % mode.shape.max(1)
        };
        rest /= mode.shape.max(1);
        let step = i64::try_from(step).unwrap_or(i64::MAX);
        offset = offset.wrapping_add(step.wrapping_mul(mode.stride));
    }
    offset
}

fn extent(shape: i64) -> Result<u64, LayoutError> {
    match u64::try_from(shape) {
        Ok(shape) if shape > 0 => Ok(shape),
        _ => Err(LayoutError::EmptyMode),
    }
}

impl fmt::Display for Nest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Tuple(parts) => {
                f.write_str("(")?;
                for (at, part) in parts.iter().enumerate() {
                    if at > 0 {
                        f.write_str(",")?;
                    }
                    part.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.shape(), self.stride())
    }
}
