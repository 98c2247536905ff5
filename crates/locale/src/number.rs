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

/// Hundredths as a decimal, without needless zeros.
#[must_use]
pub fn decimal(hundredths: u64) -> String {
    match (hundredths / 100, hundredths % 100) {
        (whole, 0) => whole.to_string(),
        (whole, rest) if rest % 10 == 0 => format!("{whole}.{}", rest / 10),
        (whole, rest) => format!("{whole}.{rest:02}"),
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
