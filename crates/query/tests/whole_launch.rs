//! Whole launches that are too large to be run block by block.

use lanescope_query::{Analysis, Compiler, Question, analyse};
use lanescope_share::{Launch, Source, State};
use lanescope_tally::{Status, Totals};

const SGEMM: &str = include_str!("../benches/sgemm.cu");

fn sgemm(side: u32, compiler: Compiler) -> Analysis {
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
    let question = Question::compiled(&state, 100_000_000, compiler).expect("a question");
    analyse(question)
}

/// What nvcc's SGEMM costs, `cubes` times 256 cubed.
fn expected(cubes: u64, squares: u64) -> Totals {
    Totals {
        shared_load_wavefronts: 327_680 * cubes,
        shared_store_wavefronts: 16_384 * cubes,
        global_load_requests: 16_384 * cubes + 2_048 * squares,
        global_load_sectors: 65_536 * cubes + 8_192 * squares,
        global_store_requests: 2_048 * squares,
        global_store_sectors: 8_192 * squares,
        ..Totals::default()
    }
}

#[test]
fn sgemm_of_any_size_is_counted_whole() {
    for (side, factor) in [(256, 1), (1024, 4), (4096, 16)] {
        let analysis = sgemm(side, Compiler::Nvcc13);
        let cubes = factor * factor * factor;
        assert_eq!(analysis.totals, expected(cubes, factor * factor), "{side}");
        assert!(analysis.outcome.exact());
        assert_ne!(analysis.standing.status, Status::Partial);
    }
}

#[test]
fn sgemm_as_written_reads_each_element() {
    let analysis = sgemm(4096, Compiler::None);
    // A step along K reads 8 elements of `bs`, and for each of them 8 of `as`;
    assert_eq!(
        analysis.totals.shared_load_wavefronts,
        4_096 * 16 * 512 * 72
    );
    assert_eq!(analysis.standing.status, Status::Counted);
}
