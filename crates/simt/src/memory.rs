//! Memory of a launch: shared and local bytes with what is known of them, and global buffers.

use crate::arithmetic::each;
use crate::register::{Lanes, SourceId};
use crate::{Contents, Launch, ParameterValue};
use lanescope_ir::{AddressSpace, ArrayId, Kernel, Rounding, ScalarType, eval};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Generic addresses of shared memory start here.
pub(crate) const SHARED_WINDOW: u64 = 1 << 60;
/// Generic addresses of local memory start here.
pub(crate) const LOCAL_WINDOW: u64 = 1 << 61;
/// Each allocation of global memory has so many bits of addresses of its own.
pub(crate) const ALLOCATION_BITS: u32 = 40;
/// Bytes of shared memory that an executor keeps at most; a block of any device has less.
pub(crate) const MOST_SHARED: u64 = 1 << 20;
/// What shared memory ends below where nothing says how much of it a block has.
pub(crate) const UNBOUNDED_SHARED: u64 = 1 << 32;
/// Bytes of a page of what was stored.
const PAGE: u64 = 256;
/// As [`PAGE`].
const PAGE_BYTES: usize = 256;

/// What is known of a byte.
pub(crate) const UNTOUCHED: u8 = 0;
/// As [`UNTOUCHED`]: it holds what stands there. Higher numbers are sources of what is unknown.
pub(crate) const KNOWN: u8 = 1;

/// Bits read from memory; not known where `source` is not 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) bits: u64,
    /// Why it is unknown.
    pub(crate) source: SourceId,
}

/// Bytes, each with what is known of it. Sources are told from [`KNOWN`] by an offset of 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bytes {
    bytes: Vec<u8>,
    tags: Vec<u8>,
}

impl Bytes {
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.tags.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    fn grow(&mut self, end: usize) {
        if end > self.bytes.len() {
            self.bytes.resize(end, 0);
            self.tags.resize(end, UNTOUCHED);
        }
    }

    /// Reads up to 8 bytes; `untouched` is why bytes are unknown that nothing was stored to.
    pub(crate) fn read(&self, at: u64, bytes: u32, untouched: SourceId) -> Word {
        let mut word = Word::default();
        let Ok(at) = usize::try_from(at) else {
            return Word {
                bits: 0,
                source: untouched,
            };
        };
        let end = at.saturating_add(bytes as usize);
        if let (Some(bytes), Some(tags)) = (self.bytes.get(at..end), self.tags.get(at..end)) {
            if let Some(word) = Word::whole(bytes, tags, untouched) {
                return word;
            }
            for (place, (byte, tag)) in bytes.iter().zip(tags).enumerate() {
                word.add(place, *byte, *tag, untouched);
            }
            return word;
        }
        for place in 0..bytes as usize {
            let here = at.saturating_add(place);
            let byte = self.bytes.get(here).copied().unwrap_or(0);
            let tag = self.tags.get(here).copied().unwrap_or(UNTOUCHED);
            word.add(place, byte, tag, untouched);
        }
        word
    }

    /// Writes up to 8 bytes, if they lie below `limit`.
    pub(crate) fn write(&mut self, at: u64, bytes: u32, word: Word, limit: u64) {
        let end = at.saturating_add(u64::from(bytes));
        if end > limit.min(MOST_SHARED * 16) {
            return;
        }
        let (Ok(at), Ok(end)) = (usize::try_from(at), usize::try_from(end)) else {
            return;
        };
        self.grow(end);
        let tag = word.tag();
        let stored = self.bytes[at..end].iter_mut().zip(word.bits.to_le_bytes());
        stored.for_each(|(to, byte)| *to = byte);
        self.tags[at..end].fill(tag);
    }
}

impl Word {
    const fn tag(self) -> u8 {
        if self.source == 0 {
            KNOWN
        } else {
            self.source.saturating_add(KNOWN)
        }
    }

    /// Four or eight bytes that were stored together, or not at all.
    fn whole(bytes: &[u8], tags: &[u8], untouched: SourceId) -> Option<Self> {
        let tag = *tags.first()?;
        let bits = if let (Ok(bytes), Ok(tags)) = (bytes.try_into(), <[u8; 4]>::try_from(tags)) {
            (tags == [tag; 4]).then(|| u64::from(u32::from_le_bytes(bytes)))?
        } else {
            let tags = <[u8; 8]>::try_from(tags).ok()?;
            (tags == [tag; 8]).then_some(u64::from_le_bytes(bytes.try_into().ok()?))?
        };
        let mut word = Self::default();
        match tag {
            UNTOUCHED => word.source = untouched,
            KNOWN => word.bits = bits,
            source => {
                word.bits = bits;
                word.source = source - KNOWN;
            }
        }
        Some(word)
    }

