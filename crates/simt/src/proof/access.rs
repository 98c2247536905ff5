//! Accesses that cost the same in every block, and slopes of what they read.

use lanescope_ir::{Address, AddressSpace, ScalarType, SiteId};

use super::follower::Follower;
use super::slope::{Growth, STEADY, canonical, plus};
use crate::Contents;
use crate::machine::Machine;
use crate::machine::address::{Parts, Target};
use crate::machine::arithmetic::{each, register};
use crate::machine::memory::{ALLOCATION_BITS, Global};
use crate::proof::region::{FLAT, Slope};

impl<const L: usize> Follower<'_, L> {
    /// What addresses may move by multiples of. One element that all lanes share costs the same wherever it lies, as long
    /// as it stays aligned; requests of several repeat with the period.
    fn modulus(&self, target: &Target<L>, lanes: u64, bytes: u64, period: u64) -> u64 {
        let first = target.lane(lanes.trailing_zeros() as usize % L);
        let is_element = bytes.is_power_of_two() && first.is_multiple_of(bytes);
        let is_shared = || each(lanes).all(|lane| target.lane(lane) == first);
        if self.is_plain && is_element && is_shared() {
            period.min(bytes)
        } else {
            period
        }
    }

    /// The slope of an address.
    fn address(&mut self, address: Address, narrow: bool) -> Growth {
        let ty = if narrow {
            ScalarType::U32
        } else {
            ScalarType::U64
        };
        let mut slope = FLAT;
        for operand in std::iter::once(address.base).chain(address.index) {
            let bits = self.warp.file.bits(register(operand));
            let one = if !narrow && bits < 64 {
                self.number(operand, ScalarType::U32)?
            } else {
                self.of(operand)?
            };
            slope = plus(slope, one);
        }
        Some(canonical(slope, ty))
    }
}

