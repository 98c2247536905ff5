//! Bulk copies as text: the bytes that they move.

use crate::lines_table::place_in;
use crate::table::{Align, Table, grouped};
use lanescope_query::{Analysis, BulkCopies};

/// What is said below the totals; nothing where nothing is moved in bulk.
pub(crate) fn text(analysis: &Analysis) -> String {
    let Some(copies) = BulkCopies::of(analysis) else {
        return String::new();
    };
    let unsized_copies = match copies.unsized_copies {
        0 => String::new(),
        more => format!(" Of {} more the bytes are not known.", grouped(more)),
    };
    let sum = format!(
        "\nBulk copies (TMA): {} bytes, in no wavefront and no sector above.{unsized_copies}\n",
        grouped(copies.bytes),
    );
    let mut table = Table::new(&[("line", Align::Right), ("bytes", Align::Right)]);
    for line in copies.lines {
        table.row([place_in(&line.file, line.line), grouped(line.bytes)]);
    }
    format!("{sum}{table}")
}
