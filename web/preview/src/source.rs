//! The source: as fields in the page, as a text to unfold in an article.

use std::cell::Cell;
use std::rc::Rc;

use lanescope_locale::label::Label;
use lanescope_model::Operation;
use lanescope_share::{self as share, Source, State};
use lanescope_ui::element::{El, el};
use lanescope_ui::variables::Change;

use crate::words::Words;

fn texts(state: &State) -> [&str; 2] {
    match &state.source {
        Source::Expression {
            accesses,
            declarations,
        } => [declarations, accesses],
        _ => ["", ""],
    }
}

/// The fields of an expression.
pub(crate) struct Fields {
    pub(crate) all: El,
    pub(crate) labels: Vec<(El, Label)>,
    fields: [Field; 2],
    operations: [(El, share::Operation, Operation); 2],
}

/// A transparent field over text of the same size, with line numbers.
struct Field {
    field: El,
    paper: El,
    gutter: El,
}

impl Fields {
    pub(crate) fn new(change: &Change) -> Self {
        let all = el("div");
        let mut labels = Vec::new();
        let declare = |state: &mut State, text: &str| {
            if let Source::Expression { declarations, .. } = &mut state.source {
                text.clone_into(declarations);
            }
        };
        let access = |state: &mut State, text: &str| {
            if let Source::Expression { accesses, .. } = &mut state.source {
                text.clone_into(accesses);
            }
        };
        let fields = [
            field(
                change,
                "decl",
                Label::Declarations,
                declare,
                &all,
                &mut labels,
            ),
            field(change, "access", Label::Accesses, access, &all, &mut labels),
        ];
        let hint = el("span").class("hint");
        labels.push((hint.clone(), Label::Bare));
        let switch = el("div")
            .class("segments")
            .set("role", "group")
            .testid("op");
        let operations = [
            (share::Operation::Load, Operation::Load),
            (share::Operation::Store, Operation::Store),
        ]
        .map(|(operation, said)| {
            let change = Rc::clone(change);
            let button = el("button").set("type", "button");
            switch.add(&button.clone().on("click", move |_| {
                change(&|state| state.operation = operation);
            }));
            (button, operation, said)
        });
        all.add(&el("div").class("controls").with(&hint).with(&switch));
        Self {
            all,
            labels,
            fields,
            operations,
        }
    }

    pub(crate) fn show(&self, state: &State, words: Words) {
        for (field, text) in self.fields.iter().zip(texts(state)) {
            field.field.put_value(text);
            field.paper.put_text(&(String::from(text) + "\n"));
            let lines =
                (1..=text.matches('\n').count() + 1).map(|line| el("div").text(&line.to_string()));
            field.gutter.put_all(&lines.collect::<Vec<_>>());
        }
        for (button, operation, said) in &self.operations {
            let is_pressed = state.operation == *operation;
            button.put("aria-pressed", if is_pressed { "true" } else { "false" });
            button.put_text(words.operation(*said));
        }
    }
}

fn field(
    change: &Change,
    id: &'static str,
    label: Label,
    set: fn(&mut State, &str),
    all: &El,
    labels: &mut Vec<(El, Label)>,
) -> Field {
    let field = el("textarea")
        .testid(id)
        .set("id", id)
        .set("spellcheck", "false");
    let field = field
        .set("wrap", "off")
        .set("autocapitalize", "off")
        .set("autocomplete", "off");
    let (typed, change) = (field.clone(), Rc::clone(change));
    let field = field.on("input", move |_| {
        let text = typed.value();
        change(&|state| set(state, &text));
    });
    let (paper, gutter) = (
        el("pre").set("aria-hidden", "true"),
        el("div").class("gutter"),
    );
    let inner = el("div").class("paper").with(&paper).with(&field);
    let box_ = el("div").class("editor").with(&gutter);
    let name = el("label").set("for", id);
    labels.push((name.clone(), label));
    all.add(
        &el("div")
            .with(&name)
            .with(&box_.with(&el("div").class("scroll").with(&inner))),
    );
    Field {
        field,
        paper,
        gutter,
    }
}

/// The line of code that the verdict is about, to be changed in an article.
pub(crate) struct Line {
    pub(crate) field: El,
    /// Its number, from 1; 0 before it is chosen.
    number: Rc<Cell<usize>>,
}

impl Line {
    pub(crate) fn new(change: &Change) -> Self {
        let number: Rc<Cell<usize>> = Rc::default();
        let field = el("input").class("field").testid("line");
        let field = field
            .set("spellcheck", "false")
            .set("autocapitalize", "off");
        let (typed, at, change) = (field.clone(), Rc::clone(&number), Rc::clone(change));
        let field = field.on("input", move |_| {
            let text = typed.value();
            change(&|state| {
                if let Source::Expression { accesses, .. } = &mut state.source {
                    let [before, _, after] = around_line(accesses, at.get());
                    *accesses = [before, &text, after].concat();
                }
            });
        });
        Self { field, number }
    }

    /// Shows the line of that number, or whichever was chosen before.
    pub(crate) fn show(&self, state: &State, number: u32, words: Words) {
        if self.number.get() == 0 {
            self.number.set(number as usize);
        }
        let [_, accesses] = texts(state);
        let [_, line, _] = around_line(accesses, self.number.get());
        self.field.put_value(line);
        self.field.put("aria-label", words.label(Label::Accesses));
        self.mark(false);
    }

    /// Says whether it cannot be read.
    pub(crate) fn mark(&self, is_wrong: bool) {
        self.field
            .put_option("aria-invalid", is_wrong.then_some("true"));
    }

    /// The source is another: so is the line.
    pub(crate) fn leave(&self) {
        self.number.set(0);
    }
}

/// What stands before a line, the line of that number, from 1, and what stands after it; of a line that is not there the
/// text ends before it.
fn around_line(text: &str, number: usize) -> [&str; 3] {
    let mut start = 0;
    for _ in 1..number {
        let rest = text.get(start..).unwrap_or_default();
        start += rest.find('\n').map_or(rest.len(), |end| end + 1);
    }
    let (before, rest) = text.split_at_checked(start).unwrap_or((text, ""));
    let end = rest.find('\n').unwrap_or(rest.len());
    let (line, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
    [before, line, after]
}

/// The source in an article.
pub(crate) struct Folded {
    pub(crate) all: El,
    pub(crate) text: El,
}

impl Folded {
    pub(crate) fn new() -> Self {
        Self {
            all: el("details").class("fold").testid("source"),
            text: el("pre").class("plain-source"),
        }
    }

    pub(crate) fn show(&self, state: &State) {
        let [declarations, accesses] = texts(state);
        self.text.put_text(&[declarations, "\n", accesses].concat());
    }
}
