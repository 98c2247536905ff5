//! All linear swizzles at once.
//!
//! A swizzle that is linear over F2 and keeps aligned groups of bytes whole sends the bits of a
//! group's number to the bits of its place. Two groups meet in the same banks exactly where the
//! bank part of the map, a matrix C of k rows, sends the XOR of their numbers to 0. So a swizzle
//! frees a set of requests exactly where C sends none of their differences to 0; and any C that
//! does so can be completed to a permutation. C is chosen column by column, lowest bit first: the
//! differences whose highest bit is the column's say which of its 2^k values are excluded. Columns
//! that differ by a change of basis of the banks are tried once.

use std::collections::BTreeSet;

use lanescope_model::{LaneMask, PhaseReport};

use super::{Change, MAX_TILE_BYTES, Proof, Remedy, Search, Undecided, requests};
use crate::{LaneRequest, Placement, Stage, XorMode};

/// The most columns that are tried.
const MAX_TRIED: usize = 2_000_000;

/// What the banks look like to all requests.
struct Banks {
    /// Bits of a group's number that say which banks it lies in.
    bank_bits: u32,
    /// Bytes of a group.
    group_bytes: u64,
    /// XORs of the numbers of two groups that must not meet.
    differences: BTreeSet<u64>,
}

impl Search<'_> {
    /// A linear swizzle that is free, or what is known of them.
    pub(super) fn linear(&self, tried: usize) -> (Option<Remedy>, Proof) {
        let undecided = |reason| (None, Proof::Undecided { tried, reason });
        if self.plain.extent_bytes() > MAX_TILE_BYTES {
            return undecided(Undecided::TileTooLong);
        }
        let Some(banks) = self.banks() else {
            return undecided(Undecided::Device);
        };
        let mut columns = Columns::new(&banks);
        match columns.choose(0) {
            None => undecided(Undecided::TooManyMaps),
            Some(false) => {
                let proof = Proof::NoneIsFree {
                    tried,
                    excluded: columns.tried,
                    group_bytes: banks.group_bytes,
                };
                (None, proof)
            }
            Some(true) => {
                let found = self.completed(&banks, columns.chosen);
                match found {
                    Some(remedy) => (Some(remedy), Proof::Cheapest { tried }),
                    None => undecided(Undecided::Device),
                }
            }
        }
    }

    /// The differences that no swizzle may send to the same banks; `None` where the device's
    /// banks do not look the same to all requests.
    fn banks(&self) -> Option<Banks> {
        let word = u64::from(self.device.bank_bytes()?);
        let round = self.round_bytes();
        let group_bytes = self.alignment_bytes.max(word);
        if !round.is_power_of_two() {
            return None;
        }
        let mut differences = BTreeSet::new();
        for (access, span) in self.accesses {
            for request in requests(access, span, &self.plain).ok()? {
                let report = self.device.shared_report(&request.request()).ok()?;
                let is_round = u64::from(report.banks) * u64::from(report.bank_bytes) == round;
                if !is_round || !self.words_a_round_apart_conflict(&request, &report.phases) {
                    return None;
                }
                let base = self.plain.base();
                let bytes = request.width.bytes();
                for phase in &report.phases {
                    let lanes: Vec<(u64, u64, u64)> = phase
                        .active
                        .iter()
                        .filter_map(|lane| request.addresses.get(lane))
                        .map(|address| {
                            let offset = address.saturating_sub(base);
                            let first = offset % group_bytes / word;
                            let last = (offset % group_bytes + bytes - 1) / word;
                            (offset / group_bytes, first, last)
                        })
                        .collect();
                    meetings(&lanes, &mut differences);
                }
            }
        }
        let bank_bits = (round / group_bytes).max(1).ilog2();
        Some(Banks {
            bank_bits,
            group_bytes,
            differences,
        })
    }

    /// Whether two lanes of one phase conflict on words that lie once round the banks apart: not
    /// where a bank delivers two words at once.
    fn words_a_round_apart_conflict(&self, request: &LaneRequest, phases: &[PhaseReport]) -> bool {
        let pairs = phases.iter().map(|phase| {
            let mut lanes = phase.active.iter();
            lanes.next().zip(lanes.next())
        });
        pairs.flatten().all(|(first, second)| {
            let mut probe = request.clone();
            probe.active = LaneMask(1 << first | 1 << second);
            probe.addresses.fill(0);
            if let Some(address) = probe.addresses.get_mut(second) {
                *address = self.round_bytes();
            }
            let counts = self.device.shared_counts(&probe.request());
            counts.is_ok_and(|counts| counts.conflicts > 0)
        })
    }

    /// The swizzle whose bank part has these columns, completed to a permutation, if it is free.
    fn completed(&self, banks: &Banks, mut columns: Vec<u64>) -> Option<Remedy> {
        let last_group = (self.plain.extent_bytes() - 1) / banks.group_bytes;
        let bits = (u64::BITS - last_group.leading_zeros()).max(banks.bank_bits) as usize;
        columns.resize(columns.len().max(bits), 0);
        let places = permutation(&mut columns, banks.bank_bits);
        let element = self.plain.element_bytes();
        let together = banks.group_bytes / element.min(banks.group_bytes);
        let low = (0..together.ilog2()).map(|bit| 1 << bit);
        let steps: Vec<u64> = low
            .chain(places.iter().map(|place| place * together))
            .collect();
        let extent = 1_u64.checked_shl(u32::try_from(steps.len()).ok()?)?;
        let modes = XorMode::merged(&[extent], &steps);
        let map = self.plain.map().clone().then(Stage::Xor(modes.clone()));
        let placement = Placement::new(map, element, self.plain.base()).ok()?;
        let costs = self.costs(&placement, u64::MAX)?;
        let remedy = self.remedy(Change::Linear(modes), placement, costs);
        remedy.is_free().then_some(remedy)
    }
}

