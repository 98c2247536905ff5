//! A layout's tile, where its elements stand, and how it is spelt elsewhere.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use lanescope_draw::{TilePicture, TilePictureCell, bank_fill, tile_svg, with_link};
use lanescope_layouts::{
    Document, Placement, Stage, Swizzle, Tile, TileCell, XorTable, parse, snippets,
};
use lanescope_share::Source;

use crate::address;
use crate::answer::layout_text;
use crate::element::{El, around, el, key, svg};
use crate::export::{self, Table};
use crate::page::Page;
use crate::session::Session;
use crate::words::{Language, Message};

/// The most rows and columns that are drawn.
const MOST: u64 = 32;
/// The most in a picture to take away.
const EXPORTED: u64 = 64;
/// Sides of a cell, in the picture's units; no less in pixels, so that it can be read: a grid wider than its place scrolls.
const WIDTH: u64 = 34;
const HEIGHT: u64 = 26;
/// What a word of a bank holds, and how many banks there are, where the device says nothing.
const WORD_BYTES: u64 = 4;
const BANKS: u64 = 32;

/// The card; hidden where the source is no layout.
pub(crate) fn build(session: Session) -> El {
    let (about, reading) = (
        el("span").class("about"),
        el("p").class("reading").testid("layout-reading"),
    );
    let (grids, bits, spelt) = (
        el("div").class("layout-grids"),
        el("div").class("layout-bits"),
        el("div"),
    );
    let table = Rc::new(move || map_table(&session.page()));
    let head = el("div").class("head").with_all(&[
        session.say(el("h2"), Message::LayoutTile),
        about.clone(),
        export::table_buttons(table, "lanescope-layout").with(&export::svg_button(
            move || exported(&session.page()),
            "lanescope-layout",
        )),
    ]);
    let card = el("section")
        .class("card layout")
        .testid("layout-card")
        .set("hidden", "");
    let card = card.with_all(&[
        head,
        grids.clone(),
        reading.clone(),
        bits.clone(),
        spelt.clone(),
    ]);
    let tile: Rc<RefCell<Option<Tile>>> = Rc::default();
    let pointed = Rc::clone(&tile);
    let (all, said) = (grids.clone(), reading.clone());
    let _ = grids.clone().on("pointerover", move |event| {
        let index = around(&event, "[data-cell]")
            .and_then(|cell| cell.get_attribute("data-cell")?.parse().ok());
        point(
            &all,
            &said,
            pointed.borrow().as_ref(),
            index,
            session.page().language,
        );
    });
    let (walked, at) = (Rc::clone(&tile), Cell::new(0_usize));
    let (all, said) = (grids.clone(), reading.clone());
    let walk = session.name(
        grids.clone().set("tabindex", "0").set("role", "group"),
        "aria-label",
        Message::LayoutPoint,
    );
    let _ = walk.on("keydown", move |event| {
        let key = key(&event);
        let tile = walked.borrow();
        if let Some(next) = tile.as_ref().and_then(|tile| step(tile, at.get(), &key)) {
            event.prevent_default();
            at.set(next);
            let language = session.page().language;
            point(&all, &said, tile.as_ref(), Some(next), language);
        }
    });
    let followed = card.clone();
    session.follow_late(move |page, before| {
        let Some(document) = document(page) else {
            return followed.show(false);
        };
        let is_same = before.is_some_and(|before| {
            before.question() == page.question()
                && before.language == page.language
                && before.state.selection == page.state.selection
        });
        if is_same {
            return;
        }
        followed.show(document.placement.is_some());
        let Some(placement) = &document.placement else {
            return;
        };
        let made = tile_of(page, &document, placement, MOST);
        about.put_text(&page.language.say(&Message::LayoutAbout {
            rows: placement.rows(),
            columns: placement.columns(),
            bytes: placement.element_bytes(),
            is_cut: made.is_cut,
        }));
        grids.put_all(&[
            grid(&made, placement, page.language, true),
            grid(&made, placement, page.language, false),
        ]);
        reading.put_text(&page.language.say(&Message::LayoutPoint));
        bits.put_all(&bit_pictures(placement, page.language));
        spelt.put_all(&spelt_out(placement));
        *tile.borrow_mut() = Some(made);
    });
    card
}

