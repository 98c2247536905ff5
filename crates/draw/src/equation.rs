//! The address arithmetic of one lane in one line: from the element to its bank, or to its sector.

use std::fmt::Write as _;

use lanescope_locale::picture::Units;
use lanescope_model::{BankUse, GlobalReport, PhaseReport, SharedReport};

/// An array that a lane is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayPlace<'a> {
    /// Its name; empty where the source gives it none.
    pub name: &'a str,
    /// Address of its first byte.
    pub base: u64,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// Elements of each dimension, the outermost first; empty when only the launch knows its size.
    pub extents: &'a [u64],
}

/// What one lane asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanePlace<'a> {
    /// The lane.
    pub lane: usize,
    /// Its byte address.
    pub address: u64,
    /// Bytes that it wants.
    pub bytes: u64,
    /// The address that bytes, sectors and lines of global memory are counted from: a multiple of a line.
    pub origin: u64,
    /// The array, where that is known.
    pub array: Option<ArrayPlace<'a>>,
}

/// A lane's address resolved to its banks or sectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The phase that serves the lane and the number of phases, both from 1; `None` where there is one phase.
    pub phase: Option<(usize, usize)>,
    /// The arithmetic, as in `lane 5: tile[5][0] → word 5·32 + 0 = 160 → 160 mod 32 = bank 0`.
    pub text: String,
    /// The bank or sector in which most other lanes meet this one.
    pub place: u64,
    /// Other active lanes that want the very same words, or bytes of the same sector.
    pub sharing: u32,
    /// Other active lanes that want other words of the same bank in the same phase; 0 for global memory.
    pub competing: u32,
}

/// The equation of a lane in a request to shared memory; `None` where the lane takes no part.
///
/// The modulus is claimed only where the report agrees with it: a device may map words to banks otherwise.
#[must_use]
pub fn bank_equation(report: &SharedReport, of: &LanePlace<'_>, units: &Units) -> Option<Equation> {
    let (index, phase) = report
        .phases
        .iter()
        .enumerate()
        .find(|(_, phase)| phase.active.contains(of.lane))?;
    let mine = |bank: &&BankUse| bank.words.iter().any(|word| word.lanes.contains(of.lane));
    let banks: Vec<&BankUse> = phase.banks.iter().filter(mine).collect();
    let busiest = banks.iter().max_by_key(|bank| bank.wavefronts)?;
    let bank_bytes = u64::from(report.bank_bytes.max(1));
    let first = of.address / bank_bytes;
    let last = of.address.saturating_add(of.bytes.max(1) - 1) / bank_bytes;
    let mut text = lead(of, units);
    text.push_str(&word_steps(of, bank_bytes, [first, last], units));
    text.push_str(&bank_step(report, &banks, [first, last], units));
    let (sharing, competing) = meeting(phase, busiest, of.lane);
    Some(Equation {
        phase: (report.phases.len() > 1).then_some((index + 1, report.phases.len())),
        text,
        place: busiest.bank.into(),
        sharing,
        competing,
    })
}

/// The equation of a lane in a request to global memory; `None` where the lane takes no part.
#[must_use]
pub fn sector_equation(
    report: &GlobalReport,
    of: &LanePlace<'_>,
    units: &Units,
) -> Option<Equation> {
    let mut found = report.lines.iter().flat_map(|line| {
        line.sectors
            .iter()
            .filter(|sector| sector.lanes.contains(of.lane))
            .map(move |sector| (line, sector))
    });
    let (line, sector) = found.next()?;
    let origin = origin(report, of);
    let from_origin = |address: u64| address.saturating_sub(origin);
    let last = found.last().map_or(sector, |(_, last)| last);
    let mut text = lead(of, units);
    let array = of
        .array
        .filter(|array| !array.name.is_empty() && array.base <= of.address);
    if let Some(array) = array {
        let offset = of.address.saturating_sub(array.base);
        let index = offset / array.element_bytes.max(1);
        let _ = write!(text, "{} {index}·{}", units.byte, array.element_bytes);
        let before = array.base.saturating_sub(origin);
        if before > 0 {
            let _ = write!(text, " + {before}");
        }
        let rest = offset % array.element_bytes.max(1);
        if rest > 0 {
            let _ = write!(text, " + {rest}");
        }
        let _ = write!(text, " = {}", from_origin(of.address));
    } else {
        let _ = write!(text, "{} {}", units.byte, from_origin(of.address));
    }
    let bytes = u64::from(sector.bytes.max(1));
    let (first, end) = (
        from_origin(sector.address) / bytes,
        from_origin(last.address) / bytes,
    );
    let _ = write!(
        text,
        " → ÷ {bytes} = {} {}",
        units.sector,
        range(first, end)
    );
    let line_bytes = u64::from(line.bytes.max(1));
    if line_bytes > bytes {
        let _ = write!(
            text,
            " → ÷ {line_bytes} = {} {}",
            units.line,
            from_origin(line.address) / line_bytes
        );
    }
    Some(Equation {
        phase: None,
        text,
        place: first,
        sharing: sector.lanes.count().saturating_sub(1),
        competing: 0,
    })
}

