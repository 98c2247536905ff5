//! From an element of a tile to its byte in memory.

use super::{Layout, LayoutError, Swizzle, XorMode};

/// One step from a layout's offset towards memory, on element numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A swizzle of element numbers.
    Swizzle(Swizzle),
    /// A swizzle of byte offsets.
    SwizzleBytes(Swizzle),
    /// A swizzle of byte addresses, as TMA does it: the base address counts.
    SwizzleAddress(Swizzle),
    /// So many elements further.
    Offset(i64),
    /// A further layout, as a function of one index.
    Layout(Layout),
    /// Triton's swizzle: within a row of `columns` elements, groups of `vec` are XORed with
    /// `(row / per_phase) % max_phase`.
    Phases {
        /// Elements of a row, a power of two.
        columns: u64,
        /// Elements of a group, a power of two.
        vec: u64,
        /// Rows that share a phase.
        per_phase: u64,
        /// How many phases there are.
        max_phase: u64,
    },
    /// Strides over F2: the index's coordinates in these extents, each XORed onto the offset.
    Xor(Vec<XorMode>),
    /// After every `interval` elements, `padding` more are left out; all pairs add up.
    Padding(Vec<(u64, u64)>),
}

/// A tile's layout and what happens to its offsets on the way to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// The tile: its shape, and the offsets to begin with.
    pub layout: Layout,
    /// The stages, first to last.
    pub stages: Vec<Stage>,
}

impl Map {
    /// A layout alone.
    #[must_use]
    pub const fn of(layout: Layout) -> Self {
        Self {
            layout,
            stages: Vec::new(),
        }
    }

    /// The same map, followed by `stage`.
    #[must_use]
    pub fn then(mut self, stage: Stage) -> Self {
        self.stages.push(stage);
        self
    }

    /// The tile seen through another layout of its indices: `self o inner`.
    ///
    /// # Errors
    /// As [`super::composition`].
    pub fn compose(&self, inner: &Layout) -> Result<Self, LayoutError> {
        Ok(Self {
            layout: super::composition(&self.layout, inner)?,
            stages: self.stages.clone(),
        })
    }
}

/// A tile in shared memory: its map, its element and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    map: Map,
    element_bytes: u64,
    base: u64,
    rows: u64,
    columns: u64,
}

impl Placement {
    /// A tile of elements of `element_bytes` whose first byte is at `base`.
    ///
    /// # Errors
    /// When a swizzle on bytes would tear an element apart.
    pub fn new(map: Map, element_bytes: u64, base: u64) -> Result<Self, LayoutError> {
        for stage in &map.stages {
            if let Stage::SwizzleBytes(swizzle) | Stage::SwizzleAddress(swizzle) = stage {
                swizzle.in_elements(element_bytes)?;
            }
        }
        let (rows, columns) = extents(&map.layout);
        Ok(Self {
            map,
            element_bytes,
            base,
            rows,
            columns,
        })
    }

    /// The map.
    #[must_use]
    pub const fn map(&self) -> &Map {
        &self.map
    }

    /// Bytes of one element.
    #[must_use]
    pub const fn element_bytes(&self) -> u64 {
        self.element_bytes
    }

    /// Byte address of the tile's beginning.
    #[must_use]
    pub const fn base(&self) -> u64 {
        self.base
    }

    /// Rows of the tile: the size of mode 0 (1 for a layout of one mode).
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Columns of the tile: the size of all further modes.
    #[must_use]
    pub const fn columns(&self) -> u64 {
        self.columns
    }

    /// How many elements the tile has.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.rows.saturating_mul(self.columns)
    }

    /// The byte address of element `(row, column)`; `None` outside the tile or below address 0.
    #[must_use]
    pub fn address(&self, row: u64, column: u64) -> Option<u64> {
        if row >= self.rows || column >= self.columns {
            return None;
        }
        let index = row.checked_add(column.checked_mul(self.rows)?)?;
        self.address_of(index)
    }

    /// The byte address of index `index`, counted down the rows first (CuTe's order).
    #[must_use]
    pub fn address_of(&self, index: u64) -> Option<u64> {
        let mut offset = self.map.layout.offset(index);
        for stage in &self.map.stages {
            offset = self.stage(stage, offset)?;
        }
        let bytes = offset.checked_mul(i64::try_from(self.element_bytes).ok()?)?;
        self.base.checked_add_signed(bytes)
    }

    /// `[row][column]`: the byte address of every element.
    #[must_use]
    pub fn table(&self) -> Vec<Vec<Option<u64>>> {
        let row = |row| {
            (0..self.columns)
                .map(|column| self.address(row, column))
                .collect()
        };
        (0..self.rows).map(row).collect()
    }

    fn stage(&self, stage: &Stage, offset: i64) -> Option<i64> {
        match stage {
            Stage::Swizzle(swizzle) => swizzled(*swizzle, offset),
            Stage::SwizzleBytes(swizzle) => self.swizzled_bytes(*swizzle, offset, 0),
            Stage::SwizzleAddress(swizzle) => {
                self.swizzled_bytes(*swizzle, offset, i64::try_from(self.base).ok()?)
            }
            Stage::Offset(more) => offset.checked_add(*more),
            Stage::Layout(layout) => Some(layout.offset(u64::try_from(offset).ok()?)),
            Stage::Phases {
                columns,
                vec,
                per_phase,
                max_phase,
            } => {
                let index = u64::try_from(offset).ok()?;
                let (row, column) = (index / columns, index % columns);
                let phase = (row / per_phase) % max_phase;
                i64::try_from(row * columns + (column ^ (phase * vec)) % columns).ok()
            }
            Stage::Xor(modes) => {
                let index = u64::try_from(offset).ok()?;
                i64::try_from(XorMode::offset_of(modes, index)).ok()
            }
            Stage::Padding(pads) => {
                let index = u64::try_from(offset).ok()?;
                let added = pads.iter().fold(0_u64, |sum, (interval, padding)| {
                    sum.saturating_add((index / interval).saturating_mul(*padding))
                });
                i64::try_from(index.checked_add(added)?).ok()
            }
        }
    }

    fn swizzled_bytes(&self, swizzle: Swizzle, offset: i64, base: i64) -> Option<i64> {
        let element = i64::try_from(self.element_bytes).ok()?;
        let byte = offset.checked_mul(element)?.checked_add(base)?;
        let there = swizzled(swizzle, byte)?.checked_sub(base)?;
        (there % element == 0).then_some(there / element)
    }
}

fn swizzled(swizzle: Swizzle, offset: i64) -> Option<i64> {
    let there = swizzle.apply(u64::try_from(offset).ok()?);
    i64::try_from(there).ok()
}

fn extents(layout: &Layout) -> (u64, u64) {
    match layout.modes() {
        [] => (1, 1),
        [only] => (1, only.size()),
        [rows, rest @ ..] => {
            let columns = rest
                .iter()
                .fold(1, |size: u64, mode| size.saturating_mul(mode.size()));
            (rows.size(), columns)
        }
    }
}
