//! Runs of before.

use lanescope_lab::report::Report;
use leptos::prelude::*;

use crate::history::Entry;
use crate::session::Session;
use crate::words::{Words, name_of, rate, size_name};

/// The runs that the browser remembers, where there are any.
#[component]
pub(crate) fn HistoryCard() -> impl IntoView {
    let session = Session::here();
    view! {
        <Show when=move || !session.past().is_empty()>
            <section class="card">
                <div class="head">
                    <h2>{session.word(|words| words.history)}</h2>
                    <span class="about">{session.word(|words| words.history_lead)}</span>
                    <div class="tools">
                        <button
                            type="button"
                            class="button small"
                            id="lab-forget"
                            data-testid="lab-forget"
                            on:click=move |_| session.forget_past()
                        >
                            {session.word(|words| words.forget)}
                        </button>
                    </div>
                </div>
                <ul class="lab-history" data-testid="lab-history">
                    <ForEnumerate
                        each=move || session.past()
                        key=|entry| entry.at.clone()
                        children=|index, entry| view! { <PastRun index entry /> }
                    />
                </ul>
            </section>
        </Show>
    }
}

/// A run of before, in a line.
#[component]
fn PastRun(index: ReadSignal<usize>, entry: Entry) -> impl IntoView {
    let session = Session::here();
    let id = move || format!("lab-past-{}", index.get());
    let at = entry.at.get(..16).unwrap_or_default().replace('T', " ");
    let described = entry.clone();
    view! {
        <li>
            <button
                type="button"
                class="button small"
                id=id
                data-testid=id
                disabled=move || session.is_running()
                on:click=move |_| session.show_again(entry.clone())
            >
                {at}
            </button>
            <span>{move || describe(&described, session.language())}</span>
        </li>
    }
}

/// The experiment, its sizes, the adapter and the best result.
fn describe(
    Entry {
        settings, report, ..
    }: &Entry,
    language: Words,
) -> String {
    let sizes = settings.sizes.iter();
    let sizes: Vec<_> = sizes
        .map(|size| size_name(settings.experiment, size))
        .collect();
    let mut about = vec![
        language.word(name_of(settings.experiment)).to_owned(),
        sizes.join(", "),
        report.adapter.name.clone(),
        best_of(report),
    ];
    about.retain(|part| !part.is_empty());
    about.join(" · ")
}

/// The fastest kernel of a report, or the banks that its strides look like.
fn best_of(report: &Report) -> String {
    if let Some(banks) = report.strides.as_ref().and_then(|strides| strides.banks) {
        return format!("{} × {} B", banks.count, banks.word_bytes);
    }
    let rows = report.experiments.iter().flat_map(|table| &table.results);
    let own =
        rows.filter(|row| row.kernel.starts_with("reduce") || row.kernel.starts_with("transpose"));
    let rates = own.filter_map(|row| Some((row, row.gigabytes_per_second()?)));
    let best = rates.max_by(|a, b| a.1.total_cmp(&b.1));
    best.map(|(row, found)| format!("{} {} GB/s", row.kernel, rate(found)))
        .unwrap_or_default()
}
