//! Parameters of a kernel whose listing names none: what its object or its mangled name tells, or else how it reads
//! them.
//!
//! A listing reads parameters by offset. Two words that one instruction reads side by side are one parameter of eight
//! bytes; such a parameter is a pointer if it reaches the address of an access as a summand. What that misses (a
//! structure, a 64-bit number) a launch that is given by hand or recorded says better.

use crate::signature;
use lanescope_ir::analysis::split_webs;
use lanescope_ir::{
    Address, AddressSpace, Array, ArrayId, BinaryOp, Kernel, Op, Operand, Parameter, PlaceId,
    Register, ScalarType, SiteId, TernaryOp,
};
use lanescope_object::{KernelInfo, ParameterPlace};
use lanescope_sass::{Argument, set_parameters};
use std::collections::{BTreeMap, BTreeSet};

/// Passes over the instructions while summands are followed.
const PASSES: usize = 8;

/// Gives a kernel of a listing its parameters: those of a launch, or, where nothing is known of the launch, those that
/// its reads show.
pub(crate) fn give_parameters(kernel: &mut Kernel, arguments: &[Argument]) {
    if arguments.is_empty() {
        infer(kernel);
    } else {
        set_arguments(kernel, arguments);
    }
}

/// Gives a kernel without parameters those that it reads.
fn infer(kernel: &mut Kernel) {
    if !kernel.parameters.is_empty() {
        return;
    }
    let reads = reads(kernel);
    let pointers = pointers(kernel, &reads);
    let parameters: BTreeMap<u32, u32> = reads.values().copied().collect();
    for (offset, bytes) in parameters {
        let at = kernel.parameters.len();
        let is_pointer = pointers.contains(&offset);
        let array = is_pointer.then(|| buffer(kernel, at));
        kernel.parameters.push(Parameter {
            name: format!("param_{at}"),
            place: PlaceId(0),
            declared: declared(offset, bytes, is_pointer),
            offset,
            bytes,
            scalar: Some(scalar(bytes, is_pointer)),
            array,
        });
    }
}

/// Gives a kernel of a listing the parameters that its object, if there is one, or its mangled name tells of; else those
/// that its reads show. The object's size of a block, where it has one, is the kernel's.
pub(crate) fn tell_parameters(kernel: &mut Kernel, object: Option<&KernelInfo>) {
    let places = match object {
        Some(object) => Some(object.parameters.clone()),
        None => signature::places(&kernel.name),
    };
    match places {
        Some(places) => place_parameters(kernel, &places),
        None => infer(kernel),
    }
    kernel.block_size = kernel.block_size.or(object.and_then(|object| object.block));
}

/// Gives a kernel parameters by position; of a structure those of its words that are read, each by position and offset.
fn place_parameters(kernel: &mut Kernel, places: &[ParameterPlace]) {
    let reads = reads(kernel);
    let pointers = pointers(kernel, &reads);
    let words = words(kernel);
    let mut arguments: Vec<Argument> = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let argument = |name, offset, bytes| Argument {
            name,
            bytes,
            offset: Some(offset),
            is_pointer: bytes == 8 && (place.is_pointer || pointers.contains(&offset)),
        };
        match place.bytes {
            0..=8 => arguments.push(argument(format!("param_{at}"), place.offset, place.bytes)),
            _ => arguments.extend(within(place.offset, place.bytes, &words).map(
                |(offset, bytes)| {
                    let inside = offset.saturating_sub(place.offset);
                    argument(format!("param_{at}_{inside}"), offset, bytes)
                },
            )),
        }
    }
    set_arguments(kernel, &arguments);
    for parameter in &mut kernel.parameters {
        let is_pointer = parameter.array.is_some();
        parameter.declared = declared(parameter.offset, parameter.bytes, is_pointer);
    }
}

/// Gives a kernel of a listing parameters, each with a type of its size.
fn set_arguments(kernel: &mut Kernel, arguments: &[Argument]) {
    set_parameters(kernel, arguments);
    for parameter in &mut kernel.parameters {
        let is_pointer = parameter.array.is_some();
        parameter.scalar = Some(scalar(parameter.bytes, is_pointer));
    }
}

/// Parameters as a kernel reads them, by offset: their bytes.
pub(crate) fn words(kernel: &Kernel) -> BTreeMap<u32, u32> {
    reads(kernel).values().copied().collect()
}

/// The words of a structure that are read.
pub(crate) fn within(
    start: u32,
    bytes: u32,
    words: &BTreeMap<u32, u32>,
) -> impl Iterator<Item = (u32, u32)> + '_ {
    let inside = words.range(start..start.saturating_add(bytes));
    inside.map(|(offset, bytes)| (*offset, *bytes))
}

/// The type that a parameter of so many bytes is set as.
const fn scalar(bytes: u32, is_pointer: bool) -> ScalarType {
    match bytes {
        8 if is_pointer => ScalarType::U64,
        8 => ScalarType::I64,
        2 => ScalarType::I16,
        1 => ScalarType::I8,
        _ => ScalarType::I32,
    }
}

