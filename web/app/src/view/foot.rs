//! The foot of the page: what its numbers stand on, the documents, the licence, and where the source and its issues are.

use lanescope_share::Language;
use leptos::prelude::*;

use crate::session::Session;
use crate::words::Word;

/// The address of the source, where whoever builds the page gives one.
const REPOSITORY: Option<&str> = option_env!("LANESCOPE_REPOSITORY");

/// A sentence on the numbers, and the ways on.
#[component]
pub(crate) fn Foot(session: Session) -> impl IntoView {
    let document = move |testid: &'static str, page: &'static str, name: Word| {
        view! {
            <a data-testid=testid href=move || address(session, page)>
                {session.word(name)}
            </a>
        }
    };
    let of_source = REPOSITORY
        .filter(|address| !address.is_empty())
        .map(|address| {
            let address = address.trim_end_matches('/');
            view! {
                <a href=address.to_owned()>{session.word(|words| words.source_of_page)}</a>
                <a href=format!("{address}/issues")>{session.word(|words| words.issues)}</a>
            }
        });
    view! {
        <footer class="foot">
            {session.word(|words| words.label.trust)}
            <nav aria-label=session.word(|words| words.docs)>
                {document("docs", "", |words| words.docs)}
                {document("docs-trust", "trust/", |words| words.how_far_to_trust)}
                {document("docs-evidence", "measured/", |words| words.evidence)}
                {of_source}
                <span>{session.word(|words| words.licence)}</span>
            </nav>
        </footer>
    }
}

/// The address of a page of the documentation in the language of this page.
fn address(session: Session, page: &str) -> String {
    let language = session.language();
    if language == Language::DEFAULT {
        return format!("docs/{page}");
    }
    format!("docs/{page}{}.html", language.tag())
}
