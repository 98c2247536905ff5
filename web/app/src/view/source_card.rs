//! The source: kinds of source as tabs, and the fields of the one that is open.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::rc::Rc;
use std::sync::Arc;

use lanescope_cuda::source::{Diagnostic, SiteId};
use lanescope_gallery::{COMPILED, PRESETS, SUBJECTS, Subject, compiled, preset};
use lanescope_model::Operation;
use lanescope_share::{self as share, Source, State};
use leptos::prelude::*;

use super::diagnostics::Diagnostics;
use super::editor::Editor;
use super::gutter::Gutter;
use super::island::island;
use super::try_this::TryThis;
use super::{kernel_panel, layout_panel, links, trace_panel, variables};
use crate::answer::selecting;
use crate::element::{El, by_id, el, focus_beside, key};
use crate::examples::{first, first_kernel};
use crate::highlight::Underline;
use crate::page::Page;
use crate::recent;
use crate::session::Session;
use crate::words::{Message, TraceWord};

/// The card with the source; in the page itself with the launch bar above it.
pub(crate) fn build(session: Session, launch: Option<El>) -> El {
    let expression = el("div");
    fill_panel(session, &expression);
    let kinds = [
        Kind {
            name: "expression",
            label: Message::Expression,
            panel: expression,
        },
        Kind {
            name: "kernel",
            label: Message::Kernel,
            panel: kernel_panel::build(session),
        },
        Kind {
            name: "layout",
            label: Message::Layout,
            panel: layout_panel::build(session),
        },
        Kind {
            name: "trace",
            label: Message::Trace(TraceWord::Tab),
            panel: trace_panel::build(session),
        },
    ];
    let list = session.name(
        el("div").set("role", "tablist"),
        "aria-label",
        Message::SourceKinds,
    );
    let panels = el("div");
    let last: Rc<RefCell<[Option<State>; KINDS]>> = Rc::default();
    for (index, kind) in kinds.into_iter().enumerate() {
        list.add(&tab(session, &kind, index, &last));
        panels.add(&panel(session, kind, index));
    }
    let followed = Rc::clone(&last);
    session.follow(move |page, _| {
        followed.borrow_mut()[kind_of(&page.state)] = Some(page.state.clone());
    });
    let tools = el("div").class("tools").with(&example_menu(session));
    let tabs = el("div").class("tabs").with(&list).with(&tools);
    let card = el("section").class("card source-card").set("id", "source");
    card.with(&tabs).with_each(launch).with(&panels)
}

/// How many kinds there are.
const KINDS: usize = 4;

/// A kind of source.
struct Kind {
    name: &'static str,
    label: Message<'static>,
    panel: El,
}

/// Which tab `state` belongs to.
const fn kind_of(state: &State) -> usize {
    match state.source {
        Source::Kernel(_) => 1,
        Source::Layout { .. } => 2,
        Source::Trace(_) => 3,
        _ => 0,
    }
}

/// A tab; the arrow keys go to the other one.
fn tab(
    session: Session,
    kind: &Kind,
    index: usize,
    last: &Rc<RefCell<[Option<State>; KINDS]>>,
) -> El {
    let tab = el("button")
        .set("type", "button")
        .set("role", "tab")
        .testid(&format!("tab-{}", kind.name));
    let tab = tab
        .set("id", &format!("tab-{}", kind.name))
        .set("aria-controls", &format!("panel-{}", kind.name));
    let followed = tab.clone();
    session.follow(move |page, _| {
        let is_open = kind_of(&page.state) == index;
        followed.put("aria-selected", if is_open { "true" } else { "false" });
        followed.put("tabindex", if is_open { "0" } else { "-1" });
    });
    let (clicked, moved) = (Rc::clone(last), Rc::clone(last));
    let tab = session
        .say(tab, kind.label)
        .on("click", move |_| open(session, index, &clicked));
    tab.on("keydown", move |event| {
        let key = key(&event);
        let next = match key.as_str() {
            "ArrowRight" => (index + 1) % KINDS,
            "ArrowLeft" => (index + KINDS - 1) % KINDS,
            _ => return,
        };
        open(session, next, &moved);
        by_id(["tab-expression", "tab-kernel", "tab-layout", "tab-trace"][next]).focus();
    })
}

