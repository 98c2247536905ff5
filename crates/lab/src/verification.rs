use std::collections::BTreeMap;

use lanescope_kernels::{Fill, f32_sum_bound, reference_sum_f32, reference_sum_u32};

use crate::Fault;
use crate::plan::Check;

/// Compares results with the CPU's, and keeps the sums it has computed.
#[derive(Debug, Default)]
pub struct Verifier {
    float_sums: BTreeMap<u64, f64>,
    integer_sums: BTreeMap<u64, u32>,
}

impl Verifier {
    /// Compares the elements from index `first` on with what `check` wants.
    ///
    /// # Errors
    /// [`Fault::WrongResult`] with the first element that differs.
    pub fn compare(&mut self, check: &Check, first: u64, found: &[u32]) -> Result<(), Fault> {
        match check {
            Check::Nothing => Ok(()),
            Check::Same(fill, _) => each(first, found, |i| fill.bits(index(i))),
            Check::Transposed(fill, rows, columns) => {
                transposed(*fill, *rows, *columns, first, found)
            }
            Check::Stride { stride_words, .. } => {
                each(first, found, |i| index(i % 64) * stride_words)
            }
            Check::Values { expected, ulps } => values(expected, *ulps, first, found),
            Check::IntegerSum(length) => {
                let sum = self.integer_sum(*length);
                each(first, found, |_| sum)
            }
            Check::FloatSum { length, depth } => {
                let found = found
                    .first()
                    .map_or(f64::NAN, |bits| f64::from(f32::from_bits(*bits)));
                let sum = self.float_sum(*length);
                let near = (found - sum).abs() <= f32_sum_bound(*depth, sum);
                if near {
                    Ok(())
                } else {
                    Err(Fault::WrongResult { index: 0 })
                }
            }
        }
    }

    fn integer_sum(&mut self, length: u64) -> u32 {
        let sum = || reference_sum_u32((0..length).map(|i| Fill::Integers.bits(index(i))));
        *self.integer_sums.entry(length).or_insert_with(sum)
    }

    fn float_sum(&mut self, length: u64) -> f64 {
        let floats = (0..length).map(|i| f32::from_bits(Fill::Floats.bits(index(i))));
        *self
            .float_sums
            .entry(length)
            .or_insert_with(|| reference_sum_f32(floats))
    }
}

/// Arrays hold fewer than 2^32 elements: plans see to it.
fn index(i: u64) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}

fn each(first: u64, found: &[u32], wanted: impl Fn(u64) -> u32) -> Result<(), Fault> {
    match (first..)
        .zip(found)
        .find(|(i, found)| **found != wanted(*i))
    {
        None => Ok(()),
        Some((index, _)) => Err(Fault::WrongResult { index }),
    }
}

/// Compares words with those that are known; those of floats may differ by `ulps` units in the last place.
fn values(expected: &[Option<u32>], ulps: u32, first: u64, found: &[u32]) -> Result<(), Fault> {
    let expected = expected
        .iter()
        .skip(usize::try_from(first).unwrap_or(usize::MAX));
    let differs = |(expected, found): (&Option<u32>, &u32)| {
        expected.is_some_and(|expected| expected != *found && distance(expected, *found) > ulps)
    };
    match (first..)
        .zip(expected.zip(found))
        .find(|(_, pair)| differs(*pair))
    {
        None => Ok(()),
        Some((index, _)) => Err(Fault::WrongResult { index }),
    }
}

/// Floats between two, as bits; more than any number of them where one is no number.
fn distance(a: u32, b: u32) -> u32 {
    let is_nan = |bits: u32| f32::from_bits(bits).is_nan();
    if is_nan(a) || is_nan(b) {
        return if is_nan(a) && is_nan(b) { 0 } else { u32::MAX };
    }
    // Negative floats count down from zero.
    let place = |bits: u32| {
        let size = i64::from(bits & 0x7fff_ffff);
        if bits >> 31 == 1 { -size } else { size }
    };
    u32::try_from((place(a) - place(b)).unsigned_abs()).unwrap_or(u32::MAX)
}

/// Walks the output row by row, so that no element costs a division.
fn transposed(fill: Fill, rows: u32, columns: u32, first: u64, found: &[u32]) -> Result<(), Fault> {
    let mut row = index(first % u64::from(rows));
    let mut column = index(first / u64::from(rows));
    for (i, found) in (first..).zip(found) {
        if *found != fill.bits(row * columns + column) {
            return Err(Fault::WrongResult { index: i });
        }
        row += 1;
        if row == rows {
            (row, column) = (0, column + 1);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Verifier;
    use crate::Fault;
    use crate::plan::Check;

    #[test]
    fn values_are_compared_where_they_are_known() {
        let one = 1.0_f32.to_bits();
        let check = |ulps| Check::Values {
            expected: vec![Some(7), None, Some(one)].into(),
            ulps,
        };
        let compare = |ulps, found: [u32; 3]| Verifier::default().compare(&check(ulps), 0, &found);
        assert_eq!(compare(0, [7, 99, one]), Ok(()));
        assert_eq!(
            compare(0, [8, 99, one]),
            Err(Fault::WrongResult { index: 0 })
        );
        assert_eq!(
            compare(0, [7, 99, one + 1]),
            Err(Fault::WrongResult { index: 2 })
        );
        assert_eq!(compare(1, [7, 99, one + 1]), Ok(()));
        assert_eq!(
            compare(1, [7, 99, one + 2]),
            Err(Fault::WrongResult { index: 2 })
        );
        let nan = f32::NAN.to_bits();
        assert_eq!(
            compare(1, [7, 99, nan]),
            Err(Fault::WrongResult { index: 2 })
        );
    }
}
