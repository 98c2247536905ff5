//! A and B: a state that is kept beside the one on screen, in its link too.

use std::sync::Arc;

use lanescope_share::{Embed, State, decode, encode};
use leptos::prelude::*;

use crate::page::Page;
use crate::reader;
use crate::session::Session;

/// The page of A, where there is one.
pub(crate) type Beside = Memo<Option<Arc<Page>>>;

/// Follows what stands beside the page: it is run when A, the language or the view changes, not when B does.
pub(crate) fn follow(session: Session) -> Beside {
    let pages = session.pages();
    let asked = Memo::new(move |_| {
        pages.with(|page| {
            let link = page.state.beside.clone()?;
            // A listing beside its source is a column of the list.
            let is_drawn = decode(&link).is_ok_and(|opened| can_keep(&opened.state));
            is_drawn.then(|| (link, page.state.language, page.view()))
        })
    });
    Memo::new(move |_| {
        asked.with(|asked| {
            let (link, language, view) = asked.as_ref()?;
            let state = State {
                language: *language,
                ..decode(link).ok()?.state
            };
            Some(Arc::new(Page::of(&state, *view, None, None)))
        })
    })
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
