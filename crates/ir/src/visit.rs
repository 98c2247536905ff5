//! Def-use of one instruction: what it reads, what it writes, which accesses it makes.
//!
//! One list of the operands of every instruction serves readers and writers, passes that rename and `verify`.

mod register;
mod terminator;

use crate::{Address, Instruction, Op, Operand, Register, ShortList, SiteId};

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

/// Hands every slot of an operation to `visit`, reads before writes. `$mutability` is empty or `mut`.
macro_rules! slots {
    ($op:expr, $visit:ident, $slot:ident, [$($mutability:tt)*]) => {{
        macro_rules! read {
            ($one:expr) => {
                $visit($slot::Use($one))
            };
        }
        macro_rules! write {
            ($one:expr) => {
                $visit($slot::Def($one))
            };
        }
        macro_rules! site {
            ($one:expr) => {
                $visit($slot::Site($one))
            };
        }
        macro_rules! address {
            ($one:expr) => {{
                let Address {
                    base,
                    index,
                    offset: _,
                } = $one;
                read!(base);
                if let Some(index) = index {
                    read!(index);
                }
            }};
        }
        match $op {
            Op::Unary {
                op: _,
                ty: _,
                dst,
                a,
            } => {
                read!(a);
                write!(dst);
            }
            Op::Binary {
                op: _,
                ty: _,
                dst,
                a,
                b,
            } => {
                read!(a);
                read!(b);
                write!(dst);
            }
            Op::Ternary {
                op: _,
                ty: _,
                dst,
                a,
                b,
                c,
            }
            | Op::Lop3 {
                table: _,
                wide: _,
                dst,
                a,
                b,
                c,
            } => {
                read!(a);
                read!(b);
                read!(c);
                write!(dst);
            }
            Op::BitFieldInsert {
                ty: _,
                dst,
                a,
                b,
                position,
                length,
            } => {
                read!(a);
                read!(b);
                read!(position);
                read!(length);
                write!(dst);
            }
            Op::AddCarry {
                dst,
                carry_out,
                a,
                b,
                c,
                carry_in,
            } => {
                read!(a);
                read!(b);
                read!(c);
                for one in carry_in.into_iter().flatten() {
                    read!(one);
                }
                write!(dst);
                for one in carry_out.into_iter().flatten() {
                    write!(one);
                }
            }
            Op::Compare {
                op: _,
                ty: _,
                unordered: _,
                dst,
                a,
                b,
            } => {
                read!(a);
                read!(b);
                write!(dst);
            }
            Op::Select {
                dst,
                predicate,
                yes,
                no,
            } => {
                read!(predicate);
                read!(yes);
                read!(no);
                write!(dst);
            }
            Op::Convert {
                from: _,
                to: _,
                rounding: _,
                saturate: _,
                dst,
                a,
            } => {
                read!(a);
                write!(dst);
            }
            Op::Pack { dst, parts } => {
                for one in parts {
                    read!(one);
                }
                write!(dst);
            }
            Op::Unpack {
                parts,
                part_bits: _,
                a,
            } => {
                read!(a);
                for one in parts.into_iter().flatten() {
                    write!(one);
                }
            }
            Op::Special { dst, register: _ } => write!(dst),
            Op::Parameter {
                ty: _,
                dst,
                offset: _,
                index,
            } => {
                if let Some(index) = index {
                    read!(index);
                }
                write!(dst);
            }
            Op::Load { dst, address, site } => {
                address!(address);
                site!(site);
                for one in dst.into_iter().flatten() {
                    write!(one);
                }
            }
            Op::Store { src, address, site } => {
                for one in src {
                    read!(one);
                }
                address!(address);
                site!(site);
            }
            Op::Atomic {
                op: _,
                dst,
                address,
                a,
                b,
                site,
            } => {
                address!(address);
                read!(a);
                if let Some(b) = b {
                    read!(b);
                }
                site!(site);
                if let Some(dst) = dst {
                    write!(dst);
                }
            }
            Op::MatrixLoad {
                dst,
                address,
                transposed: _,
                site,
            } => {
                address!(address);
                site!(site);
                for one in dst {
                    write!(one);
                }
            }
            Op::MatrixStore {
                src,
                address,
                transposed: _,
                site,
            } => {
                for one in src {
                    read!(one);
                }
                address!(address);
                site!(site);
            }
            Op::AsyncCopy {
                destination,
                source,
                bytes: _,
                source_bytes,
                bypasses_l1: _,
                site,
                source_site,
            } => {
                address!(destination);
                address!(source);
                if let Some(one) = source_bytes {
                    read!(one);
                }
                site!(site);
                site!(source_site);
            }
            Op::BulkAccess {
                addresses,
                dst,
                site,
            }
            | Op::Texture {
                dst,
                src: addresses,
                site,
            } => {
                for one in addresses {
                    read!(one);
                }
                site!(site);
                for one in dst {
                    write!(one);
                }
            }
            Op::Shuffle {
                mode: _,
                dst,
                in_range,
                a,
                lane,
                clamp,
            } => {
                read!(a);
                read!(lane);
                read!(clamp);
                write!(dst);
                if let Some(one) = in_range {
                    write!(one);
                }
            }
            Op::Vote { mode: _, dst, a } => {
                read!(a);
                write!(dst);
            }
            Op::Match {
                mode: _,
                ty: _,
                dst,
                predicate,
                a,
            } => {
                read!(a);
                write!(dst);
                if let Some(one) = predicate {
                    write!(one);
                }
            }
            Op::WarpReduce {
                op: _,
                scope: _,
                ty: _,
                dst,
                a,
            } => {
                read!(a);
                write!(dst);
            }
            Op::ActiveMask { dst } | Op::Elect { dst } => write!(dst),
            Op::Barrier {
                id,
                threads,
                arrive: _,
            } => {
                read!(id);
                if let Some(one) = threads {
                    read!(one);
                }
            }
            Op::BarrierReduce { op: _, dst, a, id } => {
                read!(a);
                read!(id);
                write!(dst);
            }
            Op::WideBarrier { arrive: _ } | Op::Fence => {}
            Op::WarpSync { mask } => read!(mask),
            Op::ObjectBarrier {
                done,
                state,
                address,
            } => {
                address!(address);
                if let Some(one) = done {
                    write!(one);
                }
                if let Some(one) = state {
                    write!(one);
                }
            }
            Op::Arm {
                barrier: _,
                join: _,
            }
            | Op::Join { barrier: _ }
            | Op::Leave { barrier: _ } => {}
            Op::SaveBarrier { dst, barrier: _ } => write!(dst),
            Op::RestoreBarrier { barrier: _, a } => read!(a),
            Op::BoundsCheck {
                index,
                ty: _,
                extent: _,
                array: _,
                dimension: _,
            } => read!(index),
            Op::Escape { src } => {
                for one in src {
                    read!(one);
                }
            }
            Op::Unmodelled {
                name: _,
                dst,
                src,
                is_pure: _,
            } => {
                for one in src {
                    read!(one);
                }
                for one in dst {
                    write!(one);
                }
            }
        }
    }};
}

