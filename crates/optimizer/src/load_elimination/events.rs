//! What each instruction does to the places that are followed.

use std::collections::BTreeMap;

use lanescope_ir::{Kernel, Op, PlainAccess, Register, ScalarType, SiteId};

use super::PlaceIndex;
use crate::facts::{Facts, Location, bits};

/// Places followed at once, at most.
pub(super) const PLACES: usize = 4096;

/// A place with its element's type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) location: Location,
    pub(super) element: ScalarType,
}

/// What an instruction does to places.
#[derive(Clone, Debug)]
pub(super) enum Event {
    Load(PlaceIndex, SiteId),
    /// Stores to a place, or somewhere else.
    Store(Option<PlaceIndex>, Location, SiteId),
    Fence,
}

pub(super) type Events = Vec<BTreeMap<usize, Event>>;

/// All places, and what each instruction does to them.
pub(super) fn events(kernel: &Kernel, facts: &Facts) -> (Vec<Place>, Events) {
    let mut places: Vec<Place> = Vec::new();
    let mut indices: BTreeMap<(u64, u64, u32, &'static str), PlaceIndex> = BTreeMap::new();
    let mut events: Events = vec![BTreeMap::new(); kernel.blocks.len()];
    for block in facts.flow.reverse_postorder() {
        let mut found = BTreeMap::new();
        facts
            .numbers
            .walk(kernel, *block, &facts.loops, |at, instruction, values| {
                let Some(PlainAccess {
                    address,
                    site,
                    is_store,
                }) = instruction.op.plain_access()
                else {
                    if instruction.op.is_fence() {
                        found.insert(at, Event::Fence);
                    }
                    return;
                };
                let (Some(location), Some(accessed)) = (
                    Location::of(kernel, site, address, values),
                    kernel.sites.get(site.index()),
                ) else {
                    return;
                };
                let is_followed = instruction.guard.is_none()
                    && !accessed.is_volatile
                    && is_plain(kernel, &instruction.op, accessed.element);
                let mut place = || {
                    let key = (
                        location.address.number,
                        location.bytes,
                        accessed.element.bytes(),
                        location.space.name(),
                    );
                    *indices.entry(key).or_insert_with(|| {
                        places.push(Place {
                            location,
                            element: accessed.element,
                        });
                        places.len() - 1
                    })
                };
                let event = match (is_store, is_followed) {
                    (false, true) => Event::Load(place(), site),
                    (false, false) => return,
                    (true, true) => Event::Store(Some(place()), location, site),
                    (true, false) => Event::Store(None, location, site),
                };
                found.insert(at, event);
            });
        if let Some(slot) = events.get_mut(block.index()) {
            *slot = found;
        }
    }
    (places, events)
}

/// Whether an access's registers hold elements as memory does, or wider as integers.
fn is_plain(kernel: &Kernel, op: &Op, element: ScalarType) -> bool {
    if element == ScalarType::Bool {
        return false;
    }
    let fits = |register: Register| {
        let wide = bits(kernel, register);
        wide == element.bits() || !element.is_float() && wide > element.bits()
    };
    if let Op::Load { dst, .. } = op {
        return dst.iter().flatten().all(|dst| fits(*dst));
    }
    let Op::Store { src, .. } = op else {
        return false;
    };
    src.iter()
        .all(|operand| operand.register().is_none_or(fits))
}
