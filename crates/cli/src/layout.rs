//! `lanescope layout`: a layout as counts, a picture, a table or source text.

use crate::args::layout::{LayoutArgs, LayoutFormat};
use crate::table::{Align, Table};
use crate::{diagnostics, input, layout_finding, output};
use anyhow::Context as _;
use lanescope_draw::{TilePicture, TilePictureCell, tile_svg};
use lanescope_layouts::{Document, Operand, Placement, Tile, TileCell, snippets};
use lanescope_model::Device;
use lanescope_query::parse_layout;
use lanescope_report::Layout;
use std::fmt::Write as _;
use std::process::ExitCode;

/// The most rows and columns of a picture.
const MOST: u64 = 64;

/// Reads the layout and prints what is asked for.
///
/// # Errors
/// When the file cannot be read or holds no layout.
pub(crate) fn run(args: &LayoutArgs) -> anyhow::Result<ExitCode> {
    let layout = input::text(&args.file)?;
    let name = input::name(&args.file);
    let device = &args.device.choice().device;
    let search = (args.find || args.align.is_some()).then_some(args.align);
    let answer = Layout::of(&layout, &args.access, device, search);
    let read = answer.as_ref().map_or(&layout, |answer| &answer.text);
    diagnostics::print(&name, read, &parse_layout(read).diagnostics);
    let answer = answer.with_context(|| name.clone())?;
    let document = &answer.document;
    let placement = document
        .placement
        .as_ref()
        .with_context(|| format!("{name}: no layout, as in `(8,32):(32,1)`"))?;
    output::print(&match args.format {
        LayoutFormat::Table => table(&answer, placement, device),
        LayoutFormat::Json => answer.json(device)?,
        LayoutFormat::Svg => svg(document, placement, device),
        LayoutFormat::Csv => csv(placement, device),
        LayoutFormat::Code => code(placement),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Banks, and bytes of a word of one; those of most devices where they are not known.
fn banks(device: &Device) -> [u64; 2] {
    let known = |value: Option<u32>, otherwise| value.map_or(otherwise, u64::from);
    [known(device.banks(), 32), known(device.bank_bytes(), 4)]
}

fn table(answer: &Layout, placement: &Placement, device: &Device) -> String {
    let document = &answer.document;
    let mut text = format!("{}\n", placement.map());
    let right = |name| (name, Align::Right);
    let mut table = Table::new(&[
        right("warp"),
        right("step"),
        right("bits"),
        right("lanes"),
        right("wavefronts"),
        right("ideal"),
        right("conflicts"),
        right("n-way"),
        ("access", Align::Left),
    ]);
    for request in &document.requests {
        let counts = device.shared_counts(&request.request());
        let of = |number: Option<u32>| number.map_or("unknown".to_owned(), |n| n.to_string());
        let counts = counts.ok();
        table.row([
            request.warp.to_string(),
            request.step.to_string(),
            (request.width.bytes() * 8).to_string(),
            request.active.count().to_string(),
            of(counts.map(|counts| counts.wavefronts)),
            of(counts.map(|counts| counts.ideal_wavefronts)),
            of(counts.map(|counts| counts.conflicts)),
            counts.map_or(String::new(), |counts| format!("{}-way", counts.ways)),
            answer.access(&request.span).to_owned(),
        ]);
    }
    if !document.requests.is_empty() {
        let _ = write!(text, "\n{table}");
    }
    if let Some(operand) = placement.operand() {
        let _ = writeln!(text, "\n{}", operand_words(operand));
    }
    if document.is_element_assumed {
        let element = &document.element;
        let _ = writeln!(
            text,
            "\nno element type is given: {element} is assumed; a line such as `type f16` names another"
        );
    }
    if let Some(access) = &answer.assumed {
        let _ = writeln!(
            text,
            "\nno access is given: {access} is shown; --access names another"
        );
    }
    if let Some(finding) = &answer.finding {
        text += &layout_finding::text(answer, finding);
    }
    text
}

fn svg(document: &Document, placement: &Placement, device: &Device) -> String {
    let tile = Tile::of(placement, document.request(None, 0, 0), banks(device), MOST);
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let cell = |cell: &TileCell| {
        let index = cell.row * placement.columns() + cell.column;
        let lane = cell.lane.map(|lane| format!(" L{lane}"));
        TilePictureCell {
            logical: [small(cell.column / tile.count), small(cell.row)],
            physical: [small(cell.bank), small(cell.line)],
            bank: cell.bank,
            lines: [
                index.to_string(),
                format!("{}{}", cell.bank, lane.as_deref().unwrap_or("")),
            ],
            label: format!(
                "row {}, column {}: byte {}, bank {}{}",
                cell.row,
                cell.column,
                cell.address,
                cell.bank,
                cell.lane
                    .map_or_else(String::new, |lane| format!(", lane {lane}"))
            ),
            is_touched: cell.lane.is_some(),
        }
    };
    tile_svg(&TilePicture {
        title: placement.map().to_string(),
        captions: [
            "logical: rows and columns, coloured by bank".to_owned(),
            "physical: banks across, lines of all banks down".to_owned(),
        ],
        banks: tile.banks,
        cells: tile.cells.iter().map(cell).collect(),
    })
}

fn csv(placement: &Placement, device: &Device) -> String {
    let [banks, word_bytes] = banks(device);
    let mut text = "row,column,byte,bank\n".to_owned();
    for row in 0..placement.rows() {
        for column in 0..placement.columns() {
            if let Some(byte) = placement.address(row, column) {
                let _ = writeln!(text, "{row},{column},{byte},{}", byte / word_bytes % banks);
            }
        }
    }
    text
}

fn code(placement: &Placement) -> String {
    let spelt = snippets(placement).into_iter();
    spelt
        .map(|snippet| format!("// {}\n{}\n", snippet.language, snippet.text))
        .collect::<Vec<_>>()
        .join("\n")
}

/// What a matrix descriptor says of the tile.
fn operand_words(operand: Operand) -> String {
    let (major, lines, along) = if operand.is_k_major {
        ("K-major", "rows", "columns")
    } else {
        ("MN-major", "columns", "rows")
    };
    let next = |bytes: Option<u64>, what: &str| {
        bytes.map_or_else(String::new, |bytes| {
            format!("; {what}: {bytes} bytes further")
        })
    };
    format!(
        "an operand of wgmma and tcgen05: {major}, swizzle {}, lines of {} bytes{}{}",
        operand.mode.name(),
        operand.line_bytes,
        next(operand.next_lines_bytes, &format!("the next 8 {lines}")),
        next(operand.next_along_bytes, &format!("the next {along}"))
    )
}
