//! The search for a swizzle or pitch that frees all accesses, against brute force.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_layouts::find::{Change, Finding, Notation, Proof, find};
use lanescope_layouts::{self as layouts, Severity, Swizzle};
use lanescope_model::{Broadcast, CustomDevice, Device};
use proptest::prelude::*;

fn found(text: &str, alignment: Option<u64>) -> Finding {
    let document = layouts::parse(text);
    let wrong = |found: &&layouts::Diagnostic| found.severity == Severity::Error;
    assert_eq!(document.diagnostics.iter().find(wrong), None, "{text}");
    find(&document, <&Device>::default(), alignment).unwrap()
}

fn swizzle(bits: u32, base: u32, shift: i32) -> Change {
    Change::Swizzle(Swizzle::new(bits, base, shift).unwrap())
}

#[test]
fn rows_of_128_bytes_want_the_swizzle_that_everybody_uses() {
    let found = found("type f16\n(16,64):(64,1)\nldmatrix.x4\ncp.async 16", None);
    assert_eq!(found.alignment_bytes, 16);
    let written = found.as_written.total();
    assert_eq!((written.wavefronts, written.ideal_wavefronts), (36, 8));
    assert_eq!(found.remedies[0].change, swizzle(3, 3, 3));
    assert_eq!(found.remedies[0].added_bytes, 0);
    assert!(matches!(found.proof, Proof::Cheapest { tried } if tried > 10));
    // The pitch that is free too costs bytes, so it comes second: 15 rows of 8 halves more.
    let pitch = &found.remedies[1];
    assert_eq!(
        (&pitch.change, pitch.added_bytes),
        (&Change::Pitch(72), 15 * 16)
    );
    assert!(found.remedies.iter().all(layouts::find::Remedy::is_free));
}

#[test]
fn a_layout_that_is_free_needs_nothing() {
    let found = found("type f16\nSwizzle<3,3,3> o (16,64):(64,1)\nload row", None);
    assert_eq!(found.remedies[0].change, Change::Plain);
    assert_eq!(found.remedies.len(), 1);
}

/// The exercise that an article leaves open: no pitch frees both sides of a 16x16 tile under a
/// warp of 32 lanes, an XOR does.
#[test]
fn a_tile_of_16_by_16_words_wants_an_xor() {
    let found = found(
        "(16,16):(16,1)\nstore lanes 2x16\nload tv (32,1):(1,0)",
        None,
    );
    assert!(found.as_written.total().conflicts > 0);
    let changes: Vec<_> = found.remedies.iter().map(|remedy| &remedy.change).collect();
    assert!(matches!(changes[..], [Change::Swizzle(_)]), "{changes:?}");
}

#[test]
fn words_down_a_column_under_rows_of_16_bytes_cannot_be_freed() {
    let found = found("(32,32):(32,1)\nload row bits 128\nload column", None);
    assert!(matches!(
        found.proof,
        Proof::NoneIsFree {
            group_bytes: 16,
            ..
        }
    ));
    let nearest = &found.remedies[0];
    assert!(!nearest.is_free());
    assert_eq!(nearest.total().ways, 4);
    // Without the vectors, words may move one by one.
    let words = found_words();
    assert_eq!(words.remedies[0].change, swizzle(5, 0, 5));
}

fn found_words() -> Finding {
    found("(32,32):(32,1)\nload row\nload column", None)
}

#[test]
fn an_alignment_forbids_pitches_and_narrow_groups() {
    let text = "(32,32):(32,1)\nload row\nload column";
    let free = found(text, None);
    assert!(
        free.remedies
            .iter()
            .any(|remedy| remedy.change == Change::Pitch(33))
    );
    let aligned = found(text, Some(16));
    assert!(matches!(aligned.proof, Proof::NoneIsFree { .. }));
    assert_eq!(aligned.alignment_bytes, 16);
}

#[test]
fn where_no_swizzle_of_cute_is_free_another_xor_may_be() {
    // Three lines through the tile: along a row, down a column, and two rows apart in pairs.
    let text = "(32,32):(32,1)\nload row\nload column\nload tv ((16,2),1):((2,512),0)";
    let found = found(text, None);
    assert!(found.remedies[0].is_free(), "{:?}", found.proof);
}

