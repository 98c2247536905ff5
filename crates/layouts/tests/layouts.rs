//! Layouts against published examples, published formulas and their own definitions.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use std::collections::{BTreeMap, BTreeSet};

use lanescope_layouts::{
    self as layouts, Document, Layout, Placement, Swizzle, Tile, TmaSwizzle, XorTable, coalesce,
    complement, composition, left_inverse, right_inverse,
};
use lanescope_trace::Trace;
use proptest::prelude::*;

/// The lines of a data file that are neither empty nor notes, split at ` => `.
fn cases(data: &str) -> impl Iterator<Item = (&str, &str)> {
    data.lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
        .filter_map(|line| line.split_once(" => "))
}

fn read(text: &str) -> Document {
    let document = layouts::parse(text);
    assert!(
        document.diagnostics.is_empty(),
        "{text}: {:?}",
        document.diagnostics
    );
    document
}

fn placed(text: &str) -> Placement {
    read(text).placement.unwrap()
}

fn plain(text: &str) -> Layout {
    placed(text).map().layout.clone()
}

fn image(layout: &Layout) -> Vec<i64> {
    (0..layout.size())
        .map(|index| layout.offset(index))
        .collect()
}

#[test]
fn the_algebra_gives_the_published_results() {
    let mut checked = 0;
    for (expression, expected) in cases(include_str!("data/algebra.txt")) {
        assert_eq!(plain(expression).to_string(), expected, "{expression}");
        checked += 1;
    }
    assert_eq!(checked, 27);
}

#[test]
fn post_conditions_hold_on_published_layouts() {
    let mut checked = 0;
    for line in include_str!("data/layouts.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let (kind, rest) = line.split_once(' ').unwrap();
        let (left, right) = rest.split_once(" | ").unwrap_or((rest, ""));
        match kind {
            "compose" => composes(&plain(left), &plain(right), line),
            "complement" => completes(&plain(left), right.parse().unwrap(), line),
            "coalesce" => assert_eq!(
                image(&coalesce(&plain(left))),
                image(&plain(left)),
                "{line}"
            ),
            "inverse" => inverts(&plain(left), line),
            _ => panic!("{line}"),
        }
        checked += 1;
    }
    assert_eq!(checked, 92);
}

fn composes(outer: &Layout, inner: &Layout, line: &str) {
    let result = composition(outer, inner).unwrap();
    assert_eq!(result.size(), inner.size(), "{line}");
    for index in 0..inner.size() {
        let through = u64::try_from(inner.offset(index)).unwrap();
        assert_eq!(
            result.offset(index),
            outer.offset(through),
            "{line} at {index}"
        );
    }
}

fn completes(layout: &Layout, cosize: u64, line: &str) {
    let rest = complement(layout, cosize).unwrap();
    let ours: BTreeSet<_> = image(layout).into_iter().collect();
    let theirs = image(&rest);
    assert!(
        theirs.windows(2).all(|pair| pair[0] < pair[1]),
        "{line}: ordered"
    );
    assert!(
        theirs.iter().skip(1).all(|place| !ours.contains(place)),
        "{line}: disjoint"
    );
    let whole = Layout::Tuple(vec![layout.clone(), rest.clone()]);
    assert!(whole.cosize() >= cosize, "{line}: reaches");
    let rounded = cosize.div_ceil(layout.cosize()) * layout.cosize();
    assert!(rest.cosize() <= rounded, "{line}: bounded");
}

fn inverts(layout: &Layout, line: &str) {
    let inverse = right_inverse(layout);
    for place in 0..inverse.size() {
        let index = u64::try_from(inverse.offset(place)).unwrap();
        assert_eq!(
            layout.offset(index),
            i64::try_from(place).unwrap(),
            "{line} at {place}"
        );
    }
}

#[test]
fn mistakes_are_named_where_they_stand() {
    for (text, expected) in cases(include_str!("data/diagnostics.txt")) {
        let text = text.replace('⏎', "\n");
        let found: Vec<_> = layouts::parse(&text)
            .diagnostics
            .iter()
            .map(|found| format!("`{}`: {}", &text[found.span.clone()], found.fault))
            .collect();
        assert_eq!(found.join(" | "), expected, "{text}");
    }
}

