//! Loads and stores of places, cut into the widths that memory has.

use super::Lower;
use super::layout::{Leaf, Shape, in_memory};
use super::number::{Number, Value};
use super::place::{Memory, Object, Place};
use lanescope_frontend::{
    Construct, DiagnosticKind, Part, Piece, Span, address_at, element_type, load_pieces,
    store_pieces,
};
use lanescope_ir::{AddressSpace, Op, PlaceId, ScalarType, Site, SiteId};
use lanescope_model::{Operation, Width};

/// From here on sites count that stand for no request; they come behind the others in the end.
pub(super) const UNCOUNTED: u32 = 1 << 31;

/// An access to a place in memory.
#[derive(Clone, Copy)]
pub(super) struct Access<'a> {
    pub(super) memory: &'a Memory,
    pub(super) operation: Operation,
    pub(super) is_volatile: bool,
    pub(super) span: Span,
}

impl<'m> Lower<'m> {
    /// Reads what is at a place.
    pub(super) fn load(
        &mut self,
        place: &Place,
        shape: Shape<'m>,
        is_volatile: bool,
        span: Span,
    ) -> Value {
        match place {
            Place::Registers(value) => value.clone(),
            Place::Choice(list) => {
                let mut list = list.iter().rev();
                let last = list.next().map(|(_, value)| value.clone());
                list.fold(last.unwrap_or_default(), |no, (predicate, yes)| {
                    let both = yes.iter().zip(no);
                    both.map(|(yes, no)| self.select(*predicate, *yes, no))
                        .collect()
                })
            }
            Place::Memory(memory) => {
                let access = Access {
                    memory,
                    operation: Operation::Load,
                    is_volatile,
                    span,
                };
                self.load_memory(access, shape)
            }
        }
    }

    /// Gives a place a value, for the lanes that are active.
    pub(super) fn store(
        &mut self,
        place: &Place,
        shape: Shape<'m>,
        value: &Value,
        is_volatile: bool,
        span: Span,
    ) {
        match place {
            Place::Registers(kept) => self.assign(kept, value),
            Place::Choice(list) => {
                for (predicate, kept) in list {
                    let both = kept.iter().zip(value);
                    let new = both.map(|(old, new)| self.select(*predicate, *new, *old));
                    let new: Value = new.collect();
                    self.assign(kept, &new);
                }
            }
            Place::Memory(memory) => {
                let access = Access {
                    memory,
                    operation: Operation::Store,
                    is_volatile,
                    span,
                };
                self.store_memory(access, shape, value);
            }
        }
    }

    pub(super) fn assign(&mut self, kept: &Value, value: &Value) {
        for (dst, a) in kept.iter().zip(value) {
            if let Some(register) = dst.operand.register() {
                self.builder.assign(a.ty, dst.ty, register, a.operand);
                self.ranges.forget(register);
            }
        }
    }

    fn load_memory(&mut self, access: Access<'_>, shape: Shape<'m>) -> Value {
        let leaves = self.followed(shape, access.span);
        let memory = access.memory;
        let loaded = match memory.object {
            Object::Counted(_) => {
                let parts = parts_of(memory, &leaves);
                let pieces = self.requests(access, shape);
                let ty = element_type(&pieces, &parts);
                self.name_elements(&pieces, ty);
                self.stand_at(access.span);
                let base = memory.address;
                let loaded = load_pieces(&mut self.builder, base, &pieces, &parts, ty);
                self.stand_nowhere();
                loaded
            }
            Object::Local | Object::Constant(_) => {
                let mut loaded = Vec::new();
                for part in parts_of(memory, &leaves) {
                    let site = self.uncounted_site(memory, part.ty, Operation::Load);
                    let address = address_at(memory.address, part.offset);
                    let dst = self.builder.value(part.ty, |dst| Op::Load {
                        dst: vec![Some(dst)],
                        address,
                        site,
                    });
                    loaded.push(dst.into());
                }
                loaded
            }
        };
        let mut value = Value::new();
        for (leaf, operand) in leaves.iter().zip(loaded) {
            value.push(self.convert(Number::new(in_memory(leaf.ty), operand), leaf.ty));
        }
        value
    }

