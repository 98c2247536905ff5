//! A request to shared memory, phase by phase: the rules at work.

use crate::order;
use std::ops::RangeInclusive;

use crate::device::Basis;
use crate::request_lanes::{BLOCK, block, warps};
use crate::shared_rules::{Grouping, Layout, Service};
use crate::steps::{Steps, steps};
use crate::{
    BankUse, Device, LaneMask, MAX_LANES, Operation, PhaseReport, Request, SharedCounts,
    SharedReport, Sharing, Space, Unknown, Width, WordUse,
};

/// The most words that one phase can touch: 64 lanes of 16 words of one byte.
const MAX_TOUCHES: usize = MAX_LANES * 16;

/// The most words that a phase of at most 32 lanes touches of words of 4 bytes and more, where
/// accesses may be misaligned: all devices but some that users describe.
const USUAL_TOUCHES: usize = 32 * 5;

/// One lane's wish for one word of one bank. Ordered by bank, row, word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Touch {
    /// The bank.
    pub(crate) bank: u32,
    /// What the bank delivers at once; words of one row cost one pass.
    pub(crate) row: u64,
    word: u64,
    lane: u8,
}

/// One set of lanes served together.
#[derive(Clone, Copy, Debug)]
struct Phase {
    /// The lanes, on or off.
    lanes: LaneMask,
    /// Which part of each lane's access, where the access is cut.
    part: Option<u64>,
}

/// The counts of `request` on `device`.
pub(crate) fn counts(device: &Device, request: &Request<'_>) -> Result<SharedCounts, Unknown> {
    let service = service(device, request)?;
    let counted = match (
        u32::try_from(request.participating().0),
        request.addresses.first_chunk(),
    ) {
        (Ok(on), Some(lanes)) => warp_counts(device, request, service, lanes, on),
        _ => block_counts(device, request, service),
    };
    match counted {
        Some(counts) if twice(device, request) => Ok(counts.plus(counts)),
        Some(counts) => Ok(counts),
        None => Ok(walk(device, request, service)),
    }
}

/// The counts of one block of lanes; `None` where that takes a walk.
#[inline]
fn warp_counts(
    device: &Device,
    request: &Request<'_>,
    service: &Service,
    lanes: &[u64; BLOCK],
    on: u32,
) -> Option<SharedCounts> {
    let bytes = request.lane_width().bytes();
    let wide = request.operation == Operation::Load && bytes >= 8;
    if wide && device.shared.merge.is_some() && neighbours_agree(lanes, on) {
        return service.merged_plan.as_ref()?.counts(lanes, on, bytes);
    }
    service.plan.as_ref()?.counts(lanes, on, bytes)
}

/// The counts of `request`, block by block; `None` where that takes a walk.
#[inline(never)]
fn block_counts(device: &Device, request: &Request<'_>, service: &Service) -> Option<SharedCounts> {
    let mut total = SharedCounts::default();
    for index in 0..MAX_LANES / BLOCK {
        let on = low_32(request.participating().0 >> (index * BLOCK));
        let lanes = block(request.addresses, index);
        total = total.plus(warp_counts(device, request, service, &lanes, on)?);
    }
    Some(total)
}

/// Whether all lanes of a block that are on agree with their neighbours, as [`merges`] has it.
#[inline]
fn neighbours_agree(lanes: &[u64; BLOCK], on: u32) -> bool {
    if on != u32::MAX {
        return some_agree(lanes, on, 1) || some_agree(lanes, on, 2);
    }
    let [a, b, c, ..] = *lanes;
    if a != b && a != c {
        return false;
    }
    let (mut next, mut over_next) = (0, 0);
    for [a, b, c, d] in lanes.as_chunks::<4>().0 {
        next |= (a ^ b) | (c ^ d);
        over_next |= (a ^ c) | (b ^ d);
    }
    next == 0 || over_next == 0
}

/// Whether the lanes that are on agree with those `step` away that are on.
fn some_agree(lanes: &[u64; BLOCK], on: u32, step: usize) -> bool {
    let both = on
        & if step == 1 {
            (on & 0x5555_5555) << 1 | on >> 1 & 0x5555_5555
        } else {
            (on & 0x3333_3333) << 2 | on >> 2 & 0x3333_3333
        };
    LaneMask(u64::from(both))
        .iter()
        .all(|lane| lanes[lane] == lanes[lane ^ step])
}

/// The low 32 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is wanted"
)]
const fn low_32(value: u64) -> u32 {
    value as u32
}

/// The counts of `request`, phase by phase.
#[inline(never)]
fn walk(device: &Device, request: &Request<'_>, service: &Service) -> SharedCounts {
    if usual(device, service) {
        walk_with::<USUAL_TOUCHES>(device, request, service)
    } else {
        walk_with::<MAX_TOUCHES>(device, request, service)
    }
}

/// Whether [`USUAL_TOUCHES`] are enough.
fn usual(device: &Device, service: &Service) -> bool {
    let lanes = match service.grouping {
        Grouping::Runs(lanes) => lanes,
        Grouping::Sets(_) => device.warp_lanes(),
    };
    lanes <= 32 && service.layout.word_bytes >= 4
}

