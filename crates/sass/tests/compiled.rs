//! Listings of kernels of ours, as nvcc 13 compiled them for five architectures, read and run.

use lanescope_ir::Kernel;
use lanescope_model::{Device, Operation, Space};
use lanescope_sass::{Argument, Diagnostic, Options, Parsed, SassFault, read, set_parameters};
use lanescope_simt::{
    Access, BlockDone, Budget, Certainty, Contents, End, Launch, Observer, Outcome, ParameterValue,
    execute,
};
use std::collections::BTreeMap;

const LISTINGS: [(&str, &str); 6] = [
    (
        "sm_75",
        include_str!("../../../tests/golden/compiled/transpose.sm_75.sass"),
    ),
    (
        "sm_80",
        include_str!("../../../tests/golden/compiled/transpose.sm_80.sass"),
    ),
    (
        "sm_90",
        include_str!("../../../tests/golden/compiled/transpose.sm_90.sass"),
    ),
    (
        "sm_90, nvdisasm",
        include_str!("../../../tests/golden/compiled/transpose.sm_90.nvdisasm"),
    ),
    (
        "sm_100",
        include_str!("../../../tests/golden/compiled/transpose.sm_100.sass"),
    ),
    (
        "sm_120",
        include_str!("../../../tests/golden/compiled/transpose.sm_120.sass"),
    ),
];

/// Requests and what they cost, by kind.
#[derive(Default)]
struct Sums {
    block: BTreeMap<(bool, bool), [u64; 2]>,
    all: BTreeMap<(bool, bool), [u64; 2]>,
}

impl Observer for Sums {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let device = Device::by_id("cc9.0").expect("a device");
        let is_shared = access.request.space == Space::Shared;
        let cost = if is_shared {
            device
                .shared_counts(&access.request)
                .expect("counts")
                .wavefronts
        } else {
            device.global_counts(&access.request).expect("counts").units
        };
        let key = (is_shared, access.request.operation == Operation::Load);
        let sums = self.block.entry(key).or_default();
        sums[0] += access.times;
        sums[1] += u64::from(cost) * access.times;
        true
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        for (key, sums) in std::mem::take(&mut self.block) {
            let all = self.all.entry(key).or_default();
            all[0] += sums[0] * done.times;
            all[1] += sums[1] * done.times;
        }
        true
    }
}

fn named(text: &str, name: &str) -> Parsed {
    let options = Options {
        kernel: Some(name.to_owned()),
        ..Options::default()
    };
    read(text, &options)
}

fn pointer() -> (Argument, ParameterValue) {
    let argument = Argument {
        bytes: 8,
        is_pointer: true,
        ..Argument::default()
    };
    let value = ParameterValue::Buffer {
        bytes: None,
        base_offset: 0,
        contents: Contents::Unknown,
        offset_in_allocation: 0,
    };
    (argument, value)
}

fn number(value: u32) -> (Argument, ParameterValue) {
    let argument = Argument {
        bytes: 4,
        ..Argument::default()
    };
    (
        argument,
        ParameterValue::Bytes(value.to_le_bytes().to_vec()),
    )
}

/// A pointer to an array of known contents.
fn array(contents: &[u8]) -> (Argument, ParameterValue) {
    let (argument, mut value) = pointer();
    if let ParameterValue::Buffer { contents: held, .. } = &mut value {
        *held = Contents::Bytes(contents.into());
    }
    (argument, value)
}

fn run(kernel: &mut Kernel, grid: [u32; 3], block: [u32; 3], numbers: &[u32]) -> (Outcome, Sums) {
    let given = [pointer(), pointer()]
        .into_iter()
        .chain(numbers.iter().map(|one| number(*one)));
    let (arguments, parameters): (Vec<_>, Vec<_>) = given.unzip();
    set_parameters(kernel, &arguments);
    let launch = Launch {
        grid,
        block,
        parameters,
        ..Launch::default()
    };
    let mut sums = Sums::default();
    let outcome = execute(kernel, &launch, 32, Budget::default(), &mut sums);
    (outcome, sums)
}

