//! What is done to the flat program before it runs.

mod aggregate;
mod chains;
mod compact;
mod data;
mod join;
mod pieces;
mod regions;
mod rounds;
mod sink;
mod slice;
mod slots;
mod windows;

pub(crate) use aggregate::places as aggregated;
pub(crate) use pieces::left_out;

use crate::code::Code;
use crate::program::Program;
use chains::Chains;
use regions::Regions;

/// Where values and threads go in a program.
struct Paths {
    regions: Regions,
    readers: Chains,
}

impl Paths {
    fn of(code: &Code) -> Self {
        Self {
            regions: Regions::of(&code.insts),
            readers: Chains::readers(&code.insts, code.registers),
        }
    }
}

/// Makes a lowered program ready to run; `joins`: accesses may be joined.
pub(crate) fn run(program: &mut Program, joins: bool) {
    pieces::drop_unused(program);
    if joins {
        sink::sink(program);
    }
    let paths = Paths::of(&program.code);
    data::mark(program, &paths);
    aggregate::mark(program, &paths);
    join::merge(program);
    if joins {
        windows::mark(program);
    }
    slice::drop_needless(program);
    compact::compact(&mut program.code.insts);
    slots::assign(&mut program.code);
}

/// Makes a lowered program ready to run as it is written.
pub(crate) fn prepare(program: &mut Program) {
    let paths = Paths::of(&program.code);
    data::mark(program, &paths);
    compact::compact(&mut program.code.insts);
    slots::assign(&mut program.code);
}
