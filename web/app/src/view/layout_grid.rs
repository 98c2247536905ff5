//! A layout's tile as two grids. Their cells, some thousands of elements, are made by hand: a view of them takes twice as
//! long to set as the rest of the page.

use lanescope_draw::bank_fill;
use lanescope_layouts::{Placement, Tile, TileCell};

use crate::words::{Message, Words};
use lanescope_ui::element::{El, el, svg};

/// Sides of a cell, in the picture's units; no less in pixels, so that it can be read: a grid wider than its place scrolls.
const WIDTH: u64 = 34;
const HEIGHT: u64 = 26;

/// The elements of `tile` where the layout has them, and where they stand in memory.
pub(super) fn grids(tile: &Tile, placement: &Placement, language: Words) -> [El; 2] {
    [true, false].map(|is_logical| grid(tile, placement, language, is_logical))
}

/// The logical grid, or the physical one.
fn grid(tile: &Tile, placement: &Placement, language: Words, is_logical: bool) -> El {
    let title = language.say(&if is_logical {
        Message::LayoutLogical
    } else {
        Message::LayoutPhysical
    });
    let picture = svg("svg")
        .set("role", "img")
        .set("aria-label", &title)
        .class("layout-grid");
    let (mut right, mut down) = (0, 0);
    for (index, cell) in tile.cells.iter().enumerate() {
        let (x, y) = if is_logical {
            (cell.column / tile.count, cell.row)
        } else {
            (cell.bank, cell.line)
        };
        (right, down) = (right.max(x + 1), down.max(y + 1));
        picture.add(&drawn(
            tile,
            placement,
            index,
            cell,
            [x * WIDTH, y * HEIGHT],
        ));
    }
    picture.put(
        "viewBox",
        &format!("0 0 {} {}", right * WIDTH, down * HEIGHT),
    );
    picture.put("width", &(right * WIDTH).to_string());
    // What is wider than its room can be scrolled by keys.
    el("figure")
        .set("tabindex", "0")
        .set("aria-label", &title)
        .with(&el("figcaption").text(&title))
        .with(&picture)
}

/// A cell: the element's number, its bank and its lane.
fn drawn(
    tile: &Tile,
    placement: &Placement,
    index: usize,
    cell: &TileCell,
    [x, y]: [u64; 2],
) -> El {
    let square = svg("rect")
        .set("x", &(x + 1).to_string())
        .set("y", &(y + 1).to_string())
        .set("width", &(WIDTH - 2).to_string())
        .set("height", &(HEIGHT - 2).to_string())
        .set("rx", "3")
        .set("fill", &bank_fill(cell.bank, tile.banks));
    let line = |down: u64, text: &str| {
        svg("text")
            .set("x", &(x + WIDTH / 2).to_string())
            .set("y", &(y + down).to_string())
            .text(text)
    };
    let class = if cell.lane.is_some() { "owned" } else { "free" };
    let [number, place] = cell_lines(placement, cell);
    svg("g")
        .class(class)
        .set("data-cell", &index.to_string())
        .with(&square)
        .with(&line(11, &number))
        .with(&line(21, &place))
}

/// The element's number, and its bank and lane.
pub(super) fn cell_lines(placement: &Placement, cell: &TileCell) -> [String; 2] {
    let number = cell.row * placement.columns() + cell.column;
    let place = match cell.lane {
        Some(lane) => format!("{} L{lane}", cell.bank),
        None => cell.bank.to_string(),
    };
    [number.to_string(), place]
}

/// Lights up the cell with this index in both grids, and no other.
pub(super) fn light(grids: &El, index: Option<usize>) {
    for lit in std::iter::from_fn(|| grids.find(".lit")) {
        let class = class_of(&lit);
        lit.put("class", class.trim_end_matches(" lit"));
    }
    let Some(index) = index else { return };
    while let Some(other) = grids.find(&format!("[data-cell=\"{index}\"]:not(.lit)")) {
        let class = class_of(&other);
        other.put("class", &format!("{class} lit"));
        reveal(&other);
    }
}

fn class_of(cell: &El) -> String {
    let element = cell.element();
    let class = element.and_then(|cell| cell.get_attribute("class"));
    class.unwrap_or_default()
}

/// Scrolls the figure, not the page, to where the cell is seen.
fn reveal(cell: &El) {
    let Some((cell, figure)) = cell
        .element()
        .and_then(|cell| Some((cell, cell.closest("figure").ok()??)))
    else {
        return;
    };
    let (place, frame) = (
        cell.get_bounding_client_rect(),
        figure.get_bounding_client_rect(),
    );
    let past = (place.right() - frame.right()).max(0.0) + (place.left() - frame.left()).min(0.0);
    if past != 0.0 {
        figure.set_scroll_left(figure.scroll_left() + pixels(past));
    }
}

/// A length in whole pixels, away from 0.
#[allow(
    clippy::cast_possible_truncation,
    reason = "no page is as wide as that"
)]
fn pixels(length: f64) -> i32 {
    (length.abs().ceil() * length.signum()) as i32
}