#[test]
fn a_transpose_costs_the_same_on_every_architecture() {
    for (name, text) in LISTINGS {
        let mut parsed = named(text, "transpose");
        assert_eq!(parsed.diagnostics, [], "{name}");
        let mut kernel = parsed.kernels.remove(0);
        assert_eq!(kernel.verify(), Ok(()), "{name}");
        let (outcome, sums) = run(&mut kernel, [2, 2, 1], [32, 8, 1], &[64]);
        assert_eq!(outcome.end, End::Complete, "{name}");
        assert!(outcome.doubts.is_empty(), "{name}: {:?}", outcome.doubts);
        // Four blocks of eight warps, four rows each: a row is four sectors; a column is one bank, 32 words.
        let expected = BTreeMap::from([
            ((false, false), [128, 512]),
            ((false, true), [128, 512]),
            ((true, false), [128, 128]),
            ((true, true), [128, 4096]),
        ]);
        assert_eq!(sums.all, expected, "{name}");
    }
}

#[test]
fn loops_with_a_division_and_early_exits_run_to_their_end() {
    for (name, text) in LISTINGS {
        let mut kernel = named(text, "strided").kernels.remove(0);
        let (outcome, sums) = run(&mut kernel, [2, 1, 1], [64, 1, 1], &[100, 3]);
        assert_eq!(outcome.end, End::Complete, "{name}");
        assert!(outcome.doubts.is_empty(), "{name}: {:?}", outcome.doubts);
        let stores = sums.all.get(&(false, false)).copied().unwrap_or_default();
        // 100 threads are four warps; thread t writes word t / 3: 11 or 12 words a warp, in two sectors, and 2 words.
        assert_eq!(stores[0], 4, "{name}");
        // Thread t reads every third word from t % 3 on: 34 or 33 of them.
        let loads = sums.all.get(&(false, true)).copied().unwrap_or_default();
        assert!(loads[0] >= 4 * 33, "{name}: {}", loads[0]);
    }
}

#[test]
fn a_sum_of_doubles_in_shared_memory_ends_when_each_lane_has_added() {
    let text = include_str!("../../../tests/golden/compiled/sum_of_doubles.sm_90.sass");
    let mut kernel = named(text, "sum_of_doubles").kernels.remove(0);
    let (outcome, sums) = run(&mut kernel, [1, 1, 1], [64, 1, 1], &[]);
    assert_eq!(outcome.end, End::Complete);
    // One lane a round gets through; the sum is set to zero before, and read once more behind.
    let loads = sums.all.get(&(true, true)).map(|sums| sums[0]);
    let others = sums.all.get(&(true, false)).map(|sums| sums[0]);
    assert_eq!((loads, others), (Some(64 + 1), Some(64 + 1)));
}

/// A kernel, how its numbers are held, whether it takes them in pairs, and for which `[lower, upper]` it stores.
type Comparison = (
    &'static str,
    fn(f32) -> u16,
    bool,
    fn([f32; 2], [f32; 2]) -> bool,
);

/// The value of a half, for the tests' numbers: their bits but the lowest 13 are those of a float.
fn half(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = u16::try_from(bits >> 16 & 0x8000).expect("a bit");
    let exponent = bits >> 23 & 0xff;
    let fraction = u16::try_from(bits >> 13 & 0x3ff).expect("ten bits");
    match exponent {
        0 => sign,
        0xff => sign | 0x7c00 | fraction,
        _ => sign | u16::try_from(exponent - 112).expect("a normal half") << 10 | fraction,
    }
}

fn brain(value: f32) -> u16 {
    u16::try_from(value.to_bits() >> 16).expect("the upper half")
}

