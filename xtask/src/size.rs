//! What the page weighs on the way to the visitor.

use std::fmt;
use std::ops::AddAssign;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};

use crate::bundle::Bundle;
use crate::{process, workspace};

/// What the first interaction should take, brotli 11.
const BUDGET_BYTES: u64 = 120 * 1024;

/// What it may take until the engine is a module of its own, loaded behind the page's shell:
/// a little over what it weighed when all tabs had come together. It may only go down.
const CEILING_BYTES: u64 = 404 * 1024;

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

/// Prints each file's size, says by how much those of the first visit are over the budget, and
/// fails when they are over the ceiling.
///
/// # Errors
/// Over the ceiling, or when Node is missing.
pub(crate) fn check(bundle: &Bundle) -> Result<()> {
    let paths: Vec<_> = bundle
        .files()
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    let first = bundle.first_visit("index.html");
    println!("{:<34} {:>9} {:>9} {:>9}", "", "raw", "gzip", "brotli");
    let mut total = Size::default();
    for (path, size) in paths.iter().zip(measure(&paths)?) {
        let is_first = first.contains(path);
        println!("{path:<34} {size}{}", if is_first { "" } else { "  later" });
        if is_first {
            total += size;
        }
    }
    println!(
        "{:<34} {total}  of {BUDGET_BYTES}",
        "to the first interaction"
    );
    if let Some(over @ 1..) = total.brotli.checked_sub(BUDGET_BYTES) {
        println!("{over} bytes over the budget");
    }
    ensure!(
        total.brotli <= CEILING_BYTES,
        "{} bytes over the ceiling of {CEILING_BYTES}",
        total.brotli - CEILING_BYTES
    );
    Ok(())
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