impl<const L: usize> Machine<'_, L> {
    /// Cuts the region to where an access costs the same; returned is how what it reads grows. `differs`: it writes what
    /// differs from block to block.
    pub(super) fn follow_access(
        &self,
        at: &mut Follower<'_, L>,
        address: Address,
        id: SiteId,
        differs: bool,
        wants_value: bool,
    ) -> Growth {
        let site = self.site(id);
        let narrow = !matches!(site.space, AddressSpace::Global | AddressSpace::Generic);
        let reads = matches!(
            site.operation,
            lanescope_model::Operation::Load | lanescope_model::Operation::MatrixLoad { .. }
        );
        let Some(slope) = at.address(address, narrow) else {
            self.admit(at, id, wants_value);
            return None;
        };
        let moves = slope != FLAT;
        let in_block =
            crate::prepare::slice::memories(site.space) & !crate::prepare::slice::GLOBAL != 0;
        at.proof.memory_differs |= in_block && (differs || (moves && !reads));
        if at.proof.of_iterations && !reads && wants_value && self.program.may_be_read(id, site) {
            // What iterations that do not run would have written is read somewhere.
            at.proof.failed = true;
        }
        if !moves && !wants_value {
            return None;
        }
        let target = Target::of(at.warp, address, site.space, at.mask);
        let parts = target.parts(site.space, at.mask);
        if moves && parts.global != 0 && site.operation.is_atomic() && target.affine().is_none() {
            // What it costs depends on where it lies, by more than a period tells.
            self.admit(at, id, wants_value);
            return None;
        }
        if moves {
            let bytes = i128::from(site.width.bytes());
            if at.proof.of_iterations && parts.shared != 0 && self.races.is_some() {
                at.proof.failed = true;
            }
            for (part, period) in [
                (parts.shared, at.proof.periods.shared),
                (parts.global, at.proof.periods.global),
            ] {
                if part != 0 {
                    let modulus = at.modulus(&target, part, site.width.bytes(), period);
                    at.proof.failed |= !at.proof.region.align(slope, modulus);
                }
            }
            self.keep_in_memory(at, &target, &parts, bytes, slope);
        }
        if wants_value {
            self.read_growth(at, &target, &parts, moves, id)
        } else {
            None
        }
    }

    /// Leaves an access to be made each time, or fails the proof.
    fn admit(&self, at: &mut Follower<'_, L>, id: SiteId, wants_value: bool) {
        let site = self.site(id);
        let writes = !matches!(
            site.operation,
            lanescope_model::Operation::Load | lanescope_model::Operation::MatrixLoad { .. }
        );
        let is_read = writes && wants_value && self.program.may_be_read(id, site);
        match &mut at.proof.trace {
            Some(trace) if !is_read => trace.admit(id),
            _ => at.proof.failed = true,
        }
    }

    /// Cuts the region to where every lane's access stays in the memory that it lies in.
    fn keep_in_memory(
        &self,
        at: &mut Follower<'_, L>,
        target: &Target<L>,
        parts: &Parts,
        bytes: i128,
        slope: Slope,
    ) {
        let (first, last) = target.extremes_of(at.mask);
        let whole = parts.shared == at.mask || parts.global == at.mask;
        if whole && first >> 32 == last >> 32 {
            // All in one memory: the outermost lanes tell of those between them.
            let (low, high) = self.room(first, parts, at.mask.trailing_zeros() as usize);
            let ends = (i128::from(first), i128::from(last));
            if low <= ends.0 && ends.1 <= high - bytes {
                return at.proof.region.keep(low, ends, high - bytes, slope);
            }
        }
        for lane in each(at.mask) {
            let here = target.lane(lane);
            let (low, high) = self.room(here, parts, lane);
            let here = i128::from(here);
            if high - bytes < here || here < low {
                // Outside already, which is said once: it stays in the same stretch of addresses.
                let start = here >> ALLOCATION_BITS << ALLOCATION_BITS;
                let end = start + (1 << ALLOCATION_BITS) - 1;
                at.proof.region.keep(start, (here, here), end, slope);
            } else {
                at.proof.region.keep(low, (here, here), high - bytes, slope);
            }
        }
    }

    /// First byte, and the one behind the last, of the memory that an address lies in.
    fn room(&self, address: u64, parts: &Parts, lane: usize) -> (i128, i128) {
        if parts.shared >> lane & 1 == 1 {
            let start = address & !0xffff_ffff | self.kernel.shared_base;
            let size = self
                .shared_bytes
                .unwrap_or(crate::machine::memory::UNBOUNDED_SHARED);
            return (i128::from(start), i128::from(start) + i128::from(size));
        }
        if parts.global >> lane & 1 == 1 {
            return self
                .global
                .allocation(address)
                .map_or((0, 0), |allocation| {
                    let start = i128::from(allocation.start);
                    let size = allocation.bytes.unwrap_or(1 << (ALLOCATION_BITS - 1));
                    (start, start + i128::from(size))
                });
        }
        let window = i128::from(address & !0xffff_ffff);
        (window, window + (1 << 32))
    }

    fn read_growth(
        &self,
        at: &Follower<'_, L>,
        target: &Target<L>,
        parts: &Parts,
        moves: bool,
        id: SiteId,
    ) -> Growth {
        let in_block = parts.shared | parts.local;
        if in_block != 0 && (moves || at.proof.memory_differs) {
            return None;
        }
        if (parts.constant | parts.cluster) != 0 && moves {
            return None;
        }
        if parts.global != 0 {
            if self.program.may_be_written(id, self.site(id)) {
                return None;
            }
            let same = |lane: usize| {
                let number = Global::number(target.lane(lane));
                let allocation =
                    number.and_then(|number| self.global.allocations.get(number)?.as_ref());
                !moves
                    || allocation.is_some_and(|allocation| {
                        !allocation.stored
                            && matches!(allocation.contents, Contents::Unknown | Contents::Zero)
                    })
            };
            if !each(parts.global).all(same) {
                return None;
            }
        }
        STEADY
    }
}
