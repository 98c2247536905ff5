//! Memory of a launch: shared and local bytes with what is known of them, and global buffers.

pub(super) mod bytes;
mod contents;
mod parameters;
pub(super) mod windows;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use lanescope_ir::{ArrayId, ScalarType};

use crate::Contents;
use crate::machine::address::Target;
use crate::machine::arithmetic::each;
use crate::machine::register::{Lanes, SourceId};
use crate::machine::vectorized::vectorized;

use bytes::UNTOUCHED;
use contents::{Draw, Drawing, Places};

pub(crate) use bytes::{Bytes, Word};
pub(crate) use parameters::{allocation_number, allocations, array_address, parameter_image};
pub(crate) use windows::{
    ALLOCATION_BITS, LOCAL_WINDOW, MOST_SHARED, SHARED_WINDOW, SYSTEM_WORDS, UNBOUNDED_SHARED,
};

/// Bytes of a page of what was stored.
const PAGE: u64 = 256;

/// As [`PAGE`].
const PAGE_BYTES: usize = 256;

/// An allocation of global memory.
#[derive(Clone, Debug)]
pub(crate) struct Allocation {
    /// The kernel's array, if it is one.
    pub(crate) array: Option<ArrayId>,
    /// First byte's address.
    pub(crate) start: u64,
    /// Its bytes; none: as many as are asked for.
    pub(crate) bytes: Option<u64>,
    pub(crate) contents: Contents,
    /// Why its contents are unknown, where they are.
    pub(crate) source: SourceId,
    /// Whether anything was stored there.
    pub(crate) stored: bool,
}

/// Where an address stands in its page.
#[allow(clippy::cast_possible_truncation, reason = "below the page's size")]
const fn place_in_page(address: u64) -> usize {
    (address % PAGE) as usize
}

/// What was stored to a stretch of global memory.
#[derive(Clone, Debug)]
struct Page {
    bytes: [u8; PAGE_BYTES],
    tags: [u8; PAGE_BYTES],
}

/// Multiplicative hashing of page numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageHasher(u64);

impl Hasher for PageHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// Global memory: allocations, and what the launch stored there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Global {
    pub(crate) allocations: Vec<Option<Allocation>>,
    pages: HashMap<u64, Box<Page>, BuildHasherDefault<PageHasher>>,
    most_pages: usize,
    /// Whether more was stored than is remembered.
    pub(crate) forgotten: bool,
}

impl Global {
    pub(crate) fn new(allocations: Vec<Option<Allocation>>, bytes: u64) -> Self {
        let page = PAGE * 2 + 64;
        Self {
            allocations,
            pages: HashMap::default(),
            most_pages: usize::try_from(bytes / 2 / page).unwrap_or(usize::MAX),
            forgotten: false,
        }
    }

    /// Which allocation an address belongs to, by its high bits.
    pub(crate) fn number(address: u64) -> Option<usize> {
        usize::try_from(address >> ALLOCATION_BITS)
            .ok()?
            .checked_sub(1)
    }

    pub(crate) fn allocation(&self, address: u64) -> Option<&Allocation> {
        self.allocations.get(Self::number(address)?)?.as_ref()
    }

    /// The allocation of a declared array or of the buffer that an argument points to.
    pub(crate) fn allocation_of(&self, array: ArrayId) -> Option<&Allocation> {
        self.allocations.get(array.index())?.as_ref()
    }

    /// Reads an element; `forgotten` is why what was stored is unknown once it is not remembered.
    pub(crate) fn read(
        &self,
        address: u64,
        ty: ScalarType,
        unknown: SourceId,
        forgotten: SourceId,
    ) -> Word {
        let Some(allocation) = self.allocation(address) else {
            return Word {
                bits: 0,
                source: unknown,
            };
        };
        let initial = || allocation.initial(address, ty);
        if !allocation.stored {
            return initial();
        }
        if self.forgotten {
            return Word {
                bits: 0,
                source: forgotten,
            };
        }
        self.overlaid(address, ty.bytes(), initial)
    }

