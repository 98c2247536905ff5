//! How far a launch goes into its buffers, known without running each of its blocks.

use lanescope_ir::Kernel;
use lanescope_simt::{Budget, Contents, Launch, proved_extents, reached_bytes};

use crate::support::buffer;

/// `out[f(block) * 8 + thread] = …` with the block's own number replaced by what `index` makes of it in `r3`.
fn kernel(index: &str) -> Kernel {
    let text = format!(
        r#"kernel "stores" stage=source shared=0 {{
  place 0 0..0
  parameter "out" "int*" offset=0 bytes=8 array=a0 #0
  a0 "out" global "int" size=4 align=256 #0
  s0 "out[i]" store generic i32 bytes=4 array=a0 #0
b0:
  d0 = special.address.0
  r1 = special.thread.x
  r2 = special.block.x
{index}
  r4 = mad.u32 r3, 8, r1
  d5 = convert.i64.u32.rn r4
  d6 = mad.u64 d5, 4, d0
  store s0 [d6], r1
  exit
}}
"#
    );
    text.parse().expect("a kernel")
}

fn launch(blocks: u32, bytes: Option<u64>) -> Launch {
    Launch {
        grid: [blocks, 1, 1],
        block: [8, 1, 1],
        parameters: vec![buffer(bytes, Contents::Unknown)],
        ..Launch::default()
    }
}

const FEW: Budget = Budget {
    requests: 500,
    steps: 10_000,
    bytes: 1 << 24,
    findings: 64,
    watched_blocks: 0,
};

#[test]
fn a_launch_of_too_many_blocks_to_run_each_has_known_extents() {
    let kernel = kernel("  r3 = add.u32 r2, 3");
    let large = launch(1 << 20, None);
    assert_eq!(reached_bytes(&kernel, &large, 32, FEW), None);
    let extents = proved_extents(&kernel, &large, 32, FEW);
    assert_eq!(extents, Some(vec![32 * ((1 << 20) + 3)]));
}

#[test]
fn a_block_in_the_middle_that_goes_farthest_is_found() {
    // Block b stores to b ^ 96: of 100 blocks, block 31 goes to 127.
    let kernel = kernel("  r3 = xor.u32 r2, 96");
    let all = launch(100, None);
    let extents = proved_extents(&kernel, &all, 32, FEW);
    let each = reached_bytes(&kernel, &all, 32, Budget::default());
    assert_eq!(each, Some(vec![32 * 128]));
    assert!(extents.is_none() || extents == each, "{extents:?}");
    let enough = Budget {
        requests: 5_000,
        ..FEW
    };
    assert_eq!(proved_extents(&kernel, &all, 32, enough), each);
}

#[test]
fn what_depends_on_what_is_not_known_has_no_extent() {
    let kernel = kernel("  r3 = load s0 [d0]");
    assert_eq!(
        proved_extents(&kernel, &launch(1 << 20, None), 32, FEW),
        None
    );
}

#[test]
fn a_given_size_is_kept() {
    let kernel = kernel("  r3 = add.u32 r2, 0");
    let extents = proved_extents(&kernel, &launch(1 << 20, Some(64)), 32, FEW);
    assert!(extents.is_some());
}
