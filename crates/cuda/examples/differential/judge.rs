//! What g++ says that each lane accesses: the kernels as functions of the host, run lane by lane.

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::generate::Kernel;

/// `[lane]`: the accesses in their order, as (bytes of an element, index).
pub(crate) type Lanes = Vec<Vec<(u64, u64)>>;

/// What lies before all kernels: names of CUDA, and arrays that print what they are asked for.
const PRELUDE: &str = r#"
#include <cmath>
#include <cstdio>
#define __device__ inline
#define __align__(bytes) alignas(bytes)
static struct { int x, y, z; } threadIdx;
struct Element { template <typename T> void operator=(T) {} };
template <int BYTES> struct Array {
  template <typename T> Element operator[](T index) { std::printf(" %d:%llu", BYTES, (unsigned long long)index); return {}; }
};
static Array<4> out;
static Array<1> bytes;
static Array<8> wide;
"#;

/// Whether there is a g++ here.
pub(crate) fn is_there() -> bool {
    let mut ask = Command::new("g++");
    let ask = ask
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    ask.status().is_ok_and(|status| status.success())
}

/// Compiles the kernels and runs each for `lanes` lanes.
///
/// # Errors
/// When g++ refuses them, or what it made cannot be run.
pub(crate) fn judge(kernels: &[Kernel], lanes: usize, folder: &Path) -> io::Result<Vec<Lanes>> {
    let mut text = PRELUDE.to_owned();
    for (number, kernel) in kernels.iter().enumerate() {
        let Kernel { before, body } = kernel;
        let _ = writeln!(
            text,
            "namespace k{number} {{\n{before}static void kernel() {{\n{body}}}\n}}"
        );
    }
    text.push_str("int main() {\n");
    for number in 0..kernels.len() {
        let _ = writeln!(
            text,
            "for (threadIdx.x = 0; threadIdx.x < {lanes}; ++threadIdx.x) {{ k{number}::kernel(); std::puts(\"\"); }}"
        );
    }
    text.push_str("}\n");
    let (source, program) = (folder.join("kernels.cpp"), folder.join("kernels"));
    std::fs::write(&source, text)?;
    let mut compile = Command::new("g++");
    // CUDA's char is signed, its arithmetic wraps and its real numbers are not joined here.
    compile.args([
        "-std=c++17",
        "-O0",
        "-w",
        "-Wno-narrowing",
        "-fwrapv",
        "-fsigned-char",
        "-ffp-contract=off",
        "-o",
    ]);
    if !compile.arg(&program).arg(&source).status()?.success() {
        return Err(io::Error::other(format!(
            "g++ refuses {}",
            source.display()
        )));
    }
    let ran = Command::new(&program).output()?;
    if !ran.status.success() {
        return Err(io::Error::other("the compiled kernels failed"));
    }
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    let lines: Vec<&str> = printed.lines().collect();
    Ok(lines
        .chunks(lanes)
        .map(|chunk| chunk.iter().map(|line| accesses(line)).collect())
        .collect())
}

fn accesses(line: &str) -> Vec<(u64, u64)> {
    let pair = |word: &str| {
        let (bytes, index) = word.split_once(':')?;
        Some((bytes.parse().ok()?, index.parse().ok()?))
    };
    line.split_whitespace().filter_map(pair).collect()
}
