//! Swizzles and pitches, one by one.

use super::{Change, Cost, Remedy, Search};
use crate::{Layout, Map, Mode, Placement, Stage, Swizzle};

/// The most swizzles of equal cost that are kept.
const MOST_KEPT: usize = 1;

/// The layout without swizzle, phases or padding.
pub(super) fn plain(placement: &Placement) -> Placement {
    let map = placement.map();
    let is_linear = matches!(map.stages.first(), Some(Stage::Xor(_)));
    let kept = |stage: &&Stage| matches!(stage, Stage::Layout(_) | Stage::Offset(_));
    let plain = if is_linear {
        compact(placement)
    } else {
        Some(Map {
            layout: map.layout.clone(),
            stages: map.stages.iter().filter(kept).cloned().collect(),
        })
    };
    let of = |map| Placement::new(map, placement.element_bytes(), placement.base()).ok();
    plain.and_then(of).unwrap_or_else(|| placement.clone())
}

/// Rows (or columns, where those are contiguous) one after another.
fn compact(placement: &Placement) -> Option<Map> {
    let (rows, columns) = (placement.rows(), placement.columns());
    let step = |row, column| {
        let first = placement.address(0, 0)?;
        Some(placement.address(row, column)?.abs_diff(first) == placement.element_bytes())
    };
    let runs_down = step(1, 0) == Some(true) && step(0, 1) != Some(true);
    let stride = |value: u64| i64::try_from(value).ok();
    let (down, across) = if runs_down {
        (1, stride(rows)?)
    } else {
        (stride(columns)?, 1)
    };
    let modes = vec![
        Layout::mode(rows, down).ok()?,
        Layout::mode(columns, across).ok()?,
    ];
    Some(Map::of(Layout::Tuple(modes)))
}

/// The contiguous run of a layout's fastest mode, and how far apart its rows are, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    run: u64,
    pub(super) pitch: u64,
}

impl Rows {
    /// The rows of a layout; `None` where it has none.
    pub(super) fn of(layout: &Layout) -> Option<Self> {
        let fast = layout
            .modes()
            .iter()
            .find(|mode| mode.leaves().iter().any(|leaf| is_unit(*leaf)))?;
        let mut run = 1;
        for leaf in fast.leaves() {
            if leaf.stride == i64::try_from(run).ok()? && leaf.shape > 1 {
                run *= leaf.shape;
            }
        }
        let strides = layout.leaves().into_iter().filter(|leaf| leaf.shape > 1);
        let strides = strides.filter_map(|leaf| u64::try_from(leaf.stride).ok());
        let pitch = strides.filter(|stride| *stride >= run).min()?;
        Some(Self { run, pitch })
    }
}

const fn is_unit(leaf: Mode) -> bool {
    leaf.stride == 1 && leaf.shape > 1
}

/// The same layout with rows `to` elements apart instead of `from`; `None` where a stride is no
/// whole number of rows.
pub(super) fn with_pitch(layout: &Layout, rows: Rows, to: u64) -> Option<Layout> {
    match layout {
        Layout::Tuple(modes) => {
            let modes = modes.iter().map(|mode| with_pitch(mode, rows, to));
            Some(Layout::Tuple(modes.collect::<Option<_>>()?))
        }
        Layout::Mode(mode) => {
            let stride = u64::try_from(mode.stride).ok()?;
            if stride < rows.pitch {
                return Some(layout.clone());
            }
            if !stride.is_multiple_of(rows.pitch) {
                return None;
            }
            let stride = i64::try_from(stride / rows.pitch * to).ok()?;
            Layout::mode(mode.shape, stride).ok()
        }
    }
}

