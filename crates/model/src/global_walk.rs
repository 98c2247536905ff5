//! A request to global memory: which pieces move.

use crate::atomic_passes;
use crate::device::Basis;
use crate::global_rules::Protocol;
use crate::order;
use crate::request_lanes::{BLOCK, block, warps};
use crate::segments::{self, Transaction};
use crate::warp_sectors::{self, Sizes};
use crate::{
    Device, GlobalCounts, GlobalReport, LaneMask, LineUse, MAX_LANES, Request, SectorUse, Space,
    Unit, Unknown,
};

/// How one request is to be counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    pub(crate) protocol: Protocol,
    sector_bytes: u64,
    line_bytes: u64,
}

impl Count {
    /// The unit of this protocol.
    const fn unit(self) -> Unit {
        match self.protocol {
            Protocol::Sectors | Protocol::SplitSectors | Protocol::AtomicPasses => Unit::Sector,
            Protocol::Lines | Protocol::SplitLines => Unit::Line,
            Protocol::OrderedSegments | Protocol::ShrinkingSegments => Unit::Transaction,
        }
    }

    /// Bytes of the largest unit.
    const fn unit_bytes(self) -> u64 {
        match self.unit() {
            Unit::Sector => self.sector_bytes,
            Unit::Line | Unit::Transaction => self.line_bytes,
        }
    }

    /// The lanes of `warp` that one hardware request serves.
    const fn lanes_a_request(self, warp: LaneMask, bytes: u64) -> u32 {
        match (self.protocol, bytes) {
            (Protocol::OrderedSegments | Protocol::ShrinkingSegments, _)
            | (Protocol::SplitSectors | Protocol::SplitLines, 8) => warp.count().div_ceil(2),
            (Protocol::SplitSectors | Protocol::SplitLines, 16) => warp.count().div_ceil(4),
            _ => warp.count(),
        }
    }
}

/// The counts of `request` on `device`.
pub(crate) fn counts(device: &Device, request: &Request<'_>) -> Result<GlobalCounts, Unknown> {
    let count = rule(device, request)?;
    match warp_counts(device, request, count) {
        Some(counts) => Ok(counts),
        None => Ok(walk(device, request, count)),
    }
}

/// The counts of one warp of 32 lanes at once; `None` where that takes a walk.
#[inline]
fn warp_counts(device: &Device, request: &Request<'_>, count: Count) -> Option<GlobalCounts> {
    let bytes = request.lane_width().bytes();
    let split = match count.protocol {
        Protocol::Sectors | Protocol::Lines | Protocol::AtomicPasses => false,
        Protocol::SplitSectors | Protocol::SplitLines => bytes > 4,
        Protocol::OrderedSegments | Protocol::ShrinkingSegments => true,
    };
    let on = u32::try_from(request.participating().0).ok()?;
    if split || device.warp_lanes() != 32 || on == 0 || bytes > count.sector_bytes {
        return None;
    }
    let sizes = Sizes {
        access: bytes,
        sector: u16::try_from(count.sector_bytes).ok()?,
        line: u16::try_from(count.line_bytes).ok()?,
    };
    match request.addresses.first_chunk() {
        Some(lanes) if on == u32::MAX => block_counts(lanes, on, sizes, count),
        _ => block_counts(&filled(request, on), on, sizes, count),
    }
}

/// The counts of `lanes`, where those that are off have the address of one that is `on`.
#[inline(always)]
fn block_counts(lanes: &[u64; BLOCK], on: u32, sizes: Sizes, count: Count) -> Option<GlobalCounts> {
    let (distinct, units) = match count.protocol {
        Protocol::AtomicPasses => {
            let distinct = warp_sectors::distinct(lanes, sizes)?;
            let all = on.count_ones();
            let are_words = distinct.addresses == all && sizes.access >= 4;
            // A lane has its sector for itself, or waits for all others of its word; or one pass serves all.
            let units = if distinct.sectors == all || distinct.addresses == 1 {
                all
            } else if distinct.lines == 1 && are_words {
                distinct.sectors
            } else {
                let on = LaneMask(on.into()).iter();
                atomic_passes::sectors(on.map(|lane| lanes[lane]), sizes.access)
            };
            (distinct, units)
        }
        _ => {
            let distinct = warp_sectors::distinct(lanes, sizes)?;
            match count.unit() {
                Unit::Line => (distinct, distinct.lines),
                _ => (distinct, distinct.sectors),
            }
        }
    };
    let used = distinct.addresses * small(sizes.access);
    let unit_bytes = small(count.unit_bytes());
    Some(GlobalCounts {
        unit: count.unit(),
        requests: 1,
        units,
        ideal_units: (used + (unit_bytes - 1)) >> unit_bytes.trailing_zeros(),
        sectors: distinct.sectors,
        lines: distinct.lines,
        bytes_used: used,
        bytes_moved: units * unit_bytes,
    })
}

