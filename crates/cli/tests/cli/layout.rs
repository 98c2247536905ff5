use crate::run::lanescope;

const TILE: &[u8] = b"type f16\nSwizzle<3,3,3> o (16,64):(64,1)\n";

#[test]
fn counts_stand_beside_the_layout() {
    let arguments = [
        "layout",
        "-",
        "--access",
        "ldmatrix.x4",
        "--access",
        "load column",
    ];
    let ran = lanescope(&arguments, TILE);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let lines: Vec<Vec<&str>> = ran
        .out
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        ran.out.lines().next(),
        Some("Swizzle<3,3,3> o (16,64):(64,1)")
    );
    assert_eq!(
        lines[3][..8],
        ["0", "0", "128", "32", "4", "4", "0", "1-way"]
    );
    assert_eq!(
        lines[4][..8],
        ["0", "0", "16", "16", "2", "1", "1", "2-way"]
    );
    assert_eq!(
        (lines[3][8], lines[4][8..].join(" ")),
        ("ldmatrix.x4", "load column".to_owned())
    );
}

#[test]
fn the_map_is_a_table_of_all_elements() {
    let ran = lanescope(&["layout", "-", "--format", "csv"], TILE);
    assert_eq!(ran.code, Some(0));
    let rows: Vec<&str> = ran.out.lines().collect();
    assert_eq!(rows.len(), 1 + 16 * 64);
    assert_eq!(rows[..2], ["row,column,byte,bank", "0,0,0,0"]);
    // Row 1: its first group of eight halves changes places with the second.
    assert_eq!(rows[1 + 64], "1,0,144,4");
}

#[test]
fn the_picture_shows_element_bank_and_lane() {
    let arguments = ["layout", "-", "--access", "ldmatrix.x4", "--format", "svg"];
    let ran = lanescope(&arguments, TILE);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.starts_with("<svg "));
    assert!(
        ran.out
            .contains("<title>row 1, column 0: byte 144, bank 4, lane 1</title>")
    );
    assert_eq!(ran.out.matches("<rect ").count(), 1 + 2 * 16 * 32);
}

#[test]
fn code_is_given_in_each_language_that_can_say_it() {
    let ran = lanescope(&["layout", "-", "--format", "code"], TILE);
    assert!(ran.out.contains("composition(Swizzle<3,3,3>{}"));
    assert!(ran.out.contains("i ^= (i & 0x1c0) >> 3;"));
    let triton = b"#shared<{vec=8, perPhase=1, maxPhase=8}> on (64,64)";
    let ran = lanescope(&["layout", "-", "--format", "code"], triton);
    assert!(
        ran.out
            .contains("#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8")
    );
}

#[test]
fn what_is_no_layout_is_said() {
    let ran = lanescope(&["layout", "-"], b"tile(3");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("expected"), "{}", ran.err);
}

/// Layouts as they stand in C++, Python, printed output and Triton's IR, an access, and the
/// warp's wavefronts, ideal wavefronts and ways on CC 9.0, by arithmetic.
const PASTED: [(&str, &str, [u32; 3]); 12] = [
    // A row walk of halves 128 bytes apart: bits 7-9 of the element's number come to bits 4-6.
    (
        "type f16\nS<3,4,3> o 0 o ((64,2),64):((1,4096),64)",
        "load row",
        [8, 1, 8],
    ),
    (
        "type f16\nauto s = make_layout(make_shape(Int<8>{}, Int<32>{}), make_stride(Int<32>{}, Int<1>{}));",
        "load row",
        [1, 1, 1],
    ),
    (
        "#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\n\
         !ttg.memdesc<64x64xf16, #shared, #smem, mutable>",
        "ldmatrix.x4",
        [4, 4, 1],
    ),
    (
        "type f16\nLayout<Shape<_16,_64>, Stride<_64,_1>>{}",
        "ldmatrix.x4",
        [32, 4, 8],
    ),
    (
        "type f16\nSwizzle<3,3,3> o (16,64):(64,1)",
        "ldmatrix.x4",
        [4, 4, 1],
    ),
    (
        "type f16\n#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}> on 64x64",
        "ldmatrix.x4",
        [4, 4, 1],
    ),
    // Printed in memory, M counts bytes: eight rows in eight groups of 16 bytes.
    (
        "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
        "ldmatrix.x1",
        [1, 1, 1],
    ),
    ("(_8,_64):(_64,_1)\ntype f16", "ldmatrix.x1", [8, 1, 8]),
    (
        "using A = GMMA::Layout_MN_SW128_Atom<half_t>;\nA{}",
        "ldmatrix.x1.trans",
        [1, 1, 1],
    ),
    (
        "type f16\nusing L = decltype(tile_to_shape(composition(Swizzle<2,3,3>{}, Layout<Shape<_8,_32>, \
         Stride<_32,_1>>{}), Shape<_64,_64>{}));",
        "ldmatrix.x4",
        [4, 4, 1],
    ),
    // Eight threads along a row of 64 halves, four rows a warp: 16 bytes a lane, no conflict.
    (
        "#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], \
         order = [1, 0]}>\n#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\n\
         !ttg.memdesc<4x64xf16, #shared, #smem, mutable>",
        "store #blocked",
        [4, 4, 1],
    ),
    // Accumulators, two halves a lane: eight rows of 128 bytes meet in four banks.
    (
        "#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>\n\
         #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>\n\
         !ttg.memdesc<16x64xf16, #shared, #smem, mutable>",
        "store #mma",
        [8, 1, 8],
    ),
];

