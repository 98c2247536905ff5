//! The Python package: its wheel built, and tested in fresh environments of two versions of Python.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::{process, workspace};

/// Versions that are looked for.
const VERSIONS: [&str; 6] = [
    "python3.10",
    "python3.11",
    "python3.12",
    "python3.13",
    "python3.14",
    "python3",
];

/// What the tests need besides the wheel.
const TEST_PACKAGES: [&str; 3] = ["pytest", "mypy", "pandas"];

/// What the tutorial and the tests of compiled kernels need, in the newest version's environment.
const COMPILER_PACKAGES: [&str; 5] = ["triton", "nbclient", "nbformat", "ipykernel", "tqdm"];

/// Which versions, and how much.
#[derive(Args)]
pub(crate) struct Options {
    /// Interpreters to test with; without them the oldest and the newest on PATH
    #[arg(long = "python", value_name = "PROGRAM")]
    pythons: Vec<String>,
    /// Only build the wheel
    #[arg(long)]
    no_test: bool,
    /// Leave out Triton, and with it its tests and the tutorial
    #[arg(long)]
    no_triton: bool,
}

/// Builds the wheel into `target/python/wheels/` and tests it.
///
/// # Errors
/// When there is no Python from 3.10 on, or a step fails.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut pythons = options.pythons.clone();
    if pythons.is_empty() {
        pythons = found();
    }
    let Some(newest) = pythons.last() else {
        bail!("no Python from 3.10 on; give one with --python");
    };
    let wheel = build(newest)?;
    println!("{}", wheel.display());
    if options.no_test {
        return Ok(());
    }
    if pythons.len() < 2 {
        println!("only one version of Python is here: {newest}");
    }
    for (at, python) in pythons.iter().enumerate() {
        let has_triton = !options.no_triton && at + 1 == pythons.len();
        test(python, at, &wheel, has_triton).with_context(|| python.clone())?;
    }
    Ok(())
}

/// The oldest and the newest version that run.
fn found() -> Vec<String> {
    let mut all: Vec<String> = VERSIONS
        .iter()
        .filter(|program| is_recent(program))
        .map(|program| (*program).to_owned())
        .collect();
    // The unnumbered one counts where no other is.
    if all.len() > 1 {
        all.retain(|program| program != "python3");
    }
    match all.as_slice() {
        [oldest, .., newest] => vec![oldest.clone(), newest.clone()],
        _ => all,
    }
}

/// Whether it runs and is 3.10 or newer.
fn is_recent(program: &str) -> bool {
    let status = process::command(program)
        .args([
            "-c",
            "import sys, venv; sys.exit(sys.version_info < (3, 10))",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

fn folder() -> PathBuf {
    workspace::target().join("python")
}

/// A fresh environment with `packages`; its folder of programs.
fn environment(python: &str, name: &str, packages: &[&str]) -> Result<PathBuf> {
    let place = folder().join(name);
    process::run(
        process::command(python)
            .args(["-m", "venv", "--clear"])
            .arg(&place),
    )?;
    let programs = place.join(if cfg!(windows) { "Scripts" } else { "bin" });
    process::run(
        process::command_at(&programs.join("python"))
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
            ])
            .args(packages),
    )?;
    Ok(programs)
}

/// Builds the wheel, the only one in its folder afterwards.
fn build(python: &str) -> Result<PathBuf> {
    let programs = environment(python, "maturin", &["maturin>=1.9,<2"])?;
    let wheels = folder().join("wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    let mut maturin = process::command_at(&programs.join("maturin"));
    maturin
        .args(["build", "--release", "--locked", "--quiet", "--out"])
        .arg(&wheels)
        .arg("--interpreter")
        .arg(programs.join("python"))
        .current_dir(package());
    process::run(&mut maturin)?;
    let entries = std::fs::read_dir(&wheels)?.collect::<Result<Vec<_>, _>>()?;
    match entries.as_slice() {
        [wheel] => Ok(wheel.path()),
        _ => bail!(
            "{} holds {} files, not one wheel",
            wheels.display(),
            entries.len()
        ),
    }
}

fn package() -> PathBuf {
    workspace::root().join("packages/python")
}

/// Installs the wheel into a fresh environment, runs pytest, and mypy --strict over the package and over what uses it.
fn test(python: &str, at: usize, wheel: &Path, has_triton: bool) -> Result<()> {
    let wheel = wheel.to_string_lossy();
    let mut packages = vec![wheel.as_ref()];
    packages.extend(TEST_PACKAGES);
    if has_triton {
        packages.extend(COMPILER_PACKAGES);
    }
    let programs = environment(python, &format!("test-{at}"), &packages)?;
    let run = |arguments: &[&str]| {
        process::run(
            process::command_at(&programs.join("python"))
                .arg("-m")
                .args(arguments)
                .current_dir(package()),
        )
    };
    run(&["pytest", "-q", "-p", "no:cacheprovider"])?;
    let cache = folder().join("mypy");
    let cache = cache.to_string_lossy();
    run(&["mypy", "--strict", "--cache-dir", &cache, "-p", "lanescope"])?;
    run(&["mypy", "--strict", "--cache-dir", &cache, "tests/typed.py"])
}
