//! Accesses to values of several parts, cut into the pieces that memory has requests for.
//!
//! A front end says of a value which *parts* it has (each a scalar at an offset) and in which *pieces* memory moves it
//! (each one request). All pieces move elements of one type: the parts' own where that fits, else raw bits of which parts
//! are put together.

use lanescope_ir::{Address, Builder, Op, Operand, Register, ScalarType, SiteId};
use lanescope_model::Width;

/// One request of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The access.
    pub site: SiteId,
    /// Bytes from the address on.
    pub offset: i64,
    /// Its bytes.
    pub bytes: i64,
}

/// One scalar that an access moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Bytes from the address on.
    pub offset: i64,
    /// Its type, as it lies in memory.
    pub ty: ScalarType,
}

impl Part {
    /// Its bytes.
    #[must_use]
    pub fn bytes(self) -> i64 {
        i64::from(self.ty.bytes())
    }

    /// Whether pieces bring all of its bytes.
    #[must_use]
    pub fn is_covered_by(self, pieces: &[Piece]) -> bool {
        let has = |at: i64| {
            let mut pieces = pieces.iter();
            pieces.any(|piece| (piece.offset..piece.offset + piece.bytes).contains(&at))
        };
        has(self.offset) && has(self.offset + self.bytes() - 1)
    }
}

/// Cuts `bytes` bytes behind `offset` into requests, each at most `widest` bytes and a power of two of them, until the
/// list has `most`: the byte and the width of each.
pub fn cut_into_widths(
    list: &mut Vec<(u64, Width)>,
    offset: u64,
    bytes: u64,
    widest: u64,
    most: usize,
) {
    let mut at = 0;
    while at < bytes && list.len() < most {
        let mut piece = widest;
        while piece > bytes - at {
            piece /= 2;
        }
        if let Some(width) = Width::from_bytes(piece) {
            list.push((offset + at, width));
        }
        at += piece.max(1);
    }
}

/// An unsigned type of so many bytes.
#[must_use]
pub const fn raw_type(bytes: i64) -> ScalarType {
    match bytes {
        1 => ScalarType::U8,
        2 => ScalarType::U16,
        4 => ScalarType::U32,
        _ => ScalarType::U64,
    }
}

/// The address so many bytes behind a base.
#[must_use]
pub const fn address_at(base: Operand, offset: i64) -> Address {
    Address {
        base,
        index: None,
        offset,
    }
}

/// The type of an access's elements: that of the parts where all have the same, else of the most bytes that all parts
/// and pieces are made of.
#[must_use]
pub fn element_type(pieces: &[Piece], parts: &[Part]) -> ScalarType {
    let least = pieces.iter().map(|piece| piece.bytes).min().unwrap_or(4);
    let Some(first) = parts.first() else {
        return raw_type(least.min(4));
    };
    let begin = pieces.first().map_or(0, |piece| piece.offset);
    let is_alike = parts
        .iter()
        .all(|part| part.ty == first.ty && (part.offset - begin).rem_euclid(first.bytes()) == 0);
    if is_alike && first.bytes() <= least {
        return first.ty;
    }
    let divides = |bytes: &i64| {
        least >= *bytes
            && parts
                .iter()
                .all(|part| part.bytes() >= *bytes && (part.offset - begin).rem_euclid(*bytes) == 0)
    };
    raw_type([8, 4, 2].into_iter().find(divides).unwrap_or(1))
}

