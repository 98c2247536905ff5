//! Differences that are the device's own functions', not the translation's.

use crate::Verdict;

/// Functions whose results WGSL leaves to the device, within bounds that grow with what they are given
/// (<https://www.w3.org/TR/WGSL/#floating-point-accuracy>).
const DEVICE_FUNCTIONS: [&str; 19] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "inverseSqrt",
    "log",
    "log2",
    "pow",
    "sin",
    "sinh",
    "tan",
    "tanh",
];

/// The most that a difference may be to be theirs, in millionths of the largest of an array: what they leave of a
/// difference of like numbers is this small beside the numbers.
const MOST_MILLIONTHS: f64 = 1000.0;

/// The verdict on floats that differ as the device's own functions explain; `None` where these do not.
pub(crate) fn inexact(text: &str, expected: &[Option<u32>], found: &[u32]) -> Option<Verdict> {
    let names = text.split(|one: char| !(one.is_ascii_alphanumeric() || one == '_'));
    let mut called = names.filter(|name| DEVICE_FUNCTIONS.contains(name));
    called.next()?;
    let as_float = |word: u32| f64::from(f32::from_bits(word));
    let pairs = expected.iter().zip(found);
    let known = pairs.filter_map(|(expected, found)| Some(((*expected)?, *found)));
    let (mut largest, mut apart) = (0.0_f64, 0.0_f64);
    for (expected, found) in known {
        let (expected_float, found_float) = (as_float(expected), as_float(found));
        if expected == found {
            largest = largest.max(Some(expected_float).filter(|one| one.is_finite())?.abs());
            continue;
        }
        let difference = (expected_float - found_float).abs();
        largest = largest.max(expected_float.abs());
        apart = apart.max(Some(difference).filter(|one| one.is_finite())?);
    }
    let millionths = (1e6 * apart / largest).ceil();
    // At least one, at most a thousand: the number fits.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    (millionths <= MOST_MILLIONTHS).then_some(Verdict::Inexact(millionths as u32))
}

#[cfg(test)]
mod tests {
    use super::inexact;
    use crate::Verdict;

    fn words(floats: &[f32]) -> Vec<u32> {
        floats.iter().map(|float| float.to_bits()).collect()
    }

    fn verdict(text: &str, expected: &[f32], found: &[f32]) -> Option<Verdict> {
        let expected: Vec<_> = words(expected).into_iter().map(Some).collect();
        inexact(text, &expected, &words(found))
    }

    #[test]
    fn what_cancels_is_measured_by_the_largest_value() {
        let exp = "let r1 = exp(r0);";
        let small = verdict(exp, &[1000.0, 0.001], &[1000.0, 0.0015]);
        assert_eq!(small, Some(Verdict::Inexact(1)));
        assert_eq!(
            verdict(exp, &[1000.0, 0.001], &[1000.0, 5.0]),
            None,
            "too far apart"
        );
        assert_eq!(
            verdict(exp, &[1.0, f32::NAN], &[1.0, 2.0]),
            None,
            "no number"
        );
        assert_eq!(
            verdict(exp, &[0.0, 0.0], &[0.0, 1e-9]),
            None,
            "nothing to measure by"
        );
        assert_eq!(
            verdict("let export = expect;", &[1000.0, 0.001], &[1000.0, 0.0015]),
            None,
            "no function of the device"
        );
    }
}
