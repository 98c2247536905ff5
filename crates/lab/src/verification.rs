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
    pub fn compare(&mut self, check: Check, first: u64, found: &[u32]) -> Result<(), Fault> {
        match check {
            Check::Nothing => Ok(()),
            Check::Same(fill, _) => each(first, found, |i| fill.bits(index(i))),
            Check::Transposed(fill, rows, columns) => transposed(fill, rows, columns, first, found),
            Check::Stride { stride_words, .. } => {
                each(first, found, |i| index(i % 64) * stride_words)
            }
            Check::IntegerSum(length) => {
                let sum = self.integer_sum(length);
                each(first, found, |_| sum)
            }
            Check::FloatSum { length, depth } => {
                let found = found
                    .first()
                    .map_or(f64::NAN, |bits| f64::from(f32::from_bits(*bits)));
                let sum = self.float_sum(length);
                let near = (found - sum).abs() <= f32_sum_bound(depth, sum);
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
