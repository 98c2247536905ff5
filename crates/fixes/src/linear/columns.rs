//! Branch and bound over the columns of the banks' part of a linear swizzle.
//!
//! A column says what a bit of a group's number is XORed onto the bank's number with. Groups that agree in all bits whose
//! columns are not chosen yet meet, or do not, whatever those will be: that bounds a phase's wavefronts from below. First the
//! phases in which two groups meet are counted, for all values of a column at once; then, for those values that pass, each
//! phase exactly. Columns that differ by a change of basis of the banks are tried once.

use std::collections::BTreeMap;

use super::banks::Banks;

/// The most lanes that are looked at to find a good swizzle.
const MOST_DESCENT_STEPS: u64 = 8_000_000;

/// The most lanes that are looked at in all.
const MOST_STEPS: u64 = 60_000_000;

/// Lanes that are looked at between two looks at the time.
const STEPS_A_LOOK: u64 = 1 << 16;

/// Starts of the descent besides those that people write.
const SCATTERED_STARTS: u64 = 12;

/// Phases, the heaviest, that a set of bits tells apart.
const MARKED: usize = 128;

/// An XOR of the numbers of two groups of one class.
struct Difference {
    /// Without its highest bit.
    low: u64,
    /// The phases, of those that are marked, that have it.
    phases: u128,
}

/// `[highest bit]`: the differences of the phases that are marked.
fn differences(banks: &Banks) -> Vec<Vec<Difference>> {
    let mut all: BTreeMap<u32, u128> = BTreeMap::new();
    for (at, phase) in banks.phases.iter().take(MARKED).enumerate() {
        for class in &phase.classes {
            for (count, one) in class.iter().enumerate() {
                for other in class.iter().take(count) {
                    *all.entry(one ^ other).or_default() |= 1 << at;
                }
            }
        }
    }
    let mut by_bit: Vec<Vec<Difference>> = (0..banks.group_bits).map(|_| Vec::new()).collect();
    for (difference, phases) in all {
        let Some(bit) = difference.checked_ilog2() else {
            continue;
        };
        if let Some(list) = by_bit.get_mut(bit as usize) {
            list.push(Difference {
                low: u64::from(difference) ^ 1 << bit,
                phases,
            });
        }
    }
    by_bit
}

/// Where a bank's number stands in a list of 64.
fn slot(bank: u64) -> usize {
    usize::try_from(bank & 63).unwrap_or(0)
}

/// A phase, its lanes in one list with the others'.
struct Phase {
    weight: u64,
    /// Where its classes end in the list; it begins where the phase before ends.
    ends: Vec<usize>,
    start: usize,
    /// `[bit]`: whether a column of that bit says more of it: two groups of a class differ there and agree above.
    is_told: Vec<bool>,
}

/// The columns, as they are chosen.
pub(super) struct Columns<'a> {
    bank_bits: u32,
    group_bits: usize,
    phases: Vec<Phase>,
    /// `[lane]`: its group.
    groups: Vec<u32>,
    /// `[lane]`: its bank, as far as columns are chosen.
    banks: Vec<u8>,
    /// `[bit]`: the lanes whose group has it.
    with_bit: Vec<Vec<u32>>,
    differences: Vec<Vec<Difference>>,
    /// Bits in which groups of one class differ.
    wanted: u32,
    columns: Vec<u64>,
    /// What is to be beaten.
    limit: u64,
    /// What all phases take at least.
    ideal: u64,
    steps: u64,
    /// When the time is looked at next.
    next_look: u64,
    is_over: &'a dyn Fn() -> bool,
    /// The best so far, with its wavefronts.
    pub(super) best: Option<(Vec<u64>, u64)>,
}

impl<'a> Columns<'a> {
    pub(super) fn new(banks: &Banks, to_beat: u64, is_over: &'a dyn Fn() -> bool) -> Self {
        let bits = banks.group_bits;
        let mut groups = Vec::new();
        let mut wanted = 0;
        let mut phases = Vec::new();
        for phase in &banks.phases {
            let start = groups.len();
            let (mut ends, mut is_told) = (Vec::new(), vec![false; bits]);
            for class in &phase.classes {
                for pair in class.windows(2) {
                    let apart = pair[0] ^ pair[1];
                    // Sorted, neighbours differ highest where a coset is cut in two.
                    if let Some(told) = is_told.get_mut(apart.ilog2() as usize) {
                        *told = true;
                    }
                }
                wanted |= class.iter().fold(0, |all, group| all | group ^ class[0]);
                groups.extend_from_slice(class);
                ends.push(groups.len());
            }
            phases.push(Phase {
                weight: phase.weight,
                ends,
                start,
                is_told,
            });
        }
        let with_bit = (0..bits).map(|bit| {
            let lanes = (0_u32..).zip(&groups);
            let has = lanes.filter(|(_, group)| *group >> bit & 1 == 1);
            has.map(|(lane, _)| lane).collect()
        });
        Self {
            bank_bits: banks.bank_bits,
            group_bits: bits,
            with_bit: with_bit.collect(),
            banks: vec![0; groups.len()],
            groups,
            differences: differences(banks),
            wanted,
            columns: Vec::new(),
            limit: to_beat,
            ideal: phases.iter().map(|phase| phase.weight).sum(),
            phases,
            steps: 0,
            next_look: 0,
            is_over,
            best: None,
        }
    }

