/// The sum in double precision: what a float reduction is compared with.
#[must_use]
pub fn reference_sum_f32(values: impl Iterator<Item = f32>) -> f64 {
    values.map(f64::from).sum()
}

/// The wrapping sum: what an integer reduction must equal.
#[must_use]
pub fn reference_sum_u32(values: impl Iterator<Item = u32>) -> u32 {
    values.fold(0, u32::wrapping_add)
}

/// How far a float sum of non-negative terms may lie from the exact one, in the
/// sum's own unit: each addition rounds by half a unit in the last place, and a
/// term passes through `depth` additions at most.
///
/// # Source
/// The standard bound for summation in any order, (1 + u)^depth - 1 with
/// u = 2^-24, relative to the sum of magnitudes.
#[must_use]
pub fn f32_sum_bound(depth: u64, sum: f64) -> f64 {
    let unit = 2.0_f64.powi(-24);
    #[expect(clippy::cast_precision_loss, reason = "depths are far below 2^52")]
    let depth = depth as f64;
    sum.abs() * (depth * unit).exp_m1()
}
