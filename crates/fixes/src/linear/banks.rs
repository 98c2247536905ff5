//! What the banks see of all requests to one array: the groups of bytes that are served together.

use std::collections::BTreeMap;

use lanescope_model::Device;

use super::MOST_LINEAR_BYTES;
use crate::{Pattern, Shape};

/// The most bits of a bank's number.
const MOST_BANK_BITS: u32 = 6;

/// The most lanes of different phases.
const MOST_LANES: usize = 1 << 16;

/// Lanes of one phase that want the same word of their groups: the numbers of those groups, ascending, each once.
pub(super) type Class = Vec<u32>;

/// Lanes that are served together.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    /// How often it runs.
    pub(super) weight: u64,
    /// Its lanes by the word of the group that they want: it takes as many wavefronts as groups of one class share a bank.
    pub(super) classes: Vec<Class>,
}

/// What the banks see of all requests.
#[derive(Clone, Debug)]
pub(super) struct Banks {
    /// Bits of a group's number that say in which banks it lies.
    pub(super) bank_bits: u32,
    /// Bits of a group's number.
    pub(super) group_bits: usize,
    /// Bytes of a group.
    pub(super) group_bytes: u64,
    /// Phases that no translation makes another, the costliest first.
    pub(super) phases: Vec<Phase>,
}

impl Banks {
    /// `None` where the array is too long, or the banks are not those of this model: words that any number of lanes may share,
    /// and phases that depend on lanes alone.
    pub(super) fn of(device: &Device, shape: &Shape, patterns: &[Pattern]) -> Option<Self> {
        let element = shape.element_bytes();
        let bytes = shape.size().checked_mul(element)?;
        let word = u64::from(device.bank_bytes()?);
        let widest = patterns.iter().map(|pattern| pattern.width.bytes()).max()?;
        let group_bytes = word.max(element).max(widest);
        let is_whole = group_bytes.is_power_of_two()
            && element.is_power_of_two()
            && word.is_power_of_two()
            && bytes.is_multiple_of(group_bytes);
        if bytes > MOST_LINEAR_BYTES || !is_whole {
            return None;
        }
        let mut round = None;
        let mut phases: BTreeMap<Vec<Class>, u64> = BTreeMap::new();
        let mut lanes = 0;
        for pattern in patterns {
            let report = device.shared_report(&pattern.request()).ok()?;
            let own = u64::from(report.banks) * u64::from(report.bank_bytes);
            if *round.get_or_insert(own) != own || u64::from(report.bank_bytes) != word {
                return None;
            }
            let phases_of = report.phases.iter();
            for phase in phases_of.filter(|phase| !phase.active.is_empty()) {
                let offsets = phase
                    .active
                    .iter()
                    .filter_map(|lane| pattern.offsets.get(lane));
                let classes = classes(offsets, group_bytes, word, pattern.width.bytes())?;
                let bank = |group: &u32| u64::from(*group) % (own / group_bytes).max(1);
                if most_alike(&classes, bank) != phase.wavefronts {
                    return None;
                }
                lanes += classes.iter().map(Vec::len).sum::<usize>();
                *phases.entry(translated(classes)).or_default() += pattern.weight;
                if lanes > MOST_LANES {
                    return None;
                }
            }
        }
        let across = (round? / group_bytes).max(1);
        let groups = bytes / group_bytes;
        let group_bits = groups.next_power_of_two().trailing_zeros();
        let bank_bits = across.ilog2();
        let fits =
            across.is_power_of_two() && bank_bits <= MOST_BANK_BITS && bank_bits < group_bits;
        let mut phases: Vec<Phase> = phases
            .into_iter()
            .map(|(classes, weight)| Phase { weight, classes })
            .collect();
        phases.sort_by_key(|phase| std::cmp::Reverse(phase.weight));
        fits.then_some(Self {
            bank_bits,
            group_bits: group_bits as usize,
            group_bytes,
            phases,
        })
    }
}

/// The groups of lanes at these offsets, by the words that they want; `None` where an access is of several groups.
fn classes<'o>(
    offsets: impl Iterator<Item = &'o u64>,
    group_bytes: u64,
    word: u64,
    width: u64,
) -> Option<Vec<Class>> {
    let mut by_word: BTreeMap<u64, Class> = BTreeMap::new();
    for offset in offsets {
        let (group, within) = (offset / group_bytes, offset % group_bytes);
        if within + width > group_bytes {
            return None;
        }
        let group = u32::try_from(group).ok()?;
        for wanted in within / word..=(within + width - 1) / word {
            by_word.entry(wanted).or_default().push(group);
        }
    }
    let mut classes: Vec<Class> = by_word.into_values().collect();
    for class in &mut classes {
        class.sort_unstable();
        class.dedup();
    }
    // Alike classes cost the same.
    classes.sort();
    classes.dedup();
    Some(classes)
}

/// The same with the first group at 0: an XOR of all numbers is one of all banks.
fn translated(mut classes: Vec<Class>) -> Vec<Class> {
    let first = classes.iter().flatten().min().copied().unwrap_or(0);
    for class in &mut classes {
        for group in class.iter_mut() {
            *group ^= first;
        }
        class.sort_unstable();
    }
    classes.sort();
    classes
}

/// The most groups of one class in one bank, at least 1.
fn most_alike(classes: &[Class], bank: impl Fn(&u32) -> u64) -> u32 {
    let mut most = 1;
    for class in classes {
        let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
        for group in class {
            let count = counts.entry(bank(group)).or_default();
            *count += 1;
            most = most.max(*count);
        }
    }
    most
}
