//! What is stored to one buffer changes nothing that is read of another, and is not computed for it.

use crate::support;

use lanescope_ir::Kernel;
use lanescope_simt::{Budget, Contents, Launch, ParameterValue, execute};
use support::{Keeper, row_of_blocks};

/// Each thread stores its number to `target`, reads its place of `in`, and loads from the one that it finds there.
fn kernel(target: &str) -> Kernel {
    let text = format!(
        "kernel \"k\" stage=ptx {{
  parameter \"in\" \"\" offset=0 bytes=8
  parameter \"out\" \"\" offset=8 bytes=8
  s0 \"\" store global u32 bytes=4
  s1 \"\" load global u32 bytes=4
  s2 \"\" load global u32 bytes=4
b0: d0 = parameter.u64 0; d1 = parameter.u64 8; r2 = special.thread.x
  r11 = xor.u32 r2, 5; r12 = mul.u32 r11, 3; r13 = xor.u32 r2, r12; r3 = xor.u32 r13, r12
  d4 = mul_wide.u32 r2, 4; d5 = add.u64 {target}, d4; store s0 [d5], r3
  d6 = add.u64 d0, d4; r7 = load s1 [d6]
  d8 = mul_wide.u32 r7, 4; d9 = add.u64 d0, d8; r10 = load s2 [d9]
  exit
}}"
    );
    let kernel: Kernel = text.parse().expect("the text is a kernel");
    assert_eq!(kernel.verify(), Ok(()));
    kernel
}

fn launch() -> Launch {
    let buffer = || ParameterValue::Buffer {
        bytes: Some(1 << 12),
        base_offset: 0,
        offset_in_allocation: 0,
        contents: Contents::Zero,
    };
    Launch {
        parameters: vec![buffer(), buffer()],
        ..row_of_blocks(1, 32)
    }
}

/// The steps of a run, and by how much the addresses of its last request are apart.
fn run(target: &str) -> (u64, u64) {
    let mut keeper = Keeper::default();
    let outcome = execute(
        &kernel(target),
        &launch(),
        32,
        Budget::default(),
        &mut keeper,
    );
    assert_eq!((outcome.requests, outcome.doubts.len()), (3, 0));
    let last = &keeper.made[2].addresses;
    (outcome.steps, last[1] - last[0])
}

#[test]
fn what_is_stored_to_the_same_buffer_is_read() {
    assert_eq!(run("d0").1, 4);
}

#[test]
fn what_is_stored_to_another_buffer_is_not_computed() {
    let (same, other) = (run("d0"), run("d1"));
    assert_eq!(other.1, 0);
    assert!(other.0 < same.0, "{} steps of {}", other.0, same.0);
}
