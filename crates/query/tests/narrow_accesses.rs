//! Narrow accesses inside wide ones: load requests of a warp as SASS of nvcc 13 for `sm_90` has them.

use lanescope_query::{Compiler, Question, analyse};
use lanescope_share::{Launch, Source, State};

fn loads(body: &str) -> u64 {
    let source = format!(
        "struct Four {{ int a[4]; }}; __global__ void k(int* out, const int* in) {{ int t = threadIdx.x; int acc = 0; \
         const unsigned char* bytes = (const unsigned char*)in; const short* halves = (const short*)in; \
         {body} out[t] = acc; }}"
    );
    let state = State {
        source: Source::Kernel(source),
        launch: Launch {
            grid: [1, 1, 1],
            block: [32, 1, 1],
            ..Launch::default()
        },
        ..State::default()
    };
    let analysis =
        analyse(Question::compiled(&state, 1_000_000, Compiler::Nvcc13).expect("a question"));
    analysis.totals.global_load_requests
}

#[test]
fn what_begins_a_word_that_is_held_is_not_loaded() {
    for (body, requests) in [
        ("acc += in[t]; acc += halves[t * 2];", 1),
        ("acc += in[t]; acc += bytes[t * 4] + bytes[t * 4] * 3;", 1),
        (
            "acc += (int)((const float*)in)[t]; acc += halves[t * 2];",
            1,
        ),
        (
            "int2 v = ((const int2*)in)[t]; acc += v.x * v.y; acc += bytes[t * 8];",
            1,
        ),
        (
            "if (t & 1) acc += in[t]; else acc -= in[t] * 3; acc += halves[t * 2];",
            1,
        ),
        (
            "acc += in[t]; acc += halves[t * 2]; acc += halves[t * 2 + 1];",
            2,
        ),
        // Further inside the word, of another width, in another order, behind a barrier, or held by some lanes only.
        ("acc += in[t]; acc += bytes[t * 4 + 3];", 2),
        ("acc += halves[t]; acc += bytes[t * 2];", 2),
        (
            "acc += (int)(((const long long*)in)[t] % 1000007); acc += in[t * 2];",
            2,
        ),
        ("acc += halves[t * 2]; acc += in[t];", 2),
        ("acc += in[t]; __syncthreads(); acc += halves[t * 2];", 2),
        ("if (t & 1) acc += in[t]; acc += halves[t * 2];", 2),
    ] {
        assert_eq!(loads(body), requests, "{body}");
    }
}

#[test]
fn the_bytes_of_one_copy_are_a_word() {
    let copied = "Four b; memcpy(&b, in + t * 4, sizeof b); acc += b.a[0] + b.a[1];";
    assert_eq!(loads(copied), 8);
    assert_eq!(loads(&format!("{copied} acc += in[t * 4 + 1];")), 8);
    // No word of what was copied.
    assert_eq!(loads(&format!("{copied} acc += in[t * 4 + 2];")), 9);
    // Bytes that the text asks for one by one are none.
    let apart = "acc += bytes[t * 4] + bytes[t * 4 + 1] + bytes[t * 4 + 2] + bytes[t * 4 + 3];";
    assert_eq!(loads(&format!("{apart} acc += in[t];")), 5);
}
