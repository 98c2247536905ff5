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
