//! Record layout of the Itanium C++ ABI, as g++ and nvcc have it on Linux.
//!
//! Fields lie one behind the other, each aligned by its type; `#pragma pack` and `packed` limit that, `alignas` raises
//! it. A bit-field goes on in the unit before it unless it would cross a boundary of its own type. Bases come first;
//! what follows a base that is not plain old data begins in its tail padding. An empty base takes no room unless one of
//! its own type lies there.

use lanescope_syntax::tree::Name;

/// What of a type its place in a record depends on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// Bytes of the whole.
    pub(crate) bytes: u64,
    /// Bytes that what comes behind a base must leave alone.
    pub(crate) data_bytes: u64,
    /// What its address is a multiple of.
    pub(crate) align: u64,
    /// Its own `alignas`.
    pub(crate) least: u64,
    /// Bits of a bit-field.
    pub(crate) bits: Option<u64>,
    /// Whether it has a name: a bit-field without one aligns nothing.
    pub(crate) is_named: bool,
    /// Whether it is more than plain data: `packed` leaves it aligned.
    pub(crate) is_special: bool,
    /// Whether the attribute `packed` stands with it.
    pub(crate) is_packed: bool,
    /// Whether it is a base without data.
    pub(crate) is_empty: bool,
    /// The empty types in it, each with its byte: no two of one type lie at one byte.
    pub(crate) empties: Vec<Empty>,
}

/// An empty type by name, and where it lies.
pub(crate) type Empty = (Name, u64);

/// Empty types of one record that are watched, at most.
const MOST_EMPTIES: usize = 64;

/// What stands around the fields.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frame {
    /// The most that `#pragma pack` lets a field be aligned to; 0: any.
    pub(crate) pack: u64,
    /// Whether the attribute `packed` stands there.
    pub(crate) is_packed: bool,
    /// Its own `alignas`.
    pub(crate) align: u64,
    /// Whether it begins with a pointer to its virtual functions.
    pub(crate) has_table: bool,
    /// Whether its fields lie one over the other.
    pub(crate) is_union: bool,
    /// Whether what follows it as a base may lie in its padding.
    pub(crate) is_special: bool,
}

/// Where the parts lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The first bit of each part.
    pub(crate) bits: Vec<u64>,
    pub(crate) bytes: u64,
    pub(crate) data_bytes: u64,
    pub(crate) align: u64,
    /// The empty types in it.
    pub(crate) empties: Vec<Empty>,
}

/// The most bits that a record may have, so that no sum overflows.
const MOST_BITS: u64 = 1 << 62;

/// Places bases and then fields.
pub(crate) fn layout(frame: Frame, bases: &[Part], fields: &[Part]) -> Layout {
    let mut record = Record {
        frame,
        at: 0,
        align: 1,
        reach: 0,
        empties: Vec::new(),
        bits: Vec::new(),
    };
    if frame.has_table {
        record.align = 8;
        record.at = 64;
    }
    for base in bases {
        record.base(base);
    }
    for field in fields {
        if frame.is_union {
            record.at = 0;
        }
        record.field(field);
        record.reach = record.reach.max(record.at.div_ceil(8));
    }
    record.whole()
}

/// A record of which some parts have their place.
struct Record {
    frame: Frame,
    /// The bit behind the last part.
    at: u64,
    align: u64,
    /// The byte behind all parts.
    reach: u64,
    empties: Vec<Empty>,
    bits: Vec<u64>,
}

fn aligned(at: u64, to: u64) -> u64 {
    let to = to.max(1);
    at.min(MOST_BITS).div_ceil(to).saturating_mul(to)
}

impl Record {
    fn base(&mut self, base: &Part) {
        let align = match self.frame.pack {
            // What has no data is not packed.
            _ if base.is_empty => base.align,
            0 => base.align,
            most => base.align.min(most),
        };
        let byte = if base.is_empty && self.is_free(0, base) {
            self.occupy(0, base)
        } else {
            self.free_from(self.at.div_ceil(8), align, base)
        };
        if base.is_empty {
            self.reach = self.reach.max(byte.saturating_add(base.bytes));
        } else {
            self.at = byte.saturating_add(base.data_bytes).saturating_mul(8);
            self.reach = self.reach.max(self.at / 8);
        }
        self.align = self.align.max(align);
        self.bits.push(byte.saturating_mul(8));
    }

    /// Whether no empty type of `part` would lie where another of its type does.
    fn is_free(&self, byte: u64, part: &Part) -> bool {
        let mut all = part.empties.iter();
        all.all(|(name, at)| {
            let at = byte.saturating_add(*at);
            !self
                .empties
                .iter()
                .any(|(other, there)| other == name && *there == at)
        })
    }

    /// The first byte from `from` on, aligned to `align`, where `part` can lie; its empty types lie there from now on.
    /// Where they may not, g++ looks the alignment of the part's own type further, whatever is packed.
    fn free_from(&mut self, from: u64, align: u64, part: &Part) -> u64 {
        let mut from = from;
        for _ in 0..MOST_EMPTIES {
            if self.is_free(aligned(from, align), part) {
                break;
            }
            from = from.saturating_add(part.align.max(1));
        }
        self.occupy(aligned(from, align), part)
    }

