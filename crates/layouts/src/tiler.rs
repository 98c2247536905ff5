//! What tells composition, division and product which modes to act on.

use super::{Layout, LayoutError};

/// A layout that acts on all of another, or one tiler for each of its modes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tiler {
    /// Acts on the whole, as on a one-dimensional layout.
    Layout(Layout),
    /// Acts on the modes of the first level, one by one.
    Modes(Vec<Tiler>),
}

impl Tiler {
    /// Applies `operation` where the tiler says; modes past its end stay as they are.
    pub(super) fn apply(
        &self,
        layout: &Layout,
        operation: &dyn Fn(&Layout, &Layout) -> Result<Layout, LayoutError>,
    ) -> Result<Layout, LayoutError> {
        let tilers = match self {
            Self::Layout(tiler) => return operation(layout, tiler),
            Self::Modes(tilers) => tilers,
        };
        let modes = layout.modes();
        if tilers.len() > modes.len() {
            return Err(LayoutError::TilerTooLong);
        }
        let applied = modes
            .iter()
            .enumerate()
            .map(|(at, mode)| match tilers.get(at) {
                Some(tiler) => tiler.apply(mode, operation),
                None => Ok(mode.clone()),
            });
        Layout::Tuple(applied.collect::<Result<_, _>>()?).checked()
    }

    /// How many modes it names: `None` where it acts on the whole.
    pub(super) fn mode_count(&self) -> Option<usize> {
        match self {
            Self::Layout(_) => None,
            Self::Modes(tilers) => Some(tilers.len()),
        }
    }
}

/// A layout split by a tiler, with what the tiler's modes gave apart: the tile, what is left of
/// the modes it acted on, and the modes it did not touch.
pub(super) struct Split {
    pub(super) tile: Layout,
    pub(super) rest: Vec<Layout>,
}

/// Gathers the first halves of the first `count` modes into a tile.
pub(super) fn gather(split: &Layout, count: Option<usize>) -> Split {
    let modes = split.modes();
    let Some(count) = count else {
        let (tile, rest) = halves(split);
        return Split {
            tile,
            rest: vec![rest],
        };
    };
    let (acted, untouched) = modes.split_at(count.min(modes.len()));
    let (tiles, mut rest): (Vec<_>, Vec<_>) = acted.iter().map(halves).unzip();
    rest.extend_from_slice(untouched);
    Split {
        tile: Layout::Tuple(tiles),
        rest,
    }
}

fn halves(mode: &Layout) -> (Layout, Layout) {
    match mode.modes() {
        [tile, rest] => (tile.clone(), rest.clone()),
        _ => (mode.clone(), Layout::of_leaves(Vec::new())),
    }
}

impl Split {
    /// `((tiles…),(rests…))`.
    pub(super) fn zipped(self) -> Layout {
        let rest = single_or_tuple(self.rest);
        Layout::Tuple(vec![self.tile, rest])
    }

    /// `((tiles…), rest, rest, …)`.
    pub(super) fn tiled(self) -> Layout {
        let mut modes = vec![self.tile];
        modes.extend(spread(self.rest));
        Layout::Tuple(modes)
    }

    /// `(tile, tile, …, rest, rest, …)`.
    pub(super) fn flat(self) -> Layout {
        let mut modes = self.tile.modes().to_vec();
        modes.extend(spread(self.rest));
        Layout::Tuple(modes)
    }
}

fn single_or_tuple(mut layouts: Vec<Layout>) -> Layout {
    if layouts.len() == 1 {
        layouts.remove(0)
    } else {
        Layout::Tuple(layouts)
    }
}

fn spread(rest: Vec<Layout>) -> Vec<Layout> {
    match rest.as_slice() {
        [only] => only.modes().to_vec(),
        _ => rest,
    }
}
