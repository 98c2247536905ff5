//! Runs of neighbours that one access can take.

use crate::gather::{Gathered, MOST_BYTES};
use crate::neighbours::Use;

/// Where a use stands in its list.
#[derive(Clone)]
pub(crate) struct Placed<'e> {
    pub(crate) at: usize,
    pub(crate) one: Use<'e>,
}

/// Runs of neighbours that are all taken, the longest that one access can take first, each beginning at a multiple of
/// its length.
pub(crate) fn chunks(array: &Gathered<'_>, group: &[Placed<'_>]) -> Vec<(u64, u64)> {
    let covers = |offset: u64| {
        group
            .iter()
            .any(|use_| (use_.one.offset..use_.one.offset + use_.one.elements).contains(&offset))
    };
    let splits = |at: u64, count: u64| {
        group.iter().any(|use_| {
            let end = use_.one.offset + use_.one.elements;
            (use_.one.offset < at && end > at) || (use_.one.offset < at + count && end > at + count)
        })
    };
    let narrowest = group
        .iter()
        .map(|use_| use_.one.elements)
        .max()
        .unwrap_or(1);
    let highest = group
        .iter()
        .map(|use_| use_.one.offset)
        .max()
        .unwrap_or(0)
        .min(64);
    let most = MOST_BYTES / array.target.element_bytes.max(1);
    let mut chunks = Vec::new();
    let mut at = 0;
    while at <= highest {
        let fits = [16, 8, 4, 2].into_iter().find(|count| {
            let is_power = (count * array.target.element_bytes).is_power_of_two();
            is_power
                && *count <= most
                && *count > narrowest
                && at.is_multiple_of(*count)
                && (at..at + count).all(covers)
                && !splits(at, *count)
        });
        chunks.extend(fits.map(|count| (at, count)));
        at += fits.unwrap_or(1);
    }
    chunks
}
