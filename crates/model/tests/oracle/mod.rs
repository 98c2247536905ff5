//! The rules once more, written from their definitions and never optimised.
//!
//! It shares no code with the model and works byte by byte: each lane is the set of bytes it
//! asks for. A device is told by its id alone.

pub(crate) mod passes;

use std::collections::{BTreeMap, BTreeSet};

use lanescope_model::{Operation, Request, Space};

/// What a request to shared memory costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shared {
    pub(crate) wavefronts: u32,
    pub(crate) least: u32,
    pub(crate) ideal: u32,
    pub(crate) ways: u32,
}

/// What a request to global memory moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Global {
    pub(crate) requests: u32,
    pub(crate) units: u32,
    pub(crate) ideal: u32,
    pub(crate) sectors: u32,
    pub(crate) lines: u32,
    pub(crate) used: u32,
    pub(crate) moved: u32,
}

/// One lane: its number and its bytes, in order.
type Lane = (usize, Vec<u64>);

/// Bytes a lane.
fn width(request: &Request<'_>) -> u64 {
    match request.operation {
        Operation::MatrixLoad { .. } | Operation::MatrixStore { .. } => 16,
        _ => request.width.bytes(),
    }
}

/// The lanes that are on.
fn lanes(request: &Request<'_>) -> Vec<Lane> {
    let matrix_lanes = match request.operation {
        Operation::MatrixLoad { matrices } | Operation::MatrixStore { matrices } => {
            8 * usize::from(matrices)
        }
        _ => 64,
    };
    (0..64)
        .filter(|lane| request.active.0 & 1 << lane != 0 && lane % 32 < matrix_lanes)
        .filter_map(|lane| Some((lane, *request.addresses.get(lane)?)))
        .map(|(lane, address)| {
            let bytes = (0..width(request)).filter_map(|byte| address.checked_add(byte));
            (lane, bytes.collect())
        })
        .collect()
}

/// Lanes of a warp.
fn warp(id: &str) -> usize {
    match id {
        "gcn" | "cdna3" | "cdna4" => 64,
        "intel" | "mali" => 16,
        _ => 32,
    }
}

/// How a phase is charged.
#[derive(Clone, Copy, PartialEq)]
enum Charge {
    DistinctWords,
    OneMore,
    EachLane,
    Steps,
}

/// A rule for shared memory: banks, bytes of a word, words to a row, phases, charge.
struct Rule {
    banks: u64,
    word: u64,
    row: u64,
    phases: Vec<Vec<usize>>,
    charge: Charge,
    cut: bool,
}

/// Runs of `run` lanes of `warp`.
fn runs(warp: usize, run: usize) -> Vec<Vec<usize>> {
    (0..warp)
        .collect::<Vec<_>>()
        .chunks(run)
        .map(<[usize]>::to_vec)
        .collect()
}

/// Sets of lanes as text: `0-3 20-23, 4-7 16-19`.
fn sets(text: &str) -> Vec<Vec<usize>> {
    let range = |range: &str| {
        let (from, to) = range.split_once('-').expect("a range");
        from.parse::<usize>().expect("a lane")..=to.parse().expect("a lane")
    };
    text.split(", ")
        .map(|set| set.split(' ').flat_map(range).collect())
        .collect()
}

