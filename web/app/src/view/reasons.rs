//! What an answer assumes or lacks, as chips: each leads to the field that sets it right.

use std::sync::Arc;

use lanescope_locale::{Language, page};
use lanescope_tally::record_text;
use leptos::prelude::*;

use crate::answer::{Reason, Standing, Status};
use crate::page::Page;
use crate::session::Session;
use lanescope_ui::element::by_id;

/// The most chips; of the rest the number is said.
const MOST: usize = 8;

#[derive(Clone, PartialEq)]
struct Chip {
    text: String,
    /// The id of the field that sets it right.
    field: Option<String>,
}

/// How far the answer can be relied on, and why not further.
#[derive(Clone, PartialEq)]
struct Summary {
    is_shown: bool,
    status: Status,
    chips: Vec<Chip>,
}

/// The chips under the verdict.
#[component]
pub(crate) fn Reasons(session: Session) -> impl IntoView {
    let summary = Memo::new(move |_| session.pages().with(summary));
    let label = move || {
        let status = summary.with(|summary| summary.status);
        status.text(session.language())
    };
    view! {
        <div
            class="reasons"
            data-testid="reasons"
            data-status=move || summary.with(|summary| summary.status.key())
            hidden=move || !summary.with(|summary| summary.is_shown)
        >
            <b>{label}</b>
            <ul>{move || summary.with(|summary| summary.chips.iter().map(chip).collect_view())}</ul>
        </div>
    }
}

fn summary(page: &Arc<Page>) -> Summary {
    let source = page.code.as_ref().map(|_| page.as_ref());
    let page = page.counted_page();
    let standing = page.answer.standing();
    let is_shown = !standing.is_counted() && !page.answer.program.sites().is_empty();
    Summary {
        is_shown,
        status: standing.status,
        chips: if is_shown {
            chips(page, source, &standing)
        } else {
            Vec::new()
        },
    }
}

/// Of compiled code, beside the page of its `source`.
fn chips(page: &Page, source: Option<&Page>, standing: &Standing) -> Vec<Chip> {
    let mine = standing
        .reasons
        .iter()
        .filter(|reason| standing.status == Status::Partial || reason.status() == standing.status);
    let chip = |reason: &Reason| match source {
        Some(source) => of(source, &named(reason, source), page.language),
        None => of(page, reason, page.language),
    };
    let mut chips: Vec<Chip> = mine.map(chip).collect();
    let more = chips.len().saturating_sub(MOST);
    chips.truncate(MOST);
    if more > 0 {
        chips.push(Chip {
            text: page::more_reasons(page.language, more as u64),
            field: None,
        });
    }
    let record = standing.record();
    if !record.is_empty() {
        chips.push(Chip {
            text: record_text(&record, page.language),
            field: None,
        });
    }
    chips
}

/// A reason of compiled code, whose parameters have no names, with the name that the source gives a parameter.
fn named(reason: &Reason, source: &Page) -> Reason {
    let of_source = |name: &String| {
        let at: Option<usize> = name.strip_prefix("param_").and_then(|at| at.parse().ok());
        let parameter = at.and_then(|at| source.answer.program.parameters().get(at));
        parameter.map_or_else(|| name.clone(), |parameter| parameter.name.clone())
    };
    let mut reason = reason.clone();
    match &mut reason {
        Reason::Argument { name, .. } => *name = of_source(name),
        Reason::Contents { array, .. } => *array = array.as_ref().map(of_source),
        Reason::Template { .. }
        | Reason::Name { .. }
        | Reason::DynamicShared { .. }
        | Reason::Shape { .. }
        | Reason::NoContention { .. }
        | Reason::CrowdedAtomic { .. }
        | Reason::NoResult
        | Reason::CopyBound { .. }
        | Reason::CopyRace { .. }
        | Reason::Include { .. }
        | Reason::ParameterPlace { .. }
        | Reason::Prediction(_)
        | Reason::Compiler
        | Reason::Unrolling { .. }
        | Reason::Unread(_)
        | Reason::Stopped { .. }
        | Reason::Blocks { .. }
        | Reason::Device(_) => {}
    }
    reason
}

