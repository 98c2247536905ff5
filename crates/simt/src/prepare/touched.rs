//! Alias summary: which objects of which memories some accesses of a kernel may touch.

use lanescope_ir::{AddressSpace, Kernel, SiteId};

use crate::prepare::objects::Objects;
use crate::prepare::slice::memories;

/// The objects of one memory.
#[derive(Clone, Debug, Default)]
struct InMemory {
    /// Whether any is touched.
    any: bool,
    /// Whether something is touched whose object is not known.
    unknown: bool,
    /// `[object]`: whether it is touched.
    known: Vec<bool>,
}

/// What a set of accesses may touch. Objects are apart from each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    /// By bit of [`memories`].
    memories: [InMemory; 3],
}

impl Touched {
    /// What accesses of a kernel touch.
    pub(crate) fn of(
        kernel: &Kernel,
        objects: &Objects,
        sites: impl Iterator<Item = SiteId>,
    ) -> Self {
        let mut touched = Self::default();
        for id in sites {
            let Some(site) = kernel.sites.get(id.index()) else {
                continue;
            };
            for memory in touched.in_space(site.space) {
                memory.any = true;
                memory.known.resize(objects.count, false);
                match objects.of_site(id).and_then(|at| memory.known.get_mut(at)) {
                    Some(known) => *known = true,
                    None => memory.unknown = true,
                }
            }
        }
        touched
    }

    fn in_space(&mut self, space: AddressSpace) -> impl Iterator<Item = &mut InMemory> {
        let mask = memories(space);
        let all = (0..).zip(&mut self.memories);
        all.filter(move |(bit, _)| mask >> bit & 1 == 1)
            .map(|(_, memory)| memory)
    }

    /// Whether one of them may touch what an access of a space touches, in an object or, `None`, in any.
    pub(crate) fn meets(&self, space: AddressSpace, object: Option<usize>) -> bool {
        let mask = memories(space);
        let mut all = (0..).zip(&self.memories);
        all.any(|(bit, memory)| {
            let is_touched = match object {
                Some(at) => memory.unknown || memory.known.get(at) == Some(&true),
                None => memory.any,
            };
            mask >> bit & 1 == 1 && is_touched
        })
    }
}
