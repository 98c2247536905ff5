//! Asynchronous copies, from their definition.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_model::{AsyncCache, AsyncCopy};

/// What an asynchronous copy costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Copies {
    pub(crate) wavefronts: u32,
    pub(crate) is_exact: bool,
    pub(crate) conflicts: u32,
    pub(crate) sectors: u32,
    pub(crate) page_sectors: u32,
    pub(crate) has_rivals: bool,
}

/// One lane: its destination and its source.
type Lane = (u64, u64);

fn count(of: usize) -> u32 {
    u32::try_from(of).expect("few")
}

/// The lanes of `mask` from `first` on that have both addresses.
fn lanes(copy: &AsyncCopy<'_>, mask: u64, first: usize, len: usize) -> Vec<Lane> {
    (first..first + len)
        .filter(|lane| mask >> lane & 1 == 1)
        .filter_map(|lane| Some((*copy.destinations.get(lane)?, *copy.sources.get(lane)?)))
        .collect()
}

/// What `copy` costs a device that has the instruction; `None` where it has no such width.
pub(crate) fn copies(copy: &AsyncCopy<'_>) -> Option<Copies> {
    let width = copy.width.bytes();
    let phase = match (copy.cache, width) {
        (AsyncCache::All, 4) => 32,
        (AsyncCache::All, 8) => 16,
        (_, 16) => 8,
        _ => return None,
    };
    let mut all = Copies {
        is_exact: true,
        ..Copies::default()
    };
    for warp in [0, 32] {
        let reading = lanes(copy, copy.active.0 & copy.reads.0, warp, 32);
        match copy.cache {
            AsyncCache::All => {
                for first in (warp..warp + 32).step_by(phase) {
                    let on = lanes(copy, copy.active.0, first, phase);
                    let place = |address: u64| address % 128 / width;
                    let met = |one: &Lane| {
                        let meets = |other: &&Lane| {
                            place(one.0) == place(other.0) || place(one.1) == place(other.1)
                        };
                        count(on.iter().filter(meets).count())
                    };
                    let most = on.iter().map(met).max();
                    all.wavefronts += most.unwrap_or(0);
                    all.conflicts += most.map_or(0, |most| most - 1);
                }
                let sectors: BTreeSet<u64> = reading.iter().map(|lane| lane.1 / 32).collect();
                all.sectors += count(sectors.len());
                all.page_sectors += count(sectors.len());
            }
            AsyncCache::PastL1 => {
                let (written, _) = lowest(&lanes(copy, copy.active.0, warp, 32));
                let (wavefronts, is_exact) = least_wavefronts(&written);
                all.wavefronts += wavefronts;
                all.is_exact &= is_exact;
                let (read, has_rivals) = lowest(&reading);
                all.has_rivals |= has_rivals;
                let pair = |lane: &Lane| (lane.0 / 32, lane.1 / 128);
                let pairs: BTreeSet<_> = read.iter().map(pair).collect();
                all.sectors += count(pairs.len());
                all.page_sectors += count(triples(&read).len());
            }
        }
    }
    Some(all)
}

/// Of lanes that write the same 16 bytes the lowest, and whether any such lanes have other sources.
fn lowest(lanes: &[Lane]) -> (Vec<Lane>, bool) {
    let mut places: BTreeMap<u64, Vec<Lane>> = BTreeMap::new();
    for lane in lanes {
        places.entry(lane.0 / 16).or_default().push(*lane);
    }
    let has_rivals = places.values().any(|rivals| {
        let sources: BTreeSet<u64> = rivals.iter().map(|lane| lane.1 / 16).collect();
        sources.len() > 1
    });
    (
        places.values().map(|rivals| rivals[0]).collect(),
        has_rivals,
    )
}

/// (unit, sector, exchanged) with the halves of the unit that are written.
fn triples(lanes: &[Lane]) -> BTreeMap<(u64, u64, bool), BTreeSet<u64>> {
    let mut triples: BTreeMap<_, BTreeSet<u64>> = BTreeMap::new();
    for (to, from) in lanes {
        let is_exchanged = (to / 16 + from / 16) % 2 == 1;
        let halves = triples.entry((to / 32, from / 32, is_exchanged));
        halves.or_default().insert(to / 16 % 2);
    }
    triples
}

/// The lower bound, and whether no two groups have the same lines.
fn least_wavefronts(lanes: &[Lane]) -> (u32, bool) {
    let mut groups: BTreeMap<_, Vec<(u64, u64)>> = BTreeMap::new();
    for ((unit, sector, is_exchanged), halves) in triples(lanes) {
        let parity = (unit + sector) % 2;
        let lines = (unit / 4, sector / 4);
        let group = groups.entry((lines, is_exchanged, halves, parity));
        group.or_default().push((unit, sector));
    }
    let cost = |group: &Vec<(u64, u64)>| {
        let of_unit = |unit: u64| group.iter().filter(|one| one.0 == unit).count();
        let of_sector = |sector: u64| group.iter().filter(|one| one.1 == sector).count();
        let most = group
            .iter()
            .map(|(unit, sector)| of_unit(*unit).max(of_sector(*sector)));
        count(most.max().expect("a group has a triple"))
    };
    let lines: BTreeSet<_> = groups.keys().map(|group| group.0).collect();
    (groups.values().map(cost).sum(), lines.len() == groups.len())
}
