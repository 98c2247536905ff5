//! A `switch` that falls through: how often each case is asked for, as SASS of nvcc 13 for `sm_90` has it.

use lanescope_frontend::KernelOptions;
use lanescope_query::{Analysis, Compiler, Question, analyse};
use lanescope_share::{Launch, Source, State};

fn analysed(source: String) -> Analysis {
    let state = State {
        source: Source::Kernel(source),
        launch: Launch {
            grid: [1, 1, 1],
            block: [32, 1, 1],
            ..Launch::default()
        },
        ..State::default()
    };
    analyse(Question::compiled(&state, 1_000_000, Compiler::Nvcc13).expect("a question"))
}

/// Each case does something else with what it loads, so that nothing is merged.
const CASES: [&str; 5] = [
    "acc = acc * 3 + in[t + 100];",
    "acc ^= in[t + 200];",
    "acc -= in[t + 300];",
    "acc = in[t + 400] - acc;",
    "acc |= in[t + 500];",
];

/// Load requests of a warp that comes to every case; `falls` has a digit a case, 1 where it falls through.
fn requests(falls: &str, has_default: bool) -> u64 {
    let cases = falls.chars().zip(CASES).enumerate();
    let cases = cases.map(|(label, (falls, body))| {
        let end = if falls == '1' { "" } else { "break;" };
        format!("case {label}: {body} {end} ")
    });
    let default = match has_default {
        true => "default: acc &= in[t * 2 + 1000];",
        false => "",
    };
    let source = format!(
        "__global__ void k(int* out, const int* in) {{ int t = threadIdx.x; int acc = t * 7; \
         switch (t % 9) {{ {} {default} }} out[t] = acc; }}",
        cases.collect::<String>()
    );
    analysed(source).totals.global_load_requests
}

#[test]
fn cases_that_fall_through_are_asked_for_as_ptxas_lets_lanes_meet() {
    for (falls, with_default, without) in [
        ("11", 3, Some(2)),
        ("01", 3, None),
        ("111", 4, Some(3)),
        ("101", 4, Some(3)),
        ("1111", 6, Some(5)),
        ("1110", 11, Some(5)),
        ("1101", 8, Some(4)),
        ("1011", 6, Some(4)),
        ("1010", 7, Some(4)),
        ("1000", 6, Some(4)),
        ("0111", 8, Some(5)),
        ("0100", 6, Some(4)),
        ("0011", 5, Some(4)),
        ("0010", 6, Some(4)),
        ("0001", 5, None),
        ("11111", 9, Some(8)),
        ("11110", 16, Some(8)),
        ("11101", 12, Some(6)),
        ("11011", 9, Some(6)),
        ("10110", 10, Some(6)),
        ("10011", 7, Some(5)),
        ("01011", 7, Some(6)),
        ("00111", 7, Some(6)),
    ] {
        assert_eq!(requests(falls, true), with_default, "{falls}");
        if let Some(without) = without {
            assert_eq!(requests(falls, false), without, "{falls} without default");
        }
    }
}

#[test]
fn a_sum_that_a_case_begins_is_not_one_that_another_goes_on_with() {
    let of = |start: &str, body: &str| {
        let source = format!(
            "__global__ void k(int* out, const int* in) {{ int t = threadIdx.x; int acc = {start}; \
             switch (t % 4) {{ {body} }} out[t] = acc; }}"
        );
        analysed(source).totals.global_load_requests
    };
    // The case that falls adds to what it has; the others load alone, and nothing is common to all.
    let body = "case 0: acc += in[t]; break; case 1: acc += in[t + 128]; break; case 2: acc += in[t + 192]; \
                case 3: acc += in[t + 256]; break; default: acc += in[t * 2 + 512];";
    assert_eq!(of("0", body), 5);
    // All that end add to the same sum: one load behind the switch.
    let body = "case 0: acc += in[t + 64]; case 1: acc += in[t + 128]; break; default: acc += in[t * 2 + 512];";
    assert_eq!(of("t", body), 2);
}

/// What the ways bring for an operand that is a constant in each is as wide as the operation reads it.
#[test]
fn constants_that_differ_between_arms_have_the_width_of_the_operand() {
    let arms: String = (0..4)
        .map(|arm| format!("case {arm}: v = in[t + 64 * {arm}] >> {}; break; ", arm + 1))
        .collect();
    let source = format!(
        "__global__ void k(int* out, const int* in, int m) {{ int t = threadIdx.x; int v = 0; \
         switch (m) {{ {arms} default: v = in[t + 999] >> 9; }} out[t] = v; }}"
    );
    let parsed = lanescope_query::parse_compiled(&source, &KernelOptions::default());
    let kernel = parsed.program.lowered().expect("a kernel");
    assert_eq!(kernel.verify(), Ok(()));
}