/// As [`walk`], where no phase has more than `TOUCHES` touches.
fn walk_with<const TOUCHES: usize>(
    device: &Device,
    request: &Request<'_>,
    service: &Service,
) -> SharedCounts {
    let mut total = SharedCounts::default();
    let mut touches = [Touch::default(); TOUCHES];
    each_phase(device, request, service, |phase| {
        let used = touch(request, service, phase, &mut touches);
        order::sort(&mut touches[..used]);
        add(
            &mut total,
            cost::<TOUCHES>(&touches[..used], service.sharing),
        );
    });
    total
}

/// The counts of `request` on `device`, and who stands where.
pub(crate) fn report(device: &Device, request: &Request<'_>) -> Result<SharedReport, Unknown> {
    let service = service(device, request)?;
    let mut total = SharedCounts::default();
    let mut touches = [Touch::default(); MAX_TOUCHES];
    let mut phases = Vec::new();
    each_phase(device, request, service, |phase| {
        let used = touch(request, service, phase, &mut touches);
        let touches = &mut touches[..used];
        order::sort(touches);
        let steps = cost::<MAX_TOUCHES>(touches, service.sharing);
        add(&mut total, steps);
        phases.push(PhaseReport {
            lanes: phase.lanes,
            active: LaneMask(phase.lanes.0 & request.participating().0),
            wavefronts: steps.most,
            banks: banks(touches, service),
        });
    });
    Ok(SharedReport {
        counts: total,
        banks: service.layout.banks,
        bank_bytes: service.layout.word_bytes,
        phases,
    })
}

/// Which rule answers `request` on `device`.
pub(crate) fn basis(device: &Device, request: &Request<'_>) -> Basis {
    let serving = device
        .shared
        .serving(request.operation, request.lane_width());
    let used = Basis {
        source: serving.source,
        confidence: serving.confidence,
    };
    match device.shared.merge {
        Some(merge) if used.confidence < merge.confidence && any_merge(device, request) => Basis {
            source: merge.source,
            confidence: merge.confidence,
        },
        _ => used,
    }
}

/// The service for `request`.
fn service<'a>(device: &'a Device, request: &Request<'_>) -> Result<&'a Service, Unknown> {
    if request.space == Space::Global {
        return Err(Unknown::OtherSpace);
    }
    let serving = device
        .shared
        .serving(request.operation, request.lane_width());
    serving.value.as_ref().map_err(|&unknown| unknown)
}

/// Visits the phases of `request` in order.
fn each_phase(
    device: &Device,
    request: &Request<'_>,
    service: &Service,
    mut visit: impl FnMut(Phase),
) {
    let participating = request.participating();
    for warp in warps(device.warp_lanes()) {
        let first = warp.0.trailing_zeros();
        if first > 0 && participating.0 & warp.0 == 0 {
            continue;
        }
        let merged = merges(device, request, warp);
        for lanes in groups(service.grouping, merged, warp) {
            if in_use(request.operation, lanes, first) {
                each_part(request, service, lanes, &mut visit);
                if twice(device, request) {
                    each_part(request, service, lanes, &mut visit);
                }
            }
        }
    }
}

/// Whether each phase of `request` is served once for each of two operands.
fn twice(device: &Device, request: &Request<'_>) -> bool {
    request.operation == Operation::CompareAndSwap && device.shared.swaps.is_some()
}

/// Visits the parts of one group of lanes: one, unless accesses are cut into words.
fn each_part(
    request: &Request<'_>,
    service: &Service,
    lanes: LaneMask,
    visit: &mut impl FnMut(Phase),
) {
    let word = u64::from(service.layout.word_bytes);
    let bytes = request.lane_width().bytes();
    if service.cut && bytes > word {
        for part in 0..bytes / word {
            visit(Phase {
                lanes,
                part: Some(part),
            });
        }
    } else {
        visit(Phase { lanes, part: None });
    }
}

/// The lane sets of `warp`, in the order served.
fn groups(grouping: Grouping, merged: bool, warp: LaneMask) -> impl Iterator<Item = LaneMask> {
    let first = warp.0.trailing_zeros();
    let count = match grouping {
        Grouping::Runs(lanes) => warp.count().div_ceil(run(lanes, merged)),
        Grouping::Sets(sets) => u32::try_from(sets.len()).unwrap_or(0),
    };
    (0..count).map(move |index| {
        let lanes = match grouping {
            Grouping::Runs(lanes) => {
                let lanes = run(lanes, merged);
                LaneMask::first(lanes as usize)
                    .0
                    .checked_shl(index * lanes)
                    .unwrap_or(0)
            }
            Grouping::Sets(sets) => sets.get(index as usize).copied().unwrap_or(0),
        };
        LaneMask(lanes << first & warp.0)
    })
}

/// The lane sets of a whole warp of `warp_lanes`, in the order served.
pub(crate) fn phase_lanes(service: &Service, warp_lanes: u32) -> Vec<LaneMask> {
    let warp = LaneMask::first(warp_lanes as usize);
    groups(service.grouping, false, warp).collect()
}

