//! Repeating a layout as another one says.
//!
//! # Source
//! NVIDIA CUTLASS, media/docs/cpp/cute/02_layout_algebra.md, "Product" (documented).

use super::tiler::gather;
use super::{Layout, LayoutError, Tiler, coalesce, complement, composition};

/// `(layout, places of its copies)`.
///
/// # Errors
/// As [`composition`] and [`complement`].
pub fn logical_product(layout: &Layout, tiler: &Tiler) -> Result<Layout, LayoutError> {
    tiler.apply(layout, &repeat)
}

fn repeat(layout: &Layout, tiler: &Layout) -> Result<Layout, LayoutError> {
    let room = layout.size().saturating_mul(tiler.cosize());
    let places = composition(&complement(layout, room)?, tiler)?;
    Layout::Tuple(vec![layout.clone(), places]).checked()
}

/// `((layout's modes…), (copies…))`.
///
/// # Errors
/// As [`logical_product`].
pub fn zipped_product(layout: &Layout, tiler: &Tiler) -> Result<Layout, LayoutError> {
    let product = logical_product(layout, tiler)?;
    Ok(gather(&product, tiler.mode_count()).zipped())
}

/// `((layout's modes…), copies, copies, …)`.
///
/// # Errors
/// As [`logical_product`].
pub fn tiled_product(layout: &Layout, tiler: &Tiler) -> Result<Layout, LayoutError> {
    let product = logical_product(layout, tiler)?;
    Ok(gather(&product, tiler.mode_count()).tiled())
}

/// `(mode, mode, …, copies, copies, …)`.
///
/// # Errors
/// As [`logical_product`].
pub fn flat_product(layout: &Layout, tiler: &Tiler) -> Result<Layout, LayoutError> {
    let product = logical_product(layout, tiler)?;
    Ok(gather(&product, tiler.mode_count()).flat())
}

/// Copies of the block `block` arranged as `grid`, mode by mode: `((block, grid), …)`.
///
/// # Errors
/// As [`logical_product`].
pub fn blocked_product(block: &Layout, grid: &Layout) -> Result<Layout, LayoutError> {
    zip_modes(block, grid, |block, grid| vec![block, grid])
}

/// Copies of `block` interleaved as `grid`, mode by mode: `((grid, block), …)`.
///
/// # Errors
/// As [`logical_product`].
pub fn raked_product(block: &Layout, grid: &Layout) -> Result<Layout, LayoutError> {
    zip_modes(block, grid, |block, grid| vec![grid, block])
}

fn zip_modes(
    block: &Layout,
    grid: &Layout,
    order: impl Fn(Layout, Layout) -> Vec<Layout>,
) -> Result<Layout, LayoutError> {
    let rank = block.rank().max(grid.rank());
    let product = repeat(&ranked(block, rank), &ranked(grid, rank))?;
    let [blocks, grids] = product.modes() else {
        return Ok(product);
    };
    let zipped = blocks.modes().iter().zip(grids.modes());
    let modes =
        zipped.map(|(block, grid)| coalesce(&Layout::Tuple(order(block.clone(), grid.clone()))));
    Layout::Tuple(modes.collect()).checked()
}

fn ranked(layout: &Layout, rank: usize) -> Layout {
    let mut modes = layout.modes().to_vec();
    modes.resize(rank, Layout::of_leaves(Vec::new()));
    Layout::Tuple(modes)
}
