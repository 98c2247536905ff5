use crate::{Element, Family, Grid, Kernel, KernelId, Parameter, Stage, Values};

const fn tunable(name: &'static str, legal: &'static [u32], default: u32) -> Parameter {
    Parameter {
        name,
        stage: Stage::Pipeline,
        legal,
        default,
    }
}

const BLOCK: Parameter = tunable("BLOCK", &[64, 128, 256, 512, 1024], 256);
const REDUCE_UNROLL: Parameter = tunable("UNROLL", &[2, 4, 8, 16, 32], 16);
const COPY_UNROLL: Parameter = tunable("UNROLL", &[1, 2, 4, 8], 1);
const READ_UNROLL: Parameter = tunable("UNROLL", &[1, 2, 4, 8, 16], 16);
const BLOCK_X: Parameter = tunable("BLOCK_X", &[16, 32, 64, 128], 32);
const BLOCK_Y: Parameter = tunable("BLOCK_Y", &[4, 8, 16, 32], 8);
const TILE: Parameter = tunable("TILE", &[16, 32], 32);
const EACH: Parameter = tunable("EACH", &[8, 16], 16);
const QUADS_X: Parameter = tunable("QUADS_X", &[8, 16, 32], 16);
const QUADS_Y: Parameter = tunable("QUADS_Y", &[8, 16, 32], 16);
const WARPS_Y: Parameter = tunable("WARPS_Y", &[1, 2, 4, 8, 16], 4);
const LANES_X: Parameter = tunable("LANES_X", &[2, 4, 8, 16], 8);
const WARPS_X: Parameter = tunable("WARPS_X", &[1, 2, 4, 8], 2);
const PER_THREAD: Parameter = Parameter {
    name: "PER_THREAD",
    stage: Stage::Launch,
    legal: &[4, 16, 64, 256],
    default: 16,
};
const SLABS: Parameter = Parameter {
    name: "SLABS",
    stage: Stage::Launch,
    legal: &[1, 2, 4, 8, 16, 32],
    default: 1,
};
const TILES: Parameter = Parameter {
    name: "TILES",
    stage: Stage::Launch,
    legal: &[1, 2, 4, 8, 16, 64],
    default: 8,
};

const FLOATS: &[Element] = &[Element::F32];
const NUMBERS: &[Element] = &[Element::F32, Element::U32];

fn block(values: &Values) -> u64 {
    u64::from(values.get("BLOCK"))
}

fn per_thread(values: &Values) -> u64 {
    block(values) * u64::from(values.get("PER_THREAD"))
}

fn slab(values: &Values) -> u64 {
    block(values) * 4 * u64::from(values.get("UNROLL"))
}

fn slabs(values: &Values) -> u64 {
    slab(values) * u64::from(values.get("SLABS"))
}

fn line(values: &Values) -> [u32; 2] {
    [values.get("BLOCK"), 1]
}

fn plane(values: &Values) -> [u32; 2] {
    [values.get("BLOCK_X"), values.get("BLOCK_Y")]
}

fn four_planes(values: &Values) -> [u32; 2] {
    [values.get("BLOCK_X") * 4, values.get("BLOCK_Y")]
}

fn square(values: &Values) -> [u32; 2] {
    [values.get("TILE"); 2]
}

fn register_tile(values: &Values) -> [u32; 2] {
    let (lanes, warps) = (values.get("LANES_X"), values.get("WARPS_X"));
    [4 * lanes * warps, 4 * (32 / lanes) * values.get("WARPS_Y")]
}

fn register_block(values: &Values) -> [u32; 2] {
    [32 * values.get("WARPS_X") * values.get("WARPS_Y"), 1]
}

fn quad_tile(values: &Values) -> [u32; 2] {
    [4 * values.get("QUADS_X"), 4 * values.get("QUADS_Y")]
}

fn quad_block(values: &Values) -> [u32; 2] {
    [values.get("QUADS_X") * values.get("QUADS_Y"), 1]
}

fn quad_words(values: &Values) -> u32 {
    16 * values.get("QUADS_X") * values.get("QUADS_Y")
}

