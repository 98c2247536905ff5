//! Everything the page shows, as one value that follows from the state.

use std::sync::Arc;

use lanescope_draw::{Drawing, Say};
use lanescope_frontend::Severity;
use lanescope_locale::{Language, page};
use lanescope_model::Space;
use lanescope_share::{Selection, Source, State};
use lanescope_ui::language::chosen_language;

use crate::answer::{
    Answer, Folded, Inside, Picture, Place, Question, Ranked, Verdict, View, at_edit, at_text,
    insides, ranked, seen, verdict,
};
use crate::background;
use crate::compiled::{CompiledAnswer, CountedCode};

/// What there is to show. Parts that did not change are the same allocation as before.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) state: State,
    pub(crate) language: Language,
    pub(crate) answer: Arc<Answer>,
    pub(crate) verdict: Arc<Verdict>,
    /// What wastes something, the costliest first.
    pub(crate) ranked: Arc<Vec<Ranked>>,
    pub(crate) insides: Arc<Vec<Inside>>,
    /// `[shared memory, global memory]`, where the request on screen has one.
    pub(crate) drawings: [Option<Arc<Drawing>>; 2],
    /// What the compiler of this machine made of the source on screen, counted.
    pub(crate) code: Option<Arc<CountedCode>>,
    view: View,
    question: Question,
    /// The answer as it came: [`Page::answer`] is the same at the places of the text on screen.
    came: Arc<Answer>,
    /// What a worker still runs: what is shown is of the question before, or nothing.
    awaited: Option<Question>,
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
            && self.awaited == other.awaited
            && self.code.as_ref().map(Arc::as_ptr) == other.code.as_ref().map(Arc::as_ptr)
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
        let settled = before.and_then(|before| before.settled(&question));
        let question = settled.unwrap_or(question);
        let language = chosen_language(state.language);
        let same = before.filter(|before| before.question == question && !before.is_blank());
        let whole = counted.filter(|(asked, _)| *asked == question);
        let came = match (whole, same) {
            (Some((_, whole)), _) => Arc::clone(whole),
            (None, Some(same)) => Arc::clone(&same.came),
            (None, None) => match background::answer(&question) {
                Some(answer) => Arc::new(answer),
                None => return Self::awaited(state, view, question, before),
            },
        };
        let same = same.filter(|same| Arc::ptr_eq(&same.came, &came));
        let Some(answer) = placed(&came, state, same) else {
            return Self::awaited(state, view, Question::of(state), before);
        };
        let verdict = same.map_or_else(
            || Arc::new(verdict(answer.counted())),
            |same| Arc::clone(&same.verdict),
        );
        let ranked = same.map_or_else(
            || Arc::new(ranked(&answer)),
            |same| Arc::clone(&same.ranked),
        );
        let before_look = same;
        let same = same
            .filter(|same| same.state.selection == state.selection && same.awaited_place.is_none());
        let (insides, awaited_place) = match same {
            Some(same) => (Arc::clone(&same.insides), None),
            None => {
                let place = Place::of(&answer, &state.selection);
                match background::look(&question, &answer, &place) {
                    Some(insides) => (Arc::new(insides), None),
                    // What is shown stays until the worker has looked.
                    None => (kept_insides(before_look), Some(place)),
                }
            }
        };
        let drawings = match same.filter(|same| same.language == language && same.view == view) {
            Some(same) => same.drawings.clone(),
            None => drawn(state, &insides, view, language),
        };
        Self {
            state: state.clone(),
            language,
            answer,
            verdict,
            ranked,
            insides,
            drawings,
            code: None,
            view,
            question,
            came,
            awaited: None,
            awaited_place,
        }
    }

    /// The page of `state`, whose question has a whole `answer`.
    pub(crate) fn of_whole(
        state: &State,
        view: View,
        question: Question,
        answer: &Arc<Answer>,
    ) -> Self {
        let language = chosen_language(state.language);
        let place = Place::of(answer, &state.selection);
        let insides = insides(answer, &place, &seen(answer, &place));
        Self {
            state: state.clone(),
            language,
            answer: Arc::clone(answer),
            verdict: Arc::new(verdict(answer.counted())),
            ranked: Arc::new(ranked(answer)),
            drawings: drawn(state, &insides, view, language),
            insides: Arc::new(insides),
            code: None,
            view,
            question,
            came: Arc::clone(answer),
            awaited: None,
            awaited_place: None,
        }
    }

    /// The same beside what was counted in `code`, where that is of what the page shows.
    pub(crate) fn beside_code(self, code: Option<&CompiledAnswer>, before: Option<&Self>) -> Self {
        let code = code.filter(|code| !self.is_awaited() && code.is_of(&self.state));
        let same = before.and_then(|before| before.code.as_ref());
        let code = code.map(|code| {
            let same = same.filter(|same| same.is_of(code, self.language, self.view));
            same.map_or_else(
                || Arc::new(CountedCode::of(code, self.language, self.view)),
                Arc::clone,
            )
        });
        Self { code, ..self }
    }

    /// What the answer is read off: the compiled code where it was counted, else the source.
    pub(crate) fn counted_page(&self) -> &Self {
        self.code.as_ref().map_or(self, |code| &code.page)
    }

    /// The question that `asked` asks again but for blanks and comments, of those that are answered or awaited.
    fn settled(&self, asked: &Question) -> Option<Question> {
        let known = self.awaited.iter().chain([&self.question]);
        let mut known = known.filter(|known| *known != asked);
        known.find(|known| asked.has_tokens_of(known)).cloned()
    }

    /// The page while a worker runs what `state` asks: it shows what it did `before` of the same text.
    fn awaited(state: &State, view: View, question: Question, before: Option<&Self>) -> Self {
        let language = chosen_language(state.language);
        let may_stand = |before: &&Self| question.has_signatures_of(&before.question);
        if let Some(before) = before.filter(may_stand) {
            let moved = match &state.source {
                Source::Kernel(text) if *text != before.answer.source => {
                    Some(Arc::new(at_edit(&before.answer, text)))
                }
                Source::Kernel(_)
                | Source::Expression { .. }
                | Source::Layout { .. }
                | Source::Trace(_) => None,
            };
            return Self {
                state: state.clone(),
                language,
                answer: moved.unwrap_or_else(|| Arc::clone(&before.answer)),
                awaited: Some(question),
                ..before.clone()
            };
        }
        let answer = Arc::new(question.blank());
        Self {
            state: state.clone(),
            language,
            verdict: Arc::new(verdict(answer.counted())),
            ranked: Arc::default(),
            came: Arc::clone(&answer),
            answer,
            insides: Arc::default(),
            drawings: [None, None],
            code: None,
            view,
            awaited: Some(question.clone()),
            question,
            awaited_place: None,
        }
    }

    /// Whether the source is a kernel.
    pub(crate) const fn is_kernel(&self) -> bool {
        matches!(self.state.source, Source::Kernel(_))
    }

    /// Whether a worker still runs what the state asks.
    pub(crate) const fn is_awaited(&self) -> bool {
        self.awaited.is_some()
    }

    /// Whether `other` shows the same answer, whatever its text's blanks and comments.
    pub(crate) fn has_answer_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.came, &other.came)
    }

    /// The requests that a worker is still to look at, if any.
    pub(crate) const fn awaited_place(&self) -> Option<&Place> {
        self.awaited_place.as_ref()
    }

    /// Whether nothing is shown yet of what is asked.
    pub(crate) fn is_blank(&self) -> bool {
        self.is_awaited() && self.insides.is_empty() && self.answer.program.sites().is_empty()
    }

    /// The request to this memory that is on screen.
    pub(crate) fn inside(&self, space: Space) -> Option<&Inside> {
        self.insides.iter().find(|inside| inside.space == space)
    }

    /// The phases of the request to shared memory that are drawn, where some are alike and not each is.
    pub(crate) fn folded(&self) -> Option<Folded> {
        let inside = self.inside(Space::Shared).filter(|_| self.is_kernel())?;
        folded(inside, self.view)
    }

    /// How requests to shared memory are drawn.
    pub(crate) const fn view(&self) -> View {
        self.view
    }

    /// What is asked of the text on screen; what is shown may still be of another.
    pub(crate) fn latest_question(&self) -> &Question {
        self.awaited.as_ref().unwrap_or(&self.question)
    }

    /// What is answered, or of nothing on screen what is asked.
    pub(crate) const fn question(&self) -> &Question {
        &self.question
    }

    /// What is looked into.
    pub(crate) fn selection(&self) -> &Selection {
        &self.state.selection
    }
}

