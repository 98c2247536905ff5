//! Benchmarks: natively through divan, and where a crate tells its cases as a program, the same program natively and in a
//! headless Chromium's WASM, side by side.

use anyhow::{Context, Result, bail};

use crate::browser::Browser;
use crate::process::{self, cargo};
use crate::suite::WASI;
use crate::{npm, wasm, workspace};

/// The example that prints a line `case nanoseconds budget` for each case of the crate in `folder`; examples share one folder of the target, so each has its own name.
fn program_of(folder: &str) -> String {
    format!("{folder}_timings")
}

/// Runs the benchmarks of one crate, or of all that have some.
///
/// # Errors
/// When there are none of that name or one cannot be run.
pub(crate) fn run(name: Option<&str>) -> Result<()> {
    let chosen: Vec<String> = folders()?
        .into_iter()
        .filter(|folder| name.is_none_or(|name| name == folder))
        .collect();
    if chosen.is_empty() {
        bail!(
            "no benchmarks there; they are in: {}",
            folders()?.join(", ")
        );
    }
    for folder in chosen {
        let package = format!("lanescope-{folder}");
        process::run(&mut cargo(&[
            "bench",
            "--locked",
            "--package",
            &package,
            "--benches",
        ]))?;
        let program = program_of(&folder);
        if has(&folder, &format!("examples/{program}.rs")) {
            compare(&package, &program)?;
        }
    }
    Ok(())
}

/// The crates with benchmarks.
fn folders() -> Result<Vec<String>> {
    let entries = std::fs::read_dir(workspace::root().join("crates"))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut folders: Vec<_> = names.filter(|name| has(name, "benches")).collect();
    folders.sort();
    Ok(folders)
}

fn has(folder: &str, path: &str) -> bool {
    workspace::root()
        .join("crates")
        .join(folder)
        .join(path)
        .exists()
}

/// One case, as the program told it.
struct Timing {
    case: String,
    nanoseconds: f64,
    budget: f64,
}

fn compare(package: &str, program: &str) -> Result<()> {
    let native = timings(&process::output(&mut native_program(package, program))?)?;
    let in_wasm = timings(&wasm_program(package, program)?)?;
    println!(
        "\n{:<32} {:>10} {:>8} {:>10} {:>6}",
        package, "native ns", "budget", "WASM ns", "ratio"
    );
    for (native, wasm) in native.iter().zip(&in_wasm) {
        let Timing {
            case,
            nanoseconds,
            budget,
        } = native;
        let ratio = wasm.nanoseconds / nanoseconds;
        println!(
            "{case:<32} {nanoseconds:>10.1} {budget:>8.0} {:>10.1} {ratio:>6.2}",
            wasm.nanoseconds
        );
    }
    Ok(())
}

fn native_program(package: &str, program: &str) -> std::process::Command {
    cargo(&[
        "run",
        "--quiet",
        "--locked",
        "--release",
        "--package",
        package,
        "--example",
        program,
    ])
}

/// Compiled as the page is.
fn wasm_program(package: &str, program: &str) -> Result<String> {
    wasm::ensure_target(WASI)?;
    npm::install(&workspace::e2e())?;
    let chromium = Browser::Chromium.ensure()?;
    let build = [
        "build",
        "--quiet",
        "--locked",
        "--profile",
        "wasm",
        "--target",
        WASI,
        "--package",
        package,
    ];
    process::run(
        cargo(&build)
            .args(["--example", program])
            .env("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", wasm::VECTORS),
    )?;
    let module = workspace::target()
        .join(WASI)
        .join("wasm/examples")
        .join(format!("{program}.wasm"));
    process::output(
        process::command("node")
            .arg("tests/wasm/chromium.js")
            .arg(module)
            .env("CHROMIUM", chromium),
    )
}

fn timings(text: &str) -> Result<Vec<Timing>> {
    text.lines()
        .map(|line| timing(line).with_context(|| format!("unreadable timing: {line}")))
        .collect()
}

fn timing(line: &str) -> Option<Timing> {
    let mut words = line.split_whitespace();
    let case = words.next()?.to_owned();
    Some(Timing {
        case,
        nanoseconds: words.next()?.parse().ok()?,
        budget: words.next()?.parse().ok()?,
    })
}
