//! The project's task runner: what the README, continuous integration and people call.

#[cfg(feature = "engine")]
mod ablation;
#[cfg(feature = "engine")]
mod articles;
mod asset;
mod bench;
#[cfg(feature = "engine")]
mod breadth;
mod browser;
mod bundle;
mod circles;
mod compilers;
mod debian;
mod dependencies;
#[cfg(feature = "engine")]
mod docs;
mod e2e;
mod editor;
mod engine;
mod esbuild;
mod executables;
mod fresh;
mod fuzz;
#[cfg(feature = "engine")]
mod gallery;
mod js;
#[cfg(feature = "engine")]
mod layouts;
mod lengths;
#[cfg(test)]
mod licences;
mod link_preview;
mod minify;
#[cfg(test)]
mod named_files;
mod native;
mod npm;
mod process;
#[cfg(feature = "engine")]
mod proofs;
mod python;
mod real;
mod record;
mod release;
mod serve;
mod size;
#[cfg(feature = "engine")]
mod story;
mod suite;
mod tally;
mod test_files;
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
        /// Leave out the gallery, the stories, the documentation and the module for other programs
        #[arg(long)]
        page_only: bool,
    },
    /// Time the README's two commands on a fresh clone of what is committed, from nothing built
    Fresh(fresh::Options),
    /// Run every test: formatting, lints, native tests, WASM tests, the page's size, stories in a real browser
    Test {
        /// Only this part of them; `stories` needs what `page` builds
        #[arg(long, value_enum)]
        part: Option<suite::Part>,
    },
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
    #[cfg(feature = "engine")]
    Proofs(proofs::Options),
    /// Compile every fix that is offered (needs nvcc) and count the SASS before and after; skipped where there is no nvcc
    #[cfg(not(feature = "engine"))]
    #[command(disable_help_flag = true)]
    Proofs(engine::Words),
    /// Count the source of blind sets of kernels, and print how often which answers were exact; --write ships the table
    Record(record::Options),
    /// Write what a release has beside its archives: checksums, installers, a Homebrew formula, its notes
    Release(release::Options),
    /// Count the kernels of a folder that are wholly analysed, and print what is commonest in the others
    #[cfg(feature = "engine")]
    Breadth(breadth::Options),
    /// Count the kernels of a folder that are wholly analysed, and print what is commonest in the others
    #[cfg(not(feature = "engine"))]
    #[command(disable_help_flag = true)]
    Breadth(engine::Words),
    /// Compare the layouts of random types with those of a C++ compiler of this machine
    #[cfg(feature = "engine")]
    Layouts(layouts::Options),
    /// Compare the layouts of random types with those of a C++ compiler of this machine
    #[cfg(not(feature = "engine"))]
    #[command(disable_help_flag = true)]
    Layouts(engine::Words),
    /// Compile the measured kernels (needs nvcc) for `real`, which then counts their PTX and SASS
    Compilers(compilers::Options),
    /// Compare the compiler's profile with the kernels that hardware measured, and switch its passes off one by one
    #[cfg(feature = "engine")]
    Ablation(ablation::Options),
    /// Compare the compiler's profile with the kernels that hardware measured, and switch its passes off one by one
    #[cfg(not(feature = "engine"))]
    #[command(disable_help_flag = true)]
    Ablation(engine::Words),
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
    #[cfg(feature = "engine")]
    Docs(docs::Options),
    /// Check each link of the documentation and show it, without building the page
    #[cfg(not(feature = "engine"))]
    #[command(disable_help_flag = true)]
    Docs(engine::Words),
    /// Check each number and link of a story and show it, without building the page
    #[cfg(feature = "engine")]
    Story(story::Options),
    /// Check each number and link of a story and show it, without building the page
    #[cfg(not(feature = "engine"))]
    #[command(disable_help_flag = true)]
    Story(engine::Words),
    /// Write the gallery, the stories and the documentation beside the page in dist/
    #[cfg(feature = "engine")]
    #[command(hide = true)]
    Articles {
        /// Address that the page will have
        #[arg(long, value_name = "URL", default_value = "")]
        base: String,
    },
    /// Build, then print each file's size raw, gzip and brotli; fail over the budget
    Size,
}

