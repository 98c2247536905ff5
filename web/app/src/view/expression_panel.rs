//! Declarations and accesses: what the page begins with.

use std::cmp::Reverse;
use std::sync::Arc;

use lanescope_frontend::{Diagnostic, DiagnosticKind};
use lanescope_model::Operation;
use lanescope_share::{self as share, Source, State};
use leptos::prelude::*;

use super::diagnostics::{DiagnosticList, Diagnostics};
use super::editor::Editor;
use super::gutter::Gutter;
use super::links;
use super::manual_dom::{holds, made};
use super::try_this::TryThis;
use super::variables::VariableSliders;
use crate::highlight::Underline;
use crate::page::Page;
use crate::session::Session;
use crate::words::Message;
use lanescope_ui::element::focus_beside;

/// The panel of the Expression tab.
#[component]
pub(crate) fn ExpressionPanel(session: Session) -> impl IntoView {
    let declare = move |text: String| {
        session.edit(|state| edit(state, |declarations, _| *declarations = text))
    };
    let access =
        move |text: String| session.edit(|state| edit(state, |_, accesses| *accesses = text));
    let declarations = Field::new(Editor::new(session, "decl", Message::Declarations, declare));
    let accesses = Field::new(Editor::new(session, "access", Message::Accesses, access));
    follow(session, &declarations, &accesses);
    view! {
        <div use:holds=made(declarations.editor.all)></div>
        <div use:holds=made(accesses.editor.all)></div>
        <div data-testid="diagnostics">
            <DiagnosticList of=declarations.said />
            <DiagnosticList of=accesses.said />
        </div>
        <VariableSliders session class="variables" />
        <BareAccess session />
    }
}

/// An editor and what is said of its text.
struct Field {
    editor: Editor,
    said: Diagnostics,
}

impl Field {
    fn new(editor: Editor) -> Self {
        let said = Diagnostics::new(&editor);
        Self { editor, said }
    }
}

/// Has both fields show the source of the page, and what is said of it.
fn follow(session: Session, declarations: &Field, accesses: &Field) {
    let mut numbers = Gutter::new(session, &declarations.editor);
    let mut heat = Gutter::new(session, &accesses.editor);
    let (first, second) = (declarations.editor.clone(), accesses.editor.clone());
    session.follow(move |page, before| {
        let Some((of_declarations, of_accesses)) = fields(&page.state) else {
            return;
        };
        if is_other(page, before) {
            first.put(of_declarations);
            second.put(of_accesses);
            numbers.put_numbers(of_declarations);
        }
        heat.put(page, of_accesses);
    });
    let (first, second) = (declarations.editor.clone(), accesses.editor.clone());
    let (said_of_first, said_of_second) = (declarations.said, accesses.said);
    session.follow_late(move |page, before| {
        if let Some((of_declarations, of_accesses)) = fields(&page.state)
            && is_other(page, before)
        {
            let start = page.answer.accesses_start;
            say(page, &first, said_of_first, of_declarations, 0);
            say(page, &second, said_of_second, of_accesses, start);
            second.link(links::of_page(page, start, of_accesses.len()));
        }
    });
}

/// Says what is wrong with the text of one field, which begins at byte `offset` of the source.
pub(super) fn say(page: &Page, editor: &Editor, said: Diagnostics, text: &str, offset: u32) {
    let answer = &page.answer;
    let mine = |one: &&Diagnostic| {
        answer.accesses_start == 0 || (one.span.start >= answer.accesses_start) == (offset > 0)
    };
    let mut diagnostics: Vec<Diagnostic> =
        answer.diagnostics.iter().filter(mine).cloned().collect();
    // What is not there explains what is not known; then mistakes come first.
    diagnostics.sort_by_key(|one| {
        let is_missing = matches!(one.kind, DiagnosticKind::MissingInclude { .. });
        (!is_missing, Reverse(one.severity()), one.span.start)
    });
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

/// What an access without assignment does, and the one thing to try.
#[component]
fn BareAccess(session: Session) -> impl IntoView {
    let operation = Memo::new(move |_| session.pages().with(|page| page.state.operation));
    let choice = move |of: share::Operation, label: Operation, value: &'static str| {
        view! {
            <button
                type="button"
                value=value
                aria-pressed=move || (operation.get() == of).to_string()
                // One stop of the Tab key for both; the arrow keys change it.
                tabindex=move || if operation.get() == of { "0" } else { "-1" }
                on:click=move |_| session.edit(|state| state.operation = of)
            >
                {session.text(Message::Operation(label))}
            </button>
        }
    };
    let step = move |event: leptos::ev::KeyboardEvent| {
        if matches!(event.key().as_str(), "ArrowLeft" | "ArrowRight") {
            session.edit(|state| state.operation = other(state.operation));
            focus_beside(&event);
        }
    };
    view! {
        <div class="controls">
            <span class="hint">{session.text(Message::Bare)}</span>
            <div
                class="segments"
                role="group"
                data-testid="op"
                aria-label=session.text(Message::Bare)
                on:keydown=step
            >
                {choice(share::Operation::Load, Operation::Load, "load")}
                {choice(share::Operation::Store, Operation::Store, "store")}
            </div>
            <div>
                <TryThis session />
            </div>
        </div>
    }
}

const fn other(operation: share::Operation) -> share::Operation {
    match operation {
        share::Operation::Load => share::Operation::Store,
        share::Operation::Store => share::Operation::Load,
    }
}

/// Declarations and accesses; `None` of another kind of source.
fn fields(state: &State) -> Option<(&str, &str)> {
    match &state.source {
        Source::Expression {
            accesses,
            declarations,
        } => Some((declarations, accesses)),
        Source::Kernel(_) | Source::Layout { .. } | Source::Trace(_) => None,
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
