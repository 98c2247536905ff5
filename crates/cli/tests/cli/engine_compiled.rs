//! One engine for compiled code: command line, page, and what Python and the module for programs call give the same
//! totals, lines, reasons and sentence.

use crate::engine::{answer_difference, report_fields};
use crate::run::{golden, lanescope};
use lanescope_query::{Question, Read, Report, analyse};
use lanescope_share::{Source, State};
use serde_json::Value;
use std::path::PathBuf;

/// Lanes 128 bytes apart in global memory and 4 apart in shared memory.
const ASYNC_SASS: &str = "\
/*0000*/ S2R R2, SR_TID.X ;
/*0010*/ LDC.64 R4, c[0x0][0x210] ;
/*0020*/ ULDC.64 UR4, c[0x0][0x208] ;
/*0030*/ IMAD.SHL.U32 R3, R2, 0x4, RZ ;
/*0040*/ IMAD.WIDE.U32 R6, R2, 0x80, R4 ;
/*0050*/ LDGSTS.E [R3+0x400], desc[UR4][R6.64] ;
/*0060*/ LDGDEPBAR ;
/*0070*/ DEPBAR.LE SB0, 0x0 ;
/*0080*/ EXIT ;
";

/// The same in PTX.
const ASYNC_PTX: &str = "\
.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0) {
.reg .b32 %r<4>; .reg .b64 %rd<5>;
.shared .align 4 .b8 tile[128];
ld.param.u64 %rd1, [k_param_0];
cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x;
shl.b32 %r2, %r1, 2;
mov.u32 %r3, tile;
add.s32 %r2, %r2, %r3;
mul.wide.u32 %rd3, %r1, 128;
add.s64 %rd4, %rd2, %rd3;
cp.async.ca.shared.global [%r2], [%rd4], 4;
cp.async.commit_group;
cp.async.wait_group 0;
ret;
}
";

/// A hundred requests of four ways, and one of 32 ways.
const MANY_AND_ONE: &str = "\
.version 8.5
.target sm_90
.address_size 64
.visible .entry k() {
.reg .b32 %r<9>; .reg .pred %p<2>;
.shared .align 4 .b8 tile[8192];
mov.u32 %r1, %tid.x;
mov.u32 %r2, tile;
shl.b32 %r3, %r1, 4;
add.s32 %r3, %r3, %r2;
shl.b32 %r4, %r1, 7;
add.s32 %r4, %r4, %r2;
mov.u32 %r5, 0;
L:
st.volatile.shared.u32 [%r3], %r5;
add.s32 %r5, %r5, 1;
setp.lt.u32 %p1, %r5, 100;
@%p1 bra L;
st.volatile.shared.u32 [%r4], %r5;
ret;
}
";

fn state(text: &str, kernel: Option<&str>, [grid, block]: [[u32; 3]; 2]) -> State {
    let mut state = State {
        source: Source::Kernel(text.to_owned()),
        ..State::default()
    };
    state.launch.kernel = kernel.map(str::to_owned);
    state.launch.grid = grid;
    state.launch.block = block;
    state
}

/// The command line's answer.
fn command_line(state: &State) -> Value {
    let Source::Kernel(text) = &state.source else {
        return Value::Null;
    };
    let extent = |extent: [u32; 3]| extent.map(|side| side.to_string()).join(",");
    let (grid, block) = (extent(state.launch.grid), extent(state.launch.block));
    let mut args = vec![
        "kernel", "-", "--grid", &grid, "--block", &block, "--format", "json",
    ];
    if let Some(name) = &state.launch.kernel {
        args.extend(["--kernel", name]);
    }
    let given: Vec<String> = state
        .launch
        .arguments
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    for one in &given {
        args.extend(["--arg", one]);
    }
    let ran = lanescope(&args, text.as_bytes());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err))
}

/// How the command line, the page and the engine that the page and other programs read a text with differ.
fn differences(id: &str, state: &State) -> Vec<String> {
    let Source::Kernel(text) = &state.source else {
        return Vec::new();
    };
    let parsed = lanescope_compiled::read(text, state.launch.kernel.as_deref());
    let parsed = parsed.expect("compiled code");
    let question = Question::with(state, parsed.clone(), text.clone(), 100_000_000);
    let analysis = analyse(question.expect("it can be asked"));
    let engine = serde_json::to_value(Report::of(&analysis)).expect("JSON");
    let cli = command_line(state);
    let mut found = Vec::new();
    for (cli, engine) in report_fields(&cli).iter().zip(&report_fields(&engine)) {
        if cli != engine {
            found.push(format!(
                "{id}: the command line {cli:#}, the engine {engine:#}"
            ));
        }
    }
    let read = Read::foreign(state, parsed);
    let page = answer_difference(state, read, &analysis);
    found.extend(page.map(|one| format!("{id}: {one}")));
    found
}

