//! Everything the page shows, as one value that follows from the state.

use std::sync::Arc;

use lanescope_draw::Drawing;
use lanescope_model::Space;
use lanescope_share::{Selection, State};

use crate::answer::{Answer, Inside, Question, Verdict, View, answer, insides, verdict};
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
}

/// A page is what it was made as; equal means the same allocations.
impl PartialEq for Page {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.answer, &other.answer)
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
        let same = before.filter(|before| before.question == question);
        let whole = counted.filter(|(asked, _)| *asked == question);
        let answer = match (whole, same) {
            (Some((_, whole)), _) => Arc::clone(whole),
            (None, Some(same)) => Arc::clone(&same.answer),
            (None, None) => Arc::new(answer(&question)),
        };
        let same = same.filter(|same| Arc::ptr_eq(&same.answer, &answer));
        let verdict = same.map_or_else(
            || Arc::new(verdict(answer.counted())),
            |same| Arc::clone(&same.verdict),
        );
        let same = same.filter(|same| same.state.selection == state.selection);
        let insides = match same {
            Some(same) => Arc::clone(&same.insides),
            None => Arc::new(insides(&answer, &state.selection)),
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
        }
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

fn draw(insides: &[Inside], space: Space, view: View, language: Words) -> Option<Arc<Drawing>> {
    let inside = insides.iter().find(|inside| inside.space == space)?;
    let picture = inside.picture.as_ref().ok()?;
    Some(Arc::new(
        picture.draw(view, &|phrase| language.phrase(phrase)),
    ))
}
