//! What a stride probe says of a device's shared memory.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Lanes that the probe's workgroup may be served in.
const LANES: [u32; 3] = [16, 32, 64];
/// The share of the costs' variance that a layout must explain.
const GOOD_FIT: f64 = 0.98;
/// How much less than the next layout it may leave unexplained.
const CLEARLY: f64 = 2.0;
/// The least ratio of costliest to cheapest stride that is a staircase at all.
const STAIRCASE: f64 = 1.5;
/// The least ratio of one step of the staircase to the one below.
const STEP: f64 = 1.02;

/// The banks that a staircase of costs looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Banks {
    /// How many.
    pub count: u32,
    /// Bytes of one bank's word.
    pub word_bytes: u32,
}

/// The banks that explain what loads of lanes so many 4-byte words apart cost;
/// `None` if the costs are flat, or several layouts explain them as well.
#[must_use]
pub fn infer_banks(costs: &[(u32, f64)]) -> Option<Banks> {
    let cheapest = costs.iter().map(|c| c.1).fold(f64::INFINITY, f64::min);
    let costliest = costs.iter().map(|c| c.1).fold(0.0, f64::max);
    // False too where a cost is not a number.
    let staircase = costs.len() >= 16 && costliest >= STAIRCASE * cheapest;
    if !staircase {
        return None;
    }
    let mut fits: Vec<(f64, Banks)> = layouts()
        .map(|banks| (best_fit(banks, costs), banks))
        .collect();
    fits.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (best, banks) = *fits.first()?;
    let next = fits.get(1).map_or(0.0, |fit| fit.0);
    (best >= GOOD_FIT && (1.0 - next) >= CLEARLY * (1.0 - best)).then_some(banks)
}

fn layouts() -> impl Iterator<Item = Banks> {
    let counts = [8, 16, 32, 64];
    counts
        .into_iter()
        .flat_map(|count| [4, 8].map(|word_bytes| Banks { count, word_bytes }))
}

fn best_fit(banks: Banks, costs: &[(u32, f64)]) -> f64 {
    let fit = |lanes| explained(costs, |stride| ways(banks, lanes, stride));
    LANES.into_iter().map(fit).fold(0.0, f64::max)
}

/// The most words one bank is asked for by lanes `stride` 4-byte words apart.
fn ways(banks: Banks, lanes: u32, stride: u32) -> usize {
    let mut asked = vec![Vec::new(); banks.count as usize];
    for lane in 0..lanes {
        let word = lane * stride / (banks.word_bytes / 4);
        let bank = &mut asked[(word % banks.count) as usize];
        if !bank.contains(&word) {
            bank.push(word);
        }
    }
    asked.iter().map(Vec::len).max().unwrap_or(0)
}

/// The share of the variance of the costs' logarithms that is explained by strides of as many
/// ways costing the same, and more ways more; 0 where more ways do not cost more. How much more
/// is left open: latency hides the first steps.
fn explained(costs: &[(u32, f64)], ways: impl Fn(u32) -> usize) -> f64 {
    let mut steps: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (stride, cost) in costs {
        steps.entry(ways(*stride)).or_default().push(cost.ln());
    }
    let means: Vec<f64> = steps.values().map(|step| mean(step)).collect();
    if means.windows(2).any(|pair| pair[1] < pair[0] + STEP.ln()) {
        return 0.0;
    }
    let all: Vec<f64> = steps.values().flatten().copied().collect();
    let within: f64 = steps.values().map(|step| scatter(step)).sum();
    1.0 - within / scatter(&all)
}

fn mean(values: &[f64]) -> f64 {
    let count: f64 = values.iter().map(|_| 1.0).sum();
    values.iter().sum::<f64>() / count
}

/// The sum of squared distances from the mean.
fn scatter(values: &[f64]) -> f64 {
    let middle = mean(values);
    values.iter().map(|value| (value - middle).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn staircase(banks: Banks, lanes: u32, noise: f64) -> Vec<(u32, f64)> {
        crate::stride_probe::STRIDES
            .into_iter()
            .map(|stride| {
                let jitter = 1.0 + noise * (f64::from(stride * 7 % 5) - 2.0);
                (
                    stride,
                    (26.4 + 2.0 * ways(banks, lanes, stride) as f64) * jitter,
                )
            })
            .collect()
    }

    #[test]
    fn thirty_two_banks_of_four_bytes_cost_the_greatest_common_divisor() {
        let banks = Banks {
            count: 32,
            word_bytes: 4,
        };
        for (stride, wanted) in [(1, 1), (2, 2), (3, 1), (12, 4), (32, 32), (33, 1)] {
            assert_eq!(ways(banks, 32, stride), wanted, "stride {stride}");
        }
    }

    #[test]
    fn a_staircase_names_its_banks() {
        for count in [16, 32, 64] {
            let banks = Banks {
                count,
                word_bytes: 4,
            };
            for noise in [0.0, 0.005] {
                assert_eq!(
                    infer_banks(&staircase(banks, count, noise)),
                    Some(banks),
                    "{count}"
                );
            }
        }
    }

    /// Measured: NVIDIA H200 through Vulkan, in units of stride 1.
    #[test]
    fn an_h200_has_32_banks_of_4_bytes() {
        let step = |stride: u32| match stride.min(32).trailing_zeros() {
            0 => 1.00,
            1 => 1.05,
            2 => 1.15,
            3 => 1.36,
            4 => 2.49,
            _ => 4.61,
        };
        let one_off = |stride| if stride == 33 { 1.0 } else { step(stride) };
        let costs: Vec<_> = crate::stride_probe::STRIDES
            .map(|s| (s, one_off(s)))
            .to_vec();
        assert_eq!(
            infer_banks(&costs),
            Some(Banks {
                count: 32,
                word_bytes: 4
            })
        );
    }

    #[test]
    fn flat_or_senseless_costs_name_none() {
        let flat: Vec<_> = (1..=33).map(|s| (s, 1.0)).collect();
        let rising: Vec<_> = (1..=33).map(|s| (s, f64::from(s))).collect();
        let nan: Vec<_> = (1..=33).map(|s| (s, f64::NAN)).collect();
        for costs in [flat, rising, nan, Vec::new()] {
            assert_eq!(infer_banks(&costs), None);
        }
    }
}