/// The kernels of a listing or of PTX, by their mangled names.
fn kernels(text: &str) -> Vec<String> {
    let named = text.lines().filter_map(|line| {
        let line = line.trim();
        let after = line
            .strip_prefix("Function : ")
            .or_else(|| line.strip_prefix(".visible .entry "))
            .or_else(|| line.strip_prefix(".section\t.text."))?;
        let end = after.find(['(', ',', '\t', ' ']).unwrap_or(after.len());
        Some(after[..end].to_owned())
    });
    named.collect()
}

#[test]
fn every_compiled_golden_file_is_answered_alike() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(golden("compiled"))
        .expect("the folder")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|kind| kind != "cu"))
        .collect();
    files.sort();
    let (mut asked, mut found) = (0, Vec::new());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("text");
        for kernel in kernels(&text) {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let id = format!("{name} {kernel}");
            let mut state = state(&text, Some(&kernel), [[2, 1, 1], [64, 1, 1]]);
            found.extend(differences(&id, &state));
            // A number by the name that the page shows.
            state
                .launch
                .arguments
                .push(("param_2".to_owned(), "128".to_owned()));
            let parsed = lanescope_compiled::read(&text, Some(&kernel)).expect("compiled code");
            let parameters = parsed.program.parameters();
            let is_number = |one: &&lanescope_frontend::SourceParameter| {
                one.name == "param_2" && one.array.is_none()
            };
            if parameters.iter().any(|one| is_number(&one)) {
                found.extend(differences(&format!("{id} param_2=128"), &state));
            }
            asked += 1;
        }
    }
    assert!(asked >= 20, "{asked}");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn an_asynchronous_copy_is_no_store_anywhere() {
    let launch = [[1, 1, 1], [32, 1, 1]];
    for (text, line) in [(ASYNC_SASS, 6), (ASYNC_PTX, 15)] {
        let state = state(text, None, launch);
        let found = differences("copy", &state);
        assert!(found.is_empty(), "{}", found.join("\n"));
        let report = command_line(&state);
        let total = |name: &str| report["totals"][name].as_u64();
        assert_eq!(total("async_copy_wavefronts"), Some(32), "{report:#}");
        assert_eq!(total("shared_store_wavefronts"), Some(0));
        assert_eq!(total("global_load_sectors"), Some(32));
        let verdict = format!(
            "32-way bank conflict on line {line} (cc9.0): 32 async copy wavefronts, ideal 1"
        );
        assert_eq!(report["verdict"], verdict, "{report:#}");
    }
}

#[test]
fn the_headline_is_the_line_that_costs_most_in_all() {
    let state = state(MANY_AND_ONE, None, [[1, 1, 1], [32, 1, 1]]);
    let found = differences("many", &state);
    assert!(found.is_empty(), "{}", found.join("\n"));
    let report = command_line(&state);
    assert_eq!(
        report["verdict"],
        "4-way bank conflict on line 15 (cc9.0): 400 shared store wavefronts, ideal 100"
    );
}

#[test]
fn a_line_says_how_far_its_counts_can_be_relied_on() {
    let text = "__global__ void k(float *a, int *at) {
        a[threadIdx.x] = 1;
        a[at[threadIdx.x]] = 2;
    }";
    let args = ["kernel", "-", "--block", "32", "--format", "json"];
    let ran = lanescope(&args, text.as_bytes());
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let lines = report["lines"].as_array().expect("lines");
    let certainties: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                line["line"].clone(),
                line["op"].clone(),
                line["certainty"].clone(),
            )
        })
        .collect();
    let row = |line: u32, op: &str, certainty: &str| (line.into(), op.into(), certainty.into());
    assert_eq!(
        certainties,
        [
            row(2, "global_store", "counted"),
            row(3, "global_load", "counted"),
            row(3, "global_store", "assumed"),
        ]
    );
}