/// The rule for `request` on device `id`; `None` where nobody knows.
fn rule(id: &str, request: &Request<'_>) -> Option<Rule> {
    use Operation::{
        Atomic, CompareAndSwap, Increment, Load, MatrixLoad, MatrixStore, Reduction, Store,
    };
    let bytes = width(request);
    let plain = |run: usize| Rule {
        banks: 32,
        word: 4,
        row: 1,
        phases: runs(warp(id), run),
        charge: Charge::DistinctWords,
        cut: false,
    };
    let narrow = bytes <= 4;
    let cc5_or_later = matches!(
        id,
        "cc5.x" | "cc6.x" | "cc7.x" | "cc8.0" | "cc8.6" | "cc9.0" | "cc10.x" | "cc12.x"
    );
    let stmatrix = matches!(id, "cc9.0" | "cc10.x" | "cc12.x");
    let ldmatrix = stmatrix || matches!(id, "cc7.x" | "cc8.0" | "cc8.6");
    let by_width = match bytes {
        8 => 16,
        16 => 8,
        _ => 32,
    };
    Some(match (id, request.operation) {
        ("cc1.0" | "cc1.1" | "cc1.2" | "cc1.3", Load | Store) => Rule {
            banks: 16,
            charge: Charge::Steps,
            cut: true,
            ..plain(16)
        },
        ("cc2.x", Load | Store) => Rule {
            charge: if bytes == 16 {
                Charge::OneMore
            } else {
                Charge::DistinctWords
            },
            ..plain(by_width)
        },
        ("cc3.x-4byte", Load | Store) => Rule {
            row: 2,
            ..plain(if bytes == 16 { 16 } else { 32 })
        },
        ("cc3.x-8byte", Load | Store) => Rule {
            word: 8,
            ..plain(if bytes == 16 { 16 } else { 32 })
        },
        (_, MatrixLoad { matrices }) if ldmatrix => Rule {
            phases: runs((8 * usize::from(matrices)).min(32), 8),
            ..plain(8)
        },
        (_, MatrixStore { matrices }) if stmatrix => Rule {
            phases: runs((8 * usize::from(matrices)).min(32), 8),
            ..plain(8)
        },
        (_, Load | Store) if cc5_or_later => plain(by_width),
        (_, Increment) if cc5_or_later && narrow => plain(32),
        (_, CompareAndSwap) if cc5_or_later && bytes <= 8 => Rule {
            charge: Charge::EachLane,
            phases: plain(by_width)
                .phases
                .into_iter()
                .flat_map(|phase| [phase.clone(), phase])
                .collect(),
            ..plain(by_width)
        },
        (_, Atomic | Reduction | Increment) if cc5_or_later && bytes <= 8 => Rule {
            charge: Charge::EachLane,
            ..plain(by_width)
        },
        ("gcn" | "cdna3", Atomic | Reduction | Increment | CompareAndSwap) if narrow => Rule {
            charge: Charge::EachLane,
            ..plain(32)
        },
        ("gcn" | "cdna3" | "rdna3" | "rdna4", Load | Store) if narrow => plain(32),
        ("cdna3", Load | Store) if bytes == 8 => plain(16),
        ("cdna3", Store) => plain(8),
        ("cdna3", Load) => Rule {
            phases: sets(
                "0-3 20-23, 4-7 16-19, 8-11 28-31, 12-15 24-27, 32-35 52-55, 36-39 48-51, \
                 40-43 60-63, 44-47 56-59",
            ),
            ..plain(8)
        },
        ("cdna4", Load | Store) if narrow => Rule {
            banks: 64,
            ..plain(64)
        },
        ("cdna4", Load) if bytes == 8 => Rule {
            banks: 64,
            ..plain(32)
        },
        ("cdna4", Store) if bytes == 8 => plain(16),
        ("cdna4", Load) => Rule {
            banks: 64,
            phases: sets("0-3 12-15 20-27, 4-11 16-19 28-31, 32-35 44-47 52-59, 36-43 48-51 60-63"),
            ..plain(16)
        },
        ("rdna3" | "rdna4", Load | Store) if bytes == 8 => plain(16),
        ("rdna3", Load) => Rule {
            phases: sets("0-3 20-23, 4-7 16-19, 8-11 28-31, 12-15 24-27"),
            ..plain(8)
        },
        ("rdna4", Load) => plain(8),
        ("intel", Load | Store) if narrow => Rule {
            banks: 16,
            ..plain(16)
        },
        _ => return None,
    })
}

/// Whether every lane agrees with its partner, for one of the two partners.
fn merges(id: &str, request: &Request<'_>, lanes: &[&Lane]) -> bool {
    let known = matches!(
        id,
        "cc5.x" | "cc6.x" | "cc7.x" | "cc8.0" | "cc8.6" | "cc9.0" | "cc10.x" | "cc12.x"
    );
    let address = |wanted: usize| {
        lanes
            .iter()
            .find(|(lane, _)| *lane == wanted)
            .map(|(_, bytes)| bytes[0])
    };
    let agree = |step: usize| {
        lanes
            .iter()
            .all(|(lane, bytes)| address(lane ^ step).is_none_or(|partner| partner == bytes[0]))
    };
    known && request.operation == Operation::Load && width(request) >= 8 && (agree(1) || agree(2))
}

/// The counts of a request to shared memory.
pub(crate) fn shared(id: &str, request: &Request<'_>) -> Option<Shared> {
    if request.space != Space::Shared {
        return None;
    }
    let rule = rule(id, request)?;
    let all = lanes(request);
    let mut total = Shared::default();
    for first in (0..64).step_by(warp(id)) {
        let in_warp: Vec<&Lane> = all
            .iter()
            .filter(|(lane, _)| (first..first + warp(id)).contains(lane))
            .collect();
        let mut phases = rule.phases.clone();
        if merges(id, request, &in_warp) {
            phases = phases.chunks(2).map(<[Vec<usize>]>::concat).collect();
        }
        for phase in phases {
            let served: Vec<&Lane> = in_warp
                .iter()
                .copied()
                .filter(|(lane, _)| phase.contains(&(lane - first)))
                .collect();
            for part in parts(&rule, request, &served) {
                charge(&rule, &part, &mut total);
            }
        }
    }
    Some(total)
}

