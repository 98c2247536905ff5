//! Contention of atomics on shared memory: whether two lanes may meet in a loop of compare and swap, and whether more warps
//! meet on one word than was measured.
//!
//! On an H200 an atomic that shared memory has no instruction for is a load, the operation and `ATOMS.CAST.SPIN`, again for
//! the lanes that did not get their bank (`tests/golden/more_kernels/atomics_totals.cu`). One round is all where no two
//! lanes of a warp want one bank and no two warps of a block one word.
//!
//! Other atomics cost what their addresses say as long as at most eight warps of a block meet on one word
//! (`histogram_privatised`, `atomics_one_address`). With 32 the counter of the whole unit was read a sixth above what the
//! addresses say, and what the instruction's own counter says: warps that wait for one word try again, by their timing.

use lanescope_frontend::{Program, Span};
use lanescope_ir::SiteId;
use lanescope_model::{Operation, Space};
use lanescope_simt::Access;
use std::collections::BTreeSet;

/// Words of shared memory that are watched; more than any device has.
const MOST_WORDS: usize = 1 << 17;

/// Most warps of a block that were measured to meet on one word without waiting.
const MEASURED_WARPS: u32 = 8;

/// Notes which compare-and-swap accesses of a run may take more than one round.
#[derive(Clone, Debug, Default)]
pub struct Contention {
    /// The block that the words are of.
    block: u64,
    /// `[word]`: the warp that touched it, and one; zero where none did.
    words: Vec<u32>,
    met: BTreeSet<SiteId>,
    /// The block that `warps` are of.
    crowded_block: u64,
    /// `[word]`: the warps, by their bits, that other atomics changed it from.
    warps: Vec<u64>,
    crowded: BTreeSet<SiteId>,
}

impl Contention {
    /// Notes a request; `ways` is its n of n-way.
    pub(crate) fn note(&mut self, access: &Access<'_>, ways: u32) {
        let request = &access.request;
        if request.space != Space::Shared {
            return;
        }
        match request.operation {
            Operation::CompareAndSwap => self.note_swap(access, ways),
            Operation::Atomic | Operation::Reduction | Operation::Increment => {
                self.note_atomic(access);
            }
            Operation::Load
            | Operation::Store
            | Operation::MatrixLoad { .. }
            | Operation::MatrixStore { .. }
            | Operation::AsyncCopy => {}
        }
    }

    fn note_swap(&mut self, access: &Access<'_>, ways: u32) {
        if self.block != access.block {
            self.block = access.block;
            self.words.clear();
        }
        // Requests that another stands for may touch other words.
        if ways > 1 || access.times > 1 || !self.is_first(access) {
            self.met.insert(access.site);
        }
    }

    /// Notes the words that an atomic which is one instruction changes.
    fn note_atomic(&mut self, access: &Access<'_>) {
        if self.crowded.contains(&access.site) {
            return;
        }
        if self.crowded_block != access.block {
            self.crowded_block = access.block;
            self.warps.clear();
        }
        let request = &access.request;
        let mine = 1 << access.warp.min(63);
        for lane in request.active.iter() {
            let from = request.addresses.get(lane).copied().unwrap_or(0);
            let word = usize::try_from(from / 4).ok();
            let Some(word) = word.filter(|word| *word < MOST_WORDS) else {
                continue;
            };
            if self.warps.len() <= word {
                self.warps.resize(word + 1, 0);
            }
            if let Some(warps) = self.warps.get_mut(word) {
                *warps |= mine;
                if warps.count_ones() > MEASURED_WARPS {
                    self.crowded.insert(access.site);
                    return;
                }
            }
        }
    }

    /// Whether no other warp touched a word of the request before.
    fn is_first(&mut self, access: &Access<'_>) -> bool {
        let request = &access.request;
        let mine = access.warp.saturating_add(1);
        let mut is_first = true;
        for lane in request.active.iter() {
            let from = request.addresses.get(lane).copied().unwrap_or(0);
            let last = from.saturating_add(request.width.bytes() - 1);
            for word in from / 4..=last / 4 {
                let Some(word) = usize::try_from(word).ok().filter(|word| *word < MOST_WORDS)
                else {
                    return false;
                };
                if self.words.len() <= word {
                    self.words.resize(word + 1, 0);
                }
                if let Some(touched) = self.words.get_mut(word) {
                    is_first &= *touched == 0 || *touched == mine;
                    *touched = mine;
                }
            }
        }
        is_first
    }

    /// Adds what another run noted.
    pub(crate) fn take(&mut self, other: &mut Self) {
        self.met.append(&mut other.met);
        self.crowded.append(&mut other.crowded);
    }

    /// The lines of atomics of `program` for whose words more warps of a block ask than was measured.
    #[must_use]
    pub fn crowded(&self, program: &Program) -> Vec<u32> {
        let sites = self.crowded.iter().filter_map(|id| program.site(*id));
        let lines: BTreeSet<u32> = sites.map(|site| site.line).collect();
        lines.into_iter().collect()
    }

    /// The places of the compare-and-swap accesses of `program` that took one round.
    #[must_use]
    pub fn single_rounds(&self, program: &Program) -> Vec<Span> {
        let swaps = (0..).map(SiteId).zip(program.sites()).filter(|(_, site)| {
            site.space == Space::Shared && site.operation == Operation::CompareAndSwap
        });
        let (met, alone): (Vec<_>, Vec<_>) = swaps.partition(|(id, _)| self.met.contains(id));
        let is_alone = |span: &Span| met.iter().all(|(_, site)| site.span != *span);
        let spans = alone.into_iter().map(|(_, site)| site.span);
        spans.filter(is_alone).collect()
    }
}
