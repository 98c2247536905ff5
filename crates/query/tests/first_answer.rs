//! The page's first answer of a launch: whole where few blocks stand for all, else of some blocks, and it says so.

use lanescope_query::{Analysis, Answer, Compiler, Effort, Question, Read, Whole, analyse, answer};
use lanescope_share::{Launch, Source, State};
use lanescope_tally::SiteTally;

const HUNDRED_LINES: &str = include_str!("../../fixes/benches/hundred_lines.cu");

/// What the page shows at once, and the whole launch as others count it.
fn both(width: u32) -> (Answer, Analysis) {
    let width = width.to_string();
    let arguments = ["width", "height"].map(|name| (name.to_owned(), width.clone()));
    let state = State {
        source: Source::Kernel(HUNDRED_LINES.to_owned()),
        launch: Launch {
            grid: [8, 8, 1],
            block: [256, 1, 1],
            arguments: arguments.into(),
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
    // Rows begin at sectors: all blocks within do the same.
    let (page, all) = both(256);
    assert!(page.is_extrapolated);
    assert!(page.standing().is_counted());
    assert_eq!(sums(&page.sites), sums(&all.sites));
}

#[test]
fn blocks_that_stand_for_hardly_more_than_themselves_are_given_up() {
    // Rows begin anywhere: forty classes of sixty-four blocks.
    let (page, all) = both(250);
    let outcome = page.outcome.as_ref().expect("a device");
    assert!(!page.is_extrapolated && outcome.blocks_done < outcome.blocks_total);
    assert!(!page.standing().is_counted());
    // Each block that ran counts for itself: every one stores the sum of its 256 threads once.
    let stores = |sites: &[SiteTally]| sites.iter().map(|one| one.requests).collect::<Vec<_>>();
    let (here, there) = (stores(&page.sites), stores(&all.sites));
    let of_sums = page
        .program
        .sites()
        .iter()
        .position(|site| site.span.text(&page.source).starts_with("sums["));
    let of_sums = of_sums.expect("an access to the sums");
    assert_eq!(here[of_sums], outcome.blocks_done);
    assert_eq!(there[of_sums], outcome.blocks_total);
    assert!(here.iter().zip(&there).all(|(here, there)| here <= there));
    assert_eq!(here.iter().sum::<u64>(), outcome.requests);
    // A worker then counts all.
    let whole = Whole::count(&page, Effort::AtOnce, &mut |_| ()).expect("a device");
    assert_eq!(sums(&whole.sites), sums(&all.sites));
}
