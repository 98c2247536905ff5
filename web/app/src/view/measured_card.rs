//! A profiler's export: what was measured beside what is predicted, row by row.

use std::sync::Arc;

use lanescope_locale::measured::MeasuredWords;
use lanescope_locale::{Language, measured};
use lanescope_share::{GuessedShape, Source, State, encode};
use leptos::prelude::*;

use super::kernel_form::{argument_of, set_argument};
use crate::measured::{Measured, MeasuredLaunch, MeasuredRow, ask};
use crate::measured_column::{Measurements, is_of_kernel, of_kernel};
use crate::session::Session;
use crate::words::grouped;
use crate::words::measured::fault as fault_words;

/// The most rows of a table that are shown.
const MOST_ROWS: usize = 1_000;

/// The export that is shown, and the kernel and the launch that it is compared with.
type Request = (Arc<str>, State);

/// The card; hidden where there is no export.
#[component]
pub(crate) fn MeasuredCard(session: Session) -> impl IntoView {
    let request = request(session);
    let measurements = session.measurements();
    let is_counting = RwSignal::new(false);
    Effect::new(move |before: Option<Option<Arc<str>>>| {
        let request = request.get();
        let export = request.as_ref().map(|(export, _)| export.clone());
        // Another argument of the same export leaves what is shown until the answer comes.
        if before.flatten() != export {
            measurements.set(None);
        }
        is_counting.set(request.is_some());
        if let Some((export, of)) = request {
            ask(&export, &encode(&of), move |heard| {
                is_counting.set(false);
                let heard = Measurements {
                    of,
                    launches: heard,
                };
                if is_guessed(session) {
                    take_launch(session, &heard.launches);
                }
                measurements.set(Some(Arc::new(heard)));
            });
        }
        export
    });
    let silence = move || {
        let language = session.language();
        measurements.with(
            |measurements| match measurements.as_deref().map(|all| &all.launches) {
                None => Some(silent(MeasuredWords::of(language).reading)),
                Some(Measured::Slow) => Some(silent(MeasuredWords::of(language).slow)),
                Some(Measured::Missing) => Some(silent(MeasuredWords::of(language).missing)),
                Some(Measured::Launches(_)) => None,
            },
        )
    };
    let heads = Memo::new(move |before: Option<&Vec<Head>>| {
        let is_own = |launch: &MeasuredLaunch| {
            let pages = session.pages();
            pages.with(|page| !page.is_kernel() || is_of_kernel(page, launch))
        };
        measurements.with(|measurements| {
            heads(
                measurements.as_deref().map(|all| &all.launches),
                before,
                is_own,
            )
        })
    });
    let of = move |is_own: bool| {
        let all = heads.get().into_iter();
        all.filter(move |head| head.is_own == is_own)
            .collect::<Vec<Head>>()
    };
    let others = move || of(false).len();
    view! {
        <section
            class="card trace measured"
            data-testid="measured-card"
            hidden=move || request.with(Option::is_none)
        >
            <div class="head">
                <h2>{session.word(|words| words.measured.title)}</h2>
                <div class="tools">
                    <button
                        type="button"
                        class="button small"
                        data-testid="take-away"
                        hidden=move || session.measured().with(Option::is_none)
                        on:click=move |_| session.forget_measured()
                    >
                        {session.word(|words| words.source_kind.take_away)}
                    </button>
                </div>
            </div>
            <div data-testid="measured" aria-busy=move || is_counting.get().to_string()>
                {silence}
                <For each=move || of(true) key=Head::clone let:head>
                    <Launch session measurements head />
                </For>
                <details class="fold" data-testid="measured-others" hidden=move || others() == 0>
                    <summary>{move || measured::others(session.language(), others())}</summary>
                    <For each=move || of(false) key=Head::clone let:head>
                        <Launch session measurements head />
                    </For>
                </details>
            </div>
        </section>
    }
}

fn silent(text: &'static str) -> AnyView {
    view! { <p class="silent">{text}</p> }.into_any()
}

/// Whether the launch on screen is nobody's but a guess.
fn is_guessed(session: Session) -> bool {
    let page = session.page();
    page.is_kernel() && page.state.launch.guessed.any()
}

/// Takes the shape of the first launch of the kernel on screen that was measured.
fn take_launch(session: Session, measurements: &Measured) {
    let page = session.page();
    let launches = of_kernel(&page, measurements);
    let shapes: Vec<Shape> = launches
        .iter()
        .filter_map(|launch| launch.shape())
        .collect();
    if let Some(first) = shapes.first()
        && !shapes.contains(&shape_of(&page.state))
    {
        session.edit(|state| set_shape(state, *first));
    }
}

/// Grid and block.
type Shape = [[u32; 3]; 2];

const fn shape_of(state: &State) -> Shape {
    [state.launch.grid, state.launch.block]
}

fn set_shape(state: &mut State, [grid, block]: Shape) {
    let launch = &mut state.launch;
    (launch.grid, launch.block) = (grid, block);
    launch.guessed = GuessedShape::default();
}

