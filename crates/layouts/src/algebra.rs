//! Coalesce, composition, complement and inverses.
//!
//! # Source
//! NVIDIA CUTLASS, media/docs/cpp/cute/02_layout_algebra.md (documented).

use super::strided::offset_of;
use super::{Layout, LayoutError, Mode};

/// Compositions up to this size are compared with the composed functions, index by index.
const PROOF_SIZE: u64 = 1 << 14;

/// The same function with as few modes as possible, nested at most once.
#[must_use]
pub fn coalesce(layout: &Layout) -> Layout {
    Layout::of_leaves(coalesced(&layout.leaves()))
}

fn coalesced(leaves: &[Mode]) -> Vec<Mode> {
    let mut modes: Vec<Mode> = Vec::new();
    for &mode in leaves.iter().filter(|mode| mode.shape != 1) {
        match modes.last_mut() {
            Some(last) if continues(*last, mode) => {
                last.shape = last.shape.saturating_mul(mode.shape)
            }
            _ => modes.push(mode),
        }
    }
    modes
}

fn continues(first: Mode, second: Mode) -> bool {
    let end = i64::try_from(first.shape)
        .ok()
        .and_then(|shape| shape.checked_mul(first.stride));
    end == Some(second.stride)
}

/// `outer o inner`: the layout of `index -> outer(inner(index))`, shaped as `inner`.
///
/// # Errors
/// Where CuTe's divisibility conditions fail, where modes of `inner` overlap so that no layout
/// says the same, or where the result passes this tool's limits.
pub fn composition(outer: &Layout, inner: &Layout) -> Result<Layout, LayoutError> {
    let mut modes = coalesced(&outer.leaves());
    if let Some(last) = outer.leaves().last()
        && (last.shape == 1 || modes.is_empty())
    {
        modes.push(*last);
    }
    let result = compose(&modes, inner)?.checked()?;
    prove(&outer.leaves(), inner, &result)?;
    Ok(result)
}

fn compose(outer: &[Mode], inner: &Layout) -> Result<Layout, LayoutError> {
    match inner {
        Layout::Mode(mode) => compose_mode(outer, *mode),
        Layout::Tuple(modes) => modes
            .iter()
            .map(|mode| compose(outer, mode))
            .collect::<Result<_, _>>()
            .map(Layout::Tuple),
    }
}

fn compose_mode(outer: &[Mode], inner: Mode) -> Result<Layout, LayoutError> {
    let (last, firsts) = match outer.split_last() {
        None => return Layout::mode(inner.shape, 0),
        Some(split) => split,
    };
    if inner.stride == 0 || inner.shape == 1 {
        return Layout::mode(inner.shape, 0);
    }
    if firsts.is_empty() {
        return Layout::mode(inner.shape, times(inner.stride, last.stride)?);
    }
    let mut walk = Walk::new(inner)?;
    for mode in firsts {
        walk.pass(*mode)?;
    }
    walk.finish(*last)
}

/// What is left of `shape:stride` while it is taken out of mode after mode.
struct Walk {
    shape: u64,
    stride: u64,
    taken: Vec<Mode>,
}

impl Walk {
    fn new(inner: Mode) -> Result<Self, LayoutError> {
        let stride = u64::try_from(inner.stride).map_err(|_| LayoutError::NegativeStride)?;
        Ok(Self {
            shape: inner.shape,
            stride,
            taken: Vec::new(),
        })
    }

    fn pass(&mut self, mode: Mode) -> Result<(), LayoutError> {
        if self.shape == 1 {
            return Ok(());
        }
        if !self.stride.is_multiple_of(mode.shape) && !mode.shape.is_multiple_of(self.stride) {
            return Err(LayoutError::StrideDoesNotDivide {
                extent: mode.shape,
                stride: self.stride,
            });
        }
        let offered = (mode.shape / self.stride.max(1)).max(1);
        let taken = offered.min(self.shape);
        if !self.shape.is_multiple_of(taken) {
            return Err(LayoutError::ShapeDoesNotDivide {
                extent: taken,
                wanted: self.shape,
            });
        }
        if taken != 1 {
            self.taken.push(Mode::checked(
                taken,
                times_unsigned(self.stride, mode.stride)?,
            )?);
        }
        self.shape /= taken;
        self.stride = self.stride.div_ceil(mode.shape.max(1));
        Ok(())
    }

