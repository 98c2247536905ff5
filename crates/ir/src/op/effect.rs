//! What an operation does besides writing registers, and where the values come from that it writes.

use super::Op;
use crate::{Address, SiteId, UnaryOp};

/// Something that an operation does besides writing registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Reads memory.
    Reads,
    /// Writes memory.
    Writes,
    /// Reads and writes a word in one step.
    Atomic,
    /// Orders the thread's accesses to memory: what other threads wrote may be seen from here on.
    Orders,
    /// Its lanes wait for other warps of the block.
    WaitsForBlock,
    /// Its lanes wait for other lanes of the warp.
    WaitsForWarp,
    /// Changes which lanes run together.
    Converges,
    /// Depends on which lanes are active, and on what they bring.
    Exchanges,
    /// Tells the reader of what it finds.
    Reports,
    /// Hands values to where they are not followed.
    Escapes,
    /// May do anything: it is not modelled.
    Unmodelled,
}

/// A set of effects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects(u16);

impl Effects {
    /// The set of some effects.
    #[must_use]
    pub const fn of(effects: &[Effect]) -> Self {
        let mut bits = 0;
        let mut rest = effects;
        while let [first, others @ ..] = rest {
            bits |= 1 << *first as u16;
            rest = others;
        }
        Self(bits)
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether an effect is among them.
    #[must_use]
    pub const fn has(self, effect: Effect) -> bool {
        self.meets(Self::of(&[effect]))
    }

    /// Whether any effect is in both sets.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The effects that are not in another set.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// Where the values come from that an operation writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It writes none.
    Nothing,
    /// The lane's own operands.
    Computed,
    /// The launch: indices, sizes, parameters.
    Launch,
    /// What memory holds.
    Memory,
    /// Operands of other lanes: lanes may get different values of equal ones.
    Lanes,
    /// Which lanes there are: a mask or a predicate that differs by lane whatever each brings.
    Mask,
    /// All active lanes together: each gets the same, whatever each brings.
    Warp,
    /// They are not followed.
    Unknown,
}

/// A plain load or store: an access of which nothing but what it reads or writes is of interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainAccess<'a> {
    /// Where.
    pub address: &'a Address,
    /// The access.
    pub site: SiteId,
    /// Whether it writes.
    pub is_store: bool,
}

impl Op {
    /// The access of a plain load or store; none of what else touches memory.
    #[must_use]
    pub const fn plain_access(&self) -> Option<PlainAccess<'_>> {
        if let Self::Load { address, site, .. } | Self::Store { address, site, .. } = self {
            Some(PlainAccess {
                address,
                site: *site,
                is_store: matches!(self, Self::Store { .. }),
            })
        } else {
            None
        }
    }

    /// Whether it reads memory otherwise than by a plain load, from where a plain store may have written: a texture's
    /// cache holds what was there before the kernel.
    #[must_use]
    pub const fn reads_stores(&self) -> bool {
        let is_other = matches!(self, Self::Load { .. } | Self::Texture { .. });
        self.effects().has(Effect::Reads) && !is_other
    }

    /// The name of its operator; of what has none, its mnemonic.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        if let Self::Unary { op, .. } = self {
            op.name()
        } else if let Self::Binary { op, .. } = self {
            op.name()
        } else if let Self::Ternary { op, .. } = self {
            op.name()
        } else if let Self::Compare { op, .. } = self {
            op.name()
        } else {
            self.mnemonic()
        }
    }

    /// Whether it copies the bits of its operand.
    #[must_use]
    pub const fn is_move(&self) -> bool {
        matches!(
            self,
            Self::Unary {
                op: UnaryOp::Move,
                ..
            }
        )
    }

    /// What it does besides writing registers.
    #[must_use]
    pub const fn effects(&self) -> Effects {
        if let Self::Unmodelled { is_pure: true, .. } = self {
            return Effects::of(&[]);
        }
        self.declared_effects()
    }

    /// Whether nothing but its results tells that it ran: arithmetic and reads of special registers and parameters.
    /// Loads are not.
    #[must_use]
    pub const fn is_pure(&self) -> bool {
        self.effects().is_empty()
    }

    /// Whether it shapes the requests of a run by more than its results: it makes some, decides which lanes make them
    /// together or when, or reports on them. Dead-code elimination keeps it; what it reads may still be dead.
    ///
    /// Not of these are a fence, which orders requests and changes none, exchanges between lanes, and values that go
    /// where they are not followed.
    #[must_use]
    pub const fn shapes_requests(&self) -> bool {
        const HAVE_NONE: Effects =
            Effects::of(&[Effect::Orders, Effect::Exchanges, Effect::Escapes]);
        !self.effects().without(HAVE_NONE).is_empty()
    }

    /// Whether no value that a thread holds of memory outlives it, but for what nothing changes: it orders accesses, or
    /// writes where a plain store's address does not tell.
    #[must_use]
    pub const fn is_fence(&self) -> bool {
        let effects = self.effects();
        let is_plain = matches!(self, Self::Store { .. });
        effects.has(Effect::Orders)
            || effects.has(Effect::Unmodelled)
            || effects.has(Effect::Writes) && !is_plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BarrierId, Operand, Register};

    #[test]
    fn effects_tell_what_may_be_left_out() {
        let unmodelled = |is_pure| Op::Unmodelled {
            name: "X".to_owned(),
            dst: vec![Register(0)],
            src: vec![Operand::default()],
            is_pure,
        };
        assert!(unmodelled(true).is_pure() && !unmodelled(true).shapes_requests());
        assert!(!unmodelled(false).is_pure() && unmodelled(false).is_fence());
        assert!(Op::Fence.is_fence() && !Op::Fence.shapes_requests());
        let barrier = BarrierId(0);
        let dst = Register(0);
        assert!(Op::Join { barrier }.shapes_requests());
        assert!(!Op::SaveBarrier { dst, barrier }.shapes_requests());
        assert!(!Op::ActiveMask { dst }.is_pure());
    }

    #[test]
    fn a_set_holds_what_it_was_made_of() {
        let set = Effects::of(&[Effect::Reads, Effect::Unmodelled]);
        assert!(set.has(Effect::Reads) && set.has(Effect::Unmodelled));
        assert!(!set.has(Effect::Writes));
        assert!(set.without(Effects::of(&[Effect::Reads])) == Effects::of(&[Effect::Unmodelled]));
        assert!(Effects::of(&[]).is_empty());
    }
}