    fn store_memory(&mut self, access: Access<'_>, shape: Shape<'m>, value: &Value) {
        let leaves = self.followed(shape, access.span);
        let memory = access.memory;
        let mut given = Vec::new();
        for (part, number) in parts_of(memory, &leaves).into_iter().zip(value) {
            given.push((part, self.convert(*number, part.ty).operand));
        }
        match memory.object {
            Object::Counted(_) => {
                self.check(access);
                let pieces = self.requests(access, shape);
                let parts: Vec<Part> = given.iter().map(|(part, _)| *part).collect();
                let ty = element_type(&pieces, &parts);
                self.name_elements(&pieces, ty);
                self.stand_at(access.span);
                store_pieces(&mut self.builder, memory.address, &pieces, &given, ty);
                self.stand_nowhere();
            }
            Object::Local | Object::Constant(_) => {
                for (part, operand) in given {
                    let site = self.uncounted_site(memory, part.ty, Operation::Store);
                    self.builder.emit(Op::Store {
                        src: vec![operand],
                        address: address_at(memory.address, part.offset),
                        site,
                    });
                }
            }
        }
    }

    /// The scalars of a value; says so where they are too many to follow.
    pub(super) fn followed(&mut self, shape: Shape<'m>, span: Span) -> Vec<Leaf> {
        if self.layouts.leaf_count(shape) > super::layout::MOST_LEAVES {
            let what = Construct::AnExpression;
            self.say(span, DiagnosticKind::Unsupported { what });
        }
        self.layouts.leaves(shape)
    }

    fn requests(&mut self, access: Access<'_>, shape: Shape<'m>) -> Vec<Piece> {
        let Some(list) = self.layouts.pieces(shape) else {
            let what = Construct::AnExpression;
            self.say(access.span, DiagnosticKind::Unsupported { what });
            return Vec::new();
        };
        let mut pieces = Vec::new();
        for (at, width) in list {
            pieces.push(Piece {
                site: self.site(access, width),
                offset: access.memory.offset.wrapping_add(at.cast_signed()),
                bytes: width.bytes().cast_signed(),
            });
        }
        pieces
    }

    /// Watches the indices of a write: what one past the end changes is not said.
    pub(super) fn check(&mut self, access: Access<'_>) {
        let Object::Counted(array) = access.memory.object else {
            return;
        };
        self.stand_at(access.span);
        for bound in &access.memory.bounds {
            self.builder.emit(Op::BoundsCheck {
                index: bound.index.operand,
                ty: bound.index.ty,
                extent: bound.extent.min(u64::from(u32::MAX)),
                array,
                dimension: bound.dimension,
            });
        }
        self.stand_nowhere();
    }

    /// A new access whose requests are counted.
    pub(super) fn site(&mut self, access: Access<'_>, width: Width) -> SiteId {
        let Access {
            memory,
            operation,
            is_volatile,
            span,
        } = access;
        let array = match memory.object {
            Object::Counted(id) | Object::Constant(id) => Some(id),
            Object::Local => None,
        };
        let alignment = memory.aligned.map_or((1, 0), |(to, behind)| {
            let number = |value: u64| u32::try_from(value).unwrap_or(0);
            (number(to), number(behind % to.max(1)))
        });
        let id = SiteId(u32::try_from(self.sites.len()).unwrap_or(0));
        let place = self.place_id(span);
        self.sites.push(Site {
            text: span.text(self.source).to_owned(),
            place,
            space: AddressSpace::Generic,
            operation,
            element: ScalarType::U32,
            width,
            array,
            is_volatile,
            is_read_only: memory.is_read_only,
            is_warp_aggregated: false,
            alignment,
        });
        id
    }

    pub(super) fn name_elements(&mut self, pieces: &[Piece], ty: ScalarType) {
        for piece in pieces {
            if let Some(site) = self.sites.get_mut(piece.site.index()) {
                site.element = ty;
            }
        }
    }

    /// A new site of a scalar whose traffic is not counted: of a thread's own memory, or constant.
    fn uncounted_site(&mut self, memory: &Memory, ty: ScalarType, operation: Operation) -> SiteId {
        let id = u32::try_from(self.uncounted.len()).unwrap_or(0);
        let (space, array) = match memory.object {
            // The low half of a generic address in the local window counts in local memory.
            Object::Local => (AddressSpace::Local, None),
            Object::Counted(id) | Object::Constant(id) => (AddressSpace::Generic, Some(id)),
        };
        self.uncounted.push(Site {
            text: String::new(),
            place: PlaceId::default(),
            space,
            operation,
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

fn parts_of(memory: &Memory, leaves: &[Leaf]) -> Vec<Part> {
    let parts = leaves.iter().map(|leaf| Part {
        offset: memory.offset.wrapping_add(leaf.offset.cast_signed()),
        ty: in_memory(leaf.ty),
    });
    parts.collect()
}
