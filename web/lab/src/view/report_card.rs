//! What was measured or is predicted, sheet by sheet.

use lanescope_lab::Clock;
use leptos::prelude::*;

use super::exports::Exports;
use super::limits_list::LimitsList;
use super::problem_sheet::ProblemSheet;
use super::step_order::StepOrder;
use super::stride_costs::StrideCosts;
use crate::session::{Origin, Session};
use crate::words::Word;

/// The report, or what the model says of what would run.
#[component]
pub(crate) fn ReportCard() -> impl IntoView {
    let session = Session::here();
    let sheets = session.sheets();
    let strides = move || {
        session
            .of_report(|shown| shown.report.strides.clone())
            .flatten()
    };
    let strides = Memo::new(move |_| strides());
    let is_empty = move || sheets.with(Vec::is_empty) && strides.with(Option::is_none);
    let prediction = move || view! { <h2>{session.word(|words| words.prediction)}</h2> };
    view! {
        <section class="card" data-testid="lab-report">
            <Show when=move || session.has_report() fallback=prediction>
                <ReportHead />
            </Show>
            <Show when=move || !sheets.with(Vec::is_empty)>
                <StepOrder />
            </Show>
            {move || strides.get().map(|strides| view! { <StrideCosts strides /> })}
            <Show when=is_empty>
                <p class="lab-note">{session.word(|words| words.stride_lead)}</p>
            </Show>
            <For
                each=move || 0..sheets.with(Vec::len)
                key=|index| *index
                children=|index| view! { <ProblemSheet index /> }
            />
            <Show when=move || session.has_report() && !is_empty()>
                <Exports />
                <LimitsList />
            </Show>
        </section>
    }
}

/// Where the report is from, and how it was timed.
#[component]
fn ReportHead() -> impl IntoView {
    let session = Session::here();
    let title = move || {
        let origin = session.of_report(|shown| shown.origin);
        origin.map(|origin| session.language().word(name_of(origin)))
    };
    let about = move || {
        session.of_report(|shown| {
            let clock = session.language().word(clock_of(shown.report.clock));
            format!("{} · {clock}", shown.report.adapter.name)
        })
    };
    view! {
        <div class="head">
            <h2 data-testid="lab-origin">{title}</h2>
            <span class="about">{about}</span>
        </div>
    }
}

const fn name_of(origin: Origin) -> Word {
    match origin {
        Origin::Here => |words| words.results_here,
        Origin::Link => |words| words.results_link,
        Origin::History => |words| words.results_history,
    }
}

const fn clock_of(clock: Clock) -> Word {
    match clock {
        Clock::Device => |words| words.device_clock,
        Clock::Wall => |words| words.wall_clock,
    }
}
