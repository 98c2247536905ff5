//! What an answer is called: predictions of PTX, atomics that many warps wait for, guesses, and overflow in an index.

use crate::run::{Ran, lanescope};
use lanescope_query::{Read, answer};
use lanescope_share::{Source, State};
use lanescope_tally::{Basis, Status};
use serde_json::Value;

fn kernel(text: &str, more: &[&str]) -> Ran {
    lanescope(&[&["kernel", "-"], more].concat(), text.as_bytes())
}

fn report(text: &str, more: &[&str]) -> Value {
    let ran = kernel(text, &[&["--format", "json"], more].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err))
}

/// A kernel in PTX that loads a word of shared memory a second time, perhaps behind a barrier.
fn loaded_twice(between: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n\
         .reg .b32 %r<6>;\n.reg .f32 %f<4>;\n.reg .b64 %rd<5>;\n.shared .align 4 .b8 tile[128];\n\
         ld.param.u64 %rd1, [out];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\n\
         mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\nshl.b32 %r2, %r1, 2;\nmov.u32 %r3, tile;\n\
         add.s32 %r4, %r3, %r2;\nld.shared.f32 %f1, [%r4];\n{between}\nld.shared.f32 %f2, [%r4];\n\
         add.f32 %f3, %f1, %f2;\nst.global.f32 [%rd4], %f3;\nret;\n}}\n"
    )
}

const ONE_WARP: [&str; 4] = ["--grid", "1", "--block", "32"];

#[test]
fn ptx_that_its_assembler_may_change_is_predicted_everywhere() {
    for (between, status) in [("bar.sync 0;", "counted"), ("", "predicted")] {
        let text = loaded_twice(between);
        let json = report(&text, &ONE_WARP);
        assert_eq!(json["status"], status, "{json}");
        assert_eq!(json["exact"], status == "counted");
        let ran = kernel(&text, &ONE_WARP);
        assert_eq!(ran.code, Some(0));
        let is_predicted = status == "predicted";
        assert_eq!(json["basis"] == "assembler-choice", is_predicted);
        let said = ran.out.contains("as ptxas 13 is predicted to assemble it");
        assert_eq!(said, is_predicted, "{}", ran.out);
        assert_eq!(
            ran.err.contains("ptxas may join"),
            is_predicted,
            "{}",
            ran.err
        );
        // The page's answer.
        let mut state = State {
            source: Source::Kernel(text.clone()),
            ..State::default()
        };
        state.launch.block = [32, 1, 1];
        let parsed = lanescope_compiled::read(&text, None).expect("PTX");
        let standing = answer(&state, Read::foreign(&state, parsed)).standing();
        assert_eq!(standing.status.key(), status);
        let basis = is_predicted.then_some(Basis::AssemblerChoice);
        assert_eq!(standing.basis(), basis);
        assert_eq!(standing.status == Status::Predicted, is_predicted);
    }
}

/// A kernel in PTX that stores one word a lane, `step` bytes further for each of `%r5`.
fn storing(before: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n\
         .visible .entry k(.param .u64 out)\n{{\n.reg .b32 %r<8>;\n.reg .b64 %rd<5>;\n\
         ld.param.u64 %rd1, [out];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\nmov.u32 %r5, %r1;\n\
         {before}\nmul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd4, %rd2, %rd3;\nst.global.u32 [%rd4], %r6;\nret;\n}}\n"
    )
}

/// A call that prints.
const VPRINTF: &str = "{\n.param .b64 a;\nst.param.b64 [a], %rd1;\n.param .b64 b;\nst.param.b64 [b], %rd1;\n\
    .param .b32 r;\ncall.uni (r), vprintf, (a, b);\nld.param.b32 %r7, [r];\n}";

