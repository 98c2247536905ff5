//! Atoms repeated until they fill a shape, and compact layouts in any order.

use crate::{Layout, LayoutError, Mode, Nest, product};

/// How many atoms fill `shape`, mode by mode.
///
/// # Errors
/// When the atom has more modes than the shape, or does not divide it.
pub(super) fn tiles(atom: &Layout, shape: &Nest) -> Result<Nest, LayoutError> {
    let wanted: Vec<u64> = match shape {
        Nest::Int(_) => vec![size(shape)],
        Nest::Tuple(parts) => parts.iter().map(size).collect(),
    };
    let modes = atom.modes();
    if modes.len() > wanted.len() {
        return Err(LayoutError::TilerTooLong);
    }
    let counts = wanted.iter().enumerate().map(|(at, wanted)| {
        let extent = modes.get(at).map_or(1, Layout::size).max(1);
        let count = wanted / extent;
        if count == 0 || !wanted.is_multiple_of(extent) {
            return Err(LayoutError::ShapeDoesNotDivide {
                extent: *wanted,
                wanted: extent,
            });
        }
        i64::try_from(count)
            .map(Nest::Int)
            .map_err(|_| LayoutError::TooLarge)
    });
    Ok(Nest::Tuple(counts.collect::<Result<_, _>>()?))
}

fn size(shape: &Nest) -> u64 {
    match shape {
        Nest::Int(extent) => u64::try_from(*extent).unwrap_or(0),
        Nest::Tuple(parts) => parts
            .iter()
            .fold(1, |all: u64, part| all.saturating_mul(size(part))),
    }
}

/// The atom repeated as the grid of tiles says.
///
/// # Errors
/// As [`product::blocked_product`].
pub(super) fn repeated(atom: &Layout, grid: &Layout) -> Result<Layout, LayoutError> {
    product::blocked_product(atom, grid)
}

/// The compact layout of `shape` whose modes run in the order of the numbers in `order`.
///
/// # Errors
/// When an extent is 0 or negative, the order has other modes than the shape, or the layout passes
/// this tool's limits.
pub(super) fn ordered(shape: &Nest, order: &Nest) -> Result<Layout, LayoutError> {
    let layout = Layout::left(shape)?;
    let mut keys = Vec::new();
    collect_keys(shape, order, &mut keys)?;
    let leaves = layout.leaves();
    let mut turns: Vec<usize> = (0..leaves.len()).collect();
    turns.sort_by_key(|at| keys.get(*at).copied());
    let mut strides = vec![0; leaves.len()];
    let mut next: i64 = 1;
    for at in turns {
        if let (Some(stride), Some(leaf)) = (strides.get_mut(at), leaves.get(at)) {
            *stride = next;
            next = next.saturating_mul(i64::try_from(leaf.shape).unwrap_or(i64::MAX));
        }
    }
    with_strides(&layout, &mut strides.into_iter())
}

fn collect_keys(shape: &Nest, order: &Nest, keys: &mut Vec<i64>) -> Result<(), LayoutError> {
    match (shape, order) {
        (Nest::Int(_), Nest::Int(key)) => keys.push(*key),
        (Nest::Tuple(parts), Nest::Int(_)) => {
            for part in parts {
                collect_keys(part, order, keys)?;
            }
        }
        (Nest::Tuple(parts), Nest::Tuple(orders)) if parts.len() == orders.len() => {
            for (part, order) in parts.iter().zip(orders) {
                collect_keys(part, order, keys)?;
            }
        }
        _ => return Err(LayoutError::NotCongruent),
    }
    Ok(())
}

fn with_strides(
    layout: &Layout,
    strides: &mut impl Iterator<Item = i64>,
) -> Result<Layout, LayoutError> {
    match layout {
        Layout::Mode(Mode { shape, .. }) => Layout::mode(*shape, strides.next().unwrap_or(0)),
        Layout::Tuple(modes) => {
            let mut rebuilt = Vec::new();
            for mode in modes {
                rebuilt.push(with_strides(mode, strides)?);
            }
            Layout::Tuple(rebuilt).checked()
        }
    }
}

/// The layout with `factor` neighbours taken for one element (or one for `factor`).
///
/// # Errors
/// When the factor is not positive or divides no stride.
pub(super) fn recast(layout: &Layout, factor: i64, up: bool) -> Result<Layout, LayoutError> {
    match layout {
        Layout::Tuple(modes) => {
            let modes = modes.iter().map(|mode| recast(mode, factor, up));
            Layout::Tuple(modes.collect::<Result<_, _>>()?).checked()
        }
        Layout::Mode(Mode { shape, stride }) => {
            let cannot = LayoutError::StrideDoesNotDivide {
                extent: stride.unsigned_abs(),
                stride: factor.unsigned_abs(),
            };
            if factor <= 0 {
                return Err(cannot);
            }
            let (wide, step) = (factor.unsigned_abs(), stride.unsigned_abs());
            match (up, step) {
                (_, 0) => Layout::mode(*shape, 0),
                (true, _) if step.is_multiple_of(wide) => Layout::mode(*shape, stride / factor),
                (true, _) if wide.is_multiple_of(step) => {
                    Layout::mode(shape.div_ceil(wide / step), stride.signum())
                }
                (true, _) => Err(cannot),
                (false, 1) if *stride > 0 => Layout::mode(shape.saturating_mul(wide), 1),
                (false, _) => Layout::mode(*shape, stride.saturating_mul(factor)),
            }
        }
    }
}
