//! Contention of compare-and-swap loops: whether two lanes may meet in one.
//!
//! On an H200 an atomic that shared memory has no instruction for is a load, the operation and `ATOMS.CAST.SPIN`, again for
//! the lanes that did not get their bank (`tests/golden/more_kernels/atomics_totals.cu`). One round is all where no two
//! lanes of a warp want one bank and no two warps of a block one word.

use lanescope_frontend::{Program, Span};
use lanescope_ir::SiteId;
use lanescope_model::{Operation, Space};
use lanescope_simt::Access;
use std::collections::BTreeSet;

/// Words of shared memory that are watched; more than any device has.
const MOST_WORDS: usize = 1 << 17;

/// Notes which compare-and-swap accesses of a run may take more than one round.
#[derive(Clone, Debug, Default)]
pub struct Contention {
    /// The block that the words are of.
    block: u64,
    /// `[word]`: the warp that touched it, and one; zero where none did.
    words: Vec<u32>,
    met: BTreeSet<SiteId>,
}

impl Contention {
    /// Notes a request; `ways` is its n of n-way.
    pub(crate) fn note(&mut self, access: &Access<'_>, ways: u32) {
        let request = &access.request;
        if request.space != Space::Shared || request.operation != Operation::CompareAndSwap {
            return;
        }
        if self.block != access.block {
            self.block = access.block;
            self.words.clear();
        }
        // Requests that another stands for may touch other words.
        if ways > 1 || access.times > 1 || !self.is_first(access) {
            self.met.insert(access.site);
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
