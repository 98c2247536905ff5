//! What is wrong with a SASS listing, in English.

use crate::Language;
use crate::names::{architectures, listed};
use crate::sass_fault::SassFault;

const MOST_NAMES: usize = 8;

pub(crate) fn text(fault: &SassFault) -> String {
    match fault {
        SassFault::TooLong { mebibytes } => {
            format!("the listing has more than {mebibytes} MiB")
        }
        SassFault::NotSass(kind) => kind.text(Language::English).into(),
        SassFault::ArchitectureAssumed { taken } => {
            format!("the listing does not say for which architecture it is; sm_{taken} is taken")
        }
        SassFault::SeveralArchitectures { found, taken } => format!(
            "the listing holds code for {}; sm_{taken} is taken",
            architectures(found, ", ")
        ),
        SassFault::InitialConstants => {
            "`__constant__` variables are taken as the object initialises them".into()
        }
        SassFault::UnknownFunction { wanted, names } => format!(
            "no function `{wanted}` in the listing; it has {}",
            listed(names, MOST_NAMES, ", ")
        ),
        SassFault::FirstRows { rows } => format!("only the first {rows} instructions are read"),
        SassFault::NotModelled { opcode, times } => {
            let times = match times {
                1 => String::new(),
                times => format!(" ({times} times)"),
            };
            format!("`{opcode}` is not modelled{times}; what it writes is taken as unknown")
        }
        SassFault::CutOff { function } => {
            format!("the listing of `{function}` is cut off: it jumps or runs past its end")
        }
    }
}
