//! No text makes the reader panic, and none costs more than its bounds.
#![allow(clippy::unwrap_used)]

use lanescope_frontend::KernelOptions;
use proptest::prelude::*;
use std::path::PathBuf;

fn texts() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/wgsl");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let read = |file: &PathBuf| std::fs::read_to_string(file).unwrap();
    files.iter().map(read).collect()
}

/// Words that stand somewhere in the texts, or nearly.
const WORDS: [&str; 16] = [
    "0u",
    "4294967295u",
    "-1",
    "i",
    "tid",
    "array<u32, 4>",
    "vec4<f32>",
    "atomic<u32>",
    "return;",
    "break;",
    "if",
    "loop {",
    "}",
    "(",
    "]",
    "1.0",
];

fn parse(text: &str) {
    let parsed = lanescope_wgsl::parse(text, &KernelOptions::default());
    if let Some(kernel) = parsed.program.lowered() {
        assert_eq!(kernel.verify(), Ok(()), "{text}");
    }
}

proptest! {
    #[test]
    fn a_word_in_place_of_another_is_read_or_refused(
        file in 0_usize..64,
        at in 0_usize..4096,
        word in 0_usize..WORDS.len(),
    ) {
        let texts = texts();
        let text = &texts[file % texts.len()];
        let starts: Vec<usize> = text.match_indices([' ', '(', '[', ';']).map(|one| one.0).collect();
        let start = starts[at % starts.len()] + 1;
        let rest = &text[start..];
        let length = rest.find([' ', '(', ')', '[', ']', ';', ',', '\n']).unwrap_or(rest.len());
        parse(&format!("{}{}{}", &text[..start], WORDS[word], &rest[length..]));
    }
}

#[test]
fn what_grows_without_end_is_refused() {
    // Each function calls the one before it eight times.
    let mut text = String::from("@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n");
    text += "fn f0(x: u32) -> u32 { o[x] = x; return x + 1u; }\n";
    for level in 1..12 {
        let before = level - 1;
        let calls = format!("y = f{before}(y); ").repeat(8);
        text += &format!("fn f{level}(x: u32) -> u32 {{ var y = x; {calls} return y; }}\n");
    }
    text += "@compute @workgroup_size(1) fn main() { o[0] = f11(1u); }";
    let parsed = lanescope_wgsl::parse(&text, &KernelOptions::default());
    let codes: Vec<_> = parsed
        .diagnostics
        .iter()
        .map(|one| one.kind.code())
        .collect();
    assert!(
        codes.contains(&"too-many-steps") || codes.contains(&"too-large"),
        "{codes:?}"
    );
    assert_eq!(parsed.program.sites(), []);
}

#[test]
fn large_values_are_bounded() {
    let text = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;
        const big = array<array<u32, 128>, 128>();
        @compute @workgroup_size(1) fn main() {
            var a = array<u32, 20000>();
            let b = big;
            o[a[0]] = b[1][o[0]];
        }";
    let parsed = lanescope_wgsl::parse(text, &KernelOptions::default());
    assert!(!parsed.diagnostics.is_empty());
}
