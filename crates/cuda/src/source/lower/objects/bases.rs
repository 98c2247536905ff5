//! Bases of a structure: where they lie in it, and whose functions a name means.

use super::Instance;
use crate::source::ctype::{Field, Struct, Type};
use crate::source::lower::places::part;
use crate::source::lower::{Binding, Lower, Memory, Place, Value};
use lanescope_frontend::Construct;
use lanescope_syntax::diagnostic::DiagnosticKind;
use lanescope_syntax::tree::{Expr, ExprKind, Function, Name, StructItem, TypeKind};
use std::rc::Rc;

/// Structures that are one another's bases, at most.
const DEEPEST: usize = 24;

/// In the scope of a base's function the object that the base is of.
pub(in crate::source::lower) const WHOLE: &str = "this of the whole";

/// A base of a structure.
#[derive(Clone, Debug)]
pub(in crate::source::lower) struct Base {
    pub(in crate::source::lower) ty: Rc<Struct>,
    /// How many fields of the structure come before those of the base.
    pub(in crate::source::lower) fields_before: usize,
}

impl Instance {
    /// The fields that the structure has besides those of its bases.
    pub(in crate::source::lower) fn own_fields(&self) -> &[Field] {
        let of_bases = self.bases.last();
        let from = of_bases.map_or(0, |base| base.fields_before + base.ty.fields.len());
        match &self.ty {
            Type::Struct(ty) => ty.fields.get(from..).unwrap_or_default(),
            _ => &[],
        }
    }
}

