//! A text whose blanks and comments change has the answer that it had, at other places; and what a worker reads of it is
//! carried to its page whole.

use std::fs;
use std::path::Path;

use lanescope_frontend::Moves;
use lanescope_query::{Answer, Compiler, Read, answer, found_launch};
use lanescope_share::{Device, Source, State};
use lanescope_wire::Wire as _;

fn kernels() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/kernels");
    let files = fs::read_dir(folder).expect("the golden kernels");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let sources = paths
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "cu"));
    let texts = sources.map(|path| fs::read_to_string(path).expect("a text"));
    texts.collect()
}

fn state(text: &str) -> State {
    let device = Device::default();
    State {
        launch: found_launch(text, &device),
        source: Source::Kernel(text.to_owned()),
        device,
        ..State::default()
    }
}

fn read(state: &State) -> Read {
    Read::of(state, Compiler::of(state)).expect("a kernel of CUDA")
}

/// The text with comments and blanks more.
fn spread(text: &str) -> String {
    let lines = text.lines().map(|line| match line.trim_start() {
        "" => "\n// nothing".to_owned(),
        start if start.starts_with('#') || line.ends_with('\\') => line.to_owned(),
        _ if line.contains('"') || line.contains("//") || line.contains("/*") => line.to_owned(),
        _ => format!(
            "  {}  // {}",
            line.replace(' ', "  ").replace(';', " ;"),
            line.len()
        ),
    });
    let lines: Vec<String> = lines.collect();
    format!("// Spread.\n{}\n", lines.join("\n"))
}

fn comparable(answer: &Answer) -> impl PartialEq + std::fmt::Debug + use<> {
    let program = &answer.program;
    (
        program.sites().to_vec(),
        program.arrays().to_vec(),
        program.parameters().to_vec(),
        answer.diagnostics.clone(),
        answer.sites.clone(),
        answer.remarks(),
        answer.standing(),
    )
}

#[test]
fn a_text_with_the_same_tokens_has_the_same_answer_elsewhere() {
    let mut moved = 0;
    for text in kernels() {
        let state = state(&text);
        let before = answer(&state, read(&state));
        let spread = spread(&text);
        let Some(moves) = Moves::of_same_tokens(&text, &spread) else {
            continue;
        };
        let state = State {
            source: Source::Kernel(spread.clone()),
            ..state
        };
        let after = answer(&state, read(&state));
        assert_eq!(
            comparable(&before.moved(&spread, &moves)),
            comparable(&after),
            "{text}"
        );
        moved += 1;
    }
    assert!(moved > 10, "{moved} texts");
}

#[test]
fn what_is_read_is_carried_whole_but_for_the_code() {
    for text in kernels() {
        let read = read(&state(&text)).without_code();
        assert_eq!(Read::of_bytes(&read.to_bytes()), Some(read), "{text}");
    }
}
