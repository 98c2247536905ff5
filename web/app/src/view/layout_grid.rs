//! A layout's tile as two grids. Their cells, some thousands of elements, are made by hand: a view of them takes twice as
//! long to set as the rest of the page.

use lanescope_draw::bank_fill;
use lanescope_layouts::{Placement, Tile, TileCell};

use lanescope_locale::Language;
use lanescope_locale::page::PageWords;
use lanescope_ui::element::{El, el, svg};

/// Sides of a cell, in the picture's units.
const WIDTH: u64 = 34;
const HEIGHT: u64 = 26;
/// The least height of a cell in a picture of many rows, and of one in which a lane can be read.
const LEAST_HEIGHT: u64 = 8;
const TEXT_HEIGHT: u64 = 20;
/// A picture of more cells than these says of each that the request touches its lane, and no more.
const MOST_TOLD: usize = 1024;
/// Columns up to which a cell is as wide as its text on a phone, on half of the page, on all of it.
const FEW: u64 = 10;
const SOME: u64 = 16;
const MOST_TOLD_COLUMNS: u64 = 32;

/// One of the two pictures.
struct Grid<'a> {
    tile: &'a Tile,
    placement: &'a Placement,
    language: Language,
    /// The elements where the layout has them; else where they stand in memory.
    is_logical: bool,
    height: u64,
    /// Whether cells say more than their lane.
    is_told: bool,
    /// By how many columns: `few` fit anywhere, `wide` cells hold bank and lane, `bare` cells a lane.
    class: &'static str,
}

/// The elements of `tile` where the layout has them, and where they stand in memory.
pub(super) fn grids(tile: &Tile, placement: &Placement, language: Language) -> [El; 2] {
    [true, false].map(|is_logical| Grid::of(tile, placement, language, is_logical).figure())
}

impl<'a> Grid<'a> {
    fn of(tile: &'a Tile, placement: &'a Placement, language: Language, is_logical: bool) -> Self {
        let mut grid = Self {
            tile,
            placement,
            language,
            is_logical,
            height: HEIGHT,
            is_told: true,
            class: "bare",
        };
        let [columns, rows] = grid.extent();
        grid.is_told = columns <= MOST_TOLD_COLUMNS && tile.cells.len() <= MOST_TOLD;
        if !grid.is_told {
            // As high as it is wide: the whole of it is seen at once.
            grid.height = (columns * WIDTH / rows).clamp(LEAST_HEIGHT, HEIGHT);
            return grid;
        }
        grid.class = if columns <= FEW {
            "few"
        } else if columns <= SOME {
            "some"
        } else {
            "wide"
        };
        grid
    }

    /// Columns and rows of cells, at least one.
    fn extent(&self) -> [u64; 2] {
        let places = self.tile.cells.iter().map(|cell| self.place(cell));
        places.fold([1, 1], |[right, down], [x, y]| {
            [right.max(x + 1), down.max(y + 1)]
        })
    }

    fn place(&self, cell: &TileCell) -> [u64; 2] {
        match self.is_logical {
            true => [cell.column / self.tile.count, cell.row],
            false => [cell.bank, cell.line],
        }
    }

    fn figure(&self) -> El {
        let words = PageWords::of(self.language);
        let title = if self.is_logical {
            words.layout_logical
        } else {
            words.layout_physical
        };
        let picture = svg("svg")
            .set("role", "img")
            .set("aria-label", title)
            .class("layout-grid");
        for (index, cell) in self.tile.cells.iter().enumerate() {
            picture.add(&self.drawn(index, cell));
        }
        let [columns, rows] = self.extent();
        picture.put(
            "viewBox",
            &format!("0 0 {} {}", columns * WIDTH, rows * self.height),
        );
        picture.put("width", &(columns * WIDTH).to_string());
        let sideways = PageWords::of(self.language).layout_sideways;
        let caption = el("figcaption")
            .with(&el("span").text(title))
            .with(&el("span").class("sideways").text(sideways));
        // What is wider than its room can be scrolled by keys.
        el("figure")
            .class(self.class)
            .set("tabindex", "0")
            .set("aria-label", title)
            .with(&caption)
            .with(&picture)
    }

    /// A cell: the element's number, its bank and its lane; where cells are small bank and lane, or the lane alone.
    fn drawn(&self, index: usize, cell: &TileCell) -> El {
        let [x, y] = self.place(cell);
        let [x, y] = [x * WIDTH, y * self.height];
        let square = svg("rect")
            .set("x", &(x + 1).to_string())
            .set("y", &(y + 1).to_string())
            .set("width", &(WIDTH - 2).to_string())
            .set("height", &(self.height - 2).to_string())
            .set("rx", "3")
            .set("fill", &bank_fill(cell.bank, self.tile.banks));
        let class = if cell.lane.is_some() { "owned" } else { "free" };
        let number = index.to_string();
        if !self.is_told && cell.lane.is_none() {
            return square.class(class).set("data-cell", &number);
        }
        let text = |down: u64| {
            svg("text")
                .set("x", &(x + WIDTH / 2).to_string())
                .set("y", &(y + down).to_string())
        };
        let group = svg("g")
            .class(class)
            .set("data-cell", &number)
            .with(&square);
        match cell.lane {
            Some(lane) if !self.is_told => match self.height >= TEXT_HEIGHT {
                true => group.with(&text(self.height - 6).text(&lane.to_string())),
                false => group,
            },
            lane if self.class == "wide" => {
                let lane = lane.map_or_else(String::new, |lane| format!("L{lane}"));
                group
                    .with(&text(11).class("bank").text(&cell.bank.to_string()))
                    .with(&text(22).text(&lane))
            }
            _ => {
                let [element, place] = cell_lines(self.placement, cell);
                group
                    .with(&text(11).text(&element))
                    .with(&text(21).text(&place))
            }
        }
    }
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
