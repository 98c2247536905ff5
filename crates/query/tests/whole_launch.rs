//! Whole launches that are too large to be run block by block.

use crate::launch_case;

use lanescope_query::{Analysis, Compiler, Question, analyse};
use lanescope_share::{Launch, Source, State};
use lanescope_tally::{Status, Totals};
use launch_case::{CASES, given};

const SGEMM: &str = include_str!("../benches/sgemm.cu");

fn sgemm_as_written(side: u32) -> Analysis {
    let elements = u64::from(side).pow(2).to_string();
    let side_text = side.to_string();
    let mut arguments = vec![("alpha", "1"), ("beta", "1")];
    arguments.extend(["m", "n", "k"].map(|name| (name, side_text.as_str())));
    arguments.extend(["a", "b", "c"].map(|name| (name, elements.as_str())));
    let pair = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let state = State {
        source: Source::Kernel(SGEMM.to_owned()),
        launch: Launch {
            grid: [side / 64, side / 64, 1],
            block: [512, 1, 1],
            arguments: arguments.into_iter().map(pair).collect(),
            ..Launch::default()
        },
        ..State::default()
    };
    let question = Question::compiled(&state, 100_000_000, Compiler::None).expect("a question");
    analyse(question)
}

#[test]
fn whole_launches_are_counted_as_the_hardware_counts_them() {
    // The histogram's blocks are not alike: its 67 million loads are the benchmark's.
    for case in CASES
        .iter()
        .filter(|case| !case.name.starts_with("histogram"))
    {
        let analysis = case.analyse();
        assert_eq!(analysis.totals, case.measured, "{}", case.name);
        assert!(
            analysis.standing.status <= Status::Predicted,
            "{}",
            case.name
        );
    }
}

#[test]
fn a_histogram_of_given_contents_costs_what_the_hardware_counts() {
    // Wavefronts of `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum` on an NVIDIA H200, one warp to a block, so
    // that nothing waits for another: `histogram.cu` over 2^20 values of `random:SEED`, 2026-11-23.
    for (seed, wavefronts) in [(1, 103_394), (2, 103_254), (3, 103_404)] {
        let state = State {
            source: Source::Kernel(include_str!("../benches/histogram.cu").to_owned()),
            launch: Launch {
                grid: [132, 1, 1],
                block: [32, 1, 1],
                arguments: given(&format!("in=1048576,random:{seed} counts=256 n=1048576")),
                ..Launch::default()
            },
            ..State::default()
        };
        let analysis = analyse(Question::of(&state, 100_000_000).expect("a question"));
        assert!(analysis.standing.status <= Status::Predicted, "{seed}");
        assert_eq!(
            analysis.totals.shared_atomic_wavefronts, wavefronts,
            "{seed}"
        );
    }
}

#[test]
fn sgemm_as_written_reads_each_element() {
    let analysis = sgemm_as_written(4096);
    // A step along K reads 8 elements of `bs`, and for each of them 8 of `as`;
    assert_eq!(
        analysis.totals.shared_load_wavefronts,
        4_096 * 16 * 512 * 72
    );
    assert!(analysis.standing.status <= Status::Predicted);
}

/// A launch of `blocks` blocks in which the address of a loop's variable is taken: every access, and the steps it took.
fn bits_of_a_variable(blocks: u32) -> (Totals, u64) {
    let source = "__device__ unsigned bits(int i) { return *reinterpret_cast<unsigned*>(&i); }
        __global__ void k(const int* __restrict__ in, float* __restrict__ out, int width) {
          __shared__ float v[256];
          v[threadIdx.x] = in[threadIdx.x];
          int i = blockIdx.x * 256 + threadIdx.x;
          float sum = 0;
          __syncthreads();
          for (int k = 0; k < 256; k++, i += width) sum += bits(in[i]) * v[k];
          out[i] = sum;
        }";
    let arguments = [("width", "256"), ("in", "16777216"), ("out", "16777216")];
    let pair = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let state = State {
        source: Source::Kernel(source.to_owned()),
        launch: Launch {
            grid: [blocks, 1, 1],
            block: [256, 1, 1],
            arguments: arguments.map(pair).into(),
            ..Launch::default()
        },
        ..State::default()
    };
    let question = Question::compiled(&state, 100_000_000, Compiler::None).expect("a question");
    let analysis = analyse(question);
    assert!(analysis.standing.status <= Status::Predicted);
    (analysis.totals, analysis.outcome.steps)
}

#[test]
fn a_variable_whose_bits_are_read_does_not_hide_that_blocks_are_alike() {
    let (few, steps) = bits_of_a_variable(1);
    let (many, more_steps) = bits_of_a_variable(4096);
    assert_eq!(few.global_load_requests, 8 * 257);
    assert_eq!(many.global_load_requests, 4096 * few.global_load_requests);
    assert_eq!(many.global_load_sectors, 4096 * few.global_load_sectors);
    assert_eq!(many.shared_load_wavefronts, 4096 * 8 * 256);
    assert!(
        more_steps < 4 * steps,
        "{more_steps} steps, {steps} of one block"
    );
}