    /// Reads an element in each lane of a mask to `out`, and anything in the others; returned is why all of them are
    /// unknown. `None` where lanes lie in several allocations, or each is to be looked at alone.
    pub(crate) fn read_lanes<const L: usize>(
        &self,
        target: &Target<L>,
        offset: u64,
        mask: u64,
        ty: ScalarType,
        out: &mut Lanes<L>,
    ) -> Option<SourceId> {
        let allocation = self.only_allocation(target, offset, mask)?;
        if allocation.stored {
            return None;
        }
        match &allocation.contents {
            Contents::Unknown => {
                *out = [0; L];
                return Some(allocation.source);
            }
            Contents::Zero => *out = [0; L],
            Contents::Random(seed) => {
                // Lanes that are off draw too: loops without branches.
                vectorized(Draw {
                    drawing: Drawing::of(*seed, ty),
                    target,
                    before: offset.wrapping_sub(allocation.start),
                    out,
                });
            }
            Contents::Iota if !ty.is_float() => vectorized(Places {
                ty,
                target,
                before: offset.wrapping_sub(allocation.start),
                out,
            }),
            Contents::Bytes(_) | Contents::Iota => {
                for lane in each(mask) {
                    let word = allocation.initial(target.lane(lane).wrapping_add(offset), ty);
                    if word.source != 0 {
                        return None;
                    }
                    out[lane] = word.bits;
                }
            }
        }
        Some(0)
    }

    /// The allocation that all lanes of a mask go to, if it is one.
    fn only_allocation<const L: usize>(
        &self,
        target: &Target<L>,
        offset: u64,
        mask: u64,
    ) -> Option<&Allocation> {
        let in_one = |(low, high): (u64, u64)| {
            let number = Self::number(low.wrapping_add(offset))?;
            let is_one = Self::number(high.wrapping_add(offset)) == Some(number);
            self.allocations.get(number)?.as_ref().filter(|_| is_one)
        };
        in_one(target.extremes(mask)).or_else(|| in_one(target.extremes_of(mask)))
    }

    fn overlaid(&self, address: u64, bytes: u32, initial: impl Fn() -> Word) -> Word {
        let here = place_in_page(address);
        let page = self.pages.get(&(address / PAGE));
        let end = here + bytes as usize;
        if end <= PAGE_BYTES {
            let Some(page) = page else {
                return initial();
            };
            let known = Word::whole(&page.bytes[here..end], &page.tags[here..end], 0);
            if let Some(word) = known.filter(|_| page.tags[here] != UNTOUCHED) {
                return word;
            }
        }
        self.overlaid_by_byte(address, bytes, initial)
    }

    fn overlaid_by_byte(&self, address: u64, bytes: u32, initial: impl Fn() -> Word) -> Word {
        let mut word = Word::default();
        let mut from_before: Option<Word> = None;
        for place in 0..bytes as usize {
            let at = address.wrapping_add(place as u64);
            let here = place_in_page(at);
            let page = self.pages.get(&(at / PAGE));
            let tag = page.map_or(UNTOUCHED, |page| page.tags[here]);
            if tag == UNTOUCHED {
                let before = *from_before.get_or_insert_with(&initial);
                word.bits |= before.bits & 0xff << (8 * place);
                word.source = word.source.max(before.source);
            } else {
                let byte = page.map_or(0, |page| page.bytes[here]);
                word.add(place, byte, tag, 0);
            }
        }
        word
    }

    /// Stores an element.
    pub(crate) fn write(&mut self, address: u64, bytes: u32, word: Word) {
        let Some(allocation) =
            Self::number(address).and_then(|number| self.allocations.get_mut(number)?.as_mut())
        else {
            return;
        };
        let is_unknown = matches!(allocation.contents, Contents::Unknown);
        // What was there is unknown too, and is taken to be 0.
        let says_nothing = word.source != 0 && word.bits == 0 && is_unknown && !allocation.stored;
        if says_nothing || self.forgotten {
            allocation.stored |= !says_nothing;
            return;
        }
        allocation.stored = true;
        let (bits, tag) = (word.bits.to_le_bytes(), word.tag());
        let here = place_in_page(address);
        let first = (bytes as usize).min(PAGE_BYTES - here);
        self.write_in_page(address, &bits[..first], tag);
        if first < bytes as usize {
            let next = address.wrapping_add(first as u64);
            self.write_in_page(next, &bits[first..bytes as usize], tag);
        }
    }

    /// Stores bytes that lie in one page.
    fn write_in_page(&mut self, address: u64, bytes: &[u8], tag: u8) {
        let number = address / PAGE;
        if self.pages.len() >= self.most_pages && !self.pages.contains_key(&number) {
            self.forgotten = true;
            self.pages = HashMap::default();
        }
        if self.forgotten {
            return;
        }
        let page = self.pages.entry(number).or_insert_with(|| {
            Box::new(Page {
                bytes: [0; PAGE_BYTES],
                tags: [UNTOUCHED; PAGE_BYTES],
            })
        });
        let here = place_in_page(address);
        page.bytes[here..here + bytes.len()].copy_from_slice(bytes);
        page.tags[here..here + bytes.len()].fill(tag);
    }
}
