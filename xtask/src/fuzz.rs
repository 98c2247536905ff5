//! Fuzzing with libFuzzer, on the stable compiler and with nothing to install but a C++ compiler.

use std::fs;

use anyhow::{Result, bail};
use clap::Args;

use crate::process::{self, cargo};
use crate::workspace;

/// What cargo-fuzz passes too, but for the address sanitizer: that wants a nightly compiler, and the pure crates forbid
/// unsafe code. What a run of the tests would catch, a run of the fuzzer catches too.
const FLAGS: [&str; 9] = [
    "-Cdebuginfo=line-tables-only",
    "-Cdebug-assertions",
    "-Coverflow-checks",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg=fuzzing",
];

/// What to fuzz.
#[derive(Args)]
pub(crate) struct Options {
    /// The target, a file in fuzz/fuzz_targets
    target: Option<String>,
    /// How long, in seconds
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// How many runs at most
    #[arg(long)]
    runs: Option<u64>,
}

/// Fuzzes one target; without a target, names them.
///
/// # Errors
/// When there is no such target or it found something.
pub(crate) fn run(options: &Options) -> Result<()> {
    let targets = targets()?;
    let Some(target) = options
        .target
        .as_ref()
        .filter(|target| targets.contains(target))
    else {
        bail!("name a target: {}", targets.join(", "));
    };
    let folder = workspace::root().join("fuzz");
    let host = host()?;
    let mut build = cargo(&["build", "--release", "--package", "lanescope-fuzz"]);
    build.args(["--bin", target, "--target", &host]);
    process::run(build.env("RUSTFLAGS", FLAGS.join(" ")))?;
    let corpus = folder.join("corpus").join(target);
    let artifacts = folder.join("artifacts").join(target);
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(&artifacts)?;
    let program = workspace::target().join(&host).join("release").join(target);
    let mut fuzz = process::command(&program.to_string_lossy());
    fuzz.arg(corpus)
        .arg(format!("-artifact_prefix={}/", artifacts.display()));
    fuzz.arg(format!("-max_total_time={}", options.seconds))
        .args(["-timeout=10", "-rss_limit_mb=2048"]);
    process::run(fuzz.args(options.runs.map(|runs| format!("-runs={runs}"))))
}

fn targets() -> Result<Vec<String>> {
    let names = fs::read_dir(workspace::root().join("fuzz/fuzz_targets"))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut targets: Vec<_> = names
        .filter_map(|name| Some(name.strip_suffix(".rs")?.to_owned()))
        .collect();
    targets.sort();
    Ok(targets)
}

/// The triple of this machine: with a target named, the flags are not for build scripts.
fn host() -> Result<String> {
    let text = process::output(process::command("rustc").arg("-vV"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map_or_else(
        || bail!("rustc does not say its host"),
        |host| Ok(host.to_owned()),
    )
}
