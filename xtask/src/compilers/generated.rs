//! Random kernels as a compiler makes them, with the count of their SASS in the place of counters.

use super::program::{self, Program, Value};
use super::{Entry, Options, counters, disassembled, entries, idioms, is_of, published};
use crate::{process, workspace};
use anyhow::{Context as _, Result};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Kernels that are compiled together.
const BATCH: usize = 60;

/// In whose manner random kernels are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// Short kernels of the commonest patterns.
    Generated,
    /// Published programs'.
    Published,
    /// Mixed idioms of C++ and CUDA.
    Idioms,
}

impl Manner {
    const fn name(self) -> &'static str {
        match self {
            Self::Generated => "generated",
            Self::Published => "published",
            Self::Idioms => "idioms",
        }
    }

    fn program(self, at: usize, seed: u64, name: &str) -> Program {
        match self {
            Self::Generated => program::program(at, seed, name),
            Self::Published => published::program(at, seed, name),
            Self::Idioms => idioms::program(at, seed, name),
        }
    }
}

/// Makes `count` kernels, compiles them and writes them with `launches.jsonl` into the folder that is told, else into
/// `compilers/MANNER-ARCH` in the target folder.
///
/// # Errors
/// When there is no compiler, it refuses a kernel, or the command line cannot be built.
pub(super) fn compile(options: &Options, manner: Manner, count: usize) -> Result<()> {
    let folder = options.folder.clone().unwrap_or_else(|| {
        let name = format!("{}-{}", manner.name(), options.arch);
        workspace::target().join("compilers").join(name)
    });
    fs::create_dir_all(&folder)?;
    let mut launches = Vec::new();
    for first in (0..count).step_by(BATCH) {
        let last = count.min(first + BATCH);
        launches.extend(batch(options, manner, &folder, first..last)?);
    }
    let asked = folder.join("asked.jsonl");
    fs::write(&asked, lines(&launches))?;
    let binary = process::command_line(options.lanescope.as_deref())?;
    let mut measured = Vec::new();
    for (at, mut launch) in (1..).zip(launches) {
        match sass_count(&binary, &folder, &launch, at)? {
            Some(totals) => {
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
fn batch(
    options: &Options,
    manner: Manner,
    folder: &Path,
    range: Range<usize>,
) -> Result<Vec<Json>> {
    let stem = format!("batch_{}_{}", range.start, range.end);
    let path = |ending: &str| folder.join(format!("{stem}.{ending}"));
    let mut all = String::new();
    let mut programs = Vec::new();
    let mut is_new = false;
    for at in range {
        let name = format!("k{at}");
        let seed = options.seed.wrapping_mul(1_000_003) + at as u64;
        let program = manner.program(at, seed, &name);
        let file = folder.join(format!("{name}.cu"));
        is_new |= fs::read_to_string(&file).ok().as_ref() != Some(&program.source);
        fs::write(&file, &program.source)?;
        let _ = writeln!(all, "#include \"{name}.cu\"");
        programs.push((name, program));
    }
    fs::write(path("cu"), all)?;
    if is_new || !path("sass").is_file() {
        listed(options, path)?;
    }
    let entries = entries(&fs::read_to_string(path("ptx"))?);
    programs
        .iter()
        .map(|(name, program)| {
            let entry = entries.iter().find(|entry| is_of(&entry.mangled, name));
            let entry = entry.with_context(|| format!("{name} was not compiled"))?;
            let mut launch = launch(name, program, entry, &stem);
            launch["set"] = json!(manner.name());
            launch["seed"] = json!(options.seed);
            Ok(launch)
        })
        .collect()
}

/// Compiles the file whose ending is `cu` to PTX and SASS.
fn listed(options: &Options, path: impl Fn(&str) -> PathBuf) -> Result<()> {
    let (source, ptx, cubin) = (path("cu"), path("ptx"), path("cubin"));
    let nvcc = || {
        let mut command = Command::new(&options.nvcc);
        command.arg(format!("-arch={}", options.arch));
        command
    };
    process::run(
        nvcc()
            .args(super::FLAGS)
            .args(["-w", "-ptx"])
            .arg(&source)
            .arg("-o")
            .arg(&ptx),
    )?;
    process::run(nvcc().arg("-cubin").arg(&ptx).arg("-o").arg(&cubin))?;
    fs::write(path("sass"), disassembled(&options.nvcc, &cubin)?)?;
    Ok(())
}

/// A launch as `cargo xtask real` reads it, with the files' names in the folder.
fn launch(name: &str, program: &Program, entry: &Entry, stem: &str) -> Json {
    let arguments: Vec<Json> = program.parameters.iter().map(argument).collect();
    json!({
        "program": program.kind,
        "idioms": program.idioms,
        "kernel": name,
        "mangled": entry.mangled,
        "source": format!("{name}.cu"),
        "ptx": format!("{stem}.ptx"),
        "sass": format!("{stem}.sass"),
        "grid": program.grid,
        "block": program.block,
        "dynamic_shared": program.dynamic_shared_bytes,
        "arguments": arguments,
    })
}

fn argument((name, value): &(String, Value)) -> Json {
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
fn sass_count(binary: &Path, folder: &Path, launch: &Json, at: usize) -> Result<Option<Json>> {
    let sass = launch["sass"].as_str().context("a launch without SASS")?;
    let asked = folder.join("asked.jsonl");
    let output = Command::new(binary)
        .arg("kernel")
        .arg(folder.join(sass))
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
