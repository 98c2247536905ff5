//! An expression: what it has besides its text, and the two fields of that which the page begins with.

use lanescope_model::Operation;
use lanescope_share::{self as share, Source, State};
use leptos::prelude::*;

use super::diagnostics::{DiagnosticList, Diagnostics, Part, is_other};
use super::editor::Editor;
use super::gutter::Gutter;
use super::links;
use super::manual_dom::{holds, made};
use super::try_this::TryThis;
use super::variables::VariableSliders;
use crate::answer::parted;
use crate::session::Session;
use crate::words::Message;
use lanescope_ui::element::focus_beside;

/// What stands below the text of an expression.
#[component]
pub(crate) fn ExpressionPanel(session: Session) -> impl IntoView {
    view! {
        <VariableSliders session class="variables" />
        <BareAccess session />
    }
}

/// A field for declarations and one for accesses, as the page at a glance has them.
#[component]
pub(crate) fn ExpressionFields(session: Session) -> impl IntoView {
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
    }
}

/// Makes `text` the expression, its declarations and what follows them.
pub(super) fn change(session: Session, text: &str) {
    session.edit(|state| {
        edit(state, |declarations, accesses| {
            (*declarations, *accesses) = parted(text)
        });
    });
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
    let second = accesses.editor.clone();
    let (said_of_first, said_of_second) = (declarations.said, accesses.said);
    session.follow_late(move |page, before| {
        if let Some((of_declarations, of_accesses)) = fields(&page.state)
            && is_other(page, before)
        {
            said_of_first.say(page, Part::Declarations, of_declarations);
            said_of_second.say(page, Part::Accesses, of_accesses);
            let start = page.answer.accesses_start;
            second.link(links::of_page(page, start, of_accesses.len()));
        }
    });
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
