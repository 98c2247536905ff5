//! Accesses that coincide by an identity of integers or by a range: counts are right as written, and a compiler may know.

use lanescope_query::{Analysis, Compiler, Question, analyse};
use lanescope_share::{Launch, Source, State};
use lanescope_tally::{Basis, Status};

fn analysed(body: &str) -> Analysis {
    let source = format!(
        "__global__ void k(const float* a, const float* b, float* out) {{\n\
         const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n{body}\n}}"
    );
    let state = State {
        source: Source::Kernel(source),
        launch: Launch {
            grid: [6, 1, 1],
            block: [96, 1, 1],
            ..Launch::default()
        },
        ..State::default()
    };
    analyse(Question::compiled(&state, 1_000_000, Compiler::Nvcc13).expect("a question"))
}

#[test]
fn accesses_that_coincide_are_left_to_a_compiler() {
    for body in [
        "out[i] = a[i] + a[i / 32 * 32 + i % 32];",
        "out[i] = a[5 + t / 1024] * b[i] + a[max(5, t % 4)];",
        "out[i] = a[i]; out[(i ^ 1) ^ 1] = b[i];",
        "out[i] = a[i]; float v = out[i / 4 * 4 + i % 4]; out[i + 4096] = v;",
    ] {
        let standing = analysed(body).standing;
        assert_eq!(standing.status, Status::Predicted, "{body}");
        assert!(standing.basis().is_some(), "{body}");
    }
}

#[test]
fn what_only_coincides_in_some_block_or_lane_is_counted() {
    for body in [
        // In the first block alone.
        "out[i] = a[i] + a[t + 8192 * blockIdx.x];",
        // Where one lane of a warp meets the others.
        "out[i] = a[i] + a[i & ~31];",
        // What is loaded, changed and stored.
        "out[i / 2 * 2 + i % 2] = 2 * out[i];",
        // Before a barrier and behind it.
        "__shared__ float s[96]; s[t] = a[i]; __syncthreads(); out[i] = s[95 - t] + a[i / 32 * 32 + i % 32];",
    ] {
        let analysis = analysed(body);
        let standing = analysis.standing;
        assert_eq!(
            standing.status,
            Status::Counted,
            "{body}: {:?}",
            standing.reasons
        );
        assert_eq!(standing.basis(), None::<Basis>, "{body}");
    }
}
