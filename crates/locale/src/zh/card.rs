//! Cards in Chinese.

use lanescope_model::Unit;

use super::finding::short;
use super::verdict::unit_name;
use crate::number::decimal;

pub(crate) fn share(hundredths: u64) -> String {
    format!("占此 kernel 浪费的 {} %。", decimal(hundredths))
}

pub(crate) fn with(change: &str) -> String {
    format!("改为 {change}：")
}

pub(crate) const fn before() -> &'static str {
    "修改前"
}

pub(crate) const fn after() -> &'static str {
    "修改后"
}

pub(crate) fn amount(count: u64, unit: Option<Unit>) -> String {
    let name = unit.map_or("wavefront", |unit| unit_name(unit, true));
    format!("{} 个{name}", short(count))
}

pub(crate) fn fewer(hundredths: u64) -> String {
    format!("减少到 1/{}", decimal(hundredths))
}

pub(crate) fn given(what: &str) -> String {
    format!("，前提：{what}")
}
