//! The source: kinds of source as tabs, and the fields of the one that is open.

use lanescope_lang::{Diagnostic, SiteId};
use lanescope_model::Space;
use lanescope_share::{self as share, Source, State};
use leptos::prelude::*;

use super::diagnostics::Diagnostics;
use super::editor::Editor;
use super::slider::Slider;
use crate::answer::{Answer, SiteTally, decimal, selecting, site_of};
use crate::examples::{EXAMPLES, Subject};
use crate::highlight::Underline;
use crate::session::{Session, session};
use crate::words::{Message, Words};

/// The card with the source.
#[component]
pub(crate) fn SourceCard() -> impl IntoView {
    let words = session().words();
    view! {
        <section class="card source-card">
            <div class="tabs">
                <div role="tablist" aria-label=words.of(Message::SourceKinds)>
                    <button
                        type="button"
                        role="tab"
                        id="tab-expression"
                        aria-selected="true"
                        aria-controls="panel-expression"
                    >
                        {words.of(Message::Expression)}
                    </button>
                </div>
                <div class="tools"><ExampleMenu/></div>
            </div>
            <div role="tabpanel" id="panel-expression" aria-labelledby="tab-expression">
                <ExpressionPanel/>
            </div>
        </section>
    }
    .into_any()
}

#[component]
fn ExampleMenu() -> impl IntoView {
    let session = session();
    let words = session.words();
    let open = move |text: String| {
        if let Some(example) = text
            .parse()
            .ok()
            .and_then(|index: usize| EXAMPLES.get(index))
        {
            session.visit(example.state());
        }
    };
    let option = move |(index, title)| {
        view! { <option value=index>{words.of(Message::Title(title))}</option> }
    };
    let group = move |subject: Subject| {
        let mine = EXAMPLES
            .iter()
            .enumerate()
            .filter(|(_, example)| example.subject == subject);
        let options = mine
            .map(|(index, example)| option((index, example.title)))
            .collect_view();
        view! { <optgroup label=words.of(Message::Subject(subject))>{options}</optgroup> }
    };
    let subjects = [
        Subject::Tiles,
        Subject::Reductions,
        Subject::Structures,
        Subject::Vectors,
        Subject::HalfWarps,
        Subject::FourNumbers,
    ];
    view! {
        <select
            class="field examples"
            data-testid="examples"
            aria-label=words.of(Message::Examples)
            on:change:target=move |event| {
                open(event.target().value());
                event.target().set_value("");
            }
        >
            <option value="" selected hidden>{words.of(Message::Examples)}</option>
            {subjects.map(group).collect_view()}
        </select>
    }
}

#[component]
fn ExpressionPanel() -> impl IntoView {
    let session = session();
    let words = session.words();
    let declarations = Memo::new(move |_| session.state.with(|state| fields(state).0.to_owned()));
    let accesses = Memo::new(move |_| session.state.with(|state| fields(state).1.to_owned()));
    let edit_declarations =
        move |text: String| session.edit(|state| edit(state, |fields| *fields.0 = text));
    let edit_accesses =
        move |text: String| session.edit(|state| edit(state, |fields| *fields.1 = text));
    let offset = Memo::new(move |_| session.answer.with(|answer| answer.accesses_start));
    let first_line = Memo::new(move |_| declarations.with(|text| line_count(text) + 1));
    let said = move |in_accesses: bool| {
        Memo::new(move |_| {
            session
                .answer
                .with(|answer| diagnostics(answer, in_accesses))
        })
    };
    let (said_of_declarations, said_of_accesses) = (said(false), said(true));
    view! {
        <Editor
            id="decl"
            label=Signal::derive(words.of(Message::Declarations))
            text=declarations
            underlines=underlines(said_of_declarations, declarations, Signal::derive(|| 0))
            gutter=move || numbers(declarations.with(|text| line_count(text)))
            change=Callback::new(edit_declarations)
        />
        <div data-testid="diagnostics">
            <Diagnostics
                field="decl"
                words
                diagnostics=said_of_declarations
                offset=Signal::derive(|| 0)
                first_line=Signal::derive(|| 1)
                mend=Callback::new(move |(start, end, text): (usize, usize, String)| {
                    edit_declarations(replaced(&declarations.get_untracked(), start, end, &text));
                })
            />
            <Editor
                id="access"
                label=Signal::derive(words.of(Message::Accesses))
                text=accesses
                underlines=underlines(said_of_accesses, accesses, offset.into())
                gutter=move || heat(session, accesses.with(|text| line_count(text)))
                change=Callback::new(edit_accesses)
            />
            <Diagnostics
                field="access"
                words
                diagnostics=said_of_accesses
                offset=offset
                first_line=first_line
                mend=Callback::new(move |(start, end, text): (usize, usize, String)| {
                    edit_accesses(replaced(&accesses.get_untracked(), start, end, &text));
                })
            />
        </div>
        <Variables/>
        <div class="controls">
            <span class="hint">{words.of(Message::Bare)}</span>
            <OperationSwitch/>
        </div>
    }
    .into_any()
}