#[test]
fn what_is_not_modelled_is_named_where_it_matters_and_only_there() {
    for (before, status, named) in [
        ("mov.u32 %r6, %r1;", "counted", None),
        // A clock that is stored, and one that decides where.
        ("mov.u32 %r6, %clock;", "counted", None),
        (
            "mov.u32 %r6, %r1;\nmov.u32 %r5, %clock;",
            "partial",
            Some("a clock"),
        ),
        // What prints makes requests of its own.
        (VPRINTF, "partial", Some("vprintf")),
    ] {
        let json = report(&storing(before), &ONE_WARP);
        assert_eq!(json["status"], status, "{before}: {json}");
        let said = json["reasons"].to_string();
        match named {
            Some(name) => assert!(said.contains(name), "{before}: {said}"),
            None => assert_eq!(json["diagnostics"], Value::Array(Vec::new()), "{before}"),
        }
    }
}

/// An address of a global array, which the driver puts into a bank that the listing does not hold; stored, or loaded from.
#[test]
fn a_bank_that_the_text_does_not_hold_is_named_where_it_matters() {
    let listing = |last: &str| {
        format!(
            "\tFunction : k\n/*0000*/ S2R R0, SR_TID.X ;\n/*0010*/ ULDC.64 UR6, c[0x4][0x0] ;\n\
             /*0020*/ LDC.64 R2, c[0x0][0x210] ;\n/*0030*/ ULDC.64 UR4, c[0x0][0x208] ;\n\
             /*0040*/ IMAD.WIDE.U32 R2, R0, 0x4, R2 ;\n{last}\n/*0090*/ EXIT ;\n"
        )
    };
    for (last, status) in [
        (
            "/*0050*/ MOV R7, UR6 ;\n/*0060*/ STG.E desc[UR4][R2.64], R7 ;",
            "counted",
        ),
        (
            "/*0050*/ IMAD.U32 R4, RZ, RZ, UR6 ;\n/*0060*/ IMAD.U32 R5, RZ, RZ, UR7 ;\n\
             /*0070*/ LDG.E R7, desc[UR4][R4.64] ;\n/*0080*/ STG.E desc[UR4][R2.64], R7 ;",
            "partial",
        ),
    ] {
        let json = report(&listing(last), &ONE_WARP);
        assert_eq!(json["status"], status, "{json}");
        let named = json["reasons"].to_string().contains("c[0x4][0x0]");
        assert_eq!(named, status == "partial", "{json}");
    }
}

/// The first lane of each warp adds to one word.
const TOTAL: &str = "__global__ void k(int *out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) atomicAdd(&total, (int)threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}";

/// The same as a compiler leaves it.
const TOTAL_SASS: &str = "\tFunction : k\n\
    /*0000*/ S2R R0, SR_TID.X ;\n\
    /*0010*/ LOP3.LUT P0, RZ, R0, 0x1f, RZ, 0xc0, !PT ;\n\
    /*0020*/ @!P0 ATOMS.ADD RZ, [0x400], R0 ;\n\
    /*0030*/ EXIT ;\n";

#[test]
fn an_atomic_that_more_warps_want_than_was_measured_is_counted_if_they_do_not_wait() {
    for (text, threads, is_crowded) in [
        (TOTAL, "256", false),
        (TOTAL, "288", true),
        (TOTAL, "1024", true),
        (TOTAL_SASS, "256", false),
        (TOTAL_SASS, "1024", true),
    ] {
        let json = report(text, &["--grid", "4", "--block", threads]);
        let reasons = json["reasons"].as_array().expect("reasons").iter();
        let crowded = reasons
            .filter(|one| one["code"] == "crowded-atomic")
            .count();
        assert_eq!(crowded == 1, is_crowded, "{threads}: {json}");
        assert_eq!(json["status"] == "assumed", is_crowded, "{threads}: {json}");
        let warps = threads.parse::<u64>().expect("a number") / 32;
        assert_eq!(json["totals"]["shared_atomic_wavefronts"], 4 * warps);
    }
}

#[test]
fn warps_with_words_of_their_own_do_not_wait() {
    let own = TOTAL
        .replace("int total;", "int total[32];")
        .replace("total = 0", "total[0] = 0")
        .replace("&total", "&total[threadIdx.x / 32]")
        .replace("= total;", "= total[0];");
    let json = report(&own, &["--grid", "4", "--block", "1024"]);
    assert_ne!(json["status"], "assumed", "{json}");
}

