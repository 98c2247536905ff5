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
    assert_eq!(lines[3], ["0", "0", "128", "32", "4", "4", "0", "1-way"]);
    assert_eq!(lines[4], ["0", "0", "16", "16", "2", "1", "1", "2-way"]);
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
