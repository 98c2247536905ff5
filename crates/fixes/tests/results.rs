//! No fix changes what a kernel computes: both sources are run on random data, and what they
//! leave in global memory is compared.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use crate::written;

use std::collections::{BTreeMap, BTreeSet};

use lanescope_fixes::{Advice, FixKind, Proof, Question, Reader, Source, Suggestion, Version};
use lanescope_frontend::{
    Access, Argument, ArgumentValue, Blocks, Budget, FinalValues, NamedLaunch, Program, execute,
};
use lanescope_kernels::{Kernel, Values};
use lanescope_model::{Device, Operation, Space};
use lanescope_query::SourceReader;

fn asked(source: &Source, launch: NamedLaunch) -> Advice {
    let question = Question {
        source,
        reader: &SourceReader::default(),
        launch,
        device: <&Device>::default(),
        budget: Budget {
            requests: 1_000_000,
            steps: 50_000_000,
            ..Budget::default()
        },
        registers: None,
    };
    written::advise(&question)
}

fn integer(name: &str, value: i64) -> Argument {
    Argument {
        name: name.to_owned(),
        value: ArgumentValue::Integer(value),
    }
}

/// The sums that a run leaves in each output, every thread storing the sum of what it has read
/// since its last store; leaves are drawn from array, element and byte.
/// `old` tells where a byte of an array stood before the fix.
fn sums(
    program: &Program,
    launch: &NamedLaunch,
    blocks: u64,
    old: &dyn Fn(&str, u64) -> u64,
) -> BTreeMap<(String, u64), u64> {
    let mut shared = BTreeMap::new();
    let mut global = BTreeMap::new();
    let mut held: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    let mut block = 0;
    let launch = NamedLaunch {
        blocks: Blocks::First(blocks),
        ..launch.clone()
    };
    let mut watch = |access: &Access<'_>| {
        if access.block != block {
            block = access.block;
            shared.clear();
        }
        let array = program
            .site(access.site)
            .and_then(|site| site.array)
            .and_then(|id| program.array(id));
        let (name, base) =
            array.map_or((String::new(), 0), |array| (array.name.clone(), array.base));
        for lane in access.request.active.iter() {
            let address = access.request.addresses[lane];
            let thread = (access.block, u64::from(access.warp) * 32 + lane as u64);
            let held = held.entry(thread).or_default();
            let (memory, key, first) = match access.request.space {
                Space::Shared => (&mut shared, (String::new(), address), 0),
                Space::Global => {
                    let byte = old(&name, address - base);
                    let first = byte.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7;
                    (&mut global, (name.clone(), byte), first)
                }
            };
            let before = memory.get(&key).copied().unwrap_or(first);
            match access.request.operation {
                Operation::Load => *held = held.wrapping_add(before),
                Operation::Store => {
                    memory.insert(key, std::mem::take(held));
                }
                _ => {
                    memory.insert(key, before.wrapping_add(std::mem::take(held)));
                }
            }
        }
        true
    };
    let _ = execute(program, &launch, 32, Budget::default(), &mut watch);
    global
}

/// Grid, block and arguments of the kernels measured on an H200.
fn measured() -> Vec<(String, NamedLaunch)> {
    let mut kernels = Vec::new();
    for file in ["h200_kernels.json", "h200_more_kernels.json"] {
        let path = format!("{}/../../tests/golden/{file}", env!("CARGO_MANIFEST_DIR"));
        let rows: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut seen = BTreeSet::new();
        for row in rows.as_array().unwrap() {
            // Without the values of its template a kernel may never end.
            if !row["launch"].is_null() || !seen.insert(row["file"].to_string()) {
                continue;
            }
            let side =
                |key: &str, at: usize| u32::try_from(row[key][at].as_u64().unwrap()).unwrap();
            let extents = |key: &str| [side(key, 0), side(key, 1), side(key, 2)];
            let mut launch = NamedLaunch::new(extents("grid"), extents("block"));
            launch.blocks = Blocks::First(2);
            for argument in row["arguments"].as_str().unwrap().split_whitespace() {
                if let Some((name, value)) = argument.split_once('=') {
                    let value = value.parse().map_or_else(
                        |_| ArgumentValue::Real(value.parse().unwrap()),
                        ArgumentValue::Integer,
                    );
                    launch = launch.with(name, value);
                }
            }
            let file = format!(
                "{}/../../tests/golden/{}",
                env!("CARGO_MANIFEST_DIR"),
                row["file"].as_str().unwrap()
            );
            kernels.push((std::fs::read_to_string(file).unwrap(), launch));
        }
    }
    kernels
}

