//! What is asked of a layout's accesses, and the layout that frees all of them.

use std::sync::Arc;

use lanescope_layouts::find::{Change, Finding, Notation, Remedy, find};
use lanescope_layouts::parse;
use lanescope_locale::page::PageWords;
use lanescope_locale::{Language, layout};
use lanescope_model::Device;
use lanescope_share::Source;
use leptos::prelude::*;

use super::clipboard::copy_text;
use crate::answer::layout_text;
use crate::page::Page;
use crate::session::Session;

/// A layout that was found: what it costs, and its text.
type Row = (String, String);

/// What was found for a text: the verdict, a row for each layout, and how others write the swizzle.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    verdict: String,
    rows: Vec<Row>,
    readings: Option<Readings>,
}

/// How others write swizzles: the name of each, and who writes it how, a cell for each swizzle.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Readings {
    names: Vec<String>,
    lines: Vec<(&'static str, Vec<String>)>,
}

/// The element type and the accesses, always seen, and the search.
#[component]
pub(crate) fn LayoutFind(session: Session) -> impl IntoView {
    let asked: RwSignal<Option<String>> = RwSignal::new(None);
    let text = Memo::new(move |_| session.late_pages().with(text_of));
    let chips = move || {
        let language = session.language();
        text.with(|text| text.as_deref().map(|text| chips(text, language)))
    };
    // What was found for another text is no answer to this one.
    let found = Memo::new(move |_| {
        let language = session.language();
        let text = text
            .get()
            .filter(|text| asked.with(|asked| asked.as_ref() == Some(text)))?;
        session
            .late_pages()
            .with(|page| Some(found(&text, page, language)))
    });
    let name = move || layout::find(session.language());
    let verdict = move || found.with(|found| found.as_ref().map(|found| found.verdict.clone()));
    let rows = move || {
        let rows = found.with(|found| found.as_ref().map(|found| found.rows.clone()));
        rows.unwrap_or_default()
            .into_iter()
            .map(|row| view! { <FoundLayout session row /> })
            .collect_view()
    };
    let readings = move || {
        let language = session.language();
        let readings = found.with(|found| found.as_ref()?.readings.clone());
        readings.map(|readings| table(readings, language))
    };
    view! {
        <p class="chips" data-testid="layout-chips">{chips}</p>
        <button
            type="button"
            class="button small"
            data-testid="layout-find"
            on:click=move |_| asked.set(text.get_untracked())
        >
            {name}
        </button>
        <p data-testid="layout-found">{verdict}</p>
        <ul>{rows}</ul>
        {readings}
    }
}

/// How others write the swizzles, a column each.
fn table(readings: Readings, language: Language) -> impl IntoView {
    let head = |name| view! { <th scope="col">{name}</th> };
    let cell = |how| {
        view! {
            <td>
                <code>{how}</code>
            </td>
        }
    };
    let lines = readings.lines.into_iter().map(|(who, cells)| {
        view! {
            <tr>
                <th scope="row">{who}</th>
                {cells.into_iter().map(cell).collect_view()}
            </tr>
        }
    });
    view! {
        <div class="wide">
            <table data-testid="layout-readings">
                <caption>{layout::readings(language)}</caption>
                <thead>
                    <tr>
                        <td></td>
                        {readings.names.into_iter().map(head).collect_view()}
                    </tr>
                </thead>
                <tbody>{lines.collect_view()}</tbody>
            </table>
        </div>
    }
}

/// One layout that was found, and the button that copies it.
#[component]
fn FoundLayout(session: Session, row: Row) -> impl IntoView {
    let (price, text) = row;
    let copied = RwSignal::new(false);
    let shown = text.clone();
    let copy = move |_| copied.set(copy_text(&text));
    let name = move || {
        let language = session.language();
        if copied.get() {
            PageWords::of(language).copied
        } else {
            layout::copy(language)
        }
    };
    view! {
        <li>
            <p>{price}</p>
            <code>{shown}</code>
            <button type="button" class="button small" on:click=copy>
                {name}
            </button>
        </li>
    }
}

/// The layout's text with its accesses; `None` beside another source.
fn text_of(page: &Arc<Page>) -> Option<String> {
    match &page.state.source {
        Source::Layout { layout, access } => Some(layout_text(layout, access, &page.state.device)),
        Source::Kernel(_) | Source::Trace(_) | Source::Expression { .. } => None,
    }
}

/// The type and each access.
fn chips(text: &str, language: Language) -> impl IntoView + use<> {
    let document = parse(text);
    let of_type = if document.is_element_assumed {
        layout::element_assumed
    } else {
        layout::element
    };
    let mut words = vec![of_type(language, &document.element, document.element_bytes)];
    for request in &document.requests {
        let access = text
            .get(request.span.clone())
            .unwrap_or("")
            .trim()
            .to_owned();
        if !words.contains(&access) {
            words.push(access);
        }
    }
    let chip = |word: String| view! { <span class="chip">{word}</span> };
    words.into_iter().map(chip).collect_view()
}

fn found(text: &str, page: &Page, language: Language) -> Found {
    let most: &Device = Default::default();
    let device = page.answer.device.as_ref().unwrap_or(most);
    let notation = Notation::of(text);
    match find(&parse(text), device, None) {
        Err(error) => Found {
            verdict: error.text(language).to_owned(),
            rows: Vec::new(),
            readings: None,
        },
        Ok(finding) => {
            let mut rows = vec![row(
                layout::as_written(language),
                &finding.as_written,
                notation,
                language,
            )];
            for remedy in &finding.remedies {
                rows.push(row(
                    &name(&remedy.change, language),
                    remedy,
                    notation,
                    language,
                ));
            }
            Found {
                verdict: finding.verdict(language),
                rows,
                readings: readings(&finding, language),
            }
        }
    }
}

/// How others write what is found, beside what is written.
fn readings(finding: &Finding, language: Language) -> Option<Readings> {
    let [found, written] = finding.readings();
    let first = finding.remedies.first();
    let first = first.map_or_else(String::new, |remedy| name(&remedy.change, language));
    let columns: Vec<_> = [
        (layout::as_written(language).to_owned(), written),
        (first, found),
    ]
    .into_iter()
    .filter_map(|(name, readings)| Some((name, readings?.lines(language))))
    .collect();
    let (_, lines) = columns.first()?;
    let line = |(at, (who, _)): (usize, &(&'static str, String))| {
        let cells = columns.iter().filter_map(|(_, lines)| lines.get(at));
        (*who, cells.map(|(_, how)| how.clone()).collect())
    };
    Some(Readings {
        lines: lines.iter().enumerate().map(line).collect(),
        names: columns.iter().map(|(name, _)| name.clone()).collect(),
    })
}

fn name(change: &Change, language: Language) -> String {
    match change {
        Change::Plain => layout::plain_rows(language).to_owned(),
        Change::Linear(_) => layout::other_xor(language).to_owned(),
        Change::Swizzle(_) | Change::Pitch(_) => change.name(),
    }
}

fn row(name: &str, remedy: &Remedy, notation: Notation, language: Language) -> Row {
    let total = remedy.total();
    let wavefronts = [total.wavefronts, total.ideal_wavefronts];
    let operations = remedy.change.operations();
    let price = layout::found_price(language, name, remedy.added_bytes, operations, wavefronts);
    (price, notation.spell(&remedy.placement))
}
