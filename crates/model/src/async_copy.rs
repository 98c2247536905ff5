//! Asynchronous copies from global to shared memory (`cp.async`).

use crate::order;
use crate::{Confidence, Device, LaneMask, MAX_LANES, Unknown, Vendor, Width};

/// One `cp.async` of one warp.
#[derive(Clone, Copy, Debug)]
pub struct AsyncCopy<'a> {
    /// Through which caches.
    pub cache: AsyncCache,
    /// Bytes a lane: 4, 8 or 16, past L1 only 16.
    pub width: Width,
    /// The lanes that take part.
    pub active: LaneMask,
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

/// What an asynchronous copy costs shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsyncCopyCounts {
    /// Passes over the banks; at least so many unless [`AsyncCopyCounts::exact`].
    pub wavefronts: u32,
    /// One for each phase with a lane on.
    pub ideal_wavefronts: u32,
    /// Wavefronts less ideal wavefronts.
    pub conflicts: u32,
    /// Whether the wavefronts are exact; otherwise the hardware takes up to four more.
    pub exact: bool,
    /// How far the rule can be trusted.
    pub confidence: Confidence,
}

/// Banks of shared memory, and words of a line of L1.
const BANKS: usize = 32;

/// The most words of 4 bytes that misaligned lanes of 16 bytes touch.
const MAX_WORDS: usize = MAX_LANES * 5;

impl Device {
    /// What `copy` costs.
    ///
    /// A phase (32, 16, 8 lanes for 4, 8, 16 bytes a lane) costs the larger of the most lanes on
    /// one bank of the destination, where lanes on one word do not share, and the most distinct
    /// words of one bank of the source.
    ///
    /// # Errors
    /// [`Unknown::Instruction`] before CC 8.0 and for other widths; [`Unknown::AsyncCopyPastL1`]
    /// past L1, unless source and destination are each one aligned row.
    ///
    /// # Source
    /// Counters of an NVIDIA H200: measured on CC 9.0, inferred for the others.
    pub fn async_copy_counts(&self, copy: &AsyncCopy<'_>) -> Result<AsyncCopyCounts, Unknown> {
        let confidence = self.async_confidence()?;
        let on = copy.on();
        let lanes = copy.lanes_a_phase()?;
        let mut counts = AsyncCopyCounts {
            wavefronts: 0,
            ideal_wavefronts: 0,
            conflicts: 0,
            exact: true,
            confidence,
        };
        if copy.cache == AsyncCache::PastL1
            && !(copy.is_row(copy.destinations) && copy.is_row(copy.sources))
        {
            return Err(Unknown::AsyncCopyPastL1);
        }
        for start in (0..MAX_LANES).step_by(lanes) {
            let phase = LaneMask(on.0 & LaneMask::first(lanes).0 << start);
            if !phase.is_empty() {
                counts.add(copy.phase(phase));
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
    /// Adds a phase of which the destination and the source alone would take so many passes.
    fn add(&mut self, [destination, source]: [u32; 2]) {
        self.wavefronts += destination.max(source);
        self.ideal_wavefronts += 1;
        self.conflicts = self.wavefronts - self.ideal_wavefronts;
        self.exact &= destination.min(source) <= 1;
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

    /// Whether all 32 lanes of a warp are on and point along one row that starts at a multiple
    /// of 128 bytes.
    fn is_row(&self, addresses: &[u64]) -> bool {
        let bytes = self.width.bytes();
        let first = addresses.first().copied().unwrap_or(0);
        let in_row =
            |(lane, &address): (u64, &u64)| address.checked_sub(first) == Some(lane * bytes);
        self.on() == LaneMask::first(32)
            && first.is_multiple_of(128)
            && (0..).zip(addresses.iter().take(32)).all(in_row)
    }

    /// The passes that the destination and the source of one phase would take alone.
    fn phase(&self, lanes: LaneMask) -> [u32; 2] {
        let destination = self.words(lanes, self.destinations);
        let mut source = self.words(lanes, self.sources);
        source.distinct();
        [destination.most_on_one_bank(), source.most_on_one_bank()]
    }

    /// The words that `lanes` touch, a lane at a time.
    fn words(&self, lanes: LaneMask, addresses: &[u64]) -> Words {
        let mut words = Words {
            list: [0; MAX_WORDS],
            len: 0,
        };
        for &address in lanes.iter().filter_map(|lane| addresses.get(lane)) {
            let last = address.saturating_add(self.width.bytes() - 1);
            for word in address / 4..=last / 4 {
                words.push(word);
            }
        }
        words
    }
}

/// A list of words.
struct Words {
    list: [u64; MAX_WORDS],
    len: usize,
}

impl Words {
    /// Appends `word`.
    fn push(&mut self, word: u64) {
        if let Some(place) = self.list.get_mut(self.len) {
            *place = word;
            self.len += 1;
        }
    }

    /// Keeps one of each.
    fn distinct(&mut self) {
        let words = &mut self.list[..self.len];
        order::sort(words);
        let mut kept = 0;
        for index in 0..words.len() {
            if index == 0 || words[index] != words[index - 1] {
                words[kept] = words[index];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// The most words on one bank.
    fn most_on_one_bank(&self) -> u32 {
        let mut banks = [0_u32; BANKS];
        for word in &self.list[..self.len] {
            let bank = usize::try_from(word % BANKS as u64).unwrap_or(0);
            banks[bank] += 1;
        }
        banks.into_iter().max().unwrap_or(0)
    }
}
