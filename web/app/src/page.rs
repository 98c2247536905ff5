//! Everything the page shows, as one value that follows from the state.

use std::sync::Arc;

use lanescope_draw::Drawing;
use lanescope_model::Space;
use lanescope_share::{Selection, State};

use crate::answer::{Answer, Inside, Place, Question, Verdict, View, verdict};
use crate::look;
use crate::words::Words;

/// What there is to show. Parts that did not change are the same allocation as before.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) state: State,
    pub(crate) language: Words,
    pub(crate) answer: Arc<Answer>,
    pub(crate) verdict: Arc<Verdict>,
    pub(crate) insides: Arc<Vec<Inside>>,
    /// `[shared memory, global memory]`, where the request on screen has one.
    pub(crate) drawings: [Option<Arc<Drawing>>; 2],
    view: View,
    question: Question,
    /// Whether a worker still runs what is asked: what is shown is of the question before, or nothing.
    is_awaited: bool,
    /// The requests that a worker is still to look at.
    awaited_place: Option<Place>,
}

/// A page is what it was made as; equal means the same allocations.
impl PartialEq for Page {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.answer, &other.answer)
            && Arc::ptr_eq(&self.insides, &other.insides)
            && self.state == other.state
            && self.language == other.language
            && self.view == other.view
    }
}

impl Page {
    /// The page of `state`; what of `before` still holds is kept.
    pub(crate) fn of(
        state: &State,
        view: View,
        counted: Option<&(Question, Arc<Answer>)>,
        before: Option<&Self>,
    ) -> Self {
        let question = Question::of(state);
        let language = Words::chosen(state.language);
        let same = before.filter(|before| before.question == question && !before.is_blank());
        let whole = counted.filter(|(asked, _)| *asked == question);
        let answer = match (whole, same) {
            (Some((_, whole)), _) => Arc::clone(whole),
            (None, Some(same)) => Arc::clone(&same.answer),
            (None, None) => match look::answer(&question) {
                Some(answer) => Arc::new(answer),
                None => return Self::awaited(state, view, question, before),
            },
        };
        let same = same.filter(|same| Arc::ptr_eq(&same.answer, &answer));
        let verdict = same.map_or_else(
            || Arc::new(verdict(answer.counted())),
            |same| Arc::clone(&same.verdict),
        );
        let before_look = same;
        let same = same
            .filter(|same| same.state.selection == state.selection && same.awaited_place.is_none());
        let (insides, awaited_place) = match same {
            Some(same) => (Arc::clone(&same.insides), None),
            None => {
                let place = Place::of(&answer, &state.selection);
                match look::look(&question, &answer, &place) {
                    Some(insides) => (Arc::new(insides), None),
                    // What is shown stays until the worker has looked.
                    None => (kept_insides(before_look), Some(place)),
                }
            }
        };
        let drawings = match same.filter(|same| same.language == language && same.view == view) {
            Some(same) => same.drawings.clone(),
            None => {
                [Space::Shared, Space::Global].map(|space| draw(&insides, space, view, language))
            }
        };
        Self {
            state: state.clone(),
            language,
            answer,
            verdict,
            insides,
            drawings,
            view,
            question,
            is_awaited: false,
            awaited_place,
        }
    }

    /// The page while a worker runs what `state` asks: it shows what it did `before` of the same text.
    fn awaited(state: &State, view: View, question: Question, before: Option<&Self>) -> Self {
        let language = Words::chosen(state.language);
        if let Some(before) = before.filter(|before| before.question.has_text_of(&question)) {
            return Self {
                state: state.clone(),
                is_awaited: true,
                ..before.clone()
            };
        }
        let answer = Arc::new(question.blank());
        Self {
            state: state.clone(),
            language,
            verdict: Arc::new(verdict(answer.counted())),
            answer,
            insides: Arc::default(),
            drawings: [None, None],
            view,
            question,
            is_awaited: true,
            awaited_place: None,
        }
    }

    /// Whether a worker still runs what the state asks.
    pub(crate) const fn is_awaited(&self) -> bool {
        self.is_awaited
    }

    /// The requests that a worker is still to look at, if any.
    pub(crate) const fn awaited_place(&self) -> Option<&Place> {
        self.awaited_place.as_ref()
    }

    /// Whether nothing is shown yet of what is asked.
    fn is_blank(&self) -> bool {
        self.is_awaited && self.insides.is_empty() && self.answer.program.sites().is_empty()
    }

    /// The request to this memory that is on screen.
    pub(crate) fn inside(&self, space: Space) -> Option<&Inside> {
        self.insides.iter().find(|inside| inside.space == space)
    }

    /// How requests to shared memory are drawn.
    pub(crate) const fn view(&self) -> View {
        self.view
    }

    /// What is asked.
    pub(crate) const fn question(&self) -> &Question {
        &self.question
    }

    /// What is looked into.
    pub(crate) fn selection(&self) -> &Selection {
        &self.state.selection
    }
}

fn kept_insides(before: Option<&Page>) -> Arc<Vec<Inside>> {
    before.map_or_else(Arc::default, |before| Arc::clone(&before.insides))
}

fn draw(insides: &[Inside], space: Space, view: View, language: Words) -> Option<Arc<Drawing>> {
    let inside = insides.iter().find(|inside| inside.space == space)?;
    let picture = inside.picture.as_ref().ok()?;
    Some(Arc::new(
        picture.draw(view, &|phrase| language.phrase(phrase)),
    ))
}
