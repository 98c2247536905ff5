//! What the page weighs on the way to the visitor.

use std::fmt;
use std::fs;
use std::ops::AddAssign;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use walkdir::WalkDir;

use crate::bundle::Bundle;
use crate::{process, workspace};

/// What a visit may take until it can be used, brotli 11: of the page, and of a picture in somebody's article.
const BUDGETS: [(&str, u64); 2] = [("index.html", 100 * 1024), ("embed.html", 100 * 1024)];

/// What the Kernel tab's editor may take, which no visit waits for.
const EDITOR_BUDGET: u64 = 150 * 1024;

/// What a story may take until it can be read: its page, the style sheet and the script.
const STORY_BUDGET: u64 = 150 * 1024;

/// What the page may add to the program that serves it (`lanescope serve`), and to the wheels, which have that program: the
/// archive that the program unpacks.
const SERVED_BUDGET: usize = 4_000_000;

include!("../../crates/cli/archive.rs");
include!("../../crates/cli/left_out.rs");

/// Node has the compressors that browsers undo; none need be built for this.
const COMPRESS: &str = "
const { brotliCompressSync, gzipSync, constants } = require('node:zlib');
const { readFileSync } = require('node:fs');
for (const path of process.argv.slice(1)) {
  const bytes = readFileSync(path);
  const gzip = gzipSync(bytes, { level: 9 }).length;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  console.log(bytes.length, gzip, brotliCompressSync(bytes, { params }).length);
}";

/// Bytes of one file, or of several together.
#[derive(Default, Clone, Copy)]
struct Size {
    raw: u64,
    gzip: u64,
    brotli: u64,
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.raw += other.raw;
        self.gzip += other.gzip;
        self.brotli += other.brotli;
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { raw, gzip, brotli } = self;
        write!(formatter, "{raw:>9} {gzip:>9} {brotli:>9}")
    }
}

/// Which files are weighed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weighed {
    /// All of them.
    All,
    /// Those that have a budget. To compress what comes later as hosts do takes a minute, and tells nothing of modules that
    /// are not as they are published.
    Budgeted,
}

/// Prints the size of each file that is `weighed` and what a first visit of each page takes, and fails over a budget.
///
/// # Errors
/// Over a budget, or when Node is missing.
pub(crate) fn check(bundle: &Bundle, weighed: Weighed) -> Result<()> {
    let first = BUDGETS.map(|(page, _)| bundle.first_visit(page));
    let files: Vec<_> = bundle.files().iter().map(|file| &*file.path).collect();
    let has_budget =
        |path: &str| is_editor(path) || first.iter().any(|visit| visit.contains(&path));
    let paths: Vec<_> = files
        .iter()
        .copied()
        .filter(|path| weighed == Weighed::All || has_budget(path))
        .collect();
    let sizes = measure(&paths)?;
    println!("{:<34} {:>9} {:>9} {:>9}", "", "raw", "gzip", "brotli");
    for (path, size) in paths.iter().zip(&sizes) {
        let is_first = first.iter().any(|visit| visit.contains(path));
        println!("{path:<34} {size}{}", if is_first { "" } else { "  later" });
    }
    let mut over = Vec::new();
    for ((page, budget), visit) in BUDGETS.iter().zip(&first) {
        let mut total = Size::default();
        let needed = paths.iter().zip(&sizes);
        needed
            .filter(|(path, _)| visit.contains(path))
            .for_each(|(_, size)| total += *size);
        println!(
            "{:<34} {total}  of {budget}",
            format!("first visit of {page}")
        );
        if total.brotli > *budget {
            over.push(format!(
                "{page}: {} bytes over the budget",
                total.brotli - budget
            ));
        }
    }
    let editor = paths.iter().zip(&sizes);
    for (path, size) in editor.filter(|(path, _)| is_editor(path)) {
        if size.brotli > EDITOR_BUDGET {
            over.push(format!(
                "{path}: {} bytes over the budget",
                size.brotli - EDITOR_BUDGET
            ));
        }
    }
    over.extend(served(&files)?);
    over.extend(stories()?);
    ensure!(over.is_empty(), "{}", over.join("\n"));
    Ok(())
}

/// Whether a file is the Kernel tab's editor.
fn is_editor(path: &str) -> bool {
    path.starts_with("editor-")
}

/// Prints what the page adds to the program that serves it, and tells it over the budget.
///
/// # Errors
/// When a file cannot be read.
fn served(paths: &[&str]) -> Result<Option<String>> {
    let is_served = |path: &&&str| !LEFT_OUT.iter().any(|start| path.starts_with(start));
    let read = |path: &&str| fs::read(workspace::dist().join(path));
    let files = paths.iter().filter(is_served).map(read);
    let size = archive(&files.collect::<std::io::Result<Vec<_>>>()?)?.len();
    println!(
        "{:<34} {size:>9} of {SERVED_BUDGET}",
        "archive in `lanescope serve`"
    );
    let excess = size.saturating_sub(SERVED_BUDGET);
    Ok((excess > 0).then(|| format!("the served page: {excess} bytes over the budget")))
}

/// Prints what a first load of each page of `dist/stories/` takes, and tells those over the budget.
///
/// # Errors
/// When a page cannot be read, or Node is missing.
pub(crate) fn stories() -> Result<Vec<String>> {
    let dist = workspace::dist();
    let relative = |path: &Path| -> Option<String> {
        Some(path.strip_prefix(&dist).ok()?.to_str()?.to_owned())
    };
    let files = WalkDir::new(dist.join("stories"))
        .sort_by_file_name()
        .into_iter();
    let pages: Vec<String> = files
        .filter_map(|entry| relative(entry.ok()?.path()))
        .filter(|path| path.ends_with(".html"))
        .collect();
    let mut over = Vec::new();
    for page in pages {
        let text = fs::read_to_string(dist.join(&page))?;
        let parts = WalkDir::new(&dist).max_depth(1).into_iter();
        let named = parts
            .filter_map(|entry| relative(entry.ok()?.path()))
            .filter(|path| !path.is_empty() && text.contains(&format!("../{path}\"")));
        let needed: Vec<String> = named.chain([page.clone()]).collect();
        let paths: Vec<&str> = needed.iter().map(String::as_str).collect();
        let mut total = Size::default();
        measure(&paths)?.iter().for_each(|size| total += *size);
        println!("{page:<34} {total}  of {STORY_BUDGET}");
        if total.brotli > STORY_BUDGET {
            let excess = total.brotli - STORY_BUDGET;
            over.push(format!("{page}: {excess} bytes over the budget"));
        }
    }
    Ok(over)
}

fn measure(paths: &[&str]) -> Result<Vec<Size>> {
    let mut node = process::command("node");
    node.arg("--eval")
        .arg(COMPRESS)
        .arg("--")
        .args(paths)
        .current_dir(workspace::dist())
        .stdin(Stdio::null());
    process::output(&mut node)?.lines().map(parse).collect()
}

fn parse(line: &str) -> Result<Size> {
    let numbers: Vec<u64> = line
        .split(' ')
        .map(str::parse)
        .collect::<Result<_, _>>()
        .context("unreadable size")?;
    let [raw, gzip, brotli] = numbers[..] else {
        anyhow::bail!("unreadable size: {line}")
    };
    Ok(Size { raw, gzip, brotli })
}
