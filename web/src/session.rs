//! The state of the page and who may change it.

use std::sync::Arc;

use lanescope_model::LaneMask;
use lanescope_share::{LinkError, Notice, State};
use leptos::prelude::*;

use crate::address;
use crate::answer::{Answer, Inside, Question, Verdict, answer, insides, verdict};
use crate::examples;
use crate::repaint;
use crate::words::{Language, Words};

/// What the pointer, the focus or a click points at in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pointed {
    /// Lanes to light up wherever they stand.
    pub(crate) lanes: LaneMask,
    /// What is said of the place.
    pub(crate) label: String,
    /// Index of the picture it is in.
    pub(crate) picture: usize,
}

/// Why a link said less than it might.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Notice(Notice),
    Error(LinkError),
}

/// The page's state, and everything that follows from it. A handle: copies are the same session.
#[derive(Clone, Copy)]
pub(crate) struct Session {
    pub(crate) state: RwSignal<State>,
    pub(crate) said: RwSignal<Vec<Said>>,
    pub(crate) pointed: RwSignal<Option<Pointed>>,
    pub(crate) pinned: RwSignal<Option<Pointed>>,
    pub(crate) language: Memo<Language>,
    pub(crate) answer: Memo<Arc<Answer>>,
    pub(crate) verdict: Memo<Verdict>,
    pub(crate) insides: Memo<Vec<Inside>>,
}

impl Session {
    /// A session in the state that the address tells.
    pub(crate) fn start() -> Self {
        let (opened, said) = address::open();
        let state = RwSignal::new(opened);
        let question = Memo::new(move |_| state.with(Question::of));
        let answer = Memo::new_with_compare(move |_| Arc::new(question.with(answer)), |_, _| true);
        let selection = Memo::new(move |_| state.with(|state| state.selection.clone()));
        Self {
            state,
            said: RwSignal::new(said),
            pointed: RwSignal::new(None),
            pinned: RwSignal::new(None),
            language: Memo::new(move |_| Language::chosen(state.with(|state| state.language))),
            answer,
            verdict: Memo::new(move |_| answer.with(|answer| verdict(answer))),
            insides: Memo::new(move |_| {
                answer.with(|answer| selection.with(|selection| insides(answer, selection)))
            }),
        }
    }

    /// The words in the language of the page.
    pub(crate) fn words(self) -> Words {
        Words(self.language)
    }

    /// Changes the state as a keystroke does: the entry in the browser's history is replaced.
    pub(crate) fn edit(self, change: impl FnOnce(&mut State)) {
        repaint::begin();
        self.pinned.set(None);
        self.state.update(change);
    }

    /// Opens another state as a link does: a new entry in the browser's history.
    pub(crate) fn visit(self, mut next: State) {
        repaint::begin();
        self.pinned.set(None);
        self.said.set(Vec::new());
        self.state.update(|state| {
            next.language = state.language;
            next.theme = state.theme;
            next.embed = state.embed;
            *state = next;
            address::push(state);
        });
    }

    /// Takes what the address says, after somebody changed it.
    pub(crate) fn reopen(self) {
        let (opened, said) = address::open();
        self.said.set(said);
        if self.state.with_untracked(|state| *state != opened) {
            self.state.set(opened);
        }
    }

    /// What lights up: what is pointed at now, else what was clicked.
    pub(crate) fn lit(self) -> Option<Pointed> {
        self.pointed.get().or_else(|| self.pinned.get())
    }
}

/// The session of the page that the caller is part of.
pub(crate) fn session() -> Session {
    expect_context()
}

/// `state`, or the first example where it has no source.
pub(crate) fn or_first_example(state: State) -> State {
    if state.source == lanescope_share::Source::default()
        && state.launch == lanescope_share::Launch::default()
    {
        let first = examples::first();
        return State {
            source: first.source,
            launch: first.launch,
            ..state
        };
    }
    state
}