#[test]
fn each_layout_of_a_long_composition_is_looked_at_once() {
    // Twice each, it would take half a million times as long.
    let chain = ["16384:1"; 20].join(" o ");
    assert_eq!(plain(&chain), plain("16384:1"));
}

#[test]
fn tritons_drawings_come_out() {
    let data = include_str!("data/triton.txt");
    let lines = data
        .lines()
        .filter(|line| line.starts_with("#ttg") || line.starts_with("#shared"));
    for line in lines {
        let (encoding, expected) = line.split_once(" => ").unwrap();
        let tile = placed(&format!("type u8\n{encoding}"));
        let mut memory = vec![0; usize::try_from(tile.size()).unwrap()];
        for row in 0..tile.rows() {
            for column in 0..tile.columns() {
                let place = usize::try_from(tile.address(row, column).unwrap()).unwrap();
                memory[place] = row * tile.columns() + column;
            }
        }
        let rows: Vec<_> = memory
            .chunks(usize::try_from(tile.columns()).unwrap())
            .map(|row| row.iter().map(u64::to_string).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(rows.join(" / "), expected, "{encoding}");
    }
}

#[test]
fn triton_padding_adds_after_each_interval() {
    let tile = placed("type u8\n#ttg.padded_shared<[4:+2, 8:+1] {order = [1, 0], shape = [4, 4]}>");
    let addresses: Vec<_> = tile
        .table()
        .concat()
        .into_iter()
        .map(Option::unwrap)
        .collect();
    assert_eq!(
        addresses,
        [0, 1, 2, 3, 6, 7, 8, 9, 13, 14, 15, 16, 19, 20, 21, 22]
    );
}

/// The published formulas: chunks of 16 bytes, `y16 = i16 / 8`, `x16 = i16 % 8`, the swizzled
/// chunk column `x16 ^ (y16 % 2^B)`, and back to an element of the row.
#[test]
fn tma_follows_the_published_formulas_for_all_modes_and_types() {
    for (mode, chunks) in [
        (TmaSwizzle::Bytes32, 2),
        (TmaSwizzle::Bytes64, 4),
        (TmaSwizzle::Bytes128, 8),
    ] {
        for size in [1, 2, 4, 8] {
            let columns = chunks * 16 / size;
            let tile = Placement::new(mode.tile(32, columns, size).unwrap(), size, 0).unwrap();
            for y in 0..32 {
                for x in 0..columns {
                    let i16 = (y * columns + x) * size / 16;
                    let (y16, x16) = (i16 / 8, i16 % 8);
                    let swizzled = x16 ^ (y16 % chunks);
                    let byte = y16 * 128 + swizzled * 16 + x * size % 16;
                    assert_eq!(tile.address(y, x), Some(byte), "{mode:?} {size} {y} {x}");
                    let column = swizzled * (16 / size) % columns + x % (16 / size);
                    assert_eq!(byte / size % columns, column, "{mode:?} {size} {y} {x}");
                }
            }
        }
    }
}

#[test]
fn tma_chunks_shift_with_a_base_that_is_not_aligned_to_the_pattern() {
    for base in (0..2_048).step_by(128) {
        let tile = Placement::new(TmaSwizzle::Bytes128.tile(8, 64, 2).unwrap(), 2, base).unwrap();
        for y in 0..8 {
            for x in 0..64 {
                let chunk = (x / 8) ^ ((y + base / 128) % 8);
                let expected = base + y * 128 + chunk * 16 + x % 8 * 2;
                assert_eq!(tile.address(y, x), Some(expected));
            }
        }
    }
}

#[test]
fn the_table_of_swizzle_3_0_3_is_the_column_xor_the_row() {
    let tile = placed("type u8\nSwizzle<3,0,3> o (8,8):(8,1)");
    for (row, addresses) in (0_u64..).zip(tile.table()) {
        for (column, address) in (0_u64..).zip(addresses) {
            assert_eq!(address, Some(row * 8 + (column ^ row)));
        }
    }
}

#[test]
fn every_row_and_column_of_a_swizzles_table_is_a_permutation() {
    for (bits, base, shift) in [
        (3, 0, 3),
        (3, 3, 3),
        (1, 4, 3),
        (2, 4, 3),
        (5, 0, 5),
        (2, 3, -3),
    ] {
        let swizzle = Swizzle::new(bits, base, shift).unwrap();
        let table = XorTable::of(swizzle).unwrap();
        assert!(table.is_permutation(), "{swizzle}");
        assert_eq!(
            (table.groups.len(), table.group_size),
            (1 << bits, 1 << base)
        );
        for (row, groups) in table.groups.iter().enumerate() {
            for (column, group) in groups.iter().enumerate() {
                assert_eq!(*group, (row ^ column) as u64, "{swizzle}");
            }
        }
    }
    assert_eq!(XorTable::of(Swizzle::new(0, 4, 3).unwrap()), None);
    let broken = XorTable {
        groups: vec![vec![0, 1], vec![0, 1]],
        group_size: 1,
    };
    assert!(!broken.is_permutation());
}

#[test]
fn a_tile_tells_bank_line_and_lane_of_each_word() {
    let document = read("type f16\nSwizzle<3,3,3> o (16,64):(64,1)\nldmatrix.x4");
    let placement = document.placement.as_ref().unwrap();
    let request = document.request(None, 0, 0);
    let tile = Tile::of(placement, request, [32, 4], 32);
    assert_eq!(
        (tile.count, tile.cells.len(), tile.is_cut),
        (2, 16 * 32, false)
    );
    let second_row = tile.cells[32];
    assert_eq!((second_row.row, second_row.column), (1, 0));
    assert_eq!(
        (second_row.bank, second_row.line, second_row.lane),
        (4, 1, Some(1))
    );
    let far = tile.cells.last().unwrap();
    assert_eq!((far.column, far.lane), (62, None));
    let cut = Tile::of(placement, None, [32, 4], 8);
    assert_eq!((cut.cells.len(), cut.is_cut), (64, true));
}

#[test]
fn both_conventions_of_s_and_both_units_agree() {
    let relative = placed("type f16\nSwizzle<3,3,3> o (8,64):(64,1)");
    let absolute = placed("type f16\nshift absolute\nSwizzle<3,3,6> o (8,64):(64,1)");
    let bytes = placed("type f16\nswizzle bytes\nSwizzle<3,4,3> o (8,64):(64,1)");
    let tma = placed("type f16\ntma<128B>(8,64)");
    let triton = placed(
        "type f16\n#shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}> on (8,64)",
    );
    let nvmma = placed(
        "type f16\n#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}> on (8,64)",
    );
    for other in [absolute, bytes, tma, triton, nvmma] {
        assert_eq!(relative.table(), other.table());
    }
}

#[test]
fn a_thread_value_layout_gives_each_lane_its_elements() {
    // The example of issue: 32 threads of 8 values on a 16x16 tile, as an 8x8 matrix fragment.
    let document = read("type f32\n(16,16):(1,16)\nload tv ((4,8),(2,4)):((32,1),(16,8))");
    assert_eq!(document.requests.len(), 8);
    let lane5 = &document.requests[1].elements[5];
    // Thread 5 = (1,1) and value 1 = (1,0): 32 + 1 + 16 = 49, column 3, row 1.
    assert_eq!(*lane5, Some((1, 3)));
    assert_eq!(document.requests[1].addresses[5], 49 * 4);
}

#[test]
fn matrix_loads_address_rows_of_16_bytes() {
    let document = read("type f16\nSwizzle<3,3,3> o (16,64):(64,1)\nldmatrix.x4.trans at (0,16)");
    let request = &document.requests[0];
    assert_eq!(request.active.count(), 32);
    for lane in 0..32_u64 {
        let (row, chunk) = (lane % 16, 2 + lane / 16);
        let address = row * 128 + (chunk ^ (row % 8)) * 16;
        assert_eq!(
            request.addresses[usize::try_from(lane).unwrap()],
            address,
            "lane {lane}"
        );
    }
    let stacked = read("type f16\n(32,8):(24,1)\nldmatrix.x4 as 4x1");
    assert_eq!(stacked.requests[0].addresses[31], 31 * 48);
    let two = read("type f16\n(16,64):(64,1)\nstmatrix.x2");
    assert_eq!(two.requests[0].active.count(), 16);
}

/// An instruction and the offsets of the rows that its lanes name.
type MatrixRow = (String, Vec<u64>);

/// `ldmatrix.x2.trans` and the offsets of 16 rows: lanes past those of its matrices name nothing.
fn matrix_row(name: &str, offsets: &[u64]) -> MatrixRow {
    let digit = name.split(".x").nth(1).and_then(|rest| rest.get(..1));
    let matrices: usize = digit.unwrap().parse().unwrap();
    (name.to_owned(), offsets[..8 * matrices].to_vec())
}

/// The wavefronts and conflicts that an H200 counted for matrix rows; and which of the rows are regular.
fn measured_matrix_rows() -> (BTreeMap<MatrixRow, [Option<u64>; 2]>, BTreeSet<MatrixRow>) {
    let text = include_str!("../../../tests/golden/h200_patterns.csv");
    let mut trace = Trace::open(text).unwrap();
    let (mut counters, mut regular) = (BTreeMap::new(), BTreeSet::new());
    while let Some(row) = trace.next_row(Default::default()) {
        let Some(access) = row.access.filter(|_| row.name.contains("matrix")) else {
            continue;
        };
        let key = matrix_row(&row.name, &access.addresses);
        if row.pattern.starts_with("rows ") {
            regular.insert(key.clone());
        }
        counters.insert(key, [row.measured.wavefronts, row.measured.conflicts]);
    }
    (counters, regular)
}

/// Each regular row of matrices that was measured, stores too, spelt as a layout and an access: the layout's addresses
/// are the row's, and the model's counts for them are the hardware's.
#[test]
fn matrix_accesses_of_layouts_cost_what_the_h200_counted() {
    let device = <&lanescope_model::Device>::default();
    let (counters, mut left) = measured_matrix_rows();
    let data = include_str!("data/h200_matrix_rows.csv");
    for row in data.lines().filter(|line| !line.starts_with('#')) {
        let [layout, access, ..] = row.split(';').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let layout = layout.replace("\\n", "\n");
        let document = read(&format!("type f16\n{layout}\n{access}"));
        let request = &document.requests[0];
        let key = matrix_row(access.split(' ').next().unwrap(), &request.addresses);
        let measured = counters
            .get(&key)
            .unwrap_or_else(|| panic!("{row}: {key:?}"));
        let counts = device.shared_counts(&request.request()).unwrap();
        let predicted = [counts.wavefronts, counts.conflicts].map(|count| Some(count.into()));
        assert_eq!(predicted, *measured, "{row}");
        left.remove(&key);
    }
    assert!(left.is_empty(), "measured and not spelt: {left:?}");
    let stores = data.matches(";stmatrix.").count();
    assert!(stores > 10, "{stores} stores");
}

#[test]
fn async_copies_take_pieces_along_the_rows() {
    let document = read("type f16\n(16,64):(72,1)\ncp.async 16");
    let addresses = &document.requests[0].addresses;
    assert_eq!(addresses[..9], [0, 16, 32, 48, 64, 80, 96, 112, 144]);
    assert!(document.requests[0].asynchronous);
}

#[test]
fn left_inverse_undoes() {
    for text in [
        "(8,4):(4,1)",
        "(4,2):(1,16)",
        "((2,2),(2,2)):((1,4),(8,32))",
    ] {
        let layout = plain(text);
        let inverse = left_inverse(&layout).unwrap();
        for index in 0..layout.size() {
            let place = u64::try_from(layout.offset(index)).unwrap();
            assert_eq!(
                inverse.offset(place),
                i64::try_from(index).unwrap(),
                "{text}"
            );
        }
    }
}

#[test]
fn the_exported_cuda_function_names_every_stage() {
    let tile = placed("type f16\ntma<128B>(8,64)");
    let all = layouts::snippets(&tile);
    assert_eq!(
        all[0].text,
        "auto layout = composition(Swizzle<3,3,3>{}, Layout<Shape<Int<8>, Int<64>>, Stride<Int<64>, Int<1>>>{});"
    );
    assert_eq!(
        all[1].text,
        "__device__ int offset(int row, int column) {  // in elements\n  int i = row * 64 + column;\n  i ^= (i & 0x1c0) >> 3;  // Swizzle<3,3,3>\n  return i;\n}"
    );
}

const BOMBS: &[&str] = &[
    "((((((((((((((((((((((((((((((((((((((((((((((",
    "<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<",
    "a o a o a o a o a o a o a o a o a o a o a o a o a o a o a o a o a",
    "(18446744073709551615,18446744073709551615):(9223372036854775807,1)",
    "Swizzle<18446744073709551615,0,-9223372036854775807> o 4:1",
    "1048576:1099511627776\nload row",
    "base 18446744073709551615\n4:1\nload row at (18446744073709551615,18446744073709551615)",
    "#shared<{vec=18446744073709551615,perPhase=0,maxPhase=0}> on (4,4)",
    "#ttg.padded_shared<[1:+18446744073709551615]> on (4,4)",
    "(4,4):(-1,-9)\nload column",
    "type f64\ntma<128B>(1048576,16)\nload lanes 99999999999x99999999999",
    "(2,2):(1,2) o -9223372036854775808",
    "0",
    "_",
    "#",
];

#[test]
fn bombs_end_in_diagnostics() {
    for bomb in BOMBS {
        let document = layouts::parse(bomb);
        for request in &document.requests {
            assert!(request.addresses.len() <= 64);
        }
    }
    let long = "(".repeat(70_000);
    assert!(!layouts::parse(&long).diagnostics.is_empty());
    let flat = format!("4:1{}", " o 4:1".repeat(20_000));
    assert!(!layouts::parse(&flat).diagnostics.is_empty());
}

fn small_layout() -> impl Strategy<Value = Layout> {
    let mode =
        (1_u64..6, 0_i64..20).prop_map(|(shape, stride)| Layout::mode(shape, stride).unwrap());
    prop::collection::vec(mode, 1..4).prop_map(Layout::Tuple)
}

proptest! {
    #[test]
    fn any_text_is_read(text in "[ -~\n]{0,80}") {
        let _ = layouts::parse(&text);
    }

    #[test]
    fn any_likely_text_is_read(
        parts in prop::collection::vec(prop::sample::select(vec![
            "(", ")", ",", ":", "8", "4", "1", "0", "-", " o ", "Swizzle<", ">", "<", "3", "\n", "load ",
            "row", "tv ", "ldmatrix.x4", "tma<128B>", "#shared<{vec=", "}>", " on ", "bits ", "128",
            "coalesce(", "complement(", "logical_divide(", "type f16", "base 128", "=", "a", "col",
            "smem_ptr[16b](unset)", " over F2", "{}", "::", "make_layout(", "tile_to_shape(", "Layout<", "Shape<", "_8",
            "using X = ", "upcast<2>(", "GMMA::Layout_K_SW128_Atom<half_t>", "!ttg.memdesc<8x8xf16, ", "#s", "#s = ",
            "#ttg.shared_linear<{offset = [[0, 1], [1, 0]]}>", "%0 = ttg.local_load ", "->", "tensor<8x8xf16, ",
            "#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>", "*",
        ]), 0..40)
    ) {
        let document = layouts::parse(&parts.concat());
        let _ = document.default_access(<&lanescope_model::Device>::default());
        if document.placement.as_ref().is_some_and(|placement| placement.size() <= 1024) {
            let _ = layouts::find(&document, <&lanescope_model::Device>::default(), None);
        }
        if let Some(placement) = document.placement {
            let _ = (layouts::snippets(&placement), placement.readings());
        }
    }

    #[test]
    fn a_swizzle_is_its_own_inverse(bits in 0_u32..6, base in 0_u32..6, shift in -8_i32..9, index in 0_u64..1 << 20) {
        if let Ok(swizzle) = Swizzle::new(bits, base, shift) {
            prop_assert_eq!(swizzle.apply(swizzle.apply(index)), index);
            if let Ok(bytes) = swizzle.in_bytes(4) {
                prop_assert_eq!(bytes.apply(index * 4), swizzle.apply(index) * 4);
            }
        }
    }

    #[test]
    fn a_composition_is_the_composed_function(outer in small_layout(), inner in small_layout()) {
        if let Ok(result) = composition(&outer, &inner) {
            for index in 0..inner.size() {
                let through = u64::try_from(inner.offset(index)).unwrap();
                prop_assert_eq!(result.offset(index), outer.offset(through));
            }
        }
    }

    #[test]
    fn coalescing_changes_no_offset(layout in small_layout()) {
        prop_assert_eq!(image(&coalesce(&layout)), image(&layout));
        prop_assert!(coalesce(&layout).depth() <= 1);
    }

    #[test]
    fn text_reads_back(layout in small_layout()) {
        prop_assert_eq!(plain(&layout.to_string()), layout);
    }
}
