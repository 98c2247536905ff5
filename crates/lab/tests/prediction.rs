//! Predictions of large launches against the launches run whole.
#![allow(missing_docs, clippy::unwrap_used)]

use lanescope_frontend::{Budget, KernelOptions, execute};
use lanescope_kernels::{Family, Kernel, KernelId, Problem, Values};
use lanescope_lab::Prediction;
use lanescope_lab::prediction::launch;
use lanescope_model::Device;
use lanescope_query::parse_compiled;
use lanescope_tally::{Kind, Tally};

/// Shared wavefronts, shared conflicts, global requests and sectors of all passes, each block run.
fn brute_force(kernel: &Kernel, values: &Values, problem: Problem, device: &Device) -> [u64; 4] {
    let parsed = parse_compiled(&kernel.twin(values), &KernelOptions::default());
    let mut problem = problem;
    let mut sums = [0; 4];
    loop {
        let launch = launch(kernel, values, problem).unwrap();
        let mut tally = Tally::new(device);
        let lanes = device.warp_lanes();
        let outcome = execute(
            &parsed.program,
            &launch,
            lanes,
            Budget::default(),
            &mut tally,
        );
        assert!(outcome.exact(), "{} {:?}", kernel.name(), outcome);
        for kind in [
            Kind::SharedLoad,
            Kind::SharedStore,
            Kind::GlobalLoad,
            Kind::GlobalStore,
            Kind::GlobalAtomic,
        ] {
            let found = tally.kind(kind);
            let costs = [
                found.wavefronts,
                found.conflicts,
                found.global_requests,
                found.sectors,
            ];
            for (sum, cost) in sums.iter_mut().zip(costs) {
                *sum += cost;
            }
        }
        let left = kernel.output_elements(problem, values);
        if kernel.family != Family::Reduction || left <= 1 {
            return sums;
        }
        problem = Problem::Length(left);
    }
}

fn problems(kernel: &Kernel, values: &Values) -> Vec<Problem> {
    let reach = kernel.reach(values)[0];
    match kernel.family {
        Family::Transpose => [(300, 1004), (513, 259), (1021, 203)]
            .map(|(rows, columns)| Problem::Matrix { rows, columns })
            .to_vec(),
        Family::Stride => vec![Problem::Stride {
            stride_words: 6,
            rounds: 2,
            workgroups: 9,
        }],
        _ => vec![
            Problem::Length(70_003),
            Problem::Length(9 * reach),
            Problem::Length(9 * reach + 5),
        ],
    }
}

fn compare(kernel: &Kernel, values: &Values, device: &Device) {
    for problem in problems(kernel, values)
        .into_iter()
        .filter(|p| kernel.takes(*p))
    {
        let found = Prediction::of(kernel, values, problem, device).unwrap();
        let found = [
            found.shared_wavefronts,
            found.shared_conflicts,
            found.global_requests,
            found.sectors,
        ];
        let run = brute_force(kernel, values, problem, device);
        assert_eq!(found, run, "{} {values:?} {problem:?}", kernel.name());
    }
}

#[test]
fn scaled_counts_are_those_of_the_whole_launch() {
    let device = Device::by_id("cc9.0").unwrap();
    for kernel in Kernel::all() {
        compare(kernel, &kernel.defaults(), device);
        compare(kernel, &kernel.tuned(), device);
    }
}

#[test]
fn scaled_counts_hold_for_other_shapes_and_devices() {
    let kernels = [
        KernelId::TransposeNaiveRow,
        KernelId::TransposeUnroll4Col,
        KernelId::CopyCol,
    ];
    for device in ["cc2.0", "cdna3"].map(|id| Device::by_id(id).unwrap()) {
        for kernel in kernels.map(Kernel::of) {
            for [x, y] in [[16, 16], [64, 8], [128, 4]] {
                let values = kernel.defaults().with("BLOCK_X", x).with("BLOCK_Y", y);
                compare(kernel, &values, device);
            }
        }
    }
}

#[test]
fn a_single_pass_is_scaled_too() {
    let kernel = Kernel::of(KernelId::ReduceSinglePass);
    let device = Device::by_id("cc9.0").unwrap();
    let values = kernel
        .defaults()
        .with("BLOCK", 64)
        .with("UNROLL", 2)
        .with("SLABS", 1);
    let reach = kernel.reach(&values)[0];
    for groups in [100, 161, 200] {
        for over in [0, 7, reach / 2 + 3] {
            let problem = Problem::Length(groups * reach + over);
            let found = Prediction::of(kernel, &values, problem, device).unwrap();
            let run = brute_force(kernel, &values, problem, device);
            assert_eq!(
                [found.shared_wavefronts, found.sectors],
                [run[0], run[3]],
                "{groups} {over}"
            );
        }
    }
}

#[test]
fn the_models_own_figures_show() {
    let device = Device::by_id("cc9.0").unwrap();
    let problem = Problem::Matrix {
        rows: 16_384,
        columns: 16_384,
    };
    let of =
        |id| Prediction::of(Kernel::of(id), &Kernel::of(id).defaults(), problem, device).unwrap();
    let requests = 16_384 * 16_384 / 32;
    let tiled = of(KernelId::TransposeTiled);
    // 32 wavefronts for each load of a column, 1 for each store of a row.
    assert_eq!((tiled.shared_wavefronts, tiled.ways), (33 * requests, 32));
    let padded = of(KernelId::TransposePadded);
    assert_eq!(
        (padded.shared_wavefronts, padded.shared_conflicts),
        (2 * requests, 0)
    );
    let naive = of(KernelId::TransposeNaiveRow);
    assert_eq!(
        (naive.sectors, naive.ideal_sectors),
        (36 * requests, 8 * requests)
    );
}