#[component]
fn OperationSwitch() -> impl IntoView {
    let session = session();
    let words = session.words();
    let chosen = Memo::new(move |_| session.state.with(|state| state.operation));
    let button = move |operation, label, value| {
        view! {
            <button
                type="button"
                value=value
                aria-pressed=move || (chosen.get() == operation).to_string()
                on:click=move |_| session.edit(|state| state.operation = operation)
            >
                {words.of(Message::Operation(label))}
            </button>
        }
    };
    view! {
        <div class="segments" role="group" data-testid="op">
            {button(share::Operation::Load, lanescope_model::Operation::Load, "load")}
            {button(share::Operation::Store, lanescope_model::Operation::Store, "store")}
        </div>
    }
}

/// A slider for each variable with several values.
#[component]
fn Variables() -> impl IntoView {
    let session = session();
    let variables = Memo::new(move |_| {
        session.answer.with(|answer| {
            let named = |variable: &lanescope_lang::Variable| {
                (variable.name.clone(), variable.values.clone())
            };
            answer
                .program
                .variables()
                .iter()
                .map(named)
                .collect::<Vec<_>>()
        })
    });
    let slider = move |(name, values): (String, Vec<i64>)| {
        let last = u64::try_from(values.len().saturating_sub(1)).unwrap_or(0);
        let at = {
            let (name, values) = (name.clone(), values.clone());
            Memo::new(move |_| session.state.with(|state| position(state, &name, &values)))
        };
        let shown = {
            let values = values.clone();
            Signal::derive(move || values.get(at.get()).map(i64::to_string).unwrap_or_default())
        };
        let label = name.clone();
        let changed = name.clone();
        let change = move |index: u64| {
            let value = usize::try_from(index)
                .ok()
                .and_then(|index| values.get(index).copied());
            if let Some(value) = value {
                session.edit(|state| choose(state, &changed, value));
            }
        };
        view! {
            <Slider
                id=format!("variable-{name}")
                testid="variable-slider"
                label=Signal::derive(move || label.clone())
                last=Signal::derive(move || last)
                value=Signal::derive(move || u64::try_from(at.get()).unwrap_or(0))
                shown
                name
                change=Callback::new(change)
            />
        }
    };
    move || variables.get().into_iter().map(slider).collect_view()
}

fn position(state: &State, name: &str, values: &[i64]) -> usize {
    let chosen = state
        .selection
        .values
        .iter()
        .find(|(other, _)| other == name);
    chosen
        .and_then(|(_, value)| values.iter().position(|other| other == value))
        .unwrap_or(0)
}

fn choose(state: &mut State, name: &str, value: i64) {
    match state
        .selection
        .values
        .iter_mut()
        .find(|(other, _)| other == name)
    {
        Some((_, old)) => *old = value,
        None => state.selection.values.push((name.to_owned(), value)),
    }
}

