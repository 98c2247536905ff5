//! The foot of the page: what its numbers stand on, the documents, the licence, and where the source and its issues are.

use lanescope_share::Language;
use leptos::prelude::*;

use crate::session::Session;
use crate::words::Message;

/// The address of the source, where whoever builds the page gives one.
const REPOSITORY: Option<&str> = option_env!("LANESCOPE_REPOSITORY");

/// A sentence on the numbers, and the ways on.
#[component]
pub(crate) fn Foot(session: Session) -> impl IntoView {
    let document = move |testid: &'static str, page: &'static str, name: Message<'static>| {
        view! {
            <a data-testid=testid href=move || address(session, page)>
                {session.text(name)}
            </a>
        }
    };
    let of_source = REPOSITORY
        .filter(|address| !address.is_empty())
        .map(|address| {
            let address = address.trim_end_matches('/');
            view! {
                <a href=address.to_owned()>{session.text(Message::SourceOfPage)}</a>
                <a href=format!("{address}/issues")>{session.text(Message::Issues)}</a>
            }
        });
    view! {
        <footer class="foot">
            {session.text(Message::Trust)}
            <nav aria-label=session.text(Message::Docs)>
                {document("docs", "", Message::Docs)}
                {document("docs-trust", "trust/", Message::HowFarToTrust)}
                {document("docs-evidence", "measured/", Message::Evidence)}
                {of_source}
                <span>{session.text(Message::Licence)}</span>
            </nav>
        </footer>
    }
}

/// The address of a page of the documentation in the language of this page.
fn address(session: Session, page: &str) -> String {
    let language = session.language().language();
    if language == Language::DEFAULT {
        return format!("docs/{page}");
    }
    format!("docs/{page}{}.html", language.tag())
}
