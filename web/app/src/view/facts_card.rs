//! Every number known of the chosen device, with its source.

use lanescope_model::Fact;
use leptos::prelude::*;

use super::badge::badge;
use super::fold::is_open;
use crate::page::Page;
use crate::session::Session;
use crate::words::{Message, Words};

/// A chip beside the device that opens its facts; nothing is made before it is opened.
#[component]
pub(super) fn FactsCard(session: Session) -> impl IntoView {
    let opened = RwSignal::new(false);
    let facts = Memo::new(move |_| {
        let facts = || session.late_pages().with(|page| facts(page));
        opened.get().then(facts).unwrap_or_default()
    });
    let rows = move || {
        let language = session.language();
        let row = |fact: Fact| row(&fact, language);
        facts.get().into_iter().map(row).collect_view()
    };
    view! {
        <details class="facts" data-testid="facts" on:toggle=move |event| opened.set(is_open(&event))>
            <summary
                class="button small"
                aria-label=session.text(Message::Facts)
                title=session.text(Message::Facts)
            >
                "i"
            </summary>
            <div>
                <h2>{session.text(Message::Facts)}</h2>
                <p class="hint">{session.text(Message::FactsAbout)}</p>
                <table>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </details>
    }
}

fn facts(page: &Page) -> Vec<Fact> {
    let device = page.answer.device.as_ref();
    device.map(|device| device.facts()).unwrap_or_default()
}

fn row(fact: &Fact, language: Words) -> impl IntoView + use<> {
    view! {
        <tr>
            <th scope="row">{language.say(&Message::Quantity(fact.quantity))}</th>
            <td>{language.say(&Message::Value(&fact.value))} <div class="source">{fact.source}</div></td>
            <td>{badge(fact.source, fact.confidence, language)}</td>
        </tr>
    }
}