/// Opens the tab with index `index` as it was left, or its first example.
fn open(session: Session, index: usize, last: &RefCell<[Option<State>; KINDS]>) {
    if kind_of(&session.page().state) == index {
        return;
    }
    let left = last.borrow()[index].clone();
    let begin = [first, first_kernel, layout_panel::first, trace_panel::first][index];
    session.visit(left.unwrap_or_else(begin));
}

fn panel(session: Session, kind: Kind, index: usize) -> El {
    let panel = kind
        .panel
        .set("role", "tabpanel")
        .set("id", &format!("panel-{}", kind.name));
    let panel = panel.set("aria-labelledby", &format!("tab-{}", kind.name));
    let followed = panel.clone();
    session.follow(move |page, _| followed.show(kind_of(&page.state) == index));
    panel
}

fn example_menu(session: Session) -> El {
    let heading = el("option")
        .set("value", "")
        .set("hidden", "")
        .set("selected", "");
    let menu = el("select").class("field examples").testid("examples");
    let menu = session.name(menu, "aria-label", Message::Examples);
    menu.add(&session.say(heading, Message::Examples));
    SUBJECTS
        .iter()
        .for_each(|subject| menu.add(&example_group(session, *subject)));
    let left = session.name(el("optgroup"), "label", Message::Recent);
    menu.add(&left);
    fill_recent(session, &left);
    let chosen = menu.clone();
    menu.on("change", move |_| {
        let value = chosen.value();
        chosen.put_value("");
        choose_example(session, &value);
        fill_recent(session, &left);
    })
}

/// What an option of the menu stands for.
fn choose_example(session: Session, value: &str) {
    if let Some(preset) = preset(value) {
        return session.visit(preset.state());
    }
    if let Some(text) = compiled(value) {
        return session.visit(text.state());
    }
    if value == FORGET {
        return recent::forget();
    }
    let index = value
        .strip_prefix(RECENT)
        .and_then(|index| index.parse::<usize>().ok());
    if let Some(left) = index.and_then(|index| recent::all().into_iter().nth(index)) {
        session.visit(left.state);
    }
}

const RECENT: &str = "recent:";
const FORGET: &str = "forget";

/// The states that were left last, and the way to forget them.
fn fill_recent(session: Session, group: &El) {
    let option = |value: &str, text: &str| el("option").set("value", value).text(text);
    let all = recent::all();
    group.show(!all.is_empty());
    let named = all.iter().enumerate();
    let mut options: Vec<El> = named
        .map(|(index, left)| option(&format!("{RECENT}{index}"), &left.name))
        .collect();
    options.push(option(
        FORGET,
        &session.page().language.say(&Message::ForgetRecent),
    ));
    group.put_all(&options);
}

fn example_group(session: Session, subject: Subject) -> El {
    let group = session.name(el("optgroup"), "label", Message::Subject(subject));
    for preset in PRESETS.iter().filter(|preset| preset.subject == subject) {
        let option = el("option").set("value", preset.id);
        group.add(&session.say(option, Message::Preset(preset)));
        for text in COMPILED.iter().filter(|text| text.of == preset.id) {
            let option = el("option").set("value", text.id);
            group.add(&session.say(option, Message::CompiledPreset(text)));
        }
    }
    group
}

fn fill_panel(session: Session, panel: &El) {
    let declare = move |text: String| {
        session.edit(|state| edit(state, |declarations, _| *declarations = text))
    };
    let access =
        move |text: String| session.edit(|state| edit(state, |_, accesses| *accesses = text));
    let declarations = Editor::new(session, "decl", Message::Declarations, declare);
    let accesses = Editor::new(session, "access", Message::Accesses, access);
    let said_of_declarations = Diagnostics::new(&declarations);
    let said_of_accesses = Diagnostics::new(&accesses);
    let diagnostics = el("div").testid("diagnostics").with_all(&[
        said_of_declarations.list.clone(),
        said_of_accesses.list.clone(),
    ]);
    let mut numbers = Gutter::new(session, &declarations);
    let mut heat = Gutter::new(session, &accesses);
    for part in [
        &declarations.all,
        &accesses.all,
        &diagnostics,
        &variables::build(session, "variables"),
        &bare(session),
    ] {
        panel.add(part);
    }
    let (marked, marked_accesses) = (declarations.clone(), accesses.clone());
    session.follow(move |page, before| {
        if kind_of(&page.state) != 0 {
            return;
        }
        let (of_declarations, of_accesses) = fields(&page.state);
        if is_other(page, before) {
            declarations.put(of_declarations);
            accesses.put(of_accesses);
            numbers.put_numbers(of_declarations);
        }
        heat.put(page, of_accesses);
    });
    session.follow_late(move |page, before| {
        if kind_of(&page.state) == 0 && is_other(page, before) {
            let ((first, second), start) = (fields(&page.state), page.answer.accesses_start);
            say(page, &marked, &said_of_declarations, first, 0);
            say(page, &marked_accesses, &said_of_accesses, second, start);
            marked_accesses.link(links::of_page(page, start, second.len()));
        }
    });
}