impl Lower<'_> {
    /// The base of an object.
    pub(in crate::source::lower) fn base_place(&self, place: &Place, base: &Base) -> Place {
        let to = Type::Struct(base.ty.clone());
        let first = match place.of() {
            Type::Struct(ty) if !base.ty.fields.is_empty() => ty.fields.get(base.fields_before),
            _ => None,
        };
        let Some(first) = first else {
            return match place {
                Place::Memory(memory) => Place::Memory(Memory {
                    ty: to,
                    ..memory.clone()
                }),
                Place::Registers(_) => Place::Registers(Value {
                    ty: to,
                    regs: Vec::new(),
                }),
            };
        };
        match place {
            Place::Memory(memory) => {
                let within = base.ty.fields.first().map_or(0, |field| field.offset);
                let by = first.offset.wrapping_sub(within).cast_signed();
                Place::Memory(Memory {
                    ty: to,
                    offset: memory.offset.wrapping_add(by),
                    ..memory.clone()
                })
            }
            Place::Registers(value) => {
                let from = first.leaves_before;
                let regs = value.regs.get(from..from + to.leaf_count());
                Place::Registers(Value {
                    ty: to,
                    regs: regs.map(<[_]>::to_vec).unwrap_or_default(),
                })
            }
        }
    }

    /// The bases of a type.
    pub(in crate::source::lower) fn bases_of(&self, ty: &Type) -> Vec<Base> {
        let Type::Struct(ty) = ty else {
            return Vec::new();
        };
        let instance = self.instances.get(&ty.name);
        instance.map_or_else(Vec::new, |instance| instance.bases.clone())
    }

    /// An object as the base of the structure's name; itself where it is one.
    pub(in crate::source::lower) fn as_base(&self, place: &Place, wanted: &Name) -> Option<Place> {
        self.as_base_within(place, wanted, DEEPEST)
    }

    fn as_base_within(&self, place: &Place, wanted: &Name, levels: usize) -> Option<Place> {
        let Type::Struct(ty) = place.of() else {
            return None;
        };
        if ty.name == *wanted {
            return Some(place.clone());
        }
        let levels = levels.checked_sub(1)?;
        let bases = self.bases_of(place.of());
        bases
            .iter()
            .find_map(|base| self.as_base_within(&self.base_place(place, base), wanted, levels))
    }

    /// An object as what a reference of type `to` names: its base, or what it is a base of.
    pub(in crate::source::lower) fn referred(&self, place: Place, to: &Type) -> Place {
        let (Type::Struct(ty), Type::Struct(wanted)) = (place.of(), to) else {
            return place;
        };
        if ty.name == wanted.name {
            return place;
        }
        // What functions a virtual table names the object itself says.
        if wanted.has_table {
            return place;
        }
        if let Some(found) = self.as_base(&place, &wanted.name) {
            return found;
        }
        match self.lookup(WHOLE) {
            Some(Binding::Place(whole)) if self.as_base(whole, &wanted.name).is_some() => {
                self.as_base(whole, &wanted.name).unwrap_or(place)
            }
            _ => place,
        }
    }

    /// Bytes from an object's beginning to its base; `None` where it is none.
    pub(in crate::source::lower) fn bytes_to_base(&self, ty: &Type, wanted: &Name) -> Option<i64> {
        let nowhere = Memory::at(ty.clone(), 0, crate::source::ctype::Target::Unknown);
        match self.as_base(&Place::Memory(nowhere), wanted)? {
            Place::Memory(memory) => Some(memory.offset),
            Place::Registers(_) => None,
        }
    }

    /// Bytes from where a pointer to one structure points to its base, or to what it is the base of.
    pub(in crate::source::lower) fn bytes_between(&self, from: &Type, to: &Type) -> i64 {
        match (from, to) {
            (Type::Struct(a), Type::Struct(b)) if a.name != b.name => {
                let up = self.bytes_to_base(from, &b.name);
                let down = || self.bytes_to_base(to, &a.name).map(i64::wrapping_neg);
                up.or_else(down).unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// The functions that a name means for an object, each with the object or the base of it that it is of. A
    /// structure's own hide those of its bases.
    pub(in crate::source::lower) fn functions_of(
        &self,
        place: &Place,
        name: &str,
    ) -> Vec<(Place, Rc<Function>)> {
        self.functions_within(place, name, DEEPEST)
    }

    fn functions_within(
        &self,
        place: &Place,
        name: &str,
        levels: usize,
    ) -> Vec<(Place, Rc<Function>)> {
        let Type::Struct(ty) = place.of() else {
            return Vec::new();
        };
        let (Some(instance), Some(levels)) = (self.instances.get(&ty.name), levels.checked_sub(1))
        else {
            return Vec::new();
        };
        let own = instance
            .methods
            .iter()
            .filter(|method| *method.name == *name);
        let mut found: Vec<_> = own.map(|one| (place.clone(), one.clone())).collect();
        let is_revealed = instance.item.reveals.iter().any(|reveal| **reveal == *name);
        if found.is_empty() || is_revealed {
            for base in &instance.bases {
                let base = self.base_place(place, base);
                found.extend(self.functions_within(&base, name, levels));
            }
        }
        found
    }

    /// Says that a function is virtual where another structure's may stand for it: what an expression refers to, other
    /// than a variable by its name, may be of a structure that derives from its type. Whether anything is to be called.
    pub(in crate::source::lower) fn refuse_dispatch(
        &mut self,
        object: &Expr,
        place: &Place,
        name: &str,
    ) -> bool {
        let Type::Struct(ty) = place.of() else {
            return true;
        };
        let is_variable =
            matches!(&object.kind, ExprKind::Name(own) if **own != *"this" && **own != *name);
        if ty.has_table && !is_variable && self.is_overridden(&ty.name, name) {
            let what = Construct::code("virtual");
            self.say(object.span, DiagnosticKind::Unsupported { what });
        }
        true
    }

    /// Whether a structure that derives from this one has a function by this name.
    fn is_overridden(&self, base: &Name, name: &str) -> bool {
        let has = |item: &StructItem| item.methods.iter().any(|method| *method.name == *name);
        let of_text = self.structs.values().any(|item| {
            let mut bases = item.bases.iter();
            has(item)
                && bases.any(|one| matches!(&one.kind, TypeKind::Named(own, _) if own == base))
        });
        of_text
            || self.instances.values().any(|instance| {
                let is_other = !matches!(&instance.ty, Type::Struct(ty) if ty.name == *base);
                is_other && has(&instance.item) && self.bytes_to_base(&instance.ty, base).is_some()
            })
    }

    /// The place of a member of an object, where a reference of its scope is what it was bound to.
    pub(in crate::source::lower) fn member_binding(
        &self,
        place: &Place,
        name: &str,
    ) -> Option<Binding> {
        let Type::Struct(ty) = place.of() else {
            return None;
        };
        let inside = self.instances.get(&ty.name);
        match inside.and_then(|one| one.scope.get(name)) {
            Some(bound @ Binding::Place(_)) => Some(bound.clone()),
            other => match ty.field(name) {
                Some(field) => Some(Binding::Place(part(place, field))),
                None => other.cloned(),
            },
        }
    }
}
