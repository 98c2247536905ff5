//! `lanescope completions` and `lanescope man`.

use crate::run::lanescope;

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = lanescope(&["completions", shell], b"");
        assert_eq!(ran.code, Some(0), "{shell}: {}", ran.err);
        assert!(ran.out.contains("max-sectors-per-request"), "{shell}");
    }
}

#[test]
fn manual_pages_are_of_the_program_and_of_its_commands() {
    let all = lanescope(&["man"], b"");
    assert!(
        all.out.contains(".TH lanescope 1") && all.out.contains("check"),
        "{}",
        all.out
    );
    let one = lanescope(&["man", "check"], b"");
    assert!(
        one.out.contains("lanescope\\-check") && one.out.contains("max\\-ways"),
        "{}",
        one.out
    );
    assert_eq!(lanescope(&["man", "chek"], b"").code, Some(2));
}
