//! The table: what was measured of each variant, and what the model says of it.

use std::sync::Arc;

use leptos::prelude::*;

use super::result_row::ResultRow;
use crate::session::Session;
use crate::sheet::Sheet;
use crate::words::Word;

const MEASURED: [Word; 7] = [
    Word::Time,
    Word::TimesFirst,
    Word::TimesBefore,
    Word::Bandwidth,
    Word::Ceiling,
    Word::Spread,
    Word::Result,
];
pub(super) const PREDICTED: [Word; 6] = [
    Word::ActiveLanes,
    Word::Wavefronts,
    Word::Conflicts,
    Word::Sectors,
    Word::SectorsARequest,
    Word::Cause,
];

/// A row for each line. The region scrolls, so the keyboard must reach it.
#[component]
pub(crate) fn ResultTable(sheet: Memo<Arc<Sheet>>) -> impl IntoView {
    let session = Session::here();
    let has_run = Memo::new(move |_| sheet.with(|sheet| sheet.has_run()));
    view! {
        <div class="wide" role="region" tabindex="0" aria-label=session.word(Word::Results)>
            <table class="lab-cards" data-testid="lab-results">
                <Head has_run />
                <tbody>
                    <For
                        each=move || 0..sheet.with(|sheet| sheet.lines.len())
                        key=|index| *index
                        children=move |index| view! { <ResultRow sheet index has_run /> }
                    />
                </tbody>
            </table>
        </div>
    }
}

/// What was measured stands apart from what is predicted.
#[component]
fn Head(has_run: Memo<bool>) -> impl IntoView {
    let session = Session::here();
    let predicted_for = move || session.language().predicted_for(&session.device());
    view! {
        <thead>
            <tr>
                <td colspan=2></td>
                <Show when=move || has_run.get()>
                    <th class="part edge" scope="colgroup" colspan=MEASURED.len()>
                        {session.word(Word::MeasuredHere)}
                    </th>
                </Show>
                <th class="part edge" scope="colgroup" colspan=PREDICTED.len()>
                    {predicted_for}
                </th>
            </tr>
            <tr>
                <ColumnName word=Word::Kernel class="" />
                <ColumnName word=Word::Block class="number" />
                <Show when=move || has_run.get()>{group(MEASURED)}</Show>
                {group(PREDICTED)}
            </tr>
        </thead>
    }
}

/// Names of columns, the first at an edge.
fn group<const N: usize>(words: [Word; N]) -> impl IntoView {
    let name = |(index, word)| {
        let class = match (word, index) {
            (Word::Result | Word::Cause, _) => "",
            (_, 0) => "number edge",
            _ => "number",
        };
        view! { <ColumnName word class /> }
    };
    words.into_iter().enumerate().map(name).collect_view()
}

#[component]
fn ColumnName(word: Word, class: &'static str) -> impl IntoView {
    view! {
        <th scope="col" class=class>
            {Session::here().word(word)}
        </th>
    }
}