fn turn([columns, rows]: [u32; 2]) -> [u32; 2] {
    [rows, columns]
}

fn block_words(values: &Values) -> u32 {
    values.get("BLOCK")
}

fn nothing(_: &Values) -> u32 {
    0
}

macro_rules! kernel {
    ($id:ident, $stem:literal, $family:ident, $elements:expr, $grid:expr,
     workgroup $workgroup:expr, words $words:expr, [$($parameter:expr),*]
     $(, tuned $tuned:expr)? $(, part $part:literal)* $(, flag $flag:ident)*) => {
        Kernel {
            id: KernelId::$id,
            family: Family::$family,
            source: concat!(
                include_str!(concat!($stem, ".wgsl"))
                $(, include_str!(concat!("parts/", $part, ".wgsl")))*
            ),
            twin: include_str!(concat!($stem, ".cu")),
            elements: $elements,
            parameters: &[$($parameter),*],
            grid: $grid,
            workgroup: $workgroup,
            shared_words: $words,
            $(tuned: &$tuned,)?
            $($flag: true,)*
            ..Kernel::BASE
        }
    };
}

/// Every kernel, in the order of [`KernelId::ALL`].
pub(crate) static CATALOGUE: &[Kernel] = &[
    kernel!(CopyVec4, "copy_vec4", Ceiling, FLOATS, Grid::Elements(slab), workgroup line, words nothing, [BLOCK, COPY_UNROLL]),
    kernel!(ReadVec4, "read_vec4", Ceiling, FLOATS, Grid::Elements(slab), workgroup line, words nothing, [BLOCK, READ_UNROLL], tuned [("BLOCK", 512), ("UNROLL", 8)]),
    kernel!(ReduceDivergent, "reduce_divergent", Reduction, NUMBERS, Grid::Elements(block), workgroup line, words block_words, [BLOCK]),
    kernel!(ReduceInterleaved, "reduce_interleaved", Reduction, NUMBERS, Grid::Elements(block), workgroup line, words block_words, [BLOCK]),
    kernel!(ReduceSequential, "reduce_sequential", Reduction, NUMBERS, Grid::Elements(block), workgroup line, words block_words, [BLOCK]),
    kernel!(ReduceFirstAdd, "reduce_first_add", Reduction, NUMBERS, Grid::Elements(|v| 2 * block(v)), workgroup line, words block_words, [BLOCK]),
    kernel!(ReduceUnrolled, "reduce_unrolled", Reduction, NUMBERS, Grid::Elements(|v| 2 * block(v)), workgroup line, words block_words, [BLOCK], part "tree"),
    kernel!(ReduceGridStride, "reduce_grid_stride", Reduction, NUMBERS, Grid::Elements(per_thread), workgroup line, words block_words, [BLOCK, PER_THREAD], part "tree"),
    kernel!(ReduceVec4, "reduce_vec4", Reduction, NUMBERS, Grid::Elements(per_thread), workgroup line, words block_words, [BLOCK, PER_THREAD], tuned [("PER_THREAD", 64)], part "tree"),
    kernel!(ReduceSubgroup, "reduce_subgroup", Reduction, NUMBERS, Grid::Elements(slabs), workgroup line, words block_words, [BLOCK, REDUCE_UNROLL, SLABS], tuned [("BLOCK", 512), ("UNROLL", 4), ("SLABS", 4)], part "slab", flag needs_subgroups),
    kernel!(ReduceTwoPass, "reduce_two_pass", Reduction, NUMBERS, Grid::Elements(slabs), workgroup line, words block_words, [BLOCK, REDUCE_UNROLL, SLABS], tuned [("BLOCK", 512), ("UNROLL", 4), ("SLABS", 4)], part "slab", part "tree"),
    kernel!(ReduceSinglePass, "reduce_single_pass", Reduction, NUMBERS, Grid::Elements(slabs), workgroup line, words |v| block_words(v) + 1, [BLOCK, REDUCE_UNROLL, SLABS], tuned [("BLOCK", 256), ("UNROLL", 8), ("SLABS", 4)], part "slab", part "tree", flag single_pass),
    kernel!(CopyRow, "copy_row", Transpose, FLOATS, Grid::Tiles(plane), workgroup plane, words nothing, [BLOCK_X, BLOCK_Y], flag copies),
    kernel!(CopyCol, "copy_col", Transpose, FLOATS, Grid::TurnedTiles(plane), workgroup plane, words nothing, [BLOCK_X, BLOCK_Y], flag copies),
    kernel!(TransposeNaiveRow, "transpose_naive_row", Transpose, FLOATS, Grid::Tiles(plane), workgroup plane, words nothing, [BLOCK_X, BLOCK_Y]),
    kernel!(TransposeNaiveCol, "transpose_naive_col", Transpose, FLOATS, Grid::TurnedTiles(plane), workgroup plane, words nothing, [BLOCK_X, BLOCK_Y]),
    kernel!(TransposeUnroll4Row, "transpose_unroll4_row", Transpose, FLOATS, Grid::Tiles(four_planes), workgroup plane, words nothing, [BLOCK_X, BLOCK_Y]),
    kernel!(TransposeUnroll4Col, "transpose_unroll4_col", Transpose, FLOATS, Grid::TurnedTiles(four_planes), workgroup plane, words nothing, [BLOCK_X, BLOCK_Y]),
    kernel!(TransposeDiagonalRow, "transpose_diagonal_row", Transpose, FLOATS, Grid::Tiles(plane), workgroup plane, words nothing, [BLOCK_X, BLOCK_Y]),
    kernel!(TransposeDiagonalCol, "transpose_diagonal_col", Transpose, FLOATS, Grid::TurnedTiles(plane), workgroup plane, words nothing, [BLOCK_X, BLOCK_Y]),
    kernel!(TransposeTiled, "transpose_tiled", Transpose, FLOATS, Grid::Tiles(square), workgroup square, words |v| v.get("TILE").pow(2), [TILE]),
    kernel!(TransposePadded, "transpose_padded", Transpose, FLOATS, Grid::Tiles(square), workgroup square, words |v| v.get("TILE") * (v.get("TILE") + 1), [TILE]),
    kernel!(TransposeSwizzled, "transpose_swizzled", Transpose, FLOATS, Grid::Tiles(square), workgroup square, words |v| v.get("TILE").pow(2), [TILE]),
    kernel!(
        TransposeRows,
        "transpose_rows",
        Transpose,
        FLOATS,
        Grid::Tiles(|_| [32, 32]),
        workgroup | _ | [32, 8],
        words | _ | 32 * 33,
        []
    ),
    kernel!(TransposeVec4, "transpose_vec4", Transpose, FLOATS, Grid::TurnedTiles(|v| turn(quad_tile(v))), workgroup quad_block, words quad_words, [QUADS_X, QUADS_Y], part "quad_tile", flag quads),
    kernel!(TransposePersistent, "transpose_persistent", Transpose, FLOATS, Grid::FoldedTiles(quad_tile), workgroup quad_block, words quad_words, [QUADS_X, QUADS_Y, TILES], part "quad_tile", flag quads),
    kernel!(TransposeRegisters, "transpose_registers", Transpose, FLOATS, Grid::TurnedTiles(|v| turn(register_tile(v))), workgroup register_block, words nothing, [LANES_X, WARPS_X, WARPS_Y], flag quads),
    kernel!(
        TransposeScalar,
        "transpose_scalar",
        Transpose,
        FLOATS,
        Grid::TurnedTiles(|_| [64, 64]),
        workgroup | v | [4096 / v.get("EACH"), 1],
        words | _ | 4096,
        [EACH],
        tuned[("EACH", 8)]
    ),
    kernel!(
        TransposeSectors,
        "transpose_sectors",
        Transpose,
        FLOATS,
        Grid::CutTiles(|_| [56, 32]),
        workgroup | _ | [256, 1],
        words | _ | 2048,
        []
    ),
    kernel!(
        StrideProbe,
        "stride_probe",
        Stride,
        &[Element::U32],
        Grid::Given,
        workgroup | _ | [64, 1],
        words | _ | 4096,
        []
    ),
];