/// The length of a run of lanes.
const fn run(lanes: u32, merged: bool) -> u32 {
    if merged { 2 * lanes } else { lanes }
}

/// Whether `lanes` of a warp that starts at `first` can take part in `operation` at all.
fn in_use(operation: Operation, lanes: LaneMask, first: u32) -> bool {
    match operation {
        Operation::MatrixLoad { matrices } | Operation::MatrixStore { matrices } => {
            lanes.0.trailing_zeros() < first + 8 * u32::from(matrices)
        }
        _ => true,
    }
}

/// Whether the phases of any warp of `request` are merged.
fn any_merge(device: &Device, request: &Request<'_>) -> bool {
    let on = request.participating().0;
    warps(device.warp_lanes()).any(|warp| on & warp.0 != 0 && merges(device, request, warp))
}

/// Whether the phases of `warp` are merged: all neighbours that are on agree.
#[inline]
fn merges(device: &Device, request: &Request<'_>, warp: LaneMask) -> bool {
    matches!(request.width, Width::Bytes8 | Width::Bytes16)
        && request.operation == Operation::Load
        && device.shared.merge.is_some()
        && (agree(request, warp, 1) || agree(request, warp, 2))
}

/// Whether each lane of `warp` wants the same address as the lane `step` away, where both are on.
fn agree(request: &Request<'_>, warp: LaneMask, step: usize) -> bool {
    let on = LaneMask(request.participating().0 & warp.0);
    on.iter().all(|lane| {
        let other = lane ^ step;
        !on.contains(other) || request.address(lane) == request.address(other)
    })
}

/// Writes what the lanes of `phase` touch and returns how much that is.
fn touch(request: &Request<'_>, service: &Service, phase: Phase, touches: &mut [Touch]) -> usize {
    let active = LaneMask(phase.lanes.0 & request.participating().0);
    let mut used = 0;
    for lane in active.iter() {
        let words = words_of(request.byte_range(lane), phase.part, service.layout);
        for word in words.into_iter().flatten() {
            if let Some(slot) = touches.get_mut(used) {
                *slot = touch_of(service.layout, word, lane);
                used += 1;
            }
        }
    }
    used
}

/// The words that a lane's bytes lie in, or those of one part of them.
fn words_of(
    (first, last): (u64, u64),
    part: Option<u64>,
    layout: Layout,
) -> Option<RangeInclusive<u64>> {
    let word_bytes = u64::from(layout.word_bytes);
    let Some(part) = part else {
        return Some(first / word_bytes..=last / word_bytes);
    };
    let start = first.checked_add(part * word_bytes)?;
    let end = start.saturating_add(word_bytes - 1).min(last);
    Some(start / word_bytes..=end / word_bytes)
}

/// Where `word` lies.
fn touch_of(layout: Layout, word: u64, lane: usize) -> Touch {
    let banks = u64::from(layout.banks);
    Touch {
        bank: u32::try_from(word % banks).unwrap_or(0),
        row: word / (banks * u64::from(layout.paired)),
        word,
        lane: u8::try_from(lane).unwrap_or(0),
    }
}

/// The passes that sorted `touches`, of at most `WORDS` words, take.
fn cost<const WORDS: usize>(touches: &[Touch], sharing: Sharing) -> Steps {
    let each_bank = touches.chunk_by(|a, b| a.bank == b.bank);
    match sharing {
        Sharing::AnyWord => Steps::exactly(each_bank.map(rows).max().unwrap_or(0)),
        Sharing::AnyWordPlusOne => {
            Steps::exactly(each_bank.map(|bank| rows(bank) + 1).max().unwrap_or(0))
        }
        Sharing::None => Steps::exactly(each_bank.map(<[Touch]>::len).max().unwrap_or(0)),
        Sharing::OneWordAStep => steps::<WORDS>(touches),
    }
}

/// The distinct rows of one bank's sorted touches.
fn rows(bank: &[Touch]) -> usize {
    bank.chunk_by(|a, b| a.row == b.row).count()
}

/// Adds the cost of one phase.
fn add(total: &mut SharedCounts, steps: Steps) {
    total.wavefronts += steps.most;
    total.wavefronts_least += steps.least;
    total.ideal_wavefronts += u32::from(steps.most > 0);
    total.conflicts = total.wavefronts - total.ideal_wavefronts;
    total.ways = total.ways.max(steps.most);
}

/// What each bank is asked for, from sorted touches.
fn banks(touches: &[Touch], service: &Service) -> Vec<BankUse> {
    touches
        .chunk_by(|a, b| a.bank == b.bank)
        .map(|bank| BankUse {
            bank: bank[0].bank,
            wavefronts: cost::<MAX_TOUCHES>(bank, service.sharing).most,
            words: words(bank, service.layout),
        })
        .collect()
}

/// Who wants which word of one bank.
fn words(bank: &[Touch], layout: Layout) -> Vec<WordUse> {
    bank.chunk_by(|a, b| a.word == b.word)
        .map(|word| WordUse {
            address: word[0].word * u64::from(layout.word_bytes),
            lanes: LaneMask(word.iter().fold(0, |lanes, touch| lanes | 1 << touch.lane)),
        })
        .collect()
}