#[test]
fn halves_are_compared_as_their_numbers_are() {
    let text = include_str!("../../../tests/golden/compiled/halves.sm_90.sass");
    let numbers = [0.0, -0.0, 0.25, 0.5, 0.75, -1.5, f32::INFINITY, f32::NAN];
    let pairs: Vec<[f32; 2]> = numbers
        .iter()
        .flat_map(|low| numbers.map(|high| [*low, high]))
        .collect();
    let others: Vec<[f32; 2]> = pairs.iter().cycle().skip(11).take(64).copied().collect();
    let bytes = |list: &[[f32; 2]], one: fn(f32) -> u16, is_pair: bool| -> Vec<u8> {
        let values = list
            .iter()
            .flat_map(|pair| if is_pair { &pair[..] } else { &pair[..1] });
        values.flat_map(|value| one(*value).to_le_bytes()).collect()
    };
    let kernels: [Comparison; 6] = [
        ("scalar", half, false, |a, b| a[0] > b[0]),
        ("both", half, true, |a, b| a[0] <= b[0] && a[1] <= b[1]),
        ("either", half, true, |a, b| a[0] < b[0] || a[1] == b[1]),
        ("unordered", half, true, |a, b| {
            let at_least = |at: usize| a[at].is_nan() || b[at].is_nan() || a[at] >= b[at];
            at_least(0) && at_least(1)
        }),
        ("constant", half, true, |a, _| a[1] > 0.25 && a[0] < 0.75),
        ("brain", brain, false, |a, b| a[0] >= b[0]),
    ];
    for (name, coded, is_pair, holds) in kernels {
        let mut kernel = named(text, name).kernels.remove(0);
        let given = [
            array(&bytes(&pairs, coded, is_pair)),
            array(&bytes(&others, coded, is_pair)),
            pointer(),
        ];
        let (arguments, parameters): (Vec<_>, Vec<_>) = given.into_iter().unzip();
        set_parameters(&mut kernel, &arguments);
        let launch = Launch {
            grid: [1; 3],
            block: [64, 1, 1],
            parameters,
            ..Launch::default()
        };
        let mut sums = Sums::default();
        let outcome = execute(&kernel, &launch, 32, Budget::default(), &mut sums);
        assert!(outcome.doubts.is_empty(), "{name}: {:?}", outcome.doubts);
        // Each lane writes a sector of its own.
        let expected = pairs.iter().zip(&others).filter(|(a, b)| holds(**a, **b));
        let stores = sums.all.get(&(false, false)).map_or(0, |sums| sums[1]);
        assert_eq!(stores, expected.count() as u64, "{name}");
    }
}

#[test]
fn lines_of_the_source_are_known_where_the_listing_says() {
    let text = LISTINGS[3].1;
    let kernel = named(text, "transpose").kernels.remove(0);
    assert_eq!(kernel.files, ["transpose.cu"]);
    let lines: Vec<Option<(u16, u32)>> = kernel
        .sites
        .iter()
        .map(|site| kernel.places[site.place.index()].origin)
        .collect();
    let stores = lines.iter().filter(|line| **line == Some((0, 7))).count();
    assert_eq!(
        stores, 8,
        "four loads and four stores to shared memory: {lines:?}"
    );
}

#[test]
fn what_is_cut_off_or_torn_is_read_without_a_panic() {
    let text = LISTINGS[2].1;
    for at in (0..text.len()).step_by(389) {
        let (head, tail) = text.split_at(at);
        for torn in [
            head.to_owned(),
            tail.to_owned(),
            head.replace('R', "UR"),
            head.replace("0x", ""),
        ] {
            for kernel in read(&torn, &Options::default()).kernels {
                assert_eq!(kernel.verify(), Ok(()), "cut at {at}");
            }
        }
    }
}

/// An atomic of 16 bytes is one access, whatever its values are.
#[test]
fn an_atomic_of_several_values_is_one_access() {
    for form in [
        "ADD.F16x2.RN.STRONG.GPU.128",
        "ADD.F32x4.FTZ.RN.STRONG.GPU.128",
    ] {
        let text = format!(
            "Function : f\n\
             /*0000*/ S2R R5, SR_TID.X ;\n\
             /*0010*/ ATOM.E.{form} P0, RZ, desc[UR4][R2.64], R8 ;\n\
             /*0020*/ EXIT ;\n"
        );
        let kernel = named(&text, "f").kernels.remove(0);
        assert_eq!(kernel.verify(), Ok(()), "{form}");
        let widths: Vec<u64> = kernel.sites.iter().map(|site| site.width.bytes()).collect();
        assert_eq!(widths, [16], "{form}");
    }
}