/// Offsets of the parameters of eight bytes that are pointers by what becomes of them.
pub(crate) fn pointer_offsets(kernel: &Kernel) -> BTreeSet<u32> {
    pointers(kernel, &reads(kernel))
}

/// How a parameter is shown: its place among the parameters' bytes says which of the source's it is.
fn declared(offset: u32, bytes: u32, is_pointer: bool) -> String {
    if is_pointer {
        format!("pointer at {offset:#x}")
    } else {
        format!("{bytes} bytes at {offset:#x}")
    }
}

/// A new array of bytes that the parameter at `at` points to.
pub(crate) fn buffer(kernel: &mut Kernel, at: usize) -> ArrayId {
    let id = ArrayId(u32::try_from(kernel.arrays.len()).unwrap_or(u32::MAX));
    kernel.arrays.push(Array {
        name: format!("param_{at}"),
        place: PlaceId(0),
        space: AddressSpace::Global,
        element: "byte".to_owned(),
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

/// `(place, offset)` of each read: the parameter's offset and bytes.
pub(crate) fn reads(kernel: &Kernel) -> BTreeMap<(PlaceId, u32), (u32, u32)> {
    let mut words: BTreeMap<(PlaceId, u32), u32> = BTreeMap::new();
    for instruction in kernel.blocks.iter().flat_map(|block| &block.instructions) {
        if let Op::Parameter { ty, offset, .. } = &instruction.op {
            words.insert((instruction.place, *offset), ty.bytes());
        }
    }
    let wide: BTreeSet<u32> = words
        .iter()
        .filter(|((place, offset), bytes)| {
            offset % 8 == 0
                && (**bytes == 8 || **bytes == 4 && words.contains_key(&(*place, offset + 4)))
        })
        .map(|((_, offset), _)| *offset)
        .collect();
    words
        .into_iter()
        .map(|((place, offset), bytes)| {
            let start = offset & !7;
            let parameter = if wide.contains(&start) {
                (start, 8)
            } else {
                (offset, bytes)
            };
            ((place, offset), parameter)
        })
        .collect()
}

/// Offsets of the parameters of eight bytes that reach an address as a summand. A register that is used again for
/// something else is another one there: else a number would seem to reach what the next owner of its register does.
fn pointers(kernel: &Kernel, reads: &BTreeMap<(PlaceId, u32), (u32, u32)>) -> BTreeSet<u32> {
    let split = split_webs(kernel);
    let kernel = split.as_ref().unwrap_or(kernel);
    let mut holds: BTreeMap<Register, BTreeSet<u32>> = BTreeMap::new();
    for _ in 0..PASSES {
        let before: usize = holds.values().map(BTreeSet::len).sum();
        for instruction in kernel.blocks.iter().flat_map(|block| &block.instructions) {
            if let Op::Parameter { dst, offset, .. } = &instruction.op {
                if let Some((start, 8)) = reads.get(&(instruction.place, *offset)) {
                    holds.entry(*dst).or_default().insert(*start);
                }
                continue;
            }
            let summands = summands(&instruction.op);
            let mut all = BTreeSet::new();
            for register in summands.iter().filter_map(|operand| operand.register()) {
                all.extend(holds.get(&register).into_iter().flatten().copied());
            }
            if !all.is_empty() {
                for register in instruction.op.defs() {
                    holds.entry(register).or_default().extend(&all);
                }
            }
        }
        if holds.values().map(BTreeSet::len).sum::<usize>() == before {
            break;
        }
    }
    let addresses = kernel.blocks.iter().flat_map(|block| &block.instructions);
    let addresses = addresses.flat_map(|address| bases(kernel, &address.op));
    addresses
        .filter_map(Operand::register)
        .filter_map(|register| holds.get(&register))
        .flatten()
        .copied()
        .collect()
}

/// Operands whose value goes into the result undivided and unscaled.
fn summands(op: &Op) -> Vec<Operand> {
    match op {
        Op::Unary {
            op: lanescope_ir::UnaryOp::Move,
            a,
            ..
        }
        | Op::Unpack { a, .. } => vec![*a],
        Op::Binary {
            op: BinaryOp::Add | BinaryOp::Subtract,
            a,
            b,
            ..
        } => vec![*a, *b],
        Op::Ternary {
            op: TernaryOp::Add3,
            a,
            b,
            c,
            ..
        }
        | Op::AddCarry { a, b, c, .. } => {
            vec![*a, *b, *c]
        }
        Op::Ternary {
            op: TernaryOp::MultiplyAdd | TernaryOp::MultiplyAddHigh | TernaryOp::MultiplyAddWide,
            c,
            ..
        } => vec![*c],
        Op::Select { yes, no, .. } => vec![*yes, *no],
        Op::Pack { parts, .. } => parts.clone(),
        _ => Vec::new(),
    }
}

/// Bases and indices of the addresses that an instruction asks global memory for.
fn bases(kernel: &Kernel, op: &Op) -> Vec<Operand> {
    let of = |(site, address): (SiteId, Option<&Address>)| match kernel
        .sites
        .get(site.index())
        .map(|site| site.space)
    {
        Some(AddressSpace::Global | AddressSpace::Generic) | None => {
            let address = address.into_iter();
            address
                .flat_map(|address| std::iter::once(address.base).chain(address.index))
                .collect()
        }
        Some(
            AddressSpace::Shared
            | AddressSpace::Local
            | AddressSpace::Constant
            | AddressSpace::SharedCluster,
        ) => Vec::new(),
    };
    op.accesses().into_iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use lanescope_frontend::Program;

    /// Of each parameter its name, what it is, and whether it points.
    fn declared(program: &Program) -> Vec<(&str, &str, bool)> {
        let parameters = program.parameters().iter();
        parameters
            .map(|parameter| {
                (
                    parameter.name.as_str(),
                    parameter.ty.as_str(),
                    parameter.array.is_some(),
                )
            })
            .collect()
    }

    /// `out[tid] = in[tid] * n`, as sm_90 code: two pointers and a number.
    const LISTING: &str = "
        /*0000*/ S2R R6, SR_TID.X ;
        /*0010*/ LDC.64 R2, c[0x0][0x210] ;
        /*0020*/ ULDC.64 UR4, c[0x0][0x208] ;
        /*0030*/ LDC R7, c[0x0][0x220] ;
        /*0040*/ LDC.64 R4, c[0x0][0x218] ;
        /*0050*/ IMAD.WIDE.U32 R2, R6, 0x4, R2 ;
        /*0060*/ LDG.E R3, desc[UR4][R2.64] ;
        /*0070*/ IMAD.WIDE.U32 R4, R6, 0x4, R4 ;
        /*0080*/ IMAD R3, R3, R7, RZ ;
        /*0090*/ STG.E desc[UR4][R4.64], R3 ;
        /*00a0*/ EXIT ;
";

    /// What an object of the same kernel says: the number is the first half of a structure.
    const OBJECT: &str = "
//@object sm_90
//@kernel f shared=0 block=64,1,1
//@parameter 0 8
//@parameter 8 8
//@parameter 16 12
";

    #[test]
    fn an_object_says_which_parameters_there_are() {
        let listing = format!("code for sm_90\nFunction : f\n{LISTING}{OBJECT}");
        let program = crate::read(&listing, None).expect("a listing").program;
        assert_eq!(
            declared(&program),
            [
                ("param_0", "pointer at 0x0", true),
                ("param_1", "pointer at 0x8", true),
                ("param_2_0", "4 bytes at 0x10", false),
            ]
        );
        assert_eq!(program.block(), Some([64, 1, 1]));
    }

    #[test]
    fn pointers_and_numbers_are_told_apart() {
        let parsed = crate::read(LISTING, None).expect("a listing");
        assert_eq!(
            declared(&parsed.program),
            [
                ("param_0", "pointer at 0x0", true),
                ("param_1", "pointer at 0x8", true),
                ("param_2", "4 bytes at 0x10", false),
            ]
        );
        let of_sites: Vec<u32> = Program::sites(&parsed.program)
            .iter()
            .map(|one| one.line)
            .collect();
        assert_eq!(of_sites, [8, 11]);
        let texts = parsed.program.sites().iter().map(|one| {
            let (start, end) = (one.span.start as usize, one.span.end as usize);
            &LISTING[start..end]
        });
        assert_eq!(
            texts.collect::<Vec<_>>(),
            ["LDG.E R3, desc[UR4][R2.64]", "STG.E desc[UR4][R4.64], R3"]
        );
    }

    /// A number of eight bytes bounds a loop; its registers are those of an address afterwards.
    const REUSED: &str = "
        /*0000*/ S2R R6, SR_TID.X ;
        /*0010*/ ULDC.64 UR4, c[0x0][0x208] ;
        /*0020*/ LDC.64 R2, c[0x0][0x218] ;
        /*0030*/ ISETP.GE.U32.AND P0, PT, R6, R2, PT ;
        /*0040*/ ISETP.GE.U32.AND.EX P0, PT, RZ, R3, PT, P0 ;
        /*0050*/ @P0 EXIT ;
        /*0060*/ LDC.64 R2, c[0x0][0x210] ;
        /*0070*/ IMAD.WIDE.U32 R2, R6, 0x4, R2 ;
        /*0080*/ STG.E desc[UR4][R2.64], RZ ;
        /*0090*/ EXIT ;
";

    #[test]
    fn a_number_whose_registers_hold_an_address_later_is_no_pointer() {
        let parsed = crate::read(REUSED, None).expect("a listing");
        assert_eq!(
            declared(&parsed.program),
            [
                ("param_0", "pointer at 0x0", true),
                ("param_1", "8 bytes at 0x8", false),
            ]
        );
    }
}
