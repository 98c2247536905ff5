//! Every kernel that hardware has measured becomes a kernel of the intermediate representation, and asks memory for what
//! the program that it is translated from asks for.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_cuda::read;
use lanescope_ir::{Kernel, Parameter, eval};
use lanescope_lang::{
    Access, ArgumentValue, Blocks, Budget, KernelOptions, Launch, Program, execute, parse_kernel,
};
use lanescope_model::{LaneMask, Operation, Request, Space, Width};
use lanescope_simt as simt;
use lanescope_simt::ParameterValue;

#[path = "../../lang/tests/measured/mod.rs"]
mod measured;

use measured::measured;

/// Blocks of each launch that are compared.
const BLOCKS: u64 = 3;

/// One request: where it comes from, what it does, which lanes, and their offsets from what is aligned to 2^40 bytes.
#[derive(Debug, PartialEq)]
struct Seen {
    warp: (u64, u32),
    site: u32,
    space: Space,
    operation: Operation,
    width: Width,
    lanes: u64,
    addresses: Vec<u64>,
}

impl Seen {
    fn of(warp: (u64, u32), site: u32, request: &Request<'_>) -> Self {
        let lanes = LaneMask(request.active.0).iter();
        Self {
            warp,
            site,
            space: request.space,
            operation: request.operation,
            width: request.width,
            lanes: request.active.0,
            addresses: lanes
                .map(|lane| request.addresses[lane] & ((1 << 40) - 1))
                .collect(),
        }
    }
}

/// The requests of a run of the flat program, those of a warp together and in order.
fn requests_of_program(program: &Program, launch: &Launch) -> Vec<Seen> {
    let mut all = Vec::new();
    let mut observe = |access: &Access<'_>| {
        let warp = (access.block_index, access.warp);
        all.push(Seen::of(warp, access.site.0, &access.request));
        true
    };
    execute(program, launch, 32, Budget::default(), &mut observe);
    all.sort_by_key(|one| one.warp);
    all
}

struct Requests(Vec<Seen>);

impl simt::Observer for Requests {
    fn access(&mut self, access: &simt::Access<'_>) -> bool {
        let warp = (access.block, access.warp);
        self.0.push(Seen::of(warp, access.site.0, &access.request));
        true
    }
}

/// The same of the kernel.
fn requests_of_kernel(kernel: &Kernel, launch: &Launch) -> Vec<Seen> {
    let parameters = kernel
        .parameters
        .iter()
        .map(|one| value(kernel, one, launch));
    let asked = simt::Launch {
        grid: launch.grid,
        block: launch.block,
        dynamic_shared_bytes: launch.dynamic_shared_bytes,
        parameters: parameters.collect(),
        variables: Vec::new(),
        blocks: simt::Blocks::First(BLOCKS),
    };
    let mut requests = Requests(Vec::new());
    simt::execute(kernel, &asked, 32, simt::Budget::default(), &mut requests);
    requests.0.sort_by_key(|one| one.warp);
    requests.0
}

/// What the launch gives a parameter: buffers hold zeros, as they did where they were measured.
fn value(kernel: &Kernel, parameter: &Parameter, launch: &Launch) -> ParameterValue {
    let given = launch
        .arguments
        .iter()
        .find(|one| one.name == parameter.name);
    let given = given.map(|one| &one.value);
    if let Some(array) = parameter.array {
        let array = &kernel.arrays[array.index()];
        let elements = match given {
            Some(ArgumentValue::Integer(elements)) => Some(elements.unsigned_abs()),
            _ => None,
        };
        return ParameterValue::Buffer {
            bytes: elements.map(|elements| elements * array.element_bytes + array.header_bytes),
            base_offset: 0,
            contents: simt::Contents::Zero,
            offset_in_allocation: 0,
        };
    }
    let ty = parameter.scalar.unwrap();
    let bits = match given {
        Some(ArgumentValue::Integer(value)) if ty.is_float() => eval::from_f64(ty, *value as f64),
        Some(ArgumentValue::Integer(value)) => value.cast_unsigned(),
        Some(ArgumentValue::Real(value)) => eval::from_f64(ty, *value),
        _ => return ParameterValue::Missing,
    };
    ParameterValue::Bytes(bits.to_le_bytes()[..parameter.bytes as usize].to_vec())
}

fn check(file: &str) {
    let mut wrong = Vec::new();
    let mut total = 0;
    for kernel in measured(file) {
        let options = KernelOptions {
            as_written: true,
            ..kernel.options.clone()
        };
        let launch = Launch {
            reread: true,
            apart: true,
            blocks: Blocks::First(BLOCKS),
            ..kernel.launch.clone()
        };
        let flat = parse_kernel(&kernel.source, &options).program;
        let lowered = read(&kernel.source, &kernel.options).kernel.unwrap();
        if let Err(errors) = lowered.verify() {
            wrong.push(format!("{}: {}", kernel.name, errors[0]));
            continue;
        }
        let expected = requests_of_program(&flat, &launch);
        let found = requests_of_kernel(&lowered, &launch);
        total += expected.len();
        let differs = expected
            .iter()
            .zip(&found)
            .find(|(one, other)| one != other);
        if differs.is_some() || expected.len() != found.len() {
            wrong.push(format!(
                "{}: {} and {} requests, first {differs:?}",
                kernel.name,
                expected.len(),
                found.len()
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(total > 1_000, "{total} requests");
}

#[test]
fn the_published_kernels_ask_for_the_same() {
    check("h200_kernels.json");
}

#[test]
fn more_kernels_ask_for_the_same() {
    check("h200_more_kernels.json");
}

#[test]
fn kernels_whose_compiler_is_not_followed_ask_for_the_same() {
    check("h200_apart_kernels.json");
}

#[test]
fn measured_kernels_are_valid_and_their_text_form_is_read_again() {
    for file in ["h200_kernels.json", "h200_more_kernels.json"] {
        for one in measured(file) {
            let kernel = read(&one.source, &one.options).kernel.unwrap();
            assert_eq!(kernel.verify(), Ok(()), "{}", one.name);
            let again: Kernel = kernel.to_string().parse().unwrap();
            assert!(again == kernel, "{}", one.name);
        }
    }
}