impl Search<'_> {
    /// The free layouts among all swizzles and pitches, the nearest of the others, and how many
    /// were tried.
    pub(super) fn tried(&self) -> (Vec<Remedy>, Option<Remedy>, usize) {
        let (mut free, mut tried) = (Vec::new(), 0);
        let mut nearest: Option<(Change, Placement, Vec<Cost>)> = None;
        let groups = [
            vec![(Change::Plain, self.plain.clone())],
            self.swizzles(),
            self.pitches(),
        ];
        for group in groups {
            let mut kept = 0;
            for (change, placement) in group {
                if kept >= MOST_KEPT {
                    break;
                }
                tried += 1;
                let limit = nearest
                    .as_ref()
                    .map_or(u64::MAX, |(.., costs)| total(costs));
                let Some(costs) = self.costs(&placement, limit) else {
                    continue;
                };
                if costs.iter().all(|cost| cost.conflicts == 0) {
                    kept += 1;
                    free.push(self.remedy(change, placement, costs));
                } else if total(&costs) < limit {
                    nearest = Some((change, placement, costs));
                }
            }
            if free.iter().any(|remedy| remedy.change == Change::Plain) {
                break;
            }
        }
        let nearest =
            nearest.map(|(change, placement, costs)| self.remedy(change, placement, costs));
        (free, nearest, tried)
    }

    /// Bytes once round all banks; those of most devices where they are not known.
    pub(super) fn round_bytes(&self) -> u64 {
        let known = |value: Option<u32>, otherwise| u64::from(value.unwrap_or(otherwise));
        known(self.device.banks(), 32) * known(self.device.bank_bytes(), 4)
    }

    /// All swizzles that keep groups aligned and change a bank, those of fewest bits first.
    fn swizzles(&self) -> Vec<(Change, Placement)> {
        let element = self.plain.element_bytes();
        let log = |value: u64| value.max(1).ilog2();
        let lowest = log((self.alignment_bytes / element).max(1));
        let banks_end = log((self.round_bytes() / element).max(1));
        let last = self.plain.extent_bytes() / element;
        let top = u64::BITS - last.saturating_sub(1).leading_zeros();
        let mut all = Vec::new();
        for bits in 1..=5_u32 {
            for distance in bits..=top {
                for base in lowest..banks_end {
                    let end = base + bits;
                    if end + distance > top {
                        continue;
                    }
                    let shift = i32::try_from(distance).unwrap_or(i32::MAX);
                    if end <= banks_end {
                        all.extend(self.swizzle(bits, base, shift));
                    }
                    if end + distance <= banks_end {
                        all.extend(self.swizzle(bits, base, -shift));
                    }
                }
            }
        }
        all
    }

    fn swizzle(&self, bits: u32, base: u32, shift: i32) -> Option<(Change, Placement)> {
        let swizzle = Swizzle::new(bits, base, shift).ok()?;
        let map = self.plain.map().clone().then(Stage::Swizzle(swizzle));
        let placement = Placement::new(map, self.plain.element_bytes(), self.plain.base()).ok()?;
        Some((Change::Swizzle(swizzle), placement))
    }

    /// All pitches up to one round of the banks past the shortest, shortest first.
    fn pitches(&self) -> Vec<(Change, Placement)> {
        let map = self.plain.map();
        let Some(rows) = Rows::of(&map.layout).filter(|_| map.stages.is_empty()) else {
            return Vec::new();
        };
        let element = self.plain.element_bytes();
        let step = (self.alignment_bytes / element).max(1);
        let round = self.round_bytes() / element;
        let first = rows.run.div_ceil(step) * step;
        let pitches = (first..=first + round).step_by(usize::try_from(step).unwrap_or(1));
        let of = |pitch: u64| {
            let layout = with_pitch(&map.layout, rows, pitch)?;
            let map = Map::of(layout);
            let placement = Placement::new(map, element, self.plain.base()).ok()?;
            Some((Change::Pitch(pitch), placement))
        };
        pitches
            .filter(|pitch| *pitch != rows.pitch)
            .filter_map(of)
            .collect()
    }
}

fn total(costs: &[Cost]) -> u64 {
    costs.iter().map(|cost| cost.wavefronts).sum()
}
