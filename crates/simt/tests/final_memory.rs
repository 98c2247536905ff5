//! What a launch leaves in memory.

use lanescope_ir::Kernel;
use lanescope_simt::{Budget, Contents, Launch, Nobody, execute_storing};

use crate::support::buffer;

/// `out[i] = 3 * in[i]`, of which no address depends on a value.
const TEXT: &str = r#"kernel "triple" stage=source shared=0 {
  place 0 0..0
  parameter "in" "int*" offset=0 bytes=8 array=a0 #0
  parameter "out" "int*" offset=8 bytes=8 array=a1 #0
  a0 "in" global "int" size=4 align=256 #0
  a1 "out" global "int" size=4 align=256 #0
  s0 "in[i]" load generic i32 bytes=4 array=a0 #0
  s1 "out[i]" store generic i32 bytes=4 array=a1 #0
b0:
  d0 = special.address.0
  d1 = special.address.1
  r2 = special.thread.x
  d3 = convert.i64.u32.rn r2
  d4 = mad.u64 d3, 4, d0
  r5 = load s0 [d4]
  r6 = mul.i32 r5, 3
  d7 = mad.u64 d3, 4, d1
  store s1 [d7], r6
  exit
}
"#;

#[test]
fn stored_values_are_computed_and_kept() {
    let kernel: Kernel = TEXT.parse().unwrap();
    let bytes = (0..8_u32).flat_map(u32::to_le_bytes).collect();
    let held = |contents| buffer(Some(40), contents);
    let launch = Launch {
        grid: [1, 1, 1],
        block: [8, 1, 1],
        parameters: vec![held(Contents::Bytes(bytes)), held(Contents::Unknown)],
        ..Launch::default()
    };
    let (_, memory) = execute_storing(&kernel, &launch, 32, Budget::default(), &mut Nobody);
    let found = memory.parameter(&kernel, 1, 40);
    let expected = (0..8_u32).flat_map(|i| (3 * i).to_le_bytes()).map(Some);
    assert!(
        found.iter().copied().eq(expected.chain([None; 8])),
        "{found:?}"
    );
}
