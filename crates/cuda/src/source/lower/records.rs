//! The parts of a structure before they have their places.

use crate::source::abi::{self, Empty, Frame, Part};
use crate::source::ctype::{Struct, Type, UNNAMED};
use lanescope_syntax::tree::{Name, StructItem};
use std::rc::Rc;

/// A structure whose parts are known.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// Fields of bases, then its own; those of no name are left out.
    pub(super) fields: Vec<Unplaced>,
    bases: Vec<Base>,
    parts: Vec<Part>,
    /// Whether it is more than plain data.
    pub(super) is_special: bool,
}

/// A field without a place.
#[derive(Debug)]
pub(super) struct Unplaced {
    pub(super) name: Name,
    pub(super) ty: Type,
    bits: Option<u64>,
    within: Within,
}

/// What a field's place counts from.
#[derive(Clone, Copy, Debug)]
enum Within {
    /// A base, and the bit there.
    Base(usize, u64),
    /// Itself: a part by its number.
    Own(usize),
}

#[derive(Debug)]
struct Base {
    part: Part,
    has_table: bool,
}

/// Whether a type, or an array's elements, are more than plain data, and whether they are packed.
fn traits(ty: &Type) -> (bool, bool) {
    match ty {
        Type::Struct(ty) => (ty.is_special, ty.is_packed),
        Type::Array(ty, _) => traits(ty),
        Type::Void | Type::Scalar(_) | Type::Pointer(_) | Type::Closure(_) | Type::Group { .. } => {
            (false, false)
        }
    }
}

/// The empty types in a type; of an array in its first element.
fn empties(ty: &Type) -> Vec<Empty> {
    match ty {
        Type::Struct(ty) => ty.empties.clone(),
        Type::Array(ty, _) => empties(ty),
        Type::Void | Type::Scalar(_) | Type::Pointer(_) | Type::Closure(_) | Type::Group { .. } => {
            Vec::new()
        }
    }
}

impl Record {
    /// Takes over a base with its fields.
    pub(super) fn base(&mut self, ty: &Rc<Struct>) {
        let at = self.bases.len();
        for field in &ty.fields {
            let bit = field.bits.map_or(0, |(bit, _)| u64::from(bit));
            self.fields.push(Unplaced {
                name: field.name.clone(),
                ty: field.ty.clone(),
                bits: field.bits.map(|(_, bits)| u64::from(bits)),
                within: Within::Base(at, field.offset.saturating_mul(8).saturating_add(bit)),
            });
        }
        self.bases.push(Base {
            part: Part {
                bytes: ty.bytes,
                data_bytes: ty.data_bytes,
                align: ty.align,
                is_named: true,
                is_empty: ty.is_empty,
                empties: ty.empties.clone(),
                ..Part::default()
            },
            has_table: ty.has_table,
        });
        self.is_special = true;
    }

    /// The field that was added last has the attribute `packed`.
    pub(super) fn pack_last(&mut self) {
        if let Some(part) = self.parts.last_mut() {
            part.is_packed = true;
        }
    }

    /// Adds a field of its own.
    pub(super) fn field(&mut self, name: Name, ty: Type, least: u64, bits: Option<u64>) {
        let (is_special, is_packed) = traits(&ty);
        self.is_special |= is_special;
        let is_special = is_special && !is_packed;
        let is_named = bits.is_none() || !name.starts_with(UNNAMED);
        let number = self.parts.len();
        self.parts.push(Part {
            bytes: ty.bytes(),
            data_bytes: ty.bytes(),
            align: ty.align(),
            least,
            bits,
            is_named,
            is_special,
            is_packed: false,
            is_empty: false,
            empties: empties(&ty),
        });
        if is_named {
            let within = Within::Own(number);
            self.fields.push(Unplaced {
                name,
                ty,
                bits,
                within,
            });
        }
    }

    /// The structure with its parts where the ABI puts them.
    pub(super) fn laid_out(self, item: &StructItem, name: Name, align: u64) -> Struct {
        // The first base with virtual functions comes first, and lends its pointer to them.
        let mut order: Vec<usize> = (0..self.bases.len()).collect();
        let primary = self.bases.iter().position(|base| base.has_table);
        if let Some(primary) = primary {
            order.retain(|at| *at != primary);
            order.insert(0, primary);
        }
        let has_table = item.has_virtual || primary.is_some();
        let frame = Frame {
            pack: item.pack,
            is_packed: item.is_packed,
            align,
            has_table: item.has_virtual && primary.is_none(),
            is_union: item.is_union,
            is_special: self.is_special || item.is_special || has_table,
        };
        let bases: Vec<Part> = order
            .iter()
            .filter_map(|at| self.bases.get(*at).map(|base| base.part.clone()))
            .collect();
        let layout = abi::layout(frame, &bases, &self.parts);
        let first = |within: Within| {
            let (at, behind) = match within {
                Within::Base(base, bit) => (order.iter().position(|one| *one == base), bit),
                Within::Own(number) => (Some(bases.len() + number), 0),
            };
            let bit = at.and_then(|at| layout.bits.get(at)).copied();
            bit.unwrap_or(0).saturating_add(behind)
        };
        let bits: Vec<(u64, Option<u64>)> = self
            .fields
            .iter()
            .map(|field| (first(field.within), field.bits))
            .collect();
        let is_empty = !has_table
            && self.bases.iter().all(|base| base.part.is_empty)
            && self.parts.iter().all(|part| part.bits == Some(0));
        let fields = self.fields.iter();
        let fields = fields.map(|field| (field.name.clone(), field.ty.clone()));
        let ty = Struct::new(name, fields.collect(), align);
        let frame = Frame { has_table, ..frame };
        let mut ty = ty.laid_out(&bits, &layout, frame);
        ty.is_empty = is_empty;
        if is_empty {
            ty.empties.push((ty.name.clone(), 0));
        }
        ty.is_packed = item.is_packed && !self.parts.iter().any(|part| part.is_special);
        ty
    }
}
