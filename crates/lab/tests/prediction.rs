//! Predictions of large launches against the launches run whole.
#![allow(missing_docs, clippy::unwrap_used)]

use lanescope_frontend::{Budget, KernelOptions, execute};
use lanescope_kernels::{Family, Kernel, KernelId, Problem, Values};
use lanescope_lab::Prediction;
use lanescope_lab::prediction::launch;
use lanescope_model::Device;
use lanescope_query::parse_compiled;
use lanescope_tally::{Kind, Tally};

/// Shared wavefronts, shared conflicts, global requests, sectors and instructions by warp and by thread of all passes, each
/// block run.
fn brute_force(kernel: &Kernel, values: &Values, problem: Problem, device: &Device) -> [u64; 6] {
    let parsed = parse_compiled(&kernel.twin(values), &KernelOptions::default());
    let mut problem = problem;
    let mut sums = [0; 6];
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
        for one in &outcome.executed {
            sums[4] += one.warp_instructions;
            sums[5] += one.thread_instructions;
        }
        let left = kernel.output_elements(problem, values);
        if kernel.family != Family::Reduction || left <= 1 {
            return sums;
        }
        problem = Problem::Length(left);
    }
}

/// The same of a prediction.
fn counts(found: &Prediction) -> [u64; 6] {
    [
        found.shared_wavefronts,
        found.shared_conflicts,
        found.global_requests,
        found.sectors,
        found.lanes.all.warp_instructions,
        found.lanes.all.thread_instructions,
    ]
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
        let found = counts(&Prediction::of(kernel, values, problem, device).unwrap());
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
fn a_workgroup_of_several_tiles_is_scaled_too() {
    let kernel = Kernel::of(KernelId::TransposePersistent);
    let device = Device::by_id("cc9.0").unwrap();
    let values = kernel.defaults().with("TILES", 2);
    let [columns_reach, rows_reach] = kernel.reach(&values);
    for [tall, wide] in [[9, 8], [11, 7], [7, 13]] {
        let side = |reach: u64, tiles: u64| u32::try_from(tiles * reach + 12).unwrap();
        let problem = Problem::Matrix {
            rows: side(rows_reach, tall),
            columns: side(columns_reach, wide),
        };
        let found = counts(&Prediction::of(kernel, &values, problem, device).unwrap());
        assert_eq!(
            found,
            brute_force(kernel, &values, problem, device),
            "{problem:?}"
        );
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

/// The divergent and the sequential reduction are told apart by their lanes: 255 threads add in a block of 256, in 47 warps of
/// the one (8, 8, 8, 8, 8, 4, 2, 1) and in 12 of the other (4, 2, 1, 1, 1, 1, 1, 1).
#[test]
fn the_lanes_of_a_divergent_reduction_are_few() {
    let device = Device::by_id("cc9.0").unwrap();
    let of = |id| {
        let kernel = Kernel::of(id);
        let values = kernel.defaults().with("BLOCK", 256);
        let twin = kernel.twin(&values);
        let lanes = Prediction::of(kernel, &values, Problem::Length(1 << 24), device)
            .unwrap()
            .lanes;
        let worst = lanes.worst_line.unwrap();
        let line = twin.lines().nth(worst.line as usize - 1).unwrap();
        assert!(line.contains("+="), "{line}");
        (lanes, worst.slots)
    };
    let blocks = (1 << 16) + (1 << 8) + 1;
    let (divergent, adds) = of(KernelId::ReduceDivergent);
    assert_eq!(adds.warp_instructions % (47 * blocks), 0);
    assert_eq!(adds.thread_instructions * 47, adds.warp_instructions * 255);
    assert_eq!(divergent.fewest_hundredths(), 543);
    let (sequential, adds) = of(KernelId::ReduceSequential);
    assert_eq!(adds.warp_instructions % (12 * blocks), 0);
    assert_eq!(adds.thread_instructions * 12, adds.warp_instructions * 255);
    assert_eq!(sequential.fewest_hundredths(), 2125);
    assert!(divergent.all.lanes_hundredths() < sequential.all.lanes_hundredths());
}

#[test]
fn a_transpose_uses_every_lane() {
    let problem = Problem::Matrix {
        rows: 4096,
        columns: 4096,
    };
    for (device, lanes) in [("cc9.0", 32), ("cdna3", 64)] {
        let kernel = Kernel::of(KernelId::TransposePadded);
        let device = Device::by_id(device).unwrap();
        let found = Prediction::of(kernel, &kernel.defaults(), problem, device).unwrap();
        assert_eq!(found.lanes.warp_lanes, lanes);
        assert_eq!(found.lanes.worst_line, None);
        assert_eq!(found.lanes.fewest_hundredths(), u64::from(lanes) * 100);
    }
}
