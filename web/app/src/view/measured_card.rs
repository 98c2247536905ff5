//! A profiler's export: what was measured beside what is predicted, row by row.

use std::sync::Arc;

use lanescope_share::{Source, State, encode};
use leptos::prelude::*;

use super::kernel_form::{argument_of, set_argument};
use crate::measured::{Measured, MeasuredLaunch, MeasuredRow, ask};
use crate::session::Session;
use crate::words::{Words, grouped};

/// The most rows of a table that are shown.
const MOST_ROWS: usize = 1_000;

/// The export that is shown, and the link to the kernel and the launch that it is compared with.
type Asked = (Arc<str>, String);

/// The card; hidden where the source is no export.
#[component]
pub(crate) fn MeasuredCard(session: Session) -> impl IntoView {
    let asked = asked(session);
    let told: RwSignal<Option<Measured>> = RwSignal::new(None);
    Effect::new(move || {
        told.set(None);
        if let Some((export, link)) = asked.get() {
            ask(&export, &link, move |heard| told.set(Some(heard)));
        }
    });
    let parts = move || {
        let language = session.language();
        told.with(|told| match told {
            None => silent(language.of_measured().reading),
            Some(Measured::Slow) => silent(language.of_measured().slow),
            Some(Measured::Missing) => silent(language.of_measured().missing),
            Some(Measured::Launches(launches)) => {
                let launch = |one: &MeasuredLaunch| launch(session, one, language);
                launches.iter().map(launch).collect_view().into_any()
            }
        })
    };
    view! {
        <section
            class="card trace measured"
            data-testid="measured-card"
            hidden=move || asked.with(Option::is_none)
        >
            <div class="head">
                <h2>{move || session.language().of_measured().title}</h2>
            </div>
            <div data-testid="measured">{parts}</div>
        </section>
    }
}

fn silent(text: &'static str) -> AnyView {
    view! { <p class="silent">{text}</p> }.into_any()
}

/// What is to be compared; `None` where the source is no export.
fn asked(session: Session) -> Memo<Option<Asked>> {
    let kernel: StoredValue<Option<State>> = StoredValue::new(None);
    Memo::new(move |_| {
        session.pages().with(|page| {
            if matches!(page.state.source, Source::Kernel(_)) {
                kernel.set_value(Some(page.state.clone()));
            }
            let export = export(session, &page.state)?;
            let open = kernel.get_value();
            Some((export, encode(&beside(open, &page.state))))
        })
    })
}

/// The kernel that was open last, for the device of the export's page and with the arguments that were given there.
fn beside(open: Option<State>, shown: &State) -> State {
    let mut beside = State {
        source: Source::default(),
        ..shown.clone()
    };
    if let Some(open) = open {
        beside.source = open.source;
        beside.launch = open.launch;
        for (name, value) in &shown.launch.arguments {
            set_argument(&mut beside, name, value.clone());
        }
    }
    beside.selection = lanescope_share::Selection::default();
    beside
}

/// The export that the page shows.
fn export(session: Session, state: &State) -> Option<Arc<str>> {
    let Source::Trace(text) = &state.source else {
        return None;
    };
    let kept = session.records().get().filter(|_| text.is_empty());
    let text = kept.unwrap_or_else(|| text.as_str().into());
    lanescope_trace::is_export(&text).then_some(text)
}

fn launch(session: Session, one: &MeasuredLaunch, language: Words) -> impl IntoView + use<> {
    let [name, grid, block] = one.names.clone();
    let about = language.measured_about([&grid, &block], &one.whence, &one.status);
    let head = (!name.is_empty()).then(|| {
        view! {
            <h3>
                <code>{name}</code>
            </h3>
            <p class="hint">{about}</p>
        }
    });
    let fault = |fault: &String| view! { <p class="reasons">{language.measured_fault(fault)}</p> };
    let rows = one.totals.iter().chain(&one.instructions);
    let (all, equal) = rows.fold((0, 0), |(all, equal), row| {
        (all + 1, equal + usize::from(row.difference == "equal"))
    });
    let has_arguments = !one.parameters.is_empty();
    view! {
        {head}
        {has_arguments.then(|| arguments(session, &one.parameters, language))}
        {one.faults.iter().map(fault).collect_view()}
        {(all > 0).then(|| view! { <p>{language.measured_equal(equal, all)}</p> })}
        {table(&one.instructions, language, "measured-instructions")}
        {table(&one.totals, language, "measured-totals")}
    }
}

/// Fields for what no export says: the arguments of the launch.
fn arguments(
    session: Session,
    parameters: &[[String; 3]],
    language: Words,
) -> impl IntoView + use<> {
    let held = session.page();
    let field = |[key, name, declared]: &[String; 3]| {
        let id = format!("measured-argument-{key}");
        let value = argument_of(&held.state, key).to_owned();
        let key = key.clone();
        let given = move |event| {
            let value = event_target_value(&event);
            session.edit(|state| set_argument(state, &key, value));
        };
        view! {
            <div>
                <label for=id.clone()>{format!("{name}: {declared}")}</label>
                <input
                    id=id.clone()
                    class="field"
                    data-testid=id
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=value
                    on:change=given
                />
            </div>
        }
    };
    view! {
        <p class="hint">{language.of_measured().arguments}</p>
        <div class="row" data-testid="measured-arguments">
            {parameters.iter().map(field).collect_view()}
        </div>
    }
}

/// `None` where nothing is to be shown.
fn table(
    rows: &[MeasuredRow],
    language: Words,
    name: &'static str,
) -> Option<impl IntoView + use<>> {
    let columns = language.measured_columns().into_iter().enumerate();
    let heading = columns.map(|(at, column)| {
        let class = if (1..=3).contains(&at) { "number" } else { "" };
        view! {
            <th scope="col" class=class>
                {column}
            </th>
        }
    });
    let lines = rows.iter().take(MOST_ROWS).map(|row| line(row, language));
    let left = rows.len().checked_sub(MOST_ROWS).filter(|left| *left > 0);
    let more = left.map(|left| view! { <p class="hint">{language.measured_more(left)}</p> });
    (!rows.is_empty()).then(|| {
        view! {
            <div class="wide" data-testid=name>
                <table>
                    <thead>
                        <tr>{heading.collect_view()}</tr>
                    </thead>
                    <tbody>{lines.collect_view()}</tbody>
                </table>
                {more}
            </div>
        }
    })
}

fn line(row: &MeasuredRow, language: Words) -> impl IntoView + use<> {
    let [of, place] = row.of.clone();
    let is_total = row.unit.is_empty();
    let name = if is_total {
        let total = language.measured_total(&of);
        view! { {total} <code class="counter">{place}</code> }.into_any()
    } else {
        view! {
            <code>{of}</code>
            <span class="hint">{format!(" {place}")}</span>
        }
        .into_any()
    };
    let predicted = match is_total {
        true => grouped(row.predicted),
        false => format!(
            "{} {}",
            grouped(row.predicted),
            language.measured_unit(&row.unit)
        ),
    };
    let measured = row.measured.map_or_else(|| "–".to_owned(), grouped);
    let tone = tone(&row.difference);
    view! {
        <tr data-difference=row.difference.clone()>
            <td>{name}</td>
            <td class="number">{predicted}</td>
            <td class="number">{measured}</td>
            <td class="number">{more(row)}</td>
            <td>
                <span class=format!("badge {tone}")>{language.measured_difference(&row.difference)}</span>
            </td>
        </tr>
    }
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
