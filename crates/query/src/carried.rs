//! What was read of a source, as bytes from a worker to its page.

use lanescope_ir::SiteId;
use lanescope_optimizer::{Remark, RemarkKind};
use lanescope_wire::{Wire, wire_structs};

use crate::Read;
use crate::static_passes::Passes;

wire_structs! {
    Read { parsed, source, lines_before, bytes_before, passes }
}

impl Read {
    /// The same with nothing to run: what there is to say of the source, for a page that shows what ran elsewhere.
    #[must_use]
    pub fn without_code(mut self) -> Self {
        self.parsed.program = self.parsed.program.without_code();
        if let Some(passes) = &mut self.passes {
            passes.otherwise = None;
            passes.written = None;
        }
        self
    }
}

/// Without the kernels that only a run needs.
impl Wire for Passes {
    fn put(&self, out: &mut Vec<u8>) {
        let remarks: Vec<(SiteId, (u8, [u32; 2]))> = self
            .remarks
            .iter()
            .map(|remark| (remark.site, tagged(remark.kind)))
            .collect();
        remarks.put(out);
        self.sites.put(out);
        self.is_complete.put(out);
        self.basis.put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let remarks: Vec<(SiteId, (u8, [u32; 2]))> = Wire::take(input)?;
        let remark = |(site, (tag, values))| {
            let kind = kind(tag, values)?;
            Some(Remark { site, kind })
        };
        Some(Self {
            remarks: remarks.into_iter().map(remark).collect::<Option<_>>()?,
            sites: Wire::take(input)?,
            is_complete: Wire::take(input)?,
            basis: Wire::take(input)?,
            otherwise: None,
            written: None,
        })
    }
}

/// A remark as its place in a list, and its numbers.
const fn tagged(kind: RemarkKind) -> (u8, [u32; 2]) {
    match kind {
        RemarkKind::Vectorized { into, bytes } => (0, [into.0, bytes]),
        RemarkKind::Merged { with } => (1, [with.0, 0]),
        RemarkKind::Eliminated { held_from } => (2, [held_from.0, 0]),
        RemarkKind::PartlyEliminated { held_from } => (3, [held_from.0, 0]),
        RemarkKind::Overwritten => (4, [0; 2]),
        RemarkKind::Unchanged => (5, [0; 2]),
        RemarkKind::Known => (6, [0; 2]),
        RemarkKind::Unused => (7, [0; 2]),
        RemarkKind::Hoisted => (8, [0; 2]),
        RemarkKind::Sunk => (9, [0; 2]),
        RemarkKind::Unrolled { times } => (10, [times, 0]),
        RemarkKind::Aggregated => (11, [0; 2]),
    }
}

/// What [`tagged`] made these of.
const fn kind(tag: u8, [first, second]: [u32; 2]) -> Option<RemarkKind> {
    let site = SiteId(first);
    Some(match tag {
        0 => RemarkKind::Vectorized {
            into: site,
            bytes: second,
        },
        1 => RemarkKind::Merged { with: site },
        2 => RemarkKind::Eliminated { held_from: site },
        3 => RemarkKind::PartlyEliminated { held_from: site },
        4 => RemarkKind::Overwritten,
        5 => RemarkKind::Unchanged,
        6 => RemarkKind::Known,
        7 => RemarkKind::Unused,
        8 => RemarkKind::Hoisted,
        9 => RemarkKind::Sunk,
        10 => RemarkKind::Unrolled { times: first },
        11 => RemarkKind::Aggregated,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{kind, tagged};

    #[test]
    fn every_remark_is_carried_as_it_is() {
        let known = (0..=u8::MAX).filter_map(|tag| Some((tag, kind(tag, [3, 4])?)));
        let known: Vec<_> = known.collect();
        assert_eq!(known.len(), 12);
        for (tag, remark) in known {
            let (put, values) = tagged(remark);
            assert_eq!((put, kind(put, values)), (tag, Some(remark)));
        }
    }
}
