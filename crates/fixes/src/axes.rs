//! The two thread axes exchanged.

use std::ops::Range;

use lanescope_frontend::Launch;

use crate::Edit;
use crate::lexical::Lexical;

/// What tells threads of one warp apart, so that exchanging axes would change what it does.
const OF_THE_WARP: [&str; 7] = [
    "__shfl",
    "__shfl_sync",
    "__shfl_xor_sync",
    "__shfl_down_sync",
    "__shfl_up_sync",
    "__ballot_sync",
    "warpSize",
];

/// `threadIdx.x` and `.y`, `blockDim.x` and `.y` exchanged everywhere in these bodies, and the launch's
/// block with them; `None` where the source does not use both.
pub(crate) fn swap(
    code: &Lexical,
    bodies: &[Range<usize>],
    launch: &Launch,
) -> Option<(Vec<Edit>, Launch)> {
    if OF_THE_WARP.iter().any(|name| {
        bodies
            .iter()
            .any(|body| !code.words(name, body.clone()).is_empty())
    }) {
        return None;
    }
    let mut edits = axis_edits(code, bodies, "threadIdx")?;
    let square = launch.block[0] == launch.block[1];
    let mut swapped = launch.clone();
    if !square {
        edits.extend(axis_edits(code, bodies, "blockDim").unwrap_or_default());
        swapped.block.swap(0, 1);
    }
    Some((edits, swapped))
}

fn axis_edits(code: &Lexical, bodies: &[Range<usize>], name: &str) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    let mut seen = [false; 2];
    let words = bodies
        .iter()
        .flat_map(|body| code.words(name, body.clone()));
    for at in words {
        let dot = code.skip_blanks(at + name.len());
        let axis = code.skip_blanks(dot + 1);
        let other = match (
            code.text(dot..dot + 1).as_str(),
            code.text(axis..axis + 1).as_str(),
        ) {
            (".", "x") => 1,
            (".", "y") => 0,
            (".", _) => continue,
            _ => return None,
        };
        seen[other] = true;
        edits.push(Edit::new(axis, axis + 1, ["x", "y"][other]));
    }
    (seen == [true; 2]).then_some(edits)
}

/// Threads of a block in the order they had before the exchange: `[new thread] -> old thread`.
pub(crate) fn renumbered(thread: usize, old_block: [u32; 3]) -> usize {
    let [x, y, _] = old_block.map(|side| side.max(1) as usize);
    let (plane, inner) = (thread / (x * y), thread % (x * y));
    // The new block is y wide: its (i, j) does what (j, i) did.
    let (i, j) = (inner % y, inner / y);
    plane * x * y + i * x + j
}
