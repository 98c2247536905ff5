//! Kernels in the text form through some passes.

use lanescope_ir::Kernel;
use lanescope_optimizer::{Leaning, Optimized, Pass, Profile, WORK, optimize_within};

/// A kernel with these sites and blocks, after these passes; both are verified.
#[allow(dead_code, reason = "not every file of tests asks")]
pub(crate) fn run(passes: &[Pass], sites: &str, blocks: &str) -> Optimized {
    run_leaning(Leaning::Fitted, passes, sites, blocks)
}

/// The same with close calls taken that way.
#[allow(dead_code, reason = "not every file of tests asks")]
pub(crate) fn run_leaning(
    leaning: Leaning,
    passes: &[Pass],
    sites: &str,
    blocks: &str,
) -> Optimized {
    let profile = Profile {
        passes: passes.to_vec().into(),
        leaning,
        ..Profile::NVCC_13_SM_90
    };
    run_profile(&profile, sites, blocks)
}

/// The same after all that a profile does.
pub(crate) fn run_profile(profile: &Profile, sites: &str, blocks: &str) -> Optimized {
    run_within(profile, WORK, sites, blocks)
}

/// The same with no more than so much work.
pub(crate) fn run_within(profile: &Profile, work: u64, sites: &str, blocks: &str) -> Optimized {
    let blocks = numbered(blocks);
    let text = format!(
        "kernel \"k\" shared=1024 barriers=2 {{
  a0 \"a\" global \"float\" size=4
  a1 \"s\" shared \"float\" size=4 [256] bytes=1024 align=16
{sites}
{blocks}
}}"
    );
    let kernel: Kernel = match text.parse() {
        Ok(kernel) => kernel,
        Err(error) => panic!("{error}"),
    };
    assert_eq!(kernel.verify(), Ok(()));
    let optimized = optimize_within(&kernel, profile, work);
    assert_eq!(optimized.kernel.verify(), Ok(()), "{}", optimized.kernel);
    optimized
}

/// The same text with its registers numbered in the order in which they come.
fn numbered(blocks: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut text = String::new();
    for word in blocks.split_inclusive(|one: char| !one.is_alphanumeric()) {
        let name = word.trim_end_matches(|one: char| !one.is_alphanumeric());
        let is_register = name.starts_with(['r', 'd', 'p', 'h'])
            && name.len() > 1
            && name
                .get(1..)
                .is_some_and(|rest| rest.bytes().all(|one| one.is_ascii_digit()));
        if !is_register {
            text.push_str(word);
            continue;
        }
        let at = names
            .iter()
            .position(|one| *one == name)
            .unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
        let (kind, rest) = (&name[..1], &word[name.len()..]);
        text.push_str(&format!("{kind}{at}{rest}"));
    }
    text
}
