//! Every test there is, and one line that adds them up. The page is built and measured beside the tests of the programs: the
//! linking of its modules keeps one core busy for minutes.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Instant;
use std::{env, io};

use anyhow::Result;
use clap::ValueEnum;

use crate::browser::Browser;
use crate::bundle::Bundle;
use crate::dependencies::PURE;
use crate::process::{self, cargo};
use crate::size::{self, Weighed};
use crate::tally::Tally;
use crate::wasm::{self, Speed};
use crate::{
    circles, dependencies, e2e, engine, executables, js, lengths, native, python, test_files,
    vulkan, workspace,
};

/// What Node runs as a program.
pub(crate) const WASI: &str = "wasm32-wasip1";

/// Of the pure crates those whose tests run natively alone: the languages and what stands on them. In WASM their answers are
/// held by Node, in the module that people get: `tests/js` has it count every measured kernel, and compares what it says of
/// listings and fixes with what the program says.
const NATIVE_ALONE: [&str; 11] = [
    "lanescope-cuda",
    "lanescope-emit",
    "lanescope-fixes",
    "lanescope-gallery",
    "lanescope-optimizer",
    "lanescope-profiler",
    "lanescope-ptx",
    "lanescope-query",
    "lanescope-report",
    "lanescope-sass",
    "lanescope-wgsl",
];

/// What can be run by itself.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Formatting, lints, native tests, the Python package
    Programs,
    /// The page's build and size, the module for other programs, the pure crates' tests in WASM
    Page,
    /// The stories in a browser, on what is in `dist/`
    Stories,
}

/// Runs a part of the tests, or everything; returns whether all of it passed.
pub(crate) fn run(part: Option<Part>) -> bool {
    let start = Instant::now();
    let mut suite = Suite::default();
    suite.check("set up", wasm::setup);
    match part {
        Some(Part::Programs) => suite.programs(),
        Some(Part::Page) => suite.page(),
        Some(Part::Stories) => suite.stories(e2e::program),
        None => suite.all(),
    }
    suite.end(start)
}

/// A part that runs in a process of its own, beside this one; what it prints is kept until it has ended.
struct Beside {
    process: Child,
    printed: PathBuf,
}

impl Beside {
    fn start(part: &str) -> Result<Self> {
        let printed = workspace::target().join(format!("test-{part}.txt"));
        let file = File::create(&printed)?;
        let mut command = process::command_at(&env::current_exe()?);
        command
            .args(["test", "--part", part])
            .stdout(file.try_clone()?)
            .stderr(file);
        let process = command.spawn()?;
        Ok(Self { process, printed })
    }

    /// Waits until it has ended, and prints what it printed.
    fn end(mut self) -> Result<Tally> {
        let succeeded = self.process.wait()?.success();
        io::copy(&mut File::open(&self.printed)?, &mut io::stdout())?;
        let printed = fs::read_to_string(&self.printed)?;
        Ok(Tally::of(
            printed.lines().next_back().into_iter(),
            succeeded,
        ))
    }
}

impl Drop for Beside {
    /// Ends with what started it.
    fn drop(&mut self) {
        let _ = self.process.kill();
    }
}

#[derive(Default)]
struct Suite {
    tally: Tally,
    failures: Vec<String>,
}

impl Suite {
    fn all(&mut self) {
        let page = Beside::start("page");
        self.programs();
        self.tests("the page", || page?.end());
        self.stories(|| Ok(native::program("lanescope")));
    }

    fn programs(&mut self) {
        self.check("formatting", || {
            process::run(&mut cargo(&["fmt", "--all", "--check"]))
        });
        self.optional("typos", "typos", &mut process::command("typos"));
        self.optional(
            "dependencies' licences and advisories",
            "cargo-deny",
            &mut cargo(&["deny", "check"]),
        );
        self.check("direction of dependencies", dependencies::check);
        self.check("circles of imports", circles::check);
        self.check("length of files", lengths::check);
        self.check("tests that nothing runs", test_files::check);
        self.check("lints", || process::run(&mut lints()));
        self.check("the reference", || process::run(&mut reference()));
        self.tests("native tests", || process::tally(&mut native_tests()?));
        self.tests("the Python package", || {
            Ok(python::quick()?.unwrap_or_default())
        });
    }

