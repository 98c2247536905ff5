//! Rules of instructions: the widths of operands and results, indices, counts, types.

use super::Checker;
use super::error::{Fault, Table};
use crate::{
    Address, AddressSpace, ArrayId, AtomicOp, BarrierId, BinaryOp, BlockId, Comparison,
    Instruction, MatchMode, Operand, Register, Rounding, ScalarType, ShuffleMode, SiteId,
    Terminator, TernaryOp, UnaryOp, VoteMode, WarpReduceOp, WarpReduceScope,
};

/// The widths that an operand or a result may have.
#[derive(Clone, Copy)]
pub(crate) enum Width {
    /// One of a list.
    OneOf(&'static [u32]),
    /// So many bits.
    Exactly(u32),
    /// So many bits, or more: loads extend, stores truncate.
    AtLeast(u32),
    /// As wide as a register.
    SameAs(Register),
    /// As wide as one of so many equal parts of a register.
    PartOf(Register, usize),
    /// As wide as so many parts of so many bits.
    Whole(usize, u32),
    /// Wide enough for an element of an access.
    ElementOf(SiteId),
}

pub(crate) const PREDICATE: Width = Width::OneOf(&[1]);
pub(crate) const WORD: Width = Width::OneOf(&[32]);
/// An address's term, or a mask of lanes.
pub(crate) const ADDRESS: Width = Width::OneOf(&[32, 64]);
pub(crate) const VALUE: Width = Width::OneOf(&[8, 16, 32, 64]);
pub(crate) const ANY: Width = Width::OneOf(super::WIDTHS);

impl Default for Width {
    fn default() -> Self {
        ANY
    }
}

/// What an operation asks besides widths.
pub(crate) enum Rule {
    /// The operation takes operands of a type.
    Takes(&'static str, ScalarType, bool),
    /// There are as many of something as a list allows.
    Count(&'static str, usize, &'static [usize]),
    /// So many elements make up an access.
    Elements(SiteId, usize),
    /// An access to one or several elements, of which one stands for all.
    Several(SiteId),
    /// An access has so many bytes.
    Bytes(SiteId, u8),
    /// Whether an access goes to shared memory.
    InShared(SiteId, bool),
}

/// The list of allowed widths that holds `bits` alone.
const fn exactly(bits: u32) -> &'static [u32] {
    match bits {
        1 => &[1],
        8 => &[8],
        16 => &[16],
        32 => &[32],
        64 => &[64],
        _ => &[],
    }
}

/// Register widths that hold a value of `bits` bits.
const fn at_least(bits: u32) -> &'static [u32] {
    match bits {
        1 => &[1, 8, 16, 32, 64],
        8 => &[8, 16, 32, 64],
        16 => &[16, 32, 64],
        32 => &[32, 64],
        64 => &[64],
        _ => &[],
    }
}

impl Checker<'_> {
    pub(super) fn instruction(&mut self, instruction: &Instruction) {
        if let Some(guard) = instruction.guard {
            guard.predicate.check(PREDICATE, self);
        }
        instruction.op.check(self);
    }

    pub(super) fn terminator(&mut self, terminator: &Terminator) {
        for target in terminator.targets() {
            self.block(target);
        }
        match terminator {
            Terminator::Jump(_) | Terminator::Exit => {}
            Terminator::Branch {
                predicate, join, ..
            } => {
                predicate.check(PREDICATE, self);
                join.check(ANY, self);
            }
            Terminator::Switch { index, targets } => {
                index.check(ADDRESS, self);
                self.rule(Rule::Count("targets", targets.len().min(1), &[1]));
            }
            Terminator::Indirect { address } => address.check(ADDRESS, self),
        }
    }

    pub(crate) fn rule(&mut self, rule: Rule) {
        match rule {
            Rule::Takes(name, ty, is_allowed) => {
                if !is_allowed {
                    self.fault(Fault::Type(name, ty));
                }
            }
            Rule::Count(what, found, allowed) => {
                if !allowed.contains(&found) {
                    self.fault(Fault::Count { what, found });
                }
            }
            Rule::Elements(site, count) => {
                let element = self.kernel.sites.get(site.index()).map(|site| site.element);
                let bytes = element.map_or(0, |element| u64::from(element.bytes()));
                self.access(site, count as u64 * bytes);
            }
            Rule::Several(site) => {
                if let Some(found) = self.kernel.sites.get(site.index()) {
                    let (element, all) = (found.element.bytes().into(), found.width.bytes());
                    let is_whole = all.checked_rem(element) == Some(0);
                    self.access(site, if is_whole { all } else { element });
                }
            }
            Rule::Bytes(site, bytes) => self.access(site, bytes.into()),
            Rule::InShared(site, is_shared) => {
                if let Some(site) = self.kernel.sites.get(site.index())
                    && is_shared
                        != matches!(
                            site.space,
                            AddressSpace::Shared | AddressSpace::SharedCluster
                        )
                {
                    self.fault(Fault::Space(site.space));
                }
            }
        }
    }

    /// The bytes of an access are those of its site.
    fn access(&mut self, site: SiteId, elements: u64) {
        let site = self.kernel.sites.get(site.index());
        if let Some(site) = site.map(|site| site.width.bytes())
            && site != elements
        {
            self.fault(Fault::AccessWidth { elements, site });
        }
    }

    fn bits_of(&self, register: Register) -> Option<u32> {
        let bits = self.kernel.registers.get(register.index());
        bits.copied().map(u32::from)
    }

    fn widths(&self, width: Width) -> &'static [u32] {
        match width {
            Width::OneOf(widths) => widths,
            Width::Exactly(bits) => exactly(bits),
            Width::AtLeast(bits) => at_least(bits),
            Width::SameAs(register) => self.bits_of(register).map_or(super::WIDTHS, exactly),
            Width::PartOf(register, count) => {
                let count = u32::try_from(count).unwrap_or(0);
                let bits = self.bits_of(register).unwrap_or(0).checked_div(count);
                exactly(bits.unwrap_or(0))
            }
            Width::Whole(count, bits) => {
                exactly(u32::try_from(count).unwrap_or(0).saturating_mul(bits))
            }
            Width::ElementOf(site) => {
                let site = self.kernel.sites.get(site.index());
                site.map_or(super::WIDTHS, |site| at_least(site.element.bits()))
            }
        }
    }
}