    /// Finds the columns with the fewest wavefronts below what is to be beaten; whether all others were excluded.
    pub(super) fn search(&mut self) -> bool {
        if self.limit > self.ideal {
            self.descend();
        }
        let floors = vec![1; self.phases.len()];
        self.choose(0, &floors, 0).is_some()
    }

    /// Whether the search is at its limit.
    fn is_ended(&mut self) -> bool {
        if self.steps >= self.next_look {
            self.next_look = self.steps + STEPS_A_LOOK;
            if (self.is_over)() {
                self.steps = MOST_STEPS;
            }
        }
        self.steps >= MOST_STEPS
    }

    /// XORs `value` onto the banks of all lanes whose group has `bit`.
    fn toggle(&mut self, bit: usize, value: u64) {
        let value = u8::try_from(value).unwrap_or(0);
        let lanes = self.with_bit.get(bit).map_or(&[][..], Vec::as_slice);
        self.steps += lanes.len() as u64 / 8;
        for lane in lanes {
            if let Some(bank) = self.banks.get_mut(*lane as usize) {
                *bank ^= value;
            }
        }
    }

    /// What a phase takes at least, where the columns of the lowest `known` bits are chosen.
    fn floor(&mut self, phase: usize, known: u32) -> u32 {
        let Some(phase) = self.phases.get(phase) else {
            return 1;
        };
        let (mut most, mut start) = (1_u8, phase.start);
        for end in &phase.ends {
            let lanes = self.groups.get(start..*end).unwrap_or(&[]);
            let banks = self.banks.get(start..*end).unwrap_or(&[]);
            let mut counts = [0_u8; 64];
            let mut coset = None;
            for (group, bank) in lanes.iter().zip(banks) {
                let own = group.checked_shr(known).unwrap_or(0);
                if coset.is_some_and(|coset| coset != own) {
                    counts = [0; 64];
                }
                coset = Some(own);
                let count = &mut counts[usize::from(*bank & 63)];
                // A phase has 64 lanes at most.
                *count = count.saturating_add(1);
                most = most.max(*count);
            }
            self.steps += lanes.len() as u64;
            start = *end;
        }
        most.into()
    }

    /// What all columns chosen take, as far as it stays below the limit.
    fn total(&mut self) -> Option<u64> {
        let mut total = self.ideal;
        for phase in 0..self.phases.len() {
            let more = u64::from(self.floor(phase, u32::MAX)) - 1;
            total += more * self.phases.get(phase).map_or(0, |phase| phase.weight);
            if total >= self.limit {
                return None;
            }
        }
        Some(total)
    }

    fn keep(&mut self, columns: Vec<u64>, total: u64) {
        self.limit = total;
        self.best = Some((columns, total));
    }

    /// Improves one column after the other from several starts, so that bounds are low from the beginning.
    fn descend(&mut self) {
        let bits = u64::from(self.bank_bits);
        let own = |bit: u64| if bit < bits { 1 << bit } else { 0 };
        let plain: Vec<u64> = (0..self.group_bits as u64).map(own).collect();
        let with = |value: &dyn Fn(u64) -> u64| -> Vec<u64> {
            let start = (0..).zip(&plain);
            let column =
                |(bit, own): (u64, &u64)| if bit < bits { *own } else { value(bit - bits) };
            start.map(column).collect()
        };
        let mut starts = vec![
            plain.clone(),
            with(&|bit| 1 << (bit % bits.max(1))),
            with(&|bit| 1 << (bits.saturating_sub(1) - bit % bits.max(1))),
        ];
        for seed in 1..=SCATTERED_STARTS {
            let scattered = |bit: u64| {
                let mixed = (seed << 8 | bit).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                mixed >> 40 & ((1 << bits) - 1)
            };
            starts.push(with(&scattered));
        }
        for start in starts {
            self.descend_from(start);
        }
    }