/// What is assumed rather than given: the id of the field that would give it, and the reason in words. The fields of the
/// page find it in their context; those of an embed find none and are not marked.
#[derive(Clone, Copy)]
pub(crate) struct Guesses(Memo<Vec<(String, String)>>);

impl Guesses {
    /// What the page on screen assumes.
    pub(crate) fn of(session: Session) -> Self {
        Self(Memo::new(move |_| {
            session.late_pages().with(|page| guesses(page))
        }))
    }
}

/// Why the value of a field is guessed, for its mark and its tooltip; `None` where it is given.
pub(super) fn guess(field: &str) -> impl Fn() -> Option<String> + Clone + Send + 'static + use<> {
    let (guesses, field) = (use_context::<Guesses>(), field.to_owned());
    move || {
        guesses?.0.with(|all| {
            let of_field = all.iter().find(|(id, _)| *id == field);
            of_field.map(|(_, why)| why.clone())
        })
    }
}

fn guesses(page: &Page) -> Vec<(String, String)> {
    let reasons = page.answer.standing().reasons;
    let of_fields = reasons.iter().flat_map(|reason| {
        let chip = of(page, reason, page.language);
        let is_both = matches!(reason, Reason::Shape { .. }) && page.state.launch.guessed.block;
        let block = is_both.then(|| ("block".to_owned(), chip.text.clone()));
        let field = chip.field.map(|field| (field, chip.text));
        field.into_iter().chain(block)
    });
    of_fields.collect()
}

fn of(page: &Page, reason: &Reason, language: Language) -> Chip {
    let parameters = page.answer.program.parameters();
    let of_parameter = |name: &str| {
        let is_there = parameters.iter().any(|parameter| parameter.name == name);
        is_there.then(|| format!("argument-{name}"))
    };
    let field = match reason {
        Reason::Argument { name, .. } => of_parameter(name),
        Reason::Contents { array, .. } => array.as_deref().and_then(of_parameter),
        Reason::Template { .. } | Reason::Name { .. } => Some("defines".to_owned()),
        Reason::DynamicShared { .. } => Some("dynamic-shared".to_owned()),
        Reason::Shape { .. } if page.state.launch.guessed.grid => Some("grid".to_owned()),
        Reason::Shape { .. } => Some("block".to_owned()),
        Reason::NoContention { .. }
        | Reason::CrowdedAtomic { .. }
        | Reason::NoResult
        | Reason::CopyBound { .. }
        | Reason::CopyRace { .. }
        | Reason::Include { .. }
        | Reason::ParameterPlace { .. }
        | Reason::Prediction(_)
        | Reason::Compiler
        | Reason::Unrolling { .. }
        | Reason::Unread(_)
        | Reason::Stopped { .. }
        | Reason::Blocks { .. }
        | Reason::Device(_) => None,
    };
    Chip {
        text: match reason {
            Reason::Unread(one) => {
                format!("{}:{}: {}", one.line, one.column, one.kind.text(language))
            }
            Reason::Argument { name, value } => {
                let program = &page.answer.program;
                let parameter = parameters.iter().find(|parameter| parameter.name == *name);
                let shown = parameter.map(|one| match one.role {
                    Some(role) => role.text(language),
                    None => program.short_name(one).to_owned(),
                });
                format!("{} = {value}", shown.as_ref().unwrap_or(name))
            }
            other => other.text(language),
        },
        field,
    }
}

/// Gives the focus to a field, also where that is folded away.
fn lead_to(field: &str) {
    by_id("more-fields").put("open", "");
    by_id(field).focus();
}

/// A reason; where a field sets it right, a button that leads there.
fn chip(chip: &Chip) -> impl IntoView + use<> {
    let text = chip.text.clone();
    let inside = match chip.field.clone() {
        Some(field) => view! {
            <button type="button" class="chip" data-field=field.clone() on:click=move |_| lead_to(&field)>
                {text}
            </button>
        }
        .into_any(),
        None => view! { <span class="chip">{text}</span> }.into_any(),
    };
    view! { <li>{inside}</li> }
}
