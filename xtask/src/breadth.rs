//! How many kernels of a folder's sources are wholly analysed: a census of what the reader does not know.

use anyhow::{Result, ensure};
use clap::Args;
use lanescope_cuda::parse_kernel;
use lanescope_frontend::{Diagnostic, KernelOptions, Parsed, Severity};
use lanescope_query::device_macros;
use lanescope_share::Device;
use lanescope_syntax::{gather, line_in_file, path_beside};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// What `cargo xtask breadth` is told.
#[derive(Args)]
pub(crate) struct Options {
    /// Folder of sources, which is searched with all folders in it
    folder: PathBuf,
    /// Folder of included files
    #[arg(short = 'I', value_name = "FOLDER")]
    include: Vec<PathBuf>,
    /// Only sources whose path holds this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Print every kernel that is not wholly analysed with what is said about it
    #[arg(long)]
    list: bool,
    /// Commonest messages that are printed
    #[arg(long, value_name = "COUNT", default_value_t = 40)]
    top: usize,
}

/// Ends of the names of files that are compiled by themselves.
const SOURCES: [&str; 3] = ["cu", "hip", "cpp"];

/// Ends of the names of files that others include.
const HEADERS: [&str; 5] = ["cuh", "h", "hpp", "inl", "inc"];

/// What became of the kernels.
#[derive(Default)]
struct Census {
    whole: usize,
    /// Kernels not wholly analysed, by message.
    messages: BTreeMap<String, BTreeSet<String>>,
    /// Kernels not wholly analysed, each with what is said about it.
    broken: BTreeMap<String, Vec<String>>,
}

/// Reads every kernel of every source, and prints how many are wholly analysed and what is commonest in the others.
///
/// # Errors
/// When the folder has no kernels.
pub(crate) fn count(options: &Options) -> Result<()> {
    let mut census = Census::default();
    let sources = files(options, &SOURCES);
    let mut included = BTreeSet::new();
    for path in &sources {
        bundled(path, options, &mut included);
    }
    // What another file includes is read there, with what stands before it.
    let headers = files(options, &HEADERS);
    let roots = sources.iter().chain(&headers);
    for path in roots.filter(|path| !included.contains(*path)) {
        if let Some(whole) = bundled(path, options, &mut BTreeSet::new()) {
            census.take(path, &whole);
        }
    }
    let all = census.whole + census.broken.len();
    ensure!(all > 0, "no kernels in {}", options.folder.display());
    print(&census, options);
    println!(
        "{} of {all} kernels wholly analysed ({:.1} %)",
        census.whole,
        100.0 * census.whole as f64 / all as f64
    );
    Ok(())
}

/// Files whose names end so.
fn files(options: &Options, ends: &[&str]) -> Vec<PathBuf> {
    let all = WalkDir::new(&options.folder).sort_by_file_name();
    let paths = all
        .into_iter()
        .filter_map(Result::ok)
        .map(|entry| plain(entry.path()));
    paths
        .filter(|path| {
            let end = path.extension().and_then(|end| end.to_str());
            end.is_some_and(|end| ends.contains(&end))
                && path.to_string_lossy().contains(&options.filter)
        })
        .collect()
}

fn text(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// A source with the files that it includes, which are noted.
fn bundled(path: &Path, options: &Options, included: &mut BTreeSet<PathBuf>) -> Option<String> {
    let source = text(path)?;
    let own = path.parent().unwrap_or_else(|| Path::new(""));
    let whole = gather(&source, |from, name, quoted| {
        let beside = own.join(path_beside(from, name));
        let folders = options.include.iter().map(|folder| folder.join(name));
        let file = quoted.then_some(beside).into_iter().chain(folders);
        let file = file.into_iter().find(|file| file.is_file())?;
        included.insert(plain(&file));
        Some((path_beside(from, name), text(&file)?))
    });
    Some(whole)
}

/// A path without `..` where the file system tells.
fn plain(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// What of a kernel could not be read.
fn gaps(parsed: &Parsed) -> Vec<&Diagnostic> {
    let said = parsed.diagnostics.iter();
    said.filter(|one| {
        one.severity() == Severity::Error
            || matches!(one.kind.code(), "left-out" | "missing-include")
    })
    .collect()
}

impl Census {
    /// Counts the kernels of one source with what it includes.
    fn take(&mut self, path: &Path, whole: &str) {
        if !whole.contains("__global__") {
            return;
        }
        let is_hip = ["hip/hip_runtime.h", "hip_runtime_api.h"]
            .iter()
            .any(|header| whole.contains(header));
        let device = Device::Known(if is_hip { "cdna3" } else { "cc9.0" }.to_owned());
        let defaults = KernelOptions {
            defines: device_macros(&device),
            ..KernelOptions::default()
        };
        let first = parse_kernel(whole, &defaults);
        let kernels: BTreeSet<String> = first
            .program
            .kernels()
            .iter()
            .map(ToString::to_string)
            .collect();
        for kernel in kernels {
            let options = KernelOptions {
                kernel: Some(kernel.clone()),
                ..defaults.clone()
            };
            let parsed = parse_kernel(whole, &options);
            let name = format!("{}: {kernel}", path.display());
            self.note(name, &gaps(&parsed), whole);
        }
    }

    fn note(&mut self, kernel: String, gaps: &[&Diagnostic], whole: &str) {
        let is_gap = |diagnostic: &&&Diagnostic| diagnostic.severity() == Severity::Error;
        if !gaps.iter().any(|gap| is_gap(&gap)) {
            self.whole += 1;
            return;
        }
        for gap in gaps.iter().filter(is_gap) {
            let of = self.messages.entry(format!("{}: {gap}", gap.kind.code()));
            of.or_default().insert(kernel.clone());
        }
        let shown = gaps.iter().map(|gap| {
            let (file, line) = line_in_file(whole, gap.line);
            format!("{file}:{line}: {gap}")
        });
        self.broken.insert(kernel, shown.collect());
    }
}

fn print(census: &Census, options: &Options) {
    if options.list {
        for (kernel, said) in &census.broken {
            println!("{kernel}");
            for one in said.iter().take(4) {
                println!("    {one}");
            }
        }
    }
    let mut messages: Vec<_> = census.messages.iter().collect();
    messages.sort_by_key(|(_, kernels)| std::cmp::Reverse(kernels.len()));
    for (message, kernels) in messages.iter().take(options.top) {
        println!("{:>5}  {message}", kernels.len());
    }
}