    fn descend_from(&mut self, mut columns: Vec<u64>) {
        let limit = self.limit;
        for (bit, column) in columns.iter().enumerate() {
            self.toggle(bit, *column);
        }
        // A start may be worse than what is to be beaten.
        self.limit = u64::MAX;
        let mut least = self.total().unwrap_or(u64::MAX);
        let mut is_better = true;
        while is_better && self.steps < MOST_DESCENT_STEPS && !self.is_ended() {
            is_better = false;
            let first = self.bank_bits as usize;
            for (bit, column) in columns.iter_mut().enumerate().skip(first) {
                for value in 0..1_u64 << self.bank_bits {
                    let old = *column;
                    self.toggle(bit, old ^ value);
                    self.limit = least;
                    match self.total() {
                        Some(total) => {
                            least = total;
                            *column = value;
                            is_better = true;
                        }
                        None => self.toggle(bit, old ^ value),
                    }
                }
            }
        }
        for (bit, column) in columns.iter().enumerate() {
            self.toggle(bit, *column);
        }
        self.limit = limit;
        if least < limit {
            self.keep(columns, least);
        }
    }

    /// Chooses the columns from the one after those chosen on; `rank` of the banks' dimensions are reached so far, `floors`
    /// is what each phase takes at least, and in those that `met` marks two groups meet. `None` at the limit of the search.
    fn choose(&mut self, rank: u32, floors: &[u32], met: u128) -> Option<()> {
        let at = self.columns.len();
        if at == self.group_bits {
            let total = self.sum(floors);
            if total < self.limit {
                self.keep(self.columns.clone(), total);
            }
            return Some(());
        }
        let reached = 1_u64 << rank;
        let fresh = (rank < self.bank_bits).then_some(reached);
        let is_own = at < self.bank_bits as usize;
        let is_wanted = self.wanted >> at & 1 == 1;
        let own = fresh.filter(|_| is_own).into_iter();
        let old = 0..if is_wanted { reached } else { 1 };
        let late = fresh.filter(|_| !is_own && is_wanted);
        let meeting = self.meeting(at);
        for value in own.chain(old).chain(late) {
            if self.limit <= self.ideal {
                return Some(());
            }
            let met = met | meeting.get(slot(value)).copied().unwrap_or(0);
            if self.ideal + self.weight(met) >= self.limit {
                continue;
            }
            self.toggle(at, value);
            self.columns.push(value);
            let more = self.floors(floors, at);
            let chosen = match more {
                Some(more) => self.choose(rank + u32::from(value == reached), &more, met),
                None => Some(()),
            };
            self.columns.pop();
            self.toggle(at, value);
            chosen?;
            if self.is_ended() {
                return None;
            }
            // What no difference has is chosen once.
            if !is_wanted {
                break;
            }
        }
        Some(())
    }

    /// `[value]`: the marked phases in which two groups meet that differ highest in bit `at`, where its column is the value.
    fn meeting(&mut self, at: usize) -> [u128; 64] {
        let mut meeting = [0; 64];
        let differences = self.differences.get(at).map_or(&[][..], Vec::as_slice);
        self.steps += differences.len() as u64;
        for difference in differences {
            let (mut rest, mut image) = (difference.low, 0);
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                image ^= self.columns.get(bit).copied().unwrap_or(0);
                rest &= rest - 1;
            }
            meeting[slot(image)] |= difference.phases;
        }
        meeting
    }

    /// What the marked phases add where each takes a wavefront more.
    fn weight(&self, mut marked: u128) -> u64 {
        let mut weight = 0;
        while marked != 0 {
            let at = marked.trailing_zeros() as usize;
            weight += self.phases.get(at).map_or(0, |phase| phase.weight);
            marked &= marked - 1;
        }
        weight
    }

    /// What each phase takes at least with the column of bit `at`, the last that was chosen; `None` where that is no less than
    /// what is to be beaten.
    fn floors(&mut self, floors: &[u32], at: usize) -> Option<Vec<u32>> {
        let known = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let mut floors = floors.to_vec();
        let mut total = self.sum(&floors);
        for phase in 0..floors.len() {
            let told = self.phases.get(phase).map(|one| {
                let is_told = one.is_told.get(at).copied().unwrap_or(false);
                (is_told, one.weight)
            });
            let Some((true, weight)) = told else { continue };
            let floor = self.floor(phase, known);
            let old = std::mem::replace(floors.get_mut(phase)?, floor);
            total += u64::from(floor.saturating_sub(old)) * weight;
            if total >= self.limit {
                return None;
            }
        }
        Some(floors)
    }

    fn sum(&self, floors: &[u32]) -> u64 {
        let weighted = self.phases.iter().zip(floors);
        weighted
            .map(|(phase, floor)| phase.weight * u64::from(*floor))
            .sum()
    }
}
