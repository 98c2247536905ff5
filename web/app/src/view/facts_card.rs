//! Every number known of the chosen device, with its source.

use lanescope_draw::lane_list;
use lanescope_locale::{Language, hardware};
use lanescope_model::Fact;
use leptos::prelude::*;

use super::badge::badge;
use super::fold::is_open;
use crate::page::Page;
use crate::session::Session;

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
                aria-label=session.word(|words| words.facts)
                title=session.word(|words| words.facts)
            >
                "i"
            </summary>
            <div>
                <h2>{session.word(|words| words.facts)}</h2>
                <p class="hint">{session.word(|words| words.facts_about)}</p>
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

fn row(fact: &Fact, language: Language) -> impl IntoView + use<> {
    view! {
        <tr>
            <th scope="row">{hardware::quantity(language, fact.quantity)}</th>
            <td>{hardware::value(language, &fact.value, &lane_list)} <div class="source">{fact.source}</div></td>
            <td>{badge(fact.source, fact.confidence, language)}</td>
        </tr>
    }
}
