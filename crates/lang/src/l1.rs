//! What the L1 cache of one multiprocessor would fetch for global loads.
//!
//! Each block meets an empty cache of 128-byte lines with 32-byte sectors, the line least lately
//! used leaving first. Stores pass by. Hardware runs several blocks at once; the view tells what
//! of a block's own reads can come from L1.

use crate::{Access, Observer};
use lanescope_model::{Operation, Space};
use std::collections::{BTreeMap, BTreeSet};

const SECTOR_BYTES: u64 = 32;
const LINE_SECTORS: u64 = 4;

/// Sectors of global loads, as asked for, as distinct in their blocks, and as fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct L1Counts {
    /// Sectors that requests ask for.
    pub requested: u64,
    /// Distinct sectors of each block, summed over blocks.
    pub distinct: u64,
    /// Sectors that the cache does not hold when asked.
    pub fetched: u64,
}

/// Follows the global loads of a run through a cache; give it to [`crate::execute`].
#[derive(Clone, Debug)]
pub struct L1View {
    lines: usize,
    clock: u64,
    /// By line: when it was last used, and which of its sectors are held.
    held: BTreeMap<u64, (u64, u8)>,
    by_age: BTreeMap<u64, u64>,
    seen: BTreeSet<u64>,
    counts: L1Counts,
}

impl L1View {
    /// An empty cache of `bytes` bytes (at least one line).
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let lines = usize::try_from(bytes / (SECTOR_BYTES * LINE_SECTORS))
            .unwrap_or(usize::MAX)
            .max(1);
        Self {
            lines,
            clock: 0,
            held: BTreeMap::new(),
            by_age: BTreeMap::new(),
            seen: BTreeSet::new(),
            counts: L1Counts::default(),
        }
    }

    /// The sums so far.
    #[must_use]
    pub fn counts(&self) -> L1Counts {
        self.counts
    }

    /// A warp asks for a sector.
    fn ask(&mut self, sector: u64) {
        self.counts.requested += 1;
        self.counts.distinct += u64::from(self.seen.insert(sector));
        let (line, bit) = (sector / LINE_SECTORS, 1_u8 << (sector % LINE_SECTORS));
        self.clock += 1;
        let (age, sectors) = self.held.get(&line).copied().unwrap_or_default();
        self.counts.fetched += u64::from(sectors & bit == 0);
        self.by_age.remove(&age);
        self.by_age.insert(self.clock, line);
        self.held.insert(line, (self.clock, sectors | bit));
        if self.held.len() > self.lines
            && let Some((_, oldest)) = self.by_age.pop_first()
        {
            self.held.remove(&oldest);
        }
    }
}

impl Observer for L1View {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let request = &access.request;
        if request.space == Space::Global && request.operation == Operation::Load {
            let touched = request
                .active
                .iter()
                .filter_map(|lane| request.addresses.get(lane));
            let ends = touched.flat_map(|at| [*at, at.wrapping_add(request.width.bytes() - 1)]);
            let sectors: BTreeSet<u64> = ends.map(|at| at / SECTOR_BYTES).collect();
            sectors.into_iter().for_each(|sector| self.ask(sector));
        }
        true
    }

    fn block_done(&mut self, _block_index: u64) -> bool {
        self.held.clear();
        self.by_age.clear();
        self.seen.clear();
        true
    }
}
