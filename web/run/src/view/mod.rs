//! The components of the card, one a file.

mod buffer_row;
mod elsewhere;
mod exports;
mod head;
mod result_table;
mod standing;
mod text_fold;

use leptos::prelude::*;

use crate::session::Session;
use buffer_row::BufferRows;
use elsewhere::Elsewhere;
use exports::Exports;
use head::Head;
use result_table::ResultTable;
use standing::Standing;
use text_fold::TextFold;

/// The whole card. Its parts find the session in their context.
#[component]
pub(crate) fn RunCard(session: Session) -> impl IntoView {
    provide_context(session);
    view! {
        <Head />
        <Standing />
        <Elsewhere />
        <ResultTable />
        <Exports />
        <BufferRows />
        <TextFold />
    }
}

/// The card's session.
fn session() -> Session {
    expect_context()
}
