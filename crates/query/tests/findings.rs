//! The ranked list: what is first, what the shares sum to, and where the worst request of an access was made.

use lanescope_query::{Analysis, Compiler, Question, Read, analyse, answer, findings, verdict};
use lanescope_share::{Launch, Source, State};
use lanescope_tally::{Cost, Need, Status};

const REDUCTION: &str = "__global__ void reduce(const float* in, float* out) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  sums[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int s = 1; s < 256; s *= 2) {
    int at = 2 * s * t;
    if (at < 256) sums[at] += sums[at + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}";

/// A conflict of 32 ways in one request beside a global access that wastes far more in all.
const MIXED: &str = "__global__ void mixed(const float* in, float* out) {
  __shared__ float tile[32][32];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 64; ++i) sum += in[t * 64 + i];
  tile[t][0] = sum;
  __syncwarp();
  out[t] = tile[0][t];
}";

fn state(text: &str, grid: u32, block: u32) -> State {
    State {
        source: Source::Kernel(text.to_owned()),
        launch: Launch {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            ..Launch::default()
        },
        ..State::default()
    }
}

fn counted(state: &State) -> Analysis {
    analyse(Question::compiled(state, 100_000_000, Compiler::None).expect("a question"))
}

#[test]
fn the_costliest_access_is_first_whatever_memory_it_asks() {
    let analysis = counted(&state(MIXED, 1, 32));
    let found = findings(&analysis);
    let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["in[t * 64 + i]", "tile[t][0]"]);
    // 64 requests of 32 sectors, of which 4 would do, at 64 bytes a cycle; 31 wavefronts too many.
    assert_eq!(found[0].wasted_cycles, 64 * 28 / 2);
    assert_eq!(found[1].wasted_cycles, 31);
    let shares: Vec<u32> = found.iter().map(|one| one.share_basis_points).collect();
    assert_eq!(shares, [9_666, 334]);
}

#[test]
fn the_headline_is_of_the_costliest_access() {
    let analysis = counted(&state(MIXED, 1, 32));
    let [first, second] = &findings(&analysis)[..] else {
        panic!("two findings");
    };
    assert_eq!(first.line, 5);
    let said = verdict(&analysis);
    assert!(
        said.contains("line 5 ") && said.contains("2048 global load sectors"),
        "{said}"
    );
    // With one iteration the conflict costs more.
    let little = MIXED.replace("i < 64", "i < 1");
    let analysis = counted(&state(&little, 1, 32));
    assert_eq!(findings(&analysis)[0].line, second.line);
    let said = verdict(&analysis);
    assert!(said.starts_with("32-way bank conflict on line 6"), "{said}");
}

#[test]
fn what_is_predicted_is_green_where_the_kernel_as_written_wastes_nothing() {
    // Two loads that a compiler may merge, both as cheap as can be; one of them down a column.
    let free = "__global__ void k(const float* in, float* out) {
  __shared__ float tile[32][33];
  int t = threadIdx.x;
  for (int i = 0; i < 32; ++i) tile[i][t] = in[i * 32 + t];
  __syncthreads();
  for (int i = 0; i < 32; ++i) out[i * 32 + t] = tile[t][i];
}";
    for (text, is_free) in [
        (free.to_owned(), true),
        (free.replace("[33]", "[32]"), false),
    ] {
        let state = state(&text, 1, 32);
        let answer = answer(
            &state,
            Read::of(&state, Compiler::Nvcc13).expect("a kernel"),
        );
        let standing = answer.standing();
        assert!(!standing.is_free_as_written() || is_free, "{text}");
        if standing.status == Status::Predicted {
            assert_eq!(standing.is_free_as_written(), is_free, "{text}");
        }
    }
}

#[test]
fn shares_are_those_of_the_totals() {
    let analysis = counted(&state(REDUCTION, 8, 256));
    let found = findings(&analysis);
    assert_eq!(
        found.iter().map(|one| one.share_basis_points).sum::<u32>(),
        10_000
    );
    let cost = Cost::of(&analysis.question.device);
    let wasted: u64 = found
        .iter()
        .map(|one| cost.cycles(cost.waste(&one.tally)))
        .sum();
    let need = Need::of(&analysis.sites);
    assert_eq!(wasted, need.wasted_wavefronts() + need.wasted_units() / 2);
    assert!(found.is_sorted_by_key(|one| std::cmp::Reverse(one.wasted_cycles)));
}

#[test]
fn the_worst_request_of_an_access_is_the_costliest_that_was_seen() {
    let state = state(REDUCTION, 8, 256);
    let analysis = counted(&state);
    let costliest = analysis.costliest.as_ref().expect("a request");
    let site = analysis.sites.iter().find(|one| one.site == costliest.site);
    let worst = site.and_then(|one| one.worst).expect("its worst request");
    assert_eq!(
        (worst.block, worst.warp, worst.occurrence),
        (costliest.block, costliest.warp, costliest.occurrence)
    );
    // 2 s t for s = 16: 8 lanes of warp 0 in two banks; no other request of it has as many ways.
    assert!(worst.occurrence > 0, "the first request has two ways");
}

#[test]
fn the_page_finds_the_same_requests() {
    let state = state(REDUCTION, 8, 256);
    let analysis = counted(&state);
    let on_page = answer(&state, Read::of(&state, Compiler::None).expect("a kernel"));
    assert_eq!(on_page.sites.len(), analysis.sites.len());
    for (page, command) in on_page.sites.iter().zip(&analysis.sites) {
        assert_eq!(page.worst, command.worst, "{:?}", page.site);
    }
}
