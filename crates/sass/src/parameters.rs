//! Parameters of a kernel whose listing does not name them: laid out from the sizes of a launch's arguments.

use lanescope_ir::{
    AddressSpace, Array, ArrayId, Kernel, Op, Operand, Parameter, PlaceId, Register, ScalarType,
};
use std::collections::{BTreeMap, BTreeSet};

/// An argument of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Argument {
    /// The parameter's name; empty where nobody knows it.
    pub name: String,
    /// Its bytes.
    pub bytes: u32,
    /// Bytes from the first parameter's first byte; `None`: behind the one before.
    pub offset: Option<u32>,
    /// Whether it points to a buffer.
    pub is_pointer: bool,
}

/// The most bytes that a scalar's alignment can be, and those of a structure or vector.
const ALIGNMENTS: [u32; 3] = [8, 16, 4];

/// Gives a kernel the parameters of a launch. Each stands at a multiple of its natural alignment. The alignment of a
/// structure is not known: the one is taken under which the most reads of the kernel fall within one parameter.
pub fn set_parameters(kernel: &mut Kernel, arguments: &[Argument]) {
    let reads = reads(kernel);
    let astray = |most: &u32| {
        let places = layout(arguments, *most);
        let within = |(offset, bytes): &(u32, u32)| {
            let end = offset.saturating_add(*bytes);
            places
                .iter()
                .any(|(start, size)| start <= offset && end <= start.saturating_add(*size))
        };
        reads.iter().filter(|read| !within(read)).count()
    };
    let most = ALIGNMENTS.into_iter().min_by_key(astray).unwrap_or(8);
    let places = layout(arguments, most);
    kernel.parameters.clear();
    for (argument, (offset, bytes)) in arguments.iter().zip(places) {
        let array = argument
            .is_pointer
            .then(|| buffer(kernel, argument, offset));
        kernel.parameters.push(Parameter {
            name: argument.name.clone(),
            place: PlaceId(0),
            declared: String::new(),
            offset,
            bytes,
            scalar: argument.is_pointer.then_some(ScalarType::U64),
            array,
        });
    }
    read_apart(kernel);
}

/// Reads two parameters apart that one instruction reads side by side (`LDC.64`): what is not known of one says nothing of
/// the other.
fn read_apart(kernel: &mut Kernel) {
    let starts: BTreeSet<u32> = kernel
        .parameters
        .iter()
        .map(|parameter| parameter.offset)
        .collect();
    for block in &mut kernel.blocks {
        // Where each register was read whose halves are two parameters, and at which offset.
        let mut reads: BTreeMap<Register, (usize, u32)> = BTreeMap::new();
        for at in 0..block.instructions.len() {
            let Some(instruction) = block.instructions.get_mut(at) else {
                continue;
            };
            if let Some((whole, offset)) = wide_read(&instruction.op) {
                if starts.contains(&(offset + 4)) {
                    reads.insert(whole, (at, offset));
                }
                continue;
            }
            let halves = halves(&instruction.op);
            let taken = halves.and_then(|(whole, parts)| Some((reads.remove(&whole)?, parts)));
            let Some(((read, offset), parts)) = taken else {
                continue;
            };
            match parts {
                [Some(low), Some(high)] => {
                    instruction.op = word(high, offset + 4);
                    if let Some(read) = block.instructions.get_mut(read) {
                        read.op = word(low, offset);
                    }
                }
                [Some(low), None] => instruction.op = word(low, offset),
                [None, Some(high)] => instruction.op = word(high, offset + 4),
                [None, None] => {}
            }
        }
    }
}

/// The register and the offset of a read of eight bytes at a fixed place.
fn wide_read(read: &Op) -> Option<(Register, u32)> {
    match read {
        Op::Parameter {
            ty,
            dst,
            offset,
            index: None,
        } if ty.bytes() == 8 && offset.checked_add(4).is_some() => Some((*dst, *offset)),
        _ => None,
    }
}

/// A register that is taken apart, and the registers that its halves go to; `None` in place of one that is not wanted.
fn halves(op: &Op) -> Option<(Register, [Option<Register>; 2])> {
    match op {
        Op::Unpack {
            parts,
            part_bits: 32,
            a: Operand::Register(whole),
        } => Some((*whole, parts.as_slice().try_into().ok()?)),
        _ => None,
    }
}

const fn word(dst: Register, offset: u32) -> Op {
    Op::Parameter {
        ty: ScalarType::U32,
        dst,
        offset,
        index: None,
    }
}

