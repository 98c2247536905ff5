//! Parameters of a kernel whose listing does not name them: laid out from the sizes of a launch's arguments.

use crate::generation::Generation;
use lanescope_ir::{
    AddressSpace, Array, ArrayId, Instruction, Kernel, Op, Operand, Parameter, PlaceId, Register,
    ScalarType,
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

/// The most layouts of structures that are tried.
const MOST_LAYOUTS: usize = 4_096;
/// Alignments that only `alignas` asks for, in bytes.
const STRICT: [u32; 4] = [32, 64, 128, 256];

/// Gives a kernel the parameters of a launch. Each stands at a multiple of its natural alignment. The alignment of a
/// structure is not known: that layout is taken under which the fewest reads of the kernel fall outside of every
/// parameter or across two, and where several are as good, what depends on the choice is named in
/// [`Kernel::guessed_parameters`].
pub fn set_parameters(kernel: &mut Kernel, arguments: &[Argument]) {
    let reads = reads(kernel);
    let layouts = layouts(arguments);
    let astray = |places: &[(u32, u32)]| {
        let within = |(offset, bytes): &(u32, u32)| {
            let end = offset.saturating_add(*bytes);
            places
                .iter()
                .any(|(start, size)| start <= offset && end <= start.saturating_add(*size))
        };
        reads.iter().filter(|read| !within(read)).count()
    };
    let fewest = layouts.iter().map(|places| astray(places)).min();
    let best: Vec<Vec<(u32, u32)>> = layouts
        .into_iter()
        .filter(|places| Some(astray(places)) == fewest)
        .collect();
    let starts = indexed_reads(kernel);
    let begins = |places: &[(u32, u32)]| {
        let is_start = |offset: &&u32| places.iter().any(|(start, _)| start == *offset);
        starts.iter().filter(is_start).count()
    };
    kernel.guessed_parameters = guesses(&best, &reads, &starts);
    // Of equals the first, which has the most usual alignments.
    let places = best
        .into_iter()
        .rev()
        .max_by_key(|places| begins(places))
        .unwrap_or_default();
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
    let Op::Parameter {
        ty,
        dst,
        offset,
        index: None,
    } = read
    else {
        return None;
    };
    (ty.bytes() == 8 && offset.checked_add(4).is_some()).then_some((*dst, *offset))
}

/// A register that is taken apart, and the registers that its halves go to; `None` in place of one that is not wanted.
fn halves(op: &Op) -> Option<(Register, [Option<Register>; 2])> {
    let Op::Unpack {
        parts,
        part_bits: 32,
        a: Operand::Register(whole),
    } = op
    else {
        return None;
    };
    Some((*whole, parts.as_slice().try_into().ok()?))
}

const fn word(dst: Register, offset: u32) -> Op {
    Op::Parameter {
        ty: ScalarType::U32,
        dst,
        offset,
        index: None,
    }
}

/// Offsets and sizes under each choice of the structures' alignments, the most usual first.
fn layouts(arguments: &[Argument]) -> Vec<Vec<(u32, u32)>> {
    let mut layouts: Vec<Vec<(u32, u32)>> = vec![Vec::new()];
    for argument in arguments {
        let mut longer = Vec::new();
        for places in &layouts {
            let end = places
                .last()
                .map_or(0, |(start, bytes)| start.saturating_add(*bytes));
            for offset in offsets(argument, end) {
                let mut places = places.clone();
                places.push((offset, argument.bytes));
                longer.push(places);
            }
        }
        longer.truncate(MOST_LAYOUTS);
        layouts = longer;
    }
    layouts
}

/// Where an argument behind `end` may begin: a scalar at its natural alignment, a structure at any power of two that
/// divides its size.
fn offsets(argument: &Argument, end: u32) -> Vec<u32> {
    if let Some(offset) = argument.offset {
        return vec![offset];
    }
    let at = |align: u32| end.checked_next_multiple_of(align).unwrap_or(end);
    let bytes = argument.bytes;
    if bytes == 0 {
        return vec![end];
    }
    let own = 1 << bytes.trailing_zeros();
    if bytes <= 8 && bytes.is_power_of_two() {
        return vec![at(own)];
    }
    let usual = [own.min(8), 8, 16, 4, 2, 1];
    let usual = usual.into_iter().filter(|align| *align <= own).map(at);
    // What is aligned is the place in the constant bank, where the parameters begin at a multiple of 16 bytes.
    let strict = STRICT.into_iter().filter(|align| *align <= own);
    let strict = strict.flat_map(|align| {
        Generation::PARAMETERS.into_iter().filter_map(move |base| {
            let place = base.checked_add(end)?.checked_next_multiple_of(align)?;
            place.checked_sub(base)
        })
    });
    let mut offsets = Vec::new();
    for offset in usual.chain(strict) {
        if !offsets.contains(&offset) {
            offsets.push(offset);
        }
    }
    offsets
}

/// Positions of parameters that stand elsewhere under another layout that is as good, and that the kernel may read.
fn guesses(best: &[Vec<(u32, u32)>], reads: &[(u32, u32)], indexed: &[u32]) -> Vec<u32> {
    let Some(first) = best.first() else {
        return Vec::new();
    };
    let is_open = |at: &usize| {
        let places = || best.iter().filter_map(|places| places.get(*at).copied());
        let differs = places().any(|place| Some(&place) != first.get(*at));
        let holds = |offset: u32| {
            places().any(|(start, bytes)| (start..start.saturating_add(bytes)).contains(&offset))
        };
        let fixed = reads.iter().map(|(offset, _)| *offset);
        differs && fixed.chain(indexed.iter().copied()).any(holds)
    };
    let mut open: Vec<u32> = (0..first.len())
        .filter(is_open)
        .chain(behind_gaps(first, reads))
        .filter_map(|at| u32::try_from(at).ok())
        .collect();
    open.sort_unstable();
    open.dedup();
    open
}

/// Positions of the parameters behind bytes that the kernel reads and that no parameter has.
fn behind_gaps(places: &[(u32, u32)], reads: &[(u32, u32)]) -> Vec<usize> {
    let has = |byte: u32| {
        let within =
            |(start, bytes): &(u32, u32)| (*start..start.saturating_add(*bytes)).contains(&byte);
        places.iter().any(within)
    };
    let bytes = reads
        .iter()
        .flat_map(|(offset, bytes)| *offset..offset.saturating_add(*bytes));
    bytes
        .filter(|byte| !has(*byte))
        .filter_map(|byte| places.iter().position(|(start, _)| *start > byte))
        .collect()
}

/// Offsets from which the kernel reads parameters by an index.
fn indexed_reads(kernel: &Kernel) -> Vec<u32> {
    let instructions = kernel.blocks.iter().flat_map(|block| &block.instructions);
    let offset = |instruction: &Instruction| {
        let Op::Parameter {
            offset,
            index: Some(_),
            ..
        } = instruction.op
        else {
            return None;
        };
        Some(offset)
    };
    instructions.filter_map(offset).collect()
}

/// Offsets and sizes of the parameters' bytes that the kernel reads at fixed places.
fn reads(kernel: &Kernel) -> Vec<(u32, u32)> {
    let mut reads: Vec<(u32, u32)> = kernel
        .blocks
        .iter()
        .flat_map(|block| &block.instructions)
        .filter_map(|instruction| {
            let Op::Parameter {
                ty,
                offset,
                index: None,
                ..
            } = instruction.op
            else {
                return None;
            };
            Some((offset, ty.bytes()))
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
    /// Offsets of the parameters, and positions of those that are a guess.
    fn placed(text: &str, sizes: &[u32], given: Option<u32>) -> (Vec<u32>, Vec<u32>) {
        let mut kernel = read(text, &Options::default()).kernels.remove(0);
        let argument = |(at, bytes): (usize, &u32)| Argument {
            bytes: *bytes,
            offset: given.filter(|_| at == 1),
            ..Argument::default()
        };
        let arguments: Vec<Argument> = sizes.iter().enumerate().map(argument).collect();
        set_parameters(&mut kernel, &arguments);
        let offsets = kernel
            .parameters
            .iter()
            .map(|parameter| parameter.offset)
            .collect();
        (offsets, kernel.guessed_parameters)
    }

    #[test]
    fn a_structure_is_put_where_the_listing_reads_it() {
        // `struct Share { int a[10]; }` behind an int: read from 4 on, so it is aligned to 4.
        let share = "/*0000*/ LDC R2, c[0x0][0x214] ;\n/*0010*/ LDC.64 R4, c[0x0][0x240] ;\n/*0020*/ EXIT ;\n";
        assert_eq!(placed(share, &[4, 40, 8], None), (vec![0, 4, 48], vec![]));
        // Its last element is read, which lies 44 bytes from the first parameter, so it is aligned to 8.
        let last = "/*0000*/ LDC R2, c[0x0][0x23c] ;\n/*0010*/ EXIT ;\n";
        assert_eq!(placed(last, &[4, 40, 8], None), (vec![0, 8, 48], vec![]));
        // `struct alignas(64) Map { unsigned long long words[16]; }`: the place in the constant bank is aligned.
        let map = "/*0000*/ LDC R9, c[0x0][0x240] ;\n/*0010*/ LDC.64 R6, c[0x0][0x2b8] ;\n\
                   /*0020*/ LDC.64 R4, c[0x0][0x2c0] ;\n/*0030*/ EXIT ;\n";
        assert_eq!(placed(map, &[4, 128, 8], None), (vec![0, 48, 176], vec![]));
    }

    #[test]
    fn a_place_that_the_listing_leaves_open_is_a_guess() {
        let middle = "/*0000*/ LDC R2, c[0x0][0x224] ;\n/*0010*/ LDC.64 R4, c[0x0][0x240] ;\n/*0020*/ EXIT ;\n";
        assert_eq!(placed(middle, &[4, 40, 8], None).1, [1]);
        assert_eq!(
            placed(middle, &[4, 40, 8], Some(4)),
            (vec![0, 4, 48], vec![])
        );
        // Nothing is read of it: where it stands does not matter.
        let unread = "/*0000*/ LDC R2, c[0x0][0x210] ;\n/*0010*/ EXIT ;\n";
        assert!(placed(unread, &[4, 40], None).1.is_empty());
        // A place that cannot be: the kernel reads before it.
        let before = "/*0000*/ LDC R2, c[0x0][0x218] ;\n/*0010*/ EXIT ;\n";
        assert_eq!(placed(before, &[4, 40], Some(64)), (vec![0, 64], vec![1]));
    }
}
