//! The page's first answer of a launch: whole where few blocks stand for all, else of some blocks, and it says so.

use lanescope_query::{Analysis, Answer, Compiler, Effort, Question, Read, Whole, analyse, answer};
use lanescope_share::{Launch, Source, State};
use lanescope_tally::{SiteTally, Status};

const HUNDRED_LINES: &str = include_str!("../../fixes/benches/hundred_lines.cu");

/// Rows that begin anywhere: of forty blocks, thirty-two begin elsewhere in their line.
const ROWS: &str = "__global__ void rows(float* out) {
  for (int row = 0; row < 61; row++) out[(blockIdx.x * 61 + row) * 253 + threadIdx.x] = row;
}";

/// What the page shows at once, and the whole launch as others count it.
fn both(source: &str, grid: [u32; 3], arguments: &[(&str, &str)]) -> (Answer, Analysis) {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let state = State {
        source: Source::Kernel(source.to_owned()),
        launch: Launch {
            grid,
            block: [256, 1, 1],
            arguments: arguments.iter().map(pair).collect(),
            ..Launch::default()
        },
        ..State::default()
    };
    let read = Read::of(&state, Compiler::Nvcc13).expect("a kernel");
    let question = Question::of(&state, 10_000_000).expect("a question");
    (answer(&state, read), analyse(question))
}

fn sums(sites: &[SiteTally]) -> Vec<String> {
    let sums = |one: &SiteTally| format!("{} {:?} {:?}", one.requests, one.shared, one.global);
    sites.iter().map(sums).collect()
}

#[test]
fn blocks_that_stand_for_many_are_the_whole_launch_at_once() {
    let arguments = [("width", "250"), ("height", "250")];
    let (page, all) = both(HUNDRED_LINES, [8, 8, 1], &arguments);
    assert!(page.is_extrapolated);
    assert!(page.standing().status <= Status::Predicted);
    assert_eq!(sums(&page.sites), sums(&all.sites));
}

#[test]
fn blocks_that_stand_for_hardly_more_than_themselves_are_given_up() {
    let (page, all) = both(ROWS, [40, 1, 1], &[("out", "1000000")]);
    let outcome = page.outcome.as_ref().expect("a device");
    assert!(!page.is_extrapolated && outcome.blocks_done < outcome.blocks_total);
    assert!(!page.standing().is_counted());
    // Each block that ran counts for itself: 61 rows of 8 warps.
    let stores = |sites: &[SiteTally]| sites.iter().map(|one| one.requests).sum::<u64>();
    assert_eq!(stores(&page.sites), outcome.blocks_done * 61 * 8);
    assert_eq!(stores(&page.sites), outcome.requests);
    assert_eq!(stores(&all.sites), 40 * 61 * 8);
    // A worker then counts all.
    let whole = Whole::count(&page, Effort::AtOnce, &mut |_| ()).expect("a device");
    assert_eq!(sums(&whole.sites), sums(&all.sites));
}
