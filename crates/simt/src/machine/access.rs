//! Memory accesses: the requests they make, and the values they move.

mod async_copy;
mod elements;
mod instructions;
mod matrix;

use lanescope_ir::{AddressSpace, Operand, PlaceId, ScalarType, Site, SiteId};
use lanescope_model::{LaneMask, Operation, Request, Space};

use crate::machine::Machine;
use crate::machine::address::{Parts, Target};
use crate::machine::arithmetic::{each, register};
use crate::machine::memory::{MOST_SHARED, SYSTEM_WORDS, Word};
use crate::machine::races::Touch;
use crate::machine::register::SourceId;
use crate::machine::warp::Warp;
use crate::outcome::{DoubtKind, End, FindingKind};
use crate::prepare::program::Slot;
use crate::{Access, AffineAccess, Doubt, Uncounted};

/// Which memory a lane's address lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    Shared,
    Global,
    Local,
    Constant,
    Cluster,
}

impl Parts {
    fn region(&self, lane: usize) -> Region {
        let has = |mask: u64| mask >> lane & 1 == 1;
        if has(self.shared) {
            Region::Shared
        } else if has(self.local) {
            Region::Local
        } else if has(self.constant) {
            Region::Constant
        } else if has(self.cluster) {
            Region::Cluster
        } else {
            Region::Global
        }
    }
}

