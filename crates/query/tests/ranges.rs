//! Launches whose blocks are not proved alike, run range by range: the answer does not depend on who runs them.

use lanescope_frontend::End;
use lanescope_query::{Analysis, Compiler, Executor, InOrder, Question, Stop, analyse};
use lanescope_share::{Launch, Source, State};
use lanescope_tally::Status;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Gathers through indices whose contents are given: no block is like another.
const GATHER: &str = "
__global__ void gather(const int *index, const float *table, float *out, int n) {
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[index[i] & 255] = table[i];
    __syncthreads();
    if (i < n) out[i] = table[index[i] & 4095] + tile[threadIdx.x];
}";

/// As many threads, each of which takes the next task.
#[derive(Debug)]
struct Threads(usize);

impl Executor for Threads {
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.0 {
                scope.spawn(|| {
                    let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
                    numbers.take_while(|number| *number < tasks).for_each(task);
                });
            }
        });
    }
}

/// The last task first.
#[derive(Debug)]
struct Backwards;

impl Executor for Backwards {
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..tasks).rev().for_each(task);
    }
}

fn question(source: &str, blocks: u32, arguments: &[(&str, &str)], most: u64) -> Question {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let state = State {
        source: Source::Kernel(source.to_owned()),
        launch: Launch {
            grid: [blocks, 1, 1],
            block: [256, 1, 1],
            arguments: arguments.iter().map(pair).collect(),
            ..Launch::default()
        },
        ..State::default()
    };
    Question::compiled(&state, most, Compiler::None).expect("a question")
}

fn gathered(executor: Arc<dyn Executor>, most: u64) -> Analysis {
    let arguments = [
        ("index", "25600,random:7"),
        ("table", "25600"),
        ("out", "25600"),
        ("n", "25500"),
    ];
    let mut question = question(GATHER, 100, &arguments, most);
    question.executor = executor;
    analyse(question)
}

fn assert_same(a: &Analysis, b: &Analysis) {
    assert_eq!(a.totals, b.totals);
    assert_eq!(a.sites, b.sites);
    assert_eq!(a.outcome, b.outcome);
    assert_eq!(a.diagnostics, b.diagnostics);
    assert_eq!(a.standing, b.standing);
}

#[test]
fn any_number_of_threads_counts_the_same() {
    let one = gathered(Arc::new(InOrder), 100_000_000);
    assert_eq!(one.outcome.end, End::Complete);
    assert_eq!(one.outcome.blocks_done, 100);
    assert!(one.totals.shared_store_bank_conflicts > 0);
    for threads in [1, 2, 7] {
        assert_same(&one, &gathered(Arc::new(Threads(threads)), 100_000_000));
    }
    assert_same(&one, &gathered(Arc::new(Backwards), 100_000_000));
}

#[test]
fn a_budget_ends_at_the_same_request() {
    let one = gathered(Arc::new(InOrder), 2_345);
    assert_eq!(one.outcome.end, End::Requests);
    assert_eq!(one.outcome.requests, 2_345);
    assert_eq!(one.standing.status, Status::Partial);
    for threads in [2, 7] {
        assert_same(&one, &gathered(Arc::new(Threads(threads)), 2_345));
    }
    assert_same(&one, &gathered(Arc::new(Backwards), 2_345));
}

/// What a block writes the next one reads, so that blocks run in order.
#[test]
fn blocks_that_read_what_others_wrote_run_in_order() {
    let source = "
__global__ void chain(int *next, float *table) {
    int at = next[blockIdx.x];
    if (threadIdx.x == 0) next[blockIdx.x + 1] = at;
    table[at * threadIdx.x & 8191] = 0;
}";
    let arguments = [("next", "1000,iota"), ("table", "8192")];
    let count = |executor: Arc<dyn Executor>| {
        let mut question = question(source, 100, &arguments, 1_000_000);
        question.executor = executor;
        analyse(question)
    };
    let one = count(Arc::new(InOrder));
    // The first block's 0 goes from block to block.
    assert_eq!(one.totals.global_store_sectors, 100 + 800);
    assert_same(&one, &count(Arc::new(Backwards)));
}

#[test]
fn empty_blocks_and_loops_cost_steps_and_can_be_stopped() {
    let empty = "__global__ void empty() {}";
    let mut whole = question(empty, 1, &[], 1_000);
    whole.launch.grid = [u32::MAX, 65_535, 65_535];
    assert_eq!(analyse(whole).totals, Default::default());
    let spin = "
__global__ void spin(const int *flags) {
    while (flags[blockIdx.x] != 1) {}
    for (int i = 0; i != -1; i += 2) if (flags[0] == i) break;
}";
    let arguments = [("flags", "4096,zero")];
    let limited = analyse(question(spin, 64, &arguments, 1_000));
    assert!(limited.outcome.end.is_cut());
    assert_eq!(limited.standing.status, Status::Partial);
    let stop = Stop::default();
    stop.stop();
    let arguments = [("index", "16384,random:7"), ("n", "16384")];
    let mut stopped = question(GATHER, 64, &arguments, u64::MAX);
    stopped.stop = stop;
    let stopped = analyse(stopped);
    assert_eq!(stopped.outcome.end, End::Observer);
    assert_eq!(stopped.standing.status, Status::Partial);
}
