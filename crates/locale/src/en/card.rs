//! Cards in English.

use lanescope_model::Unit;

use super::finding::short;
use super::verdict::unit_name;
use crate::number::decimal;

pub(crate) fn share(hundredths: u64) -> String {
    format!("{} % of what this kernel wastes.", decimal(hundredths))
}

pub(crate) fn with(change: &str) -> String {
    format!("With {change}:")
}

pub(crate) const fn before() -> &'static str {
    "before"
}

pub(crate) const fn after() -> &'static str {
    "after"
}

pub(crate) fn amount(count: u64, unit: Option<Unit>) -> String {
    let name = unit.map_or_else(
        || {
            if count == 1 {
                "wavefront"
            } else {
                "wavefronts"
            }
        },
        |unit| unit_name(unit, count != 1),
    );
    format!("{} {name}", short(count))
}

pub(crate) fn fewer(hundredths: u64) -> String {
    format!("{}× fewer", decimal(hundredths))
}

pub(crate) fn given(what: &str) -> String {
    format!(", if {what}")
}
