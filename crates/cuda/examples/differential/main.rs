//! The language against g++: random C++ kernels, whose every lane must access what the compiled kernel accesses.
//!
//! `differential COUNT [FIRST]` runs COUNT kernels of numbers and as many of objects, from number FIRST on; a number makes
//! the same kernel for ever. `differential FILE` compares the kernels of a file, as they are printed here; `differential show
//! NUMBER` prints the kernel of objects of that number. A kernel of objects may say that something in it is not read; it may not read it otherwise.

mod classes;
mod generate;
mod judge;
mod objects;
mod random;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use lanescope_cuda::parse_kernel;
use lanescope_frontend::{Access, Budget, End, KernelOptions, NamedLaunch, Severity, execute};

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
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some("show") {
        let number = words.next().and_then(|word| word.parse().ok());
        println!("{}", source(&Family::Objects.kernel(number.unwrap_or(0))));
        return ExitCode::SUCCESS;
    }
    if let Some(path) = std::env::args().nth(1)
        && path.parse::<u64>().is_err()
    {
        return compare_file(&path);
    }
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
    let mut is_equal = true;
    for family in [Family::Numbers, Family::Objects] {
        let found = match compare(family, first, count, &folder) {
            Ok(found) => found,
            Err(error) => {
                eprintln!("{error} (in {})", folder.display());
                return ExitCode::FAILURE;
            }
        };
        let Found { differing, unread } = found;
        println!(
            "{count} kernels of {}, {} not wholly read, {} differ: {differing:?}",
            family.name(),
            unread.len(),
            differing.len()
        );
        for (message, numbers) in &unread.messages {
            let (count, first) = (numbers.len(), numbers.first().copied().unwrap_or(0));
            println!("  {count} times, first in {first}: {message}");
        }
        is_equal &= differing.is_empty();
    }
    // It holds nothing else.
    let _ = std::fs::remove_dir_all(&folder);
    if is_equal {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What stands before the body of a kernel.
const HEAD: &str = "__global__ void kernel(int* out, signed char* bytes, double* wide) {\n";

/// Compares the kernels of a file, each as it is printed where it differs, with an empty line behind it.
fn compare_file(path: &str) -> ExitCode {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut kernels = Vec::new();
    for part in text.split_inclusive("\n}\n\n") {
        if let Some((before, body)) = part.split_once(HEAD) {
            kernels.push(Kernel {
                before: before.to_owned(),
                body: body.trim_end().trim_end_matches('}').to_owned(),
            });
        }
    }
    let folder =
        std::env::temp_dir().join(format!("lanescope-differential-{}", std::process::id()));
    let judged =
        std::fs::create_dir_all(&folder).and_then(|()| judge::judge(&kernels, LANES, &folder));
    let judged = match judged {
        Ok(judged) => judged,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let _ = std::fs::remove_dir_all(&folder);
    let mut code = ExitCode::SUCCESS;
    for (number, (kernel, expected)) in kernels.iter().zip(&judged).enumerate() {
        match difference(kernel, expected) {
            Comparison::Equal => println!("{number}: equal"),
            Comparison::Unread(what) => println!("{number}: {what}"),
            Comparison::Differs(how) => {
                println!("{number}: {how}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

/// What the kernels are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    /// Expressions, statements and functions of numbers: all of it is read.
    Numbers,
    /// Structures, and what is done with their objects.
    Objects,
}

impl Family {
    const fn name(self) -> &'static str {
        match self {
            Self::Numbers => "numbers",
            Self::Objects => "objects",
        }
    }

    fn kernel(self, number: u64) -> Kernel {
        match self {
            Self::Numbers => generate::kernel(number),
            Self::Objects => objects::kernel(number),
        }
    }
}

/// The numbers of the kernels that differ, and what was not read in how many.
#[derive(Default)]
struct Found {
    differing: Vec<u64>,
    unread: Unread,
}

/// The numbers of the kernels that say that something in them is not read, by what they say.
#[derive(Default)]
struct Unread {
    messages: BTreeMap<String, Vec<u64>>,
}

impl Unread {
    fn len(&self) -> usize {
        self.messages.values().map(Vec::len).sum()
    }
}

/// How a kernel as it is read compares with what is expected.
enum Comparison {
    Equal,
    /// What it says that is not read.
    Unread(String),
    /// How it differs.
    Differs(String),
}

/// Compares `count` kernels of a family.
fn compare(family: Family, first: u64, count: u64, folder: &PathBuf) -> std::io::Result<Found> {
    std::fs::create_dir_all(folder)?;
    let mut found = Found::default();
    for start in (first..first + count).step_by(usize::try_from(TOGETHER).unwrap_or(1)) {
        let numbers: Vec<u64> = (start..(start + TOGETHER).min(first + count)).collect();
        let kernels: Vec<Kernel> = numbers
            .iter()
            .map(|number| family.kernel(*number))
            .collect();
        let judged = judge::judge(&kernels, LANES, folder)?;
        for ((number, kernel), expected) in numbers.iter().zip(&kernels).zip(&judged) {
            let why = match difference(kernel, expected) {
                Comparison::Equal => continue,
                Comparison::Unread(what) if family == Family::Objects => {
                    found.unread.messages.entry(what).or_default().push(*number);
                    continue;
                }
                Comparison::Unread(why) | Comparison::Differs(why) => why,
            };
            if found.differing.len() < PRINTED {
                println!("kernel {number}: {why}\n{}", source(kernel));
            }
            found.differing.push(*number);
        }
    }
    Ok(found)
}

fn source(kernel: &Kernel) -> String {
    let Kernel { before, body } = kernel;
    format!("{before}{HEAD}{body}}}\n")
}

/// How the run of a kernel differs from what is expected.
fn difference(kernel: &Kernel, expected: &Lanes) -> Comparison {
    let options = KernelOptions {
        ..KernelOptions::default()
    };
    let parsed = parse_kernel(&source(kernel), &options);
    if let Some(one) = parsed
        .diagnostics
        .iter()
        .find(|one| one.severity() == Severity::Error)
    {
        return Comparison::Unread(format!("{one}"));
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
    let launch = NamedLaunch::new([1, 1, 1], [64, 1, 1]);
    let outcome = execute(
        &parsed.program,
        &launch,
        32,
        Budget::default(),
        &mut observe,
    );
    if outcome.end != End::Complete {
        return Comparison::Differs(format!("{:?}", outcome.end));
    }
    let Some(lane) = (0..LANES).find(|lane| found.get(*lane) != expected.get(*lane)) else {
        return Comparison::Equal;
    };
    Comparison::Differs(format!(
        "lane {lane} accesses {:?}, g++ {:?}",
        found.get(lane),
        expected.get(lane)
    ))
}
