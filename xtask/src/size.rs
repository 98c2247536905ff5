//! What the page weighs on the way to the visitor.

use std::process::Stdio;

use anyhow::{Context, Result, ensure};

use crate::bundle::Bundle;
use crate::{process, workspace};

/// Most bytes to the first interaction, brotli 11.
const BUDGET_BYTES: u64 = 120 * 1024;

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

/// Prints each file's size and fails when those of the first visit are over the budget.
///
/// # Errors
/// Over the budget, or when Node is missing.
pub(crate) fn check(bundle: &Bundle) -> Result<()> {
    let paths: Vec<_> = bundle
        .files()
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    let sizes = measure(&paths)?;
    println!("{:<34} {:>9} {:>9} {:>9}", "", "raw", "gzip", "brotli");
    let mut total = Size::default();
    for (path, size) in paths.iter().zip(sizes) {
        println!(
            "{path:<34} {:>9} {:>9} {:>9}{}",
            size.raw,
            size.gzip,
            size.brotli,
            if is_later(path) { "  later" } else { "" }
        );
        if !is_later(path) {
            total = Size {
                raw: total.raw + size.raw,
                gzip: total.gzip + size.gzip,
                brotli: total.brotli + size.brotli,
            };
        }
    }
    println!(
        "{:<34} {:>9} {:>9} {:>9}  of {BUDGET_BYTES}",
        "to the first interaction", total.raw, total.gzip, total.brotli
    );
    ensure!(
        total.brotli <= BUDGET_BYTES,
        "{} bytes over the budget",
        total.brotli - BUDGET_BYTES
    );
    Ok(())
}

/// Whether a file is fetched only after the page can be used.
fn is_later(path: &str) -> bool {
    path == "sw.js"
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