/// Looks into the site with index `site`.
pub(crate) fn choose(session: Session, site: usize) {
    let Ok(site) = u32::try_from(site) else {
        return;
    };
    let named = selecting(&session.page().answer, SiteId(site));
    session.edit(|state| state.selection.site = Some(named));
}

/// Says what is wrong with the text of one field, which begins at byte `offset` of the source.
pub(super) fn say(page: &Page, editor: &Editor, said: &Diagnostics, text: &str, offset: u32) {
    let answer = &page.answer;
    let mine = |one: &&Diagnostic| {
        answer.accesses_start == 0 || (one.span.start >= answer.accesses_start) == (offset > 0)
    };
    let mut diagnostics: Vec<Diagnostic> =
        answer.diagnostics.iter().filter(mine).cloned().collect();
    // Mistakes come first.
    diagnostics.sort_by_key(|one| (Reverse(one.severity()), one.span.start));
    let under =
        |one: &Diagnostic| Underline::of(one, offset as usize, text, page.language.diagnostic(one));
    editor.mark(diagnostics.iter().filter_map(under).collect());
    editor.translate(page);
    let lines_before = if offset > 0 { answer.lines_before } else { 0 };
    said.put(diagnostics, offset, lines_before, page.language);
}

/// Whether the source, or what is said of it, may differ from what it was `before`.
pub(super) fn is_other(page: &Page, before: Option<&Page>) -> bool {
    before.is_none_or(|before| {
        !Arc::ptr_eq(&before.answer, &page.answer) || before.language != page.language
    })
}

/// What an access without assignment does.
fn bare(session: Session) -> El {
    let switch = el("div")
        .class("segments")
        .set("role", "group")
        .testid("op");
    let switch = session.name(switch, "aria-label", Message::Bare);
    let choices = [
        (share::Operation::Load, Operation::Load, "load"),
        (share::Operation::Store, Operation::Store, "store"),
    ];
    for (operation, label, value) in choices {
        let button = el("button").set("type", "button").set("value", value);
        let button = session.say(button, Message::Operation(label));
        let pressed = button.clone();
        session.follow(move |page, _| {
            let is_pressed = page.state.operation == operation;
            pressed.put("aria-pressed", if is_pressed { "true" } else { "false" });
            // One stop of the Tab key for both; the arrow keys change it.
            pressed.put("tabindex", if is_pressed { "0" } else { "-1" });
        });
        switch.add(&button.on("click", move |_| {
            session.edit(|state| state.operation = operation)
        }));
    }
    let switch = switch.on("keydown", move |event| {
        if matches!(key(&event).as_str(), "ArrowLeft" | "ArrowRight") {
            session.edit(|state| {
                state.operation = match state.operation {
                    share::Operation::Load => share::Operation::Store,
                    share::Operation::Store => share::Operation::Load,
                };
            });
            focus_beside(&event);
        }
    });
    let hint = session.say(el("span").class("hint"), Message::Bare);
    let hint = el("div").class("controls").with(&hint).with(&switch);
    hint.with(&island("div", move || view! { <TryThis session /> }))
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
fn edit(state: &mut State, change: impl FnOnce(&mut String, &mut String)) {
    if !matches!(state.source, Source::Expression { .. }) {
        state.source = Source::default();
    }
    if let Source::Expression {
        accesses,
        declarations,
    } = &mut state.source
    {
        change(declarations, accesses);
    }
}
