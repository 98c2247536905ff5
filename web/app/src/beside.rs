//! A and B: a state that is kept beside the one on screen, in its link too.

use std::sync::Arc;

use lanescope_share::{Embed, Selection, State, decode, encode};
use leptos::prelude::*;

use crate::answer::{Answer, Question, View};
use crate::page::Page;
use crate::reader;
use crate::session::Session;
use crate::work::{At, Client, Heard, Response, Task};

/// The page of A, where there is one.
pub(crate) type Beside = Memo<Option<Arc<Page>>>;

/// A: its state, and how requests to shared memory are drawn.
type Kept = Option<(State, View)>;

/// What a worker has read and run of A.
type Run = RwSignal<Option<(Question, Arc<Answer>)>>;

/// Follows what stands beside the page: it is run when A, the language or the view changes, not when B does. A kernel is read
/// and run by a worker of its own, and stands there once that has answered.
pub(crate) fn follow(session: Session) -> Beside {
    let pages = session.pages();
    let kept = Memo::new(move |_| pages.with(|page| kept(page)));
    let run: Run = RwSignal::new(None);
    let client = StoredValue::new_local(None::<Client>);
    Effect::new(move || {
        let question = kept.with(|kept| kept.as_ref().map(|(state, _)| Question::of(state)));
        let Some(question) = question.filter(Question::is_read_by_worker) else {
            return;
        };
        let is_new = run.with_untracked(|run| run.as_ref().is_none_or(|(of, _)| *of != question));
        if is_new {
            ask(client, run, question);
        }
    });
    Memo::new(move |_| {
        kept.with(|kept| {
            let (state, view) = kept.as_ref()?;
            let question = Question::of(state);
            if !question.is_read_by_worker() {
                return Some(Arc::new(Page::of(state, *view, None, None)));
            }
            run.with(|run| {
                let (of, answer) = run.as_ref()?;
                let page = || Page::of_whole(state, *view, question.clone(), answer);
                (*of == question).then(|| Arc::new(page()))
            })
        })
    })
}

fn kept(page: &Page) -> Kept {
    let link = page.state.beside.as_ref()?;
    let state = State {
        language: page.state.language,
        ..decode(link).ok()?.state
    };
    // A listing beside its source is a column of the list.
    can_keep(&state).then(|| (state, page.view()))
}

/// Has a worker read and run A; what was asked before is dropped.
fn ask(client: StoredValue<Option<Client>, LocalStorage>, run: Run, question: Question) {
    let asked = question.clone();
    let fresh = Client::of_worker("beside", Task::First, move |heard| {
        let answer = match heard {
            Heard::Response(Response::First {
                read: Some(read),
                run,
                ..
            }) => Answer::unrun(&asked.state, read).with_first(run),
            Heard::Response(_) => return,
            // No worker can be had: better late than never.
            Heard::Failed(_) => crate::answer::answer(&asked),
        };
        run.set(Some((asked.clone(), Arc::new(answer))));
    });
    fresh.ask_for(Task::First, &question, &At::Selection(Selection::default()));
    client.set_value(Some(fresh));
}

/// Whether a state can stand beside another: one that a worker reads cannot.
pub(crate) fn can_keep(state: &State) -> bool {
    reader::text(&state.source).is_none()
}

/// Keeps the state on screen as A.
pub(crate) fn keep(session: Session) {
    let link = own_link(&session.page().state);
    session.edit(|state| state.beside = Some(link));
}

/// Lets A go.
pub(crate) fn drop(session: Session) {
    session.edit(|state| state.beside = None);
}

/// Makes A what is on screen, and that A.
pub(crate) fn swap(session: Session) {
    let now = session.page().state.clone();
    let other = now.beside.as_deref().and_then(|link| decode(link).ok());
    if let Some(other) = other {
        session.visit(State {
            beside: Some(own_link(&now)),
            ..other.state
        });
    }
}

/// What of a state is A's: neither the reader's choices nor what stood beside it.
pub(crate) fn own_link(state: &State) -> String {
    encode(&State {
        beside: None,
        language: None,
        theme: None,
        embed: Embed::default(),
        ..state.clone()
    })
}
