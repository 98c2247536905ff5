//! The boxes that the tensor memory accelerator writes into shared memory.

use super::{Layout, LayoutError, Map, Stage, Swizzle};
use strum::VariantArray;

/// Bytes of the chunks that a TMA swizzle moves.
const CHUNK_BYTES: u64 = 16;

/// How TMA swizzles a box.
///
/// # Source
/// CUDA C++ Programming Guide, "Swizzle modes"; CUTLASS mma_traits_sm90_gmma.hpp (documented).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub enum TmaSwizzle {
    /// Rows one after another.
    None,
    /// `CU_TENSOR_MAP_SWIZZLE_32B`: Swizzle<1,4,3> on byte addresses.
    Bytes32,
    /// `CU_TENSOR_MAP_SWIZZLE_64B`: Swizzle<2,4,3> on byte addresses.
    Bytes64,
    /// `CU_TENSOR_MAP_SWIZZLE_128B`: Swizzle<3,4,3> on byte addresses.
    Bytes128,
}

impl TmaSwizzle {
    /// All of them, shortest span first.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The mode as written: `none`, `32B`, `64B`, `128B`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|mode| mode.name() == name)
    }

    /// `none`, `32B`, `64B` or `128B`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Bytes32 => "32B",
            Self::Bytes64 => "64B",
            Self::Bytes128 => "128B",
        }
    }

    /// B of the swizzle; 0 for none.
    const fn bits(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Bytes32 => 1,
            Self::Bytes64 => 2,
            Self::Bytes128 => 3,
        }
    }

    /// The most bytes of a box's inner row; `None` where nothing limits it.
    #[must_use]
    pub const fn span_bytes(self) -> Option<u64> {
        match self {
            Self::None => None,
            _ => Some(CHUNK_BYTES << self.bits()),
        }
    }

    /// After how many bytes the pattern begins again; 1 for none.
    #[must_use]
    pub const fn repeat_bytes(self) -> u64 {
        match self {
            Self::None => 1,
            _ => 128 << self.bits(),
        }
    }

    /// The swizzle on byte addresses; `None` for none.
    #[must_use]
    pub fn swizzle(self) -> Option<Swizzle> {
        match self {
            Self::None => None,
            _ => Swizzle::new(self.bits(), 4, 3).ok(),
        }
    }

    /// By how many chunks a tile at `base` is offset because `base` is not aligned to the repeat.
    #[must_use]
    pub const fn chunk_offset(self, base: u64) -> u64 {
        (base / 128) % (1 << self.bits())
    }

    /// A box of `rows` rows of `columns` elements, rows one after another, swizzled.
    ///
    /// # Errors
    /// When the inner row is no multiple of 16 bytes or longer than the swizzle spans, or the
    /// box passes this tool's limits.
    pub fn tile(self, rows: u64, columns: u64, element_bytes: u64) -> Result<Map, LayoutError> {
        let row_bytes = columns.saturating_mul(element_bytes);
        if !row_bytes.is_multiple_of(CHUNK_BYTES) {
            return Err(LayoutError::BoxNotInChunks { row_bytes });
        }
        if let Some(span_bytes) = self.span_bytes().filter(|span| row_bytes > *span) {
            return Err(LayoutError::BoxTooWide {
                row_bytes,
                span_bytes,
            });
        }
        let pitch = i64::try_from(columns).map_err(|_| LayoutError::TooLarge)?;
        let modes = vec![Layout::mode(rows, pitch)?, Layout::mode(columns, 1)?];
        let map = Map::of(Layout::Tuple(modes).checked()?);
        Ok(match self.swizzle() {
            None => map,
            Some(swizzle) => map.then(Stage::SwizzleAddress(swizzle)),
        })
    }
}
