//! Random kernels as a compiler makes them, with the count of their SASS in the place of counters.

use super::program::{self, Program, Value};
use super::{Entry, Options, counters, disassembled, entries, is_of, published};
use crate::{process, workspace};
use anyhow::{Context as _, Result};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Kernels that are compiled together.
const BATCH: usize = 60;

/// Makes `count` kernels, compiles them and writes `compilers/generated-ARCH`, or `published-ARCH`, in the target folder.
///
/// # Errors
/// When there is no compiler, it refuses a kernel, or the command line cannot be built.
pub(super) fn compile(options: &Options, count: usize) -> Result<()> {
    let kind = if options.published {
        "published"
    } else {
        "generated"
    };
    let name = format!("{kind}-{}", options.arch);
    let folder = workspace::target().join("compilers").join(name);
    fs::create_dir_all(&folder)?;
    let mut launches = Vec::new();
    for first in (0..count).step_by(BATCH) {
        let last = count.min(first + BATCH);
        launches.extend(batch(options, &folder, first..last)?);
    }
    let asked = folder.join("asked.jsonl");
    fs::write(&asked, lines(&launches))?;
    process::build_command_line()?;
    let mut measured = Vec::new();
    for (at, launch) in (1..).zip(launches) {
        match sass_count(&launch, &asked, at)? {
            Some(totals) => {
                let mut launch = launch;
                launch["measured"] = totals;
                measured.push(launch);
            }
            None => println!("{}: its SASS is not counted whole", launch["kernel"]),
        }
    }
    fs::write(folder.join("launches.jsonl"), lines(&measured))?;
    println!("{} launches in {}", measured.len(), folder.display());
    Ok(())
}

fn lines(launches: &[Json]) -> String {
    launches.iter().fold(String::new(), |mut text, launch| {
        let _ = writeln!(text, "{launch}");
        text
    })
}

/// The launches of kernels `range`, which one call of the compiler makes.
fn batch(options: &Options, folder: &Path, range: std::ops::Range<usize>) -> Result<Vec<Json>> {
    let path = |ending: &str| folder.join(format!("batch_{}.{ending}", range.start));
    let mut all = String::new();
    let mut programs = Vec::new();
    for at in range.clone() {
        let name = format!("k{at}");
        let seed = options.seed.wrapping_mul(1_000_003) + at as u64;
        let program = if options.published {
            published::program(at, seed, &name)
        } else {
            program::program(at, seed, &name)
        };
        let file = folder.join(format!("{name}.cu"));
        fs::write(&file, &program.source)?;
        let _ = writeln!(all, "#include \"{name}.cu\"");
        programs.push((name, file, program));
    }
    let (source, ptx, cubin, sass) = (path("cu"), path("ptx"), path("cubin"), path("sass"));
    fs::write(&source, all)?;
    for (kind, output) in [("-ptx", &ptx), ("-cubin", &cubin)] {
        let mut command = Command::new(&options.nvcc);
        command.args(super::FLAGS);
        command.arg(format!("-arch={}", options.arch)).arg(kind);
        process::run(command.arg(&source).arg("-o").arg(output))?;
    }
    fs::write(&sass, disassembled(&options.nvcc, &cubin)?)?;
    let entries = entries(&fs::read_to_string(&ptx)?);
    programs
        .iter()
        .map(|(name, file, program)| {
            let entry = entries.iter().find(|entry| is_of(&entry.mangled, name));
            let entry = entry.with_context(|| format!("{name} was not compiled"))?;
            Ok(launch(name, file, program, entry, [&ptx, &sass]))
        })
        .collect()
}

/// A launch as `cargo xtask real` reads it.
fn launch(name: &str, file: &Path, program: &Program, entry: &Entry, of: [&PathBuf; 2]) -> Json {
    let arguments: Vec<Json> = program.parameters.iter().map(argument).collect();
    json!({
        "program": program.kind,
        "kernel": name,
        "mangled": entry.mangled,
        "source": file,
        "ptx": of[0],
        "sass": of[1],
        "grid": program.grid,
        "block": program.block,
        "dynamic_shared": 0,
        "arguments": arguments,
    })
}

fn argument((name, value): &(&str, Value)) -> Json {
    let scalar = |bytes: [u8; 4]| {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        json!({"name": name, "bytes": 4, "hex": hex})
    };
    match value {
        Value::Array(bytes) => json!({
            "name": name,
            "bytes": 8,
            "pointer": {"base_off": 0, "range": bytes, "mod": 0},
        }),
        Value::Integer(number) => scalar(number.to_le_bytes()),
    }
}

/// What the command line counts of a kernel's SASS; nothing where it is not sure of all of it.
fn sass_count(launch: &Json, asked: &Path, at: usize) -> Result<Option<Json>> {
    let sass = launch["sass"].as_str().context("a launch without SASS")?;
    let output = Command::new(workspace::target().join("release/lanescope"))
        .arg("kernel")
        .arg(sass)
        .arg("--launch")
        .arg(format!("{}#{at}", asked.display()))
        .args(["--format", "json"])
        .output()
        .context("could not start the command line")?;
    let Ok(json) = serde_json::from_slice::<Json>(&output.stdout) else {
        return Ok(None);
    };
    if json["status"] != "counted" {
        return Ok(None);
    }
    Ok(Some(counters(&json["totals"])))
}