#[test]
fn overflow_in_an_index_is_named_with_the_array() {
    let text = "__global__ void k(const float *a, float *b, int M) {
      int row = 50000 + blockIdx.x; b[threadIdx.x] = a[row * M + threadIdx.x]; }";
    let given = [
        "--grid", "1", "--block", "32", "--arg", "M=50000", "--arg", "a=4096",
    ];
    let ran = kernel(text, &given);
    assert_eq!(ran.code, Some(3));
    let named = "`int` overflow in the index (2500000000 becomes -1794967296)";
    for said in [&ran.out, &ran.err] {
        assert!(
            said.contains(named) && said.contains("of `a` is out of bounds"),
            "{said}"
        );
    }
    let json = report(text, &given);
    let said = json["diagnostics"].to_string();
    assert!(said.contains(named), "{said}");
}

#[test]
fn a_guessed_launch_is_said_before_what_was_found_under_it() {
    let text = "__global__ void k(const float *a, float *b) { __shared__ float s[256];
      s[(threadIdx.x * 2) & 255] = a[threadIdx.x]; b[threadIdx.x] = s[255 - threadIdx.x]; }";
    let ran = kernel(text, &[]);
    let [guess, race] = ["the launch is a guess", "race on"].map(|said| ran.err.find(said));
    assert!(guess.expect("said") < race.expect("a race"), "{}", ran.err);
    let [guess, blame] = ["grid 64, block 256", "2-way"].map(|said| ran.out.find(said));
    assert!(
        guess.expect("said") < blame.expect("a conflict"),
        "{}",
        ran.out
    );
    let json = report(text, &[]);
    assert_eq!(json["reasons"][0]["code"], "launch-shape");
    assert_eq!(json["diagnostics"][0]["code"], "guessed-launch");
    let given = kernel(text, &["--grid", "64", "--block", "256"]);
    assert!(!given.err.contains("guess"), "{}", given.err);
}

#[test]
fn what_nvcc_leaves_out_is_one_sentence_with_both_numbers() {
    let text = "__global__ void k(const float *a, float *b) { __shared__ float s[64];
      int t = threadIdx.x; s[t] = a[t]; __syncwarp(); float x = s[63 - t], y = s[63 - t]; b[t] = x + y; }";
    let ran = kernel(text, &ONE_WARP);
    let said =
        "nvcc joins, moves or leaves out accesses: 2 shared wavefronts instead of 3 as written.";
    assert!(ran.out.contains(said), "{}", ran.out);
    let written = kernel(text, &[&ONE_WARP[..], &["--compiler", "none"]].concat());
    assert!(!written.out.contains("nvcc joins"), "{}", written.out);
}

#[test]
fn a_read_past_the_end_of_wgsl_s_runtime_sized_array_is_named() {
    for (read, is_open) in [
        // The value alone, an address and a branch: which bytes are asked for is the implementation's choice in each.
        ("o[i] = a[i + 1u];", true),
        ("o[i] = select(0u, a[i - 1u], i > 0u);", true),
        ("o[a[i + 1u] & 7u] = 1u;", true),
        ("if (a[i + 1u] > 3u) { o[i] = 1u; }", true),
        // Held within the array by the text itself, or inside it.
        ("o[i] = a[min(i + 1u, arrayLength(&a) - 1u)];", false),
        ("if (i > 0u) { o[i] = a[i - 1u]; }", false),
        ("o[i] = a[i];", false),
    ] {
        let text = format!(
            "@group(0) @binding(0) var<storage, read> a: array<u32>;\n\
             @group(0) @binding(1) var<storage, read_write> o: array<u32>;\n\
             @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3<u32>) {{\n\
             let i = g.x;\n{read}\n}}\n"
        );
        let sizes = ["--grid", "4", "--arg", "a=256", "--arg", "o=256"];
        let ran = kernel(&text, &sizes);
        let json = report(&text, &sizes);
        assert_eq!(json["status"] == "partial", is_open, "{read}: {json}");
        assert_eq!(ran.code, Some(if is_open { 3 } else { 0 }), "{read}");
        assert_eq!(
            ran.err.contains("of `a` is out of bounds"),
            is_open,
            "{read}: {}",
            ran.err
        );
    }
}
