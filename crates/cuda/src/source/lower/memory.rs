//! Accesses: the requests that one takes, with the values that they move.

use super::registers::{Reg, scalar_type};
use super::resolve::scalar_or_int;
use super::{Lower, Memory};
use crate::source::ctype::{Leaf, Target};
use lanescope_frontend::{SiteId as CountedSite, Span};
use lanescope_ir::{
    Address, AddressSpace, BinaryOp, Op, Operand, PlaceId, Register, ScalarType, Site, SiteId,
    SpecialRegister,
};
use lanescope_model::{Operation, Space, Width};

/// From here on sites count that stand for no request; they come behind the others in the end.
pub(super) const UNCOUNTED: u32 = 1 << 31;

/// One request of an access.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) site: CountedSite,
    /// Bytes from the address on.
    pub(super) offset: i64,
    pub(super) bytes: i64,
}

/// One scalar that an access moves.
#[derive(Clone, Copy)]
struct Part {
    offset: i64,
    ty: ScalarType,
}

impl Part {
    fn of(memory: &Memory, leaf: &Leaf) -> Self {
        Self {
            offset: memory.offset.wrapping_add(leaf.offset.cast_signed()),
            ty: scalar_type(scalar_or_int(&leaf.of)),
        }
    }

    fn bytes(self) -> i64 {
        i64::from(self.ty.bytes())
    }
}

/// An unsigned type of so many bytes.
pub(super) fn raw(bytes: i64) -> ScalarType {
    match bytes {
        1 => ScalarType::U8,
        2 => ScalarType::U16,
        4 => ScalarType::U32,
        _ => ScalarType::U64,
    }
}

