//! The fixes, each proved on the changed source.

use std::cell::RefCell;
use std::rc::Rc;

use lanescope_draw::Tone;
use lanescope_fixes::{Advice, Note, Suggestion};
use lanescope_share::State;

use crate::answer::{Question, has_fixes, with_fix};
use crate::element::{El, el, number_around};
use crate::rest::Rest;
use crate::session::Session;
use crate::words::{Language, Message};
use crate::work::{Client, Failure, Heard, Response, Task};

/// The card's elements, and what it shows.
struct Card {
    card: El,
    about: El,
    list: El,
    notes: El,
    undo: El,
    bar: El,
    /// What was found, and of which question.
    found: Option<(Question, Advice)>,
    before: Option<State>,
    /// The question whose fixes are searched.
    asked: Option<Question>,
    failure: Option<Failure>,
}

/// The card with the fixes.
pub(crate) fn build(session: Session) -> El {
    let card = Rc::new(RefCell::new(Card::new(session)));
    let (applied, undone, hearing) = (Rc::clone(&card), Rc::clone(&card), Rc::clone(&card));
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
    let client = Client::new(Task::Fix, move |heard| {
        hearing.borrow_mut().hear(heard, session.page().language);
    });
    let whole = card.borrow().card.clone();
    let rest = Rest::default();
    session.follow_late(move |page, before| {
        if before.is_none_or(|before| before.question() != page.question()) {
            card.borrow_mut().drop_search(&client);
            let (searched, client) = (Rc::clone(&card), client.clone());
            rest.then(move || search(session, &searched, &client));
        } else if before.is_some_and(|before| before.language != page.language) {
            card.borrow().show(page.language);
        }
    });
    whole
}

/// Makes the fix, unless the source is another by now.
fn apply(session: Session, card: &RefCell<Card>, index: usize) {
    let page = session.page();
    let next = card
        .borrow()
        .suggestion(index, page.question())
        .map(|suggestion| with_fix(&page.state, suggestion));
    if let Some(next) = next {
        card.borrow_mut().before = Some(page.state.clone());
        session.visit(next);
    }
}

/// Searches the fixes of what the page shows, where it may have some.
fn search(session: Session, card: &RefCell<Card>, client: &Client) {
    let page = session.page();
    let question = page.question();
    if has_fixes(question) {
        card.borrow_mut().asked = Some(question.clone());
        client.ask(question);
    } else {
        let mut card = card.borrow_mut();
        card.found = None;
        card.show(page.language);
    }
}

impl Card {
    fn new(session: Session) -> Self {
        let about = el("span").class("about");
        let (list, notes) = (el("div").class("fix-list"), el("div").class("fix-notes"));
        let undo = el("button")
            .set("type", "button")
            .class("button small")
            .testid("undo");
        let undo = session.say(undo.set("hidden", ""), Message::Undo);
        let head = el("div").class("head").with_all(&[
            session.say(el("h2"), Message::Fix),
            about.clone(),
            el("div").class("tools").with(&undo),
        ]);
        let card = el("section")
            .class("card fixes")
            .testid("fixes")
            .set("hidden", "");
        let bar = session.name(
            el("progress").set("hidden", "").testid("fix-progress"),
            "aria-label",
            Message::Fix,
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
            asked: None,
            failure: None,
        }
    }

    /// A fix of `question`, if that is what the list is about.
    fn suggestion(&self, index: usize, question: &Question) -> Option<&Suggestion> {
        let (of, advice) = self.found.as_ref()?;
        advice.suggestions.get(index).filter(|_| of == question)
    }

    fn drop_search(&mut self, client: &Client) {
        client.cancel();
        self.asked = None;
        self.failure = None;
        self.bar.show(false);
        // What is listed is of another source now.
        self.list.put_option("inert", Some(""));
    }

    fn hear(&mut self, heard: Heard, language: Language) {
        if let Heard::Response(Response::Progress { done, total }) = heard {
            self.bar.put("max", &total.to_string());
            self.bar.put("value", &done.to_string());
            return self.bar.show(true);
        }
        let asked = self.asked.take();
        (self.found, self.failure) = match heard {
            Heard::Response(Response::Fixed(advice)) => (asked.map(|asked| (asked, advice)), None),
            Heard::Response(_) => (None, Some(Failure::Broken)),
            Heard::Failed(failure) => (None, Some(failure)),
        };
        self.show(language);
    }

    fn show(&self, language: Language) {
        self.bar
            .show(self.asked.is_some() && self.failure.is_none());
        let found = self.found.as_ref().map(|(_, advice)| advice);
        let worth = found.filter(|advice| is_worth_saying(advice));
        let (about, cards, mut notes) = match worth {
            Some(advice) => (
                about(advice, language),
                cards(advice, language),
                notes(advice, language),
            ),
            None => Default::default(),
        };
        notes.extend(self.failure.map(|failure| fault(failure, language)));
        self.undo.show(self.before.is_some());
        self.card
            .show(worth.is_some() || self.before.is_some() || self.failure.is_some());
        self.about.put_text(&about);
        self.list.put_all(&cards);
        self.list.put_option("inert", None);
        self.notes.put_all(&notes);
    }
}

fn fault(failure: Failure, language: Language) -> El {
    let text = language.say(&Message::WorkFailed(failure));
    el("p").testid("fix-fault").set("role", "alert").text(&text)
}

fn is_worth_saying(advice: &Advice) -> bool {
    let silent = |note: &Note| matches!(note, Note::NothingToFix | Note::Errors | Note::Unknown(_));
    !advice.suggestions.is_empty() || advice.notes.iter().any(|note| !silent(note))
}

fn about(advice: &Advice, language: Language) -> String {
    let names: Vec<_> = advice
        .arrays
        .iter()
        .map(|array| array.name.as_str())
        .collect();
    language.say(&Message::FixAbout {
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
        .testid("apply-fix");
    let apply = apply.set("data-apply", &index.to_string());
    el("article").class("fix").testid("fix").with_all(&[
        el("h3").text(&language.say(&Message::FixKind(&suggestion.kind))),
        el("code").text(&suggestion.snippet),
        loads(suggestion, language),
        el("p")
            .class("effect")
            .text(&language.say(&Message::FixEffect(suggestion))),
        el("p").text(&language.say(&Message::FixPrice(suggestion))),
        el("p")
            .class("hint")
            .text(&language.say(&Message::FixProof(suggestion.proof))),
        apply.text(&language.say(&Message::ApplyFix)),
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
    let note = |note: &Note| el("p").text(&language.say(&Message::FixNote(note)));
    advice.notes.iter().map(note).collect()
}
