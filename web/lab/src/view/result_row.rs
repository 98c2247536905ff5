//! What was measured of a variant, and what the model says of it.

use std::sync::Arc;

use lanescope_lab::report::Outcome;
use lanescope_lab::{ActiveLanes, Prediction};
use leptos::prelude::*;

use super::result_table::PREDICTED;
use crate::line::{Line, Size};
use crate::session::Session;
use crate::sheet::Sheet;
use crate::words::{Words, grouped, rate};

/// The line at `index` of a sheet; what was measured of it where anything has run.
#[component]
pub(crate) fn ResultRow(
    sheet: Memo<Arc<Sheet>>,
    index: usize,
    has_run: Memo<bool>,
) -> impl IntoView {
    let session = Session::here();
    let line = Memo::new(move |_| sheet.read().lines.get(index).cloned());
    let size = Memo::new(move |_| sheet.read().size);
    let name = move || line.with(|line| Some(name(line.as_ref()?, size.get(), session.language())));
    let step = Memo::new(move |_| sheet.read().steps().get(index).copied().flatten());
    let change = Memo::new(move |_| sheet.read().changes().get(index).copied().flatten());
    let measured = move || {
        let beside = (step.get(), session.peak());
        let cells = || line.with(|line| Some(measured(line.as_ref()?, beside, session.language())));
        has_run.get().then(cells)
    };
    let predicted =
        move || line.with(|line| Some(predicted(line.as_ref()?, change.get(), session.language())));
    view! {
        <tr
            data-kernel=move || line.with(|line| line.as_ref().map(|line| line.name.clone()))
            data-state=move || line.with(|line| line.as_ref().map(state))
        >
            <th scope="row">{name}</th>
            <td
                class="number"
                data-h=session.word(|words| words.block)
                title=move || line.with(|line| line.as_ref().map(Line::parameters))
            >
                {move || line.with(|line| line.as_ref().and_then(Line::block))}
            </td>
            {measured}
            {predicted}
        </tr>
    }
}

fn state(line: &Line) -> &'static str {
    match line.outcome {
        None => "waiting",
        Some(Outcome::Measured { .. }) => "measured",
        Some(Outcome::TooNoisy { .. }) => "noisy",
        Some(Outcome::Failed { .. }) => "failed",
        Some(Outcome::NotRun { .. }) => "not-run",
    }
}

/// The kernel's name, its source as the playground opens it, and what it shows.
fn name(line: &Line, size: Size, language: Words) -> impl IntoView + use<> {
    let name = line.name.clone();
    let code = view! { <code>{name}</code> };
    let code = match line.source_link(size) {
        Some(link) => view! {
            <a href=link title=language.words().open data-testid="lab-open">
                {code}
            </a>
        }
        .into_any(),
        None => code.into_any(),
    };
    let shows = match line.kernel {
        Some(kernel) => language.shows(kernel),
        None => language.words().device_copy,
    };
    view! {
        {code}
        <span class="lab-shows">{shows}</span>
    }
}

/// Time, how many times as fast as the first step and the one before, bandwidth, its part of the ceiling and spread, empty
/// where there is none, and the result in words. What samples that disagree say is grey.
fn measured(
    line: &Line,
    (step, peak): (Option<[f64; 2]>, Option<f64>),
    language: Words,
) -> impl IntoView + use<> {
    let (figures, result) = match &line.outcome {
        None => (<[String; 4]>::default(), None),
        Some(outcome) => (figures(outcome), Some(result(outcome, language))),
    };
    let [time, bandwidth, ceiling, spread] = figures;
    let [first, before] = step.map_or_else(Default::default, |step| {
        step.map(|times| format!("{times:.2}×"))
    });
    let of_peak = line.gigabytes_per_second().zip(peak).map(|(rate, peak)| {
        let share = percent(rate / peak);
        view! { <span class="lab-of-peak" data-testid="lab-of-peak">{format!("{share} {}", language.words().of_peak)}</span> }
    });
    let noise = match line.outcome {
        Some(Outcome::TooNoisy { noise, .. }) => noise,
        Some(Outcome::Measured { .. } | Outcome::Failed { .. } | Outcome::NotRun { .. }) | None => {
            None
        }
    };
    let noisy_time = noise.map(|noise| {
        let [fastest, slowest] = noise.range.map(milliseconds);
        let median = milliseconds(noise.seconds);
        view! { <span class="lab-grey" data-testid="lab-noise">{format!("{median} ({fastest}–{slowest})")}</span> }
    });
    let noisy_rate = noise.map(|noise| {
        view! { <span class="lab-grey">{rate(noise.gigabytes_per_second())}</span> }
    });
    let class = if result.is_some() {
        "lab-result"
    } else {
        "number"
    };
    view! {
        <td class="number edge" data-h=language.words().time>{time}{noisy_time}</td>
        <td class="number" data-h=language.words().times_first data-testid="lab-times-first">{first}</td>
        <td class="number" data-h=language.words().times_before data-testid="lab-times-before">{before}</td>
        <td class="number" data-h=language.words().bandwidth>{bandwidth}{noisy_rate}{of_peak}</td>
        <td class="number" data-h=language.words().ceiling>{ceiling}</td>
        <td class="number" data-h=language.words().spread>{spread}</td>
        <td class=class data-h=language.words().result>{result}</td>
    }
}

