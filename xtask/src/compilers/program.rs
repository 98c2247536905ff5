//! Random kernels of the kinds that people write: maps, stencils, tiles, reductions, products, scans, histograms.
//!
//! No address or branch depends on the contents of an array, so that source and SASS can both be counted whole.

mod maps;
mod products;
mod sums;

use super::random::Random;

use maps::{branches, image, map, neighbours, stencil_1d, stencil_2d, strided_map, structures};
use products::{product, register_tiles, tiled_product, transpose};
use sums::{butterfly, histogram, row_sums, scan, shared_reduction, warp_reduction};

/// What a parameter is given.
#[derive(Clone, Copy)]
pub(super) enum Value {
    /// An array of so many bytes.
    Array(u64),
    /// An `int`.
    Integer(i32),
}

/// A kernel and its launch.
pub(super) struct Program {
    /// Which kind it is of.
    pub(super) kind: String,
    /// The idioms that it mixes, where it is made of such.
    pub(super) idioms: Vec<&'static str>,
    pub(super) source: String,
    pub(super) grid: [u64; 3],
    pub(super) block: [u64; 3],
    pub(super) dynamic_shared_bytes: u64,
    pub(super) parameters: Vec<(String, Value)>,
}

/// What makes a kernel of that name, of one kind.
pub(super) type Kind = fn(&mut Random, &str) -> Program;

/// Every kind and what makes it.
const KINDS: [Kind; 18] = [
    map,
    strided_map,
    structures,
    stencil_1d,
    stencil_2d,
    transpose,
    shared_reduction,
    warp_reduction,
    product,
    tiled_product,
    register_tiles,
    row_sums,
    histogram,
    scan,
    butterfly,
    image,
    branches,
    neighbours,
];

/// Kernel `name` of the `index`-th kind, with the choices that `seed` gives.
pub(super) fn program(index: usize, seed: u64, name: &str) -> Program {
    chosen(&KINDS, index, seed, name)
}

/// Kernel `name` of the `index`-th of `kinds`, around, with the choices that `seed` gives.
pub(super) fn chosen(kinds: &[Kind], index: usize, seed: u64, name: &str) -> Program {
    let kind = kinds[index % kinds.len()];
    kind(&mut Random::new(seed), name)
}

/// Bytes of each array.
const ARRAY: u64 = 1 << 22;

/// Element types and their bytes.
const ELEMENTS: [&str; 7] = [
    "float",
    "float",
    "float",
    "int",
    "double",
    "short",
    "unsigned char",
];

fn restrict(random: &mut Random) -> &'static str {
    random.pick(&["", "", " __restrict__"])
}

fn constant(random: &mut Random) -> &'static str {
    random.pick(&["const ", "const ", ""])
}

fn unroll(random: &mut Random) -> &'static str {
    random.pick(&[
        "",
        "",
        "",
        "",
        "#pragma unroll\n    ",
        "#pragma unroll 1\n    ",
        "#pragma unroll 2\n    ",
        "#pragma unroll 4\n    ",
    ])
}

/// `const float* a, float* __restrict__ c`: arrays `inputs`, then `c`.
fn arrays(random: &mut Random, element: &str, inputs: &[&str]) -> String {
    let (restrict, constant) = (restrict(random), constant(random));
    let mut list: Vec<String> = inputs
        .iter()
        .map(|name| format!("{constant}{element}*{restrict} {name}"))
        .collect();
    list.push(format!("{element}*{restrict} c"));
    list.join(", ")
}

fn index_1d(random: &mut Random) -> &'static str {
    random.pick(&[
        "int i = blockIdx.x * blockDim.x + threadIdx.x;",
        "const int i = threadIdx.x + blockIdx.x * blockDim.x;",
        "unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;",
        "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;",
    ])
}

/// An odd or even number of elements for a grid of so many threads.
fn size(random: &mut Random, threads: u64) -> i32 {
    let less = random.pick(&[0, 0, 1, 13, 40]);
    i32::try_from(threads.saturating_sub(less)).unwrap_or(i32::MAX)
}

/// A kernel and its launch: after its arrays come the integers `sizes`.
pub(super) fn made(
    kind: &'static str,
    source: String,
    [grid, block]: [[u64; 3]; 2],
    arrays: &[&'static str],
    sizes: &[(&'static str, i32)],
) -> Program {
    let arrays = arrays
        .iter()
        .map(|name| ((*name).to_owned(), Value::Array(ARRAY)));
    let sizes = sizes
        .iter()
        .map(|(name, size)| ((*name).to_owned(), Value::Integer(*size)));
    Program {
        kind: kind.to_owned(),
        idioms: Vec::new(),
        source,
        grid,
        block,
        dynamic_shared_bytes: 0,
        parameters: arrays.chain(sizes).collect(),
    }
}

/// An element of each array, or of one, joined to a value.
fn value(random: &mut Random, at: &str) -> String {
    let forms = [
        format!("a[{at}] + b[{at}]"),
        format!("a[{at}] * 2 + b[{at}] * 3"),
        format!("a[{at}] > b[{at}] ? a[{at}] : b[{at}]"),
        format!("(a[{at}] - b[{at}]) * (a[{at}] - b[{at}])"),
        format!("a[{at}] + b[{at}] * c[{at}]"),
        format!("a[{at}]"),
        format!("a[{at}] > 0 ? a[{at}] : b[{at}]"),
        format!("a[{at}] * a[{at}]"),
    ];
    forms[usize::try_from(random.below(forms.len() as u64)).unwrap_or(0)].clone()
}
