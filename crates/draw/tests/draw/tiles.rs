//! Pictures of tiles.

use lanescope_draw::{TilePicture, TilePictureCell, bank_fill, tile_svg};
use std::collections::BTreeSet;

fn picture(text: &str) -> TilePicture {
    let cell = |at: u32| TilePictureCell {
        logical: [at % 2, at / 2],
        physical: [at, 0],
        bank: at.into(),
        lines: [at.to_string(), text.to_owned()],
        label: text.to_owned(),
        is_touched: at == 0,
    };
    TilePicture {
        title: text.to_owned(),
        captions: [text.to_owned(), text.to_owned()],
        banks: 4,
        cells: (0..4).map(cell).collect(),
    }
}

#[test]
fn a_cell_stands_in_both_grids() {
    let svg = tile_svg(&picture("a"));
    let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
    let cells = document.descendants().filter(|node| node.has_tag_name("g"));
    let fills: Vec<_> = cells
        .filter_map(|cell| cell.descendants().find(|node| node.has_tag_name("rect")))
        .map(|rect| rect.attribute("fill").expect("a colour").to_owned())
        .collect();
    assert_eq!(fills.len(), 8);
    assert_eq!(fills[..4], fills[4..]);
    assert_eq!(svg.matches("class=\"owned\"").count(), 2);
}

#[test]
fn text_stays_text() {
    let svg = tile_svg(&picture("</title><script>alert(1)</script>&\"'\u{1}"));
    let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
    assert!(
        !document
            .descendants()
            .any(|node| node.has_tag_name("script"))
    );
}

#[test]
fn cells_far_off_are_left_out() {
    let mut far = picture("a");
    far.cells[3].physical = [u32::MAX, u32::MAX];
    assert_eq!(tile_svg(&far).matches("<g ").count(), 7);
}

#[test]
fn every_bank_has_a_colour_of_its_own() {
    let colours: BTreeSet<_> = (0..32).map(|bank| bank_fill(bank, 32)).collect();
    assert_eq!(colours.len(), 32);
    assert_eq!(bank_fill(3, 0), bank_fill(0, 1).replace("78%", "70%"));
}
