//! Underlying objects: the array, or the buffer of a pointer parameter, that the address of an access is computed from.
//!
//! A flow-insensitive points-to analysis of one level, what LLVM calls `getUnderlyingObject`: a value has the objects of
//! all values that it is computed from. Each object is taken to be apart from all others, and an address to stay in its
//! object. Numbers of eight bytes that are read from memory may be pointers to anything.

use crate::{
    AddressSpace, ArrayId, BinaryOp, Kernel, Op, Operand, Origin, Register, Site, SiteId,
    SpecialRegister, TernaryOp,
};

/// What an address points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnderlyingObject {
    /// An array.
    Array(ArrayId),
    /// The buffer of a pointer parameter, by its position; one that has an array is [`UnderlyingObject::Array`].
    Parameter(u32),
}

/// `[site]`: the object that all its addresses point into; `None` where there may be several, or none is known. Registers
/// are taken to hold one thing each: split those of machine code first ([`super::split_webs`]).
#[must_use]
pub fn underlying_objects(kernel: &Kernel) -> Vec<Option<UnderlyingObject>> {
    let objects = Objects::of(kernel);
    let mut sites: Vec<_> = vec![Some(Set::Empty); kernel.sites.len()];
    for instruction in kernel.blocks.iter().flat_map(|block| &block.instructions) {
        for (id, set) in objects.addresses(&instruction.op) {
            if let Some(site) = sites.get_mut(id.index()) {
                *site = joined(*site, set);
            }
        }
    }
    let declared = kernel.sites.iter().map(|site| site.array);
    let of_site = |(declared, set): (Option<ArrayId>, Option<Set>)| match (declared, set) {
        (Some(array), _) => Some(UnderlyingObject::Array(array)),
        (None, Some(Set::One(object))) => Some(object),
        (None, Some(Set::Empty) | None) => None,
    };
    declared.zip(sites).map(of_site).collect()
}

/// What the values of a register may point into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointsTo {
    /// Nothing that is known: a number, or a pointer from memory.
    Nothing,
    /// One object.
    One(UnderlyingObject),
    /// Several objects, or anything.
    Anything,
}

/// `[register]`: what its values may point into, as [`underlying_objects`] follows them, of a kernel that is as written:
/// there every pointer among the parameters has an array, and a product, a quotient or a remainder is a number, whatever
/// it is computed from. (Machine code moves pointers by products with 1.)
#[must_use]
pub fn pointees(kernel: &Kernel) -> Vec<PointsTo> {
    let objects = Objects::following(kernel, Numbers::Known);
    let points_to = |set: Option<Set>| match set {
        Some(Set::Empty) => PointsTo::Nothing,
        Some(Set::One(object)) => PointsTo::One(object),
        None => PointsTo::Anything,
    };
    objects.of.into_iter().map(points_to).collect()
}

/// The objects of a value, as far as they are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// A number, or a pointer from memory.
    Empty,
    One(UnderlyingObject),
}

/// The objects of either; `None`: any.
fn joined(a: Option<Set>, b: Option<Set>) -> Option<Set> {
    match (a?, b?) {
        (Set::Empty, other) | (other, Set::Empty) => Some(other),
        (one, other) => (one == other).then_some(one),
    }
}

/// What is known of numbers of eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbers {
    /// Parameters of eight bytes may be pointers, and products of a pointer still point into its object.
    MayPoint,
    /// Pointers have an array of their own, and products are numbers.
    Known,
}

struct Objects<'k> {
    kernel: &'k Kernel,
    numbers: Numbers,
    /// `[register]`: what its values may point into; `None`: anything.
    of: Vec<Option<Set>>,
    changed: bool,
}

impl<'k> Objects<'k> {
    fn of(kernel: &'k Kernel) -> Self {
        Self::following(kernel, Numbers::MayPoint)
    }

    /// Follows all values to a fixed point.
    fn following(kernel: &'k Kernel, numbers: Numbers) -> Self {
        let mut objects = Self {
            kernel,
            numbers,
            of: vec![Some(Set::Empty); kernel.registers.len()],
            changed: true,
        };
        while std::mem::take(&mut objects.changed) {
            for instruction in kernel.blocks.iter().flat_map(|block| &block.instructions) {
                objects.follow(&instruction.op);
            }
        }
        objects
    }

    fn follow(&mut self, op: &Op) {
        let set = self.result(op);
        if set == Some(Set::Empty) {
            return;
        }
        for register in op.defs() {
            // A predicate points nowhere.
            if self.kernel.registers.get(register.index()) == Some(&1) {
                continue;
            }
            if let Some(of) = self.of.get_mut(register.index()) {
                let both = joined(*of, set);
                self.changed |= both != *of;
                *of = both;
            }
        }
    }

