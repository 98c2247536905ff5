//! What `simt` found and doubted, as diagnostics.

use crate::Construct;
use lanescope_model::Operation;
use {lanescope_ir as ir, lanescope_simt as simt};

use super::parts::span_of;
use crate::{Contents, Diagnostic, DiagnosticKind, NamedLaunch, Program, Span, Thread};

/// What is said of no place.
pub(super) fn general(kind: DiagnosticKind) -> Diagnostic {
    Diagnostic {
        span: Span::default(),
        line: 1,
        column: 1,
        kind,
        fix: None,
    }
}

pub(super) fn at_place(kernel: &ir::Kernel, id: ir::PlaceId, kind: DiagnosticKind) -> Diagnostic {
    let place = kernel.places.get(id.index()).copied().unwrap_or_default();
    Diagnostic {
        span: span_of(place),
        line: place.line.max(1),
        column: place.column.max(1),
        kind,
        fix: None,
    }
}

fn array_name(kernel: &ir::Kernel, id: Option<ir::ArrayId>) -> Option<String> {
    let array = kernel.arrays.get(id?.index())?;
    Some(array.name.clone())
}

fn thread(launch: &NamedLaunch, lanes: u32, block: u64, warp: u32, lane: u32) -> Thread {
    let [x, y, _] = launch.block.map(|side| u64::from(side.max(1)));
    let rank = u64::from(warp) * u64::from(lanes) + u64::from(lane);
    let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    Thread {
        block: launch.block_at(block),
        thread: [small(rank % x), small(rank / x % y), small(rank / x / y)],
        warp,
        lane,
    }
}

pub(super) fn finding(
    program: &Program,
    kernel: &ir::Kernel,
    launch: &NamedLaunch,
    lanes: u32,
    found: &simt::Finding,
) -> Diagnostic {
    let who = thread(launch, lanes, found.block, found.warp, found.lane);
    let kind = match found.kind {
        simt::FindingKind::OutOfBounds {
            array,
            offset,
            bytes,
            overflow,
        } => DiagnosticKind::OutOfBounds {
            array: array_name(kernel, array),
            offset,
            bytes,
            overflow,
            thread: who,
        },
        simt::FindingKind::Misaligned { offset, bytes } => DiagnosticKind::Misaligned {
            array: array_name(kernel, site_array(kernel, found.site)),
            offset: offset.saturating_sub(shared_offset(kernel, found.site)),
            bytes,
            thread: who,
        },
        simt::FindingKind::Index {
            index,
            extent,
            array,
            dimension,
        } => DiagnosticKind::OutOfRange {
            array: array_name(kernel, Some(array)).unwrap_or_default(),
            dimension: u32::from(dimension),
            index,
            extent,
            thread: who,
        },
        simt::FindingKind::Race {
            other,
            other_writes,
            other_warp,
            other_lane,
            word,
        } => {
            let line = |site: Option<ir::SiteId>| {
                let site = site.and_then(|site| program.sites.get(site.index()));
                site.map_or(0, |site| site.line)
            };
            let own = found.site.and_then(|site| kernel.sites.get(site.index()));
            DiagnosticKind::Race {
                array: array_name(kernel, site_array(kernel, found.site)),
                word,
                first_line: line(Some(other)),
                first: thread(launch, lanes, found.block, other_warp, other_lane),
                first_writes: other_writes,
                second_line: line(found.site),
                second: who,
                second_writes: own.is_some_and(|site| site.operation != Operation::Load),
            }
        }
        simt::FindingKind::DivergentBarrier { missing_lane } => DiagnosticKind::DivergentBarrier {
            waits: who,
            missing: thread(launch, lanes, found.block, found.warp, missing_lane),
        },
        simt::FindingKind::BarrierAfterExit {
            exited_warp,
            exited_lane,
        } => DiagnosticKind::BarrierAfterReturn {
            waits: who,
            returned: thread(launch, lanes, found.block, exited_warp, exited_lane),
        },
        simt::FindingKind::Deadlock {
            other_warp,
            other_lane,
        } => DiagnosticKind::DivergentBarrier {
            waits: who,
            missing: thread(launch, lanes, found.block, other_warp, other_lane),
        },
    };
    at_place(kernel, found.place, kind)
}

fn site_array(kernel: &ir::Kernel, site: Option<ir::SiteId>) -> Option<ir::ArrayId> {
    kernel.sites.get(site?.index())?.array
}

/// Bytes of shared memory before the array of an access.
fn shared_offset(kernel: &ir::Kernel, site: Option<ir::SiteId>) -> i64 {
    let array = site_array(kernel, site).and_then(|id| kernel.arrays.get(id.index()));
    array
        .filter(|array| array.space == ir::AddressSpace::Shared)
        .map_or(0, |array| array.base.cast_signed())
}

pub(super) fn doubt(program: &Program, kernel: &ir::Kernel, doubt: &simt::Doubt) -> Diagnostic {
    let kind = match doubt.source {
        simt::Source::Contents(id) => DiagnosticKind::DependsOnData {
            array: array_name(kernel, Some(id)),
            contents: Contents::Zero,
        },
        simt::Source::Memory => DiagnosticKind::DependsOnData {
            array: None,
            contents: Contents::Zero,
        },
        simt::Source::Uninitialized => DiagnosticKind::DependsOnUnknown {
            what: Construct::Uninitialized,
        },
        simt::Source::Parameter(at) => DiagnosticKind::DependsOnUnknown {
            what: program.parameters.get(at as usize).map_or_else(
                || Construct::Parameter(at),
                |one| Construct::code(&one.name),
            ),
        },
        simt::Source::Unmodelled(place) => DiagnosticKind::DependsOnUnknown {
            what: unmodelled(kernel, place),
        },
        simt::Source::Unpredictable => DiagnosticKind::DependsOnUnknown {
            what: Construct::Unpredictable,
        },
        simt::Source::InactiveLane => DiagnosticKind::DependsOnUnknown {
            what: Construct::InactiveLane,
        },
        simt::Source::Forgotten => DiagnosticKind::DependsOnUnknown {
            what: Construct::Forgotten,
        },
    };
    at_place(kernel, doubt.place, kind)
}

/// The name of the instruction at a place that is not modelled.
fn unmodelled(kernel: &ir::Kernel, place: ir::PlaceId) -> Construct {
    let named = kernel.blocks.iter().flat_map(|block| &block.instructions);
    let mut there = named.filter(|instruction| instruction.place == place);
    let named = there.find_map(|instruction| {
        let ir::Op::Unmodelled { name, .. } = &instruction.op else {
            return None;
        };
        Some(name.clone())
    });
    match (named, kernel.stage) {
        (Some(name), ir::Stage::Source) if name.is_empty() => Construct::UnreadValue,
        (Some(name), ir::Stage::Source) => Construct::code(&name),
        (Some(name), ir::Stage::Ptx | ir::Stage::Machine) => Construct::UnmodelledInstruction(name),
        (None, _) => Construct::Unmodelled,
    }
}
