//! A slider for each variable with several values.

use std::rc::Rc;

use lanescope_locale::page;
use lanescope_ui::variables::{Change, Variables};
use leptos::prelude::*;

use super::manual_dom::{holds, made};
use crate::session::Session;

/// The most variables that have a slider; the others keep what the link says.
const MOST: usize = 64;

/// The sliders, in an element of this class: those of the first paint, which are made by hand.
#[component]
pub(crate) fn VariableSliders(session: Session, class: &'static str) -> impl IntoView {
    let change: Change = Rc::new(move |change| session.edit(|state| change(state)));
    let variables = Variables::new(class, &change);
    let all = made(variables.all.clone());
    session.follow(move |page, _| {
        let known = page.answer.program.variables();
        variables.show(&known[..known.len().min(MOST)], &page.state);
    });
    let left = session.of_page(|page| {
        let left = page.answer.program.variables().len().checked_sub(MOST);
        left.filter(|left| *left > 0)
    });
    let more = move || {
        let left = left()?;
        let said = page::more_in_link(session.language(), left as u64);
        Some(view! { <p class="hint">{said}</p> })
    };
    view! {
        <div class="variable-room" use:holds=all></div>
        {more}
    }
}