/// Offsets and sizes, with alignments of at most `most` bytes.
fn layout(arguments: &[Argument], most: u32) -> Vec<(u32, u32)> {
    let mut end = 0_u32;
    arguments
        .iter()
        .map(|argument| {
            let bytes = argument.bytes;
            let most = if bytes <= 8 { 8 } else { most };
            let natural = match bytes {
                0 => 1,
                bytes => (1 << bytes.trailing_zeros().min(4)).min(most),
            };
            let next = end.checked_next_multiple_of(natural).unwrap_or(end);
            let offset = argument.offset.unwrap_or(next);
            end = offset.saturating_add(bytes);
            (offset, bytes)
        })
        .collect()
}

/// Offsets and sizes of the parameters' bytes that the kernel reads at fixed places.
fn reads(kernel: &Kernel) -> Vec<(u32, u32)> {
    let mut reads: Vec<(u32, u32)> = kernel
        .blocks
        .iter()
        .flat_map(|block| &block.instructions)
        .filter_map(|instruction| match &instruction.op {
            Op::Parameter {
                ty,
                offset,
                index: None,
                ..
            } => Some((*offset, ty.bytes())),
            _ => None,
        })
        .collect();
    reads.sort_unstable();
    reads.dedup();
    reads
}

fn buffer(kernel: &mut Kernel, argument: &Argument, offset: u32) -> ArrayId {
    let id = ArrayId(u32::try_from(kernel.arrays.len()).unwrap_or(u32::MAX));
    let name = match argument.name.as_str() {
        "" => format!("parameter at {offset:#x}"),
        name => name.to_owned(),
    };
    kernel.arrays.push(Array {
        name,
        place: PlaceId(0),
        space: AddressSpace::Global,
        element: String::new(),
        element_bytes: 1,
        header_bytes: 0,
        extents: Vec::new(),
        bytes: None,
        alignment: 1,
        base: 0,
        is_restrict: false,
        initial: Vec::new(),
    });
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, read};

    fn offsets(text: &str, sizes: &[u32]) -> Vec<u32> {
        let mut kernel = read(text, &Options::default()).kernels.remove(0);
        let arguments: Vec<Argument> = sizes
            .iter()
            .map(|bytes| Argument {
                bytes: *bytes,
                ..Argument::default()
            })
            .collect();
        set_parameters(&mut kernel, &arguments);
        kernel
            .parameters
            .iter()
            .map(|parameter| parameter.offset)
            .collect()
    }

    #[test]
    fn scalars_stand_at_their_natural_alignment() {
        let text = "/*0000*/ LDC R1, c[0x0][0x28] ;\n/*0010*/ EXIT ;\n";
        assert_eq!(offsets(text, &[4, 8, 1, 2, 4]), [0, 8, 16, 18, 20]);
        assert_eq!(offsets(text, &[4, 16, 12]), [0, 8, 24]);
    }

    #[test]
    fn neighbours_are_read_apart() {
        let text = "/*0000*/ ULDC.64 UR6, c[0x0][0x218] ;\n/*0010*/ STG.E [R2], R4 ;\n\
                    /*0020*/ STS [UR6], R4 ;\n/*0030*/ STS [UR7], R4 ;\n/*0040*/ EXIT ;\n";
        let reads_of = |sizes: &[u32]| {
            let mut kernel = read(text, &Options::default()).kernels.remove(0);
            let argument = |bytes: &u32| Argument {
                bytes: *bytes,
                ..Argument::default()
            };
            let arguments: Vec<Argument> = sizes.iter().map(argument).collect();
            set_parameters(&mut kernel, &arguments);
            reads(&kernel)
        };
        assert_eq!(reads_of(&[8, 8]), [(8, 8)]);
        assert_eq!(reads_of(&[8, 4, 4]), [(8, 4), (12, 4)]);
    }

    #[test]
    fn reads_tell_a_structure_s_alignment() {
        // A vector of four floats behind an int: read from 16 on.
        let text = "/*0000*/ LDC.64 R2, c[0x0][0x228] ;\n/*0010*/ EXIT ;\n";
        assert_eq!(offsets(text, &[4, 16]), [0, 16]);
        // Four floats without an alignment of their own.
        let text = "/*0000*/ LDC R2, c[0x0][0x214] ;\n/*0010*/ EXIT ;\n";
        assert_eq!(offsets(text, &[4, 16, 4]), [0, 4, 20]);
    }
}
