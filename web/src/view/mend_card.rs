//! The mends, each proved on the changed source.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use lanescope_advisor::{Advice, Note, Progress, Suggestion};
use lanescope_draw::Tone;
use lanescope_share::State;
use leptos::prelude::set_timeout;

use crate::answer::{Mends, with_mend};
use crate::element::{El, el, number_around};
use crate::rest::Rest;
use crate::session::Session;
use crate::words::{Language, Message};

/// The card's elements, and what it shows.
struct Card {
    card: El,
    about: El,
    list: El,
    notes: El,
    undo: El,
    bar: El,
    found: Option<Advice>,
    before: Option<State>,
    /// How far the search has come; `None`: it is done.
    progress: Option<Progress>,
    /// Counts the questions, so that the search for an older one ends itself.
    generation: usize,
}

/// The card with the mends.
pub(crate) fn build(session: Session) -> El {
    let card = Rc::new(RefCell::new(Card::new(session)));
    let (applied, undone) = (Rc::clone(&card), Rc::clone(&card));
    let list = card.borrow().list.clone();
    let _ = list.on("click", move |event| {
        if let Some(index) = number_around(&event, "data-apply") {
            apply(session, &applied, index);
        }
    });
    let undo = card.borrow().undo.clone();
    let _ = undo.on("click", move |_| {
        let before = undone.borrow_mut().before.take();
        if let Some(before) = before {
            session.visit(before);
        }
    });
    let whole = card.borrow().card.clone();
    let rest = Rest::default();
    session.follow(move |page, before| {
        if before.is_none_or(|before| before.question() != page.question()) {
            search_at_rest(session, &card, &rest);
        } else if before.is_some_and(|before| before.language != page.language) {
            card.borrow().show(page.language);
        }
    });
    whole
}

fn apply(session: Session, card: &RefCell<Card>, index: usize) {
    let now = session.page().state.clone();
    let next = card
        .borrow()
        .suggestion(index)
        .map(|suggestion| with_mend(&now, suggestion));
    if let Some(next) = next {
        card.borrow_mut().before = Some(now);
        session.visit(next);
    }
}

/// Searches when the question has not changed for a moment.
fn search_at_rest(session: Session, card: &Rc<RefCell<Card>>, rest: &Rest) {
    let searched = Rc::clone(card);
    let generation = {
        let mut card = card.borrow_mut();
        card.generation += 1;
        card.generation
    };
    rest.then(move || {
        let mends = Mends::begin(session.page().question());
        if let Some(mends) = mends {
            return next_run(session, searched, mends, generation);
        }
        let mut card = searched.borrow_mut();
        card.found = None;
        card.show(session.page().language);
    });
}

/// Proves one change after another, the page answering in between, until the question changes.
fn next_run(session: Session, card: Rc<RefCell<Card>>, mut mends: Mends, generation: usize) {
    if card.borrow().generation != generation {
        return;
    }
    let (advice, progress) = mends.step();
    {
        let mut card = card.borrow_mut();
        card.progress = progress;
        let is_news = progress.is_none()
            || card
                .found
                .as_ref()
                .is_none_or(|found| found.suggestions != advice.suggestions);
        // An unfinished search without mends leaves what is shown.
        if progress.is_none() || !advice.suggestions.is_empty() {
            card.found = Some(advice);
        }
        if is_news {
            card.show(session.page().language);
        } else {
            card.show_progress();
        }
    }
    if progress.is_some() {
        set_timeout(
            move || next_run(session, card, mends, generation),
            Duration::ZERO,
        );
    }
}

impl Card {
    fn new(session: Session) -> Self {
        let about = el("span").class("about");
        let (list, notes) = (el("div").class("mend-list"), el("div").class("mend-notes"));
        let undo = el("button")
            .set("type", "button")
            .class("button small")
            .testid("undo");
        let undo = session.say(undo.set("hidden", ""), Message::Undo);
        let head = el("div").class("head").with_all(&[
            session.say(el("h2"), Message::Mend),
            about.clone(),
            el("div").class("tools").with(&undo),
        ]);
        let card = el("section")
            .class("card mends")
            .testid("mends")
            .set("hidden", "");
        let bar = session.name(
            el("progress").set("hidden", "").testid("mend-progress"),
            "aria-label",
            Message::Mend,
        );
        let card = card.with_all(&[head, bar.clone(), list.clone(), notes.clone()]);
        Self {
            card,
            about,
            list,
            notes,
            undo,
            bar,
            found: None,
            before: None,
            progress: None,
            generation: 0,
        }
    }