/// The addresses of 32 lanes, with that of the first lane that is on wherever one is off.
fn filled(request: &Request<'_>, on: u32) -> [u64; BLOCK] {
    let mut lanes = block(request.addresses, 0);
    let first = lanes
        .get(on.trailing_zeros() as usize)
        .copied()
        .unwrap_or(0);
    for (lane, address) in lanes.iter_mut().enumerate() {
        *address = if on >> lane & 1 == 1 { *address } else { first };
    }
    lanes
}

/// The counts of `request`, hardware request by hardware request.
#[inline(never)]
fn walk(device: &Device, request: &Request<'_>, count: Count) -> GlobalCounts {
    let mut total = empty(count);
    let mut bytes = 0;
    each_request(device, request, count, |lanes| {
        bytes = add(&mut total, count, request, lanes);
    });
    total.bytes_used = match total.requests {
        0 | 1 => small(bytes),
        _ => small(Ranges::of(request, request.participating()).pieces(1)),
    };
    total
}

/// The counts of `request` on `device`, and which bytes of which lines it touches.
pub(crate) fn report(device: &Device, request: &Request<'_>) -> Result<GlobalReport, Unknown> {
    let count = rule(device, request)?;
    let mut lines = Vec::new();
    let mut index = 0;
    each_request(device, request, count, |lanes| {
        report_request(count, request, lanes, index, &mut lines);
        index += 1;
    });
    Ok(GlobalReport {
        counts: counts(device, request)?,
        line_bytes: u32::try_from(count.line_bytes).unwrap_or(u32::MAX),
        lines,
    })
}

/// Which rule answers `request` on `device`.
pub(crate) fn basis(device: &Device, request: &Request<'_>) -> Basis {
    let counting = device.global.counting(request.operation);
    Basis {
        source: counting.source,
        confidence: counting.confidence,
    }
}

/// The rule for `request`.
fn rule(device: &Device, request: &Request<'_>) -> Result<Count, Unknown> {
    if request.space != Space::Global {
        return Err(Unknown::OtherSpace);
    }
    Ok(Count {
        protocol: device.global.counting(request.operation).value?,
        sector_bytes: u64::from(device.global.sector_bytes.value?),
        line_bytes: u64::from(device.global.line_bytes.value?),
    })
}

/// No lane on.
const fn empty(count: Count) -> GlobalCounts {
    GlobalCounts {
        unit: count.unit(),
        requests: 0,
        units: 0,
        ideal_units: 0,
        sectors: 0,
        lines: 0,
        bytes_used: 0,
        bytes_moved: 0,
    }
}

/// Visits the lanes that are on of each hardware request.
fn each_request(
    device: &Device,
    request: &Request<'_>,
    count: Count,
    mut visit: impl FnMut(RequestLanes),
) {
    let participating = request.participating();
    for warp in warps(device.warp_lanes()) {
        let lanes = count.lanes_a_request(warp, request.lane_width().bytes());
        let first = warp.0.trailing_zeros();
        for start in (first..first + warp.count()).step_by(lanes as usize) {
            let group = LaneMask::first(lanes as usize).0 << start & warp.0;
            let on = LaneMask(group & participating.0);
            if !on.is_empty() {
                visit(RequestLanes { first: start, on });
            }
        }
    }
}

/// The lanes of one hardware request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestLanes {
    /// Its first lane, on or off.
    pub(crate) first: u32,
    /// Those that are on.
    pub(crate) on: LaneMask,
}

/// Adds one hardware request; how many distinct bytes it asks for.
fn add(total: &mut GlobalCounts, count: Count, request: &Request<'_>, lanes: RequestLanes) -> u64 {
    let ranges = Ranges::of(request, lanes.on);
    let sectors = ranges.pieces(count.sector_bytes);
    let lines = ranges.pieces(count.line_bytes);
    let bytes = ranges.pieces(1);
    let (units, moved) = match count.protocol {
        Protocol::Sectors | Protocol::SplitSectors => (sectors, sectors * count.sector_bytes),
        Protocol::Lines | Protocol::SplitLines => (lines, lines * count.line_bytes),
        Protocol::AtomicPasses => {
            let on = lanes.on.iter().map(|lane| request.address(lane));
            let units = atomic_passes::sectors(on, request.lane_width().bytes());
            let units = u64::from(units);
            (units, units * count.sector_bytes)
        }
        Protocol::OrderedSegments | Protocol::ShrinkingSegments => {
            segments::moved(count.protocol, request, lanes)
        }
    };
    total.requests += 1;
    total.units += small(units);
    total.ideal_units += small(bytes.div_ceil(count.unit_bytes()));
    total.sectors += small(sectors);
    total.lines += small(lines);
    total.bytes_moved += small(moved);
    bytes
}