#[test]
fn each_notation_reads_back_as_the_layout_that_it_spells() {
    let text = "type f16\n(16,64):(64,1)\nldmatrix.x4\ncp.async 16";
    for remedy in found(text, None).remedies {
        for notation in [
            Notation::Plain,
            Notation::Printed,
            Notation::Pointer,
            Notation::Dsl,
            Notation::Types,
            Notation::Functions,
            Notation::Python,
            Notation::Objects,
            Notation::Triton,
        ] {
            let spelt = notation.spell(&remedy.placement);
            let document = layouts::parse(&format!("type f16\n{spelt}"));
            assert_eq!(document.diagnostics, [], "{spelt}");
            let read = document.placement.unwrap();
            assert_eq!(read.table(), remedy.placement.table(), "{spelt}");
            if spelt != Notation::Plain.spell(&remedy.placement) {
                assert_eq!(Notation::of(&spelt), notation, "{spelt}");
            }
        }
    }
}

#[test]
fn one_swizzle_is_read_three_ways() {
    let document = layouts::parse("type f16\nSwizzle<3,3,3> o (16,64):(64,1)");
    let readings = document.placement.unwrap().readings().unwrap();
    assert_eq!(readings.bytes, Swizzle::new(3, 4, 3).unwrap());
    assert_eq!(readings.tma.unwrap().name(), "128B");
    assert_eq!(readings.triton, Some([8, 1, 8]));
    assert_eq!(readings.absolute_shift, Some(6));
    let triton =
        "type f16\n#ttg.swizzled_shared<{vec=8, perPhase=2, maxPhase=4, order=[1,0]}> on 32x32";
    let readings = layouts::parse(triton)
        .placement
        .unwrap()
        .readings()
        .unwrap();
    assert_eq!(readings.tma.unwrap().name(), "64B");
    assert_eq!(readings.elements, Some(Swizzle::new(2, 3, 3).unwrap()));
}

#[test]
fn the_swizzle_as_written_is_read_beside_the_one_found() {
    let other = found(
        "type tf32\nS<3,4,3> o 0 o (32,8):(1,32)\nldmatrix.x4.trans as 4x1",
        None,
    );
    let [best, written] = other.readings().map(Option::unwrap);
    assert_eq!(best.elements, Some(Swizzle::new(3, 2, 3).unwrap()));
    assert_eq!((best.tma.is_some(), written.tma), (true, None));
    assert_eq!(written.bytes, Swizzle::new(3, 6, 3).unwrap());
    let same = found(
        "type f16\nSwizzle<3,3,3> o (16,64):(64,1)\nldmatrix.x4\ncp.async 16",
        None,
    );
    let [best, written] = same.readings();
    assert!(best.is_some() && written.is_none());
    let plain = found("type f16\n(16,64):(64,1)\nload row", None);
    assert_eq!(plain.readings(), [None, None]);
}

#[test]
fn the_default_access_is_the_widest_matrix_load_that_fits() {
    for (text, expected) in [
        ("type f16\n(16,64):(64,1)", Some("ldmatrix.x4")),
        ("type f16\n(8,64):(64,1)", Some("ldmatrix.x4 as 1x4")),
        ("type f16\n(32,8):(8,1)", Some("ldmatrix.x4 as 4x1")),
        ("type f16\n(8,16):(16,1)", Some("ldmatrix.x2 as 1x2")),
        ("type f16\n(8,8):(8,1)", Some("ldmatrix.x1")),
        ("type f16\n(64,64):(1,64)", Some("ldmatrix.x4.trans")),
        ("type f16\n(16,64):(65,1)", Some("load row")),
        ("type f64\n(32,32):(32,1)", Some("load row")),
        ("type f16\n(16,64):(64,1)\nload row", None),
        ("type f16", None),
    ] {
        let access = layouts::parse(text).default_access(<&Device>::default());
        assert_eq!(access.as_deref(), expected, "{text}");
        let completed = layouts::with_access(text, "", <&Device>::default());
        assert_eq!(
            completed.lines().count(),
            text.lines().count() + usize::from(expected.is_some())
        );
    }
    let chosen = layouts::with_access("8:1", "load row", <&Device>::default());
    assert_eq!(chosen, "8:1\nload row");
}

