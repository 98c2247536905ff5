//! Asynchronous copies from global to shared memory (`cp.async`).

use crate::past_l1::Pieces;
use crate::{Confidence, Device, LaneMask, Unknown, Vendor, Width};

/// One `cp.async` of one warp.
#[derive(Clone, Copy, Debug)]
pub struct AsyncCopy<'a> {
    /// Through which caches.
    pub cache: AsyncCache,
    /// Bytes a lane: 4, 8 or 16, past L1 only 16.
    pub width: Width,
    /// The lanes that take part.
    pub active: LaneMask,
    /// Of these, the lanes that read global memory; the others only write zeros.
    pub reads: LaneMask,
    /// `[lane]`: byte addresses in shared memory; a lane past the end is off.
    pub destinations: &'a [u64],
    /// `[lane]`: byte addresses in global memory; a lane past the end is off.
    pub sources: &'a [u64],
}

/// The caches that an asynchronous copy goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AsyncCache {
    /// All of them: `.ca`.
    All,
    /// Past L1: `.cg`.
    PastL1,
}

/// What an asynchronous copy costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsyncCopyCounts {
    /// Requests to global memory: one a warp of which a lane reads.
    pub requests: u32,
    /// Passes over shared memory's banks; at least so many unless
    /// [`AsyncCopyCounts::has_exact_wavefronts`].
    pub wavefronts: u32,
    /// Whether [`AsyncCopyCounts::wavefronts`] is exact; otherwise it is a lower bound.
    pub has_exact_wavefronts: bool,
    /// The fewest wavefronts: `.ca`: one for each phase with a lane on; `.cg`: one for each 128
    /// bytes that are written.
    pub ideal_wavefronts: u32,
    /// Bank conflicts as the hardware counts them: `.ca`: wavefronts less ideal wavefronts; `.cg`:
    /// none.
    pub conflicts: u32,
    /// n of "n-way": the most wavefronts of a phase; 1 for `.cg`, 0 where no lane is on.
    pub ways: u32,
    /// Sectors as a launch's total counts them.
    pub sectors: u32,
    /// Sectors as the profiler's source page counts them.
    pub page_sectors: u32,
    /// Whether [`AsyncCopyCounts::sectors`] is exact; otherwise two lanes write one place from
    /// different sources, and it is what the lowest of such lanes takes.
    pub has_exact_sectors: bool,
    /// The fewest sectors that the bytes read could take.
    pub ideal_sectors: u32,
    /// How far the rule can be trusted.
    pub confidence: Confidence,
}

/// Lanes of a warp of the devices that have the instruction.
const WARP_LANES: usize = 32;

/// Bytes in which places of shared memory and of a line of L1 repeat.
const LINE_BYTES: u64 = 128;

/// Bytes of a sector.
const SECTOR_BYTES: u64 = 32;

impl Device {
    /// What `copy` costs. Does not allocate.
    ///
    /// - `.ca`: phases of 32, 16, 8 lanes for 4, 8, 16 bytes a lane. The places of a lane are its
    ///   destination and its source, each modulo 128 bytes, in units of the width. A phase costs
    ///   the most lanes that any lane of it (itself counted) meets: lanes with the same
    ///   destination place or the same source place. Lanes on one word do not share. Sectors are
    ///   the distinct 32-byte sectors of the source.
    /// - `.cg`: of lanes that write the same 16 bytes only the lowest counts. `sectors`: distinct
    ///   pairs (32-byte unit of the destination, 128-byte line of the source). `page_sectors`:
    ///   distinct triples (unit, 32-byte sector of the source, whether the 16-byte half is
    ///   exchanged). `wavefronts`: the triples in groups of (128-byte line of the destination,
    ///   line of the source, exchanged or not, halves of the unit that are written, parity of unit
    ///   and sector); a group costs the most of its triples that have one unit or one sector. A
    ///   lower bound, which is exact where no two groups have the same two lines.
    ///
    /// A misaligned lane counts by the place of its first byte.
    ///
    /// # Errors
    /// [`Unknown::Instruction`] before CC 8.0 and for other widths.
    ///
    /// # Source
    /// Counters of an NVIDIA H200 and an H100 (`tests/golden`): measured on CC 9.0, inferred for
    /// the others. Lanes that only write zeros were not measured: inferred.
    pub fn async_copy_counts(&self, copy: &AsyncCopy<'_>) -> Result<AsyncCopyCounts, Unknown> {
        let confidence = self.async_confidence()?;
        let lanes = copy.lanes_a_phase()?;
        let mut counts = AsyncCopyCounts::none(confidence);
        for warp in [0, WARP_LANES] {
            let active = LaneMask(copy.on().0 & LaneMask::first(WARP_LANES).0 << warp);
            if active.is_empty() {
                continue;
            }
            let reads = LaneMask(active.0 & copy.reads.0);
            counts.requests += u32::from(!reads.is_empty());
            match copy.cache {
                AsyncCache::All => copy.add_through_l1(active, reads, lanes, &mut counts),
                AsyncCache::PastL1 => copy.add_past_l1(active, reads, &mut counts),
            }
        }
        Ok(counts)
    }

