//! The source: as fields in the page, as a text to unfold in an article.

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
