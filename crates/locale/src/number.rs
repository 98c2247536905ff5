//! Numbers as they are written.

use lanescope_model::LaneMask;

/// A count in decimal, its digits in groups of three.
pub(crate) fn grouped(count: u64, separator: &str) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text += separator;
        }
        text.push(digit);
    }
    text
}

/// The fewest of which only the first digits are told.
const LARGE: u64 = 1_000_000;

/// A part of a whole and the whole, in tenths of the first of `units` that the whole fills, which the whole names: `8.8`
/// and `44.2 M`. A small whole, and a part that would look like none or all of it, are written in full.
pub(crate) fn short(
    [part, whole]: [u64; 2],
    units: &[(u64, &str)],
    grouped: fn(u64) -> String,
) -> [String; 2] {
    let unit = units.iter().find(|(unit, _)| whole >= (*unit).max(LARGE));
    let full = || [grouped(part), grouped(whole)];
    let Some((unit, name)) = unit else {
        return full();
    };
    let tenths = |count: u64| u128::from(count) * 10 / u128::from(*unit);
    let [few, all] = [tenths(part), tenths(whole)];
    if (few == 0 && part > 0) || (few == all && part < whole) {
        return full();
    }
    let decimal = |tenths: u128| {
        let whole = grouped(u64::try_from(tenths / 10).unwrap_or(u64::MAX));
        format!("{whole}.{}", tenths % 10)
    };
    [decimal(few), format!("{}{name}", decimal(all))]
}

/// Hundredths as a decimal, without needless zeros.
#[must_use]
pub fn decimal(hundredths: u64) -> String {
    match (hundredths / 100, hundredths % 100) {
        (whole, 0) => whole.to_string(),
        (whole, rest) if rest % 10 == 0 => format!("{whole}.{}", rest / 10),
        (whole, rest) => format!("{whole}.{rest:02}"),
    }
}

/// A part of a whole, `[part, whole]`, as a percentage without decimals: one that is neither nothing nor all says so.
pub(crate) fn percent([part, whole]: [u64; 2]) -> String {
    let (part, whole) = (u128::from(part.min(whole)), u128::from(whole.max(1)));
    match (part * 100 + whole / 2) / whole {
        0 if part > 0 => "<1 %".into(),
        100 if part < whole => ">99 %".into(),
        rounded => format!("{rounded} %"),
    }
}

/// `32 × 8`: sides that are 1 at the end are left out.
#[must_use]
pub fn sides([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x} × {y}"),
        _ => format!("{x} × {y} × {z}"),
    }
}

/// `{0–7} {8–15}`: sets of lanes, each written by `lane_list`.
pub(crate) fn sets(lanes: &[LaneMask], lane_list: &dyn Fn(LaneMask) -> String) -> String {
    let sets: Vec<String> = lanes
        .iter()
        .map(|set| format!("{{{}}}", lane_list(*set)))
        .collect();
    sets.join(" ")
}

/// `3–5`, or `3` where both are one.
pub(crate) fn span([first, last]: [u64; 2]) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}–{last}")
    }
}

#[cfg(test)]
mod tests {
    use super::{grouped, short};

    #[test]
    fn large_numbers_are_told_by_their_first_digits() {
        let units = [(1_000_000_000, " G"), (1_000_000, " M")];
        let told = |part, whole| short([part, whole], &units, |count| grouped(count, ","));
        assert_eq!(told(8_812_345, 44_250_000), ["8.8", "44.2 M"]);
        assert_eq!(told(33, 1_056), ["33", "1,056"]);
        assert_eq!(told(2_500_000_000, 2_500_000_000), ["2.5", "2.5 G"]);
        // A part is never made to look like none of it, or like all.
        assert_eq!(told(40, 5_000_000), ["40", "5,000,000"]);
        assert_eq!(told(4_999_999, 5_000_000), ["4.9", "5.0 M"]);
        assert_eq!(told(4_990_000, 4_999_999), ["4,990,000", "4,999,999"]);
    }
}
