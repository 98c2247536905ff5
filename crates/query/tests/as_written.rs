//! A prediction beside the kernel as written: what is said plainly, what is green, and what the compiler leaves out.

use lanescope_locale::Language;
use lanescope_query::{Analysis, Compiler, Question, Read, analyse, answer, verdict};
use lanescope_share::{Launch, Source, State};
use lanescope_tally::{Headline, Need, Status};

fn state(body: &str) -> State {
    State {
        source: Source::Kernel(format!(
            "__global__ void k(const float* in, float* out) {{ __shared__ float s[2048]; int t = threadIdx.x; {body} }}"
        )),
        launch: Launch {
            grid: [2, 1, 1],
            block: [32, 1, 1],
            ..Launch::default()
        },
        ..State::default()
    }
}

fn analysed(state: &State) -> Analysis {
    analyse(Question::compiled(state, 1_000_000, Compiler::Nvcc13).expect("a question"))
}

/// Stores in two columns, which conflict, and a load that is made twice.
const CONFLICT_IN_BOTH: &str =
    "s[t * 32] = in[t]; __syncwarp(); float a = s[t * 32]; float b = s[t * 32]; out[t] = a + b;";
/// A load down a column of which nothing is used: the compiler leaves it out.
const CONFLICT_AS_WRITTEN: &str =
    "s[t] = in[t]; __syncwarp(); float a = s[(t * 32) & 1023]; out[t] = s[31 - t];";

#[test]
fn a_conflict_that_stands_as_written_and_as_predicted_is_said_plainly() {
    let state = state(CONFLICT_IN_BOTH);
    let analysis = analysed(&state);
    assert_eq!(analysis.standing.status, Status::Predicted);
    let said = verdict(&analysis);
    assert!(said.starts_with("32-way bank conflict on line 1"), "{said}");
    assert!(said.contains("; predicted ("), "{said}");
    let page = answer(
        &state,
        Read::of(&state, Compiler::Nvcc13).expect("a kernel"),
    );
    let headline = lanescope_tally::verdict(page.counted()).headline;
    let said = headline.qualified(&page.standing(), Language::English);
    assert_eq!(said, "32-way bank conflict");
}

#[test]
fn freedom_from_conflicts_is_green_only_where_the_kernel_as_written_has_it_too() {
    let state = state(CONFLICT_AS_WRITTEN);
    let analysis = analysed(&state);
    assert_eq!(analysis.standing.status, Status::Predicted);
    let said = verdict(&analysis);
    assert!(said.starts_with("predicted ("), "{said}");
    assert!(!analysis.standing.is_free_as_written());
    let page = answer(
        &state,
        Read::of(&state, Compiler::Nvcc13).expect("a kernel"),
    );
    let standing = page.standing();
    assert!(!standing.is_free_as_written());
    let said = Headline::Free.qualified(&standing, Language::English);
    assert!(said.ends_with(", as predicted"), "{said}");
}

#[test]
fn what_the_compiler_leaves_out_is_one_sentence_on_page_and_command_line() {
    for body in [CONFLICT_IN_BOTH, CONFLICT_AS_WRITTEN] {
        let state = state(body);
        let analysis = analysed(&state);
        let page = answer(
            &state,
            Read::of(&state, Compiler::Nvcc13).expect("a kernel"),
        );
        let written = analysed_as_written(&state);
        let predicted = Need::of(&analysis.sites);
        let sentence = |standing: &lanescope_tally::Standing, need: &Need| {
            standing.as_compiled(need, Language::English)
        };
        let said = sentence(&analysis.standing, &predicted).expect("a sentence");
        assert_eq!(
            Some(&said),
            sentence(&page.standing(), &Need::of(&page.sites)).as_ref()
        );
        let expected = format!(
            "{} shared wavefronts instead of {}",
            predicted.wavefronts, written.wavefronts
        );
        assert!(said.contains(&expected), "{said}");
    }
}

fn analysed_as_written(state: &State) -> Need {
    let question = Question::compiled(state, 1_000_000, Compiler::None);
    Need::of(&analyse(question.expect("a question")).sites)
}

#[test]
fn nothing_is_said_where_both_count_alike() {
    let analysis = analysed(&state("s[t] = in[t]; __syncwarp(); out[t] = s[31 - t];"));
    let need = Need::of(&analysis.sites);
    assert_eq!(
        analysis.standing.as_compiled(&need, Language::English),
        None
    );
}
