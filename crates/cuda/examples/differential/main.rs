//! The language against g++: random C++ kernels, whose every lane must access what the compiled kernel accesses.
//!
//! `differential COUNT [FIRST]` runs COUNT kernels from number FIRST on; a number makes the same kernel for ever.

mod generate;
mod judge;

use std::path::PathBuf;
use std::process::ExitCode;

use lanescope_cuda::parse_kernel;
use lanescope_frontend::{Access, Budget, End, KernelOptions, Launch, Severity, execute};

use generate::Kernel;
use judge::Lanes;

/// Two warps.
const LANES: usize = 64;
/// Arrays begin so far from each other.
const ARRAY_BYTES: u64 = 1 << 40;
/// Kernels that are compiled together.
const TOGETHER: u64 = 200;
/// Differences that are printed.
const PRINTED: usize = 10;

fn main() -> ExitCode {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|word| word.parse::<u64>().unwrap_or(0));
    let count = numbers.next().unwrap_or(1_000);
    let first = numbers.next().unwrap_or(0);
    if !judge::is_there() {
        println!("skipped: g++ is the judge, and there is none here");
        return ExitCode::SUCCESS;
    }
    let folder =
        std::env::temp_dir().join(format!("lanescope-differential-{}", std::process::id()));
    let differing = match compare(first, count, &folder) {
        Ok(differing) => differing,
        Err(error) => {
            eprintln!("{error} (in {})", folder.display());
            return ExitCode::FAILURE;
        }
    };
    // It holds nothing else.
    let _ = std::fs::remove_dir_all(&folder);
    println!("{count} kernels, {} differ: {differing:?}", differing.len());
    if differing.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The numbers of the kernels that differ.
fn compare(first: u64, count: u64, folder: &PathBuf) -> std::io::Result<Vec<u64>> {
    std::fs::create_dir_all(folder)?;
    let mut differing = Vec::new();
    for start in (first..first + count).step_by(usize::try_from(TOGETHER).unwrap_or(1)) {
        let numbers: Vec<u64> = (start..(start + TOGETHER).min(first + count)).collect();
        let kernels: Vec<Kernel> = numbers
            .iter()
            .map(|number| generate::kernel(*number))
            .collect();
        let judged = judge::judge(&kernels, LANES, folder)?;
        for ((number, kernel), expected) in numbers.iter().zip(&kernels).zip(&judged) {
            let Some(why) = difference(kernel, expected) else {
                continue;
            };
            if differing.len() < PRINTED {
                println!("kernel {number}: {why}\n{}", source(kernel));
            }
            differing.push(*number);
        }
    }
    Ok(differing)
}

fn source(kernel: &Kernel) -> String {
    let Kernel { before, body } = kernel;
    format!(
        "{before}__global__ void kernel(int* out, signed char* bytes, double* wide) {{\n{body}}}\n"
    )
}

/// How the run of a kernel differs from what is expected.
fn difference(kernel: &Kernel, expected: &Lanes) -> Option<String> {
    let options = KernelOptions {
        ..KernelOptions::default()
    };
    let parsed = parse_kernel(&source(kernel), &options);
    if let Some(one) = parsed
        .diagnostics
        .iter()
        .find(|one| one.severity() == Severity::Error)
    {
        return Some(format!("line {}: {one}", one.line));
    }
    let mut found: Lanes = vec![Vec::new(); LANES];
    let mut observe = |access: &Access<'_>| {
        let bytes = access.request.width.bytes();
        for lane in access.request.active.iter() {
            let thread = access.warp as usize * 32 + lane;
            let address = access.request.addresses.get(lane).copied().unwrap_or(0);
            if let Some(list) = found.get_mut(thread) {
                // Each array lies in a part of its own of the addresses.
                list.push((bytes, address % ARRAY_BYTES / bytes));
            }
        }
        true
    };
    let launch = Launch::new([1, 1, 1], [64, 1, 1]);
    let outcome = execute(
        &parsed.program,
        &launch,
        32,
        Budget::default(),
        &mut observe,
    );
    if outcome.end != End::Completed {
        return Some(format!("{:?}", outcome.end));
    }
    let lane = (0..LANES).find(|lane| found.get(*lane) != expected.get(*lane))?;
    Some(format!(
        "lane {lane} accesses {:?}, g++ {:?}",
        found.get(lane),
        expected.get(lane)
    ))
}
