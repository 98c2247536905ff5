//! The table: what was measured of each variant, and what the model says of it.

use std::sync::Arc;

use leptos::prelude::*;

use super::result_row::ResultRow;
use crate::session::Session;
use crate::sheet::Sheet;
use crate::words::Word;

/// The figures that were measured; the result stands behind them.
const MEASURED: [Word; 6] = [
    |words| words.time,
    |words| words.times_first,
    |words| words.times_before,
    |words| words.bandwidth,
    |words| words.ceiling,
    |words| words.spread,
];
/// The figures that are predicted; the cause of a change stands behind them.
pub(super) const PREDICTED: [Word; 5] = [
    |words| words.active_lanes,
    |words| words.wavefronts,
    |words| words.conflicts,
    |words| words.sectors,
    |words| words.sectors_a_request,
];

/// A row for each line. The region scrolls, so the keyboard must reach it.
#[component]
pub(crate) fn ResultTable(sheet: Memo<Arc<Sheet>>) -> impl IntoView {
    let session = Session::here();
    let has_run = Memo::new(move |_| sheet.with(|sheet| sheet.has_run()));
    view! {
        <div class="wide" role="region" tabindex="0" aria-label=session.word(|words| words.results)>
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
                    <th class="part edge" scope="colgroup" colspan=MEASURED.len() + 1>
                        {session.word(|words| words.measured_here)}
                    </th>
                </Show>
                <th class="part edge" scope="colgroup" colspan=PREDICTED.len() + 1>
                    {predicted_for}
                </th>
            </tr>
            <tr>
                <ColumnName word=|words| words.kernel class="" />
                <ColumnName word=|words| words.block class="number" />
                <Show when=move || has_run.get()>{group(MEASURED, |words| words.result)}</Show>
                {group(PREDICTED, |words| words.cause)}
            </tr>
        </thead>
    }
}

/// Names of columns: of figures, the first at an edge, then of what is said of them.
fn group<const N: usize>(figures: [Word; N], remark: Word) -> impl IntoView {
    let name = |(index, word)| {
        let class = if index == 0 { "number edge" } else { "number" };
        view! { <ColumnName word class /> }
    };
    let figures = figures.into_iter().enumerate().map(name).collect_view();
    view! {
        {figures}
        <ColumnName word=remark class="" />
    }
}

#[component]
fn ColumnName(word: Word, class: &'static str) -> impl IntoView {
    view! {
        <th scope="col" class=class>
            {Session::here().word(word)}
        </th>
    }
}
