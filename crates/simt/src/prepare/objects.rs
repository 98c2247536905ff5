//! Objects that accesses point into: what stores to one cannot change what is read of another.

use lanescope_ir::analysis::{UnderlyingObject, underlying_objects};
use lanescope_ir::{Kernel, SiteId};

/// The arrays and the buffers of parameters of a kernel, counted as its allocations are: arrays first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objects {
    /// `[site]`: the object that all its addresses point into, where it is known.
    of_site: Vec<Option<usize>>,
    /// How many there are.
    pub(crate) count: usize,
}

impl Objects {
    /// Those of a kernel whose registers hold one thing each.
    pub(crate) fn of(kernel: &Kernel) -> Self {
        let arrays = kernel.arrays.len();
        let number = |object: UnderlyingObject| match object {
            UnderlyingObject::Array(array) => array.index(),
            UnderlyingObject::Parameter(position) => arrays + position as usize,
        };
        let of_site = underlying_objects(kernel).into_iter();
        Self {
            of_site: of_site.map(|object| object.map(number)).collect(),
            count: arrays + kernel.parameters.len(),
        }
    }

    /// The object that an access points into, where it is known.
    pub(crate) fn of_site(&self, site: SiteId) -> Option<usize> {
        self.of_site.get(site.index()).copied().flatten()
    }
}
