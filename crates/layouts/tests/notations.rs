//! Layouts as people paste them, from C++, Python, printed output and Triton's IR.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use crate::support;

use lanescope_layouts::{self as layouts, Document};
use support::read;

/// The lines of a data file that are neither empty nor notes, split at ` => `.
fn cases(data: &str) -> impl Iterator<Item = (String, String)> {
    data.lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
        .map(|line| line.split_once(" => ").unwrap())
        .map(|(text, expected)| (text.replace('⏎', "\n"), expected.replace('⏎', "\n")))
}

#[test]
fn each_notation_says_the_same_bytes() {
    let mut checked = 0;
    for (text, same) in cases(include_str!("data/notations.txt")) {
        let (left, right) = (read(&text).placement, read(&same).placement);
        let left = left.unwrap_or_else(|| panic!("no layout: {text}"));
        let right = right.unwrap();
        assert_eq!(left.size(), right.size(), "{text}");
        let bytes = |of: &layouts::Placement| {
            (0..of.size())
                .map(|index| of.address_of(index))
                .collect::<Vec<_>>()
        };
        assert_eq!(bytes(&left), bytes(&right), "{text}");
        checked += 1;
    }
    assert!(checked > 80, "{checked}");
}

/// `[lane]`: the byte addresses of a text's first request.
fn addresses(text: &str) -> Vec<u64> {
    read(text).requests[0].addresses.clone()
}

#[test]
fn the_type_in_the_text_is_the_type() {
    for (text, name, bytes) in [
        (
            "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
            "b16",
            2,
        ),
        ("smem_ptr[8b](unset) o (_8,_64):(_64,_1)", "b8", 1),
        ("GMMA::Layout_K_SW128_Atom<cutlass::half_t>{}", "half_t", 2),
        (
            "UMMA::Layout_K_SW64_Atom<float_e4m3_t>{}",
            "float_e4m3_t",
            1,
        ),
        (
            "using T = tfloat32_t;\nusing A = GMMA::Layout_K_SW32_Atom<T>;\nA{}",
            "tfloat32_t",
            4,
        ),
        ("upcast<16>(GMMA::Layout_K_SW128_Atom_Bits{})", "b16", 2),
        (
            "#s = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>\n\
             !ttg.memdesc<8x64xf8E4M3FN, #s, #smem>",
            "f8E4M3FN",
            1,
        ),
        (
            "#ttg.nvmma_shared<{swizzlingByteWidth = 32, elementBitWidth = 32}> on 8x8",
            "b32",
            4,
        ),
        ("type bf16\n(8,64):(64,1)", "bf16", 2),
        ("(8,64):(64,1)", "f32", 4),
    ] {
        let document = read(text);
        let element = (document.element.as_str(), document.element_bytes);
        assert_eq!(element, (name, bytes), "{text}");
        assert_eq!(document.placement.unwrap().element_bytes(), bytes, "{text}");
    }
}

#[test]
fn matrix_rows_of_a_column_major_layout_are_its_columns() {
    // 64 rows of 64 halves, columns contiguous: lane i gives column i % 8 of the block i / 8.
    let found = addresses("type f16\n(64,64):(1,64)\nldmatrix.x4.trans");
    for lane in 0..32_u64 {
        let (matrix, line) = (lane / 8, lane % 8);
        let (row, column) = (matrix % 2 * 8, matrix / 2 * 8 + line);
        let expected = (column * 64 + row) * 2;
        assert_eq!(
            found[usize::try_from(lane).unwrap()],
            expected,
            "lane {lane}"
        );
    }
    let copied = addresses("type f16\n(64,64):(1,64)\ncp.async 16");
    assert_eq!(copied[..9], [0, 16, 32, 48, 64, 80, 96, 112, 128]);
    let down = addresses("type f16\n(64,64):(1,64)\nload column bits 128");
    assert_eq!(down[..3], [0, 16, 32]);
    // Rows stay rows where they are contiguous: `.trans` changes no address.
    let rows = addresses("type f16\n(16,64):(64,1)\nldmatrix.x4.trans");
    assert_eq!(rows, addresses("type f16\n(16,64):(64,1)\nldmatrix.x4"));
}

