//! Comparisons.

use super::{integer_value, to_f64};
use crate::{Comparison, ScalarType};
use std::cmp::Ordering;

/// The value of [`crate::Op::Compare`].
#[must_use]
pub fn compare(op: Comparison, ty: ScalarType, unordered: bool, a: u64, b: u64) -> bool {
    let order = if ty.is_float() {
        to_f64(ty, a).partial_cmp(&to_f64(ty, b))
    } else {
        Some(integer_value(ty, a).cmp(&integer_value(ty, b)))
    };
    order.map_or(unordered, |order| holds(op, order))
}

const fn holds(op: Comparison, order: Ordering) -> bool {
    match op {
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::LessEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterEqual => order.is_ge(),
    }
}