/// The requests that a phase is cut into.
fn parts(rule: &Rule, request: &Request<'_>, served: &[&Lane]) -> Vec<Vec<Lane>> {
    let word = usize::try_from(rule.word).expect("a small word");
    let bytes = usize::try_from(width(request)).expect("a small width");
    if !rule.cut || bytes <= word {
        return vec![served.iter().copied().cloned().collect()];
    }
    (0..bytes / word)
        .map(|part| {
            let cut = |(lane, bytes): &&Lane| {
                let bytes = bytes.iter().skip(part * word).take(word).copied();
                (*lane, bytes.collect())
            };
            served.iter().map(cut).collect()
        })
        .collect()
}

/// `[row]`: the lanes that want something of it.
type Bank = BTreeMap<u64, BTreeSet<usize>>;

/// Adds what one phase costs.
fn charge(rule: &Rule, served: &[Lane], total: &mut Shared) {
    let mut banks: BTreeMap<u64, Bank> = BTreeMap::new();
    for (lane, bytes) in served {
        for byte in bytes {
            let word = byte / rule.word;
            let row = word / (rule.banks * rule.row);
            let bank = banks.entry(word % rule.banks).or_default();
            bank.entry(row).or_default().insert(*lane);
        }
    }
    let most = |cost: &dyn Fn(&Bank) -> usize| banks.values().map(cost).max().unwrap_or(0);
    let (least, worst) = match rule.charge {
        Charge::DistinctWords => (most(&BTreeMap::len), most(&BTreeMap::len)),
        Charge::OneMore => (most(&|bank| bank.len() + 1), most(&|bank| bank.len() + 1)),
        Charge::EachLane => {
            let each =
                |bank: &BTreeMap<u64, BTreeSet<usize>>| bank.values().map(BTreeSet::len).sum();
            (most(&each), most(&each))
        }
        Charge::Steps => {
            let wanted = banks
                .values()
                .map(|bank| bank.values().map(BTreeSet::len).collect())
                .collect();
            steps(wanted, &mut BTreeMap::new())
        }
    };
    let count = |steps: usize| u32::try_from(steps).expect("few steps");
    total.wavefronts += count(worst);
    total.least += count(least);
    total.ideal += u32::from(worst > 0);
    total.ways = total.ways.max(count(worst));
}

/// `[bank][word]`: lanes that want it.
type Wanted = Vec<Vec<usize>>;

/// The fewest and the most steps of CC 1.x, by trying every choice.
pub(crate) fn steps(
    mut wanted: Wanted,
    seen: &mut BTreeMap<Wanted, (usize, usize)>,
) -> (usize, usize) {
    for bank in &mut wanted {
        bank.retain(|&lanes| lanes > 0);
        bank.sort_unstable();
    }
    wanted.retain(|bank| !bank.is_empty());
    wanted.sort_unstable();
    if wanted.is_empty() {
        return (0, 0);
    }
    if let Some(&known) = seen.get(&wanted) {
        return known;
    }
    let (mut least, mut most) = (usize::MAX, 0);
    for next in after_one_step(&wanted) {
        let (few, many) = steps(next, seen);
        least = least.min(few + 1);
        most = most.max(many + 1);
    }
    seen.insert(wanted, (least, most));
    (least, most)
}

/// Every state that one step can lead to.
fn after_one_step(wanted: &Wanted) -> BTreeSet<Wanted> {
    let mut states = BTreeSet::new();
    for broadcasting in 0..wanted.len() {
        for word in 0..wanted[broadcasting].len() {
            let mut partial = vec![Vec::new()];
            for (index, bank) in wanted.iter().enumerate() {
                let choices = if index == broadcasting {
                    vec![served(bank, word, bank[word])]
                } else {
                    let singles = (0..bank.len()).map(|word| served(bank, word, 1));
                    singles.collect::<BTreeSet<_>>().into_iter().collect()
                };
                partial = partial
                    .iter()
                    .flat_map(|state: &Wanted| {
                        choices.iter().map(move |choice| {
                            let mut state = state.clone();
                            state.push(choice.clone());
                            state
                        })
                    })
                    .collect();
            }
            states.extend(partial);
        }
    }
    states
}

/// `bank` after `lanes` lanes of `word` are served, in order.
fn served(bank: &[usize], word: usize, lanes: usize) -> Vec<usize> {
    let mut bank = bank.to_vec();
    bank[word] -= lanes;
    bank.retain(|&lanes| lanes > 0);
    bank.sort_unstable();
    bank
}

