//! Alias summary: which arrays of which memories some accesses of a kernel may touch.

use lanescope_ir::{Kernel, Site};

use crate::slice::memories;

/// The arrays of one memory.
#[derive(Clone, Debug, Default)]
struct Arrays {
    /// Whether any is touched.
    any: bool,
    /// Whether something is touched that belongs to no array, or to one that is not known.
    unnamed: bool,
    /// `[array]`: whether it is touched.
    named: Vec<bool>,
}

/// What a set of accesses may touch. Named arrays are apart from each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    /// By bit of [`memories`].
    memories: [Arrays; 3],
}

impl Touched {
    /// What accesses of a kernel touch.
    pub(crate) fn of<'k>(kernel: &Kernel, sites: impl Iterator<Item = &'k Site>) -> Self {
        let mut touched = Self::default();
        for site in sites {
            for arrays in touched.of_site(site) {
                arrays.any = true;
                arrays.named.resize(kernel.arrays.len(), false);
                match site.array.and_then(|id| arrays.named.get_mut(id.index())) {
                    Some(named) => *named = true,
                    None => arrays.unnamed = true,
                }
            }
        }
        touched
    }

    fn of_site(&mut self, site: &Site) -> impl Iterator<Item = &mut Arrays> {
        let mask = memories(site.space);
        let all = (0..).zip(&mut self.memories);
        all.filter(move |(bit, _)| mask >> bit & 1 == 1)
            .map(|(_, arrays)| arrays)
    }

    /// Whether one of them may touch what another access touches.
    pub(crate) fn meets(&self, site: &Site) -> bool {
        let mask = memories(site.space);
        let mut all = (0..).zip(&self.memories);
        all.any(|(bit, arrays)| {
            let is_touched = match site.array {
                Some(id) => arrays.unnamed || arrays.named.get(id.index()) == Some(&true),
                None => arrays.any,
            };
            mask >> bit & 1 == 1 && is_touched
        })
    }
}
