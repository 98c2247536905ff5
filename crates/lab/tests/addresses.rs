//! A kernel's CUDA-like twin and its WGSL make the same addresses: block by block and warp by
//! warp the same requests, wherever the text lets them fall.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;

use lanescope_cuda::parse_kernel;
use lanescope_frontend::{
    Access, ArgumentValue, Budget, End, KernelOptions, NamedLaunch, Parsed, Severity, execute,
};
use lanescope_kernels::{Family, Kernel, KernelId, Problem, Shape, Stage, Values};
use lanescope_lab::prediction::launch;
use lanescope_model::MAX_LANES;
use lanescope_tally::Kind;

const LANES: u32 = 32;

/// What is done, how wide, and where each lane does it.
type Request = (Kind, u64, Vec<Option<u64>>);
/// The requests of each warp of each block, in order of their addresses.
type Requests = BTreeMap<(u64, u32), Vec<Request>>;

fn requests(parsed: &Parsed, launch: &NamedLaunch) -> Requests {
    let errors: Vec<_> = parsed
        .diagnostics
        .iter()
        .filter(|found| found.severity() == Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let mut found = Requests::new();
    let mut observe = |access: &Access<'_>| {
        let request = &access.request;
        let lane = |lane: usize| {
            let on = request.active.0 >> lane & 1 == 1;
            request.addresses.get(lane).copied().filter(|_| on)
        };
        let lanes = (0..MAX_LANES.min(LANES as usize)).map(lane).collect();
        let kind = Kind::of(request.space, request.operation);
        let warp = found.entry((access.block, access.warp)).or_default();
        warp.push((kind, request.width.bytes(), lanes));
        true
    };
    let outcome = execute(
        &parsed.program,
        launch,
        LANES,
        Budget::default(),
        &mut observe,
    );
    assert_eq!(outcome.end, End::Complete);
    found.values_mut().for_each(|warp| warp.sort());
    found
}

fn of_twin(kernel: &Kernel, values: &Values, problem: Problem) -> Requests {
    let parsed = parse_kernel(&kernel.twin(values), &KernelOptions::default());
    requests(&parsed, &launch(kernel, values, problem).unwrap())
}

fn of_wgsl(kernel: &Kernel, values: &Values, problem: Problem) -> Requests {
    let pipeline = |name: &str| {
        let mut parameters = kernel.parameters.iter();
        parameters.any(|p| p.name == name && p.stage == Stage::Pipeline)
    };
    let defines = values.iter().filter(|(name, _)| pipeline(name));
    let options = KernelOptions {
        defines: defines
            .map(|(name, value)| (name.to_owned(), value.to_string()))
            .collect(),
        ..KernelOptions::default()
    };
    let text = kernel.wgsl(kernel.elements[0]);
    let parsed = lanescope_wgsl::parse(&text, &options);
    let Shape {
        columns,
        rows,
        length,
        groups,
    } = kernel.shape(problem, values).unwrap();
    let fields = [
        ("columns", columns),
        ("rows", rows),
        ("length", length),
        ("groups", groups),
    ];
    let plain = launch(kernel, values, problem).unwrap();
    let launch = fields.into_iter().fold(
        NamedLaunch::new(plain.grid, plain.block),
        |launch, (name, value)| {
            launch.with(
                &format!("shape.{name}"),
                ArgumentValue::Integer(value.into()),
            )
        },
    );
    requests(&parsed, &launch)
}

fn problems(kernel: &Kernel, values: &Values) -> Vec<Problem> {
    match kernel.family {
        Family::Transpose => [(64, 64), (100, 236), (203, 101)]
            .map(|(rows, columns)| Problem::Matrix { rows, columns })
            .to_vec(),
        Family::Stride => [1, 6, 32]
            .map(|stride_words| Problem::Stride {
                stride_words,
                rounds: 2,
                workgroups: 2,
            })
            .to_vec(),
        _ => {
            let reach = kernel.reach(values)[0];
            [1, 5, 1003, 3 * reach + 7].map(Problem::Length).to_vec()
        }
    }
}

