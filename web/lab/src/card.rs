//! A report as a card of the size that previews of links have: a bar for each step, with the active lanes predicted, its
//! time and how many times as fast it is as the first.

use std::fmt::Write as _;

use lanescope_draw::{CARD_SIZE, escape_xml};

use crate::line::Line;
use crate::settings::Experiment;
use crate::sheet::Sheet;
use crate::words::{Words, name_of, rate, size_name};

/// Width and height in pixels.
pub(crate) const SIZE: [i32; 2] = CARD_SIZE;

const SANS: &str =
    "font-family=\"system-ui,-apple-system,Segoe UI,Roboto,Noto Sans,Noto Sans CJK SC,sans-serif\"";
const MONO: &str = "font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,monospace\"";

/// Where text begins, where bars do, how long the longest is, and where lanes, times and factors end.
const LEFT: f64 = 56.0;
const BARS: f64 = 360.0;
const LONGEST: f64 = 270.0;
const LANES: f64 = 905.0;
const TIMES: f64 = 1_020.0;
const RIGHT: f64 = 1_144.0;

/// Where rows begin, what they have together, and the tallest.
const TOP: f64 = 176.0;
const ROWS: f64 = 370.0;
const TALLEST: f64 = 60.0;

/// The card of the largest size that was measured; `None` where nothing was.
pub(crate) fn svg(
    sheets: &[impl AsRef<Sheet>],
    (gpu, experiment): (&str, Experiment),
    link: &str,
    language: Words,
) -> Option<String> {
    let measured = |sheet: &&Sheet| sheet.lines.iter().any(|line| bar_of(line).is_some());
    let sheets = sheets.iter().map(AsRef::as_ref).filter(measured);
    let sheet = sheets.max_by_key(|sheet| u64::from(sheet.size.rows) * sheet.size.columns)?;
    let size = size_name(experiment, &sheet.size.spell());
    let title = format!("{} · {size}", language.word(name_of(experiment)));
    let [width, height] = SIZE;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\
         <rect width=\"12\" height=\"{height}\" fill=\"#1f6fb8\"/>\n"
    );
    let bold = format!("{SANS} font-weight=\"700\"");
    let end = |font: &str| format!("{font} text-anchor=\"end\"");
    text(&mut out, [LEFT, 66.0, 26.0], "#16181b", &bold, "Lanescope");
    text(&mut out, [RIGHT, 65.0, 22.0], "#5c6470", &end(SANS), gpu);
    text(&mut out, [LEFT, 120.0, 34.0], "#16181b", &bold, &title);
    let words = language.words();
    let heads = [
        (BARS, SANS.to_owned(), words.bandwidth),
        (LANES, end(SANS), words.active_lanes_predicted),
        (TIMES, end(SANS), words.time),
        (RIGHT, end(SANS), words.times_first),
    ];
    for (x, font, word) in heads {
        text(&mut out, [x, TOP - 12.0, 18.0], "#5c6470", &font, word);
    }
    rows(&mut out, sheet, language);
    let address = link.split('#').next().unwrap_or_default();
    text(&mut out, [LEFT, 600.0, 20.0], "#5c6470", SANS, address);
    out += "</svg>\n";
    Some(out)
}

/// A line's bandwidth and seconds, where it is a step and was measured.
fn bar_of(line: &Line) -> Option<[f64; 2]> {
    let own = Some(line).filter(|line| !line.is_ceiling())?;
    Some([own.gigabytes_per_second()?, own.seconds()?])
}

fn rows(out: &mut String, sheet: &Sheet, language: Words) {
    let bars = sheet.lines.iter().zip(sheet.steps());
    let bars: Vec<_> = bars
        .filter_map(|(line, step)| Some((line, step, bar_of(line)?)))
        .collect();
    let most = bars.iter().map(|(.., [rate, _])| *rate).fold(0.0, f64::max);
    #[expect(clippy::cast_precision_loss, reason = "a few rows")]
    let tall = (ROWS / bars.len() as f64).min(TALLEST);
    let font = (tall * 0.55).min(21.0);
    let end = format!("{MONO} text-anchor=\"end\"");
    let mut top = TOP;
    for (line, step, [found, seconds]) in bars {
        let y = top + tall / 2.0 + font * 0.35;
        let long = LONGEST * found / most;
        let is_most = found >= most;
        let fill = if is_most { "#1a7347" } else { "#1f6fb8" };
        text(out, [LEFT, y, font], "#16181b", MONO, &line.name);
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "<rect x=\"{BARS}\" y=\"{:.1}\" width=\"{long:.1}\" height=\"{:.1}\" rx=\"4\" fill=\"{fill}\"/>",
            top + tall * 0.14,
            tall * 0.72
        );
        let said = format!("{} GB/s", rate(found));
        text(out, [BARS + long + 10.0, y, font], "#16181b", MONO, &said);
        if let Some(lanes) = line.lanes(language) {
            text(out, [LANES, y, font], "#16181b", &end, &lanes);
        }
        let time = format!("{:.4}", seconds * 1e3);
        text(out, [TIMES, y, font], "#16181b", &end, &time);
        if let Some([first, _]) = step {
            let times = format!("{first:.2}×");
            text(out, [RIGHT, y, font], "#16181b", &end, &times);
        }
        top += tall;
    }
}

fn text(out: &mut String, [x, y, size]: [f64; 3], fill: &str, font: &str, said: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" fill=\"{fill}\" {font}>{}</text>",
        escape_xml(said)
    );
}
