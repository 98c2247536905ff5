//! The root of the page.

use lanescope_ui::element::document_element;
use lanescope_ui::theme;
use leptos::prelude::*;

use crate::session::Session;
use crate::view::header::Header;
use crate::view::history_card::HistoryCard;
use crate::view::opening_card::OpeningCard;
use crate::view::published_card::PublishedCard;
use crate::view::report_card::ReportCard;

/// The whole page. Its parts find the session in their context.
#[component]
pub(crate) fn App(session: Session) -> impl IntoView {
    provide_context(session);
    follow_document(session);
    foresee(session);
    view! {
        <Header />
        <main class="lab" id="main">
            <OpeningCard />
            <ReportCard />
            <HistoryCard />
            <PublishedCard />
        </main>
    }
}

/// Makes the document's language and theme those of the session.
fn follow_document(session: Session) {
    Effect::new(move || {
        let document = document_element();
        document.put("lang", session.language().code());
        document.put_option("data-theme", theme::wanted(session.theme()));
    });
}

/// Asks the worker, unless it measures, what the model says of what is shown and not known yet.
fn foresee(session: Session) {
    let questions = Memo::new(move |_| session.questions());
    Effect::new(move || {
        let is_running = session.is_running();
        questions.with(|questions| {
            if !is_running {
                session.foresee(questions);
            }
        });
    });
}
