//! The attributes of `.nv.info` sections: a format, a number, and a value.

use crate::elf::{half, word};
use crate::object::ParameterPlace;

/// Formats of a value: none, of one byte, of two, of so many as follow.
const ONE_BYTE: u8 = 2;
const TWO_BYTES: u8 = 3;
const SIZED: u8 = 4;
const NONE: u8 = 1;

/// A parameter of a kernel.
const PARAMETER: u8 = 0x17;
/// The same for kernels with more than 4 KiB of parameters; it does not say which are pointers.
const PARAMETER_WIDE: u8 = 0x45;
/// Threads of a block, where the source fixes them.
const REQUIRED_THREADS: u8 = 0x10;
/// Bits of a pointer's space, which other parameters have not.
const POINTER_SPACE: u32 = 0xf;

/// What the attributes of one kernel say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    /// Parameters in their order.
    pub(crate) parameters: Vec<ParameterPlace>,
    /// Threads of a block.
    pub(crate) block: Option<[u32; 3]>,
}

/// The most parameters that a kernel has.
const MOST_PARAMETERS: usize = 4096;

/// Reads a section; what follows an attribute that is not understood in form is left out.
pub(crate) fn read(mut bytes: &[u8]) -> Attributes {
    let mut found = Attributes::default();
    while let [format, number, rest @ ..] = bytes {
        let Some((value, behind)) = value(*format, rest) else {
            break;
        };
        match *number {
            PARAMETER | PARAMETER_WIDE if found.parameters.len() < MOST_PARAMETERS => {
                found.parameters.extend(parameter(value, *number));
            }
            REQUIRED_THREADS => found.block = threads(value),
            _ => {}
        }
        bytes = behind;
    }
    found.parameters.sort_by_key(|parameter| parameter.position);
    found
        .parameters
        .dedup_by_key(|parameter| parameter.position);
    found
}

/// A value and what stands behind it.
fn value(format: u8, rest: &[u8]) -> Option<(&[u8], &[u8])> {
    match format {
        NONE | ONE_BYTE | TWO_BYTES => rest.split_at_checked(2),
        SIZED => {
            let size = half(rest, 0)?;
            rest.get(2..)?.split_at_checked(size.into())
        }
        _ => None,
    }
}

/// `index, ordinal, offset`, then a word with the pointee's alignment, its space, the bank and, from bit 18 on, the size;
/// of the wide form the size alone.
fn parameter(value: &[u8], number: u8) -> Option<ParameterPlace> {
    let (position, offset) = (half(value, 4)?, half(value, 6)?);
    let packed = word(value, 8)?;
    let (bytes, space) = match number {
        PARAMETER_WIDE => (packed, 0),
        _ => (packed >> 18, (packed >> 8) & POINTER_SPACE),
    };
    Some(ParameterPlace {
        position: position.into(),
        offset: offset.into(),
        bytes,
        is_pointer: space != 0 && bytes == 8,
    })
}

fn threads(value: &[u8]) -> Option<[u32; 3]> {
    let axis = |at| word(value, at).filter(|threads| *threads > 0);
    Some([axis(0)?, axis(4)?, axis(8)?])
}
