//! Random kernels in the manner of published programs: layers of networks, tiles of nests, bodies in loops, vector types,
//! loops that are left early, guards.
//!
//! No address or branch depends on the contents of an array, so that source and SASS can both be counted whole.

mod maps;
mod nests;
mod rows;

use super::program::{self, Kind, Program, chosen};
use super::random::Random;

use maps::{bodies, helpers, index_parts, left_early, two_buffers, vector_map};
use nests::{convolution, planes, pooling, small_nest, transform, triangle};
use rows::{columns, row_norm, row_products, softmax};

/// Every kind and what makes it.
const KINDS: [Kind; 16] = [
    row_norm,
    softmax,
    vector_map,
    bodies,
    convolution,
    left_early,
    triangle,
    pooling,
    columns,
    row_products,
    index_parts,
    two_buffers,
    planes,
    transform,
    helpers,
    small_nest,
];

/// Kernel `name` of the `index`-th kind, with the choices that `seed` gives.
pub(super) fn program(index: usize, seed: u64, name: &str) -> Program {
    chosen(&KINDS, index, seed, name)
}

/// `text` with each `$KEY` replaced by its word.
fn fill(text: &str, words: &[(&str, &str)]) -> String {
    words.iter().fold(text.to_owned(), |text, (key, word)| {
        text.replace(&format!("${key}"), word)
    })
}

/// A kernel with arrays `a`, `b`, `c` and the integers `sizes`.
fn made(
    kind: &'static str,
    source: String,
    grid_and_block: [[u64; 3]; 2],
    sizes: &[(&'static str, i32)],
) -> Program {
    program::made(kind, source, grid_and_block, &["a", "b", "c"], sizes)
}

/// The list of arrays, as some people write it.
fn arrays(random: &mut Random, element: &str) -> String {
    let form = random.pick(&[
        "const $E* a, const $E* b, $E* c",
        "const $E* __restrict__ a, const $E* __restrict__ b, $E* __restrict__ c",
        "$E* a, $E* b, $E* c",
    ]);
    fill(form, &[("E", element)])
}

fn unroll(random: &mut Random) -> &'static str {
    random.pick(&[
        "",
        "",
        "",
        "",
        "#pragma unroll\n",
        "#pragma unroll\n",
        "#pragma unroll 2\n",
        "#pragma unroll 4\n",
        "#pragma unroll 1\n",
    ])
}

/// Sums over a block: within warps by exchange, then over warps in shared memory.
fn block_sum(random: &mut Random) -> &'static str {
    random.pick(&[
        "for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? s[threadIdx.x % 32] : 0;
    if (threadIdx.x < 32) for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    if (threadIdx.x == 0) s[0] = v;
    __syncthreads();
    v = s[0];",
        "#pragma unroll
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if ((threadIdx.x & 31) == 0) s[threadIdx.x >> 5] = v;
    __syncthreads();
    v = 0;
    for (int k = 0; k < blockDim.x / 32; ++k) v += s[k];",
        "s[threadIdx.x] = v;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    v = s[0];",
    ])
}
