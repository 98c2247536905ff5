//! The one editor of the page: it holds the source, whatever kind that is.

use std::borrow::Cow;

use lanescope_share::{Source, joined};
use leptos::prelude::*;

use super::diagnostics::{DiagnosticList, Diagnostics, is_other};
use super::editor::{Called, Editor, open_row};
use super::gutter::Gutter;
use super::kernel_text::KernelText;
use super::links;
use super::manual_dom::{holds, made};
use super::{expression_panel, layout_panel, trace_panel};
use crate::answer::Kind;
use crate::page::Page;
use crate::session::Session;
use crate::words::Word;

/// The editor of the source, and what is said of its text. A handle: clones are the same editor.
#[derive(Clone)]
pub(super) struct SourceText {
    pub(super) editor: Editor,
    said: Diagnostics,
    kernel: KernelText,
    session: Session,
}

impl SourceText {
    /// One that shows the source of `session`, and changes it.
    pub(super) fn new(session: Session) -> Self {
        let kernel = KernelText::new(session);
        let typed = kernel.clone();
        let change = move |text: String| match Kind::of(&session.state().source) {
            Kind::Expression => expression_panel::change(session, &text),
            Kind::Kernel => typed.change(text),
            Kind::Layout => layout_panel::change(session, text),
            Kind::Trace => trace_panel::change(session, text),
        };
        let (id, label) = called(Kind::of(&session.state().source));
        let editor = Editor::new(session, id, label, change);
        let said = Diagnostics::new(&editor);
        let all = Self {
            editor,
            said,
            kernel,
            session,
        };
        all.follow();
        all.follow_late();
        all
    }

    fn follow(&self) {
        let (editor, kernel) = (self.editor.clone(), self.kernel.clone());
        let mut gutter = Gutter::new(self.session, &editor);
        self.session.follow(move |page, before| {
            let source = &page.state.source;
            let is_kernel = matches!(source, Source::Kernel(_));
            let is_same_kind =
                before.is_some_and(|before| Kind::of(&before.state.source) == Kind::of(source));
            if is_kernel {
                kernel.follow(page);
            }
            editor.call(called(Kind::of(source)));
            let text = text_of(source);
            if !is_same_kind || is_other(page, before) || !is_kernel && editor.text() != text {
                editor.put(&text);
            }
            // For an expression the plain field does, which the page at a glance has too.
            if !matches!(source, Source::Expression { .. }) {
                editor.become_whole();
            }
            gutter.put(page, &text, unnumbered(source));
        });
    }

    fn follow_late(&self) {
        let (said, linked) = (self.said, self.editor.clone());
        self.session.follow_late(move |page, before| {
            if is_other(page, before) {
                let text = text_of(&page.state.source);
                let start = start(&page.state.source);
                said.say(page, start, &text);
                linked.link(links::of_page(page, start, text.len()));
            }
        });
        let revealed = self.editor.clone();
        self.session.follow_late(move |page, before| {
            let line = open_line(page);
            if let Some(line) = line.filter(|_| line != before.and_then(open_line)) {
                revealed.reveal(line);
            }
        });
    }
}

/// The editor, with what is said of its text below it.
#[component]
pub(super) fn SourceEditor(text: SourceText, open: Memo<Kind>) -> impl IntoView {
    let testid = Signal::derive(move || match open.get() {
        Kind::Expression => Some("diagnostics"),
        Kind::Kernel => Some("kernel-diagnostics"),
        Kind::Layout | Kind::Trace => None,
    });
    view! {
        <div class="source-text" use:holds=made(text.editor.all)></div>
        <DiagnosticList of=text.said testid />
    }
}

/// The id of the editor while it holds a source of a kind, and what is said of that.
const fn called(kind: Kind) -> Called {
    let label: Word = match kind {
        Kind::Expression => |words| words.label.expression_source,
        Kind::Kernel => |words| words.kernel_source,
        Kind::Layout => |words| words.layout_source,
        Kind::Trace => |words| words.trace.text,
    };
    (kind.name(), label)
}

/// The text of a source: of an expression its declarations, then its accesses.
fn text_of(source: &Source) -> Cow<'_, str> {
    match source {
        Source::Expression {
            accesses,
            declarations,
        } => joined(declarations, accesses).into(),
        Source::Kernel(text) | Source::Trace(text) => text.into(),
        Source::Layout { layout, .. } => layout.into(),
    }
}

/// The byte of what was read at which that text begins: an expression without declarations has a line feed before it.
fn start(source: &Source) -> u32 {
    match source {
        Source::Expression { declarations, .. } => u32::from(declarations.is_empty()),
        Source::Kernel(_) | Source::Layout { .. } | Source::Trace(_) => 0,
    }
}

/// How many of its first lines have no number: those of an expression's declarations.
fn unnumbered(source: &Source) -> u32 {
    match source {
        Source::Expression { declarations, .. } if !declarations.is_empty() => {
            u32::try_from(declarations.matches('\n').count() + 1).unwrap_or(u32::MAX)
        }
        Source::Expression { .. }
        | Source::Kernel(_)
        | Source::Layout { .. }
        | Source::Trace(_) => 0,
    }
}

/// The line of the row of the list that is open.
fn open_line(page: &Page) -> Option<u32> {
    open_row(page).map(|site| page.answer.line(site))
}