    fn add(&mut self, place: usize, byte: u8, tag: u8, untouched: SourceId) {
        match tag {
            UNTOUCHED => self.source = self.source.max(untouched),
            KNOWN => self.bits |= u64::from(byte) << (8 * place),
            source => {
                self.bits |= u64::from(byte) << (8 * place);
                self.source = self.source.max(source - KNOWN);
            }
        }
    }
}

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

    /// Reads an element in each lane of a mask to `out`, which holds zeros, and anything in the others; returned is why all
    /// of them are unknown. `None` where lanes lie in several allocations, or each is to be looked at alone.
    pub(crate) fn read_lanes<const L: usize>(
        &self,
        addresses: &Lanes<L>,
        offset: u64,
        mask: u64,
        ty: ScalarType,
        out: &mut Lanes<L>,
    ) -> Option<SourceId> {
        let at = |lane: usize| addresses[lane].wrapping_add(offset);
        let first = at(mask.trailing_zeros() as usize % L);
        let allocation = self.allocation(first).filter(|one| !one.stored)?;
        let mut apart = 0;
        for (lane, address) in addresses.iter().enumerate() {
            let on = 0_u64.wrapping_sub(mask >> lane & 1);
            apart |= (address.wrapping_add(offset) ^ first) & on;
        }
        if apart >> ALLOCATION_BITS != 0 {
            return None;
        }
        match &allocation.contents {
            Contents::Unknown => return Some(allocation.source),
            Contents::Zero => {}
            Contents::Random(seed) => {
                let shift = ty.bytes().trailing_zeros();
                // Lanes that are off draw too: a loop without branches.
                for (to, address) in out.iter_mut().zip(addresses) {
                    let at = address.wrapping_add(offset);
                    let index = at.wrapping_sub(allocation.start) >> shift;
                    *to = mixed(*seed, index);
                }
                out.iter_mut().for_each(|to| *to = drawn_of(*to, ty));
            }
            Contents::Bytes(_) => {
                for lane in each(mask) {
                    let word = allocation.initial(at(lane), ty);
                    if word.source != 0 {
                        return None;
                    }
                    out[lane] = word.bits;
                }
            }
            Contents::Iota => return None,
        }
        Some(0)
    }

    fn overlaid(&self, address: u64, bytes: u32, initial: impl Fn() -> Word) -> Word {
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
        for place in 0..bytes as usize {
            let at = address.wrapping_add(place as u64);
            let here = place_in_page(at);
            if self.pages.len() >= self.most_pages && !self.pages.contains_key(&(at / PAGE)) {
                self.forgotten = true;
                self.pages = HashMap::default();
                return;
            }
            let page = self.pages.entry(at / PAGE).or_insert_with(|| {
                Box::new(Page {
                    bytes: [0; PAGE_BYTES],
                    tags: [UNTOUCHED; PAGE_BYTES],
                })
            });
            page.bytes[here] = (word.bits >> (8 * place) & 0xff) as u8;
            page.tags[here] = word.tag();
        }
    }
}

impl Allocation {
    /// What it holds before the launch.
    fn initial(&self, address: u64, ty: ScalarType) -> Word {
        let offset = address.wrapping_sub(self.start);
        let known = |bits: u64| Word { bits, source: 0 };
        let index = offset / u64::from(ty.bytes());
        match &self.contents {
            Contents::Unknown => Word {
                bits: 0,
                source: self.source,
            },
            Contents::Zero => known(0),
            Contents::Iota => {
                let rounding = Rounding::NearestEven;
                known(eval::convert(ScalarType::U64, ty, rounding, false, index))
            }
            Contents::Random(seed) => known(drawn(*seed, index, ty)),
            Contents::Bytes(bytes) => {
                let end = offset.saturating_add(u64::from(ty.bytes()));
                let range = usize::try_from(offset).ok().zip(usize::try_from(end).ok());
                let stretch = range.and_then(|(start, end)| bytes.get(start..end));
                stretch.map_or(
                    Word {
                        bits: 0,
                        source: self.source,
                    },
                    |stretch| {
                        let bits = stretch
                            .iter()
                            .rev()
                            .fold(0, |bits, byte| bits << 8 | u64::from(*byte));
                        known(bits)
                    },
                )
            }
        }
    }
}

/// A number drawn by a seed: a hash of seed and index. Links carry seeds, so that this must stay as it is.
fn drawn(seed: u64, index: u64, ty: ScalarType) -> u64 {
    drawn_of(mixed(seed, index), ty)
}

const fn mixed(seed: u64, index: u64) -> u64 {
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ index.rotate_left(23).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ 7_u64.rotate_left(41).wrapping_mul(0x1656_67b1_9e37_79f9);
    bits ^= bits >> 29;
    bits = bits.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits ^= bits >> 32;
    bits = bits.wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 29
}