    fn finish(mut self, last: Mode) -> Result<Layout, LayoutError> {
        if self.shape != 1 || self.taken.is_empty() {
            self.taken.push(Mode::checked(
                self.shape,
                times_unsigned(self.stride, last.stride)?,
            )?);
        }
        Ok(Layout::of_leaves(self.taken))
    }
}

fn times(left: i64, right: i64) -> Result<i64, LayoutError> {
    left.checked_mul(right).ok_or(LayoutError::TooLarge)
}

fn times_unsigned(left: u64, right: i64) -> Result<i64, LayoutError> {
    times(
        i64::try_from(left).map_err(|_| LayoutError::TooLarge)?,
        right,
    )
}

fn prove(outer: &[Mode], inner: &Layout, result: &Layout) -> Result<(), LayoutError> {
    let (inner, result) = (inner.leaves(), result.leaves());
    let size = inner
        .iter()
        .fold(1, |size: u64, mode| size.saturating_mul(mode.shape));
    let agrees = |index| {
        let through = offset_of(&inner, index);
        u64::try_from(through).map_or(true, |through| {
            offset_of(outer, through) == offset_of(&result, index)
        })
    };
    if (0..size.min(PROOF_SIZE)).all(agrees) {
        Ok(())
    } else {
        Err(LayoutError::ModesOverlap)
    }
}

/// The layout of the places below `cosize` that `layout` does not reach, in ascending order:
/// together they reach each place once.
///
/// # Errors
/// When two indices of `layout` share a place, or a stride is negative.
pub fn complement(layout: &Layout, cosize: u64) -> Result<Layout, LayoutError> {
    let mut modes = layout.leaves();
    modes.retain(|mode| mode.shape != 1 && mode.stride != 0);
    modes.sort_by_key(|mode| (mode.stride, mode.shape));
    let mut holes = Vec::new();
    let mut reached: u64 = 1;
    for mode in modes {
        let stride = u64::try_from(mode.stride).map_err(|_| LayoutError::NegativeStride)?;
        if stride < reached {
            return Err(LayoutError::NotInjective);
        }
        holes.push(hole(stride / reached, reached)?);
        reached = stride
            .checked_mul(mode.shape)
            .ok_or(LayoutError::TooLarge)?;
    }
    holes.push(hole(cosize.div_ceil(reached).max(1), reached)?);
    Ok(Layout::of_leaves(coalesced(&holes)))
}

fn hole(shape: u64, stride: u64) -> Result<Mode, LayoutError> {
    Mode::checked(
        shape,
        i64::try_from(stride).map_err(|_| LayoutError::TooLarge)?,
    )
}

/// The widest layout that `layout` undoes: `layout(right_inverse(layout)(i)) = i`.
#[must_use]
pub fn right_inverse(layout: &Layout) -> Layout {
    let mut next_index: i64 = 1;
    let mut modes: Vec<(Mode, i64)> = Vec::new();
    for mode in layout.leaves() {
        modes.push((mode, next_index));
        next_index = next_index.saturating_mul(i64::try_from(mode.shape).unwrap_or(i64::MAX));
    }
    modes.retain(|(mode, _)| mode.shape != 1);
    modes.sort_by_key(|(mode, _)| (mode.stride, mode.shape));
    let mut inverse = Vec::new();
    let mut reached: i64 = 1;
    for (mode, index_stride) in modes.into_iter().filter(|(mode, _)| mode.stride > 0) {
        if mode.stride != reached {
            break;
        }
        inverse.push(Mode {
            shape: mode.shape,
            stride: index_stride,
        });
        reached = reached.saturating_mul(i64::try_from(mode.shape).unwrap_or(i64::MAX));
    }
    Layout::of_leaves(coalesced(&inverse))
}

/// The layout that undoes `layout`: `left_inverse(layout)(layout(i)) = i`.
///
/// # Errors
/// When two indices of `layout` share a place, or a stride is negative.
pub fn left_inverse(layout: &Layout) -> Result<Layout, LayoutError> {
    let rest = complement(layout, 1)?;
    let whole = Layout::Tuple(vec![layout.clone(), rest]).checked()?;
    Ok(right_inverse(&whole))
}
