//! What is done to the flat program before it runs.

mod aggregate;
mod chains;
mod compact;
mod data;
mod join;
mod pieces;
mod regions;
mod rounds;
mod slice;
mod slots;

pub(crate) use aggregate::places as aggregated;
pub(crate) use pieces::left_out;

use crate::program::Program;

/// Makes a lowered program ready to run.
pub(crate) fn run(program: &mut Program) {
    pieces::drop_unused(program);
    data::mark(program);
    aggregate::mark(program);
    join::merge(program);
    slice::drop_needless(program);
    compact::compact(&mut program.code.insts);
    slots::assign(&mut program.code);
}
