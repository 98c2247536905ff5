//! The project's task runner: what the README, continuous integration and people call.

mod ablation;
mod articles;
mod asset;
mod bench;
mod breadth;
mod browser;
mod bundle;
mod circles;
mod compilers;
mod debian;
mod dependencies;
mod docs;
mod e2e;
mod editor;
mod esbuild;
mod fuzz;
mod gallery;
mod js;
mod layouts;
mod lengths;
#[cfg(test)]
mod licences;
mod link_preview;
mod minify;
mod npm;
mod process;
mod proofs;
mod python;
mod real;
mod record;
mod release;
mod serve;
mod size;
mod story;
mod suite;
mod tally;
mod vulkan;
mod wasm;
#[cfg(test)]
mod workflows;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::browser::Browser;
use crate::bundle::Bundle;
use crate::wasm::Speed;

/// Lanescope's task runner
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    disable_version_flag = true
)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what the build needs: the WASM target and, from npm, wasm-opt, esbuild and the editor
    Setup,
    /// Install what the build needs, build the page, serve it and print its address
    Serve(serve::Options),
    /// Build the page into dist/, which works from any folder of a static host
    Build {
        /// Compile quickly rather than small: for work on the page, not for publishing
        #[arg(long)]
        fast: bool,
        /// Address that it will have: previews of links and oEmbed need whole addresses
        #[arg(long, value_name = "URL", default_value = "")]
        base: String,
    },
    /// Run every test: formatting, lints, native tests, WASM tests, the page's size, stories in a real browser
    Test,
    /// Build the page and tell its stories in a real browser
    E2e {
        /// Only the stories whose file's name holds this
        #[arg(default_value = "")]
        story: String,
        /// On dist/ as it is, without building it
        #[arg(long)]
        no_build: bool,
        /// Compile quickly rather than small
        #[arg(long)]
        fast: bool,
        /// The browser; what Firefox cannot be asked for is skipped, and said why
        #[arg(long, value_enum, default_value_t)]
        browser: Browser,
    },
    /// Build the module for other programs into dist/door/ and test it in Node
    #[command(name = "js", alias = "door")]
    JsModule {
        /// Compile quickly rather than small
        #[arg(long)]
        fast: bool,
    },
    /// Build the Python package's wheel (needs Python from 3.10 on; its tools come by pip) and test it
    Python(python::Options),
    /// Run the benchmarks natively, and the model's in a headless Chromium's WASM with the ratio
    Bench {
        /// One crate's only: model, lang, …
        name: Option<String>,
    },
    /// Count recorded launches of other people's programs and compare with the profiler's counters
    Real(real::Options),
    /// Compile every fix that is offered (needs nvcc) and count the SASS before and after; skipped where there is no nvcc
    Proofs(proofs::Options),
    /// Count the source of blind sets of kernels, and print how often which answers were exact; --write ships the table
    Record(record::Options),
    /// Write what a release has beside its archives: checksums, installers, a Homebrew formula, its notes
    Release(release::Options),
    /// Count the kernels of a folder that are wholly analysed, and print what is commonest in the others
    Breadth(breadth::Options),
    /// Compare the layouts of random types with those of a C++ compiler of this machine
    Layouts(layouts::Options),
    /// Compile the measured kernels (needs nvcc) for `real`, which then counts their PTX and SASS
    Compilers(compilers::Options),
    /// Compare the compiler's profile with the kernels that hardware measured, and switch its passes off one by one
    Ablation(ablation::Options),
    /// Hold 10,000 generated kernels as written to an evaluator of their trees, and 40,000 that are proved alike to full runs
    Oracle,
    /// Take what the code now gives as the snapshots that tests compare with
    Bless,
    /// Compare the language with g++ on random C++ kernels, lane by lane; skipped where there is no g++
    Differential {
        /// How many kernels
        #[arg(default_value_t = 10_000)]
        count: u64,
        /// The first one's number
        #[arg(long, default_value_t = 0)]
        first: u64,
    },
    /// Fuzz one of the targets in fuzz/
    Fuzz(fuzz::Options),
    /// Fuzz the whole command line: arguments, files, names, and tools that hang
    FuzzCli {
        /// How long, in seconds
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// The first run's number: each makes the same run again
        #[arg(long, default_value_t = 0)]
        first: u64,
    },
    /// Check each link of the documentation and show it, without building the page
    Docs(docs::Options),
    /// Check each number and link of a story and show it, without building the page
    Story(story::Options),
    /// Build, then print each file's size raw, gzip and brotli; fail over the budget
    Size,
}

