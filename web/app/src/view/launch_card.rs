//! The launch bar on top of the source: its shape and the device.

use super::reasons::guesses;
use super::{compiler_choice, device_picker, shape_field};
use crate::element::{El, by_id, el};
use crate::session::Session;
use crate::words::Message;

/// Block, grid, device.
pub(crate) fn build(session: Session) -> El {
    let block = shape_field::build(
        session,
        "block",
        Message::Block,
        |launch| &mut launch.block,
        |page| page.answer.program.block(),
    );
    let grid = shape_field::build(
        session,
        "grid",
        Message::Grid,
        |launch| &mut launch.grid,
        |_| None,
    );
    let shapes = el("div").class("row").with_all(&[block, grid]);
    let bar = el("div").class("launch").set("role", "group");
    let bar = session.name(bar, "aria-label", Message::Launch);
    mark_guesses(session);
    bar.with(&shapes)
        .with(&device_picker::build(session))
        .with(&compiler_choice::build(session))
}

/// Marks the fields whose values are guessed, with the reason.
fn mark_guesses(session: Session) {
    let mut marked: Vec<(String, String)> = Vec::new();
    session.follow_late(move |page, _| {
        let next = guesses(page);
        if next == marked {
            return;
        }
        for (field, _) in &marked {
            by_id(field).put_option("data-guess", None);
        }
        for (field, why) in &next {
            by_id(field).put("data-guess", why);
            by_id(field).put("title", why);
        }
        marked = next;
    });
}
