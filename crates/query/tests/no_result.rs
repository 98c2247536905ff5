//! A kernel that stores nothing outside its blocks: a compiler leaves nothing of it, and its counts are those of a kernel
//! whose results are used.

use lanescope_locale::Language;
use lanescope_query::{Analysis, Compiler, Question, Read, analyse, answer};
use lanescope_share::{Launch, Source, State};
use lanescope_tally::{Reason, Status};

fn analysed(source: &str, compiler: Compiler) -> Analysis {
    let state = State {
        source: Source::Kernel(source.to_owned()),
        launch: Launch {
            grid: [2, 1, 1],
            block: [32, 1, 1],
            ..Launch::default()
        },
        ..State::default()
    };
    analyse(Question::compiled(&state, 1_000_000, compiler).expect("a question"))
}

fn is_without_result(body: &str) -> bool {
    let source = format!(
        "__global__ void k(const float* in, float* out, int* bins) {{ __shared__ float s[1024]; \
         __shared__ int c[32]; int t = threadIdx.x; {body} }}"
    );
    let analysis = analysed(&source, Compiler::Nvcc13);
    analysis.standing.reasons.contains(&Reason::NoResult)
}

#[test]
fn results_that_are_thrown_away_are_a_condition() {
    for body in [
        "float seen = in[t];",
        "s[t * 32] = in[t]; __syncthreads(); float seen = s[t * 32] + 1.0f;",
        "s[t] = in[t]; s[t] += 1;",
        "for (int i = 0; i < 4; ++i) s[t] += in[t + i * 32];",
        "float own[4]; for (int i = 0; i < 4; ++i) own[i] = in[t * 4 + i]; s[t] = own[3];",
        "if (t < 16) s[t] = in[t]; else s[t] = 0;",
        "auto get = [&](int i) { return in[i]; }; s[t] = get(t);",
    ] {
        assert!(is_without_result(body), "{body}");
    }
}

#[test]
fn what_is_seen_behind_the_kernel_is_a_result() {
    for body in [
        "out[t] = in[t];",
        "s[t] = in[t]; __syncthreads(); if (t == 0) out[0] = s[31];",
        "atomicAdd(&bins[t], 1);",
        "atomicAdd(&c[t], 1);",
        "volatile float* seen = s; seen[t] = in[t];",
        "const volatile float* given = in; float seen = given[t];",
        "printf(\"%f\", in[t]);",
        // Nothing is asked of memory at all.
        "int seen = t + 1;",
    ] {
        assert!(!is_without_result(body), "{body}");
    }
}

#[test]
fn the_condition_is_said_where_the_first_access_stands() {
    let source = "__global__ void k(const float* in) {\n  __shared__ float s[1024];\n  s[threadIdx.x * 32] = in[threadIdx.x];\n}";
    let analysis = analysed(source, Compiler::Nvcc13);
    assert_eq!(analysis.standing.status, Status::Assumed);
    let said = analysis
        .diagnostics
        .iter()
        .find(|one| one.kind.code() == "no-result");
    assert_eq!(said.map(|one| one.line), Some(3));
    // As written nothing is left out, so that there is no condition.
    let written = analysed(source, Compiler::None);
    assert!(!written.standing.reasons.contains(&Reason::NoResult));
}

/// The page's answer, its chip and its headline.
#[test]
fn the_page_says_it_too() {
    let text = "__global__ void k(const float* in) { __shared__ float s[1024]; int t = threadIdx.x; s[HERE] = in[t]; }";
    for (here, headline) in [("t * 32", "32-way bank conflict"), ("t", "if …")] {
        let state = State {
            source: Source::Kernel(text.replace("HERE", here)),
            launch: Launch {
                grid: [2, 1, 1],
                block: [32, 1, 1],
                ..Launch::default()
            },
            ..State::default()
        };
        let read = Read::of(&state, Compiler::Nvcc13).expect("a kernel");
        let page = answer(&state, read);
        let standing = page.standing();
        assert_eq!(standing.status, Status::Assumed);
        assert_eq!(standing.reasons.first(), Some(&Reason::NoResult));
        let chip = |language| Reason::NoResult.text(language);
        assert_eq!(
            chip(Language::English),
            "its results are used, which nothing here stores"
        );
        assert!(!chip(Language::Chinese).is_ascii());
        let found = lanescope_tally::verdict(page.counted()).headline;
        let said = found.qualified(&standing, Language::English);
        assert!(said.ends_with(headline), "{said}");
        let codes: Vec<_> = page.diagnostics.iter().map(|one| one.kind.code()).collect();
        assert!(codes.contains(&"no-result"), "{codes:?}");
    }
}
