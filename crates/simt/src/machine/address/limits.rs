//! Reports addresses that lie outside of what they should stay in.

use super::{Limits, Target};
use crate::machine::Machine;
use crate::machine::arithmetic::each;
use crate::machine::memory::{ALLOCATION_BITS, Global};
use crate::machine::warp::Warp;
use crate::outcome::FindingKind;
use lanescope_ir::{AddressSpace, PlaceId, SiteId, eval};

impl<const L: usize> Machine<'_, L> {
    /// Reports addresses of global memory that lie outside their allocation.
    pub(crate) fn check_global(
        &mut self,
        warp: &Warp<L>,
        target: &Target<L>,
        bytes: u64,
        at: (PlaceId, SiteId),
        mask: u64,
    ) {
        let mask = mask & !target.unknown.0;
        if mask == 0 {
            return;
        }
        let inside = |(low, high): (u64, u64)| {
            Global::number(low) == Global::number(high)
                && self.global.allocation(low).is_some_and(|allocation| {
                    let end = allocation.bytes.unwrap_or(1 << (ALLOCATION_BITS - 1));
                    low >= allocation.start
                        && high - allocation.start <= end.saturating_sub(bytes)
                        && end >= bytes
                })
        };
        if inside(target.extremes(mask)) || inside(target.extremes_of(mask)) {
            return;
        }
        let mut outside = None;
        for lane in each(mask) {
            let address = target.lane(lane);
            if !inside((address, address)) {
                outside = Some((lane, address));
                break;
            }
        }
        let Some((lane, address)) = outside else {
            return;
        };
        // An address that has left its array may have come to another's stretch: the one that is indexed is named.
        let array = self
            .kernel
            .sites
            .get(at.1.index())
            .and_then(|site| site.array);
        let own = array.and_then(|array| self.global.allocation_of(array));
        let limits = own.or(self.global.allocation(address)).map_or(
            Limits {
                array: None,
                start: 0,
                bytes: 0,
            },
            |allocation| Limits {
                array: allocation.array,
                start: allocation.start,
                bytes: allocation.bytes.unwrap_or(0),
            },
        );
        self.out_of_bounds(warp, &limits, address, at, lane);
    }

    /// Reports addresses of shared memory that lie outside what the block has.
    pub(crate) fn check_shared(
        &mut self,
        warp: &Warp<L>,
        target: &Target<L>,
        bytes: u64,
        at: (PlaceId, SiteId),
        mask: u64,
    ) {
        let mask = mask & !target.unknown.0;
        if mask == 0 {
            return;
        }
        let start = self.kernel.shared_base;
        let size = self
            .shared_bytes
            .unwrap_or(crate::machine::memory::UNBOUNDED_SHARED);
        let inside =
            |(low, high): (u64, u64)| low >= start && (high - start).saturating_add(bytes) <= size;
        if inside(target.extremes(mask)) {
            return;
        }
        let outside = each(mask).find(|lane| {
            let address = target.lane(*lane);
            !inside((address, address)) && !self.is_of_system(address & 0xffff_ffff)
        });
        if let Some(lane) = outside {
            let limits = self.shared_limits(at.1, size);
            let address = eval::sign_extend(target.lane(lane), 32).cast_unsigned();
            self.out_of_bounds(warp, &limits, address, at, lane);
        }
    }

    /// The bytes of the array of shared memory that is indexed; of all of it where that is not known.
    fn shared_limits(&self, site: SiteId, size: u64) -> Limits {
        let start = self.kernel.shared_base;
        let site = self.kernel.sites.get(site.index());
        let id = site.and_then(|site| site.array);
        let array = id.and_then(|id| self.kernel.arrays.get(id.index()));
        match array.filter(|array| array.space == AddressSpace::Shared) {
            Some(array) => Limits {
                array: id,
                start: start.saturating_add(array.base),
                bytes: array.bytes.unwrap_or(size.saturating_sub(array.base)),
            },
            None => Limits {
                array: None,
                start,
                bytes: size,
            },
        }
    }

    fn out_of_bounds(
        &mut self,
        warp: &Warp<L>,
        limits: &Limits,
        address: u64,
        (place, site): (PlaceId, SiteId),
        lane: usize,
    ) {
        let kind = |overflow| FindingKind::OutOfBounds {
            array: limits.array,
            offset: address.wrapping_sub(limits.start).cast_signed(),
            bytes: limits.bytes,
            overflow,
        };
        let is_known = self.notes.has((kind(None).code(), place, Some(site)));
        let overflow = match is_known {
            true => None,
            false => self.overflow(warp, site, address, lane),
        };
        let kind = kind(overflow);
        self.finding(warp, kind, place, Some(site), lane);
    }

    /// Reports addresses that are no multiple of the access's width.
    pub(crate) fn check_alignment(
        &mut self,
        warp: &Warp<L>,
        target: &Target<L>,
        bytes: u64,
        (place, site): (PlaceId, SiteId),
        mask: u64,
    ) {
        let low = bytes - 1;
        if target.low & low == 0 {
            return;
        }
        let known = mask & !target.unknown.0;
        if let Some(lane) = each(known).find(|lane| target.lane(*lane) & low != 0) {
            let address = target.lane(lane);
            let space = self.kernel.sites.get(site.index()).map(|site| site.space);
            let first = match space {
                Some(AddressSpace::Shared) => self.kernel.shared_base,
                _ => self.global.allocation(address).map_or(0, |one| one.start),
            };
            let offset = address.wrapping_sub(first).cast_signed();
            let kind = FindingKind::Misaligned { offset, bytes };
            self.finding(warp, kind, place, Some(site), lane);
        }
    }
}