/// A count that is bounded by lanes times bytes a lane.
fn small(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The bytes that each lane asks for, `(first, last)`, ascending: sorted once, whatever is counted of them.
struct Ranges {
    all: [(u64, u64); MAX_LANES],
    len: usize,
}

impl Ranges {
    fn of(request: &Request<'_>, on: LaneMask) -> Self {
        let (mut all, mut len) = ([(0, 0); MAX_LANES], 0);
        for lane in on.iter() {
            all[len] = request.byte_range(lane);
            len += 1;
        }
        order::sort(&mut all[..len]);
        Self { all, len }
    }

    /// How many pieces of `bytes` bytes they touch, a power of two, as sectors and lines of every device are.
    #[inline(never)]
    fn pieces(&self, bytes: u64) -> u64 {
        let shift = bytes.trailing_zeros();
        let mut total = 0;
        let mut counted: Option<u64> = None;
        for &(first, last) in &self.all[..self.len] {
            let (first, last) = (first >> shift, last >> shift);
            let from = counted.map_or(first, |end| first.max(end.saturating_add(1)));
            if counted.is_none_or(|end| last > end) {
                total += last - from + 1;
                counted = Some(last);
            }
        }
        total
    }
}

/// Appends the lines or transactions of one hardware request.
fn report_request(
    count: Count,
    request: &Request<'_>,
    lanes: RequestLanes,
    index: u32,
    lines: &mut Vec<LineUse>,
) {
    if count.unit() == Unit::Transaction {
        segments::each(count.protocol, request, lanes, |transaction| {
            lines.push(transaction_use(request, transaction, index));
        });
        return;
    }
    let ranges = Ranges::of(request, lanes.on);
    let mut told = None;
    for &(first, last) in &ranges.all[..ranges.len] {
        for line in first / count.line_bytes..=last / count.line_bytes {
            if told.is_none_or(|told| line > told) {
                told = Some(line);
                lines.push(line_use(count, request, lanes.on, line, index));
            }
        }
    }
}

/// A transaction as one line of one sector.
fn transaction_use(request: &Request<'_>, transaction: Transaction, index: u32) -> LineUse {
    let bytes = small(transaction.bytes);
    LineUse {
        address: transaction.address,
        bytes,
        request: index,
        sectors: vec![sector_use(
            request,
            transaction.lanes,
            transaction.address,
            bytes,
            true,
        )],
    }
}

/// The line numbered `line` and its sectors.
fn line_use(count: Count, request: &Request<'_>, on: LaneMask, line: u64, index: u32) -> LineUse {
    let address = line * count.line_bytes;
    let whole = count.unit() == Unit::Line;
    let sectors = (0..count.line_bytes / count.sector_bytes).map(|sector| {
        let start = address + sector * count.sector_bytes;
        sector_use(request, on, start, small(count.sector_bytes), whole)
    });
    LineUse {
        address,
        bytes: small(count.line_bytes),
        request: index,
        sectors: sectors.collect(),
    }
}

/// What lanes `on` want of the `bytes` bytes at `address`; moved anyway, or if wanted.
fn sector_use(
    request: &Request<'_>,
    on: LaneMask,
    address: u64,
    bytes: u32,
    moved_anyway: bool,
) -> SectorUse {
    let last = address + (u64::from(bytes) - 1);
    let mut used = 0;
    let mut lanes = LaneMask::NONE;
    for lane in on.iter() {
        let (from, to) = request.byte_range(lane);
        if from <= last && to >= address {
            used |= bits(from.max(address) - address, to.min(last) - address);
            lanes.0 |= 1 << lane;
        }
    }
    SectorUse {
        address,
        bytes,
        moved: moved_anyway || !lanes.is_empty(),
        used,
        lanes,
    }
}

/// Bits `from..=to` of a sector of at most 128 bytes.
const fn bits(from: u64, to: u64) -> u128 {
    (u128::MAX >> (127 - to)) & (u128::MAX << from)
}
