//! The bar chart: bandwidth of each variant against the ceilings of the same run. Places are
//! shares of the picture's width, so that it fits a phone as it fits a desk.

use std::sync::Arc;

use lanescope_kernels::KernelId;
use leptos::prelude::*;

use crate::line::Line;
use crate::session::Session;
use crate::sheet::Sheet;
use crate::words::{Word, Words, rate};

/// The share of the width that the longest bar takes; its number stands behind it.
const LONGEST: f64 = 78.0;
const ROW: u32 = 36;
const TOP: u32 = 22;
/// The height of a rule's label under the bars.
const RULE: u32 = 18;

/// The chart of one problem, or nothing before something was measured.
#[component]
pub(crate) fn BandwidthChart(sheet: Memo<Arc<Sheet>>) -> impl IntoView {
    let session = Session::here();
    move || chart(&sheet.read().lines, session.peak(), session.language())
}

fn chart(lines: &[Line], peak: Option<f64>, language: Words) -> Option<impl IntoView + use<>> {
    let rates = lines.iter().filter_map(Line::gigabytes_per_second);
    let fastest = rates.fold(0.0, f64::max);
    if fastest <= 0.0 {
        return None;
    }
    let scale = LONGEST / fastest.max(peak.unwrap_or(0.0));
    let measured = bars(lines);
    let rules = rules(lines, peak);
    let own = TOP + ROW * u32::try_from(measured.len()).unwrap_or(0) + 4;
    let height = own + RULE * u32::try_from(rules.len()).unwrap_or(0);
    let name = about(&measured, language);
    let rows = (0..).zip(&measured);
    let most = measured.iter().map(|(_, found)| *found).fold(0.0, f64::max);
    let rows = rows.map(|(index, (line, found))| {
        let is_best = *found >= most;
        bar(line, (*found, scale, is_best), index, language)
    });
    let drawn = (0..).zip(rules).map(|(at, (key, word, found))| {
        let x = format!("{:.2}%", found * scale);
        let label = format!("{} {} GB/s", language.word(word), rate(found));
        // On its free side a label has room, wherever the rule is.
        let class = match found * scale < LONGEST / 2.0 {
            true => "ceiling behind",
            false => "ceiling",
        };
        view! {
            <g data-rule=key>
                <line class="rule" x1=x.clone() x2=x.clone() y1=TOP - 4 y2=own + RULE * at></line>
                <text class=class x=x y=own + RULE * at + 13>
                    {label}
                </text>
            </g>
        }
    });
    let drawn = drawn.collect_view();
    Some(view! {
        <svg
            class="lab-chart"
            width="100%"
            height=height
            role="img"
            aria-label=name
            data-testid="lab-chart"
        >
            {ceilings(lines, scale, own, language)}
            {drawn}
            {rows.collect_view()}
        </svg>
    })
}

/// What was measured besides ceilings, in the order of the lines, in GB/s.
fn bars(lines: &[Line]) -> Vec<(&Line, f64)> {
    let own = lines.iter().filter(|line| !line.is_ceiling());
    own.filter_map(|line| Some((line, line.gigabytes_per_second()?)))
        .collect()
}

/// Bounds that are rules across the bars, in GB/s: the article's two copies, and the card's theoretical peak.
fn rules(lines: &[Line], peak: Option<f64>) -> Vec<(&'static str, Word, f64)> {
    let of = |id: KernelId| {
        let mut own = lines.iter().filter(|line| line.kernel == Some(id));
        own.find_map(Line::gigabytes_per_second)
    };
    let all: [(&'static str, Word, Option<f64>); 3] = [
        ("lower", |words| words.lower_bound, of(KernelId::CopyCol)),
        ("upper", |words| words.upper_bound, of(KernelId::CopyRow)),
        ("peak", |words| words.peak_rule, peak),
    ];
    all.into_iter()
        .filter_map(|(key, word, found)| Some((key, word, found?)))
        .collect()
}

/// The chart in a sentence.
fn about(bars: &[(&Line, f64)], language: Words) -> String {
    let named = |(line, found): &(&Line, f64)| format!("{} {} GB/s", line.name, rate(*found));
    let all: Vec<_> = bars.iter().map(named).collect();
    format!("{}: {}", language.words().bandwidth, all.join(", "))
}

fn bar(
    line: &Line,
    (found, scale, is_best): (f64, f64, bool),
    index: u32,
    language: Words,
) -> impl IntoView + use<> {
    let top = TOP + ROW * index;
    let width = format!("{:.2}%", found * scale);
    let block = line.block().filter(|_| line.parameters().is_empty());
    let label = format!("{}  {}", line.name, block.unwrap_or_default());
    let class = if is_best { "best" } else { "own" };
    let shows = line.kernel.map(|kernel| language.shows(kernel));
    let title = format!("{label}: {}", shows.unwrap_or_default());
    view! {
        <g>
            <title>{title}</title>
            <text class="name" x="0" y=top + 13>
                {label}
            </text>
            <rect class=class x="0" y=top + 18 width=width.clone() height="11" rx="3"></rect>
            <text class="value" x=width y=top + 28 dx="7">
                {rate(found)}
            </text>
        </g>
    }
}

/// A line for the best copy and the best read; sums are not held to the copy, nor transposes to the read.
fn ceilings(lines: &[Line], scale: f64, height: u32, language: Words) -> impl IntoView + use<> {
    let transposes = lines.iter().any(|line| line.name.starts_with("transpose"));
    let words = language.words();
    let kinds = [(false, words.copy_ceiling), (true, words.read_ceiling)];
    let wanted = kinds.into_iter().filter(|(read, _)| *read != transposes);
    let drawn = wanted.filter_map(|(read, word)| {
        let found = best_ceiling(lines, read)?;
        let x = format!("{:.2}%", found * scale);
        let label = format!("{word} {} GB/s", rate(found));
        Some(view! {
            <g>
                <line class="ceiling" x1=x.clone() x2=x.clone() y1=TOP - 4 y2=height></line>
                <text class="ceiling" x=x y=12>
                    {label}
                </text>
            </g>
        })
    });
    drawn.collect_view()
}

/// The fastest read, or the fastest copy, in GB/s.
fn best_ceiling(lines: &[Line], read: bool) -> Option<f64> {
    let ceilings = lines.iter().filter(|line| line.is_ceiling());
    let group = ceilings.filter(|line| (line.name == "read_vec4") == read);
    group
        .filter_map(Line::gigabytes_per_second)
        .max_by(f64::total_cmp)
}