/// Loads all pieces; returned are the parts, which the pieces cover. `ty`: see [`element_type`].
pub fn load_pieces(
    builder: &mut Builder,
    base: Operand,
    pieces: &[Piece],
    parts: &[Part],
    ty: ScalarType,
) -> Vec<Operand> {
    let step = i64::from(ty.bytes());
    // A part that is an element is loaded where it goes; the elements of the others are put together.
    let mut elements: Vec<(i64, Register)> = Vec::new();
    for part in parts {
        for at in 0..(part.bytes() / step).max(1) {
            let offset = part.offset + at * step;
            // Members of a union share their bytes.
            if !elements.iter().any(|(other, _)| *other == offset) {
                elements.push((offset, builder.register(ty)));
            }
        }
    }
    elements.sort_by_key(|(offset, _)| *offset);
    for piece in pieces {
        let dst = (0..piece.bytes / step).map(|at| {
            let offset = piece.offset + at * step;
            let found = elements.iter().find(|(other, _)| *other == offset);
            found.map(|(_, register)| *register)
        });
        builder.emit(Op::Load {
            dst: dst.collect(),
            address: address_at(base, piece.offset),
            site: piece.site,
        });
    }
    let mut wholes = Vec::new();
    for part in parts {
        let inside = |at: i64| (part.offset..part.offset + part.bytes()).contains(&at);
        let own = elements.iter().filter(|(at, _)| inside(*at));
        let own: Vec<Operand> = own.map(|(_, register)| (*register).into()).collect();
        let whole = side_by_side(builder, own, ty);
        wholes.push(if part.ty == ScalarType::Bool && ty != ScalarType::Bool {
            builder.convert(ScalarType::U8, part.ty, whole)
        } else {
            whole
        });
    }
    wholes
}

/// Stores all pieces; `parts` are those that they cover, with their values. `ty`: see [`element_type`].
pub fn store_pieces(
    builder: &mut Builder,
    base: Operand,
    pieces: &[Piece],
    parts: &[(Part, Operand)],
    ty: ScalarType,
) {
    let step = i64::from(ty.bytes());
    let mut elements: Vec<(i64, Operand)> = Vec::new();
    for (part, value) in parts {
        if part.bytes() == step {
            let value = if part.ty == ScalarType::Bool && ty != part.ty {
                builder.convert(part.ty, ty, *value)
            } else {
                *value
            };
            elements.push((part.offset, value));
            continue;
        }
        let values = unpacked(builder, *value, part.bytes(), step);
        let offsets = (0..).map(|at| part.offset + at * step);
        elements.extend(offsets.zip(values));
    }
    for piece in pieces {
        let src = (0..piece.bytes / step).map(|at| {
            let offset = piece.offset + at * step;
            let found = elements.iter().find(|(other, _)| *other == offset);
            // What lies between the fields of a structure is anything.
            found.map_or(Operand::Constant(0), |(_, value)| *value)
        });
        builder.emit(Op::Store {
            src: src.collect(),
            address: address_at(base, piece.offset),
            site: piece.site,
        });
    }
}

/// Elements side by side, the lowest first.
#[must_use]
pub fn side_by_side(builder: &mut Builder, mut parts: Vec<Operand>, ty: ScalarType) -> Operand {
    let mut bytes = i64::from(ty.bytes());
    while parts.len() > 1 {
        let count = if parts.len().is_multiple_of(4) { 4 } else { 2 };
        bytes *= if count == 4 { 4 } else { 2 };
        let mut wholes = Vec::new();
        for parts in parts.chunks(count) {
            let parts = parts.to_vec();
            let whole = builder.value(raw_type(bytes), |dst| Op::Pack { dst, parts });
            wholes.push(whole.into());
        }
        parts = wholes;
    }
    parts.first().copied().unwrap_or(Operand::Constant(0))
}

/// The elements of a whole of `bytes` bytes, each of `step` bytes.
fn unpacked(builder: &mut Builder, whole: Operand, bytes: i64, step: i64) -> Vec<Operand> {
    if bytes <= step {
        return vec![whole];
    }
    let count = if bytes / step >= 4 { 4 } else { 2 };
    let part = raw_type(bytes / count);
    let mut parts = Vec::new();
    for _ in 0..count {
        parts.push(builder.register(part));
    }
    builder.emit(Op::Unpack {
        parts: parts.iter().copied().map(Some).collect(),
        part_bits: part.bits(),
        a: whole,
    });
    let mut all = Vec::new();
    for part in parts {
        all.extend(unpacked(builder, part.into(), bytes / count, step));
    }
    all
}
