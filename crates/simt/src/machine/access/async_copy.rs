//! Asynchronous copies from global to shared memory.

use lanescope_ir::{AddressSpace, Op, ScalarType, SiteId};
use lanescope_model::{AsyncCache, AsyncCopy, LaneMask, Width};

use super::Region;
use crate::AsyncCopyAccess;
use crate::machine::Machine;
use crate::machine::address::Target;
use crate::machine::arithmetic::{each, joined, register};
use crate::machine::memory::Word;
use crate::machine::register::SourceId;
use crate::machine::warp::Warp;
use crate::outcome::End;
use crate::prepare::program::Slot;

impl<'a, const L: usize> Machine<'a, L> {
    pub(crate) fn async_copy(
        &mut self,
        warp: &mut Warp<L>,
        slot: &Slot,
        op: &Op,
        mask: u64,
    ) -> Result<bool, End> {
        let Op::AsyncCopy {
            destination,
            source,
            bytes,
            source_bytes,
            bypasses_l1,
            site,
            source_site,
        } = op
        else {
            return Ok(true);
        };
        let to = Target::of(warp, *destination, AddressSpace::Shared, mask);
        let from = Target::of(warp, *source, AddressSpace::Global, mask);
        let unknown = joined(to.unknown, from.unknown);
        if unknown.0 != 0 {
            self.doubt_address(slot.place, *site, unknown.1);
        }
        let width = u64::from(*bytes);
        let read = |lane: usize| {
            source_bytes.map_or(width, |of| warp.file.lane(register(of), lane).min(width))
        };
        let reads = each(mask)
            .filter(|lane| read(*lane) != 0)
            .fold(0, |all, lane| all | 1 << lane);
        self.check_shared(warp, &to, width, (slot.place, *site), mask);
        if source_bytes.is_none() {
            self.check_global(warp, &from, width, (slot.place, *source_site), mask);
        }
        self.check_alignment(warp, &to, width.max(1), (slot.place, *site), mask);
        self.check_alignment(warp, &from, width.max(1), (slot.place, *source_site), reads);
        self.give_copy(
            warp,
            (*site, *source_site),
            (*bytes, *bypasses_l1),
            (&to, &from),
            unknown,
            (mask, reads),
        )?;
        if self.races.is_some() {
            let site_of = self.site(*site);
            self.watch(warp, slot.place, *site, site_of, &to, mask);
        }
        if !slot.wants_value {
            return Ok(true);
        }
        self.doubt_stores(slot.place, *site, &to, mask);
        for lane in each(mask & !to.unknown.0) {
            let limit =
                source_bytes.map_or(width, |of| warp.file.lane(register(of), lane).min(width));
            for place in (0..width).step_by(4) {
                let at = from.lane(lane).wrapping_add(place);
                let mut word = if place < limit {
                    self.read(warp, Region::Global, at, lane, ScalarType::U32)
                } else {
                    Word::default()
                };
                if from.unknown.0 >> lane & 1 == 1 {
                    word.source = from.unknown.1;
                }
                let kept = limit.saturating_sub(place).min(4);
                word.bits &= (1 << (8 * kept)) - 1;
                let there = to.lane(lane).wrapping_add(place);
                self.write(warp, Region::Shared, there, lane, 4, word)?;
            }
        }
        Ok(true)
    }

    fn give_copy(
        &mut self,
        warp: &mut Warp<L>,
        (site, source_site): (SiteId, SiteId),
        (bytes, bypasses_l1): (u8, bool),
        (to, from): (&Target<L>, &Target<L>),
        unknown: (u64, SourceId),
        (mask, reads): (u64, u64),
    ) -> Result<(), End> {
        let Some(width) = Width::from_bytes(u64::from(bytes)) else {
            return Err(End::Invalid);
        };
        if self.requests >= self.budget.requests {
            return Err(End::Requests);
        }
        self.requests += 1;
        let occurrence = warp.occurrences[site.index()];
        warp.occurrences[site.index()] += 1;
        let mut certainty = warp.certainty;
        if unknown.0 != 0 {
            certainty = certainty.max(self.sources.source(unknown.1).certainty());
        }
        let (destinations, sources) = (to.lanes(), from.lanes());
        let copy = AsyncCopyAccess {
            site,
            source_site,
            block: self.block,
            block_index: self.block_index,
            warp: warp.number,
            occurrence,
            times: self.times_of(site),
            certainty,
            unknown: unknown.0,
            copy: AsyncCopy {
                cache: if bypasses_l1 {
                    AsyncCache::PastL1
                } else {
                    AsyncCache::All
                },
                width,
                active: LaneMask(mask),
                reads: LaneMask(reads),
                destinations: &destinations[..self.width],
                sources: &sources[..self.width],
            },
        };
        if self.observer.async_copy(&copy) {
            Ok(())
        } else {
            self.stopped()
        }
    }
}
