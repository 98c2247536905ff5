//! One problem: what was measured of it, and what the model says.

use leptos::prelude::*;

use super::bandwidth_chart::BandwidthChart;
use super::ranking_line::RankingLine;
use super::result_table::ResultTable;
use super::sweep_grid::SweepGrid;
use crate::session::Session;
use crate::sheet::Sheet;
use crate::words::{Words, size_name};

/// The sheet at `index` of those on screen.
#[component]
pub(crate) fn ProblemSheet(index: usize) -> impl IntoView {
    let session = Session::here();
    // A sheet that is gone is empty until its place is, too.
    let sheet = Memo::new(move |_| {
        let sheets = session.sheets().read();
        sheets.get(index).cloned().unwrap_or_default()
    });
    let name = Memo::new(move |_| sheet.with(|sheet| sheet.size.spell()));
    let ended = move || sheet.with(|sheet| interruption(sheet, session.language()));
    let note = move || {
        let language = session.language();
        let sets = match sheet.with(|sheet| sheet.buffer_sets) {
            0 | 1 => String::new(),
            sets => language.sets(sets),
        };
        format!("{} {sets}", language.words().roof_note)
    };
    view! {
        <div class="lab-sheet">
            <h3>{move || name.with(|name| size_name(session.experiment(), name))}</h3>
            <Show when=move || sheet.with(|sheet| sheet.ended.is_some())>
                <p class="lab-warning" data-testid="lab-interrupted">
                    {ended}
                </p>
            </Show>
            <Show when=move || sheet.with(|sheet| sheet.has_small_tile() && sheet.has_run())>
                <p class="lab-note" data-testid="lab-small-tile">{session.word(|words| words.small_tile)}</p>
            </Show>
            <BandwidthChart sheet />
            <RankingLine sheet />
            <ResultTable sheet />
            <SweepGrid sheet />
            <p class="lab-note">{note}</p>
        </div>
    }
}

/// Why the run was cut short.
fn interruption(sheet: &Sheet, language: Words) -> Option<String> {
    let fault = language.fault(sheet.ended.as_ref()?);
    Some(format!("{}{fault}", language.words().interrupted))
}
