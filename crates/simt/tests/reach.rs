//! How far a launch goes into its buffers.

use lanescope_ir::Kernel;
use lanescope_simt::{Budget, Contents, Launch, reached_bytes};

use crate::support::buffer;

/// `out[i] = in[i + 4]` of two blocks.
const TEXT: &str = r#"kernel "shifted" stage=source shared=0 {
  place 0 0..0
  parameter "in" "int*" offset=0 bytes=8 array=a0 #0
  parameter "out" "int*" offset=8 bytes=8 array=a1 #0
  parameter "spare" "int*" offset=16 bytes=8 array=a2 #0
  a0 "in" global "int" size=4 align=256 #0
  a1 "out" global "int" size=4 align=256 #0
  a2 "spare" global "int" size=4 align=256 #0
  s0 "in[i + 4]" load generic i32 bytes=4 array=a0 #0
  s1 "out[i]" store generic i32 bytes=4 array=a1 #0
b0:
  d0 = special.address.0
  d1 = special.address.1
  r2 = special.thread.x
  r3 = special.block.x
  r4 = mad.u32 r3, 8, r2
  d5 = convert.i64.u32.rn r4
  d6 = mad.u64 d5, 4, d0
  r7 = load s0 [d6+16]
  d8 = mad.u64 d5, 4, d1
  store s1 [d8], r7
  exit
}
"#;

#[test]
fn a_buffer_is_as_large_as_the_launch_goes_into_it() {
    let kernel: Kernel = TEXT.parse().expect("a kernel");
    let launch = Launch {
        grid: [2, 1, 1],
        block: [8, 1, 1],
        parameters: vec![buffer(None, Contents::Zero); 3],
        ..Launch::default()
    };
    let reached = reached_bytes(&kernel, &launch, 32, Budget::default());
    assert_eq!(reached, Some(vec![80, 64, 0]));
    let small = Budget {
        requests: 1,
        ..Budget::default()
    };
    assert_eq!(reached_bytes(&kernel, &launch, 32, small), None);
}