/// The check of a field: of most types, none.
pub(crate) trait Checked {
    fn check(&self, _: Width, _: &mut Checker<'_>) {}
}

impl Checked for Register {
    fn check(&self, width: Width, checker: &mut Checker<'_>) {
        let expected = checker.widths(width);
        match checker.bits_of(*self) {
            None => checker.fault(Fault::OutOfRange(Table::Registers, self.0)),
            Some(found) if !expected.contains(&found) => {
                checker.fault(Fault::Width { expected, found });
            }
            Some(_) => {}
        }
    }
}

impl Checked for Operand {
    /// A constant fits the widest.
    fn check(&self, width: Width, checker: &mut Checker<'_>) {
        let widest = checker.widths(width).iter().copied().max().unwrap_or(64);
        checker.operand_bits.push(widest);
        match self {
            Self::Register(register) => register.check(width, checker),
            Self::Constant(bits) => {
                if widest < 64 && bits >> widest != 0 {
                    checker.fault(Fault::ConstantTooWide(*bits));
                }
            }
        }
    }
}

impl Checked for Address {
    fn check(&self, _: Width, checker: &mut Checker<'_>) {
        self.base.check(ADDRESS, checker);
        self.index.check(ADDRESS, checker);
    }
}

impl Checked for SiteId {
    fn check(&self, _: Width, checker: &mut Checker<'_>) {
        checker.index(Table::Sites, self.0, checker.kernel.sites.len());
    }
}

impl Checked for BlockId {
    fn check(&self, _: Width, checker: &mut Checker<'_>) {
        checker.block(*self);
    }
}

impl Checked for ArrayId {
    fn check(&self, _: Width, checker: &mut Checker<'_>) {
        checker.array(*self);
    }
}

impl Checked for BarrierId {
    fn check(&self, _: Width, checker: &mut Checker<'_>) {
        let barriers = checker.kernel.barriers as usize;
        checker.index(Table::Barriers, self.0, barriers);
    }
}

/// Containers: each item is checked alike.
macro_rules! checks_of_items {
    ($($container:ty),*) => {$(
        impl<T: Checked> Checked for $container {
            fn check(&self, width: Width, checker: &mut Checker<'_>) {
                self.iter().for_each(|item| item.check(width, checker));
            }
        }
    )*};
}
checks_of_items!(Option<T>, Vec<T>, [T; 2]);

/// Types that hold nothing which may be out of range.
macro_rules! no_checks {
    ($($type:ty),*) => {
        $(impl Checked for $type {})*
    };
}
no_checks!(
    UnaryOp,
    BinaryOp,
    TernaryOp,
    Comparison,
    Rounding,
    AtomicOp,
    ShuffleMode,
    VoteMode
);
no_checks!(
    MatchMode,
    WarpReduceOp,
    WarpReduceScope,
    ScalarType,
    bool,
    u8,
    u32,
    u64,
    String
);