    fn page(&mut self) {
        self.check("the page's size", || {
            let page = Bundle::build_page(Speed::Tested, "")?;
            size::check(&page, Weighed::Budgeted)
        });
        self.check("what stands beside the page", engine::articles_beside_tests);
        self.tests("the module for other programs, in Node", || {
            js::build_beside_page(Speed::Tested)?;
            js::test(&native::program("lanescope"))
        });
        self.tests("the pure crates' tests in WASM", wasm_tests);
    }

    fn stories(&mut self, program: impl FnOnce() -> Result<PathBuf>) {
        self.tests("end-to-end tests", || {
            e2e::run(&program()?, "", Browser::Chromium)
        });
    }

    fn check(&mut self, name: &str, check: impl FnOnce() -> Result<()>) {
        self.tests(name, || check().map(|()| Tally::PASS));
    }

    fn tests(&mut self, name: &str, tests: impl FnOnce() -> Result<Tally>) {
        println!("\n== {name}");
        let start = Instant::now();
        let tally = tests().unwrap_or_else(|error| {
            eprintln!("{error:#}");
            Tally::FAIL
        });
        println!(
            "-- {name}: {tally} ({:.0} s)",
            start.elapsed().as_secs_f32()
        );
        self.tally += tally;
        if tally.failed > 0 {
            self.failures.push(name.into());
        }
    }

    /// A tool that takes minutes to build, so nobody is made to.
    fn optional(&mut self, name: &str, tool: &str, command: &mut Command) {
        if process::exists(tool) {
            self.check(name, || process::run(command));
        } else {
            println!("\n== {name}: skipped, {tool} is not installed");
        }
    }

    /// The last line is for people and for programs that read it.
    fn end(self, start: Instant) -> bool {
        println!("\n{:.0} s in all", start.elapsed().as_secs_f32());
        for failure in &self.failures {
            println!("failed: {failure}");
        }
        println!("{}", self.tally);
        self.tally.failed == 0
    }
}

/// Clippy of everything, the page and the fuzz targets too, with warnings as errors.
fn lints() -> Command {
    let mut command = cargo(&[
        "clippy",
        "--quiet",
        "--locked",
        "--workspace",
        "--all-targets",
    ]);
    command.args(["--", "--deny", "warnings"]);
    // Nothing is linked, so libFuzzer's own C++ need not be compiled: a file that is there stands for it.
    command.env(
        "CUSTOM_LIBFUZZER_PATH",
        workspace::root().join("fuzz/Cargo.toml"),
    );
    command
}

/// `cargo doc` of the crates that others build on, with warnings as errors.
fn reference() -> Command {
    let mut command = cargo(&["doc", "--quiet", "--locked", "--no-deps"]);
    for package in PURE.iter().filter(|name| folder_exists(name)) {
        command.args(["--package", package]);
    }
    command.env("RUSTDOCFLAGS", "--deny warnings");
    command
}

fn native_tests() -> Result<Command> {
    native::build()?;
    let mut command = native::tests();
    command.env("INSTA_UPDATE", "no");
    if !vulkan::ensure()? {
        println!(
            "no Vulkan driver, so no kernel is run (on Debian: apt-get install mesa-vulkan-drivers)"
        );
        command.env("LANESCOPE_GPU", "none");
    }
    Ok(command)
}

fn wasm_tests() -> Result<Tally> {
    wasm::ensure_target(WASI)?;
    let root = workspace::root();
    let mut command = cargo(&[
        "test", "--quiet", "--locked", "--target", WASI, "--lib", "--tests",
    ]);
    for package in PURE
        .iter()
        .filter(|name| folder_exists(name) && !NATIVE_ALONE.contains(name))
    {
        command.args(["--package", package]);
    }
    command
        .env("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", wasm::VECTORS)
        // Node shows no lines of Rust: a third less to link.
        .env("CARGO_PROFILE_DEV_DEBUG", "false");
    executables::tally(&mut command, || {
        let mut node = process::command("node");
        node.args(["--no-warnings", "--single-threaded"])
            .arg(root.join("tests/wasm/run.js"))
            .env("INSTA_WORKSPACE_ROOT", &root)
            .env("INSTA_UPDATE", "no");
        node
    })
}

fn folder_exists(package: &str) -> bool {
    let folder = package.trim_start_matches("lanescope-");
    workspace::root().join("crates").join(folder).exists()
}
