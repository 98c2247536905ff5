//! The bar chart: bandwidth of each variant against the ceilings of the same run. Places are
//! shares of the picture's width, so that it fits a phone as it fits a desk.

use crate::element::{El, svg};
use crate::table::Line;
use crate::words::{Word, Words, rate};

/// The share of the width that the longest bar takes; its number stands behind it.
const LONGEST: f64 = 78.0;
const ROW: u32 = 36;
const TOP: u32 = 22;

/// The chart of one problem, or nothing before something was measured.
pub(crate) fn build(lines: &[Line], language: Words) -> Option<El> {
    let rates = || lines.iter().filter_map(Line::gigabytes_per_second);
    let most = rates().fold(0.0, f64::max);
    if most <= 0.0 {
        return None;
    }
    let scale = LONGEST / most;
    let bars = lines.iter().filter(|line| !line.is_ceiling());
    let mut bars: Vec<_> = bars
        .filter_map(|line| Some((line, line.gigabytes_per_second()?)))
        .collect();
    bars.sort_by(|a, b| b.1.total_cmp(&a.1));
    let count = u32::try_from(bars.len()).unwrap_or(0);
    let height = TOP + ROW * count + 4;
    let picture = svg("svg")
        .class("lab-chart")
        .set("width", "100%")
        .set("height", &height.to_string())
        .set("role", "img")
        .set("aria-label", &about(&bars, language))
        .set("data-testid", "lab-chart");
    let rows = (0..)
        .zip(&bars)
        .map(|(i, (line, found))| bar(line, *found, scale, i, language));
    let picture = picture.with_each(ceilings(lines, scale, height, language));
    Some(picture.with_each(rows))
}

/// The chart in a sentence.
fn about(bars: &[(&Line, f64)], language: Words) -> String {
    let named = |(line, found): &(&Line, f64)| format!("{} {} GB/s", line.name, rate(*found));
    let all: Vec<_> = bars.iter().map(named).collect();
    format!("{}: {}", language.word(Word::Bandwidth), all.join(", "))
}

fn bar(line: &Line, found: f64, scale: f64, index: u32, language: Words) -> El {
    let top = TOP + ROW * index;
    let width = format!("{:.2}%", found * scale);
    let block = line
        .block()
        .filter(|_| line.parameters().is_empty())
        .unwrap_or_default();
    let label = format!("{}  {block}", line.name);
    let class = if index == 0 { "best" } else { "own" };
    let shows = line
        .kernel
        .map(|kernel| language.shows(kernel.id))
        .unwrap_or_default();
    svg("g")
        .with(&svg("title").text(&format!("{label}: {shows}")))
        .with(&text("0", top + 13, "name", &label))
        .with(
            &svg("rect")
                .class(class)
                .set("x", "0")
                .set("y", &(top + 18).to_string())
                .set("width", &width)
                .set("height", "11")
                .set("rx", "3"),
        )
        .with(&text(&width, top + 28, "value", &rate(found)).set("dx", "7"))
}

/// A line for the best copy and the best read.
fn ceilings(lines: &[Line], scale: f64, height: u32, language: Words) -> Vec<El> {
    let best = |read: bool| {
        let group = lines
            .iter()
            .filter(move |line| line.is_ceiling() && (line.name == "read_vec4") == read);
        group
            .filter_map(Line::gigabytes_per_second)
            .max_by(f64::total_cmp)
    };
    let transposes = lines.iter().any(|line| line.name.starts_with("transpose"));
    let kinds = [(false, Word::CopyCeiling), (true, Word::ReadCeiling)];
    let wanted = kinds.into_iter().filter(|(read, _)| *read != transposes);
    let drawn = wanted.filter_map(|(read, word)| {
        let found = best(read)?;
        let x = format!("{:.2}%", found * scale);
        let line = svg("line")
            .class("ceiling")
            .set("x1", &x)
            .set("x2", &x)
            .set("y1", &(TOP - 4).to_string())
            .set("y2", &height.to_string());
        let label = format!("{} {} GB/s", language.word(word), rate(found));
        Some(svg("g").with(&line).with(&text(&x, 12, "ceiling", &label)))
    });
    drawn.collect()
}

fn text(x: &str, y: u32, class: &str, content: &str) -> El {
    svg("text")
        .class(class)
        .set("x", x)
        .set("y", &y.to_string())
        .text(content)
}

/// A small bar beside a number, so much of its full width.
pub(crate) fn small_bar(share: f64) -> El {
    let width = format!("{:.1}%", share.clamp(0.0, 1.0) * 100.0);
    let rect = svg("rect")
        .set("width", &width)
        .set("height", "9")
        .set("rx", "2");
    svg("svg")
        .class("lab-bar")
        .set("aria-hidden", "true")
        .with(&rect)
}