/// Where a byte stood before the fix.
fn old_place(suggestion: &Suggestion, program: &Program, name: &str, byte: u64) -> u64 {
    match &suggestion.kind {
        FixKind::Pitch { arrays, from, to } if arrays.iter().any(|one| one == name) => {
            let array = program.arrays().iter().find(|array| array.name == name);
            let size = array.map_or(4, |array| array.element_bytes);
            let element = byte / size;
            (element / to * from + element % to) * size + byte % size
        }
        FixKind::AlignStructure { bytes } => {
            let of = |name: &str| program.arrays().iter().find(|array| array.name == name);
            match (of(name), of(&suggestion.array)) {
                (Some(array), Some(aligned)) if array.element == aligned.element => {
                    byte / bytes * array.element_bytes + byte % bytes
                }
                _ => byte,
            }
        }
        _ => byte,
    }
}

/// The program as written.
fn written(source: &Source) -> Program {
    SourceReader::default()
        .read(source, Version::Written)
        .program
}

/// Whether the first blocks of both leave the same bytes.
fn leave_the_same(
    before: &Program,
    launch: &NamedLaunch,
    after: &Program,
    suggestion: &Suggestion,
) -> bool {
    let values = |program, launch: &NamedLaunch| {
        let launch = NamedLaunch {
            blocks: Blocks::First(2),
            ..launch.clone()
        };
        FinalValues::of(program, &launch, 32, Budget::default()).unwrap()
    };
    let now = values(before, launch);
    values(after, &suggestion.launch).are_those_of(&now)
}

/// Compares every fix of the source; how many there were.
fn compare(text: &str, launch: &NamedLaunch) -> usize {
    let source = Source::kernel(text);
    let before = written(&source);
    let old = sums(&before, launch, 2, &|_, byte| byte);
    let mut checked = 0;
    for suggestion in asked(&source, launch.clone()).suggestions {
        // The inputs of one have other names, the accesses of the other other widths: these
        // leaves are not the same numbers. tests/values.rs compares what they compute, value by value.
        if let FixKind::SplitGlobal | FixKind::Widen { .. } = suggestion.kind {
            continue;
        }
        let after = written(&suggestion.source);
        // Shuffles and sums at a load are no sums of what a thread reads: the bytes are compared.
        if suggestion.proof == Proof::SameResults {
            assert!(leave_the_same(&before, launch, &after, &suggestion));
            checked += 1;
            continue;
        }
        let place = |name: &str, byte| old_place(&suggestion, &before, name, byte);
        // Wider blocks do the work of several.
        let blocks = 2 * launch.block_threads() / suggestion.launch.block_threads();
        let new = sums(&after, &suggestion.launch, blocks, &place);
        let (kind, text) = (&suggestion.kind, suggestion.source.text());
        assert_eq!(old, new, "{kind}\n{text}");
        checked += 1;
    }
    checked
}

#[test]
fn no_fix_of_a_measured_kernel_changes_its_results() {
    let kernels = measured();
    let compared = kernels.iter().map(|(text, launch)| compare(text, launch));
    let checked: usize = compared.sum();
    assert!(checked >= 20, "{checked}");
}

/// A launch of a few blocks that the kernel has work in.
fn small_launch(kernel: &Kernel, values: &Values, program: &Program) -> NamedLaunch {
    let [x, y] = kernel.workgroup(values);
    let mut launch = NamedLaunch::new([2, 2, 1], [x, y, 1]);
    launch.blocks = Blocks::First(3);
    for parameter in program
        .parameters()
        .iter()
        .filter(|one| one.array.is_none())
    {
        let value = match parameter.name.as_str() {
            "columns" => 100,
            "rows" => 68,
            "stride" => 4,
            "rounds" => 2,
            _ => 8_192,
        };
        launch.arguments.push(integer(&parameter.name, value));
    }
    launch
}

#[test]
fn no_fix_of_a_kernel_of_the_catalogue_changes_its_results() {
    let (mut with_fixes, mut checked) = (0, 0);
    for kernel in Kernel::all() {
        let twin = kernel.twin(&kernel.defaults());
        let program = written(&Source::kernel(&twin));
        let launch = small_launch(kernel, &kernel.defaults(), &program);
        let compared = compare(&twin, &launch);
        with_fixes += usize::from(compared > 0);
        checked += compared;
    }
    assert!(with_fixes >= 5 && checked >= 10, "{with_fixes} {checked}");
}