impl Op {
    /// Hands every operand, register written and access to `visit`; operands before registers written.
    pub fn visit<'a>(&'a self, visit: &mut dyn FnMut(Slot<'a>)) {
        slots!(self, visit, Slot, []);
    }

    /// [`Op::visit`] that may change what it is handed.
    pub fn visit_mut(&mut self, visit: &mut dyn FnMut(SlotMut<'_>)) {
        slots!(self, visit, SlotMut, [mut]);
    }

    /// The operands read.
    #[must_use]
    pub fn uses(&self) -> ShortList<Operand> {
        let mut uses = ShortList::new();
        let mut visit = |slot: Slot<'_>| {
            if let Slot::Use(operand) = slot {
                uses.push(*operand);
            }
        };
        slots!(self, visit, Slot, []);
        uses
    }

    /// The registers written.
    #[must_use]
    pub fn defs(&self) -> ShortList<Register> {
        let mut defs = ShortList::new();
        let mut visit = |slot: Slot<'_>| {
            if let Slot::Def(register) = slot {
                defs.push(*register);
            }
        };
        slots!(self, visit, Slot, []);
        defs
    }

    /// The accesses made: none, one, or two of an [`Op::AsyncCopy`].
    #[must_use]
    pub fn sites(&self) -> ShortList<SiteId> {
        let mut sites = ShortList::new();
        let mut visit = |slot: Slot<'_>| {
            if let Slot::Site(site) = slot {
                sites.push(*site);
            }
        };
        slots!(self, visit, Slot, []);
        sites
    }

    /// Whether nothing but its results tells that it ran: arithmetic and reads of special registers and parameters.
    /// Loads are not.
    #[must_use]
    pub const fn is_pure(&self) -> bool {
        match self {
            Self::Unary { .. }
            | Self::Binary { .. }
            | Self::Ternary { .. }
            | Self::Lop3 { .. }
            | Self::BitFieldInsert { .. }
            | Self::AddCarry { .. }
            | Self::Compare { .. }
            | Self::Select { .. }
            | Self::Convert { .. }
            | Self::Pack { .. }
            | Self::Unpack { .. }
            | Self::Special { .. }
            | Self::Parameter { .. } => true,
            Self::Unmodelled { is_pure, .. } => *is_pure,
            Self::Load { .. }
            | Self::Store { .. }
            | Self::Atomic { .. }
            | Self::MatrixLoad { .. }
            | Self::MatrixStore { .. }
            | Self::AsyncCopy { .. }
            | Self::BulkAccess { .. }
            | Self::Texture { .. }
            | Self::Shuffle { .. }
            | Self::Vote { .. }
            | Self::Match { .. }
            | Self::WarpReduce { .. }
            | Self::ActiveMask { .. }
            | Self::Elect { .. }
            | Self::Barrier { .. }
            | Self::BarrierReduce { .. }
            | Self::WideBarrier { .. }
            | Self::Fence
            | Self::WarpSync { .. }
            | Self::ObjectBarrier { .. }
            | Self::Arm { .. }
            | Self::Join { .. }
            | Self::Leave { .. }
            | Self::SaveBarrier { .. }
            | Self::RestoreBarrier { .. }
            | Self::BoundsCheck { .. }
            | Self::Escape { .. } => false,
        }
    }
}

impl Instruction {
    /// The registers read, its guard's among them.
    #[must_use]
    pub fn registers_read(&self) -> ShortList<Register> {
        let guard = self.guard.iter();
        let mut read: ShortList<Register> = guard.map(|guard| guard.predicate).collect();
        let mut visit = |slot: Slot<'_>| {
            if let Slot::Use(Operand::Register(register)) = slot {
                read.push(*register);
            }
        };
        slots!(&self.op, visit, Slot, []);
        read
    }
}
