//! What is said of an address outside its array: which array was indexed, and that an `int` overflowed on the way; on the
//! command line as on the page.

use lanescope_frontend::{Diagnostic, DiagnosticKind};
use lanescope_locale::Language;
use lanescope_query::Effort;
use lanescope_query::{Compiler, Question, Read, Whole, analyse, answer, verdict};
use lanescope_share::{GuessedShape, Launch, Source, State};

fn state(body: &str, arguments: &[(&str, &str)]) -> State {
    let text = format!(
        "__global__ void k(const float* a, float* b, int M) {{ __shared__ float first[64]; \
         __shared__ float second[32]; int i = threadIdx.x; {body} }}"
    );
    let arguments = arguments.iter();
    State {
        source: Source::Kernel(text),
        launch: Launch {
            grid: [2, 1, 1],
            block: [32, 1, 1],
            arguments: arguments
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            ..Launch::default()
        },
        ..State::default()
    }
}

/// What is out of bounds: the array, and the number that no `int` holds; of neighbours that are alike one.
fn outside(all: &[Diagnostic]) -> Vec<(Option<String>, Option<i64>)> {
    let of = |one: &Diagnostic| match &one.kind {
        DiagnosticKind::OutOfBounds {
            array, overflow, ..
        } => Some((array.clone(), *overflow)),
        _ => None,
    };
    let mut found: Vec<_> = all.iter().filter_map(of).collect();
    found.dedup();
    found
}

/// The same of the command line's analysis, as written and as compiled, and of the page's answer: all alike.
fn found(state: &State) -> Vec<(Option<String>, Option<i64>)> {
    let of = |compiler| {
        let analysis = analyse(Question::compiled(state, 1_000_000, compiler).expect("a question"));
        outside(&analysis.diagnostics)
    };
    let page = answer(state, Read::of(state, Compiler::Nvcc13).expect("a kernel"));
    let found = of(Compiler::None);
    assert_eq!(found, of(Compiler::Nvcc13));
    assert_eq!(found, outside(&page.diagnostics));
    found
}

#[test]
fn an_int_that_overflows_in_an_index_is_named() {
    let a = || Some("a".to_owned());
    let arguments = [("M", "50000"), ("a", "4096")];
    for (body, exact) in [
        ("b[i] = a[(i + 50000) * M];", 2_500_000_000),
        (
            "int row = 50000 + blockIdx.x; b[i] = a[row * M + i];",
            2_500_000_000,
        ),
        ("b[i] = a[2147483647 + M];", 2_147_533_647),
    ] {
        assert_eq!(
            found(&state(body, &arguments)),
            [(a(), Some(exact))],
            "{body}"
        );
    }
}

/// What a loop counts is read off the run; of a kernel as written.
#[test]
fn an_int_that_overflows_with_a_loop_s_counter_is_named() {
    let body = "float s = 0; for (int j = 49999; j < M + 1; ++j) s += a[j * M]; b[i] = s;";
    let state = state(body, &[("M", "50000"), ("a", "4096")]);
    let question = Question::compiled(&state, 1_000_000, Compiler::None);
    let analysis = analyse(question.expect("a question"));
    let a = || Some("a".to_owned());
    assert_eq!(outside(&analysis.diagnostics), [(a(), Some(2_499_950_000))]);
}

#[test]
fn an_index_that_is_merely_too_large_is_no_overflow() {
    let a = || Some("a".to_owned());
    let arguments = [("M", "50000"), ("a", "4096")];
    for body in [
        "b[i] = a[i + M];",
        "b[i] = a[i - M];",
        // These are computed in 64 bits, or wrap as they should.
        "b[i] = a[(long long)(i + 50000) * M];",
        "unsigned big = (i + 50000u) * (unsigned)M; b[i] = a[big];",
    ] {
        assert_eq!(found(&state(body, &arguments)), [(a(), None)], "{body}");
    }
}

#[test]
fn the_array_that_is_indexed_is_named() {
    let of = |name: &str| vec![(Some(name.to_owned()), None)];
    for (body, array) in [
        (
            "float* p = second; p[i + 1000] = a[i]; b[i] = p[i + 1000];",
            "second",
        ),
        ("b[i + 5000] = a[i];", "b"),
    ] {
        let arguments = [("M", "1"), ("a", "4096"), ("b", "4096")];
        assert_eq!(found(&state(body, &arguments)), of(array), "{body}");
    }
}

