//! Loads, stores and atomics of a warp.

use lanescope_ir::{
    Address, AddressSpace, AtomicOp, Operand, PlaceId, Register, ScalarType, SiteId, eval,
};

use super::Region;
use crate::Doubt;
use crate::machine::Machine;
use crate::machine::address::{Parts, Target};
use crate::machine::arithmetic::{each, joined};
use crate::machine::effect::extended;
use crate::machine::memory::Word;
use crate::machine::register::Value;
use crate::machine::warp::Warp;
use crate::outcome::{DoubtKind, End};
use crate::prepare::program::Slot;

impl<const L: usize> Machine<'_, L> {
    pub(crate) fn load(
        &mut self,
        warp: &mut Warp<L>,
        slot: &Slot,
        dst: &[Option<Register>],
        address: Address,
        id: SiteId,
        mask: u64,
    ) -> Result<bool, End> {
        let site = self.site(id);
        self.at_target(warp, address, site.space, mask, |machine, warp, target| {
            let parts = machine.request(warp, slot, id, target, mask)?;
            if slot.wants_value {
                machine.read_into(warp, slot, dst, (target, &parts), site.element, mask);
            }
            Ok(true)
        })
    }

    /// What a load reads, without a request.
    pub(crate) fn load_value(
        &mut self,
        warp: &mut Warp<L>,
        slot: &Slot,
        dst: &[Option<Register>],
        address: Address,
        id: SiteId,
        mask: u64,
    ) {
        let site = self.site(id);
        self.at_target(warp, address, site.space, mask, |machine, warp, target| {
            let parts = target.parts(site.space, mask);
            machine.read_into(warp, slot, dst, (target, &parts), site.element, mask);
        });
    }

    /// Does something where an access goes, which is written to the room of the access before: room for all lanes takes
    /// longer to clear than to fill.
    #[inline]
    fn at_target<T>(
        &mut self,
        warp: &mut Warp<L>,
        address: Address,
        space: AddressSpace,
        mask: u64,
        act: impl FnOnce(&mut Self, &mut Warp<L>, &mut Target<L>) -> T,
    ) -> T {
        let mut target = self.spare_target.take().unwrap_or_default();
        target.point(warp, address, space, mask);
        let done = act(self, warp, &mut target);
        self.spare_target = Some(target);
        done
    }

    /// Reads an element behind another into each register.
    fn read_into(
        &self,
        warp: &mut Warp<L>,
        slot: &Slot,
        dst: &[Option<Register>],
        of: (&Target<L>, &Parts),
        element: ScalarType,
        mask: u64,
    ) {
        for (place, dst) in (0_u64..).zip(dst) {
            let Some(dst) = dst else { continue };
            let offset = place * u64::from(element.bytes());
            let whole = slot.writes_whole(warp, *dst, mask);
            if whole && self.load_in_place(warp, of, offset, (element, *dst), mask) {
                continue;
            }
            let bits = warp.file.bits(*dst);
            let (value, unknown) = self.elements(warp, of, offset, (element, bits), mask);
            warp.file.put(*dst, &value, unknown, mask, whole);
        }
    }

    pub(crate) fn store(
        &mut self,
        warp: &mut Warp<L>,
        slot: &Slot,
        src: &[Operand],
        address: Address,
        id: SiteId,
        mask: u64,
    ) -> Result<bool, End> {
        let site = self.site(id);
        self.at_target(warp, address, site.space, mask, |machine, warp, target| {
            let parts = machine.request(warp, slot, id, target, mask)?;
            if !slot.wants_value {
                return Ok(true);
            }
            machine.doubt_stores(slot.place, id, target, mask);
            let known = mask & !target.unknown.0;
            for (place, src) in (0_u64..).zip(src) {
                let offset = place * u64::from(site.element.bytes());
                let of = (&*target, &parts);
                machine.write_elements(warp, of, offset, (*src, site.element), known)?;
            }
            Ok(true)
        })
    }

    /// What is stored at an unknown place may change what is read elsewhere.
    pub(super) fn doubt_stores(
        &mut self,
        place: PlaceId,
        id: SiteId,
        target: &Target<L>,
        mask: u64,
    ) {
        if target.unknown.0 & mask != 0 {
            self.notes.doubt(Doubt {
                kind: DoubtKind::Memory,
                place,
                site: Some(id),
                source: self.sources.source(target.unknown.1),
            });
        }
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "an atomic has that many operands"
    )]
    pub(crate) fn atomic(
        &mut self,
        warp: &mut Warp<L>,
        slot: &Slot,
        op: AtomicOp,
        dst: Option<Register>,
        address: Address,
        (a, b): (Operand, Operand),
        id: SiteId,
        mask: u64,
    ) -> Result<bool, End> {
        let site = self.site(id);
        self.at_target(warp, address, site.space, mask, |machine, warp, target| {
            let parts = machine.request(warp, slot, id, target, mask)?;
            if slot.wants_value {
                machine.update(warp, slot, op, dst, (target, &parts), (a, b), id, mask)?;
            }
            Ok(true)
        })
    }

    /// Reads, changes and writes an element in each lane of a mask, one after another.
    #[allow(
        clippy::too_many_arguments,
        reason = "an atomic has that many operands"
    )]
    fn update(
        &mut self,
        warp: &mut Warp<L>,
        slot: &Slot,
        op: AtomicOp,
        dst: Option<Register>,
        (target, parts): (&Target<L>, &Parts),
        (a, b): (Operand, Operand),
        id: SiteId,
        mask: u64,
    ) -> Result<(), End> {
        let site = self.site(id);
        self.doubt_stores(slot.place, id, target, mask);
        let ty = site.element;
        // What one in global memory gives depends on which block comes first, even where it is known what was there.
        let [x, y, z] = self.launch.grid;
        let order = match site.array {
            _ if x.max(y).max(z) <= 1 => 0,
            Some(array) => self.sources.id(crate::Source::Contents(array)),
            None => self.unnamed,
        };
        let mut out = [0; L];
        let mut unknown = target.unknown;
        let bits = dst.map_or(64, |dst| warp.file.bits(dst));
        for lane in each(mask) {
            let (region, at) = (parts.region(lane), target.lane(lane));
            let old = self.read(warp, region, at, lane, ty);
            out[lane] = extended(old.bits, ty, bits);
            let source = if old.source == 0 && matches!(region, Region::Global) {
                order
            } else {
                old.source
            };
            if source != 0 {
                unknown = joined(unknown, (1 << lane, source));
            }
            let (x, y) = (self.word_of(warp, a, lane), self.word_of(warp, b, lane));
            let mut source = old.source.max(x.source).max(y.source);
            if keeps_the_last(op) && matches!(region, Region::Global) {
                source = source.max(order);
            }
            let bits = eval::atomic(op, ty, old.bits, x.bits, y.bits);
            if target.unknown.0 >> lane & 1 == 0 {
                self.write(warp, region, at, lane, ty.bytes(), Word { bits, source })?;
            }
        }
        if let Some(dst) = dst {
            self.set(warp, dst, &Value::General(out), unknown, mask);
        }
        Ok(())
    }
}

/// Whether what several of these leave depends on their order: a sum of integers, a minimum, a count does not.
const fn keeps_the_last(op: AtomicOp) -> bool {
    match op {
        AtomicOp::Exchange | AtomicOp::CompareAndSwap => true,
        AtomicOp::Add
        | AtomicOp::Minimum
        | AtomicOp::Maximum
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::Increment
        | AtomicOp::Decrement => false,
    }
}
