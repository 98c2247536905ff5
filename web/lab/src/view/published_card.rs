//! What others published.

use leptos::prelude::*;

use super::small_bar::SmallBar;
use crate::published::{Publisher, Run, runs};
use crate::session::Session;
use crate::words::{Word, Words};

const COLUMNS: [(Word, &str); 4] = [
    (|words| words.kernel, ""),
    (|words| words.size, "number"),
    (|words| words.time, "number"),
    (|words| words.bandwidth, "number"),
];

/// A table for each source that has runs of the experiment, where there are any.
#[component]
pub(crate) fn PublishedCard() -> impl IntoView {
    let session = Session::here();
    let publishers = move || {
        let has_runs = |one: &Publisher| !runs(*one, session.experiment()).is_empty();
        Publisher::ALL
            .iter()
            .copied()
            .filter(has_runs)
            .collect::<Vec<_>>()
    };
    view! {
        <Show when=move || !publishers().is_empty()>
            <section class="card" data-testid="lab-published">
                <div class="head">
                    <h2>{session.word(|words| words.published)}</h2>
                    <span class="about">{session.word(|words| words.published_lead)}</span>
                </div>
                <div class="lab-columns">
                    <For
                        each=publishers
                        key=|publisher| *publisher
                        children=|publisher| view! { <PublishedRuns publisher /> }
                    />
                </div>
            </section>
        </Show>
    }
}

/// The runs of one source. The region scrolls, so the keyboard must reach it.
#[component]
fn PublishedRuns(publisher: Publisher) -> impl IntoView {
    let session = Session::here();
    let name = move || session.language().publisher(publisher);
    let head = COLUMNS.map(|(word, class)| {
        view! {
            <th scope="col" class=class>
                {session.word(word)}
            </th>
        }
    });
    let rows = move || {
        let runs = runs(publisher, session.experiment());
        let most = runs.iter().filter_map(Run::gigabytes_per_second);
        let most = most.map(|(rate, _)| rate).fold(f64::MIN_POSITIVE, f64::max);
        let row = |run| row(run, most, session.language());
        runs.into_iter().map(row).collect_view()
    };
    view! {
        <div>
            <h3>{name}</h3>
            <div class="wide" role="region" tabindex="0" aria-label=name>
                <table>
                    <thead>
                        <tr>{head.collect_view()}</tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </div>
    }
}

/// A run beside the fastest of its source.
fn row(run: Run, most: f64, language: Words) -> impl IntoView {
    let found = run.gigabytes_per_second().map(|(found, is_said)| {
        let (class, text) = match is_said {
            true => ("", run.rate.to_owned()),
            false => ("lab-computed", format!("{found:.1}")),
        };
        let title = (!is_said).then(|| language.words().computed);
        view! {
            <SmallBar share=found / most />
            <span class=class title=title>{text}</span>
        }
    });
    view! {
        <tr>
            <th scope="row">
                <code>{run.kernel}</code>
            </th>
            <td class="number">{run.size.replace(" x ", " × ")}</td>
            <td class="number">{run.ms}</td>
            <td class="number">{found}</td>
        </tr>
    }
}
