//! The state of the page, who may change it, and who follows it.

use std::sync::Arc;

use lanescope_model::LaneMask;
use lanescope_share::{Launch, LinkError, Notice, Source, State};
use leptos::prelude::*;

use crate::answer::{Answer, Question};
use crate::element::El;
use crate::page::Page;
use crate::words::Message;
use crate::{address, examples, recent, repaint};

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

/// What is to be said of the link that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Notice(Notice),
    Error(LinkError),
}

/// An answer over every block, and the question it answers.
type Counted = (Question, Arc<Answer>);

type Follower = Box<dyn FnMut(&Page, Option<&Page>)>;

/// A text of the page that follows the language.
struct Label {
    element: El,
    /// The attribute it stands in; `None`: it is the element's text.
    attribute: Option<&'static str>,
    message: Message<'static>,
}

/// The page's state, and everything that follows from it. A handle: copies are the same session.
#[derive(Clone, Copy)]
pub(crate) struct Session {
    state: RwSignal<State>,
    page: Memo<Arc<Page>>,
    pub(crate) said: RwSignal<Vec<Said>>,
    pub(crate) pointed: RwSignal<Option<Pointed>>,
    pub(crate) pinned: RwSignal<Option<Pointed>>,
    counted: RwSignal<Option<Counted>>,
    recorded: RwSignal<Option<Arc<str>>>,
    /// What is read elsewhere has come.
    again: RwSignal<()>,
    followers: StoredValue<Vec<Follower>, LocalStorage>,
    labels: StoredValue<Vec<Label>, LocalStorage>,
}

impl Session {
    /// A session in the state that the address tells.
    pub(crate) fn start() -> Self {
        let (opened, said) = address::open();
        let state = RwSignal::new(opened);
        let counted: RwSignal<Option<Counted>> = RwSignal::new(None);
        let again = RwSignal::new(());
        let page = Memo::new(move |before: Option<&Arc<Page>>| {
            let before = before.map(Arc::as_ref);
            again.track();
            let counted = counted.get();
            Arc::new(state.with(|state| Page::of(state, counted.as_ref(), before)))
        });
        Self {
            state,
            page,
            said: RwSignal::new(said),
            pointed: RwSignal::new(None),
            pinned: RwSignal::new(None),
            counted,
            recorded: RwSignal::new(None),
            again,
            followers: StoredValue::new_local(Vec::new()),
            labels: StoredValue::new_local(Vec::new()),
        }
    }

    /// What the page shows now.
    pub(crate) fn page(self) -> Arc<Page> {
        self.page.get_untracked()
    }

    /// Has `follow` called with the page, now and after each change (then with the page before).
    pub(crate) fn follow(self, follow: impl FnMut(&Page, Option<&Page>) + 'static) {
        self.followers
            .update_value(|all| all.push(Box::new(follow)));
    }

    /// Begins to follow: to be called once, when all elements are made.
    pub(crate) fn run(self) {
        Effect::new(move |before: Option<Arc<Page>>| {
            self.recorded.track();
            let page = self.page.get();
            self.translate(&page, before.as_deref());
            self.followers.update_value(|all| {
                all.iter_mut()
                    .for_each(|follow| follow(&page, before.as_deref()));
            });
            repaint::end();
            page
        });
    }

    /// Keeps the text of `element` what `message` says in the language of the page.
    pub(crate) fn say(self, element: El, message: Message<'static>) -> El {
        let label = Label {
            element: element.clone(),
            attribute: None,
            message,
        };
        self.labels.update_value(|all| all.push(label));
        element
    }

    /// The same for an attribute.
    pub(crate) fn name(
        self,
        element: El,
        attribute: &'static str,
        message: Message<'static>,
    ) -> El {
        let label = Label {
            element: element.clone(),
            attribute: Some(attribute),
            message,
        };
        self.labels.update_value(|all| all.push(label));
        element
    }

    fn translate(self, page: &Page, before: Option<&Page>) {
        if before.is_some_and(|before| before.language == page.language) {
            return;
        }
        self.labels.with_value(|all| {
            for label in all {
                let text = page.language.say(&label.message);
                match label.attribute {
                    None => label.element.put_text(&text),
                    Some(attribute) => label.element.put(attribute, &text),
                }
            }
        });
    }

    /// Changes the state as a keystroke does: the entry in the browser's history is replaced.
    pub(crate) fn edit(self, change: impl FnOnce(&mut State)) {
        repaint::begin();
        let mut next = self.state.get_untracked();
        change(&mut next);
        self.become_state(next);
    }

    /// Opens another state as a link does: a new entry in the browser's history.
    pub(crate) fn visit(self, next: State) {
        repaint::begin();
        let now = self.state.get_untracked();
        let next = State {
            language: now.language,
            theme: now.theme,
            embed: now.embed,
            ..next
        };
        self.said.set(Vec::new());
        recent::remember(&now);
        address::flush();
        address::push(&next);
        self.become_state(next);
    }

    /// Takes what the address says, after somebody changed it.
    pub(crate) fn reopen(self) {
        let (opened, said) = address::open();
        self.said.set(said);
        self.become_state(opened);
    }

    /// Takes the answer over every block to `question`.
    pub(crate) fn take_whole(self, question: Question, answer: Answer) {
        self.counted.set(Some((question, Arc::new(answer))));
    }

    /// The trace that is too long for the state.
    pub(crate) fn recorded(self) -> Option<Arc<str>> {
        self.recorded.get_untracked()
    }

    /// Keeps a trace beside the state; the page shows it where the state's own is empty.
    pub(crate) fn record(self, text: Option<String>) {
        self.recorded.set(text.map(Into::into));
    }

    /// Looks again at the same state, when something read elsewhere has come.
    pub(crate) fn look_again(self) {
        self.again.set(());
    }

    fn become_state(self, next: State) {
        if self.pinned.with_untracked(Option::is_some) {
            self.pinned.set(None);
        }
        self.state.set(next);
    }

    /// What lights up: what is pointed at now, else what was clicked.
    pub(crate) fn lit(self) -> Option<Pointed> {
        self.pointed.get().or_else(|| self.pinned.get())
    }
}

/// `state`, or the first example where it has no source.
pub(crate) fn or_first_example(state: State) -> State {
    if state.source == Source::default() && state.launch == Launch::default() {
        let first = examples::first();
        return State {
            source: first.source,
            launch: first.launch,
            ..state
        };
    }
    state
}