/// The type of an access's elements: that of the parts where all have the same, else of the most bytes that all parts
/// and pieces are made of.
fn element(pieces: &[Piece], parts: &[Part]) -> ScalarType {
    let least = pieces.iter().map(|piece| piece.bytes).min().unwrap_or(4);
    let Some(first) = parts.first() else {
        return raw(least.min(4));
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
    raw([8, 4, 2].into_iter().find(divides).unwrap_or(1))
}

impl Lower<'_> {
    /// The values that requests bring, one for each leaf of the memory's type; what no request brings is read without
    /// one: of a thread's own memory, of constant memory.
    pub(super) fn loaded(&mut self, memory: &Memory, pieces: &[Piece], span: Span) -> Vec<Reg> {
        let parts = parts_of(memory);
        let covered = parts.iter().take_while(|part| covers(pieces, **part));
        let covered: Vec<Part> = covered.copied().collect();
        self.stand_at(span);
        let mut values = self.requested(memory, pieces, &covered);
        self.stand_nowhere();
        for part in parts.iter().skip(covered.len()) {
            let site = self.uncounted_site(memory, part.ty, Operation::Load);
            let base = self.operand_of(memory.address, ScalarType::U64);
            values.push(self.define(part.ty, |dst| Op::Load {
                dst: vec![Some(dst)],
                address: address_at(base, part.offset),
                site,
            }));
        }
        values
    }

    fn requested(&mut self, memory: &Memory, pieces: &[Piece], parts: &[Part]) -> Vec<Reg> {
        if pieces.is_empty() {
            return Vec::new();
        }
        let ty = element(pieces, parts);
        let step = i64::from(ty.bytes());
        let base = self.base_of(memory);
        // A part that is an element is loaded where it goes; the elements of the others are put together.
        let mut elements: Vec<(i64, Register)> = Vec::new();
        for part in parts {
            for at in 0..(part.bytes() / step).max(1) {
                elements.push((part.offset + at * step, self.builder.register(ty)));
            }
        }
        for piece in pieces {
            let dst = (0..piece.bytes / step).map(|at| {
                let offset = piece.offset + at * step;
                let found = elements.iter().find(|(other, _)| *other == offset);
                found.map(|(_, register)| *register)
            });
            let dst = dst.collect();
            let site = self.site_of(piece.site, ty);
            self.emit(Op::Load {
                dst,
                address: address_at(base, piece.offset),
                site,
            });
        }
        let whole = |lower: &mut Self, part: &Part| {
            let inside = |at: i64| (part.offset..part.offset + part.bytes()).contains(&at);
            let own = elements.iter().filter(|(at, _)| inside(*at));
            let own: Vec<Operand> = own.map(|(_, register)| (*register).into()).collect();
            let whole = lower.side_by_side(own, ty);
            if part.ty == ScalarType::Bool && ty != ScalarType::Bool {
                lower.builder.convert(ScalarType::U8, part.ty, whole)
            } else {
                whole
            }
        };
        let mut values = Vec::new();
        for part in parts {
            let value = whole(self, part);
            values.push(self.operand_value(part.ty, value));
        }
        values
    }

    /// Requests whose values nobody names.
    pub(super) fn touched(
        &mut self,
        memory: &Memory,
        operation: Operation,
        pieces: &[Piece],
        span: Span,
    ) {
        self.stand_at(span);
        if operation == Operation::Store {
            self.requested_stores(memory, pieces, &[]);
        } else {
            self.requested(memory, pieces, &[]);
        }
        self.stand_nowhere();
    }

    /// The address of an access: generic, but where the access is known to be to shared memory and no array is.
    pub(super) fn base_of(&mut self, memory: &Memory) -> Operand {
        let base = self.operand_of(memory.address, ScalarType::U64);
        let is_array = matches!(memory.target, Target::Array(_));
        if !is_array && self.space_of(memory) == Space::Shared {
            self.in_shared_memory(base)
        } else {
            base
        }
    }

    /// The address, in shared memory, of what is known to lie there.
    pub(super) fn shared_address(&mut self, memory: &Memory) -> Address {
        let base = self.operand_of(memory.address, ScalarType::U64);
        let base = self.in_shared_memory(base);
        address_at(base, memory.offset)
    }

    /// A counted site in shared memory, whose elements are of this type.
    pub(super) fn shared_site(&mut self, site: CountedSite, ty: ScalarType) -> SiteId {
        self.in_shared.insert(site);
        self.site_of(site, ty)
    }

    /// A site that stands for no request stands for an access to shared memory all the same.
    pub(super) fn names_access(&mut self, site: SiteId, span: Span, width: Width) {
        let span = self.place_in_source(span);
        let place = self.place_id(span);
        let at = (site.0 & !UNCOUNTED) as usize;
        if let Some(one) = self.uncounted.get_mut(at) {
            one.space = AddressSpace::Shared;
            one.width = width;
            one.place = place;
            one.is_volatile = true;
        }
    }

    /// A generic address less the window of shared memory.
    pub(super) fn in_shared_memory(&mut self, base: Operand) -> Operand {
        let ty = ScalarType::U64;
        let register = SpecialRegister::SharedWindow;
        let window = self.builder.value(ty, |dst| Op::Special { dst, register });
        self.builder
            .binary(BinaryOp::Subtract, ty, base, window.into())
    }

    /// Parts side by side, the lowest first.
    fn side_by_side(&mut self, mut parts: Vec<Operand>, ty: ScalarType) -> Operand {
        let mut bytes = i64::from(ty.bytes());
        while parts.len() > 1 {
            let count = if parts.len().is_multiple_of(4) { 4 } else { 2 };
            bytes *= if count == 4 { 4 } else { 2 };
            let mut wholes = Vec::new();
            for parts in parts.chunks(count) {
                let parts = parts.to_vec();
                let whole = self
                    .builder
                    .value(raw(bytes), |dst| Op::Pack { dst, parts });
                wholes.push(whole.into());
            }
            parts = wholes;
        }
        parts.first().copied().unwrap_or(Operand::Constant(0))
    }

    /// Writes values, one for each leaf of the memory's type, by requests; what none takes along is written without one.
    pub(super) fn stored(&mut self, memory: &Memory, pieces: &[Piece], regs: &[Reg], span: Span) {
        let parts = parts_of(memory);
        let mut parts = parts.iter().copied().zip(regs.iter().copied()).peekable();
        let mut covered = Vec::new();
        while let Some(one) = parts.next_if(|(part, _)| covers(pieces, *part)) {
            covered.push(one);
        }
        if !pieces.is_empty() {
            self.stand_at(span);
            self.requested_stores(memory, pieces, &covered);
            self.stand_nowhere();
        }
        for (part, reg) in parts {
            let base = self.operand_of(memory.address, ScalarType::U64);
            let site = self.uncounted_site(memory, part.ty, Operation::Store);
            let src = vec![self.operand_of(reg, part.ty)];
            self.emit(Op::Store {
                src,
                address: address_at(base, part.offset),
                site,
            });
        }
    }

    fn requested_stores(&mut self, memory: &Memory, pieces: &[Piece], parts: &[(Part, Reg)]) {
        let only_parts: Vec<Part> = parts.iter().map(|(part, _)| *part).collect();
        let ty = element(pieces, &only_parts);
        let step = i64::from(ty.bytes());
        let base = self.base_of(memory);
        let mut elements: Vec<(i64, Operand)> = Vec::new();
        for (part, reg) in parts {
            let value = self.operand_of(*reg, part.ty);
            if part.bytes() == step {
                let value = if part.ty == ScalarType::Bool && ty != part.ty {
                    self.builder.convert(part.ty, ty, value)
                } else {
                    value
                };
                elements.push((part.offset, value));
                continue;
            }
            let values = self.unpacked(value, part.bytes(), step);
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
            let src = src.collect();
            let site = self.site_of(piece.site, ty);
            self.emit(Op::Store {
                src,
                address: address_at(base, piece.offset),
                site,
            });
        }
    }

    /// The parts of a whole of `bytes` bytes, each of `step` bytes.
    fn unpacked(&mut self, whole: Operand, bytes: i64, step: i64) -> Vec<Operand> {
        if bytes <= step {
            return vec![whole];
        }
        let count = if bytes / step >= 4 { 4 } else { 2 };
        let part = raw(bytes / count);
        let mut parts = Vec::new();
        for _ in 0..count {
            parts.push(self.builder.register(part));
        }
        self.emit(Op::Unpack {
            parts: parts.iter().copied().map(Some).collect(),
            part_bits: part.bits(),
            a: whole,
        });
        let mut all = Vec::new();
        for one in parts {
            all.extend(self.unpacked(one.into(), bytes / count, step));
        }
        all
    }

    /// A counted site, whose elements are of this type.
    pub(super) fn site_of(&mut self, site: CountedSite, ty: ScalarType) -> SiteId {
        self.elements.insert(site, ty);
        SiteId(site.0)
    }

    /// A new site of a scalar whose traffic is not counted: of a thread's own memory, or constant.
    pub(super) fn uncounted_site(
        &mut self,
        memory: &Memory,
        ty: ScalarType,
        kind: Operation,
    ) -> SiteId {
        let id = u32::try_from(self.uncounted.len()).unwrap_or(0);
        let is_local = matches!(memory.target, Target::Local(_));
        let array = match memory.target {
            Target::Array(id) => Some(lanescope_ir::ArrayId(id.0)),
            Target::Local(_) | Target::Within(_) | Target::Unknown => None,
        };
        self.uncounted.push(Site {
            text: String::new(),
            place: PlaceId::default(),
            // The low half of a generic address in the local window counts in local memory.
            space: if is_local {
                AddressSpace::Local
            } else {
                AddressSpace::Generic
            },
            operation: kind,
            element: ty,
            width: Width::from_bytes(u64::from(ty.bytes())).unwrap_or(Width::Bytes4),
            array,
            is_volatile: false,
            is_read_only: false,
            is_warp_aggregated: false,
            alignment: (1, 0),
        });
        SiteId(UNCOUNTED | id)
    }
}

/// The scalars of a place, as far as they are followed.
fn parts_of(memory: &Memory) -> Vec<Part> {
    let leaves = memory.of.leaves();
    leaves.iter().map(|leaf| Part::of(memory, leaf)).collect()
}

pub(super) const fn address_at(base: Operand, offset: i64) -> Address {
    Address {
        base,
        index: None,
        offset,
    }
}

/// Whether pieces bring all bytes of a part.
fn covers(pieces: &[Piece], part: Part) -> bool {
    let has = |at: i64| {
        let mut pieces = pieces.iter();
        pieces.any(|piece| (piece.offset..piece.offset + piece.bytes).contains(&at))
    };
    has(part.offset) && has(part.offset + part.bytes() - 1)
}
