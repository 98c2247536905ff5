//! Kernels of `ir` behind the program type: requests, places, arguments, doubts.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_frontend::{
    Access, ArgumentValue, Budget, Buffer, DiagnosticKind, End, NamedLaunch, Program, execute,
};

/// Each thread reads `in[2 * thread]` where it is below `n`, and writes shared memory at four times the value.
const TEXT: &str = r#"
kernel "gather" stage=source shared=4096 {
  registers r0 r1 p2 d3 d4 d5 r6 r7
  place 0 0..0
  place 1 3..9 2:1
  place 2 10..12 3:1
  parameter "in" "const int*" offset=0 bytes=8 array=a0 #1
  parameter "n" "int" offset=8 bytes=4 scalar=i32
  a0 "in" global "int" size=4 align=256
  s0 "in[2 * t]" load global i32 bytes=4 array=a0 #1
  s1 "tile[v]" store shared i32 bytes=4 #2
b0:
  r0 = special.thread.x
  r1 = parameter.i32 8
  p2 = lt.i32 r0, r1
  branch p2, b1, b2, b2
b1:
  d3 = parameter.u64 0
  d4 = mul_wide.u32 r0, 8
  d5 = add.u64 d3, d4
  r6 = load s0 [d5] #1
  r7 = mul.u32 r6, 4
  store s1 [r7], r0 #2
  jump b2
b2:
  exit
}
"#;

fn run(
    launch: &NamedLaunch,
    budget: Budget,
) -> (Vec<(u32, u64, Vec<u64>)>, lanescope_frontend::SourceOutcome) {
    let program = Program::new(
        TEXT.parse().unwrap(),
        "ab\ncdefgh\nij\n",
        vec!["gather".into()],
    );
    let mut seen = Vec::new();
    let mut observe = |access: &Access<'_>| {
        let request = &access.request;
        seen.push((
            access.site.0,
            request.active.0,
            request.addresses[..4].to_vec(),
        ));
        true
    };
    let outcome = execute(&program, launch, 32, budget, &mut observe);
    (seen, outcome)
}

fn buffer(contents: lanescope_frontend::Contents) -> ArgumentValue {
    ArgumentValue::Buffer(Buffer {
        elements: Some(64),
        base_offset: 4,
        contents,
    })
}

#[test]
fn requests_come_with_their_places_and_addresses() {
    let launch = NamedLaunch::new([2, 1, 1], [32, 1, 1])
        .with("in", buffer(lanescope_frontend::Contents::Iota))
        .with("n", ArgumentValue::Integer(5));
    let (seen, outcome) = run(&launch, Budget::default());
    assert_eq!(outcome.end, End::Complete);
    assert_eq!((outcome.blocks_done, outcome.blocks_total), (2, 2));
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    assert_eq!(seen.len(), 4);
    let (site, lanes, addresses) = &seen[0];
    assert_eq!((*site, *lanes), (0, 0b11111));
    let first = addresses[0];
    assert_eq!(first % 256, 4);
    assert_eq!(addresses[..4], [first, first + 8, first + 16, first + 24]);
    assert_eq!(seen[1], (1, 0b11111, vec![0, 8, 16, 24]));
}

#[test]
fn contents_that_nobody_gave_and_numbers_that_are_missing_are_said() {
    let (seen, outcome) = run(&NamedLaunch::new([1, 1, 1], [32, 1, 1]), Budget::default());
    assert_eq!(seen.len(), 2);
    let said = |wanted: &dyn Fn(&DiagnosticKind) -> bool| {
        outcome.findings.iter().any(|one| wanted(&one.kind))
    };
    assert!(said(
        &|kind| matches!(kind, DiagnosticKind::MissingArgument { name, .. } if name == "n")
    ));
    assert!(said(
        &|kind| matches!(kind, DiagnosticKind::DependsOnData { array, .. } if array.as_deref() == Some("in"))
    ));
    let at = outcome
        .findings
        .iter()
        .find(|one| one.kind.code() == "depends-on-data");
    assert_eq!(at.map(|one| one.line), Some(3));
}

#[test]
fn a_budget_stops_it() {
    let budget = Budget {
        requests: 1,
        ..Budget::default()
    };
    let (seen, outcome) = run(&NamedLaunch::new([4, 1, 1], [32, 1, 1]), budget);
    assert_eq!(seen.len(), 1);
    assert_eq!(outcome.end, End::Requests);
}
