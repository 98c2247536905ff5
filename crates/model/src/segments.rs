//! The transactions of CC 1.x: a half-warp at a time, in aligned segments.

use crate::global_rules::Protocol;
use crate::global_walk::RequestLanes;
use crate::{LaneMask, MAX_LANES, Request, Width};

/// One transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transaction {
    /// Byte address of its first byte.
    pub(crate) address: u64,
    /// 32, 64 or 128.
    pub(crate) bytes: u64,
    /// The lanes that it serves.
    pub(crate) lanes: LaneMask,
}

/// Transactions for a half-warp that does not coalesce (CC 1.0, 1.1).
const UNCOALESCED: u64 = 16;

/// How many transactions a half-warp takes, and the bytes they move.
pub(crate) fn moved(protocol: Protocol, request: &Request<'_>, lanes: RequestLanes) -> (u64, u64) {
    if protocol == Protocol::OrderedSegments && ordered(request, lanes).is_none() {
        return (UNCOALESCED, UNCOALESCED * 32);
    }
    let mut total = (0, 0);
    each(protocol, request, lanes, |transaction| {
        total.0 += 1;
        total.1 += transaction.bytes;
    });
    total
}

/// Visits the transactions of a half-warp in the order they are issued.
pub(crate) fn each(
    protocol: Protocol,
    request: &Request<'_>,
    lanes: RequestLanes,
    visit: impl FnMut(Transaction),
) {
    match (protocol, ordered(request, lanes)) {
        (Protocol::ShrinkingSegments, _) => each_shrunk(request, lanes.on, visit),
        (_, Some(segment)) => each_ordered(request, lanes, segment, visit),
        (_, None) => each_alone(request, lanes.on, visit),
    }
}

/// The segment whose word *k* the *k*-th lane wants, for all lanes that are on (CC 1.0, 1.1).
fn ordered(request: &Request<'_>, lanes: RequestLanes) -> Option<u64> {
    let width = request.lane_width();
    if matches!(width, Width::Bytes1 | Width::Bytes2) {
        return None;
    }
    let base = |lane: usize| {
        let ahead = (lane as u64 - u64::from(lanes.first)) * width.bytes();
        request.address(lane).checked_sub(ahead)
    };
    let segment = base(lanes.on.iter().next()?)?;
    let in_order = lanes.on.iter().all(|lane| base(lane) == Some(segment));
    (in_order && segment % segment_bytes(width) == 0).then_some(segment)
}

/// Bytes of one transaction of a coalesced half-warp: 64 for words of 4 bytes, else 128.
const fn segment_bytes(width: Width) -> u64 {
    match width {
        Width::Bytes4 => 64,
        _ => 128,
    }
}

/// The one or two transactions of a coalesced half-warp.
fn each_ordered(
    request: &Request<'_>,
    lanes: RequestLanes,
    segment: u64,
    mut visit: impl FnMut(Transaction),
) {
    let bytes = segment_bytes(request.lane_width());
    let count = 16 * request.lane_width().bytes() / bytes;
    for index in 0..count {
        let address = segment.saturating_add(index * bytes);
        let inside = |lane: &usize| request.address(*lane) / bytes == address / bytes;
        visit(Transaction {
            address,
            bytes,
            lanes: mask(lanes.on.iter().filter(inside)),
        });
    }
}

/// A transaction of 32 bytes for each lane (two where a misaligned access needs them).
fn each_alone(request: &Request<'_>, on: LaneMask, mut visit: impl FnMut(Transaction)) {
    for lane in on.iter() {
        let (first, last) = request.byte_range(lane);
        for piece in first / 32..=last / 32 {
            visit(Transaction {
                address: piece * 32,
                bytes: 32,
                lanes: LaneMask(1 << lane),
            });
        }
    }
}

/// One lane's bytes within one segment.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    lane: usize,
    first: u64,
    last: u64,
}

/// The segment of the lowest lane not yet served, shrunk to what is used of it, and so on
/// (CC 1.2, 1.3).
fn each_shrunk(request: &Request<'_>, on: LaneMask, mut visit: impl FnMut(Transaction)) {
    let segment_bytes = match request.lane_width() {
        Width::Bytes1 => 32,
        Width::Bytes2 => 64,
        _ => 128,
    };
    let (mut parts, mut len) = parts(request, on, segment_bytes);
    while len > 0 {
        let segment = parts[0].first / segment_bytes;
        let inside = |part: &Part| part.first / segment_bytes == segment;
        visit(shrunk(
            segment * segment_bytes,
            segment_bytes,
            parts[..len].iter().copied().filter(inside),
        ));
        let mut kept = 0;
        for index in 0..len {
            if !inside(&parts[index]) {
                parts[kept] = parts[index];
                kept += 1;
            }
        }
        len = kept;
    }
}

/// The bytes of each lane, cut at the ends of segments: `[..len]`.
fn parts(
    request: &Request<'_>,
    on: LaneMask,
    segment_bytes: u64,
) -> ([Part; 2 * MAX_LANES], usize) {
    let mut parts = [Part::default(); 2 * MAX_LANES];
    let mut len = 0;
    for lane in on.iter() {
        let (first, last) = request.byte_range(lane);
        for segment in first / segment_bytes..=last / segment_bytes {
            let start = segment * segment_bytes;
            parts[len] = Part {
                lane,
                first: first.max(start),
                last: last.min(start + (segment_bytes - 1)),
            };
            len += 1;
        }
    }
    (parts, len)
}

/// The segment at `address`, halved while only one half of it is used.
fn shrunk(
    mut address: u64,
    mut bytes: u64,
    parts: impl Iterator<Item = Part> + Clone,
) -> Transaction {
    let first = parts
        .clone()
        .map(|part| part.first)
        .min()
        .unwrap_or(address);
    let last = parts.clone().map(|part| part.last).max().unwrap_or(address);
    while bytes > 32 && first / (bytes / 2) == last / (bytes / 2) {
        bytes /= 2;
        address = first / bytes * bytes;
    }
    Transaction {
        address,
        bytes,
        lanes: mask(parts.map(|part| part.lane)),
    }
}

/// The set of `lanes`.
fn mask(lanes: impl Iterator<Item = usize>) -> LaneMask {
    LaneMask(lanes.fold(0, |mask, lane| mask | 1 << lane))
}
