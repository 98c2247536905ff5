//! The project's measured kernels as a compiler makes them: PTX and SASS beside each launch's counters.
//!
//! What it writes has the form that `cargo xtask real` reads, so that source, PTX and SASS of one kernel can be counted
//! and compared with the hardware and with each other.

mod generated;
mod idioms;
mod program;
mod published;
mod random;

use crate::{process, workspace};
use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `cargo xtask compilers` is told.
#[derive(Args)]
pub(crate) struct Options {
    /// The compiler; its disassembler is looked for beside it
    #[arg(long, value_name = "FILE", default_value = "nvcc")]
    nvcc: PathBuf,
    /// What it compiles for
    #[arg(long, value_name = "ARCH", default_value = "sm_90")]
    arch: String,
    /// Only kernels whose file holds this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Instead of the measured kernels so many random ones; what is compared with is the count of their SASS
    #[arg(long, value_name = "KERNELS")]
    generated: Option<usize>,
    /// As --generated, kernels of idioms of C++ and CUDA, which no rule of a compiler is behind
    #[arg(long, value_name = "KERNELS", conflicts_with = "generated")]
    idioms: Option<usize>,
    /// Which random kernels
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Of random kernels those in the manner of published programs
    #[arg(long, requires = "generated")]
    published: bool,
    /// Where random kernels are written [default: a folder of the target folder]; those that stand there are not compiled again
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// The command line that counts their SASS [default: it is built]
    #[arg(long, value_name = "FILE")]
    lanescope: Option<PathBuf>,
}

/// Lists of launches in `tests/golden`.
const LISTS: [&str; 3] = [
    "h200_kernels.json",
    "h200_more_kernels.json",
    "h200_apart_kernels.json",
];

/// How the measured kernels were compiled (`tests/golden/README.md`).
const FLAGS: [&str; 2] = ["-O2", "-std=c++17"];

/// Compiles every measured kernel and writes `compilers/ARCH` in the target folder.
///
/// # Errors
/// When there is no compiler, or it refuses a kernel.
pub(crate) fn compile(options: &Options) -> Result<()> {
    use generated::Manner;
    match (options.generated, options.idioms) {
        (Some(count), _) if options.published => {
            generated::compile(options, Manner::Published, count)
        }
        (Some(count), _) => generated::compile(options, Manner::Generated, count),
        (None, Some(count)) => generated::compile(options, Manner::Idioms, count),
        (None, None) => measured(options),
    }
}

fn measured(options: &Options) -> Result<()> {
    let golden = workspace::root().join("tests/golden");
    let folder = workspace::target().join("compilers").join(&options.arch);
    fs::create_dir_all(&folder)?;
    let mut compiled: BTreeMap<String, Compiled> = BTreeMap::new();
    let mut lines = String::new();
    for row in rows(&golden)? {
        let file = text(&row, "file")?;
        if !file.contains(&options.filter) {
            continue;
        }
        if !compiled.contains_key(file) {
            compiled.insert(
                file.to_owned(),
                Compiled::of(options, &golden, file, &folder)?,
            );
        }
        let Some(line) = launch(&row, &compiled[file], &golden)? else {
            println!(
                "{}: its kernel has no entry of that name",
                text(&row, "kernel")?
            );
            continue;
        };
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    fs::write(folder.join("launches.jsonl"), &lines)?;
    println!("{} launches in {}", lines.lines().count(), folder.display());
    Ok(())
}

/// The rows of all lists.
fn rows(golden: &Path) -> Result<Vec<Value>> {
    let mut rows = Vec::new();
    for list in LISTS {
        let text = fs::read_to_string(golden.join(list))?;
        rows.extend(serde_json::from_str::<Vec<Value>>(&text)?);
    }
    Ok(rows)
}

fn text<'a>(row: &'a Value, name: &str) -> Result<&'a str> {
    row[name]
        .as_str()
        .with_context(|| format!("a row has no {name}"))
}

/// What the compiler made of a file.
struct Compiled {
    ptx: PathBuf,
    sass: PathBuf,
    entries: Vec<Entry>,
}

/// A kernel in PTX: its mangled name, and the types of its parameters.
struct Entry {
    mangled: String,
    parameters: Vec<String>,
}

impl Compiled {
    fn of(options: &Options, golden: &Path, file: &str, folder: &Path) -> Result<Self> {
        let stem = file.replace(['/', '.'], "_");
        let path = |ending: &str| folder.join(format!("{stem}.{ending}"));
        let (ptx, cubin, sass) = (path("ptx"), path("cubin"), path("sass"));
        if !sass.is_file() {
            let arch = format!("-arch={}", options.arch);
            let source = golden.join(file);
            let nvcc = || {
                let mut command = Command::new(&options.nvcc);
                command.args(FLAGS).arg(&arch);
                command
            };
            process::run(nvcc().arg("-ptx").arg(&source).arg("-o").arg(&ptx))?;
            process::run(nvcc().arg("-cubin").arg(&source).arg("-o").arg(&cubin))?;
            fs::write(&sass, disassembled(&options.nvcc, &cubin)?)?;
        }
        let entries = entries(&fs::read_to_string(&ptx)?);
        Ok(Self { ptx, sass, entries })
    }
}

/// What `cuobjdump -sass` prints.
fn disassembled(nvcc: &Path, cubin: &Path) -> Result<Vec<u8>> {
    let listing = Command::new(disassembler(nvcc))
        .arg("-sass")
        .arg(cubin)
        .output()
        .context("could not start cuobjdump, which stands beside nvcc")?;
    if !listing.status.success() {
        bail!("cuobjdump refused {}", cubin.display());
    }
    Ok(listing.stdout)
}