/// Puts the differences of lanes in different groups that want some of the same words of a group:
/// `(group, first word, last word)`.
fn meetings(lanes: &[(u64, u64, u64)], differences: &mut BTreeSet<u64>) {
    for (at, (group, first, last)) in lanes.iter().enumerate() {
        for (other, its_first, its_last) in lanes.iter().take(at) {
            if group != other && first <= its_last && its_first <= last {
                differences.insert(group ^ other);
            }
        }
    }
}

/// The columns of a bank part, as they are chosen.
struct Columns<'a> {
    bank_bits: u32,
    /// `[column]`: the differences whose highest bit it is, without that bit.
    by_column: Vec<Vec<u64>>,
    differences: &'a BTreeSet<u64>,
    chosen: Vec<u64>,
    tried: usize,
}

impl<'a> Columns<'a> {
    fn new(banks: &'a Banks) -> Self {
        let highest = banks.differences.last().map_or(0, |last| last.ilog2() + 1);
        let mut by_column = vec![Vec::new(); highest as usize];
        for difference in &banks.differences {
            let bit = difference.ilog2();
            if let Some(column) = by_column.get_mut(bit as usize) {
                column.push(difference ^ 1 << bit);
            }
        }
        Self {
            bank_bits: banks.bank_bits,
            by_column,
            differences: &banks.differences,
            chosen: Vec::new(),
            tried: 0,
        }
    }

    /// Chooses the columns from the one after those chosen on; `rank` of the banks' dimensions are
    /// reached so far. Whether there is a choice; `None` at the limit.
    fn choose(&mut self, rank: u32) -> Option<bool> {
        let at = self.chosen.len();
        let Some(lower) = self.by_column.get(at) else {
            return Some(true);
        };
        let mut excluded = 0_u64;
        for difference in lower {
            excluded |= 1 << crate::bit_matrix::image(&self.chosen, *difference);
        }
        let is_wanted = self
            .differences
            .iter()
            .any(|difference| difference >> at & 1 == 1);
        let reached = 1_u64 << rank;
        let fresh = (rank < self.bank_bits).then_some(reached);
        // The next dimension first where the columns so far are the banks' own bits; else 0.
        let is_own = at < self.bank_bits as usize;
        let own = fresh.filter(|_| is_own).into_iter();
        let old = 0..if is_wanted { reached } else { 1 };
        let late = fresh.filter(|_| !is_own && is_wanted);
        for value in own.chain(old).chain(late) {
            if excluded >> value & 1 == 1 {
                continue;
            }
            self.tried += 1;
            if self.tried > MAX_TRIED {
                return None;
            }
            self.chosen.push(value);
            let grown = rank + u32::from(value == reached);
            if self.choose(grown)? {
                return Some(true);
            }
            self.chosen.pop();
        }
        Some(false)
    }
}

/// The one-to-one map over F2 whose lowest `bank_bits` rows have these columns: for each bit of a
/// group's number, the bits of its place. The columns are made of full rank where they are not, and
/// every bit that they do not give back stands above.
#[must_use]
pub fn permutation(columns: &mut [u64], bank_bits: u32) -> Vec<u64> {
    let mut pivots = Vec::new();
    let mut reduced: Vec<u64> = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let rest = reduce(&reduced, *column);
        if rest != 0 {
            reduced.push(rest);
            pivots.push(at);
        }
    }
    for bit in 0..bank_bits {
        if reduce(&reduced, 1 << bit) == 0 {
            continue;
        }
        let spare = (0..columns.len()).find(|at| !pivots.contains(at));
        if let Some(at) = spare
            && let Some(column) = columns.get_mut(at)
        {
            reduced.push(reduce(&reduced, 1 << bit));
            *column ^= 1 << bit;
            pivots.push(at);
        }
    }
    let mut next = 1_u64 << bank_bits;
    let place = |(at, column): (usize, &u64)| {
        if pivots.contains(&at) {
            *column
        } else {
            next *= 2;
            column | (next / 2)
        }
    };
    columns.iter().enumerate().map(place).collect()
}

/// What is left of a vector after those with other leading bits are taken out of it.
fn reduce(reduced: &[u64], vector: u64) -> u64 {
    reduced.iter().fold(vector, |rest, other| {
        if rest & 1_u64.wrapping_shl(other.ilog2()) == 0 {
            rest
        } else {
            rest ^ other
        }
    })
}
