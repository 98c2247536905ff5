//! A tile's logical and physical grid side by side, coloured by bank, as one SVG text.

use std::fmt::{self, Write as _};

use crate::escape::escape_xml;
use crate::ink;
use crate::palette::Theme;

/// Width and height of a cell.
const CELL: [i32; 2] = [40, 30];
/// Between the two grids, around both, and above each for its caption.
const GAP: i32 = 28;
const MARGIN: i32 = 12;
const CAPTION: i32 = 22;
/// Cells of a side beyond this are left out.
const MOST: u32 = 1_024;

/// A tile to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TilePicture {
    /// What it shows, in a line.
    pub title: String,
    /// What stands above the logical and the physical grid.
    pub captions: [String; 2],
    /// Banks, all in different hues.
    pub banks: u64,
    /// The cells.
    pub cells: Vec<TilePictureCell>,
}

/// One cell, which stands in both grids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TilePictureCell {
    /// Columns across and rows down in the logical grid.
    pub logical: [u32; 2],
    /// Banks across and lines down in the physical grid.
    pub physical: [u32; 2],
    /// Its bank.
    pub bank: u64,
    /// Which element it is, and below that its bank and lane.
    pub lines: [String; 2],
    /// The cell in words.
    pub label: String,
    /// Whether a lane touches it.
    pub is_touched: bool,
}

/// The colour of a bank: hues around the circle, neighbours of different lightness.
#[must_use]
pub fn bank_fill(bank: u64, banks: u64) -> String {
    let hue = bank % banks.max(1) * 360 / banks.max(1);
    let light = if bank.is_multiple_of(2) { 78 } else { 70 };
    format!("hsl({hue} 62% {light}%)")
}

/// The picture as SVG: all text escaped, no script and no link.
#[must_use]
pub fn tile_svg(tile: &TilePicture) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = write_tile(&mut out, tile);
    out
}

fn write_tile(out: &mut String, tile: &TilePicture) -> fmt::Result {
    let [left, right] = [
        extent(tile, |cell| cell.logical),
        extent(tile, |cell| cell.physical),
    ];
    let second = left[0] + GAP;
    let (width, height) = (
        second + right[0] + 2 * MARGIN,
        left[1].max(right[1]) + CAPTION + 2 * MARGIN,
    );
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"-{MARGIN} -{MARGIN} {width} {height}\" role=\"img\" \
         aria-labelledby=\"t d\"><title id=\"t\">{}</title><desc id=\"d\">{}</desc><style>{}</style>\
         <rect class=\"ground\" x=\"-{MARGIN}\" y=\"-{MARGIN}\" width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
        escape_xml(&tile.title),
        escape_xml(&tile.captions.join("; ")),
        style(),
        ink::colour(Theme::Light, "surface"),
    )?;
    write_grid(out, tile, 0, &tile.captions[0], |cell| cell.logical)?;
    write_grid(out, tile, second, &tile.captions[1], |cell| cell.physical)?;
    out.write_str("</svg>\n")
}

fn style() -> String {
    let dark = |token| ink::colour(Theme::Dark, token);
    format!(
        "@media(prefers-color-scheme:dark){{.ground{{fill:{}}}.caption{{fill:{}}}}}",
        dark("surface"),
        dark("muted"),
    )
}

/// Type of all texts, less its size.
const TYPE: &str = "font-family=\"system-ui,sans-serif\"";

/// Width and height of a grid in pixels.
fn extent(tile: &TilePicture, place: impl Fn(&TilePictureCell) -> [u32; 2]) -> [i32; 2] {
    let side = |axis: usize| {
        let last = tile
            .cells
            .iter()
            .map(|cell| place(cell)[axis].min(MOST) + 1);
        i32::try_from(last.max().unwrap_or(0)).unwrap_or(0) * CELL[axis]
    };
    [side(0), side(1)]
}

fn write_grid(
    out: &mut String,
    tile: &TilePicture,
    left: i32,
    caption: &str,
    place: impl Fn(&TilePictureCell) -> [u32; 2],
) -> fmt::Result {
    write!(
        out,
        "<text class=\"caption\" x=\"{left}\" y=\"12\" fill=\"{}\" {TYPE} font-size=\"12\">{}</text>",
        ink::colour(Theme::Light, "muted"),
        escape_xml(caption)
    )?;
    for cell in &tile.cells {
        let at = place(cell);
        if at.iter().all(|side| *side <= MOST) {
            let pixel = |axis: usize| i32::try_from(at[axis]).unwrap_or(0) * CELL[axis];
            write_cell(out, tile, cell, [left + pixel(0), CAPTION + pixel(1)])?;
        }
    }
    Ok(())
}

fn write_cell(
    out: &mut String,
    tile: &TilePicture,
    cell: &TilePictureCell,
    [x, y]: [i32; 2],
) -> fmt::Result {
    let (class, opacity) = if cell.is_touched {
        ("owned", "1")
    } else {
        ("free", ".62")
    };
    let [first, second] = cell.lines.each_ref().map(|line| escape_xml(line));
    let (middle, width, height) = (x + CELL[0] / 2, CELL[0] - 2, CELL[1] - 2);
    write!(
        out,
        "<g class=\"{class}\" opacity=\"{opacity}\" fill=\"#16181b\" text-anchor=\"middle\" {TYPE} font-size=\"9\"><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" \
         height=\"{height}\" rx=\"3\" fill=\"{}\"/><text x=\"{middle}\" y=\"{}\">{first}</text>\
         <text x=\"{middle}\" y=\"{}\">{second}</text></g>",
        escape_xml(&cell.label),
        bank_fill(cell.bank, tile.banks),
        y + 12,
        y + 23,
    )
}
