//! What the parser and the run have to say, each with its place and its fix.

use std::cell::RefCell;
use std::rc::Rc;

use super::editor::Editor;
use super::list::List;
use crate::element::{El, el, number_around};
use crate::words::{Language, Message};
use lanescope_cuda::source::{Diagnostic, Severity, Span};

/// The list under a field.
#[derive(Clone)]
pub(crate) struct Diagnostics {
    pub(crate) list: El,
    items: Rc<RefCell<List<Item>>>,
    editor: Editor,
    shown: Rc<RefCell<Shown>>,
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
        let shown = Rc::new(RefCell::new(Shown::default()));
        let (asked, field) = (Rc::clone(&shown), editor.clone());
        let list = el("ul").class("diagnostics").on("click", move |event| {
            if let Some(index) = number_around(&event, "data-place") {
                asked.borrow().select(&field, index);
            }
            let fixed = number_around(&event, "data-fix")
                .and_then(|index| asked.borrow().fixed(&field.text(), index));
            if let Some(text) = fixed {
                field.change(text);
            }
        });
        let editor = editor.clone();
        Self {
            items: Rc::new(RefCell::new(List::new(list.clone()))),
            list,
            editor,
            shown,
        }
    }

    /// Shows `diagnostics` of a text that begins at byte `offset`, after `lines_before` lines.
    pub(crate) fn put(
        &self,
        diagnostics: Vec<Diagnostic>,
        offset: u32,
        lines_before: u32,
        language: Language,
    ) {
        let item =
            |(index, one): (usize, &Diagnostic)| Item::of(index, one, lines_before, language);
        let items: Vec<Item> = diagnostics.iter().enumerate().map(item).collect();
        self.list.show(!items.is_empty());
        self.items.borrow_mut().put(items, Item::build);
        self.editor.put_invalid(is_wrong(&diagnostics));
        *self.shown.borrow_mut() = Shown {
            diagnostics,
            offset,
        };
    }
}

fn is_wrong(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .any(|one| one.severity() == Severity::Error)
}

/// What a line of the list says.
#[derive(PartialEq)]
struct Item {
    /// Which diagnostic it is.
    index: String,
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
        let fix = diagnostic.fix.as_ref().map(|fix| {
            language.say(&Message::Apply {
                replacement: &fix.replacement,
            })
        });
        Self {
            index: index.to_string(),
            class,
            code: diagnostic.kind.code(),
            place: language.say(&Message::Place { line, column }),
            text: language.diagnostic(diagnostic),
            fix,
        }
    }

    fn build(&self) -> El {
        let place = el("button")
            .set("type", "button")
            .class("place")
            .set("data-place", &self.index)
            .text(&self.place);
        let text = el("span").text(&self.text).with_text(" ");
        if let Some(label) = &self.fix {
            let button = el("button").set("type", "button").class("button small");
            text.add(&button.set("data-fix", &self.index).text(label));
        }
        el("li")
            .class(self.class)
            .set("data-code", self.code)
            .with(&place)
            .with(&text)
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