    /// How far the rule can be trusted on this device, if it has the instruction.
    fn async_confidence(&self) -> Result<Confidence, Unknown> {
        match (self.vendor, self.id) {
            (Vendor::Nvidia, "cc9.0") => Ok(Confidence::Measured),
            (Vendor::Nvidia, "cc8.0" | "cc8.6" | "cc10.x" | "cc12.x") => Ok(Confidence::Inferred),
            _ => Err(Unknown::Instruction),
        }
    }
}

impl AsyncCopyCounts {
    /// The counts of no lane.
    const fn none(confidence: Confidence) -> Self {
        Self {
            requests: 0,
            wavefronts: 0,
            has_exact_wavefronts: true,
            ideal_wavefronts: 0,
            conflicts: 0,
            ways: 0,
            sectors: 0,
            page_sectors: 0,
            has_exact_sectors: true,
            ideal_sectors: 0,
            confidence,
        }
    }
}

impl AsyncCopy<'_> {
    /// The lanes that are on and have both addresses.
    fn on(&self) -> LaneMask {
        let given = self.destinations.len().min(self.sources.len());
        LaneMask(self.active.0 & LaneMask::first(given).0)
    }

    /// Lanes served together.
    const fn lanes_a_phase(&self) -> Result<usize, Unknown> {
        match (self.cache, self.width) {
            (AsyncCache::All, Width::Bytes4) => Ok(32),
            (AsyncCache::All, Width::Bytes8) => Ok(16),
            (_, Width::Bytes16) => Ok(8),
            _ => Err(Unknown::Instruction),
        }
    }

    /// Adds what the lanes of one warp cost through L1.
    fn add_through_l1(
        &self,
        active: LaneMask,
        reads: LaneMask,
        lanes: usize,
        counts: &mut AsyncCopyCounts,
    ) {
        for start in (0..2 * WARP_LANES).step_by(lanes) {
            let phase = LaneMask(active.0 & LaneMask::first(lanes).0 << start);
            if !phase.is_empty() {
                let ways = self.most_met(phase);
                counts.wavefronts += ways;
                counts.conflicts += ways - 1;
                counts.ideal_wavefronts += 1;
                counts.ways = counts.ways.max(ways);
            }
        }
        let sectors = self.source_pieces(reads, SECTOR_BYTES);
        let bytes = self.width.bytes() * u64::from(self.source_pieces(reads, self.width.bytes()));
        counts.sectors += sectors;
        counts.page_sectors += sectors;
        counts.ideal_sectors += fewest(bytes, SECTOR_BYTES);
    }

    /// The most lanes of a phase that any lane of it meets, itself among them.
    fn most_met(&self, phase: LaneMask) -> u32 {
        let place = |addresses: &[u64], lane: usize| {
            let address = addresses.get(lane).copied().unwrap_or(0);
            usize::try_from(address % LINE_BYTES / self.width.bytes()).unwrap_or(0)
        };
        let mut at = [[0_u64; WARP_LANES]; 2];
        let [destinations, sources] = &mut at;
        for lane in phase.iter() {
            destinations[place(self.destinations, lane)] |= 1 << lane;
            sources[place(self.sources, lane)] |= 1 << lane;
        }
        let met = |lane: usize| {
            let met =
                destinations[place(self.destinations, lane)] | sources[place(self.sources, lane)];
            met.count_ones()
        };
        phase.iter().map(met).max().unwrap_or(0)
    }

    /// Distinct pieces of `bytes` bytes in which the sources of `lanes` begin.
    fn source_pieces(&self, lanes: LaneMask, bytes: u64) -> u32 {
        let mut places = [0_u64; WARP_LANES];
        let mut len = 0;
        for &source in lanes.iter().filter_map(|lane| self.sources.get(lane)) {
            let place = source / bytes;
            if !places[..len].contains(&place) {
                places[len] = place;
                len += 1;
            }
        }
        u32::try_from(len).unwrap_or(0)
    }

    /// Adds what the lanes of one warp cost past L1.
    fn add_past_l1(&self, active: LaneMask, reads: LaneMask, counts: &mut AsyncCopyCounts) {
        let written = Pieces::of(active, self.destinations, self.sources);
        let read = Pieces::of(reads, self.destinations, self.sources);
        let (wavefronts, is_exact) = written.least_wavefronts();
        counts.wavefronts += wavefronts;
        counts.has_exact_wavefronts &= is_exact;
        counts.ideal_wavefronts += fewest(written.bytes(), LINE_BYTES);
        counts.ways = counts.ways.max(1);
        counts.sectors += read.units_by_line();
        counts.page_sectors += read.triples();
        counts.has_exact_sectors &= !read.has_rivals();
        counts.ideal_sectors += fewest(read.bytes(), SECTOR_BYTES);
    }
}

/// The fewest pieces of `piece` bytes that hold `bytes`: at most a few dozen.
fn fewest(bytes: u64, piece: u64) -> u32 {
    u32::try_from(bytes.div_ceil(piece)).unwrap_or(0)
}
