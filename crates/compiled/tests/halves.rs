//! Comparisons of pairs of halves that write two predicates, in PTX and in SASS: what each half decides.

use lanescope_compiled::read;
use lanescope_frontend::{Access, ArgumentValue, Budget, Buffer, NamedLaunch, Observer, execute};
use lanescope_model::Operation;
use std::collections::BTreeSet;
use std::sync::Arc;

const TEXTS: [&str; 2] = [
    include_str!("../../../tests/golden/compiled/halves_apart.sm_90.sass"),
    include_str!("../../../tests/golden/compiled/halves_apart.sm_90.ptx"),
];

/// The words of `out` that are stored, counted from its beginning.
#[derive(Default)]
struct Stored(BTreeSet<u64>);

impl Observer for Stored {
    fn access(&mut self, access: &Access<'_>) -> bool {
        if access.request.operation == Operation::Store {
            let request = &access.request;
            let lanes = (0_usize..).zip(request.addresses);
            let active = lanes.filter(|(lane, _)| request.active.contains(*lane));
            // What stands above 4 GiB tells allocations apart.
            self.0
                .extend(active.map(|(_, address)| (address & 0xffff_ffff) / 4));
        }
        true
    }
}

fn stored(text: &str, kernel: &str, halves: [&[[u16; 2]]; 2]) -> BTreeSet<u64> {
    let program = read(text, Some(kernel)).expect("compiled code").program;
    let parameters = program.parameters();
    let mut launch = NamedLaunch::new([1; 3], [64, 1, 1]);
    for (parameter, halves) in parameters.iter().zip(halves) {
        let bytes = halves
            .as_flattened()
            .iter()
            .flat_map(|half| half.to_le_bytes());
        let bytes: Arc<[u8]> = bytes.collect();
        launch.contents.push((parameter.name.clone(), bytes));
    }
    launch = launch.with(
        &parameters[2].name,
        ArgumentValue::Buffer(Buffer::default()),
    );
    let mut stored = Stored::default();
    let outcome = execute(&program, &launch, 32, Budget::default(), &mut stored);
    assert!(
        outcome.findings.is_empty(),
        "{kernel}: {:?}",
        outcome.findings
    );
    stored.0
}

/// What the numbers of two elements say of lane `lane`.
type Holds = fn(lane: usize, a: f32, b: f32) -> bool;

#[test]
fn each_half_decides_for_itself() {
    // As halves and as bfloat16: bits that both formats order alike, and those of no number in both.
    let bits: [(u16, f32); 5] = [
        (0x0000, 0.0),
        (0x3c00, 1.0),
        (0x4000, 2.0),
        (0xc000, -2.0),
        (0x7fff, f32::NAN),
    ];
    let at = |index: usize| bits[index % bits.len()];
    let a: Vec<[(u16, f32); 2]> = (0..64).map(|lane| [at(lane), at(lane / 5)]).collect();
    let b: Vec<[(u16, f32); 2]> = (0..64).map(|lane| [at(lane / 3), at(lane / 2)]).collect();
    let halves = |list: &[[(u16, f32); 2]]| -> Vec<[u16; 2]> {
        list.iter().map(|pair| pair.map(|one| one.0)).collect()
    };
    let kernels: [(&str, Holds); 3] = [
        ("apart", |_, a, b| a > b),
        ("conditioned", |lane, a, b| lane > 6 && a < b),
        ("either_way", |lane, a, b| {
            (lane > 6) ^ (a >= b || a.is_nan() || b.is_nan())
        }),
    ];
    for (kernel, holds) in kernels {
        let expected: BTreeSet<u64> = (0..128_usize)
            .filter(|at| {
                let (lane, half) = (at % 64, at / 64);
                holds(lane, a[lane][half].1, b[lane][half].1)
            })
            .map(|at| at as u64 * 8)
            .collect();
        for text in TEXTS {
            assert_eq!(
                stored(text, kernel, [&halves(&a), &halves(&b)]),
                expected,
                "{kernel}"
            );
        }
    }
}
