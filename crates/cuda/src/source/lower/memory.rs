//! Accesses: the requests that one takes, with the values that they move.

use super::registers::{Reg, scalar_type};
use super::resolve::scalar_or_int;
use super::{Lower, Memory};
use crate::source::ctype::{Leaf, Target};
use lanescope_frontend::{Part, Span, element_type, load_pieces, store_pieces};
pub(super) use lanescope_frontend::{Piece, address_at};
use lanescope_ir::{
    Address, AddressSpace, BinaryOp, Op, Operand, PlaceId, ScalarType, Site, SiteId,
    SpecialRegister,
};
use lanescope_model::{Operation, Space, Width};

/// From here on sites count that stand for no request; they come behind the others in the end.
pub(super) const UNCOUNTED: u32 = 1 << 31;

/// One scalar that an access to a place moves.
fn part_of(memory: &Memory, leaf: &Leaf) -> Part {
    Part {
        offset: memory.offset.wrapping_add(leaf.offset.cast_signed()),
        ty: scalar_type(scalar_or_int(&leaf.ty)),
    }
}

impl Lower<'_> {
    /// The values that requests bring, one for each leaf of the memory's type; what no request brings is read without
    /// one: of a thread's own memory, of constant memory.
    pub(super) fn loaded(&mut self, memory: &Memory, pieces: &[Piece], span: Span) -> Vec<Reg> {
        let parts = parts_of(memory);
        let covered = parts.iter().take_while(|part| part.is_covered_by(pieces));
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
        if pieces.is_empty() || !self.has_room() {
            return parts.iter().map(|_| self.constant(0)).collect();
        }
        let ty = element_type(pieces, parts);
        let base = self.base_of(memory);
        for piece in pieces {
            self.site_of(piece.site, ty);
        }
        let wholes = load_pieces(&mut self.builder, base, pieces, parts, ty);
        let wholes = parts.iter().zip(wholes);
        wholes
            .map(|(part, whole)| self.operand_value(part.ty, whole))
            .collect()
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
    pub(super) fn shared_site(&mut self, site: SiteId, ty: ScalarType) -> SiteId {
        if let Some(one) = self.site_mut(site) {
            one.space = AddressSpace::Shared;
        }
        self.site_of(site, ty)
    }

    /// A site that stands for no request stands for an access to shared memory all the same.
    pub(super) fn names_access(&mut self, site: SiteId, span: Span, width: Width) {
        let span = self.place_in_source(span);
        let place = self.place_id(span);
        if let Some(one) = self.site_mut(site) {
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

    /// Writes values, one for each leaf of the memory's type, by requests; what none takes along is written without one.
    pub(super) fn stored(&mut self, memory: &Memory, pieces: &[Piece], regs: &[Reg], span: Span) {
        let parts = parts_of(memory);
        let mut parts = parts.iter().copied().zip(regs.iter().copied()).peekable();
        let mut covered = Vec::new();
        while let Some(one) = parts.next_if(|(part, _)| part.is_covered_by(pieces)) {
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
        if !self.has_room() {
            return;
        }
        let only_parts: Vec<Part> = parts.iter().map(|(part, _)| *part).collect();
        let ty = element_type(pieces, &only_parts);
        let base = self.base_of(memory);
        let mut values = Vec::new();
        for (part, reg) in parts {
            values.push((*part, self.operand_of(*reg, part.ty)));
        }
        for piece in pieces {
            self.site_of(piece.site, ty);
        }
        store_pieces(&mut self.builder, base, pieces, &values, ty);
    }

    /// A counted site, whose elements are of this type.
    pub(super) fn site_of(&mut self, site: SiteId, ty: ScalarType) -> SiteId {
        if let Some(one) = self.site_mut(site) {
            one.element = ty;
        }
        site
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
            Target::Array(id) => Some(id),
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
    let leaves = memory.ty.leaves();
    leaves.iter().map(|leaf| part_of(memory, leaf)).collect()
}
