//! Every test there is, quick checks first, and one line that adds them up.

use std::process::Command;
use std::time::Instant;

use anyhow::Result;

use crate::browser::Browser;
use crate::bundle::Bundle;
use crate::dependencies::PURE;
use crate::process::{self, cargo};
use crate::tally::Tally;
use crate::wasm::{self, Speed};
use crate::{circles, dependencies, e2e, fuzz, js, lengths, python, size, vulkan, workspace};

/// What Node runs as a program.
pub(crate) const WASI: &str = "wasm32-wasip1";

/// Runs everything; returns whether all of it passed.
pub(crate) fn run() -> bool {
    let start = Instant::now();
    let mut suite = Suite::default();
    suite.check("set up", wasm::setup);
    suite.check("formatting", || {
        process::run(&mut cargo(&["fmt", "--all", "--check"]))
    });
    suite.optional("typos", "typos", &mut process::command("typos"));
    suite.optional(
        "dependencies' licences and advisories",
        "cargo-deny",
        &mut cargo(&["deny", "check"]),
    );
    suite.optional(
        "dependencies' licences and advisories, of the fuzzers",
        "cargo-deny",
        &mut cargo(&[
            "deny",
            "--manifest-path",
            "fuzz/Cargo.toml",
            "check",
            "--config",
            "deny.toml",
        ]),
    );
    suite.check("direction of dependencies", dependencies::check);
    suite.check("circles of imports", circles::check);
    suite.check("length of files", lengths::check);
    suite.check("lints", || {
        process::run(&mut lints(&[
            "--workspace",
            "--exclude",
            "lanescope-app",
            "--exclude",
            "lanescope-weblab",
            "--all-targets",
        ]))
    });
    suite.check("lints of the page", || {
        process::run(&mut lints(&[
            "--package",
            "lanescope-app",
            "--package",
            "lanescope-weblab",
            "--package",
            "lanescope-js",
            "--target",
            wasm::TARGET,
            "--profile",
            "wasm",
        ]))
    });
    suite.check("the fuzz targets compile", fuzz::check);
    suite.check("the reference", || process::run(&mut reference()));
    suite.tests("native tests", || process::tally(&mut native_tests()?));
    suite.tests("the pure crates' tests in WASM", wasm_tests);
    suite.tests("the Python package", || {
        Ok(python::quick()?.unwrap_or_default())
    });
    suite.check("the page's size", || {
        size::check(&Bundle::build(Speed::Published, "")?)
    });
    suite.tests("the module for other programs, in Node", || {
        js::build(Speed::Published)?;
        js::test()
    });
    suite.tests("end-to-end tests", || e2e::run("", Browser::Chromium));
    suite.end(start)
}

#[derive(Default)]
struct Suite {
    tally: Tally,
    failures: Vec<String>,
}

impl Suite {
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

fn lints(what: &[&str]) -> Command {
    let mut command = cargo(&["clippy", "--quiet", "--locked"]);
    command.args(what).args(["--", "--deny", "warnings"]);
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
    let mut command = cargo(&[
        "test",
        "--quiet",
        "--locked",
        "--no-fail-fast",
        "--workspace",
        // Its tests are Python's.
        "--exclude",
        "lanescope-python",
    ]);
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
    let runner = format!(
        "node --no-warnings --single-threaded {}",
        root.join("tests/wasm/run.js").display()
    );
    let mut command = cargo(&[
        "test",
        "--quiet",
        "--locked",
        "--no-fail-fast",
        "--target",
        WASI,
        "--lib",
        "--tests",
    ]);
    for package in PURE.iter().filter(|name| folder_exists(name)) {
        command.args(["--package", package]);
    }
    command
        .env("CARGO_TARGET_WASM32_WASIP1_RUNNER", runner)
        .env("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", wasm::VECTORS)
        // Node shows no lines of Rust: a third less to link.
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("INSTA_WORKSPACE_ROOT", root)
        .env("INSTA_UPDATE", "no");
    process::tally(&mut command)
}

fn folder_exists(package: &str) -> bool {
    let folder = package.trim_start_matches("lanescope-");
    workspace::root().join("crates").join(folder).exists()
}