fn main() -> ExitCode {
    match run(Arguments::parse().task) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether all passed, for the tasks that test something.
fn run(task: Task) -> Result<bool> {
    match task {
        Task::Test => return Ok(suite::run()),
        Task::E2e {
            story,
            no_build,
            fast,
            browser,
        } => {
            if !no_build {
                build(Speed::from_fast(fast), "")?;
            }
            return stories(&story, browser);
        }
        Task::JsModule { fast } => {
            js::build(Speed::from_fast(fast))?;
            let tally = js::test()?;
            println!("{tally}");
            return Ok(tally.failed == 0);
        }
        Task::Python(options) => python::run(&options)?,
        Task::Setup => wasm::setup()?,
        Task::Serve(options) => serve::serve(&options)?,
        Task::Build { fast, base } => build(Speed::from_fast(fast), &base)?,
        Task::Docs(options) => docs::preview(&options)?,
        Task::Story(options) => story::preview(&options)?,
        Task::Size => size::check(&Bundle::build(Speed::Published, "")?)?,
        Task::Bench { name } => bench::run(name.as_deref())?,
        Task::Ablation(options) => ablation::run(&options)?,
        Task::Breadth(options) => breadth::count(&options)?,
        Task::Layouts(options) => return layouts::compare(&options),
        Task::Real(options) => real::compare(&options)?,
        Task::Proofs(options) => proofs::check(&options)?,
        Task::Record(options) => record::make(&options)?,
        Task::Release(options) => release::prepare(&options)?,
        Task::Compilers(options) => compilers::compile(&options)?,
        Task::Oracle => oracle()?,
        Task::Bless => bless()?,
        Task::Differential { count, first } => differential(count, first)?,
        Task::Fuzz(options) => fuzz::run(&options)?,
        Task::FuzzCli { seconds, first } => fuzz_cli(seconds, first)?,
    }
    Ok(true)
}

/// Generated kernels that `oracle` runs as WGSL on this machine's device.
const EMITTED_PROGRAMS: &str = "1000";

fn oracle() -> Result<()> {
    for (package, test) in [
        ("lanescope-cuda", "oracle"),
        ("lanescope-simt", "against_all_blocks"),
    ] {
        let mut cargo = process::cargo(&["test", "--release", "--package", package]);
        process::run(cargo.args(["--test", test, "--", "--ignored"]))?;
    }
    if vulkan::ensure()? {
        let mut cargo = process::cargo(&["test", "--release", "--package", "lanescope-lab"]);
        cargo.env("LANESCOPE_PROGRAMS", EMITTED_PROGRAMS);
        process::run(cargo.args(["--test", "emitted"]))?;
    }
    Ok(())
}

fn build(speed: Speed, base: &str) -> Result<()> {
    let slash = if base.is_empty() || base.ends_with('/') {
        ""
    } else {
        "/"
    };
    let bundle = Bundle::build(speed, &format!("{base}{slash}"))?;
    js::build(speed)?;
    println!("dist/: {} files", bundle.files().len());
    Ok(())
}

fn stories(filter: &str, browser: Browser) -> Result<bool> {
    let tally = e2e::run(filter, browser)?;
    println!("{tally}");
    Ok(tally.failed == 0)
}

fn differential(count: u64, first: u64) -> Result<()> {
    let mut run = process::cargo(&[
        "run",
        "--quiet",
        "--locked",
        "--release",
        "--package",
        "lanescope-cuda",
        "--example",
        "differential",
        "--",
    ]);
    process::run(run.args([count.to_string(), first.to_string()]))
}

fn fuzz_cli(seconds: u64, first: u64) -> Result<()> {
    let package = ["--release", "--locked", "--package", "lanescope"];
    process::run(process::cargo(&["build"]).args(package))?;
    let mut run = process::cargo(&["run"]);
    run.args(package).args(["--example", "command_line", "--"]);
    run.arg(workspace::target().join("release/lanescope"));
    let (seconds, first) = (seconds.to_string(), first.to_string());
    process::run(run.args(["--seconds", &seconds, "--first", &first]))
}

/// Look at what changed before you commit it.
fn bless() -> Result<()> {
    let mut tests = process::cargo(&["test", "--quiet", "--no-fail-fast", "--workspace"]);
    tests.args(["--exclude", "lanescope-app"]);
    process::run(
        tests
            .env("INSTA_UPDATE", "always")
            .env("INSTA_FORCE_PASS", "1"),
    )?;
    process::run(process::command("git").args(["status", "--short", "*.snap", "*.snap.new"]))
}