fn fields(state: &State) -> (&str, &str) {
    match &state.source {
        Source::Expression {
            accesses,
            declarations,
        } => (declarations, accesses),
        _ => ("", ""),
    }
}

/// Changes the fields of an expression; another kind of source becomes an empty one first.
fn edit(state: &mut State, change: impl FnOnce((&mut String, &mut String))) {
    if !matches!(state.source, Source::Expression { .. }) {
        state.source = Source::default();
    }
    if let Source::Expression {
        accesses,
        declarations,
    } = &mut state.source
    {
        change((declarations, accesses));
    }
}

fn replaced(text: &str, start: usize, end: usize, replacement: &str) -> String {
    let before = text.get(..start).unwrap_or(text);
    let after = text.get(end..).unwrap_or_default();
    format!("{before}{replacement}{after}")
}

fn line_count(text: &str) -> u32 {
    u32::try_from(text.split('\n').count()).unwrap_or(u32::MAX)
}

fn diagnostics(answer: &Answer, in_accesses: bool) -> Vec<Diagnostic> {
    let mine =
        |diagnostic: &&Diagnostic| (diagnostic.span.start >= answer.accesses_start) == in_accesses;
    answer.diagnostics.iter().filter(mine).cloned().collect()
}

fn underlines(
    said: Memo<Vec<Diagnostic>>,
    text: Memo<String>,
    offset: Signal<u32>,
) -> Signal<Vec<Underline>> {
    Signal::derive(move || {
        let (offset, length) = (offset.get() as usize, text.with(String::len));
        said.with(|said| {
            said.iter()
                .filter_map(|one| Underline::of(one, offset, length))
                .collect()
        })
    })
}

fn numbers(lines: u32) -> AnyView {
    (1..=lines)
        .map(|line| view! { <div>{line}</div> })
        .collect_view()
        .into_any()
}

/// Line numbers and, on each line, what its accesses cost.
fn heat(session: Session, lines: u32) -> AnyView {
    let words = session.words();
    let answer = session.answer.get();
    let chosen = session
        .state
        .with(|state| site_of(&answer, &state.selection));
    let row = |line: u32| {
        let mine = answer
            .sites
            .iter()
            .filter(|tally| answer.line(tally.site) == line);
        let chips = mine
            .map(|tally| chip(session, words, &answer, tally, chosen))
            .collect_view();
        view! { <div>{chips}<span>{line}</span></div> }
    };
    (1..=lines).map(row).collect_view().into_any()
}

fn chip(
    session: Session,
    words: Words,
    answer: &Answer,
    tally: &SiteTally,
    chosen: Option<SiteId>,
) -> Option<AnyView> {
    let site = answer.program.site(tally.site)?;
    let (class, text) = match (site.space, tally.requests) {
        (_, 0) => ("plain", "–".to_owned()),
        _ if tally.unknown.is_some() => ("plain", "?".to_owned()),
        (Space::Shared, _) => (
            lanescope_draw::Tone::of_ways(tally.ways()).class(),
            tally.ways().to_string(),
        ),
        (Space::Global, _) => {
            let per_request = decimal(tally.global.per_request_hundredths());
            (
                "plain",
                format!("{per_request}{}", unit_letter(tally.global.unit)),
            )
        }
    };
    let id = tally.site;
    let named = selecting(answer, id);
    let pick = move |_| session.edit(|state| state.selection.site = Some(named));
    Some(
        view! {
            <button
                type="button"
                class=format!("chip {class}")
                aria-pressed=(chosen == Some(id)).to_string()
                title=words.say(Message::ByAccessAbout)
                on:click=pick
            >
                {text}
            </button>
        }
        .into_any(),
    )
}

const fn unit_letter(unit: lanescope_model::Unit) -> &'static str {
    match unit {
        lanescope_model::Unit::Sector => "s",
        lanescope_model::Unit::Line => "L",
        lanescope_model::Unit::Transaction => "t",
    }
}
