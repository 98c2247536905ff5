//! What `simt` reports, in the words of a program: whoever observes a run is told so.

use lanescope_model::{AsyncCopy, Operation, Request, Space};
use {lanescope_ir as ir, lanescope_simt as simt};

use crate::source::{Access, Program, Spared};

/// A request, at the access that it is counted for.
#[inline]
pub(super) fn request<'a>(program: &Program, access: &simt::Access<'a>) -> Access<'a> {
    Access {
        site: program.counted_for(access.site),
        block: access.block_index,
        block_index: access.block,
        warp: access.warp,
        occurrence: u32::try_from(access.occurrence).unwrap_or(u32::MAX),
        request: access.request,
    }
}

/// Notes in `spared` that an access is not counted where it stands; `None` is no access of the program.
pub(super) fn spare(program: &Program, site: Option<ir::SiteId>, spared: &mut [Option<Spared>]) {
    let site = site.map(|site| program.counted_for(site));
    let place = site.and_then(|site| spared.get_mut(site.0 as usize));
    if let Some(place) = place {
        place.get_or_insert(Spared::Elsewhere);
    }
}

/// An asynchronous copy as what it reads and, of compiled code, what it writes: of a source the totals are the
/// profiler's, which counts no store where a copy writes shared memory.
pub(super) fn halves<'a>(
    program: &Program,
    copy: &simt::AsyncCopyAccess<'a>,
) -> impl Iterator<Item = Access<'a>> {
    let AsyncCopy {
        width,
        active,
        reads,
        destinations,
        sources,
        ..
    } = copy.copy;
    let is_source = program
        .lowered()
        .is_some_and(|kernel| kernel.stage == ir::Stage::Source);
    let half = |site: ir::SiteId, space, operation, addresses, active| Access {
        site: program.counted_for(site),
        block: copy.block_index,
        block_index: copy.block,
        warp: copy.warp,
        occurrence: u32::try_from(copy.occurrence).unwrap_or(u32::MAX),
        request: Request {
            space,
            operation,
            width,
            active,
            addresses,
        },
    };
    let (load, store) = (Operation::Load, Operation::Store);
    let reads = if is_source { reads } else { active };
    let source = half(copy.source_site, Space::Global, load, sources, reads);
    let target = half(copy.site, Space::Shared, store, destinations, active);
    let source = (!is_source || reads.0 != 0).then_some(source);
    source.into_iter().chain((!is_source).then_some(target))
}
