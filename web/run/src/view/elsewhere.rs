//! Results that came with the link: measured elsewhere, on a GPU that they name.

use lanescope_locale::run_card;
use lanescope_run::Measured;
use leptos::prelude::*;

use super::session;
use crate::figures::time;
use crate::session::Session;
use crate::shared::{SharedRun, ratio, verdict};

/// A table of them, while the page shows what they are of.
#[component]
pub(crate) fn Elsewhere() -> impl IntoView {
    let session = session();
    let shown = move || {
        session
            .elsewhere
            .with(|shared| Some(table(session, shared.as_ref()?)))
    };
    view! {
        <div class="wide run-elsewhere" hidden=move || session.elsewhere.with(Option::is_none)>
            {shown}
        </div>
    }
}

fn table(session: Session, shared: &SharedRun) -> impl IntoView + use<> {
    let (language, words) = (session.language(), session.words());
    let copy = shared.copy.rate();
    let written = row(
        words.as_written.to_owned(),
        &shared.written,
        copy,
        verdict(language, shared.written.verdict),
    );
    let fixes = shared.fixes.iter().map(|fix| {
        let equal = match fix.fixed.is_equal_to_first {
            true => words.results_equal,
            false => words.results_differ,
        };
        let name = format!("{}: {}", fix.name.text(language), fix.snippet);
        let said = format!("{} · {equal}", ratio(fix));
        row(name, &fix.fixed, copy, said)
    });
    let software = shared.adapter.is_software.then_some(words.software);
    view! {
        <p class="run-said">
            <b data-testid="run-elsewhere">{words.elsewhere}</b>
            {format!(": {}", shared.adapter_name(language))}
        </p>
        <table data-testid="run-elsewhere-results">
            <thead>
                <tr>
                    <th scope="col">{words.version}</th>
                    <th scope="col" class="number">{words.time}</th>
                    <th scope="col" class="number">{"GB/s".to_owned()}</th>
                    <th scope="col" class="number">{words.of_copy}</th>
                    <th scope="col">{words.result}</th>
                </tr>
            </thead>
            <tbody>
                {written}
                {fixes.collect_view()}
                <tr data-kind="copy">
                    <th scope="row">{words.copy}</th>
                    <td class="number">{time(shared.copy.seconds)}</td>
                    <td class="number">{format!("{copy:.1}")}</td>
                    <td class="number">{"100 %".to_owned()}</td>
                    <td></td>
                </tr>
            </tbody>
        </table>
        <p class="run-warning">{software}</p>
        <p class="run-said">{run_card::samples(language, shared.written.samples)}</p>
    }
}

fn row(name: String, measured: &Measured, copy: f64, said: String) -> impl IntoView + use<> {
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td class="number">{time(measured.seconds)}</td>
            <td class="number">{format!("{:.1}", measured.rate())}</td>
            <td class="number">{format!("{:.0} %", 100.0 * measured.rate() / copy)}</td>
            <td>{said}</td>
        </tr>
    }
}