/// AMD's devices have no `ldmatrix`, but `ds_read_b128`.
#[test]
fn the_default_access_without_matrix_loads_is_the_widest_row_that_fits() {
    for id in ["gfx942", "cdna3"] {
        let device = Device::by_id(id).unwrap();
        for (text, expected) in [
            ("type f16\n(32,64):(64,1)", "load row bits 128"),
            ("type f16\n(32,64):(68,1)", "load row bits 64"),
            ("type f16\n(32,64):(65,1)", "load row"),
            ("type f32\n(32,32):(33,1)", "load row bits 32"),
            ("type f64\n(32,32):(32,1)", "load row bits 128"),
        ] {
            let document = layouts::parse(&layouts::with_access(text, "", device));
            let access = layouts::parse(text).default_access(device);
            assert_eq!(access.as_deref(), Some(expected), "{text} on {id}");
            assert!(
                document.diagnostics.is_empty(),
                "{:?}",
                document.diagnostics
            );
            assert!(!document.requests.is_empty());
        }
    }
}

/// Banks of the small device that brute force can cover, in bits.
const BANK_BITS: u32 = 2;
/// Bits of the words' numbers.
const WORD_BITS: u32 = 5;

/// Whether some linear map of the words' bits to the banks' sends no two words of one access to one
/// bank: all of them, one after another.
fn exists(accesses: &[Vec<u64>]) -> bool {
    let maps = 1_u64 << (BANK_BITS * WORD_BITS);
    (0..maps).any(|map| {
        let bank = |word: u64| {
            (0..WORD_BITS).fold(0, |bank, bit| {
                let column = map >> (bit * BANK_BITS) & ((1 << BANK_BITS) - 1);
                if word >> bit & 1 == 1 {
                    bank ^ column
                } else {
                    bank
                }
            })
        };
        accesses.iter().all(|words| {
            words.iter().all(|one| {
                words
                    .iter()
                    .all(|other| one == other || bank(*one) != bank(*other))
            })
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// On four banks, what is found is free and what is proved not to be is not.
    #[test]
    fn the_linear_search_agrees_with_brute_force(
        modes in prop::collection::vec(prop::collection::vec(0_u64..32, 2), 1..6)
    ) {
        let device = Device::custom(CustomDevice {
            banks: 4,
            bank_bits: 32,
            lanes: 4,
            broadcast: Broadcast::AnyWord,
            sector_bytes: 32,
            line_bytes: 128,
        }).unwrap();
        let mut text = "32:1\n".to_owned();
        let mut accesses = Vec::new();
        for strides in &modes {
            let words: Vec<u64> = (0..4).map(|lane| (lane & 1) * strides[0] + (lane >> 1) * strides[1]).collect();
            if words.iter().all(|word| *word < 32) {
                text += &format!("load tv ((2,2),1):(({},{}),0)\n", strides[0], strides[1]);
                accesses.push(words);
            }
        }
        prop_assume!(!accesses.is_empty());
        let document = layouts::parse(&text);
        let finding = find(&document, &device, None).unwrap();
        let swizzled = finding.remedies.iter().any(|remedy| {
            remedy.is_free() && !matches!(remedy.change, Change::Pitch(_))
        });
        let excluded = matches!(finding.proof, Proof::NoneIsFree { .. });
        prop_assert_eq!(swizzled, exists(&accesses), "{}", text);
        prop_assert_eq!(excluded, !swizzled, "{}", text);
    }
}

/// Questions that people asked of CUTLASS and FlashAttention, with the answers that hold.
#[test]
fn questions_that_people_asked_have_their_answers() {
    // A store of rows of 128 halves, 16 threads a row, into two pages of 64: phases have 8 lanes.
    let pages = "type f16\nusing Atom = decltype(composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>, Stride<_64,_1>>{}));\n\
                 using Tile = decltype(tile_to_shape(Atom{}, Shape<_128,_128>{}));\nstore lanes 2x16 bits 128";
    assert_eq!(found(pages, None).as_written.total().conflicts, 0);
    // ldmatrix.trans of an M-major atom of 128 x 8 halves: its columns are 256 bytes apart.
    let bare = found("type f16\n(128,8):(1,128)\nldmatrix.x2.trans as 2x1", None);
    assert_eq!(bare.as_written.total().ways, 8);
    assert_eq!(bare.remedies[0].change, swizzle(3, 3, 4));
    // The load and the store of a tile of floats whose columns are read: XOR of all five bits.
    let transpose = found(
        "(32,32):(32,1)\nstore row everywhere\nload column everywhere",
        None,
    );
    assert_eq!(transpose.remedies[0].change, swizzle(5, 0, 5));
    assert_eq!(transpose.as_written.total().wavefronts, 32 + 1024);
    assert_eq!(transpose.remedies[0].total().wavefronts, 64);
}
