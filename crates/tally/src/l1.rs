//! What the L1 cache of one multiprocessor would fetch for global loads.
//!
//! Each block meets an empty cache of 128-byte lines with 32-byte sectors, the line least lately
//! used leaving first. Stores and atomics pass by. Hardware runs several blocks at once and does
//! not say which line leaves; the view tells what of a block's own reads can come from L1.

use lanescope_frontend::{NamedLaunch, Program};
use lanescope_ir::SiteId;
use lanescope_model::{Device, Operation, Space};
use lanescope_simt::{Access, BlockDone, Observer};
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

/// Bytes that a block alone on a multiprocessor leaves to L1; `None` where the device's size is
/// not known, or the block does not fit.
#[must_use]
pub fn l1_bytes(device: &Device, program: &Program, launch: &NamedLaunch) -> Option<u64> {
    let shared = program
        .shared_bytes()
        .checked_add(launch.dynamic_shared_bytes)?;
    u64::from(device.l1_bytes()?).checked_sub(shared)
}

/// Follows the global loads of a run through a cache; give it to [`lanescope_frontend::execute`].
#[derive(Clone, Debug)]
pub struct L1View {
    lines: usize,
    clock: u64,
    /// By line: when it was last used, and which of its sectors are held.
    held: BTreeMap<u64, (u64, u8)>,
    by_age: BTreeMap<u64, u64>,
    /// By line: which of its sectors the block has asked for.
    seen: BTreeMap<u64, u8>,
    counts: L1Counts,
    sites: Vec<OfSite>,
}

/// The same of one place of the source; a sector that two places ask for is distinct in both.
#[derive(Clone, Debug, Default)]
struct OfSite {
    seen: BTreeMap<u64, u8>,
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
            seen: BTreeMap::new(),
            counts: L1Counts::default(),
            sites: Vec::new(),
        }
    }

    /// The sums so far.
    #[must_use]
    pub fn counts(&self) -> L1Counts {
        self.counts
    }

    /// The sums so far of one place of the source: what its own requests ask for, and what is
    /// fetched for them.
    #[must_use]
    pub fn of_site(&self, site: SiteId) -> L1Counts {
        let of_site = self.sites.get(site.0 as usize);
        of_site.map_or_else(L1Counts::default, |one| one.counts)
    }

    /// A warp asks for some sectors of a line.
    fn ask(&mut self, site: SiteId, line: u64, sectors: u8) {
        let fetched = self.fetch(line, sectors);
        let index = site.0 as usize;
        if self.sites.len() <= index {
            self.sites.resize_with(index + 1, OfSite::default);
        }
        count(&mut self.counts, &mut self.seen, line, sectors, fetched);
        if let Some(one) = self.sites.get_mut(index) {
            count(&mut one.counts, &mut one.seen, line, sectors, fetched);
        }
    }

    /// Sectors of the line that the cache has to fetch.
    fn fetch(&mut self, line: u64, sectors: u8) -> u64 {
        self.clock += 1;
        let (age, held) = self.held.get(&line).copied().unwrap_or_default();
        self.by_age.remove(&age);
        self.by_age.insert(self.clock, line);
        self.held.insert(line, (self.clock, held | sectors));
        if self.held.len() > self.lines
            && let Some((_, oldest)) = self.by_age.pop_first()
        {
            self.held.remove(&oldest);
        }
        (sectors & !held).count_ones().into()
    }
}

fn count(
    counts: &mut L1Counts,
    seen: &mut BTreeMap<u64, u8>,
    line: u64,
    sectors: u8,
    fetched: u64,
) {
    let seen = seen.entry(line).or_default();
    counts.requested += u64::from(sectors.count_ones());
    counts.distinct += u64::from((sectors & !*seen).count_ones());
    counts.fetched += fetched;
    *seen |= sectors;
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
            let mut lines: BTreeMap<u64, u8> = BTreeMap::new();
            for sector in sectors {
                *lines.entry(sector / LINE_SECTORS).or_default() |= 1 << (sector % LINE_SECTORS);
            }
            for (line, sectors) in lines {
                self.ask(access.site, line, sectors);
            }
        }
        true
    }

    fn block_done(&mut self, _done: &BlockDone) -> bool {
        self.held.clear();
        self.by_age.clear();
        self.seen.clear();
        self.sites.iter_mut().for_each(|site| site.seen.clear());
        true
    }
}
