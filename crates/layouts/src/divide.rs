//! Splitting a layout into a tile and the tiles' places.
//!
//! # Source
//! NVIDIA CUTLASS, media/docs/cpp/cute/02_layout_algebra.md, "Division" (documented).

use super::tiler::gather;
use super::{Layout, LayoutError, Tiler, complement, composition};

/// `((tile, rest), …)`: each mode split into what the tiler points to and what it does not.
///
/// # Errors
/// As [`composition`] and [`complement`].
pub fn logical_divide(layout: &Layout, tiler: &Tiler) -> Result<Layout, LayoutError> {
    tiler.apply(layout, &|layout, tiler| {
        let rest = complement(tiler, layout.size())?;
        composition(layout, &Layout::Tuple(vec![tiler.clone(), rest]))
    })
}

/// `((tiles…), (rests…))`.
///
/// # Errors
/// As [`logical_divide`].
pub fn zipped_divide(layout: &Layout, tiler: &Tiler) -> Result<Layout, LayoutError> {
    let split = logical_divide(layout, tiler)?;
    Ok(gather(&split, tiler.mode_count()).zipped())
}

/// `((tiles…), rest, rest, …)`.
///
/// # Errors
/// As [`logical_divide`].
pub fn tiled_divide(layout: &Layout, tiler: &Tiler) -> Result<Layout, LayoutError> {
    let split = logical_divide(layout, tiler)?;
    Ok(gather(&split, tiler.mode_count()).tiled())
}

/// `(tile, tile, …, rest, rest, …)`.
///
/// # Errors
/// As [`logical_divide`].
pub fn flat_divide(layout: &Layout, tiler: &Tiler) -> Result<Layout, LayoutError> {
    let split = logical_divide(layout, tiler)?;
    Ok(gather(&split, tiler.mode_count()).flat())
}
