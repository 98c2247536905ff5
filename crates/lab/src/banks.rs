//! What a stride probe says of a device's shared memory.

use serde::{Deserialize, Serialize};

/// Lanes that the probe's workgroup may be served in.
const LANES: [u32; 3] = [16, 32, 64];
/// How well a model must explain the costs.
const GOOD_FIT: f64 = 0.98;
/// How much better than the next model it must be, in unexplained share.
const CLEARLY: f64 = 2.0;
/// The least ratio of dearest to cheapest stride that is a staircase at all.
const STAIRCASE: f64 = 1.5;

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
    let dearest = costs.iter().map(|c| c.1).fold(0.0, f64::max);
    // False too where a cost is not a number.
    let staircase = costs.len() >= 16 && dearest >= STAIRCASE * cheapest;
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
    let fit = |lanes| {
        explained(
            costs
                .iter()
                .map(|&(stride, cost)| (ways(banks, lanes, stride), cost)),
        )
    };
    LANES.into_iter().map(fit).fold(0.0, f64::max)
}

/// The most words one bank is asked for by lanes `stride` 4-byte words apart.
fn ways(banks: Banks, lanes: u32, stride: u32) -> f64 {
    let mut asked = vec![Vec::new(); banks.count as usize];
    for lane in 0..lanes {
        let word = lane * stride / (banks.word_bytes / 4);
        let bank = &mut asked[(word % banks.count) as usize];
        if !bank.contains(&word) {
            bank.push(word);
        }
    }
    let most = asked.iter().map(Vec::len).max().unwrap_or(0);
    f64::from(u32::try_from(most).unwrap_or(u32::MAX))
}

/// The share of the costs' variance that a rising line through them explains.
/// Each cost weighs by the inverse of its square: cheap steps tell as much as dear ones.
fn explained(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let sum = |of: fn(f64, f64) -> f64, x: f64, y: f64| -> f64 {
        points
            .clone()
            .map(|p| of(p.0 - x, p.1 - y) / p.1.powi(2))
            .sum()
    };
    let weight = sum(|_, _| 1.0, 0.0, 0.0);
    let mean_x = sum(|x, _| x, 0.0, 0.0) / weight;
    let mean_y = sum(|_, y| y, 0.0, 0.0) / weight;
    let covariance = sum(|x, y| x * y, mean_x, mean_y);
    let spread_x = sum(|x, _| x * x, mean_x, mean_y);
    let spread_y = sum(|_, y| y * y, mean_x, mean_y);
    if covariance > 0.0 && spread_x > 0.0 && spread_y > 0.0 {
        covariance * covariance / (spread_x * spread_y)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn staircase(banks: Banks, lanes: u32, noise: f64) -> Vec<(u32, f64)> {
        crate::stride_probe::STRIDES
            .into_iter()
            .map(|stride| {
                let jitter = 1.0 + noise * (f64::from(stride * 7 % 5) - 2.0);
                (stride, (26.4 + 2.0 * ways(banks, lanes, stride)) * jitter)
            })
            .collect()
    }

    #[test]
    fn thirty_two_banks_of_four_bytes_cost_the_greatest_common_divisor() {
        let banks = Banks {
            count: 32,
            word_bytes: 4,
        };
        for (stride, wanted) in [
            (1, 1.0),
            (2, 2.0),
            (3, 1.0),
            (12, 4.0),
            (32, 32.0),
            (33, 1.0),
        ] {
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