fn figures(outcome: &Outcome) -> [String; 4] {
    match outcome {
        Outcome::Measured {
            gigabytes_per_second,
            ceiling_share,
            timing,
            ..
        } => [
            milliseconds(timing.seconds),
            rate(*gigabytes_per_second),
            ceiling_share.map(percent).unwrap_or_default(),
            percent(timing.spread),
        ],
        Outcome::TooNoisy { spread, .. } => {
            let none = String::new;
            [none(), none(), none(), percent(*spread)]
        }
        Outcome::Failed { .. } | Outcome::NotRun { .. } => Default::default(),
    }
}

fn result(outcome: &Outcome, language: Words) -> String {
    match outcome {
        Outcome::Measured { .. } => language.words().verified.to_owned(),
        Outcome::TooNoisy { .. } => language.words().too_noisy.to_owned(),
        Outcome::Failed { index } => format!("{} ({index})", language.words().wrong),
        Outcome::NotRun { reason } => language.fault(reason),
    }
}

/// Active lanes, wavefronts, conflicts, sectors, sectors a request, and what changes against the step before; a dash where the model has
/// nothing to say.
fn predicted(line: &Line, change: Option<[f64; 3]>, language: Words) -> impl IntoView + use<> {
    let Some(counts) = line.prediction else {
        let dash = if line.kernel.is_some() { "…" } else { "–" };
        return view! {
            {unknown(dash, language)}
            <td data-h=language.words().cause></td>
        }
        .into_any();
    };
    view! {
        {lanes(&counts.lanes, language)}
        <td class="number" data-h=language.words().wavefronts>{grouped(counts.shared_wavefronts)}</td>
        {conflicts(&counts, language)}
        <td class="number" data-h=language.words().sectors>{grouped(counts.sectors)}</td>
        <td class="number" data-h=language.words().sectors_a_request>{format!("{:.1}", counts.sectors_per_request())}</td>
        <td class="lab-cause" data-h=language.words().cause data-testid="lab-cause">{change.map(|change| cause(change, language))}</td>
    }
    .into_any()
}

/// Active lanes of the line that leaves most idle, of how many; below them which line it is, and those of all instructions.
fn lanes(lanes: &ActiveLanes, language: Words) -> impl IntoView + use<> {
    let line = lanes
        .worst_line
        .map(|line| language.lanes_of_line(line.line, lanes.all.lanes_hundredths()));
    view! {
        <td class="number edge" data-h=language.words().active_lanes data-testid="lab-lanes">
            {language.lanes(lanes)}
            {line.map(|line| view! { <span class="lab-of-peak">{line}</span> })}
        </td>
    }
}

/// What the model expects a step to change: active lanes, wavefronts and sectors against those of the step before.
fn cause([lanes, wavefronts, sectors]: [f64; 3], language: Words) -> String {
    const SAME: f64 = 0.02;
    let words = language.words();
    let of = |word: &str, ratio: f64| match ratio {
        ratio if (ratio - 1.0).abs() < SAME => None,
        ratio if ratio < 1.0 => Some(format!("{word} ÷ {:.1}", 1.0 / ratio)),
        ratio => Some(format!("{word} × {ratio:.1}")),
    };
    let all = [
        of(words.active_lanes, lanes),
        of(words.wavefronts, wavefronts),
        of(words.sectors, sectors),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    match all.as_slice() {
        [] => words.same_counts.to_owned(),
        all => all.join(", "),
    }
}

/// The conflicts, and the ways of the worst request on the colour of the heat scale.
fn conflicts(counts: &Prediction, language: Words) -> impl IntoView + use<> {
    let ways = (counts.shared_conflicts > 0).then_some(counts.ways);
    let chip = ways.map(|ways| {
        let step = 1_u32 << ways.clamp(1, 32).ilog2();
        view! { <span class=format!("chip w{step}")>{format!("{ways}-way")}</span> }
    });
    view! {
        <td
            class="number"
            data-h=language.words().conflicts
            data-ways=ways.map(|ways| ways.to_string())
        >
            {grouped(counts.shared_conflicts)}
            {chip}
        </td>
    }
}

/// Cells of figures that are not known, the first at an edge.
fn unknown(dash: &'static str, language: Words) -> impl IntoView {
    let cell = |(index, word)| {
        let class = if index == 0 { "number edge" } else { "number" };
        view! {
            <td class=class data-h=language.word(word)>
                {dash}
            </td>
        }
    };
    PREDICTED.into_iter().enumerate().map(cell).collect_view()
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.4}", seconds * 1e3)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