#[test]
fn instructions_and_copy_atoms_are_accesses() {
    let tile = "type f16\n(64,64):(64,1)\n";
    for (instruction, same) in [
        (
            "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
            "ldmatrix.x4.trans",
        ),
        (
            "ldmatrix.sync.aligned.m8n8.x2.shared::cta.b16",
            "ldmatrix.x2",
        ),
        ("SM75_U32x4_LDSM_N", "ldmatrix.x4"),
        ("SM75_U16x8_LDSM_T", "ldmatrix.x4.trans"),
        ("SM90_U32x4_STSM_N", "stmatrix.x4"),
        ("ld.shared.v4.f32 row", "load row bits 128"),
        ("st.shared.v2.b32 lanes 4x8", "store lanes 4x8 bits 64"),
        ("ld.shared.b32", "load row bits 32"),
        (
            "store #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}> at (0,0)",
            "store tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>>",
        ),
    ] {
        let (left, right) = (
            read(&format!("{tile}{instruction}")),
            read(&format!("{tile}{same}")),
        );
        let plain = |document: &Document| {
            let requests = document.requests.iter().map(|request| {
                (
                    request.operation,
                    request.width,
                    request.active,
                    request.addresses.clone(),
                )
            });
            requests.collect::<Vec<_>>()
        };
        assert!(!left.requests.is_empty(), "{instruction}");
        assert_eq!(plain(&left), plain(&right), "{instruction}");
    }
}

#[test]
fn registers_of_tritons_encodings_make_the_widest_accesses_that_all_lanes_can_do() {
    let tile = "type f16\n(16,64):(64,1)\n";
    let blocked = read(&format!(
        "{tile}#b = #ttg.blocked<{{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], \
         order = [1, 0]}}>\nload #b"
    ));
    // Two warps of four rows each, twice: 16 bytes a lane.
    assert_eq!(blocked.requests.len(), 4);
    assert_eq!(blocked.requests[0].width.bytes(), 16);
    assert_eq!(
        blocked.requests[0].addresses[..9],
        [0, 16, 32, 48, 64, 80, 96, 112, 128]
    );
    assert_eq!(blocked.requests[2].elements[0], Some((4, 0)));
    let mma = read(&format!(
        "{tile}#m = #ttg.nvidia_mma<{{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], \
         instrShape = [16, 8]}}>\nstore #m"
    ));
    assert_eq!((mma.requests.len(), mma.requests[0].width.bytes()), (16, 4));
    assert_eq!(mma.requests[0].addresses[..5], [0, 4, 8, 12, 128]);
    // Registers that run down a row-major tile cannot be joined.
    let down = read(&format!(
        "{tile}#l = #ttg.linear<{{register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], \
         warp = [[4, 0], [8, 0]], block = []}}>\nstore #l"
    ));
    assert!(
        down.requests
            .iter()
            .all(|request| request.width.bytes() == 2)
    );
    assert_eq!(down.requests.len(), 4 * 4 * 2);
}

#[test]
fn operations_of_tritons_ir_are_layouts_with_accesses() {
    let text = "#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32} {
  tt.func public @kernel(%arg0: tensor<64x64xf16, #blocked>) {
    %0 = ttg.local_alloc %arg0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_load %0 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    tt.return
  }
}";
    let document = read(text);
    assert_eq!(document.element, "f16");
    // Four warps, four steps of four rows each; a store and a load.
    assert_eq!(document.requests.len(), 2 * 4 * 4);
    let stores = document
        .requests
        .iter()
        .filter(|request| request.operation == lanescope_model::Operation::Store);
    assert_eq!(stores.count(), 16);
    assert!(
        document
            .requests
            .iter()
            .all(|request| request.width.bytes() == 16)
    );
}

