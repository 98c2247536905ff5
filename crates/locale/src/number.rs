//! Numbers as they are written.

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