#[test]
fn layouts_are_read_as_people_paste_them() {
    for (text, access, [wavefronts, ideal, ways]) in PASTED {
        let ran = lanescope(&["layout", "-", "--access", access], text.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{text}");
        let row = ran.out.lines().nth(3).unwrap_or("").split_whitespace();
        let counts: Vec<_> = row.skip(4).take(4).map(str::to_owned).collect();
        let conflicts = wavefronts - ideal;
        let expected = [
            wavefronts.to_string(),
            ideal.to_string(),
            conflicts.to_string(),
            format!("{ways}-way"),
        ];
        assert_eq!(counts, expected, "{text}\n{access}\n{}", ran.out);
    }
}

const OPEN: &[u8] = b"type f16\n(16,64):(64,1)\n";

#[test]
fn a_layout_without_an_access_is_shown_with_the_widest_matrix_load() {
    let ran = lanescope(&["layout", "-"], OPEN);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(
        ran.out.contains("no access is given: ldmatrix.x4 is shown"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("8-way  ldmatrix.x4"), "{}", ran.out);
}

#[test]
fn a_type_that_nobody_gave_is_said_to_be_assumed() {
    let said = "no element type is given: f32 is assumed";
    let ran = lanescope(&["layout", "-"], b"(16,64):(64,1)\n");
    assert!(ran.out.contains(said), "{}", ran.out);
    let ran = lanescope(&["layout", "-"], OPEN);
    assert!(!ran.out.contains(said), "{}", ran.out);
}

#[test]
fn a_layout_on_a_device_without_matrix_loads_is_shown_with_the_widest_row() {
    let ran = lanescope(&["layout", "-", "--device", "gfx942"], OPEN);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let said = "no access is given: load row bits 128 is shown";
    assert!(ran.out.contains(said), "{}", ran.out);
    assert!(!ran.out.contains("unknown"), "{}", ran.out);
}

#[test]
fn the_swizzle_for_a_load_and_a_store_is_found() {
    let arguments = [
        "layout",
        "-",
        "--access",
        "ldmatrix.x4",
        "--access",
        "cp.async 16",
        "--find",
    ];
    let ran = lanescope(&arguments, OPEN);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    for part in [
        "both accesses are free with the first",
        "Swizzle<3,3,3> o (16,64):(64,1)",
        "CU_TENSOR_MAP_SWIZZLE_128B",
        "vec = 8, perPhase = 1, maxPhase = 8",
        "a ^ (a & 0x380) >> 3",
        "(16,64):(72,1)",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    let json = lanescope(&[&arguments[..], &["--format", "json"]].concat(), OPEN);
    let value: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    let best = &value["finding"]["remedies"][0];
    assert_eq!(best["change"], "Swizzle<3,3,3>");
    assert_eq!(
        (&best["free"], &best["added_bytes"]),
        (&true.into(), &0.into())
    );
    assert_eq!(value["finding"]["proof"], "cheapest");
    assert_eq!(value["accesses"][0]["wavefronts"], 32);
}

#[test]
fn that_nothing_frees_both_is_proved() {
    let text = b"(32,32):(32,1)\nload row bits 128\nload column";
    let ran = lanescope(&["layout", "-", "--find"], text);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.out.contains("no layout frees these accesses"),
        "{}",
        ran.out
    );
    let aligned = lanescope(&["layout", "-", "--find", "--align", "3"], text);
    assert_eq!(aligned.code, Some(1));
    assert!(aligned.err.contains("a power of two"), "{}", aligned.err);
}

/// What CuTe's and PTX's pictures of the 128-byte swizzle differ in: one counts elements of four bytes, the other bytes.
#[test]
fn a_swizzle_of_elements_stands_beside_the_one_of_bytes_that_was_meant() {
    let atom = b"type tf32\nS<3,4,3> o 0 o (32,8):(1,32)\n";
    // As CuTe reads it, element (0,1) stays the 32nd; under the hardware's swizzle it is the 36th.
    let second_column = |layout: &[u8]| {
        let ran = lanescope(&["layout", "-", "--format", "csv"], layout);
        let row = ran.out.lines().nth(2).map(str::to_owned);
        row.unwrap_or_default()
    };
    assert_eq!(second_column(atom), format!("0,1,{},0", 32 * 4));
    let meant = format!("0,1,{},4", 36 * 4);
    for layout in [
        "type tf32\nS<3,2,3> o 0 o (32,8):(1,32)",
        "Sw<3,4,3> o smem_ptr[32b](unset) o (_32,_8):(_1,_32)",
        "GMMA::Layout_MN_SW128_Atom<tfloat32_t>",
    ] {
        assert_eq!(second_column(layout.as_bytes()), meant, "{layout}");
    }
    let ran = lanescope(&["layout", "-", "--find"], atom);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let line = |name: &str| {
        let line = ran.out.lines().find(|line| line.contains(name));
        let cells = line.unwrap_or_default().split("  ").map(str::trim);
        let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
        cells[1..].join(" | ")
    };
    assert!(
        ran.out
            .contains("\n                                as written"),
        "{}",
        ran.out
    );
    assert_eq!(line("CuTe, on elements"), "Swizzle<3,4,3> | Swizzle<3,2,3>");
    assert_eq!(line("on bytes"), "Swizzle<3,6,3> | Swizzle<3,4,3>");
    assert_eq!(
        line("TMA, wgmma"),
        "no such mode | CU_TENSOR_MAP_SWIZZLE_128B"
    );
    assert_eq!(
        line("byte address a"),
        "a ^ (a & 0xe00) >> 3 | a ^ (a & 0x380) >> 3"
    );
}

/// A tile of 128 halves a row in two pages of 64, one behind the other: the eight threads that fill a row of one page write to
/// the banks of the eight that fill that row of the other. Stores of 16 bytes go eight threads at a time, so neither sixteen
/// threads a row conflict nor eight.
#[test]
fn pages_of_one_tile_share_banks_and_do_not_conflict() {
    let pages = "tile_to_shape(composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>, Stride<_64,_1>>{}), Shape<_128,_128>{})";
    let tile = format!("type f16\n{pages}\n");
    for access in [
        "cp.async 16",
        "store lanes 2x16 bits 128",
        "store lanes 4x8 bits 128",
        "store tv ((16,2),8):((1024,1),128) bits 128",
        "ldmatrix.x4",
    ] {
        let arguments = ["layout", "-", "--access", access, "--format", "json"];
        let ran = lanescope(&arguments, tile.as_bytes());
        let value: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        let cost = &value["accesses"][0];
        assert_eq!(
            (&cost["wavefronts"], &cost["ideal_wavefronts"]),
            (&4.into(), &4.into()),
            "{access}"
        );
    }
    // Threads that store halves one by one do conflict: that is what a wide store spares.
    let arguments = [
        "layout",
        "-",
        "--access",
        "store tv ((16,2),8):((1024,1),128)",
        "--format",
        "json",
    ];
    let narrow = lanescope(&arguments, tile.as_bytes());
    let value: serde_json::Value = serde_json::from_str(&narrow.out).expect("JSON");
    assert_eq!(value["accesses"][0]["ways"], 4);
}

/// Even rows of two columns that lie two apart, whole rows and whole columns: no swizzle of CuTe frees all three, another XOR does.
#[test]
fn an_xor_that_is_no_swizzle_is_told_to_have_no_name_in_cute() {
    let text = b"type f32\n(32,32):(32,1)\nload row\nload column\nload tv ((16,2),1):((2,64),0)";
    let ran = lanescope(&["layout", "-", "--find"], text);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let said = "with another XOR of address bits, for which CuTe has no Swizzle<B,M,S>";
    assert!(ran.out.contains(said), "{}", ran.out);
    let first = ran.out.lines().find(|line| line.starts_with("XOR of bits"));
    assert!(
        first.is_some_and(|line| !line.contains("Swizzle")),
        "{}",
        ran.out
    );
}