#[test]
fn overflow_is_said_in_both_languages() {
    let state = state(
        "b[i] = a[(i + 50000) * M];",
        &[("M", "50000"), ("a", "4096")],
    );
    let analysis =
        analyse(Question::compiled(&state, 1_000_000, Compiler::Nvcc13).expect("a question"));
    let said = verdict(&analysis);
    assert!(
        said.contains("`int` overflow in the index (2500000000 becomes -1794967296)"),
        "{said}"
    );
    let mut all = analysis.diagnostics.iter();
    let outside = all.find(|one| matches!(one.kind, DiagnosticKind::OutOfBounds { .. }));
    let chinese = outside.expect("a fault").kind.text(Language::Chinese);
    assert!(
        chinese.contains("溢出") && chinese.contains("`a`"),
        "{chinese}"
    );
}

/// `state` with a launch that nobody gave.
fn guessed(state: State) -> State {
    State {
        launch: Launch {
            guessed: GuessedShape {
                grid: true,
                block: true,
            },
            ..state.launch
        },
        ..state
    }
}

/// The codes of what is said, in its order.
fn codes(all: &[Diagnostic]) -> Vec<&'static str> {
    all.iter().map(|one| one.kind.code()).collect()
}

#[test]
fn what_is_found_under_a_guessed_launch_follows_the_guess() {
    let race = "first[0] = a[i + blockIdx.x]; b[i] = first[i];";
    for (body, block, fault) in [
        ("b[i] = a[i + 5000];", 32, "out-of-bounds"),
        (race, 64, "race"),
        (
            "if (i < 3) __syncthreads(); b[i] = a[i];",
            32,
            "divergent-barrier",
        ),
    ] {
        let mut given = state(body, &[("M", "1"), ("a", "4096")]);
        given.launch.block = [block, 1, 1];
        for (state, is_guess) in [(given.clone(), false), (guessed(given), true)] {
            let question = Question::compiled(&state, 1_000_000, Compiler::None);
            let analysis = analyse(question.expect("a question"));
            let read = Read::of(&state, Compiler::None).expect("a kernel");
            let page = answer(&state, read);
            let whole = Whole::count(&page, Effort::AtOnce, &mut |_| {}).expect("a count");
            let whole = page.with_whole(whole).expect("of this program");
            for all in [&analysis.diagnostics, &page.diagnostics, &whole.diagnostics] {
                let codes = codes(all);
                let of = |code| codes.iter().position(|one| *one == code);
                let fault = of(fault).unwrap_or_else(|| panic!("{body}: {codes:?}"));
                let guess = of("guessed-launch");
                assert_eq!(guess.is_some(), is_guess, "{body}: {codes:?}");
                assert!(guess.is_none_or(|guess| guess < fault), "{body}: {codes:?}");
                let guesses = codes.iter().filter(|one| **one == "guessed-launch");
                assert!(guesses.count() <= 1, "{body}: {codes:?}");
            }
        }
    }
}

#[test]
fn a_sentence_on_a_guessed_launch_says_the_guess_first() {
    for body in [
        "b[i] = a[i + 5000];",
        "first[i * 2] = a[i]; b[i] = first[i * 2];",
    ] {
        let state = guessed(state(body, &[("M", "1"), ("a", "4096")]));
        let question = Question::compiled(&state, 1_000_000, Compiler::Nvcc13);
        let said = verdict(&analyse(question.expect("a question")));
        let guess = said.find("grid 2, block 32").expect(&said);
        for blame in ["out of bounds", "conflict on"] {
            assert!(said.find(blame).is_none_or(|blame| guess < blame), "{said}");
        }
    }
}

#[test]
fn what_is_merely_counted_under_a_guess_has_no_such_note() {
    let state = guessed(state("b[i] = a[i];", &[("M", "1"), ("a", "4096")]));
    let question = Question::compiled(&state, 1_000_000, Compiler::Nvcc13);
    let analysis = analyse(question.expect("a question"));
    assert!(!codes(&analysis.diagnostics).contains(&"guessed-launch"));
    assert_eq!(
        analysis.standing.guessed_shape(),
        Some([[2, 1, 1], [32, 1, 1]])
    );
}