    fn suggestion(&self, index: usize) -> Option<&Suggestion> {
        self.found.as_ref()?.suggestions.get(index)
    }

    fn show_progress(&self) {
        self.bar.show(self.progress.is_some());
        if let Some(progress) = self.progress {
            self.bar.put("max", &progress.planned.to_string());
            self.bar.put("value", &progress.done.to_string());
        }
    }

    fn show(&self, language: Language) {
        self.show_progress();
        let worth = self.found.as_ref().filter(|advice| is_worth_saying(advice));
        self.undo.show(self.before.is_some());
        self.card.show(worth.is_some() || self.before.is_some());
        let (about, cards, notes) = match worth {
            Some(advice) => (
                about(advice, language),
                cards(advice, language),
                // What is said of the whole holds when all is searched.
                match self.progress {
                    None => notes(advice, language),
                    Some(_) => Vec::new(),
                },
            ),
            None => Default::default(),
        };
        self.about.put_text(&about);
        self.list.put_all(&cards);
        self.notes.put_all(&notes);
    }
}

fn is_worth_saying(advice: &Advice) -> bool {
    let silent =
        |note: &Note| matches!(note, Note::NothingToMend | Note::Errors | Note::Unknown(_));
    !advice.suggestions.is_empty() || advice.notes.iter().any(|note| !silent(note))
}

fn about(advice: &Advice, language: Language) -> String {
    let names: Vec<_> = advice
        .arrays
        .iter()
        .map(|array| array.name.as_str())
        .collect();
    language.say(&Message::MendAbout {
        arrays: &names.join(", "),
        blocks: advice.blocks,
    })
}

fn cards(advice: &Advice, language: Language) -> Vec<El> {
    let all = advice.suggestions.iter().enumerate();
    all.map(|(index, suggestion)| card(index, suggestion, language))
        .collect()
}

fn card(index: usize, suggestion: &Suggestion, language: Language) -> El {
    let class = if index == 0 {
        "button primary small"
    } else {
        "button small"
    };
    let apply = el("button")
        .set("type", "button")
        .class(class)
        .testid("apply-mend");
    let apply = apply.set("data-apply", &index.to_string());
    el("article").class("mend").testid("mend").with_all(&[
        el("h3").text(&language.say(&Message::MendKind(&suggestion.kind))),
        el("code").text(&suggestion.snippet),
        loads(suggestion, language),
        el("p")
            .class("effect")
            .text(&language.say(&Message::MendEffect(suggestion))),
        el("p").text(&language.say(&Message::MendPrice(suggestion))),
        el("p")
            .class("hint")
            .text(&language.say(&Message::MendProof(suggestion.proof))),
        apply.text(&language.say(&Message::ApplyMend)),
    ])
}

/// A strip of banks before and one after, as high in colour as each bank's wavefronts.
fn loads(suggestion: &Suggestion, language: Language) -> El {
    let [before, after] = &suggestion.banks;
    let both = el("div").class("loads").set("aria-hidden", "true");
    if before.is_empty() || after.is_empty() || before == after {
        return both;
    }
    both.with_all(&[
        el("span").text(&language.say(&Message::Before)),
        strip(before),
        el("span").text(&language.say(&Message::After)),
        strip(after),
    ])
}

fn strip(load: &[u32]) -> El {
    let cell = |wavefronts: &u32| {
        el("i").class(match *wavefronts {
            0 => "w0",
            ways => Tone::of_ways(ways).class(),
        })
    };
    el("div")
        .class("strip")
        .with_all(&load.iter().map(cell).collect::<Vec<_>>())
}

fn notes(advice: &Advice, language: Language) -> Vec<El> {
    let note = |note: &Note| el("p").text(&language.say(&Message::MendNote(note)));
    advice.notes.iter().map(note).collect()
}