/// A hash as a number of a type.
fn drawn_of(bits: u64, ty: ScalarType) -> u64 {
    if ty.is_float() {
        let fraction =
            eval::to_f64(ScalarType::U64, bits >> 40) / eval::to_f64(ScalarType::U64, 1 << 24);
        eval::from_f64(ty, fraction)
    } else {
        bits & ty.mask()
    }
}

/// The kernel's parameters as the device holds them.
pub(crate) fn parameter_image(
    kernel: &Kernel,
    launch: &Launch,
    missing: impl Fn(u32) -> SourceId,
) -> Bytes {
    let mut image = Bytes::default();
    for (position, parameter) in kernel.parameters.iter().enumerate() {
        let at = u64::from(parameter.offset);
        let limit = MOST_SHARED;
        let number = u32::try_from(position).unwrap_or(u32::MAX);
        match launch
            .parameters
            .get(position)
            .unwrap_or(&ParameterValue::Missing)
        {
            ParameterValue::Bytes(bytes) => {
                for (place, byte) in (0_u64..).zip(bytes.iter().take(parameter.bytes as usize)) {
                    let word = Word {
                        bits: u64::from(*byte),
                        source: 0,
                    };
                    image.write(at.saturating_add(place), 1, word, limit);
                }
            }
            ParameterValue::Buffer {
                base_offset,
                offset_in_allocation,
                ..
            } => {
                let slot = allocation_number(kernel, position);
                let start = allocation_start(slot, *base_offset);
                let bits = start.wrapping_add(*offset_in_allocation);
                image.write(at, 8, Word { bits, source: 0 }, limit);
            }
            ParameterValue::Missing => {
                let word = Word {
                    bits: 0,
                    source: missing(number),
                };
                for place in 0..u64::from(parameter.bytes.min(1 << 16)) {
                    image.write(at.saturating_add(place), 1, word, limit);
                }
            }
        }
    }
    image
}

/// Arrays come first, then parameters that are pointers to no array.
fn allocation_number(kernel: &Kernel, position: usize) -> usize {
    let array = kernel
        .parameters
        .get(position)
        .and_then(|parameter| parameter.array);
    array.map_or(kernel.arrays.len() + position, ArrayId::index)
}

fn allocation_start(number: usize, base_offset: u64) -> u64 {
    ((number as u64 + 1) << ALLOCATION_BITS).wrapping_add(base_offset % 1024)
}

/// First byte's generic address of an array.
pub(crate) fn array_address(kernel: &Kernel, global: &Global, id: ArrayId) -> u64 {
    let Some(array) = kernel.arrays.get(id.index()) else {
        return 0;
    };
    match array.space {
        AddressSpace::Shared | AddressSpace::SharedCluster => {
            SHARED_WINDOW + kernel.shared_base + array.base
        }
        AddressSpace::Local => LOCAL_WINDOW + array.base,
        AddressSpace::Generic | AddressSpace::Global | AddressSpace::Constant => global
            .allocations
            .get(id.index())
            .and_then(Option::as_ref)
            .map_or(0, |allocation| allocation.start),
    }
}

/// Allocations of the kernel's arrays and of the launch's buffers.
pub(crate) fn allocations(
    kernel: &Kernel,
    launch: &Launch,
    unknown: impl Fn(Option<ArrayId>) -> SourceId,
) -> Vec<Option<Allocation>> {
    let count = kernel.arrays.len() + kernel.parameters.len();
    let mut all: Vec<Option<Allocation>> = vec![None; count];
    for (number, array) in kernel.arrays.iter().enumerate() {
        let id = ArrayId(u32::try_from(number).unwrap_or(u32::MAX));
        let lies_there = matches!(
            array.space,
            AddressSpace::Global | AddressSpace::Constant | AddressSpace::Generic
        );
        if lies_there {
            let bound = kernel
                .parameters
                .iter()
                .any(|parameter| parameter.array == Some(id));
            all[number] = Some(Allocation {
                array: Some(id),
                start: allocation_start(number, 0),
                bytes: array.bytes,
                contents: if bound {
                    Contents::Unknown
                } else {
                    Contents::Zero
                },
                source: unknown(Some(id)),
                stored: false,
            });
        }
    }
    for (position, value) in launch
        .parameters
        .iter()
        .enumerate()
        .take(kernel.parameters.len())
    {
        if let ParameterValue::Buffer {
            bytes,
            base_offset,
            contents,
            ..
        } = value
        {
            let number = allocation_number(kernel, position);
            let array = kernel.parameters[position].array;
            if let Some(slot) = all.get_mut(number) {
                *slot = Some(Allocation {
                    array,
                    start: allocation_start(number, *base_offset),
                    bytes: *bytes,
                    contents: contents.clone(),
                    source: unknown(array),
                    stored: false,
                });
            }
        }
    }
    all
}
