//! From a byte's new place in an array to its old one.

use crate::origin::Origin;
use crate::{Place, Shape};

/// A place's rule, backwards.
pub(crate) struct Inverse {
    /// `[element]`: where it was; `None` for what is left out.
    old: Vec<Option<u64>>,
    element_bytes: u64,
}

impl Inverse {
    /// Of `place`; `origin` tells which element of the source as it was an element of `shape` is.
    pub(crate) fn of(shape: &Shape, place: Place, origin: impl Fn(u64) -> u64) -> Self {
        let room = usize::try_from(place.room(shape)).unwrap_or(0);
        let mut old = vec![None; room];
        for element in 0..shape.size() {
            let there = usize::try_from(place.of(shape, element)).unwrap_or(usize::MAX);
            if let Some(slot) = old.get_mut(there) {
                *slot = Some(origin(element));
            }
        }
        Self {
            old,
            element_bytes: shape.element_bytes(),
        }
    }

    /// What the array `named` was, if it is of the array `name` that this is the rule.
    pub(crate) fn origin(&self, name: &str, named: &str) -> Origin<'_> {
        if named == name {
            Origin::moved(named, |byte| self.old(byte))
        } else {
            Origin::same(named)
        }
    }

    /// The old place of the byte at `byte`.
    fn old(&self, byte: u64) -> Option<u64> {
        let there = usize::try_from(byte / self.element_bytes).ok()?;
        let element = (*self.old.get(there)?)?;
        Some(element * self.element_bytes + byte % self.element_bytes)
    }
}
