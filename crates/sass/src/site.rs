//! Accesses of a listing.

use crate::builder::Builder;
use lanescope_ir::{AddressSpace, ArrayId, ScalarType, Site, SiteId};
use lanescope_model::{Operation, Width};

/// What is said of an access; the rest is what a listing never says.
pub(crate) struct SiteForm {
    /// The instruction as written.
    pub(crate) text: String,
    /// Which memory.
    pub(crate) space: AddressSpace,
    /// What is done.
    pub(crate) operation: Operation,
    /// An element.
    pub(crate) element: ScalarType,
    /// Bytes a lane.
    pub(crate) bytes: u32,
    /// Whether it goes through the read-only path.
    pub(crate) is_read_only: bool,
    /// The array, where it is known.
    pub(crate) array: Option<ArrayId>,
}

impl Default for SiteForm {
    fn default() -> Self {
        Self {
            text: String::new(),
            space: AddressSpace::Global,
            operation: Operation::Load,
            element: ScalarType::U32,
            bytes: 4,
            is_read_only: false,
            array: None,
        }
    }
}

impl Builder<'_> {
    /// Adds an access at the current place.
    pub(crate) fn site(&mut self, form: SiteForm) -> SiteId {
        let id = SiteId(u32::try_from(self.kernel.sites.len()).unwrap_or(u32::MAX));
        self.kernel.sites.push(Site {
            text: form.text,
            place: self.place,
            space: form.space,
            operation: form.operation,
            element: form.element,
            width: Width::from_bytes(form.bytes.into()).unwrap_or(Width::Bytes16),
            array: form.array,
            // Every access of compiled code is done.
            is_volatile: true,
            is_read_only: form.is_read_only,
            is_warp_aggregated: false,
            alignment: (1, 0),
        });
        id
    }
}