/// The counts of a request to global memory.
pub(crate) fn global(id: &str, request: &Request<'_>) -> Option<Global> {
    use Operation::{Load, Store};
    if request.space != Space::Global {
        return None;
    }
    let nvidia = id.starts_with("cc");
    let old = id.starts_with("cc1.") || id.starts_with("cc2.") || id.starts_with("cc3.");
    let (sector, line): (u64, u64) = match id {
        "cdna3" | "cdna4" => (64, 128),
        "rdna3" | "rdna4" | "apple" => (128, 128),
        "gcn" | "intel" => (64, 64),
        "mali" => return None,
        _ => (32, 128),
    };
    match request.operation {
        Load | Store => {}
        operation if operation.is_atomic() && nvidia && !old => {}
        _ => return None,
    }
    let split = match (id, width(request)) {
        ("cc1.0" | "cc1.1" | "cc1.2" | "cc1.3", _)
        | ("cc2.x" | "cc3.x-4byte" | "cc3.x-8byte", 8) => 2,
        ("cc2.x" | "cc3.x-4byte" | "cc3.x-8byte", 16) => 4,
        _ => 1,
    };
    let lanes = lanes(request);
    let mut total = Global::default();
    for requested in (0..64).step_by(warp(id) / split) {
        let served: Vec<&Lane> = lanes
            .iter()
            .filter(|(lane, _)| (requested..requested + warp(id) / split).contains(lane))
            .collect();
        if !served.is_empty() {
            hardware_request(id, request, requested, &served, [sector, line], &mut total);
        }
    }
    total.used = distinct(&lanes.iter().collect::<Vec<_>>(), 1);
    Some(total)
}

/// How many pieces of `bytes` bytes the lanes touch.
fn distinct(served: &[&Lane], bytes: u64) -> u32 {
    let pieces: BTreeSet<u64> = served
        .iter()
        .flat_map(|(_, wanted)| wanted.iter().map(|byte| byte / bytes))
        .collect();
    u32::try_from(pieces.len()).expect("few pieces")
}

/// Adds one hardware request, whose first lane is `first`.
fn hardware_request(
    id: &str,
    request: &Request<'_>,
    first: usize,
    served: &[&Lane],
    [sector, line]: [u64; 2],
    total: &mut Global,
) {
    let whole_lines = matches!(id, "gcn" | "rdna3" | "rdna4" | "apple" | "intel")
        || matches!(id, "cc2.x" | "cc3.x-4byte" | "cc3.x-8byte")
            && request.operation == Operation::Load;
    let small = |bytes: u64| u32::try_from(bytes).expect("few bytes");
    let (units, moved, unit) = match id {
        "cc1.0" | "cc1.1" => {
            let (units, moved) = ordered(request, first, served);
            (units, moved, line)
        }
        "cc1.2" | "cc1.3" => {
            let (units, moved) = shrinking(request, served);
            (units, moved, line)
        }
        _ if request.operation.is_atomic() => {
            let all: Vec<_> = served.iter().map(|(_, bytes)| bytes.clone()).collect();
            let units = passes::sectors(&all);
            (units, units * small(sector), sector)
        }
        _ => {
            let unit = if whole_lines { line } else { sector };
            let units = distinct(served, unit);
            (units, units * small(unit), unit)
        }
    };
    total.requests += 1;
    total.units += units;
    total.moved += moved;
    total.ideal += distinct(served, 1).div_ceil(small(unit));
    total.sectors += distinct(served, sector);
    total.lines += distinct(served, line);
}

/// CC 1.0 and 1.1: transactions and bytes.
fn ordered(request: &Request<'_>, first: usize, served: &[&Lane]) -> (u32, u32) {
    let bytes = width(request);
    let base = |(lane, wanted): &&Lane| {
        i128::from(wanted[0]) - i128::from(bytes) * (*lane as i128 - first as i128)
    };
    let aligned = if bytes == 4 { 64 } else { 128 };
    let bases: BTreeSet<i128> = served.iter().map(base).collect();
    let one = bases.len() == 1 && bases.iter().all(|base| *base >= 0 && base % aligned == 0);
    match bytes {
        4 if one => (1, 64),
        8 if one => (1, 128),
        16 if one => (2, 256),
        _ => (16, 16 * 32),
    }
}

/// CC 1.2 and 1.3: transactions and bytes.
fn shrinking(request: &Request<'_>, served: &[&Lane]) -> (u32, u32) {
    let segment = match width(request) {
        1 => 32,
        2 => 64,
        _ => 128,
    };
    let mut left: Vec<u64> = served.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
    let (mut transactions, mut moved) = (0, 0);
    while let Some(&byte) = left.first() {
        let inside: BTreeSet<u64> = left
            .iter()
            .copied()
            .filter(|other| other / segment == byte / segment)
            .collect();
        left.retain(|byte| !inside.contains(byte));
        let fits = |size: &u64| inside.iter().all(|other| other / size == byte / size);
        let size = [32, 64, 128]
            .into_iter()
            .find(|size| *size <= segment && fits(size));
        transactions += 1;
        moved += u32::try_from(size.unwrap_or(segment)).expect("few bytes");
    }
    (transactions, moved)
}
