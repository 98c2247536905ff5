//! A profiler's export: what was measured beside what is predicted, row by row.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use lanescope_share::{Source, State, encode};

use crate::element::{El, el};
use crate::measured::{Measured, MeasuredLaunch, MeasuredRow, ask};
use crate::session::Session;
use crate::words::{Language, grouped};

/// The most rows of a table that are shown.
const MOST_ROWS: usize = 1_000;

/// What the card shows, and what it asked for.
#[derive(Default)]
struct Shown {
    asked: Option<(Arc<str>, String)>,
    told: Option<Measured>,
}

/// The card; hidden where the source is no export.
pub(crate) fn build(session: Session) -> El {
    let (title, body) = (el("h2"), el("div").testid("measured"));
    let card = el("section")
        .class("card trace measured")
        .testid("measured-card")
        .set("hidden", "");
    let card = card.with_all(&[el("div").class("head").with(&title), body.clone()]);
    let shown: Rc<RefCell<Shown>> = Rc::default();
    let kernel: Rc<RefCell<Option<State>>> = Rc::default();
    let followed = card.clone();
    session.follow(move |page, _| {
        if matches!(page.state.source, Source::Kernel(_)) {
            *kernel.borrow_mut() = Some(page.state.clone());
        }
        let export = export(session, &page.state);
        followed.show(export.is_some());
        title.put_text(page.language.measured_title());
        let Some(export) = export else { return };
        let open = kernel
            .borrow()
            .clone()
            .unwrap_or_else(|| launch_of(&page.state));
        let open = State {
            device: page.state.device.clone(),
            ..open
        };
        let asked = (
            export,
            encode(&State {
                selection: lanescope_share::Selection::default(),
                ..open
            }),
        );
        if shown.borrow().asked.as_ref() == Some(&asked) {
            return put(&body, &shown.borrow(), page.language);
        }
        *shown.borrow_mut() = Shown {
            asked: Some(asked.clone()),
            told: None,
        };
        put(&body, &shown.borrow(), page.language);
        let (shown, body) = (Rc::clone(&shown), body.clone());
        ask(&asked.0, &asked.1, move |told| {
            shown.borrow_mut().told = Some(told);
            put(&body, &shown.borrow(), session.page().language);
        });
    });
    card
}

/// The launch of `state` without a source.
fn launch_of(state: &State) -> State {
    State {
        source: Source::default(),
        ..state.clone()
    }
}

/// The export that the page shows.
fn export(session: Session, state: &State) -> Option<Arc<str>> {
    let Source::Trace(text) = &state.source else {
        return None;
    };
    let kept = session.recorded().filter(|_| text.is_empty());
    let text = kept.unwrap_or_else(|| text.as_str().into());
    lanescope_trace::is_export(&text).then_some(text)
}

fn put(body: &El, shown: &Shown, language: Language) {
    let said = |text: &str| vec![el("p").class("silent").text(text)];
    let parts = match &shown.told {
        None => said(language.measured_reading()),
        Some(Measured::Slow) => said(language.measured_slow()),
        Some(Measured::Missing) => said(language.measured_missing()),
        Some(Measured::Launches(launches)) => launches
            .iter()
            .flat_map(|one| launch(one, language))
            .collect(),
    };
    body.put_all(&parts);
}

fn launch(one: &MeasuredLaunch, language: Language) -> Vec<El> {
    let [name, grid, block] = &one.names;
    let mut parts = Vec::new();
    if !name.is_empty() {
        parts.push(el("h3").with(&el("code").text(name)));
        let said = language.measured_about([grid, block], &one.whence, &one.status);
        parts.push(el("p").class("hint").text(&said));
    }
    for fault in &one.faults {
        parts.push(
            el("p")
                .class("reasons")
                .text(&language.measured_fault(fault)),
        );
    }
    let rows = one.totals.iter().chain(&one.instructions);
    let (all, equal) = rows.fold((0, 0), |(all, equal), row| {
        (all + 1, equal + usize::from(row.difference == "equal"))
    });
    if all > 0 {
        parts.push(el("p").text(&language.measured_equal(equal, all)));
    }
    if !one.instructions.is_empty() {
        parts.push(table(&one.instructions, language, "measured-instructions"));
    }
    if !one.totals.is_empty() {
        parts.push(table(&one.totals, language, "measured-totals"));
    }
    parts
}

fn table(rows: &[MeasuredRow], language: Language, name: &str) -> El {
    let columns = language.measured_columns();
    let head = columns.iter().enumerate().map(|(at, column)| {
        let cell = el("th").set("scope", "col").text(column);
        if (1..=3).contains(&at) {
            cell.class("number")
        } else {
            cell
        }
    });
    let head = el("thead").with(&el("tr").with_each(head));
    let body = el("tbody").with_each(rows.iter().take(MOST_ROWS).map(|row| line(row, language)));
    let table = el("table").with_all(&[head, body]);
    let wide = el("div").class("wide").testid(name).with(&table);
    match rows.len().checked_sub(MOST_ROWS) {
        Some(left) if left > 0 => {
            wide.with(&el("p").class("hint").text(&language.measured_more(left)))
        }
        _ => wide,
    }
}

fn line(row: &MeasuredRow, language: Language) -> El {
    let number = |text: String| el("td").class("number").text(&text);
    let [of, where_from] = &row.of;
    let name = if row.unit.is_empty() {
        el("td")
            .text(&language.measured_total(of))
            .with(&el("code").class("counter").text(where_from))
    } else {
        let place = el("span").class("hint").text(&format!(" {where_from}"));
        el("td").with(&el("code").text(of)).with(&place)
    };
    let predicted = match row.unit.is_empty() {
        true => grouped(row.predicted),
        false => format!(
            "{} {}",
            grouped(row.predicted),
            language.measured_unit(&row.unit)
        ),
    };
    let tone = tone(&row.difference);
    el("tr").set("data-difference", &row.difference).with_all(&[
        name,
        number(predicted),
        number(row.measured.map_or_else(|| "–".to_owned(), grouped)),
        number(more(row)),
        el("td").with(
            &el("span")
                .class(&format!("badge {tone}"))
                .text(&language.measured_difference(&row.difference)),
        ),
    ])
}

/// Measured less predicted, with its sign.
fn more(row: &MeasuredRow) -> String {
    let Some(measured) = row.measured else {
        return String::new();
    };
    match measured.checked_sub(row.predicted) {
        Some(0) => String::new(),
        Some(more) => format!("+{}", grouped(more)),
        None => format!("−{}", grouped(row.predicted.saturating_sub(measured))),
    }
}

fn tone(difference: &str) -> &'static str {
    match difference {
        "equal" => "measured",
        "arbitration" | "data" | "not-measured" => "inferred",
        _ => "disputed",
    }
}