/// Whether such an atomic lies in shared memory is asked of an address of 32 bits, too.
#[test]
fn an_atomic_of_several_values_may_have_an_address_of_32_bits() {
    let text = "Function : f\n\
                /*0000*/ ATOM.E.ADD.F16x2.RN.STRONG.GPU P0, RZ, [R2.U32], R8 ;\n\
                /*0010*/ ATOM.E.ADD.F16x2.RN.STRONG.GPU P1, RZ, [R2.32+UR4], R8 ;\n\
                /*0020*/ @P0 EXIT ;\n";
    let kernel = named(text, "f").kernels.remove(0);
    assert_eq!(kernel.verify(), Ok(()));
    assert_eq!(kernel.sites.len(), 2);
}

/// Generic addresses behind `SR_SWINLO` and `SR_SWINHI` are shared memory's; small ones are not.
#[test]
fn a_generic_address_is_asked_for_its_space() {
    let text = |high: &str| {
        format!(
            "Function : f\n\
             /*0000*/ S2R R4, SR_SWINLO ;\n\
             /*0010*/ S2R R5, {high} ;\n\
             /*0020*/ QSPC.E.S P0, RZ, [R4+0x8] ;\n\
             /*0030*/ S2R R0, SR_TID.X ;\n\
             /*0040*/ @P0 STS [R0.X4], R0 ;\n\
             /*0050*/ EXIT ;\n"
        )
    };
    for (high, requests) in [("SR_SWINHI", 1), ("SR_CTAID.Z", 0)] {
        let parsed = read(&text(high), &Options::default());
        let unread: Vec<_> = parsed
            .diagnostics
            .iter()
            .filter(|one| one.severity > lanescope_sass::Severity::Note)
            .collect();
        assert!(unread.is_empty(), "{unread:?}");
        let mut kernel = parsed.kernels.into_iter().next().expect("a kernel");
        let (outcome, sums) = run(&mut kernel, [1, 1, 1], [32, 1, 1], &[]);
        assert_eq!(outcome.end, End::Complete);
        assert!(outcome.doubts.is_empty(), "{:?}", outcome.doubts);
        let all: u64 = sums.all.values().map(|sums| sums[0]).sum();
        assert_eq!(all, requests, "{high}");
    }
}

/// An object that is not linked yet calls `0x0`, which the linker fills in: not the function itself, again and again.
#[test]
fn a_call_that_the_linker_fills_in_goes_elsewhere() {
    let text = "Function : f\n\
                /*0000*/ S2R R0, SR_TID.X ;\n\
                /*0010*/ MOV R20, 0x0 ;\n\
                /*0020*/ CALL.ABS.NOINC 0x0 ;\n\
                /*0030*/ STS [R0], R0 ;\n\
                /*0040*/ EXIT ;\n";
    let parsed = read(text, &Options::default());
    let is_call = |one: &Diagnostic| matches!(&one.fault, SassFault::NotModelled { opcode, .. } if opcode.starts_with("CALL.ABS.NOINC"));
    assert!(
        parsed.diagnostics.iter().any(is_call),
        "{:?}",
        parsed.diagnostics
    );
    let mut kernel = parsed.kernels.into_iter().next().expect("a kernel");
    let (outcome, _) = run(&mut kernel, [1, 1, 1], [32, 1, 1], &[]);
    assert_eq!(outcome.end, End::Complete);
}

/// Where each case begins stands in a constant bank that a listing does not print.
#[test]
fn a_switch_whose_table_is_not_there_ends_in_doubt() {
    let text = include_str!("../../../tests/golden/compiled/switch_table.sm_90.sass");
    let mut kernel = named(text, "switch_table").kernels.remove(0);
    let (outcome, _) = run(&mut kernel, [1, 1, 1], [32, 1, 1], &[7]);
    assert_eq!(outcome.end, End::Complete);
    let certainties: Vec<Certainty> = outcome
        .doubts
        .iter()
        .map(|doubt| doubt.source.certainty())
        .collect();
    assert!(certainties.contains(&Certainty::Partial), "{certainties:?}");
}
