//! What is done to the flat program before it runs.

mod slots;

use crate::program::Program;

/// Makes a lowered program ready to run.
pub(crate) fn run(program: &mut Program) {
    slots::assign(&mut program.code);
}
