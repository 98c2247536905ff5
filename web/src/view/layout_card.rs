//! A layout's tile, where its elements stand, and how it is spelt elsewhere.

use std::cell::RefCell;
use std::rc::Rc;

use lanescope_lang::layout::{Document, Placement, Stage, Swizzle, parse, snippets};
use lanescope_share::Source;

use crate::answer::layout_text;
use crate::element::{El, around, el, svg};
use crate::export::{self, Table};
use crate::page::Page;
use crate::session::Session;
use crate::words::{Language, Message};

/// The most rows and columns that are drawn.
const MOST: u64 = 32;
/// Side of a cell, in the picture's units.
const CELL: u64 = 22;
/// What a word of a bank holds, and how many banks there are, where the device says nothing.
const WORD_BYTES: u64 = 4;
const BANKS: u64 = 32;

/// One word's worth of elements of the tile.
struct Cell {
    row: u64,
    column: u64,
    address: u64,
    lane: Option<usize>,
}

/// The tile as it is drawn.
struct Tile {
    cells: Vec<Cell>,
    /// Elements of a cell.
    count: u64,
    banks: u64,
    word_bytes: u64,
    base: u64,
    is_cut: bool,
}

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
        export::table_buttons(table, "lanescope-layout"),
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
    let followed = card.clone();
    session.follow(move |page, before| {
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
        let made = Tile::of(page, &document, placement);
        about.put_text(&page.language.say(&Message::LayoutAbout {
            rows: placement.rows(),
            columns: placement.columns(),
            bytes: placement.element_bytes(),
            is_cut: made.is_cut,
        }));
        grids.put_all(&[
            grid(&made, page.language.say(&Message::LayoutLogical), |cell| {
                (cell.column / made.count, cell.row)
            }),
            grid(&made, page.language.say(&Message::LayoutPhysical), |cell| {
                made.physical(cell)
            }),
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

impl Tile {
    fn of(page: &Page, document: &Document, placement: &Placement) -> Self {
        let device = page.answer.device.as_ref();
        let known = |value: Option<u32>, otherwise| value.map_or(otherwise, u64::from);
        let banks = known(device.and_then(lanescope_model::Device::banks), BANKS);
        let word_bytes = known(
            device.and_then(lanescope_model::Device::bank_bytes),
            WORD_BYTES,
        );
        let count = together(placement, word_bytes);
        let (rows, columns) = (
            placement.rows().min(MOST),
            (placement.columns() / count).min(MOST),
        );
        let lanes = lanes(page, document);
        let mut cells = Vec::new();
        for row in 0..rows {
            for column in (0..columns).map(|column| column * count) {
                let Some(address) = placement.address(row, column) else {
                    continue;
                };
                let holds = |(_, start, bytes): &&(usize, u64, u64)| {
                    (*start..start + bytes).contains(&address)
                };
                let lane = lanes.iter().find(holds).map(|(lane, _, _)| *lane);
                cells.push(Cell {
                    row,
                    column,
                    address,
                    lane,
                });
            }
        }
        let is_cut = rows < placement.rows() || columns * count < placement.columns();
        let base = cells.iter().map(|cell| cell.address).min().unwrap_or(0);
        let line = (banks * word_bytes).max(1);
        Self {
            cells,
            count,
            banks: banks.max(1),
            word_bytes: word_bytes.max(1),
            base: base / line * line,
            is_cut,
        }
    }

    /// Across and down in memory: the bank, and the line of all banks.
    fn physical(&self, cell: &Cell) -> (u64, u64) {
        let word = (cell.address - self.base) / self.word_bytes;
        (word % self.banks, word / self.banks)
    }

    fn bank(&self, cell: &Cell) -> u64 {
        cell.address / self.word_bytes % self.banks
    }
}

/// How many elements share a word: all of a word's, where every word holds neighbours.
fn together(placement: &Placement, word_bytes: u64) -> u64 {
    let count = (word_bytes / placement.element_bytes()).max(1);
    let rows = 0..placement.rows().min(MOST);
    let adjacent = |row: u64, column: u64| {
        let first = placement.address(row, column);
        (1..count).all(|more| {
            placement.address(row, column + more)
                == first.map(|first| first + more * placement.element_bytes())
        })
    };
    let columns = placement.columns();
    let fits = count > 1
        && columns.is_multiple_of(count)
        && rows
            .into_iter()
            .all(|row| (0..columns / count).all(|word| adjacent(row, word * count)));
    if fits { count } else { 1 }
}

/// `(lane, first byte, bytes)` of the request on screen.
fn lanes(page: &Page, document: &Document) -> Vec<(usize, u64, u64)> {
    let selection = page.selection();
    let wanted = page
        .insides
        .first()
        .and_then(|inside| page.answer.program.site(inside.site));
    let request = document.requests.iter().find(|request| {
        wanted.is_none_or(|site| site.span.start as usize == request.span.start)
            && request.warp == u64::from(selection.warp)
            && request.step == selection.iteration
    });
    let Some(request) = request.or(document.requests.first()) else {
        return Vec::new();
    };
    let bytes = request.width.bytes();
    request
        .active
        .iter()
        .map(|lane| {
            (
                lane,
                request.addresses.get(lane).copied().unwrap_or(0),
                bytes,
            )
        })
        .collect()
}

/// A grid of the cells; `place` says how far across and down each stands.
fn grid(tile: &Tile, title: String, place: impl Fn(&Cell) -> (u64, u64)) -> El {
    let picture = svg("svg")
        .set("role", "img")
        .set("aria-label", &title)
        .class("layout-grid");
    let (mut right, mut down) = (0, 0);
    for (index, cell) in tile.cells.iter().enumerate() {
        let (x, y) = place(cell);
        (right, down) = (right.max(x + 1), down.max(y + 1));
        picture.add(&drawn(tile, index, cell, x * CELL, y * CELL));
    }
    picture.put("viewBox", &format!("0 0 {} {}", right * CELL, down * CELL));
    el("figure")
        .with(&el("figcaption").text(&title))
        .with(&picture)
}

fn drawn(tile: &Tile, index: usize, cell: &Cell, x: u64, y: u64) -> El {
    let bank = tile.bank(cell);
    let hue = bank * 360 / tile.banks;
    let square = svg("rect")
        .set("x", &(x + 1).to_string())
        .set("y", &(y + 1).to_string())
        .set("width", &(CELL - 2).to_string())
        .set("height", &(CELL - 2).to_string())
        .set("rx", "3")
        .set(
            "fill",
            &format!(
                "hsl({hue} 62% {}%)",
                if bank.is_multiple_of(2) { 78 } else { 70 }
            ),
        );
    let text = match cell.lane {
        Some(lane) => format!("L{lane}"),
        None => bank.to_string(),
    };
    let label = svg("text")
        .set("x", &(x + CELL / 2).to_string())
        .set("y", &(y + CELL / 2 + 3).to_string())
        .text(&text);
    let class = if cell.lane.is_some() { "owned" } else { "free" };
    svg("g")
        .class(class)
        .set("data-cell", &index.to_string())
        .with(&square)
        .with(&label)
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
    }
    reading.put_text(&language.say(&Message::LayoutCell {
        row: cell.row,
        columns: [cell.column, cell.column + tile.count - 1],
        address: cell.address,
        bank: tile.bank(cell),
        lane: cell.lane,
    }));
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
    el("div")
        .class("bit-line")
        .with(&el("p").text(&words))
        .with(&boxes)
}

fn spelt_out(placement: &Placement) -> Vec<El> {
    let spelt = |snippet: &lanescope_lang::layout::Snippet| {
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
    let Some((document, placement)) = document(page).and_then(|document| {
        let placement = document.placement.clone()?;
        Some((document, placement))
    }) else {
        return Table {
            columns,
            rows: Vec::new(),
        };
    };
    let tile = Tile::of(page, &document, &placement);
    let row = |row: u64, column: u64| {
        let address = placement.address(row, column)?;
        let bank = address / tile.word_bytes % tile.banks;
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
