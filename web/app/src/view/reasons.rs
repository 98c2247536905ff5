//! What an answer assumes or lacks, as chips: each leads to the field that sets it right.

use lanescope_ui::element::{around, by_id};

use super::list::List;
use crate::answer::{Reason, Standing, Status};
use crate::element::{El, el};
use crate::page::Page;
use crate::words::{Language, Message};

/// The most chips; of the rest the number is said.
const MOST: usize = 8;

/// The chips under the verdict.
pub(crate) struct Reasons {
    pub(crate) all: El,
    label: El,
    chips: List<Chip>,
}

#[derive(Clone, PartialEq)]
struct Chip {
    text: String,
    /// The id of the field that sets it right.
    field: Option<String>,
}

impl Reasons {
    pub(crate) fn new() -> Self {
        let label = el("b");
        let list = el("ul").on("click", |event| {
            let field =
                around(&event, "[data-field]").and_then(|chip| chip.get_attribute("data-field"));
            if let Some(id) = field {
                by_id(&id).focus();
            }
        });
        let all = el("div").class("reasons").testid("reasons");
        Self {
            all: all.with(&label).with(&list),
            label,
            chips: List::new(list),
        }
    }

    pub(crate) fn put(&mut self, page: &Page, standing: &Standing) {
        let language = page.language;
        let is_shown = !standing.is_counted() && !page.answer.program.sites().is_empty();
        self.all.show(is_shown);
        self.all.put("data-status", standing.status.key());
        self.label
            .put_text(&language.say(&Message::Standing(standing.status)));
        let chips = if is_shown {
            chips(page, standing)
        } else {
            Vec::new()
        };
        self.chips.put(chips, chip);
    }
}

fn chips(page: &Page, standing: &Standing) -> Vec<Chip> {
    let mine = standing
        .reasons
        .iter()
        .filter(|reason| standing.status == Status::Partial || reason.status() == standing.status);
    let mut chips: Vec<Chip> = mine.map(|reason| of(page, reason, page.language)).collect();
    let more = chips.len().saturating_sub(MOST);
    chips.truncate(MOST);
    if more > 0 {
        chips.push(Chip {
            text: page.language.say(&Message::MoreReasons(more)),
            field: None,
        });
    }
    chips
}

/// What is assumed rather than given: the id of the field that would give it, and the reason in words.
pub(crate) fn guesses(page: &Page) -> Vec<(String, String)> {
    let reasons = page.answer.standing().reasons;
    let chips = reasons.iter().map(|reason| of(page, reason, page.language));
    chips
        .filter_map(|chip| Some((chip.field?, chip.text)))
        .collect()
}

fn of(page: &Page, reason: &Reason, language: Language) -> Chip {
    let parameters = page.answer.program.parameters();
    let of_parameter = |name: &str| {
        let is_there = parameters.iter().any(|parameter| parameter.name == name);
        is_there.then(|| format!("argument-{name}"))
    };
    let field = match reason {
        Reason::Argument { name, .. } => of_parameter(name),
        Reason::Contents { array, .. } => of_parameter(array),
        Reason::Template { .. } => Some("defines".to_owned()),
        Reason::DynamicShared { .. } => Some("dynamic-shared".to_owned()),
        Reason::Shape { .. } => Some("grid".to_owned()),
        Reason::NoContention { .. }
        | Reason::Include { .. }
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
                let place = language.say(&Message::Place {
                    line: one.line,
                    column: one.column,
                });
                format!("{place}: {}", language.diagnostic(one))
            }
            other => language.say(&Message::Reason(other)),
        },
        field,
    }
}

fn chip(chip: &Chip) -> El {
    let inside = match &chip.field {
        Some(id) => el("button").set("type", "button").set("data-field", id),
        None => el("span"),
    };
    el("li").with(&inside.class("chip").text(&chip.text))
}
