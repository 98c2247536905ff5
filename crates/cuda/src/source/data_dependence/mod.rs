//! Data dependence: which accesses depend on what memory holds.

mod chains;
mod regions;
mod rounds;
mod sources;

use crate::source::code::Code;
use crate::source::program::Program;
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

/// Notes for each access the array whose contents decide its addresses, or whether it is made.
pub(crate) fn mark(program: &mut Program) {
    let paths = Paths::of(&program.code);
    sources::mark(program, &paths);
}
