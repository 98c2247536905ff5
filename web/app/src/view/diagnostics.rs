//! What the parser and the run have to say, each with its place and its fix.

use lanescope_frontend::{Diagnostic, Severity, Span};
use leptos::prelude::*;

use super::editor::Editor;
use crate::words::{Message, Words};

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

    /// Shows `diagnostics` of a text that begins at byte `offset`, after `lines_before` lines.
    pub(crate) fn put(
        self,
        diagnostics: Vec<Diagnostic>,
        offset: u32,
        lines_before: u32,
        language: Words,
    ) {
        let item =
            |(index, one): (usize, &Diagnostic)| Item::of(index, one, lines_before, language);
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
    #[prop(optional)] testid: Option<&'static str>,
) -> impl IntoView {
    let items = move || {
        let item = |item: &Item| item.view(of);
        of.items.with(|items| items.iter().map(item).collect_view())
    };
    view! {
        <ul class="diagnostics" data-testid=testid hidden=move || of.items.with(Vec::is_empty)>
            {items}
        </ul>
    }
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
    fn of(index: usize, diagnostic: &Diagnostic, lines_before: u32, language: Words) -> Self {
        let class = match diagnostic.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "warning note",
        };
        let (line, column) = (
            diagnostic.line.saturating_sub(lines_before),
            diagnostic.column,
        );
        let fix = diagnostic.fix.as_ref().map(|fix| {
            language.say(&Message::Apply {
                replacement: &fix.replacement,
            })
        });
        Self {
            index,
            class,
            code: diagnostic.kind.code(),
            place: language.say(&Message::Place { line, column }),
            text: language.diagnostic(diagnostic),
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
