//! The source: as a field in the page, as a text to unfold in an article.

use std::cell::Cell;
use std::rc::Rc;

use lanescope_model::Operation;
use lanescope_share::{self as share, Source, State, joined, parted_as_before};
use lanescope_ui::element::{El, el};
use lanescope_ui::variables::Change;

use crate::words::{Label, Words};

fn texts(state: &State) -> [&str; 2] {
    match &state.source {
        Source::Expression {
            accesses,
            declarations,
        } => [declarations, accesses],
        _ => ["", ""],
    }
}

/// The text of an expression, a transparent field over text of the same size with line numbers, and what an access
/// without assignment does.
pub(crate) struct Editor {
    pub(crate) all: El,
    pub(crate) labels: [(El, Label); 2],
    field: El,
    paper: El,
    gutter: El,
    operations: [(El, share::Operation, Operation); 2],
}

impl Editor {
    pub(crate) fn new(change: &Change) -> Self {
        let field = el("textarea")
            .testid("expression")
            .set("id", "expression")
            .set("spellcheck", "false");
        let field = field
            .set("wrap", "off")
            .set("autocapitalize", "off")
            .set("autocomplete", "off");
        let (typed, edit) = (field.clone(), Rc::clone(change));
        let field = field.on("input", move |_| {
            let text = typed.value();
            edit(&|state| put(state, &text));
        });
        let (paper, gutter) = (
            el("pre").set("aria-hidden", "true"),
            el("div").class("gutter"),
        );
        let inner = el("div").class("paper").with(&paper).with(&field);
        let box_ = el("div").class("editor").with(&gutter);
        let name = el("label").set("for", "expression");
        let all = el("div");
        all.add(
            &el("div")
                .class("source-text")
                .with(&name)
                .with(&box_.with(&el("div").class("scroll").with(&inner))),
        );
        let hint = el("span").class("hint");
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
            labels: [
                (name, |words| words.expression_source),
                (hint, |words| words.bare),
            ],
            field,
            paper,
            gutter,
            operations,
        }
    }

    pub(crate) fn show(&self, state: &State, words: Words) {
        let [declarations, accesses] = texts(state);
        let text = joined(declarations, accesses);
        self.field.put_value(&text);
        self.paper.put_text(&(text.clone() + "\n"));
        let lines = text.matches('\n').count() + 1;
        let unnumbered = lines - accesses.matches('\n').count() - 1;
        let number = |line: usize| line.checked_sub(unnumbered).filter(|line| *line > 0);
        let numbers = (1..=lines).map(|line| {
            let number = number(line).map(|line| line.to_string());
            el("div").text(&number.unwrap_or_default())
        });
        self.gutter.put_all(&numbers.collect::<Vec<_>>());
        for (button, operation, said) in &self.operations {
            let is_pressed = state.operation == *operation;
            button.put("aria-pressed", if is_pressed { "true" } else { "false" });
            button.put_text(words.operation(*said));
        }
    }
}

/// Makes `text` the expression; the whole page finds where the declarations of a new text end.
fn put(state: &mut State, text: &str) {
    if let Source::Expression {
        accesses,
        declarations,
    } = &mut state.source
    {
        [*declarations, *accesses] = parted_as_before(text, declarations, accesses);
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
        self.field.put("aria-label", words.labels().accesses);
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