#[test]
fn an_access_may_go_everywhere_in_the_tile() {
    let tile = "type f16\nSwizzle<3,3,3> o (32,64):(64,1)\n";
    for (access, requests) in [
        ("ldmatrix.x4 everywhere", 2 * 4),
        ("ldmatrix.x2 everywhere", 2 * 8),
        ("load row everywhere", 32 * 2),
        ("load column bits 128 everywhere", 8),
        ("cp.async 16 everywhere", 8),
        ("cp.async 16", 1),
    ] {
        let document = read(&format!("{tile}{access}"));
        assert_eq!(document.requests.len(), requests, "{access}");
        let touched: std::collections::BTreeSet<u64> = document
            .requests
            .iter()
            .flat_map(|request| request.active.iter().map(|lane| request.addresses[lane]))
            .collect();
        let lanes: usize = document
            .requests
            .iter()
            .map(|request| request.active.count() as usize)
            .sum();
        assert_eq!(touched.len(), lanes, "{access}: no place twice");
    }
    let cut = read("type f16\n(24,64):(64,1)\nldmatrix.x4 everywhere");
    assert_eq!(cut.requests.len(), 4, "what does not fit whole is not done");
}

#[test]
fn registers_alone_are_loaded() {
    let text = "#d = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
!ttg.memdesc<4x64xf16, #s, #smem>\n";
    for access in ["#d", "tensor<4x64xf16, #d>", "load #d"] {
        let document = read(&format!("{text}{access}"));
        assert_eq!(document.requests.len(), 1, "{access}");
        assert_eq!(
            document.requests[0].operation,
            lanescope_model::Operation::Load
        );
    }
}

/// Operands of `wgmma` and `tcgen05`: which mode is contiguous, the swizzle, and bytes to the next
/// eight lines and to the next atom along the lines.
#[test]
fn operand_layouts_are_known_by_their_descriptors() {
    type Described = (bool, &'static str, Option<u64>, Option<u64>);
    let cases: [(&str, Option<Described>); 10] = [
        (
            "GMMA::Layout_K_SW128_Atom<half_t>{}",
            Some((true, "128B", None, None)),
        ),
        (
            "GMMA::Layout_MN_SW64_Atom<half_t>{}",
            Some((false, "64B", None, None)),
        ),
        (
            "GMMA::Layout_K_INTER_Atom<half_t>{}",
            Some((true, "none", None, None)),
        ),
        (
            "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64,_128>{})",
            Some((true, "128B", Some(1024), Some(8192))),
        ),
        (
            "tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>{}, Shape<_128,_64>{})",
            Some((false, "128B", Some(2048), Some(1024))),
        ),
        (
            "type f16\ntma<64B>(64,32)",
            Some((true, "64B", Some(512), None)),
        ),
        (
            "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}> on 64x64",
            Some((false, "128B", Some(1024), None)),
        ),
        (
            "type f16\nSwizzle<3,3,3> o (64,64):(64,1)",
            Some((true, "128B", Some(1024), None)),
        ),
        ("type f16\n(64,64):(64,1)", None),
        ("type f16\nbase 128\ntma<none>(64,64)", None),
    ];
    for (text, expected) in cases {
        let operand = read(text).placement.unwrap().operand();
        let described = operand.map(|operand| {
            (
                operand.is_k_major,
                operand.mode.name(),
                operand.next_lines_bytes,
                operand.next_along_bytes,
            )
        });
        assert_eq!(described, expected, "{text}");
    }
}

/// Triton's definition: groups of `vec` are XORed with the phase, and the phase with the block's number.
#[test]
fn rotating_phases_go_on_from_block_to_block() {
    for (vec, per_phase, max_phase) in [(1, 1, 4), (2, 1, 8), (4, 2, 4), (1, 4, 2), (8, 1, 8)] {
        for order in ["[1, 0]", "[0, 1]"] {
            let text = format!(
                "type u8\n#ttg.amd_rotating_shared<{{vec = {vec}, perPhase = {per_phase}, \
                 maxPhase = {max_phase}, order = {order}}}> on 64x64"
            );
            let placement = read(&text).placement.unwrap();
            for row in 0..64_u64 {
                let phase = row / per_phase % max_phase;
                let block = row / (per_phase * max_phase) % max_phase;
                for column in 0..64_u64 {
                    let moved = column ^ ((phase ^ block) * vec % 64);
                    let at = if order == "[1, 0]" {
                        placement.address(row, column)
                    } else {
                        placement.address(column, row)
                    };
                    assert_eq!(at, Some(row * 64 + moved), "{text} {row} {column}");
                }
            }
        }
    }
}
