//! The launch shape and the device.

use super::{compiler_choice, device_picker, shape_field};
use crate::element::{El, el};
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
    let card = session.name(
        el("section").class("card launch"),
        "aria-label",
        Message::Launch,
    );
    card.with(&shapes)
        .with(&device_picker::build(session))
        .with(&compiler_choice::build(session))
}
