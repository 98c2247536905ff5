//! A layout's tile, where its elements stand, and how it is spelt elsewhere.

use std::sync::Arc;

use lanescope_draw::{TilePicture, TilePictureCell, tile_svg, with_link};
use lanescope_layouts::{Document, Placement, Tile, TileCell, parse, snippets};
use lanescope_locale::page::PageWords;
use lanescope_locale::{Language, layout};
use lanescope_share::Source;
use leptos::html;
use leptos::prelude::*;

use super::exports::Offer;
use super::layout_bits::bit_pictures;
use super::layout_grid::{cell_lines, grids, light};
use crate::address;
use crate::answer::layout_text;
use crate::export::Table;
use crate::page::Page;
use crate::session::Session;
use lanescope_ui::element::{El, around};

/// The most rows and columns that are drawn, here and in a picture to take away.
const MOST: u64 = 64;
/// What a word of a bank holds, and how many banks there are, where the device says nothing.
const WORD_BYTES: u64 = 4;
const BANKS: u64 = 32;

/// A layout's placement and the tile that is drawn of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shown {
    placement: Placement,
    tile: Tile,
}

/// The card; hidden where the source is no layout.
#[component]
pub(crate) fn LayoutCard(session: Session) -> impl IntoView {
    let shown = Memo::new(move |_| session.late_pages().with(shown));
    // The cell that is pointed at, and the one that the arrow keys stand on.
    let pointed: RwSignal<Option<usize>> = RwSignal::new(None);
    let at = RwSignal::new(0);
    let host = NodeRef::<html::Div>::new();
    Effect::new(move || {
        let language = session.language();
        let Some(host) = host.get() else { return };
        shown.with(|shown| {
            if let Some(Shown { placement, tile }) = shown.as_deref() {
                El::of(host.into()).put_all(&grids(tile, placement, language));
            }
        });
        pointed.set(None);
    });
    Effect::new(move || {
        let index = pointed.get();
        if let Some(host) = host.get() {
            light(&El::of(host.into()), index);
        }
    });
    let point = move |event: leptos::ev::PointerEvent| {
        let cell = around(&event, "[data-cell]");
        let index = cell.and_then(|cell| cell.get_attribute("data-cell")?.parse().ok());
        pointed.set(index);
    };
    let walk = move |event: leptos::ev::KeyboardEvent| {
        let next = shown.with_untracked(|shown| {
            step(&shown.as_deref()?.tile, at.get_untracked(), &event.key())
        });
        if let Some(next) = next {
            event.prevent_default();
            at.set(next);
            pointed.set(Some(next));
        }
    };
    let reading = move || {
        let language = session.language();
        let of_cell = shown.with(|shown| {
            let tile = &shown.as_deref()?.tile;
            Some(followed(tile, tile.cells.get(pointed.get()?)?, language))
        });
        of_cell.unwrap_or_else(|| PageWords::of(language).layout_point.to_owned())
    };
    let about = move || {
        let language = session.language();
        shown.with(|shown| Some(about(shown.as_deref()?, language)))
    };
    let bits = move || {
        let language = session.language();
        shown.with(|shown| Some(bit_pictures(&shown.as_deref()?.placement, language)))
    };
    Offer::new(
        "layout",
        session.word(|words| words.layout_tile),
        move || shown.with(Option::is_some),
    )
    .svg("lanescope-layout", move || exported(&session.page()))
    .table("lanescope-layout", move || map_table(&session.page()))
    .make();
    let spelt = move || shown.with(|shown| Some(spelt_out(&shown.as_deref()?.placement)));
    view! {
        <section
            class="card layout"
            data-testid="layout-card"
            hidden=move || shown.with(Option::is_none)
        >
            <div class="head">
                <h2>{session.word(|words| words.layout_tile)}</h2>
                <span class="about">{about}</span>
            </div>
            <div
                class="layout-grids"
                node_ref=host
                tabindex="0"
                role="group"
                aria-label=session.word(|words| words.layout_point)
                on:pointerover=point
                on:keydown=walk
            ></div>
            <p class="reading" data-testid="layout-reading">
                {reading}
            </p>
            <div class="layout-bits">{bits}</div>
            <div>{spelt}</div>
        </section>
    }
}

/// `None` where the source is no layout, or none that can be drawn.
fn shown(page: &Arc<Page>) -> Option<Arc<Shown>> {
    let document = document(page)?;
    let placement = document.placement.as_ref()?;
    Some(Arc::new(Shown {
        tile: tile_of(page, &document, placement),
        placement: placement.clone(),
    }))
}

fn about(Shown { placement, tile }: &Shown, language: Language) -> String {
    layout::about(
        language,
        [
            placement.rows(),
            placement.columns(),
            placement.element_bytes(),
        ],
        tile.is_cut,
    )
}

fn document(page: &Page) -> Option<Document> {
    match &page.state.source {
        Source::Layout { layout, access } => {
            Some(parse(&layout_text(layout, access, &page.state.device)))
        }
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
fn tile_of(page: &Page, document: &Document, placement: &Placement) -> Tile {
    let selection = page.selection();
    let site = page.insides.first().map(|inside| inside.site);
    let start = site
        .and_then(|site| page.answer.program.site(site))
        .map(|site| site.span.start as usize);
    let request = document.request(start, selection.warp.into(), selection.iteration);
    Tile::of(placement, request, banks(page), MOST)
}

/// The tile as a picture that stands alone.
fn exported(page: &Page) -> Option<String> {
    let document = document(page)?;
    let placement = document.placement.as_ref()?;
    let tile = tile_of(page, &document, placement);
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let cell = |cell: &TileCell| TilePictureCell {
        logical: [small(cell.column / tile.count), small(cell.row)],
        physical: [small(cell.bank), small(cell.line)],
        bank: cell.bank,
        lines: cell_lines(placement, cell),
        label: followed(&tile, cell, page.language),
        is_touched: cell.lane.is_some(),
    };
    let words = PageWords::of(page.language);
    let picture = TilePicture {
        title: placement.map().to_string(),
        captions: [words.layout_logical, words.layout_physical].map(str::to_owned),
        banks: tile.banks,
        cells: tile.cells.iter().map(cell).collect(),
    };
    Some(with_link(&tile_svg(&picture), &address::link(&page.state)))
}

/// Where an element goes: from its place in the tile to its byte, bank and lane.
fn followed(tile: &Tile, cell: &TileCell, language: Language) -> String {
    layout::cell(
        language,
        cell.row,
        [cell.column, cell.column + tile.count - 1],
        [cell.address, cell.bank],
        cell.lane,
    )
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

/// The layout as other programs write it.
fn spelt_out(placement: &Placement) -> impl IntoView + use<> {
    let spelt = |snippet: &lanescope_layouts::Snippet| {
        view! {
            <details class="fold">
                <summary>
                    <h2>{snippet.language}</h2>
                </summary>
                <pre class="snippet">{snippet.text.clone()}</pre>
            </details>
        }
    };
    snippets(placement).iter().map(spelt).collect_view()
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
