//! One run: arguments, files and a limit, chosen by a number.

use std::collections::BTreeMap;
use std::time::Duration;

use super::text;
use crate::random::Random;

/// A run of the command line.
pub(super) struct Case {
    pub(super) arguments: Vec<String>,
    pub(super) files: BTreeMap<String, Vec<u8>>,
    /// The file that is standard input.
    pub(super) input: String,
    pub(super) limit: Duration,
    /// Whether standard output is no text.
    pub(super) is_picture: bool,
}

/// Limits of time, in milliseconds.
const LIMITS: [u64; 4] = [200, 500, 1_000, 2_000];

const COMMANDS: [&str; 10] = [
    "kernel", "kernel", "kernel", "expr", "fix", "trace", "compare", "layout", "link", "svg",
];

const EXTENTS: [&str; 8] = [
    "1",
    "32",
    "32,32",
    "8x8x4",
    "1024",
    "65535,65535",
    "4294967295,65535,65535",
    "0",
];

const ARGUMENTS: [&str; 9] = [
    "n=3",
    "n=1048576",
    "p=4096,random:7",
    "p=f32[64]",
    "0=64",
    "1=u8[4]",
    "n=@values.bin:f32",
    "n=nan",
    "n=",
];

/// Options of all commands, and a value where one belongs to it.
const OPTIONS: [(&str, &[&str]); 20] = [
    ("--grid", &EXTENTS),
    ("--block", &EXTENTS),
    ("--arg", &ARGUMENTS),
    (
        "--device",
        &[
            "cc9.0",
            "cc10.0",
            "cdna3",
            "custom:1024,8,64,none,8,8",
            "custom:0,0,0,any,0,0",
            "none",
        ],
    ),
    ("--format", &["table", "json", "csv", "svg", "diff", "code"]),
    (
        "--kernel",
        &["k", "k<int>", "missing", "\u{1b}[31mk", "k\u{202e}"],
    ),
    ("-D", &["N=4", "N", "N=\u{7}", "N=N"]),
    ("-I", &[".", "..", "/", "missing"]),
    (
        "--max-requests",
        &["0", "1", "1000", "18446744073709551615"],
    ),
    ("--dynamic-shared", &["0", "1024", "4294967295"]),
    ("--blocks", &["0", "1", "100"]),
    ("--compiler", &["none", "nvcc-13"]),
    ("--threads", &["1", "2"]),
    ("--arch", &["sm_90", "sm_9"]),
    ("--l1", &[]),
    ("--remarks", &[]),
    ("--compile", &[]),
    ("--no-includes", &[]),
    ("--count-repeated-reads", &[]),
    ("--max-steps", &["1", "1000000"]),
];

impl Case {
    /// The run of that number.
    pub(super) fn of(number: u64) -> Self {
        let mut random = Random::new(number);
        let limit = Duration::from_millis(random.pick(&LIMITS));
        let mut files = BTreeMap::new();
        let file = text::file(&mut random, &mut files);
        let input = file.clone();
        let command = random.pick(&COMMANDS);
        let mut arguments = vec![command.to_owned()];
        match command {
            "expr" => {
                arguments.push(text::expression(&mut random));
                arguments.extend(["--decl".to_owned(), text::declaration(&mut random)]);
            }
            "link" | "svg" if random.chance(30) => {
                arguments.extend(["--link".to_owned(), text::link(&mut random)]);
            }
            "link" | "svg" => arguments.extend(["--file".to_owned(), file]),
            _ if random.chance(10) => arguments.push("-".to_owned()),
            _ => arguments.push(file),
        }
        if command == "fix" || random.chance(50) {
            for option in ["--grid", "--block"] {
                arguments.extend([option, random.pick(&EXTENTS)].map(str::to_owned));
            }
        }
        for _ in 0..random.below(4) {
            let (option, values) = random.pick(&OPTIONS);
            if random.chance(60) && !is_of(command, option) {
                continue;
            }
            arguments.push(option.to_owned());
            if !values.is_empty() {
                arguments.push(random.pick(values).to_owned());
            }
        }
        let seconds = limit.as_secs_f64().to_string();
        arguments.extend(["--max-seconds".to_owned(), seconds]);
        // No argument can hold a NUL.
        for argument in &mut arguments {
            argument.retain(|sign| sign != '\0');
        }
        Self {
            arguments,
            files,
            input,
            limit,
            is_picture: false,
        }
    }
}

/// Whether a command takes an option: most runs are to come further than its arguments.
fn is_of(command: &str, option: &str) -> bool {
    let of: &[&str] = match option {
        "--grid" | "--block" | "--device" | "--count-repeated-reads" => {
            &["kernel", "expr", "fix", "compare", "link", "svg"]
        }
        "--arg" | "--kernel" | "-D" | "-I" | "--dynamic-shared" | "--no-includes" => {
            &["kernel", "fix", "compare", "link", "svg"]
        }
        "--max-requests" => &["kernel", "expr", "compare", "svg"],
        "--threads" => &["kernel", "expr", "compare"],
        "--format" => &["kernel", "expr", "fix", "trace", "compare", "layout"],
        "--max-steps" => &["svg"],
        _ => &["kernel"],
    };
    of.contains(&command)
}
