//! The Python package: its wheel built, and tested in fresh environments of two versions of Python.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::tally::Tally;
use crate::{native, process, workspace};

/// Versions that are looked for.
const VERSIONS: [&str; 6] = [
    "python3.10",
    "python3.11",
    "python3.12",
    "python3.13",
    "python3.14",
    "python3",
];

/// The client of the protocol that `lanescope mcp` speaks.
const CLIENT: &str = "mcp>=2,<3";

/// What the tests need besides the wheel.
const TEST_PACKAGES: [&str; 8] = [
    "pytest",
    "mypy",
    CLIENT,
    "pandas",
    "mkdocs",
    "sphinx",
    "types-Markdown",
    "types-docutils",
];

/// What the tutorial and the tests of compiled kernels and notebooks need.
const NOTEBOOK_PACKAGES: [&str; 5] = ["nbclient", "nbconvert", "nbformat", "ipykernel", "tqdm"];

/// Triton whose code was measured, in the oldest Python's environment.
const MEASURED_TRITON: &str = "triton==3.6.*";

/// The other compilers, JupyterLab and what drives it, with the newest Triton in the newest Python's environment.
const COMPILER_PACKAGES: [&str; 4] = ["triton", "jupyterlab", "playwright", "myst-parser"];

/// Which versions, and how much.
#[derive(Args)]
pub(crate) struct Options {
    /// Interpreters to test with; without them the oldest and the newest on PATH
    #[arg(long = "python", value_name = "PROGRAM")]
    pythons: Vec<String>,
    /// Only build the wheel
    #[arg(long)]
    no_test: bool,
    /// Leave out Triton, nvcc, Numba and JupyterLab (some GB), and with them their tests and the tutorial
    #[arg(long, alias = "no-triton")]
    no_compilers: bool,
}

/// Which compilers an environment gets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compilers {
    None,
    Measured,
    All,
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
        let compilers = match (options.no_compilers, at + 1 == pythons.len()) {
            (true, _) => Compilers::None,
            (false, false) => Compilers::Measured,
            (false, true) => Compilers::All,
        };
        test(python, at, &wheel, compilers).with_context(|| python.clone())?;
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
fn test(python: &str, at: usize, wheel: &Path, compilers: Compilers) -> Result<()> {
    let mut wheel = wheel.to_string_lossy().into_owned();
    if compilers == Compilers::All {
        wheel.push_str("[nvcc,numba]");
    }
    let mut packages = vec![wheel.as_str()];
    packages.extend(TEST_PACKAGES);
    match compilers {
        Compilers::None => {}
        Compilers::Measured => {
            packages.extend(NOTEBOOK_PACKAGES);
            packages.push(MEASURED_TRITON);
        }
        Compilers::All => {
            packages.extend(NOTEBOOK_PACKAGES);
            packages.extend(COMPILER_PACKAGES);
        }
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
    run(&["pytest", "-q", "-rs", "-p", "no:cacheprovider"])?;
    let cache = folder().join("mypy");
    let cache = cache.to_string_lossy();
    run(&["mypy", "--strict", "--cache-dir", &cache, "-p", "lanescope"])?;
    run(&["mypy", "--strict", "--cache-dir", &cache, "tests/typed.py"])
}

/// The tests that need neither a compiler nor a notebook, on a build with debug information that shares what the other
/// tests built; `None`, with the reason on the terminal, where Python or what comes by pip is not at hand.
///
/// # Errors
/// When the build or pytest fails.
pub(crate) fn quick() -> Result<Option<Tally>> {
    if cfg!(target_os = "macos") {
        println!("skipped: Python modules are linked by maturin here; run cargo xtask python");
        return Ok(None);
    }
    let Some(newest) = found().pop() else {
        println!("skipped: no Python from 3.10 on that has venv");
        return Ok(None);
    };
    let programs = match environment(&newest, "quick", &["numpy", "pytest", CLIENT]) {
        Ok(programs) => programs,
        Err(error) => {
            println!("skipped: {error:#}");
            return Ok(None);
        }
    };
    let python = programs.join("python");
    native::build()?;
    let place = folder().join("quick-package");
    assembled(&place)?;
    let mut pytest = process::command_at(&python);
    pytest
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .env("PYTHONPATH", &place)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(package());
    process::tally(&mut pytest).map(Some)
}

/// Puts the package's Python and the built module together in `place`.
fn assembled(place: &Path) -> Result<()> {
    let into = place.join("lanescope");
    if place.exists() {
        std::fs::remove_dir_all(place)?;
    }
    std::fs::create_dir_all(&into)?;
    for entry in std::fs::read_dir(package().join("python/lanescope"))? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            std::fs::copy(entry.path(), into.join(entry.file_name()))?;
        }
    }
    let built = format!("{DLL_PREFIX}_lanescope{DLL_SUFFIX}");
    let module = if cfg!(windows) {
        "_lanescope.pyd"
    } else {
        "_lanescope.abi3.so"
    };
    std::fs::copy(
        workspace::target().join("debug").join(built),
        into.join(module),
    )?;
    Ok(())
}
