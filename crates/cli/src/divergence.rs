//! Divergence as text: how many lanes an instruction, in sum and by the lines that leave most of them idle.

use crate::lines_table::place_in;
use crate::table::{Align, Table, grouped};
use lanescope_ir::Stage;
use lanescope_query::{Analysis, Compiler, Divergence};
use lanescope_tally::decimal;

/// Lines that are named.
const MOST_LINES: usize = 5;

/// What is said below the totals; nothing of what has no instructions.
pub(crate) fn text(analysis: &Analysis) -> String {
    let Some(divergence) = Divergence::of(analysis) else {
        return String::new();
    };
    let instructions = match divergence.of {
        Stage::Machine => "SASS",
        Stage::Ptx => "the PTX",
        Stage::Source => match analysis.question.compiler() {
            Compiler::None => "the source as written",
            Compiler::Nvcc13 => "the source as nvcc 13 is predicted to compile it",
        },
    };
    let slots = divergence.slots();
    let percent = divergence.thread_instructions.saturating_mul(100) / slots.max(1);
    let sum = format!(
        "\nActive lanes: {} of {} lanes an instruction; {} of {} lane slots used ({percent} %). Instructions of {instructions}.\n",
        decimal(divergence.lanes_hundredths()),
        divergence.warp_lanes,
        grouped(divergence.thread_instructions),
        grouped(slots),
    );
    let worst = divergence.worst(MOST_LINES);
    if worst.is_empty() {
        return sum;
    }
    let counted = match divergence.of {
        Stage::Source => "accesses",
        Stage::Ptx | Stage::Machine => "instructions",
    };
    let mut table = Table::new(&[
        ("line", Align::Right),
        (counted, Align::Right),
        ("active lanes", Align::Right),
    ]);
    for line in worst {
        table.row([
            place_in(&line.file, line.line),
            grouped(line.warp_instructions),
            decimal(line.lanes_hundredths()),
        ]);
    }
    format!("{sum}{table}")
}
