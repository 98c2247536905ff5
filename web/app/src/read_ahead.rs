//! Has the worker read what the page shows, whenever that is its to read and new.

use crate::reader;
use crate::session::Session;

pub(crate) fn follow(session: Session) {
    session.follow(move |page, _| {
        let question = page.question();
        if let Some(text) = reader::text(&question.state.source) {
            reader::ask_once(text, question.kernel_options(), move || {
                session.look_again();
            });
        }
    });
}