/// Where numbers of global memory count from; 0 unless that is a line's beginning before all that is touched.
fn origin(report: &GlobalReport, of: &LanePlace<'_>) -> u64 {
    let line = u64::from(report.line_bytes.max(1));
    let touched = report.lines.iter().map(|line| line.address);
    let lowest = touched.chain(of.array.map(|array| array.base)).min();
    let is_origin = of.origin.is_multiple_of(line) && lowest.is_some_and(|one| one >= of.origin);
    if is_origin { of.origin } else { 0 }
}

/// `lane 5: tile[5][0] → `
fn lead(of: &LanePlace<'_>, units: &Units) -> String {
    let mut text = format!("{} {}{}", units.lane, of.lane, units.colon);
    if let Some(element) = of.array.and_then(|array| element(&array, of.address)) {
        text.push_str(&element);
        text.push_str(" → ");
    }
    text
}

/// The element at `address` as the source would name it: `tile[5][0]`. `None` outside the array.
fn element(array: &ArrayPlace<'_>, address: u64) -> Option<String> {
    if array.name.is_empty() {
        return None;
    }
    let indices = indices(array, address)?;
    let mut text = array.name.to_owned();
    for index in indices {
        let _ = write!(text, "[{index}]");
    }
    Some(text)
}

/// The indices of the element at `address`, the outermost first.
fn indices(array: &ArrayPlace<'_>, address: u64) -> Option<Vec<u64>> {
    let offset = address.checked_sub(array.base)?;
    let mut rest = offset.checked_div(array.element_bytes)?;
    let mut indices = Vec::new();
    for extent in array.extents.iter().skip(1).rev() {
        indices.push(rest.checked_rem(*extent)?);
        rest /= extent;
    }
    if array.extents.first().is_some_and(|extent| rest >= *extent) {
        return None;
    }
    indices.push(rest);
    indices.reverse();
    Some(indices)
}

/// `word 5·32 + 0 = 160`, or by way of the byte where an element is no word.
fn word_steps(
    of: &LanePlace<'_>,
    bank_bytes: u64,
    [first, last]: [u64; 2],
    units: &Units,
) -> String {
    let (byte, word) = (units.byte, units.word);
    let words = range(first, last);
    let is_word = |array: &ArrayPlace<'_>| {
        array.element_bytes == bank_bytes
            && array.base.is_multiple_of(bank_bytes)
            && array.extents.len() > 1
            && !array.name.is_empty()
    };
    let sum = of
        .array
        .filter(|array| is_word(array) && first == last)
        .and_then(|array| Some((array, indices(&array, of.address)?)));
    match sum {
        Some((array, indices)) => {
            let sum = sum_of(&array, &indices, array.base / bank_bytes);
            format!("{word} {sum} = {words}")
        }
        None if bank_bytes == 1 => format!("{byte} {}", of.address),
        None => format!("{byte} {} → ÷ {bank_bytes} = {word} {words}", of.address),
    }
}

/// `64 + 5·32 + 0`: each index times the elements that it skips, after the words before the array.
fn sum_of(array: &ArrayPlace<'_>, indices: &[u64], before: u64) -> String {
    let mut terms = Vec::new();
    if before > 0 {
        terms.push(before.to_string());
    }
    for (dimension, index) in indices.iter().enumerate() {
        let inner = array.extents.get(dimension + 1..).unwrap_or_default();
        let stride = inner
            .iter()
            .fold(1_u64, |all, one| all.saturating_mul(*one));
        terms.push(if inner.is_empty() {
            index.to_string()
        } else {
            format!("{index}·{stride}")
        });
    }
    terms.join(" + ")
}

/// ` → 160 mod 32 = bank 0`; without the modulus where the device's banks follow another rule.
fn bank_step(
    report: &SharedReport,
    banks: &[&BankUse],
    [first, last]: [u64; 2],
    units: &Units,
) -> String {
    let modulus = u64::from(report.banks.max(1));
    let numbers: Vec<u64> = banks.iter().map(|bank| bank.bank.into()).collect();
    let span = last.saturating_sub(first);
    let [from, to] = [first % modulus, last % modulus];
    // In order, so that nothing has to be sorted: a sort weighs more than all else here.
    let expected: Vec<u64> = if from <= to {
        (from..=to).collect()
    } else {
        (0..=to).chain(from..modulus).collect()
    };
    let named = match numbers.as_slice() {
        [one] => one.to_string(),
        [.., _] if span < modulus && expected == numbers => {
            if from <= to {
                range(from, to)
            } else {
                list(&numbers)
            }
        }
        _ => list(&numbers),
    };
    if expected == numbers {
        let words = range(first, last);
        format!(" → {words} mod {modulus} = {} {named}", units.bank)
    } else {
        format!(" → {} {named}", units.bank)
    }
}

fn range(first: u64, last: u64) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}–{last}")
    }
}

fn list(numbers: &[u64]) -> String {
    let all: Vec<String> = numbers.iter().map(u64::to_string).collect();
    all.join(", ")
}

/// How many other lanes want the same words of `bank`, and how many want others of it.
fn meeting(phase: &PhaseReport, bank: &BankUse, lane: usize) -> (u32, u32) {
    let (mut same, mut other) = (0_u64, 0_u64);
    for word in &bank.words {
        if word.lanes.contains(lane) {
            same |= word.lanes.0;
        } else {
            other |= word.lanes.0;
        }
    }
    let active = phase.active.0;
    let alone = (same & active).count_ones().saturating_sub(1);
    (alone, (other & !same & active).count_ones())
}