/// The first request that only one of the two makes.
fn difference(twin: &Requests, wgsl: &Requests) -> Option<String> {
    let warps: std::collections::BTreeSet<_> = twin.keys().chain(wgsl.keys()).collect();
    let none = Vec::new();
    warps.into_iter().find_map(|warp| {
        let (a, b) = (
            twin.get(warp).unwrap_or(&none),
            wgsl.get(warp).unwrap_or(&none),
        );
        let only =
            |a: &[Request], b: &[Request]| a.iter().find(|request| !b.contains(request)).cloned();
        (a != b).then(|| {
            let (a, b) = ((a.len(), only(a, b)), (b.len(), only(b, a)));
            format!("{warp:?}: twin {a:?}, wgsl {b:?}")
        })
    })
}

fn compare(kernel: &Kernel, values: &Values) -> Vec<String> {
    let taken = problems(kernel, values)
        .into_iter()
        .filter(|p| kernel.takes(*p));
    let faults = taken.filter_map(|problem| {
        let (twin, wgsl) = (
            of_twin(kernel, values, problem),
            of_wgsl(kernel, values, problem),
        );
        let found = difference(&twin, &wgsl)?;
        Some(format!("{} {values:?} {problem:?}: {found}", kernel.name()))
    });
    faults.collect()
}

#[test]
fn twins_and_wgsl_make_the_same_addresses() {
    let mut faults = Vec::new();
    for kernel in Kernel::all() {
        for values in [kernel.defaults(), kernel.tuned()] {
            faults.extend(compare(kernel, &values));
        }
    }
    assert!(
        faults.is_empty(),
        "{} differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn they_do_in_every_block_shape_too() {
    for id in [KernelId::TransposeNaiveCol, KernelId::TransposeUnroll4Row] {
        let kernel = Kernel::of(id);
        for [x, y] in [[16, 16], [64, 4], [128, 8]] {
            let values = kernel.defaults().with("BLOCK_X", x).with("BLOCK_Y", y);
            assert_eq!(compare(kernel, &values), Vec::<String>::new());
        }
    }
}

/// What the twin's own text as WGSL asks for; `None` where it says that it asks for something else.
fn of_emitted(kernel: &Kernel, values: &Values, problem: Problem) -> Option<Requests> {
    let ir = lanescope_cuda::read(&kernel.twin(values), &KernelOptions::default()).kernel?;
    let plain = launch(kernel, values, problem)?;
    let options = lanescope_emit::Options {
        block: plain.block,
        grid: plain.grid,
        ..lanescope_emit::Options::default()
    };
    let emitted = lanescope_emit::emit(&ir, &options).unwrap();
    let differs = |note: &lanescope_emit::Note| {
        use lanescope_emit::Note;
        matches!(note, Note::SeveralWidths(_) | Note::Exchanges)
    };
    if emitted.notes.iter().any(differs) {
        return None;
    }
    let parsed = lanescope_wgsl::parse(&emitted.text, &KernelOptions::default());
    let launch = plain.arguments.iter().fold(
        NamedLaunch::new(plain.grid, plain.block),
        |launch, argument| launch.with(&format!("args.{}", argument.name), argument.value.clone()),
    );
    Some(requests(&parsed, &launch))
}

/// The kernel whose twin exchanges through shared memory what subgroups exchange.
const OTHERWISE: KernelId = KernelId::ReduceSubgroup;

#[test]
fn twins_emitted_as_wgsl_make_the_same_addresses() {
    let mut faults = Vec::new();
    for kernel in Kernel::all() {
        let values = kernel.defaults();
        for problem in problems(kernel, &values) {
            if !kernel.takes(problem) {
                continue;
            }
            let emitted = of_emitted(kernel, &values, problem);
            assert_eq!(
                emitted.is_none(),
                kernel.id == OTHERWISE,
                "{}",
                kernel.name()
            );
            let twin = of_twin(kernel, &values, problem);
            let found = emitted.and_then(|emitted| difference(&twin, &emitted));
            faults.extend(found.map(|found| format!("{} {problem:?}: {found}", kernel.name())));
        }
    }
    assert!(
        faults.is_empty(),
        "{} differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn a_twin_of_another_kernel_is_found_out() {
    let (tiled, padded) = (
        Kernel::of(KernelId::TransposeTiled),
        Kernel::of(KernelId::TransposePadded),
    );
    let problem = Problem::Matrix {
        rows: 64,
        columns: 64,
    };
    let twin = of_twin(tiled, &tiled.defaults(), problem);
    let wgsl = of_wgsl(padded, &padded.defaults(), problem);
    assert!(difference(&twin, &wgsl).is_some());
}