fn document(page: &Page) -> Option<Document> {
    match &page.state.source {
        Source::Layout { layout, access } => Some(parse(&layout_text(layout, access))),
        _ => None,
    }
}

/// Banks of the device, and bytes of a word of one.
fn banks(page: &Page) -> [u64; 2] {
    let device = page.answer.device.as_ref();
    let known = |value: Option<u32>, otherwise| value.map_or(otherwise, u64::from);
    [
        known(device.and_then(lanescope_model::Device::banks), BANKS),
        known(
            device.and_then(lanescope_model::Device::bank_bytes),
            WORD_BYTES,
        ),
    ]
}

/// The tile with the lanes of the request on screen.
fn tile_of(page: &Page, document: &Document, placement: &Placement, most: u64) -> Tile {
    let selection = page.selection();
    let site = page.insides.first().map(|inside| inside.site);
    let start = site
        .and_then(|site| page.answer.program.site(site))
        .map(|site| site.span.start as usize);
    let request = document.request(start, selection.warp.into(), selection.iteration);
    Tile::of(placement, request, banks(page), most)
}

/// The logical grid, or the physical one.
fn grid(tile: &Tile, placement: &Placement, language: Language, is_logical: bool) -> El {
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
    el("figure")
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
fn cell_lines(placement: &Placement, cell: &TileCell) -> [String; 2] {
    let number = cell.row * placement.columns() + cell.column;
    let place = match cell.lane {
        Some(lane) => format!("{} L{lane}", cell.bank),
        None => cell.bank.to_string(),
    };
    [number.to_string(), place]
}

/// The tile as a picture that stands alone.
fn exported(page: &Page) -> Option<String> {
    let document = document(page)?;
    let placement = document.placement.as_ref()?;
    let tile = tile_of(page, &document, placement, EXPORTED);
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let cell = |cell: &TileCell| TilePictureCell {
        logical: [small(cell.column / tile.count), small(cell.row)],
        physical: [small(cell.bank), small(cell.line)],
        bank: cell.bank,
        lines: cell_lines(placement, cell),
        label: followed(&tile, cell, page.language),
        is_touched: cell.lane.is_some(),
    };
    let captions = [Message::LayoutLogical, Message::LayoutPhysical];
    let picture = TilePicture {
        title: placement.map().to_string(),
        captions: captions.map(|caption| page.language.say(&caption)),
        banks: tile.banks,
        cells: tile.cells.iter().map(cell).collect(),
    };
    Some(with_link(&tile_svg(&picture), &address::link(&page.state)))
}

/// Where an element goes: from its place in the tile to its byte, bank and lane.
fn followed(tile: &Tile, cell: &TileCell, language: Language) -> String {
    language.say(&Message::LayoutCell {
        row: cell.row,
        columns: [cell.column, cell.column + tile.count - 1],
        address: cell.address,
        bank: cell.bank,
        lane: cell.lane,
    })
}

/// The cell that an arrow key leads to.
fn step(tile: &Tile, index: usize, key: &str) -> Option<usize> {
    let columns = tile.cells.iter().take_while(|cell| cell.row == 0).count();
    let next = match key {
        "ArrowRight" => index.checked_add(1),
        "ArrowLeft" => index.checked_sub(1),
        "ArrowDown" => index.checked_add(columns),
        "ArrowUp" => index.checked_sub(columns),
        _ => None,
    };
    next.filter(|next| *next < tile.cells.len())
}

/// Lights the element up in both grids and says where it goes.
fn point(grids: &El, reading: &El, tile: Option<&Tile>, index: Option<usize>, language: Language) {
    for lit in std::iter::from_fn(|| grids.find(".lit")) {
        let class = lit
            .element()
            .and_then(|lit| lit.get_attribute("class"))
            .unwrap_or_default();
        lit.put("class", class.trim_end_matches(" lit"));
    }
    let Some((cell, index, tile)) =
        tile.and_then(|tile| Some((tile.cells.get(index?)?, index?, tile)))
    else {
        return reading.put_text(&language.say(&Message::LayoutPoint));
    };
    while let Some(other) = grids.find(&format!("[data-cell=\"{index}\"]:not(.lit)")) {
        let class = other
            .element()
            .and_then(|other| other.get_attribute("class"))
            .unwrap_or_default();
        other.put("class", &format!("{class} lit"));
        reveal(&other);
    }
    reading.put_text(&followed(tile, cell, language));
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

/// For each swizzle, the bits it reads and those it changes.
fn bit_pictures(placement: &Placement, language: Language) -> Vec<El> {
    let swizzles = placement
        .map()
        .stages
        .iter()
        .filter_map(|stage| match stage {
            Stage::Swizzle(swizzle) => Some((*swizzle, false)),
            Stage::SwizzleBytes(swizzle) | Stage::SwizzleAddress(swizzle) => Some((*swizzle, true)),
            _ => None,
        });
    swizzles
        .map(|(swizzle, on_bytes)| bit_picture(swizzle, on_bytes, language))
        .collect()
}

fn bit_picture(swizzle: Swizzle, on_bytes: bool, language: Language) -> El {
    let (read, changed) = swizzle.masks();
    let top = 64 - (read | changed).leading_zeros();
    let boxes = el("div").class("bits").set("aria-hidden", "true");
    for bit in (0..top).rev() {
        let class = match (read >> bit & 1, changed >> bit & 1) {
            (1, _) => "read",
            (_, 1) => "changed",
            _ => "still",
        };
        boxes.add(&el("i").class(class).text(&bit.to_string()));
    }
    let words = language.say(&Message::LayoutBits {
        swizzle: &swizzle,
        on_bytes,
    });
    let line = el("div")
        .class("bit-line")
        .with(&el("p").text(&words))
        .with(&boxes);
    match XorTable::of(swizzle) {
        Some(table) => el("div")
            .with(&line)
            .with(&xor_table(&table, on_bytes, language)),
        None => line,
    }
}

/// Where each group of a row goes, and that every row and column holds each once.
fn xor_table(table: &XorTable, on_bytes: bool, language: Language) -> El {
    let head = |number: usize| el("th").set("scope", "col").text(&number.to_string());
    let columns = 0..table.groups.len();
    let mut heading = vec![el("td")];
    heading.extend(columns.map(head));
    let body = el("tbody");
    for (row, groups) in table.groups.iter().enumerate() {
        let mut cells = vec![el("th").set("scope", "row").text(&row.to_string())];
        cells.extend(groups.iter().map(|group| {
            let hue = group % 8;
            el("td").class(&format!("g{hue}")).text(&group.to_string())
        }));
        body.add(&el("tr").with_all(&cells));
    }
    let grid = el("table")
        .class("xor")
        .testid("xor-table")
        .with(&el("thead").with(&el("tr").with_all(&heading)))
        .with(&body);
    let about = language.say(&Message::LayoutXor {
        size: table.group_size,
        on_bytes,
        is_permutation: table.is_permutation(),
    });
    el("div")
        .class("xor-table")
        .with_all(&[el("p").text(&about), el("div").class("wide").with(&grid)])
}

fn spelt_out(placement: &Placement) -> Vec<El> {
    let spelt = |snippet: &lanescope_layouts::Snippet| {
        el("details").class("fold").with_all(&[
            el("summary").with(&el("h2").text(snippet.language)),
            el("pre").class("snippet").text(&snippet.text),
        ])
    };
    snippets(placement).iter().map(spelt).collect()
}

/// The whole map, to take away.
fn map_table(page: &Page) -> Table {
    let columns = vec!["row", "column", "byte", "bank"];
    let Some(placement) = document(page).and_then(|document| document.placement) else {
        return Table {
            columns,
            rows: Vec::new(),
        };
    };
    let [banks, word_bytes] = banks(page);
    let row = |row: u64, column: u64| {
        let address = placement.address(row, column)?;
        let bank = address / word_bytes.max(1) % banks.max(1);
        Some(
            [row, column, address, bank]
                .map(|number| number.to_string())
                .to_vec(),
        )
    };
    let all = (0..placement.rows())
        .flat_map(|at| (0..placement.columns()).map(move |column| (at, column)));
    Table {
        columns,
        rows: all.filter_map(|(at, column)| row(at, column)).collect(),
    }
}