/// `came` at the places of the state's text; `None` where its text must be read for that.
fn placed(came: &Arc<Answer>, state: &State, same: Option<&Page>) -> Option<Arc<Answer>> {
    let text = match &state.source {
        Source::Kernel(text) if *text != came.source => text,
        Source::Kernel(_)
        | Source::Expression { .. }
        | Source::Layout { .. }
        | Source::Trace(_) => {
            return Some(Arc::clone(came));
        }
    };
    if let Some(same) = same.filter(|same| same.answer.source == *text && !same.is_awaited()) {
        return Some(Arc::clone(&same.answer));
    }
    // What is said of a mistake may depend on where lines end.
    if came
        .text_diagnostics()
        .iter()
        .any(|one| one.severity() == Severity::Error)
    {
        return None;
    }
    at_text(came, text).map(Arc::new)
}

fn kept_insides(before: Option<&Page>) -> Arc<Vec<Inside>> {
    before.map_or_else(Arc::default, |before| Arc::clone(&before.insides))
}

/// The pictures of shared and of global memory.
fn drawn(
    state: &State,
    insides: &[Inside],
    view: View,
    language: Language,
) -> [Option<Arc<Drawing>>; 2] {
    let is_kernel = matches!(state.source, Source::Kernel(_));
    let draw = |space: Space| {
        let inside = insides.iter().find(|inside| inside.space == space)?;
        let say: Say<'_> = &|phrase| phrase.text(language);
        let folded = folded(inside, view).filter(|_| is_kernel);
        let drawing = match folded {
            Some(folded) => folded.draw(say, &|others| alike(others, language)),
            None => inside.picture.as_ref().ok()?.draw(view, say),
        };
        Some(Arc::new(drawing))
    };
    [Space::Shared, Space::Global].map(draw)
}

/// The phases that are drawn of a kernel's request, where some are alike and not each is asked for.
fn folded(inside: &Inside, view: View) -> Option<Folded> {
    match (&inside.picture, view) {
        (Ok(Picture::Banks(report)), View::Stacks) => Folded::of(report),
        (Ok(Picture::Banks(_)), View::EachPhase | View::Addresses)
        | (Ok(Picture::Sectors(_)) | Err(_), _) => None,
    }
}

fn alike(others: &[usize], language: Language) -> String {
    let numbers: Vec<String> = others.iter().map(ToString::to_string).collect();
    let is_span = others.len() > 2 && others.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let numbers = match (is_span, &numbers[..]) {
        (true, [first, .., last]) => format!("{first}–{last}"),
        _ => numbers.join(", "),
    };
    page::phases_alike(language, &numbers, others.len() + 1)
}
