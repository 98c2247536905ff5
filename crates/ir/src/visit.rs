//! Def-use of one instruction: what it reads, what it writes, which accesses it makes.
//!
//! What a field is follows from its type; the table of operations ([`crate::Op`]) lists the fields.

mod register;
mod terminator;

use crate::operator::{
    AtomicOp, BinaryOp, Comparison, MatchMode, Rounding, ShuffleMode, TernaryOp, UnaryOp, VoteMode,
    WarpReduceOp, WarpReduceScope,
};
use crate::{
    Address, ArrayId, BarrierId, BlockId, Instruction, Op, Operand, Register, ScalarType,
    ShortList, SiteId, SpecialRegister,
};

/// An operand position of an instruction, to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot<'a> {
    /// Something read.
    Use(&'a Operand),
    /// A register written.
    Def(&'a Register),
    /// An access made.
    Site(&'a SiteId),
}

/// An operand position of an instruction, to change.
#[derive(Debug, PartialEq, Eq)]
pub enum SlotMut<'a> {
    /// Something read.
    Use(&'a mut Operand),
    /// A register written.
    Def(&'a mut Register),
    /// An access made.
    Site(&'a mut SiteId),
}

/// The slots of a field: of most types, none.
pub(crate) trait Slots {
    fn reads<'a>(&'a self, _: &mut impl FnMut(Slot<'a>)) {}

    fn writes<'a>(&'a self, _: &mut impl FnMut(Slot<'a>)) {}

    fn reads_mut(&mut self, _: &mut impl FnMut(SlotMut<'_>)) {}

    fn writes_mut(&mut self, _: &mut impl FnMut(SlotMut<'_>)) {}

    /// The field, if it is an address.
    fn address(&self) -> Option<&Address> {
        None
    }
}

impl Slots for Operand {
    fn reads<'a>(&'a self, visit: &mut impl FnMut(Slot<'a>)) {
        visit(Slot::Use(self));
    }

    fn reads_mut(&mut self, visit: &mut impl FnMut(SlotMut<'_>)) {
        visit(SlotMut::Use(self));
    }
}

impl Slots for Register {
    fn writes<'a>(&'a self, visit: &mut impl FnMut(Slot<'a>)) {
        visit(Slot::Def(self));
    }

    fn writes_mut(&mut self, visit: &mut impl FnMut(SlotMut<'_>)) {
        visit(SlotMut::Def(self));
    }
}

impl Slots for SiteId {
    fn reads<'a>(&'a self, visit: &mut impl FnMut(Slot<'a>)) {
        visit(Slot::Site(self));
    }

    fn reads_mut(&mut self, visit: &mut impl FnMut(SlotMut<'_>)) {
        visit(SlotMut::Site(self));
    }
}

impl Slots for Address {
    fn reads<'a>(&'a self, visit: &mut impl FnMut(Slot<'a>)) {
        self.base.reads(visit);
        self.index.reads(visit);
    }

    fn reads_mut(&mut self, visit: &mut impl FnMut(SlotMut<'_>)) {
        self.base.reads_mut(visit);
        self.index.reads_mut(visit);
    }

    fn address(&self) -> Option<&Address> {
        Some(self)
    }
}

/// Containers: the slots of their items, in order.
macro_rules! slots_of_items {
    ($($container:ty),*) => {$(
        impl<T: Slots> Slots for $container {
            #[inline]
            fn reads<'a>(&'a self, visit: &mut impl FnMut(Slot<'a>)) {
                self.iter().for_each(|item| item.reads(visit));
            }

            #[inline]
            fn writes<'a>(&'a self, visit: &mut impl FnMut(Slot<'a>)) {
                self.iter().for_each(|item| item.writes(visit));
            }

            #[inline]
            fn reads_mut(&mut self, visit: &mut impl FnMut(SlotMut<'_>)) {
                self.iter_mut().for_each(|item| item.reads_mut(visit));
            }

            #[inline]
            fn writes_mut(&mut self, visit: &mut impl FnMut(SlotMut<'_>)) {
                self.iter_mut().for_each(|item| item.writes_mut(visit));
            }
        }
    )*};
}
slots_of_items!(Option<T>, Vec<T>, [T; 2]);

/// Types whose fields are neither read nor written.
macro_rules! no_slots {
    ($($type:ty),*) => {
        $(impl Slots for $type {})*
    };
}
no_slots!(
    UnaryOp,
    BinaryOp,
    TernaryOp,
    Comparison,
    Rounding,
    AtomicOp,
    ShuffleMode,
    VoteMode
);
no_slots!(
    MatchMode,
    WarpReduceOp,
    WarpReduceScope,
    ScalarType,
    SpecialRegister
);
no_slots!(BlockId, ArrayId, BarrierId, bool, u8, u32, u64, String);

impl Op {
    /// Hands every operand, register written and access to `visit`; operands before registers written.
    pub fn visit<'a>(&'a self, visit: &mut dyn FnMut(Slot<'a>)) {
        self.slots(&mut |slot| visit(slot));
    }

    /// [`Op::visit`] that may change what it is handed.
    pub fn visit_mut(&mut self, visit: &mut dyn FnMut(SlotMut<'_>)) {
        self.slots_mut(&mut |slot| visit(slot));
    }

    /// The operands read.
    #[must_use]
    pub fn uses(&self) -> ShortList<Operand> {
        let mut uses = ShortList::new();
        self.slots(&mut |slot| {
            if let Slot::Use(operand) = slot {
                uses.push(*operand);
            }
        });
        uses
    }

    /// The registers written.
    #[must_use]
    pub fn defs(&self) -> ShortList<Register> {
        let mut defs = ShortList::new();
        self.slots(&mut |slot| {
            if let Slot::Def(register) = slot {
                defs.push(*register);
            }
        });
        defs
    }

    /// The accesses made: none, one, or two of an [`Op::AsyncCopy`].
    #[must_use]
    pub fn sites(&self) -> ShortList<SiteId> {
        let mut sites = ShortList::new();
        self.slots(&mut |slot| {
            if let Slot::Site(site) = slot {
                sites.push(*site);
            }
        });
        sites
    }

    /// The accesses made, each with its address; `None` where no [`Address`] says it.
    #[must_use]
    pub fn accesses(&self) -> Vec<(SiteId, Option<&Address>)> {
        let mut addresses = self.addresses().into_iter();
        let sites = self.sites().into_iter();
        sites.map(|site| (site, addresses.next())).collect()
    }
}

impl Instruction {
    /// The registers read, its guard's among them.
    #[must_use]
    pub fn registers_read(&self) -> ShortList<Register> {
        let guard = self.guard.iter();
        let mut read: ShortList<Register> = guard.map(|guard| guard.predicate).collect();
        self.op.slots(&mut |slot| {
            if let Slot::Use(Operand::Register(register)) = slot {
                read.push(*register);
            }
        });
        read
    }
}
