//! Sources with the diagnostics and the figures that belong to them, as data.
//!
//! A file holds cases. A case begins with `=== title`; lines of settings follow (`grid 2,1,1`,
//! `block 32,8`, `arg n 5`, `dynamic 1024`, `define N 4`, `op store`, `lanes 64`, `device cc8.0`),
//! then `---` and the source, then `---` and the figures that are expected, each with
//! its number; figures of a line as `line 3 wavefronts 32`. A line of the source that a
//! diagnostic belongs to ends with `//~ text`, where the text stands in the message; one without
//! a line stands before the figures as `says text`. An expression has its declarations and its
//! accesses with a line `...` between.

#![allow(
    clippy::unwrap_used,
    reason = "a case file that cannot be read fails the test"
)]

use lanescope_cuda::parse_expression;
use lanescope_frontend::{
    ArgumentValue, Budget, Buffer, Contents, Diagnostic, KernelOptions, NamedLaunch, Parsed,
    Severity, SourceOutcome, execute,
};
use lanescope_model::{Device, Operation};
use lanescope_query::parse_compiled;
use lanescope_tally::{Sums, Tally};
use std::path::PathBuf;

#[derive(Debug, Default)]
struct Case {
    title: String,
    settings: Vec<Vec<String>>,
    source: String,
    expected: Vec<Vec<String>>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut list: Vec<Case> = Vec::new();
    let mut part = 0;
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("=== ") {
            list.push(Case {
                title: title.to_owned(),
                ..Case::default()
            });
            part = 0;
            continue;
        }
        let Some(case) = list.last_mut() else {
            continue;
        };
        let words = || {
            line.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        match part {
            _ if line == "---" => part += 1,
            0 if !line.trim().is_empty() => case.settings.push(words()),
            1 => {
                case.source.push_str(line);
                case.source.push('\n');
            }
            2 if !line.trim().is_empty() => case.expected.push(words()),
            _ => {}
        }
    }
    list
}

fn three(text: &str) -> [u32; 3] {
    let mut sides = text.split(',').map(|side| side.parse().unwrap());
    std::array::from_fn(|_| sides.next().unwrap_or(1))
}

struct Setting {
    launch: NamedLaunch,
    options: KernelOptions,
    operation: Operation,
    lanes: u32,
    device: String,
}

fn setting(case: &Case) -> Setting {
    let mut found = Setting {
        launch: NamedLaunch::default(),
        options: KernelOptions::default(),
        operation: Operation::Load,
        lanes: 32,
        device: "cc9.0".to_owned(),
    };
    for words in &case.settings {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            ["grid", sides] => found.launch.grid = three(sides),
            ["block", sides] => found.launch.block = three(sides),
            ["arg", name, "iota"] => {
                found.launch = found.launch.with(
                    name,
                    ArgumentValue::Buffer(Buffer {
                        contents: Contents::Iota,
                        ..Buffer::default()
                    }),
                )
            }
            ["arg", name, "offset", bytes] => {
                found.launch = found.launch.with(
                    name,
                    ArgumentValue::Buffer(Buffer {
                        base_offset: bytes.parse().unwrap(),
                        ..Buffer::default()
                    }),
                )
            }
            ["arg", name, value] => {
                found.launch = found
                    .launch
                    .with(name, ArgumentValue::Integer(value.parse().unwrap()))
            }
            ["var", name, value] => found
                .launch
                .variables
                .push((name.to_owned(), value.parse().unwrap())),
            ["dynamic", bytes] => found.launch.dynamic_shared_bytes = bytes.parse().unwrap(),
            ["define", name, value] => found
                .options
                .defines
                .push((name.to_owned(), value.to_owned())),
            ["kernel", name] => found.options.kernel = Some(name.to_owned()),
            ["op", "store"] => found.operation = Operation::Store,
            ["op", "ldmatrix"] => found.operation = Operation::MatrixLoad { matrices: 4 },
            ["lanes", lanes] => found.lanes = lanes.parse().unwrap(),
            ["device", name] => found.device = name.to_owned(),
            _ => panic!("{}: setting {words:?}", case.title),
        }
    }
    found
}

