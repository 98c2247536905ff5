//! What the parser and the run have to say, each with its place and its fix.

use std::cmp::Reverse;
use std::sync::Arc;

use lanescope_frontend::{Diagnostic, DiagnosticKind, Severity, Span};
use lanescope_locale::{Language, page};
use leptos::prelude::*;

use super::editor::Editor;
use crate::answer::Answer;
use crate::highlight::Underline;
use crate::page::Page;

/// Whether the source, or what is said of it, may differ from what it was `before`.
pub(super) fn is_other(page: &Page, before: Option<&Page>) -> bool {
    before.is_none_or(|before| {
        !Arc::ptr_eq(&before.answer, &page.answer) || before.language != page.language
    })
}

/// What is said of the text of one editor. A handle: copies are the same list.
#[derive(Clone, Copy)]
pub(crate) struct Diagnostics {
    items: RwSignal<Vec<Item>>,
    shown: StoredValue<Shown, LocalStorage>,
    editor: StoredValue<Editor, LocalStorage>,
}

#[derive(Default)]
struct Shown {
    diagnostics: Vec<Diagnostic>,
    /// Byte of the source at which the field's text begins.
    offset: u32,
}

impl Diagnostics {
    /// An empty list for the text in `editor`.
    pub(crate) fn new(editor: &Editor) -> Self {
        Self {
            items: RwSignal::new(Vec::new()),
            shown: StoredValue::new_local(Shown::default()),
            editor: StoredValue::new_local(editor.clone()),
        }
    }

    /// Says what is wrong with `text`, which begins at byte `offset` of what was read.
    pub(super) fn say(self, page: &Page, offset: u32, text: &str) {
        let answer = &page.answer;
        let is_told = |one: &Diagnostic| is_told_by_index(one, &answer.diagnostics);
        let untold = answer.diagnostics.iter().filter(|one| !is_told(one));
        let mut diagnostics: Vec<Diagnostic> = untold.cloned().collect();
        // What is not there explains what is not known; then mistakes come first.
        diagnostics.sort_by_key(|one| {
            let is_missing = matches!(one.kind, DiagnosticKind::MissingInclude { .. });
            (!is_missing, Reverse(one.severity()), one.span.start)
        });
        let under = |one: &Diagnostic| {
            Underline::of(one, offset as usize, text, one.kind.text(page.language))
        };
        self.editor.with_value(|editor| {
            editor.mark(diagnostics.iter().filter_map(under).collect());
            editor.translate(page);
        });
        self.put(diagnostics, offset, answer, page.language);
    }

    /// Shows `diagnostics` of a text that begins at byte `offset`; the lines of accesses count from their first.
    fn put(self, diagnostics: Vec<Diagnostic>, offset: u32, answer: &Answer, language: Language) {
        let lines_before = |one: &Diagnostic| match one.span.start < answer.accesses_start {
            true => 0,
            false => answer.lines_before,
        };
        let item =
            |(index, one): (usize, &Diagnostic)| Item::of(index, one, lines_before(one), language);
        let items: Vec<Item> = diagnostics.iter().enumerate().map(item).collect();
        if self.items.with_untracked(|shown| *shown != items) {
            self.items.set(items);
        }
        self.editor
            .with_value(|editor| editor.put_invalid(is_wrong(&diagnostics)));
        self.shown.set_value(Shown {
            diagnostics,
            offset,
        });
    }

    fn select(self, index: usize) {
        self.editor
            .with_value(|editor| self.shown.with_value(|shown| shown.select(editor, index)));
    }

    fn fix(self, index: usize) {
        self.editor.with_value(|editor| {
            let fixed = self
                .shown
                .with_value(|shown| shown.fixed(&editor.text(), index));
            if let Some(text) = fixed {
                editor.change(text);
            }
        });
    }
}

/// The list under a field.
#[component]
pub(crate) fn DiagnosticList(
    of: Diagnostics,
    #[prop(optional, into)] testid: Signal<Option<&'static str>>,
) -> impl IntoView {
    let items = move || {
        let item = |item: &Item| item.view(of);
        of.items.with(|items| items.iter().map(item).collect_view())
    };
    view! {
        <ul class="diagnostics" data-testid=move || testid.get() hidden=move || of.items.with(Vec::is_empty)>
            {items}
        </ul>
    }
}

/// Whether a byte out of bounds is told already, as an index out of range at the same place.
fn is_told_by_index(one: &Diagnostic, all: &[Diagnostic]) -> bool {
    let is_index = |other: &Diagnostic| {
        other.span == one.span && matches!(other.kind, DiagnosticKind::OutOfRange { .. })
    };
    matches!(one.kind, DiagnosticKind::OutOfBounds { .. }) && all.iter().any(is_index)
}

fn is_wrong(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .any(|one| one.severity() == Severity::Error)
}

/// What a line of the list says.
#[derive(Clone, PartialEq)]
struct Item {
    /// Which diagnostic it is.
    index: usize,
    class: &'static str,
    code: &'static str,
    place: String,
    text: String,
    /// What the button says that fixes it.
    fix: Option<String>,
}

impl Item {
    fn of(index: usize, diagnostic: &Diagnostic, lines_before: u32, language: Language) -> Self {
        let class = match diagnostic.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "warning note",
        };
        let (line, column) = (
            diagnostic.line.saturating_sub(lines_before),
            diagnostic.column,
        );
        let fix = diagnostic
            .fix
            .as_ref()
            .map(|fix| page::apply(language, &fix.replacement));
        Self {
            index,
            class,
            code: diagnostic.kind.code(),
            place: format!("{line}:{column}"),
            text: diagnostic.kind.text(language),
            fix,
        }
    }

    fn view(&self, of: Diagnostics) -> impl IntoView + use<> {
        let index = self.index;
        let fix = self.fix.clone().map(|label| {
            view! {
                <button type="button" class="button small" data-fix=index.to_string() on:click=move |_| of.fix(index)>
                    {label}
                </button>
            }
        });
        view! {
            <li class=self.class data-code=self.code>
                <button type="button" class="place" on:click=move |_| of.select(index)>
                    {self.place.clone()}
                </button>
                <span>{self.text.clone()} " " {fix}</span>
            </li>
        }
    }
}

impl Shown {
    fn bytes(&self, span: Span) -> (usize, usize) {
        let from = |byte: u32| byte.saturating_sub(self.offset) as usize;
        (from(span.start), from(span.end))
    }

    /// `text` with the fix of diagnostic `index` in it.
    fn fixed(&self, text: &str, index: usize) -> Option<String> {
        let fix = self.diagnostics.get(index)?.fix.as_ref()?;
        let (start, end) = self.bytes(fix.span);
        Some(format!(
            "{}{}{}",
            text.get(..start)?,
            fix.replacement,
            text.get(end..)?
        ))
    }

    /// Puts the focus into the editor and selects the place of diagnostic `index`.
    fn select(&self, editor: &Editor, index: usize) {
        if let Some(diagnostic) = self.diagnostics.get(index) {
            let (start, end) = self.bytes(diagnostic.span);
            editor.select(start, end);
        }
    }
}
