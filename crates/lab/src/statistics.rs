/// Median, in the samples' unit; 0 of none.
#[must_use]
pub fn median(samples: &[f64]) -> f64 {
    quantile(samples, 0.5)
}

/// The middle half's width over the median: 0.02 says that half of the samples
/// lie within 2 % of each other. Infinite if the median is not positive.
#[must_use]
pub fn relative_spread(samples: &[f64]) -> f64 {
    let middle = median(samples);
    if middle > 0.0 {
        (quantile(samples, 0.75) - quantile(samples, 0.25)) / middle
    } else {
        f64::INFINITY
    }
}

/// The sample at `share` of the sorted list, between neighbours in proportion.
fn quantile(samples: &[f64], share: f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return 0.0;
    };
    #[expect(clippy::cast_precision_loss, reason = "a few hundred samples")]
    let place = last as f64 * share;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "within the list"
    )]
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (place - place.floor())
}