/// What is to be compared; `None` where the source is no export.
fn request(session: Session) -> Memo<Option<Request>> {
    let kernel: StoredValue<Option<State>> = StoredValue::new(None);
    Memo::new(move |_| {
        session.pages().with(|page| {
            if matches!(page.state.source, Source::Kernel(_)) {
                kernel.set_value(Some(page.state.clone()));
            }
            let export = export(session, &page.state)?;
            let open = kernel.get_value();
            Some((export, beside(open, &page.state)))
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

/// The export that the page shows: the source itself, or what was set beside a kernel.
fn export(session: Session, state: &State) -> Option<Arc<str>> {
    let text = match &state.source {
        Source::Trace(text) => text,
        Source::Kernel(_) => return session.measured().get(),
        Source::Expression { .. } | Source::Layout { .. } => return None,
    };
    let kept = session.records().get().filter(|_| text.is_empty());
    let text = kept.unwrap_or_else(|| text.as_str().into());
    lanescope_trace::is_export(&text).then_some(text)
}

/// What of a launch stays as it is counted again, and with it the fields that somebody types in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Head {
    at: usize,
    /// Whether it is of the kernel that is open, or of an export alone.
    is_own: bool,
    name: String,
    parameters: Vec<[String; 3]>,
}

/// The heads of the launches. One that cannot be counted, perhaps for what was typed, keeps its fields. Where none is its
/// own, all are.
fn heads(
    measurements: Option<&Measured>,
    before: Option<&Vec<Head>>,
    is_own: impl Fn(&MeasuredLaunch) -> bool,
) -> Vec<Head> {
    let Some(Measured::Launches(launches)) = measurements else {
        return Vec::new();
    };
    let has_own = launches.iter().any(&is_own);
    let head = |(at, one): (usize, &MeasuredLaunch)| {
        let [name, _, _] = &one.names;
        let same = before
            .and_then(|before| before.get(at))
            .filter(|head| head.name == *name && one.parameters.is_empty());
        Head {
            at,
            is_own: !has_own || is_own(one),
            name: name.clone(),
            parameters: same
                .map_or(&one.parameters, |head| &head.parameters)
                .clone(),
        }
    };
    launches.iter().enumerate().map(head).collect()
}

/// A launch: its head, which stays, and what is counted of it.
#[component]
fn Launch(
    session: Session,
    measurements: RwSignal<Option<Arc<Measurements>>>,
    head: Head,
) -> impl IntoView {
    let at = head.at;
    let of_launch = move |show: fn(&MeasuredLaunch, Language) -> AnyView| {
        measurements.with(
            |measurements| match measurements.as_deref().map(|all| &all.launches) {
                Some(Measured::Launches(launches)) => {
                    let language = session.language();
                    launches.get(at).map(|one| show(one, language))
                }
                Some(Measured::Slow | Measured::Missing) | None => None,
            },
        )
    };
    let title = (!head.name.is_empty()).then(|| {
        view! {
            <h3>
                <code>{head.name}</code>
            </h3>
            <p class="hint">{move || of_launch(about)}</p>
        }
    });
    let has_arguments = !head.parameters.is_empty();
    let other_shape = move || {
        let shape = measurements.with(|measurements| {
            match measurements.as_deref().map(|all| &all.launches) {
                Some(Measured::Launches(launches)) => launches.get(at)?.shape(),
                Some(Measured::Slow | Measured::Missing) | None => None,
            }
        })?;
        let pages = session.pages();
        let is_other = pages.with(|page| page.is_kernel() && shape_of(&page.state) != shape);
        is_other.then_some(shape)
    };
    let take = move |_| {
        if let Some(shape) = untrack(other_shape) {
            session.edit_as_step(|state| set_shape(state, shape));
        }
    };
    let is_own = head.is_own;
    view! {
        {title}
        <button
            type="button"
            class="button small"
            data-testid="take-launch"
            hidden=move || !is_own || other_shape().is_none()
            on:click=take
        >
            {session.word(|words| words.measured.take_launch)}
        </button>
        {has_arguments.then(|| arguments(session, &head.parameters))}
        {move || of_launch(counted)}
    }
}

fn about(launch: &MeasuredLaunch, language: Language) -> AnyView {
    let [_, grid, block] = &launch.names;
    let about = measured::about(language, [grid, block], &launch.whence, &launch.status);
    about.into_any()
}

/// What is counted of a launch.
fn counted(launch: &MeasuredLaunch, language: Language) -> AnyView {
    let fault =
        |fault: &Vec<String>| view! { <p class="reasons">{fault_words(language, fault)}</p> };
    let rows = launch.totals.iter().chain(&launch.instructions);
    let (all, equal) = rows.fold((0, 0), |(all, equal), row| {
        (all + 1, equal + usize::from(row.difference == "equal"))
    });
    view! {
        {launch.faults.iter().map(fault).collect_view()}
        {(all > 0).then(|| view! { <p>{measured::equal(language, equal as u64, all as u64)}</p> })}
        {table(&launch.instructions, language, "measured-instructions")}
        {table(&launch.totals, language, "measured-totals")}
    }
    .into_any()
}

/// Fields for what no export says: the arguments of the launch.
fn arguments(session: Session, parameters: &[[String; 3]]) -> impl IntoView + use<> {
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
        <p class="hint">{session.word(|words| words.measured.arguments)}</p>
        <div class="row" data-testid="measured-arguments">
            {parameters.iter().map(field).collect_view()}
        </div>
    }
}

/// `None` where nothing is to be shown.
fn table(
    rows: &[MeasuredRow],
    language: Language,
    name: &'static str,
) -> Option<impl IntoView + use<>> {
    let columns = measured::columns(language).into_iter().enumerate();
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
    let more =
        left.map(|left| view! { <p class="hint">{measured::more(language, left as u64)}</p> });
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

fn line(row: &MeasuredRow, language: Language) -> impl IntoView + use<> {
    let [of, place] = row.of.clone();
    let is_total = row.unit.is_empty();
    let name = if is_total {
        let total = measured::total(language, &of);
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
            measured::unit(language, &row.unit)
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
                <span class=format!("badge {tone}")>{measured::difference(language, &row.difference)}</span>
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
