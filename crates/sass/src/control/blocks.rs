//! Blocks of a function: where they begin and end, and where calls and jumps lead.

use std::collections::BTreeSet;

use crate::instruction::SassInstruction;
use crate::listing::{Function, ROW_BYTES, Row};
use crate::operand::Kind;

/// A target that is written: an address or a label.
pub(super) fn target(function: &Function<'_>, i: &SassInstruction<'_>) -> Option<u64> {
    i.operands
        .iter()
        .rev()
        .find_map(|operand| match operand.kind {
            Kind::Integer(value) => u64::try_from(value).ok(),
            Kind::Code(label) => function.labels.get(label).copied(),
            _ => None,
        })
}

/// Where a call goes. `CALL.ABS 0x0` stands in objects that are not linked yet: its target is filled in later, and is
/// not the function itself.
pub(super) fn called(function: &Function<'_>, i: &SassInstruction<'_>) -> Option<u64> {
    let is_open = |target: &u64| *target == 0 && i.has("ABS");
    target(function, i).filter(|target| !is_open(target))
}

/// Whether a block ends with it.
pub(super) fn ends_block(i: &SassInstruction<'_>) -> bool {
    matches!(
        i.name,
        "BRA" | "BRX" | "BRXU" | "JMP" | "JMX" | "CALL" | "RET" | "EXIT" | "KILL"
    ) || is_trap(i)
}

fn is_trap(i: &SassInstruction<'_>) -> bool {
    i.name == "BPT" && (i.has("TRAP") || i.modifiers.is_empty())
}

/// Addresses where blocks start.
pub(super) fn leaders(
    function: &Function<'_>,
    instructions: &[SassInstruction<'_>],
) -> BTreeSet<u64> {
    let mut leaders = BTreeSet::new();
    leaders.extend(function.rows.first().map(|row| row.address));
    for (row, i) in function.rows.iter().zip(instructions) {
        if matches!(i.name, "BRA" | "JMP" | "CALL" | "BSSY" | "LEPC") {
            leaders.extend(target(function, i));
        }
        if ends_block(i) {
            leaders.insert(row.address + ROW_BYTES);
        }
        if i.name == "BSYNC" {
            leaders.insert(row.address);
        }
        for label in targets(row) {
            leaders.extend(function.labels.get(label));
        }
        let code = i.operands.iter().filter_map(|operand| match operand.kind {
            Kind::Word(word) if word.starts_with("32@lo(") => Some(word),
            _ => None,
        });
        for word in code {
            let labels = word.split(['(', ')', '+', ' ', '@']);
            leaders.extend(labels.filter_map(|label| function.labels.get(label)));
        }
    }
    let known: BTreeSet<u64> = function.rows.iter().map(|row| row.address).collect();
    leaders.retain(|address| known.contains(address));
    leaders
}

/// Labels of an indirect branch.
pub(super) fn targets<'a>(row: &Row<'a>) -> impl Iterator<Item = &'a str> {
    row.targets
        .split(',')
        .map(str::trim)
        .filter(|label| !label.is_empty())
}