    fn occupy(&mut self, byte: u64, part: &Part) -> u64 {
        let room = MOST_EMPTIES.saturating_sub(self.empties.len());
        let added = part.empties.iter().take(room);
        self.empties
            .extend(added.map(|(name, at)| (name.clone(), byte.saturating_add(*at))));
        byte
    }

    /// What a field is aligned to.
    fn alignment(&self, field: &Part) -> u64 {
        // What stands with the structure leaves fields alone that are more than plain data; what stands with a field does not.
        let is_packed = field.is_packed || self.frame.is_packed && !field.is_special;
        let own = if is_packed { 1 } else { field.align };
        let wanted = own.max(field.least).max(1);
        match self.frame.pack {
            0 => wanted,
            most => wanted.min(most),
        }
    }

    fn field(&mut self, field: &Part) {
        let align = self.alignment(field);
        if let Some(bits) = field.bits {
            return self.bit_field(field, bits, align);
        }
        self.align = self.align.max(align);
        let behind = self.at.div_ceil(8);
        let byte = if self.frame.is_union {
            self.occupy(aligned(behind, align), field)
        } else {
            self.free_from(behind, align, field)
        };
        let start = byte.saturating_mul(8);
        self.bits.push(start);
        self.at = start
            .saturating_add(field.bytes.saturating_mul(8))
            .min(MOST_BITS);
    }

    fn bit_field(&mut self, field: &Part, bits: u64, align: u64) {
        if bits == 0 {
            // The next bit-field begins in a unit of its own, whatever is packed.
            self.at = aligned(self.at, field.align.saturating_mul(8));
            self.bits.push(self.at);
            return;
        }
        let unit = align.saturating_mul(8).max(1);
        let crosses =
            (self.at % unit + bits).div_ceil(unit) > (field.bytes.saturating_mul(8) / unit).max(1);
        let is_packed = self.frame.is_packed || field.is_packed || self.frame.pack > 0;
        if field.least > 1 || (crosses && !is_packed) {
            self.at = aligned(self.at, unit);
        }
        if field.is_named {
            self.align = self.align.max(align);
        }
        self.bits.push(self.at);
        self.at = self.at.saturating_add(bits).min(MOST_BITS);
    }

    fn whole(self) -> Layout {
        let align = self.align.max(self.frame.align);
        let data = self.reach.max(self.at.div_ceil(8));
        let bytes = aligned(data.max(1), align);
        Layout {
            bits: self.bits,
            bytes,
            data_bytes: if self.frame.is_special { data } else { bytes },
            align,
            empties: self.empties,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(bytes: u64) -> Part {
        Part {
            bytes,
            data_bytes: bytes,
            align: bytes,
            is_named: true,
            ..Part::default()
        }
    }

    #[test]
    fn fields_are_aligned_by_their_types() {
        let found = layout(Frame::default(), &[], &[part(1), part(4), part(2)]);
        assert_eq!(
            (found.bits, found.bytes, found.align),
            (vec![0, 32, 64], 12, 4)
        );
    }

    #[test]
    fn bit_fields_cross_no_boundary_of_their_type() {
        let bits = |bytes, bits| Part {
            bits: Some(bits),
            ..part(bytes)
        };
        let found = layout(
            Frame::default(),
            &[],
            &[bits(4, 20), bits(4, 20), bits(1, 4)],
        );
        assert_eq!((found.bits, found.bytes), (vec![0, 32, 52], 8));
        let packed = Frame {
            is_packed: true,
            ..Frame::default()
        };
        assert_eq!(
            layout(packed, &[], &[bits(4, 20), bits(4, 20)]).bits,
            [0, 20]
        );
    }

    #[test]
    fn a_packed_field_makes_way_for_an_empty_base_by_its_own_alignment() {
        let empty = |name: &str| vec![(Name::from(name), 0)];
        let base = Part {
            bytes: 1,
            align: 1,
            is_empty: true,
            empties: empty("Empty"),
            ..Part::default()
        };
        let field = Part {
            empties: empty("Empty"),
            ..part(8)
        };
        let packed = Frame {
            pack: 4,
            ..Frame::default()
        };
        let found = layout(packed, std::slice::from_ref(&base), &[field]);
        assert_eq!((found.bits, found.bytes, found.align), (vec![0, 64], 16, 4));
    }

    #[test]
    fn what_follows_a_base_lies_in_its_padding_unless_it_is_plain() {
        let base = |data_bytes| Part {
            bytes: 8,
            data_bytes,
            align: 4,
            ..Part::default()
        };
        let after = |data| layout(Frame::default(), &[base(data)], &[part(1)]);
        assert_eq!((after(5).bits, after(5).bytes), (vec![0, 40], 8));
        assert_eq!((after(8).bits, after(8).bytes), (vec![0, 64], 12));
    }
}
