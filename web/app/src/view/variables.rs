//! A slider for each variable with several values.

use std::rc::Rc;

use lanescope_ui::variables::{Change, Variables};

use crate::element::{El, el};
use crate::session::Session;
use crate::words::Message;

/// The most variables that have a slider; the others keep what the link says.
const MOST: usize = 64;

/// The sliders, in an element of this class.
pub(crate) fn build(session: Session, class: &str) -> El {
    let change: Change = Rc::new(move |change| session.edit(|state| change(state)));
    let variables = Variables::new(class, &change);
    let all = variables.all.clone();
    let more = el("p").class("hint");
    session.follow(move |page, _| {
        let known = page.answer.program.variables();
        variables.show(&known[..known.len().min(MOST)], &page.state);
        if let Some(left @ 1..) = known.len().checked_sub(MOST) {
            more.put_text(&page.language.say(&Message::MoreInLink(left)));
            variables.all.add(&more);
        } else {
            more.remove();
        }
    });
    all
}