    /// What the registers that an instruction writes may point into.
    fn result(&self, op: &Op) -> Option<Set> {
        match (op.origin(), op) {
            (Origin::Computed | Origin::Lanes | Origin::Warp, _) => match self.numbers {
                Numbers::MayPoint => self.of_all(op.uses()),
                Numbers::Known => self.of_all(summands(op)),
            },
            (
                _,
                Op::Parameter {
                    ty,
                    offset,
                    index: None,
                    ..
                },
            ) => self.parameter(*offset, ty.bytes()),
            (_, Op::Parameter { .. }) => None,
            (
                _,
                Op::Special {
                    register: SpecialRegister::ArrayAddress(array),
                    ..
                },
            ) => Some(Set::One(UnderlyingObject::Array(*array))),
            // Rows of a matrix are numbers, as masks of lanes are.
            (_, Op::MatrixLoad { .. }) => Some(Set::Empty),
            (Origin::Memory, _) => self.read(*op.sites().first()?),
            (Origin::Launch | Origin::Mask | Origin::Nothing, _) => Some(Set::Empty),
            (Origin::Unknown, _) => None,
        }
    }

    /// What bytes of the parameters may point into: one of eight bytes into its buffer, a smaller one nowhere.
    fn parameter(&self, offset: u32, bytes: u32) -> Option<Set> {
        let end = offset.saturating_add(bytes);
        let mut read = (0_u32..)
            .zip(&self.kernel.parameters)
            .filter(|(_, parameter)| {
                parameter.offset < end && offset < parameter.offset.saturating_add(parameter.bytes)
            });
        let (position, parameter) = read.next()?;
        if read.next().is_some() {
            return None;
        }
        match (parameter.bytes, parameter.array) {
            (_, Some(array)) => Some(Set::One(UnderlyingObject::Array(array))),
            (8, None) => Some(match self.numbers {
                Numbers::MayPoint => Set::One(UnderlyingObject::Parameter(position)),
                Numbers::Known => Set::Empty,
            }),
            (0..8, None) => Some(Set::Empty),
            (_, None) => None,
        }
    }

    /// What an element that is read may point into. Registers that were spilled to local memory may be halves of a
    /// pointer, and tables in constant memory may hold some.
    fn read(&self, site: SiteId) -> Option<Set> {
        let is_number = |site: &Site| {
            site.width.bytes() < 8
                && match site.space {
                    AddressSpace::Shared
                    | AddressSpace::SharedCluster
                    | AddressSpace::Global
                    | AddressSpace::Generic => true,
                    AddressSpace::Local | AddressSpace::Constant => false,
                }
        };
        let site = self.kernel.sites.get(site.index())?;
        is_number(site).then_some(Set::Empty)
    }

    fn of_all(&self, operands: impl IntoIterator<Item = Operand>) -> Option<Set> {
        let of_one = |operand: Operand| match operand {
            Operand::Register(register) => self.of_register(register),
            Operand::Constant(_) => Some(Set::Empty),
        };
        let sets = operands.into_iter().map(of_one);
        sets.fold(Some(Set::Empty), joined)
    }

    fn of_register(&self, register: Register) -> Option<Set> {
        self.of.get(register.index()).copied().flatten()
    }

    /// The accesses of an instruction, with what their addresses may point into.
    fn addresses(&self, op: &Op) -> Vec<(SiteId, Option<Set>)> {
        let of =
            |address: &crate::Address| self.of_all([address.base].into_iter().chain(address.index));
        let accesses = op.accesses().into_iter();
        accesses
            .map(|(site, address)| (site, address.and_then(of)))
            .collect()
    }
}

/// The operands that a result may be a pointer for: not the factors of a product.
fn summands(op: &Op) -> Vec<Operand> {
    match *op {
        Op::Binary {
            op:
                BinaryOp::Multiply
                | BinaryOp::MultiplyHigh
                | BinaryOp::MultiplyWide
                | BinaryOp::Divide
                | BinaryOp::Remainder,
            ..
        } => Vec::new(),
        Op::Ternary {
            op: TernaryOp::MultiplyAdd | TernaryOp::MultiplyAddHigh | TernaryOp::MultiplyAddWide,
            c,
            ..
        } => vec![c],
        // What is made otherwise may point where any operand does.
        _ => op.uses().into_iter().collect(),
    }
}