fn parse(case: &Case, setting: &Setting) -> Parsed {
    match case.source.split_once("...\n") {
        Some((declarations, accesses)) => parse_expression(
            declarations.trim_end_matches('\n'),
            accesses,
            setting.operation,
        ),
        None => parse_compiled(&case.source, &setting.options),
    }
}

fn check_diagnostics(
    case: &Case,
    parsed: &Parsed,
    outcome: &SourceOutcome,
    wrong: &mut Vec<String>,
) {
    let mut left: Vec<&Diagnostic> = parsed.diagnostics.iter().chain(&outcome.findings).collect();
    let mut take = |line: Option<usize>, text: &str| {
        let found = left.iter().position(|one| {
            line.is_none_or(|line| one.line as usize == line) && one.to_string().contains(text)
        });
        match found {
            Some(at) => {
                left.remove(at);
            }
            None => wrong.push(format!(
                "{}: no diagnostic `{text}` on line {line:?}",
                case.title
            )),
        }
    };
    let source = case.source.replacen("\n...\n", "\n", 1);
    for (at, line) in source.lines().enumerate() {
        for text in line.split("//~").skip(1) {
            take(Some(at + 1), text.trim());
        }
    }
    for words in case.expected.iter().filter(|words| words[0] == "says") {
        take(None, &words[1..].join(" "));
    }
    wrong.extend(
        left.iter()
            .filter(|one| one.severity() != Severity::Note || one.kind.code() == "depends-on-data")
            .map(|one| format!("{}: line {}: {one}", case.title, one.line)),
    );
}

fn figure(sums: &Sums, name: &str) -> Option<u64> {
    Some(match name {
        "requests" => sums.requests,
        "wavefronts" => sums.wavefronts,
        "ideal" => sums.ideal_wavefronts,
        "conflicts" => sums.conflicts,
        "ways" => u64::from(sums.ways),
        "sectors" => sums.sectors,
        "ideal_sectors" => sums.ideal_sectors,
        "bytes_used" => sums.bytes_used,
        "bytes_moved" => sums.bytes_moved,
        _ => return None,
    })
}

fn check_figures(
    case: &Case,
    parsed: &Parsed,
    tally: &Tally<'_>,
    outcome: &SourceOutcome,
    wrong: &mut Vec<String>,
) {
    let totals = tally.totals();
    for words in case.expected.iter().filter(|words| words[0] != "says") {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (found, expected) = match words[..] {
            ["line", line, name, expected] => {
                let mut sums = Sums::default();
                tally
                    .lines(&parsed.program)
                    .iter()
                    .filter(|row| row.0.to_string() == line)
                    .for_each(|row| sums.add(&row.2));
                (figure(&sums, name), expected)
            }
            ["requests", expected] => (Some(outcome.requests), expected),
            [name, expected] => (total(&totals, name), expected),
            _ => panic!("{}: figure {words:?}", case.title),
        };
        if found != expected.parse().ok() {
            wrong.push(format!(
                "{}: {} is {found:?}, expected {expected}",
                case.title,
                words.join(" ")
            ));
        }
    }
}

fn total(totals: &lanescope_tally::Totals, name: &str) -> Option<u64> {
    let named = totals.named();
    let found = named.iter().find(|(known, _)| *known == name);
    found.map(|(_, count)| *count)
}

fn run(case: &Case, wrong: &mut Vec<String>) {
    let setting = setting(case);
    let parsed = parse(case, &setting);
    let mut tally = Tally::new(Device::by_id(&setting.device).unwrap());
    let budget = Budget {
        requests: 200_000,
        steps: 4_000_000,
        ..Budget::default()
    };
    let outcome = execute(
        &parsed.program,
        &setting.launch,
        setting.lanes,
        budget,
        &mut tally,
    );
    check_diagnostics(case, &parsed, &outcome, wrong);
    check_figures(case, &parsed, &tally, &outcome, wrong);
}

#[test]
fn each_case_says_and_costs_what_stands_beside_it() {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files: Vec<PathBuf> = ["cases", "classes"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(tests.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        for mut case in cases(&std::fs::read_to_string(&file).unwrap()) {
            case.title = format!("{name}: {}", case.title);
            run(&case, &mut wrong);
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 50, "{count} cases");
}
