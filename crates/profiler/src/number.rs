//! Numbers as the profiler prints them.

use serde::{Serialize, Serializer};

/// A metric's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A whole number, exact.
    Count(u64),
    /// A ratio, a share, or a number that was rounded to its unit.
    Real(f64),
}

impl Value {
    /// The whole number, if it is one.
    #[must_use]
    pub const fn count(self) -> Option<u64> {
        match self {
            Self::Count(count) => Some(count),
            Self::Real(_) => None,
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Count(count) => to.serialize_u64(count),
            Self::Real(real) => to.serialize_f64(real),
        }
    }
}

/// The value in a cell, in its base unit; `None` of `n/a`, `-` and texts.
///
/// Digits may stand in groups of three (`1,024`). A unit's prefix (`Kbyte`, `Msector`) is a power of 1,000, and the value
/// is a count where the digits printed say it exactly.
pub(crate) fn value(cell: &str, unit: &str) -> Option<Value> {
    let digits = ungrouped(cell.trim())?;
    let exponent = prefix(unit);
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let real = || {
        let base: f64 = digits.parse().ok()?;
        Some(Value::Real(base * 1000_f64.powi(exponent)))
    };
    let shift = usize::try_from(exponent.saturating_mul(3)).unwrap_or(0);
    let is_whole = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // What is printed behind the point does not reach the last digit of a count.
    let is_exact = shift == 0 && fraction.bytes().all(|byte| byte == b'0')
        || fraction.len() >= shift && shift > 0;
    if !is_whole(whole) || !is_exact {
        return real();
    }
    let (kept, rest) = fraction.split_at_checked(shift).unwrap_or((fraction, ""));
    if rest.bytes().any(|byte| byte != b'0') {
        return real();
    }
    match format!("{whole}{kept}").parse() {
        Ok(count) => Some(Value::Count(count)),
        Err(_) => real(),
    }
}

/// The number's digits without separators; `None` where it is no number.
fn ungrouped(cell: &str) -> Option<String> {
    let (head, tail) = cell.split_once('.').unwrap_or((cell, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (sign, head) = match head.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", head),
    };
    let mut groups = head.split([',', '\u{202f}', '\u{a0}', '\'']);
    let first = groups
        .next()
        .filter(|first| !first.is_empty() && is_number(first))?;
    let mut digits = format!("{sign}{first}");
    for group in groups {
        if group.len() != 3 || first.len() > 3 || !is_number(group) {
            return None;
        }
        digits.push_str(group);
    }
    // 1.5e+06 is a number too.
    let mantissa = tail.split(['e', 'E']).next().unwrap_or(tail);
    if !is_number(mantissa) {
        return None;
    }
    if mantissa.len() != tail.len() {
        let number: f64 = format!("{digits}.{tail}").parse().ok()?;
        return number.is_finite().then(|| format!("{number:.6}"));
    }
    if !tail.is_empty() {
        digits.push('.');
        digits.push_str(tail);
    }
    Some(digits)
}

/// The power of 1,000 of a unit's prefix.
fn prefix(unit: &str) -> i32 {
    let mut letters = unit.trim().chars();
    let (first, second) = (letters.next(), letters.next());
    if !second.is_some_and(|second| second.is_ascii_lowercase()) {
        return 0;
    }
    match first {
        Some('K') => 1,
        Some('M') => 2,
        Some('G') => 3,
        Some('T') => 4,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exact_or_said_to_be_rounded() {
        for (cell, unit, expected) in [
            ("0", "", Some(Value::Count(0))),
            ("1,024", "sector", Some(Value::Count(1024))),
            ("1,048,576", "", Some(Value::Count(1_048_576))),
            ("512.000000", "inst", Some(Value::Count(512))),
            ("14.336000", "Kbyte", Some(Value::Count(14_336))),
            ("67.108864", "Mbyte", Some(Value::Count(67_108_864))),
            ("1.073742", "Gbyte", Some(Value::Real(1_073_742_000.0))),
            ("2.5", "Kbyte", Some(Value::Real(2500.0))),
            ("8.38", "", Some(Value::Real(8.38))),
            ("12", "%", Some(Value::Count(12))),
            (
                "18446744073709551616",
                "",
                Some(Value::Real(18_446_744_073_709_551_616.0)),
            ),
            ("-1", "", Some(Value::Real(-1.0))),
            ("(!) n/a", "", None),
            ("-", "", None),
            ("", "", None),
            ("1,02", "", None),
            ("1024,000", "", None),
            ("NVIDIA H200", "", None),
            ("(4, 4, 1)", "", None),
        ] {
            assert_eq!(value(cell, unit), expected, "{cell} {unit}");
        }
    }
}
