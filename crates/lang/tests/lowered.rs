//! Kernels of `ir` behind the program type: requests, places, arguments, doubts.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_lang::{
    Access, ArgumentValue, Budget, Buffer, DiagnosticKind, End, Launch, Limit, Program, execute,
};

/// Each thread reads `in[2 * thread]` where it is below `n`, and writes shared memory at four times the value.
const TEXT: &str = r#"
kernel "gather" stage=source shared=4096 {
  registers d8 r8 p1
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
  p0 = lt.i32 r0, r1
  branch p0, b1, b2, b2
b1:
  d0 = parameter.u64 0
  d1 = multiplywide.u32 r0, 8
  d2 = add.u64 d0, d1
  r2 = load s0 [d2] #1
  r3 = multiply.u32 r2, 4
  store s1 [r3] r0 #2
  jump b2
b2:
  exit
}
"#;

fn run(launch: &Launch, budget: Budget) -> (Vec<(u32, u64, Vec<u64>)>, lanescope_lang::Outcome) {
    let program = Program::from_ir(TEXT.parse().unwrap(), "ab\ncdefgh\nij\n", vec!["gather".into()]);
    let mut seen = Vec::new();
    let mut observe = |access: &Access<'_>| {
        let request = &access.request;
        seen.push((access.site.0, request.active.0, request.addresses[..4].to_vec()));
        true
    };
    let outcome = execute(&program, launch, 32, budget, &mut observe);
    (seen, outcome)
}
