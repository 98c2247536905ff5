//! Templates that the text launches with several lists of arguments: a fix is right for each of them, or is not offered.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_fixes::{Advice, FixKind, Note, Place, Question, Source};
use lanescope_frontend::{Budget, KernelOptions, NamedLaunch};
use lanescope_model::Device;
use lanescope_query::SourceReader;

/// The fixes of a kernel as its first launch makes it.
fn advised(text: &str, templates: &[&str], launch: NamedLaunch) -> Advice {
    let source = Source::Kernel {
        text: text.to_owned(),
        options: KernelOptions {
            templates: templates.iter().map(|one| (*one).to_owned()).collect(),
            ..KernelOptions::default()
        },
    };
    let question = Question {
        source: &source,
        reader: &SourceReader::default(),
        launch,
        device: <&Device>::default(),
        budget: Budget::default(),
        registers: None,
    };
    lanescope_fixes::advise(&question, &mut |_| true)
}

fn is_xor(kind: &FixKind) -> bool {
    matches!(
        kind,
        FixKind::Place(Place::Swizzle(_) | Place::RowXor { .. })
    )
}

const SQUARE: &str = "template <typename T, int SIDE>
__global__ void turn(const T* from, T* to) {
  __shared__ T tile[SIDE][SIDE];
  tile[threadIdx.y][threadIdx.x] = from[threadIdx.y * SIDE + threadIdx.x];
  __syncthreads();
  to[threadIdx.y * SIDE + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
";

#[test]
fn what_each_launch_proves_is_offered() {
    for others in [
        "turn<double, 16><<<1, dim3(16, 16)>>>(c, d);",
        "turn<double, 16><<<1, dim3(16, 16)>>>(c, d); turn<int, 8><<<2, dim3(8, 8)>>>(e, f);",
        "dim3 small(16, 16); turn<float, 16><<<1, small>>>(a, b);",
    ] {
        let text = format!(
            "{SQUARE}void go() {{ turn<float, 32><<<1, dim3(32, 32)>>>(a, b); {others} }}\n"
        );
        let launch = NamedLaunch::new([1, 1, 1], [32, 32, 1]);
        let advice = advised(&text, &["float", "32"], launch);
        assert!(advice.notes.contains(&Note::SeveralInstances));
        let kinds: Vec<_> = advice.suggestions.iter().map(|one| &one.kind).collect();
        assert!(kinds.iter().any(|kind| is_xor(kind)), "{others} {kinds:?}");
        assert!(
            matches!(kinds[0], FixKind::Place(Place::Pad { .. })),
            "{kinds:?}"
        );
    }
}

/// Rows of 24 elements are no power of two: an XOR that is right for 32 leaves them.
#[test]
fn what_is_wrong_for_one_launch_is_not_offered() {
    for others in [
        "turn<float, 24><<<1, dim3(24, 24)>>>(a, b);",
        // How this one is launched is not known.
        "dim3 own(side()); turn<float, 16><<<1, own>>>(a, b);",
    ] {
        let text = format!(
            "{SQUARE}void go() {{ turn<float, 32><<<1, dim3(32, 32)>>>(a, b); {others} }}\n"
        );
        let launch = NamedLaunch::new([1, 1, 1], [32, 32, 1]);
        let advice = advised(&text, &["float", "32"], launch);
        let kinds: Vec<_> = advice.suggestions.iter().map(|one| &one.kind).collect();
        assert!(!kinds.iter().any(|kind| is_xor(kind)), "{others} {kinds:?}");
        assert!(
            matches!(kinds[0], FixKind::Place(Place::Pad { .. })),
            "{kinds:?}"
        );
    }
}

/// A tile of the block's shape suits every launch with such blocks.
#[test]
fn global_memory_is_staged_where_every_launch_has_the_tile() {
    let text = "template <typename T>
__global__ void turn(const T* from, T* to, int width) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  to[x * width + y] = from[y * width + x];
}
void go() {
  turn<float><<<dim3(4, 4), dim3(16, 16)>>>(a, b, 64);
  turn<int><<<dim3(2, 2), dim3(16, 16)>>>(c, d, 32);
}
";
    let launch = NamedLaunch::new([4, 4, 1], [16, 16, 1]);
    let launch = launch.with("width", lanescope_frontend::ArgumentValue::Integer(64));
    let advice = advised(text, &["float"], launch);
    let staged = |one: &&lanescope_fixes::Suggestion| one.kind == FixKind::Stage;
    let kinds: Vec<_> = advice.suggestions.iter().map(|one| &one.kind).collect();
    assert!(
        advice.suggestions.iter().any(|one| staged(&one)),
        "{kinds:?}"
    );
}

const REDUCE: &str = "template <typename T>
__global__ void reduce(const T* from, T* to) {
  __shared__ T s[256];
  int t = threadIdx.x;
  s[t] = from[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int i = blockDim.x / 2; i > 0; i >>= 1) {
    if (t < i) s[t] += s[t + i];
    __syncthreads();
  }
  if (t == 0) to[blockIdx.x] = s[0];
}
";

fn first_add(text: &str, templates: &[&str]) -> Option<String> {
    let advice = advised(text, templates, NamedLaunch::new([8, 1, 1], [256, 1, 1]));
    let mut all = advice.suggestions.iter();
    let found = all.find(|one| one.kind == FixKind::FirstAdd)?;
    assert!(found.is_launched_in_text);
    assert_eq!(found.launch.block, [128, 1, 1]);
    Some(found.source.text())
}

/// Each launch gets half the threads.
#[test]
fn elements_are_added_when_they_are_loaded_in_every_launch() {
    let text = format!(
        "{REDUCE}void go() {{ reduce<int><<<8, 256>>>(a, b); reduce<unsigned><<<2, 128>>>(c, d); }}\n"
    );
    let source = first_add(&text, &["int"]).unwrap();
    assert!(source.contains("reduce<int><<<8, 128>>>"), "{source}");
    assert!(source.contains("reduce<unsigned><<<2, 64>>>"), "{source}");
    // One instance, in two shapes.
    let text = format!(
        "{REDUCE}void go() {{ reduce<int><<<8, 256>>>(a, b); reduce<int><<<1, dim3(64)>>>(b, d); }}\n"
    );
    let source = first_add(&text, &["int"]).unwrap();
    assert!(source.contains("<<<8, 128>>>(a, b)"), "{source}");
    assert!(source.contains("<<<1, dim3(32)>>>(b, d)"), "{source}");
}

#[test]
fn what_another_launch_would_do_otherwise_is_left() {
    // A launch whose blocks are not known, and one of another width than the text says.
    let narrow = REDUCE.replace("blockIdx.x * blockDim.x", "blockIdx.x * 256");
    for (kernel, others) in [
        (
            REDUCE,
            "dim3 own(side()); reduce<unsigned><<<2, own>>>(c, d);",
        ),
        (&*narrow, "reduce<int><<<8, 128>>>(c, d);"),
    ] {
        let text = format!("{kernel}void go() {{ reduce<int><<<8, 256>>>(a, b); {others} }}\n");
        assert_eq!(first_add(&text, &["int"]), None, "{text}");
    }
}

/// Short rows: every launch gets wider blocks in a narrower grid.
#[test]
fn blocks_are_widened_in_every_launch() {
    let text = "template <typename T>
__global__ void add(const T* from, T* to, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  to[y * width + x] = from[y * width + x];
}
void go() {
  add<float><<<dim3(16, 4), dim3(4, 16)>>>(a, b, 64);
  add<int><<<dim3(32, 2), dim3(4, 16)>>>(c, d, 128);
}
";
    let launch = NamedLaunch::new([16, 4, 1], [4, 16, 1]);
    let launch = launch.with("width", lanescope_frontend::ArgumentValue::Integer(64));
    let advice = advised(text, &["float"], launch);
    let is_wider =
        |one: &&lanescope_fixes::Suggestion| matches!(one.kind, FixKind::BlockShape { .. });
    let found = advice.suggestions.iter().find(is_wider).unwrap();
    let source = found.source.text();
    assert!(
        source.contains("add<float><<<dim3(2, 4), dim3(32, 16)>>>"),
        "{source}"
    );
    assert!(
        source.contains("add<int><<<dim3(4, 2), dim3(32, 16)>>>"),
        "{source}"
    );
}