/// `cuobjdump` beside the compiler, or wherever it is found.
fn disassembler(nvcc: &Path) -> PathBuf {
    let beside = nvcc.with_file_name("cuobjdump");
    if beside.is_file() {
        beside
    } else {
        "cuobjdump".into()
    }
}

/// The kernels of a PTX text.
fn entries(ptx: &str) -> Vec<Entry> {
    let parts = ptx.split(".entry ").skip(1);
    parts
        .map(|part| {
            let (mangled, rest) = part.split_once('(').unwrap_or((part, ""));
            let (list, _) = rest.split_once(')').unwrap_or((rest, ""));
            let types = list.split(".param").skip(1).map(|one| {
                let one = one.trim();
                one.split_whitespace().next().unwrap_or_default().to_owned()
            });
            Entry {
                mangled: mangled.trim().to_owned(),
                parameters: types.collect(),
            }
        })
        .collect()
}

/// The line of a launch; nothing where the text has no such kernel.
fn launch(row: &Value, compiled: &Compiled, golden: &Path) -> Result<Option<Value>> {
    let kernel = text(row, "kernel")?;
    let named = row.get("launch").and_then(Value::as_str).unwrap_or(kernel);
    let Some(entry) = compiled
        .entries
        .iter()
        .find(|entry| is_of(&entry.mangled, kernel))
    else {
        return Ok(None);
    };
    let source = fs::read_to_string(golden.join(text(row, "file")?))?;
    let mut words: Vec<&str> = text(row, "arguments")?.split_whitespace().collect();
    words.sort_by_key(|word| position(&source, kernel, word));
    let pairs = words.iter().zip(&entry.parameters);
    let arguments: Vec<Value> = pairs
        .map(|(word, of)| argument(word, of))
        .collect::<Result<_>>()?;
    Ok(Some(json!({
        "program": text(row, "file")?,
        "kernel": named,
        "mangled": entry.mangled,
        "source": golden.join(text(row, "file")?),
        "ptx": compiled.ptx,
        "sass": compiled.sass,
        "grid": row["grid"],
        "block": row["block"],
        "dynamic_shared": row["dynamic_shared_bytes"].as_u64().unwrap_or(0),
        "arguments": arguments,
        "measured": counters(&row["measured"]),
    })))
}

/// Where the parameter that `word` gives a value stands in the kernel's list of parameters.
fn position(source: &str, kernel: &str, word: &str) -> usize {
    let plain = kernel.split('<').next().unwrap_or(kernel);
    let name = word.split(['=', ':']).next().unwrap_or(word);
    let list = source
        .split(&format!("{plain}("))
        .nth(1)
        .and_then(|rest| rest.split(')').next())
        .unwrap_or_default();
    let is_name = |part: &str| {
        part.trim()
            .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            == Some(name)
    };
    list.split(',').position(is_name).unwrap_or(usize::MAX)
}

/// Whether a mangled name is of this kernel: `kernel`, or `_Z6kernel…`.
fn is_of(mangled: &str, kernel: &str) -> bool {
    let plain = kernel.split('<').next().unwrap_or(kernel);
    let marked = format!("{}{plain}", plain.len());
    mangled == plain || mangled.contains(&marked)
}

/// Counters that the command line's totals have, of what was measured or counted.
fn counters(measured: &Value) -> Value {
    const NAMES: [&str; 11] = [
        "shared_load_wavefronts",
        "shared_store_wavefronts",
        "shared_atomic_wavefronts",
        "global_load_requests",
        "global_load_sectors",
        "global_store_requests",
        "global_store_sectors",
        "global_reduction_requests",
        "global_reduction_sectors",
        "global_atomic_requests",
        "global_atomic_sectors",
    ];
    let named = NAMES.iter().filter(|name| measured[**name].is_number());
    named
        .map(|name| ((*name).to_owned(), measured[*name].clone()))
        .collect()
}

/// `in:f32[1024]` or `n=1024` as a recorded argument of the parameter type `of`.
fn argument(word: &str, of: &str) -> Result<Value> {
    let Some((name, value)) = word.split_once('=') else {
        let (name, shape) = word.split_once(':').context("an argument without a type")?;
        let (element, count) = shape.split_once('[').context("a buffer without a size")?;
        let count: u64 = count.trim_end_matches(']').parse()?;
        let bytes = element_bytes(element).with_context(|| format!("{element} is no element"))?;
        return Ok(json!({
            "name": name,
            "bytes": 8,
            "pointer": {"base_off": 0, "range": count * bytes, "mod": 0},
        }));
    };
    let bytes = match of {
        ".f32" => value.parse::<f32>()?.to_le_bytes().to_vec(),
        ".f64" => value.parse::<f64>()?.to_le_bytes().to_vec(),
        ".u64" | ".s64" | ".b64" => value.parse::<i64>()?.to_le_bytes().to_vec(),
        _ => i32::try_from(value.parse::<i64>()?)?.to_le_bytes().to_vec(),
    };
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(json!({"name": name, "bytes": bytes.len(), "hex": hex}))
}

/// Bytes of `f32`, of `f32x4`, of the structure of three floats.
fn element_bytes(element: &str) -> Option<u64> {
    if element == "vec3d" {
        return Some(12);
    }
    let (scalar, lanes) = element.split_once('x').unwrap_or((element, "1"));
    let bits: u64 = scalar
        .trim_start_matches(char::is_alphabetic)
        .parse()
        .ok()?;
    Some(bits / 8 * lanes.parse::<u64>().ok()?)
}