/// Does what the command line says.
#[must_use]
pub fn main() -> ExitCode {
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
        Task::Test { part } => return Ok(suite::run(part)),
        Task::E2e {
            story,
            no_build,
            fast,
            browser,
        } => {
            if !no_build {
                build(Speed::from_fast(fast), "", false)?;
            }
            return stories(&story, browser);
        }
        Task::JsModule { fast } => {
            js::build(Speed::from_fast(fast))?;
            let tally = js::test(&e2e::program()?)?;
            println!("{tally}");
            return Ok(tally.failed == 0);
        }
        Task::Python(options) => python::run(&options)?,
        Task::Setup => wasm::setup()?,
        Task::Fresh(options) => fresh::time(&options)?,
        Task::Serve(options) => serve::serve(&options)?,
        Task::Build {
            fast,
            base,
            page_only,
        } => build(Speed::from_fast(fast), &base, page_only)?,
        #[cfg(feature = "engine")]
        Task::Articles { base } => articles::write(&base)?,
        #[cfg(feature = "engine")]
        Task::Docs(options) => docs::preview(&options)?,
        #[cfg(not(feature = "engine"))]
        Task::Docs(words) => words.run("docs")?,
        #[cfg(feature = "engine")]
        Task::Story(options) => story::preview(&options)?,
        #[cfg(not(feature = "engine"))]
        Task::Story(words) => words.run("story")?,
        Task::Size => {
            let page = Bundle::build(Speed::Published, "")?;
            size::check(&page, size::Weighed::All)?;
        }
        Task::Bench { name } => bench::run(name.as_deref())?,
        #[cfg(feature = "engine")]
        Task::Ablation(options) => ablation::run(&options)?,
        #[cfg(not(feature = "engine"))]
        Task::Ablation(words) => words.run("ablation")?,
        #[cfg(feature = "engine")]
        Task::Breadth(options) => breadth::count(&options)?,
        #[cfg(not(feature = "engine"))]
        Task::Breadth(words) => words.run("breadth")?,
        #[cfg(feature = "engine")]
        Task::Layouts(options) => return layouts::compare(&options),
        #[cfg(not(feature = "engine"))]
        Task::Layouts(words) => words.run("layouts")?,
        Task::Real(options) => real::compare(&options)?,
        #[cfg(feature = "engine")]
        Task::Proofs(options) => proofs::check(&options)?,
        #[cfg(not(feature = "engine"))]
        Task::Proofs(words) => words.run("proofs")?,
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
        ("lanescope-cuda", "oracle::"),
        ("lanescope-simt", "against_all_blocks::"),
    ] {
        let mut cargo = process::cargo(&["test", "--release", "--package", package]);
        process::run(cargo.args(["--tests", "--", "--ignored", test]))?;
    }
    if vulkan::ensure()? {
        let mut cargo = process::cargo(&["test", "--release", "--package", "lanescope-lab"]);
        cargo.env("LANESCOPE_PROGRAMS", EMITTED_PROGRAMS);
        process::run(cargo.args(["--tests", "--", "emitted::"]))?;
    }
    Ok(())
}

fn build(speed: Speed, base: &str, page_only: bool) -> Result<()> {
    let slash = if base.is_empty() || base.ends_with('/') {
        ""
    } else {
        "/"
    };
    let base = format!("{base}{slash}");
    let bundle = if page_only {
        Bundle::build_page(speed, &base)?
    } else {
        let bundle = Bundle::build(speed, &base)?;
        js::build_beside_page(speed)?;
        bundle
    };
    println!("dist/: {} files", bundle.files().len());
    Ok(())
}

fn stories(filter: &str, browser: Browser) -> Result<bool> {
    let tally = e2e::run(&e2e::program()?, filter, browser)?;
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
