//! A field for source text, coloured, with a gutter.

use crate::element::{El, el};
use crate::highlight::{Underline, highlight};
use crate::session::Session;
use crate::words::Message;

/// The most lines that are coloured and numbered: a browser takes a second to set 65,536 of them three times.
pub(super) const MOST_LINES: u32 = 4_096;

/// A transparent field over coloured text of the same size, with a margin.
#[derive(Clone)]
pub(crate) struct Editor {
    pub(crate) all: El,
    pub(crate) gutter: El,
    field: El,
    paper: El,
    framed: El,
}

impl Editor {
    /// An empty editor; what is typed goes to `change`.
    pub(crate) fn new(
        session: Session,
        id: &str,
        label: Message<'static>,
        change: impl Fn(String) + 'static,
    ) -> Self {
        let field = el("textarea")
            .testid(id)
            .set("id", id)
            .set("spellcheck", "false")
            .set("wrap", "off");
        let field = field
            .set("autocapitalize", "off")
            .set("autocomplete", "off");
        let typed = field.clone();
        let field = field.on("input", move |_| change(typed.value()));
        let paper = el("pre").set("aria-hidden", "true");
        let gutter = el("div").class("gutter");
        let inner = el("div").class("paper").with(&paper).with(&field);
        let box_ = el("div")
            .class("editor")
            .with(&gutter)
            .with(&el("div").class("scroll").with(&inner));
        let label = session.say(el("label").set("for", id), label);
        Self {
            all: el("div").with(&label).with(&box_),
            gutter,
            field,
            paper,
            framed: box_,
        }
    }

    /// Shows `text`, with `underlines`; in one colour where it has too many lines.
    pub(crate) fn put(&self, text: &str, underlines: &[Underline]) {
        self.field.put_value(text);
        let is_plain = text.matches('\n').count() >= MOST_LINES as usize;
        let class = if is_plain { "editor plain" } else { "editor" };
        self.framed.put("class", class);
        self.gutter.show(!is_plain);
        if is_plain {
            return self.paper.put_all(&[]);
        }
        let pieces = highlight(text, underlines);
        let spans: Vec<El> = pieces
            .iter()
            .map(|piece| el("span").class(&piece.class).text(&piece.text))
            .collect();
        self.paper.put_all(&spans);
        // A last empty line has its height too.
        self.paper.add(&el("span").text("\n"));
    }
}
