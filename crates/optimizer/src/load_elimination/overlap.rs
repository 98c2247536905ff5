//! Places of other widths at one address.
//!
//! Read off PTX and SASS of 60 kernels made for it (nvcc 13, `sm_90`): what is loaded or stored as four bytes is what a
//! narrower load at the same address finds (LLVM's GVN, `canCoerceMustAliasedValueToLoad`), where all ways bring it. Not
//! so further inside the word, of wider or narrower words, or of what only some ways bring. The bytes of one `memcpy` are
//! one word there, which a load of that word is too: they are parted later.

use std::collections::BTreeMap;

use lanescope_ir::AddressSpace;

use super::PlaceIndex;
use super::events::Place;

/// Bytes of a word.
const WORD: usize = 4;

/// Which places are parts of others.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlaps {
    /// Narrower places at the address of a place of words.
    parts: BTreeMap<PlaceIndex, Vec<PlaceIndex>>,
    /// The bytes of a place of one word.
    bytes: BTreeMap<PlaceIndex, [PlaceIndex; WORD]>,
}

impl Overlaps {
    pub(super) fn of(places: &[Place]) -> Self {
        let mut at: BTreeMap<(u64, &'static str), Vec<PlaceIndex>> = BTreeMap::new();
        // A thread's own memory is never counted, and words of which a part was written hold no value.
        let counted =
            |(_, place): &(PlaceIndex, &Place)| place.location.space != AddressSpace::Local;
        for (index, place) in places.iter().enumerate().filter(counted) {
            let key = (place.location.address.number, place.location.space.name());
            at.entry(key).or_default().push(index);
        }
        let mut found = Self::default();
        for (index, place) in places.iter().enumerate().filter(counted) {
            if usize::try_from(place.element.bytes()) != Ok(WORD) {
                continue;
            }
            let (number, space) = (place.location.address.number, place.location.space.name());
            let here = at.get(&(number, space)).into_iter().flatten();
            let is_part = |other: &PlaceIndex| {
                places.get(*other).is_some_and(|other| {
                    let is_one = other.location.bytes == u64::from(other.element.bytes());
                    is_one && other.location.bytes < place.location.bytes
                })
            };
            let parts: Vec<PlaceIndex> = here.copied().filter(is_part).collect();
            if !parts.is_empty() {
                found.parts.insert(index, parts);
            }
            let byte = |behind: u64| {
                let all = at.get(&(number.wrapping_add(behind), space));
                let is_byte = |one: &&PlaceIndex| {
                    places
                        .get(**one)
                        .is_some_and(|access| access.location.bytes == 1)
                };
                all.into_iter().flatten().find(is_byte).copied()
            };
            if place.location.bytes == WORD as u64
                && let [Some(a), Some(b), Some(c), Some(d)] = [0, 1, 2, 3].map(byte)
            {
                found.bytes.insert(index, [a, b, c, d]);
            }
        }
        found
    }

    /// Narrower places that are held where this one is.
    pub(super) fn parts(&self, index: PlaceIndex) -> &[PlaceIndex] {
        self.parts.get(&index).map_or(&[], Vec::as_slice)
    }

    /// The places of this one's bytes.
    pub(super) fn bytes(&self, index: PlaceIndex) -> Option<[PlaceIndex; WORD]> {
        self.bytes.get(&index).copied()
    }

    /// The places that have this one as a part.
    pub(super) fn wholes(&self, index: PlaceIndex) -> impl Iterator<Item = PlaceIndex> + '_ {
        let all = self.parts.iter();
        all.filter_map(move |(whole, parts)| parts.contains(&index).then_some(*whole))
    }
}