impl<'a, const L: usize> Machine<'a, L> {
    pub(crate) fn site(&self, site: SiteId) -> &'a Site {
        &self.kernel.sites[site.index()]
    }

    /// Makes the requests of an access; returned is where its lanes go.
    fn request(
        &mut self,
        warp: &mut Warp<L>,
        slot: &Slot,
        id: SiteId,
        target: &mut Target<L>,
        mask: u64,
    ) -> Result<Parts, End> {
        let site = self.site(id);
        let parts = target.parts(site.space, mask);
        if target.unknown.0 != 0 {
            self.doubt_address(slot.place, id, target.unknown.1);
        }
        let at = (slot.place, id);
        let bytes = site.width.bytes();
        let occurrence = warp.occurrences[id.index()];
        warp.occurrences[id.index()] += 1;
        if parts.shared == mask {
            if site.space == AddressSpace::Generic {
                target.leave_window();
            }
            self.shared_request(warp, id, occurrence, target, at, mask)?;
        } else if parts.shared != 0 {
            let mut of_shared = *target;
            of_shared.leave_window();
            self.shared_request(warp, id, occurrence, &of_shared, at, parts.shared)?;
        }
        let constant = if site.space == AddressSpace::Generic {
            self.in_constant_arrays(target, parts.global)
        } else {
            0
        };
        if constant != 0 {
            self.observer.uncounted(Some(id), Uncounted::Constant);
        }
        let global = parts.global & !constant;
        if global != 0 {
            self.check_global(warp, target, bytes, at, global);
            self.give(warp, id, site, occurrence, Space::Global, target, global)?;
        }
        self.check_alignment(warp, target, bytes, at, mask);
        self.pass_over(parts, id);
        if self.races.is_some() && parts.shared != 0 {
            self.watch(warp, slot.place, id, site, target, parts.shared);
        }
        Ok(parts)
    }

    fn shared_request(
        &mut self,
        warp: &Warp<L>,
        id: SiteId,
        occurrence: u64,
        target: &Target<L>,
        at: (PlaceId, SiteId),
        mask: u64,
    ) -> Result<(), End> {
        let site = self.site(id);
        self.check_shared(warp, target, site.width.bytes(), at, mask);
        self.give(warp, id, site, occurrence, Space::Shared, target, mask)
    }

    /// The lanes whose generic address lies in an array of constant memory.
    fn in_constant_arrays(&self, target: &Target<L>, mask: u64) -> u64 {
        let mut arrays = self.kernel.arrays.iter();
        if !arrays.any(|array| array.space == AddressSpace::Constant) {
            return 0;
        }
        let is_constant = |lane: &usize| {
            let allocation = self.global.allocation(target.lane(*lane));
            let array = allocation.and_then(|allocation| allocation.array);
            array
                .and_then(|id| self.kernel.arrays.get(id.index()))
                .is_some_and(|array| array.space == AddressSpace::Constant)
        };
        let lanes = each(mask).filter(is_constant);
        lanes.fold(0, |lanes, lane| lanes | 1 << lane)
    }

    fn pass_over(&mut self, parts: Parts, id: SiteId) {
        for (mask, why) in [
            (parts.local, Uncounted::Local),
            (parts.constant, Uncounted::Constant),
            (parts.cluster, Uncounted::Cluster),
        ] {
            if mask != 0 {
                self.observer.uncounted(Some(id), why);
            }
        }
    }

    fn doubt_address(&mut self, place: PlaceId, id: SiteId, source: SourceId) {
        self.notes.doubt(Doubt {
            kind: DoubtKind::Address,
            place,
            site: Some(id),
            source: self.sources.source(source),
        });
    }

    #[allow(clippy::too_many_arguments, reason = "all of them make one request")]
    fn give(
        &mut self,
        warp: &Warp<L>,
        id: SiteId,
        site: &Site,
        occurrence: u64,
        space: Space,
        target: &Target<L>,
        mask: u64,
    ) -> Result<(), End> {
        if self.requests >= self.budget.requests {
            return Err(End::Requests);
        }
        self.requests += 1;
        let mut certainty = warp.certainty;
        let unknown = target.unknown.0 & mask;
        if unknown != 0 {
            certainty = certainty.max(self.sources.source(target.unknown.1).certainty());
        }
        let is_somewhere = unknown != 0 && certainty == crate::Certainty::Partial;
        if let Some((first, stride)) = target.affine().filter(|_| !is_somewhere) {
            let access = AffineAccess {
                block_index: self.block_index,
                warp: warp.number,
                occurrence,
                times: self.times_of(id),
                certainty,
                space,
                operation: site.operation,
                width: site.width,
                active: LaneMask(mask),
                lanes: self.width,
                first,
                stride,
            };
            match self.observer.affine_access(id, &access) {
                Some(true) => return Ok(()),
                Some(false) => return self.stopped(),
                None => {}
            }
        }
        let addresses = target.lanes();
        let access = Access {
            site: id,
            block: self.block,
            block_index: self.block_index,
            warp: warp.number,
            occurrence,
            times: self.times_of(id),
            certainty,
            unknown,
            request: Request {
                space,
                operation: site.operation,
                width: site.width,
                active: LaneMask(mask),
                addresses: &addresses[..self.width],
            },
        };
        if self.observer.access(&access) {
            Ok(())
        } else {
            self.stopped()
        }
    }

    /// Notes each word of shared memory that an access touches.
    fn watch(
        &mut self,
        warp: &Warp<L>,
        place: PlaceId,
        id: SiteId,
        site: &Site,
        target: &Target<L>,
        mask: u64,
    ) {
        let Some(mut races) = self.races.take() else {
            return;
        };
        let (writes, atomic) = match site.operation {
            // A volatile load is strong, and does not race with atomics.
            Operation::Load | Operation::MatrixLoad { .. } => (false, site.is_volatile),
            Operation::Store | Operation::MatrixStore { .. } | Operation::AsyncCopy => {
                (true, false)
            }
            Operation::Atomic
            | Operation::Reduction
            | Operation::Increment
            | Operation::CompareAndSwap => (true, true),
        };
        let mut found = None;
        let mut before = None;
        for lane in each(mask & !target.unknown.0) {
            let start = target.lane(lane) & 0xffff_ffff;
            // A neighbour on the same word tells no more.
            if before.replace(start) == Some(start) || self.is_of_system(start) {
                continue;
            }
            let start = start.saturating_sub(self.kernel.shared_base);
            let end = start + site.width.bytes();
            for word in start / 4..end.div_ceil(4) {
                let first = start.max(word * 4) - word * 4;
                let last = end.min(word * 4 + 4) - word * 4;
                let bytes = (0xf_u8 << first) & (0xf_u8 >> (4 - last));
                let touch = Touch {
                    warp: warp.number,
                    lane: u32::try_from(lane).unwrap_or(0),
                    site: id,
                    bytes,
                    atomic,
                };
                let index = usize::try_from(word).unwrap_or(usize::MAX);
                let met = races.touch(index, touch, writes);
                found = found.or(met.map(|met| (lane, word, met)));
            }
        }
        self.races = Some(races);
        if let Some((lane, word, (other, other_writes))) = found {
            let kind = FindingKind::Race {
                other: other.site,
                other_writes,
                other_warp: other.warp,
                other_lane: other.lane,
                word: word * 4,
            };
            self.finding(warp, kind, place, Some(id), lane);
        }
    }

    /// Reads an element.
    fn read(
        &self,
        warp: &Warp<L>,
        region: Region,
        address: u64,
        lane: usize,
        ty: ScalarType,
    ) -> Word {
        let narrow = address & 0xffff_ffff;
        match region {
            // Nothing is taken where nothing was stored.
            Region::Shared if self.is_of_system(narrow) => self.system.read(narrow, ty.bytes(), 0),
            Region::Shared => {
                let at = narrow.wrapping_sub(self.kernel.shared_base);
                let untouched = match self.kernel.is_shared_zeroed {
                    true => 0,
                    false => self.uninitialized,
                };
                self.shared.read(at, ty.bytes(), untouched)
            }
            Region::Local => {
                let at = self.local_place(narrow, lane);
                at.map_or(
                    Word {
                        bits: 0,
                        source: self.uninitialized,
                    },
                    |at| warp.local.read(at, ty.bytes(), self.uninitialized),
                )
            }
            Region::Constant => self.constant.read(narrow, ty.bytes(), self.unnamed),
            Region::Cluster => Word {
                bits: 0,
                source: self.unnamed,
            },
            Region::Global => self.global.read(address, ty, self.unnamed, self.forgotten),
        }
    }

    /// Whether an address of shared memory is one of the system's words in front of the block's.
    pub(super) fn is_of_system(&self, address: u64) -> bool {
        SYSTEM_WORDS.contains(&address) && self.kernel.shared_base >= SYSTEM_WORDS.end
    }

    /// Where a lane's local memory stands in its warp's.
    fn local_place(&self, address: u64, lane: usize) -> Option<u64> {
        let size = self.kernel.local_bytes.clamp(1, MOST_SHARED / 64 * 16);
        (address < size).then(|| lane as u64 * size + address)
    }

    fn write(
        &mut self,
        warp: &mut Warp<L>,
        region: Region,
        address: u64,
        lane: usize,
        bytes: u32,
        word: Word,
    ) -> Result<(), End> {
        let narrow = address & 0xffff_ffff;
        match region {
            Region::Shared if self.is_of_system(narrow) => {
                self.system.write(narrow, bytes, word, SYSTEM_WORDS.end);
            }
            Region::Shared => {
                let at = narrow.wrapping_sub(self.kernel.shared_base);
                let limit = self.shared_bytes.unwrap_or(MOST_SHARED).min(MOST_SHARED);
                self.shared.write(at, bytes, word, limit);
            }
            Region::Local => {
                if let Some(at) = self.local_place(narrow, lane) {
                    let before = warp.local.len() as u64;
                    warp.local.write(at, bytes, word, u64::MAX);
                    self.local_bytes += (warp.local.len() as u64 - before) * 2;
                    if self.local_bytes > self.budget.bytes {
                        return Err(End::Bytes);
                    }
                }
            }
            Region::Global => self.global.write(address, bytes, word),
            Region::Constant | Region::Cluster => {}
        }
        Ok(())
    }

    /// An operand's bits in a lane, as memory takes them.
    fn word_of(&self, warp: &Warp<L>, operand: Operand, lane: usize) -> Word {
        let register = register(operand);
        let entry = warp.file.entry(register);
        let unknown = entry.unknown >> lane & 1 == 1;
        Word {
            bits: warp.file.lane(register, lane),
            source: if unknown { entry.source } else { 0 },
        }
    }
}
