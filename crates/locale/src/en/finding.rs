//! What is said of findings.

use lanescope_model::Unit;

use super::{grouped, plural};
use crate::finding::FindingWords;
use crate::number;

pub(crate) const WORDS: &FindingWords = &FindingWords {
    needed_part: "needed",
    rest_part: "wasted",
    findings: "Findings",
    of_the_waste: "% of the waste",
    best_fix: "best fix",
    no_fix: "No fix found",
    apply: "Apply",
    key_move: "move",
    key_apply: "apply",
    key_undo: "undo",
    copy_patch: "Copy as patch",
    applied: "Applied",
    profiler_names: "Profiler names",
    all_accesses: "All accesses",
};

/// The numbers of which only the first digits matter.
const LARGE: [(u64, &str); 2] = [(1_000_000_000, " G"), (1_000_000, " M")];

/// A count by its first digits, where only these matter.
pub(super) fn short(count: u64) -> String {
    let [_, all] = number::short([count, count], &LARGE, grouped);
    all
}

pub(crate) fn whole(wavefronts: Option<[u64; 2]>, units: Option<(Unit, [u64; 2])>) -> String {
    let shared = wavefronts.map(needed);
    let global = units.map(|(unit, counts)| wasted(unit, counts));
    let parts: Vec<String> = shared.into_iter().chain(global).collect();
    let text = parts.join("; ");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

fn needed([needed, all]: [u64; 2]) -> String {
    if needed >= all {
        return match all {
            1 => "the one shared wavefront is needed".into(),
            _ => format!("all {} shared wavefronts are needed", grouped(all)),
        };
    }
    let verb = if needed == 1 { "is" } else { "are" };
    let [needed, all] = number::short([needed, all], &LARGE, grouped);
    format!("{needed} of {all} shared wavefronts {verb} needed")
}

fn wasted(unit: Unit, [wasted, all]: [u64; 2]) -> String {
    let name = super::verdict::unit_name(unit, all != 1);
    if wasted == 0 {
        return match all {
            1 => format!("the one {name} is needed"),
            _ => format!("none of {} {name} is wasted", grouped(all)),
        };
    }
    let verb = if wasted == 1 { "is" } else { "are" };
    let [wasted, all] = number::short([wasted, all], &LARGE, grouped);
    format!("{wasted} of {all} {name} {verb} wasted")
}

/// What a bar is of.
fn of_bar(unit: Option<Unit>) -> &'static str {
    unit.map_or("shared wavefronts", |unit| {
        super::verdict::unit_name(unit, true)
    })
}

pub(crate) fn wasted_part(unit: Option<Unit>, counts: [u64; 2]) -> String {
    format!("{} of {} wasted", number::percent(counts), of_bar(unit))
}

pub(crate) fn needed_and_wasted(unit: Option<Unit>, [needed, wasted]: [u64; 2]) -> String {
    format!(
        "{}: {} needed, {} wasted",
        of_bar(unit),
        grouped(needed),
        grouped(wasted)
    )
}

pub(crate) fn wasted_wavefronts(count: u64) -> String {
    format!("{} wasted", plural(count, "wavefront"))
}

pub(crate) fn wasted_units(unit: Unit, count: u64) -> String {
    let name = super::verdict::unit_name(unit, count != 1);
    format!("{} {name} wasted", grouped(count))
}

pub(crate) fn lane_slots(hundredths: u64) -> String {
    format!("{} % of lane slots used", number::decimal(hundredths))
}

pub(crate) fn most_idle(line: u32) -> String {
    format!("line {line} leaves most of the rest idle")
}

pub(crate) fn bulk_copies(bytes: u64, unsized_copies: u64) -> String {
    let bytes = grouped(bytes);
    match unsized_copies {
        0 => format!("bulk copies (TMA): {bytes} B, in no row"),
        more => format!(
            "bulk copies (TMA): {bytes} B, in no row; of {} more the bytes are not known",
            grouped(more)
        ),
    }
}

pub(crate) fn lanes_used(hundredths: u64, lanes: u32) -> String {
    format!("{} of {lanes} lanes", number::decimal(hundredths))
}

pub(crate) fn more(count: u64) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} more finding{ending}", grouped(count))
}

pub(crate) fn not_a_shape(label: &str, typed: &str) -> String {
    format!("{label} `{typed}` is no shape: one to three numbers from 1, such as 32, 8")
}
