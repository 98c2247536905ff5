//! Every number known of the chosen device, with its source.

use lanescope_model::{Basis, Fact};
use leptos::prelude::*;

use super::device_table::badge;
use crate::session::session;
use crate::words::{Message, Words};

/// A fold with the device's facts; nothing is made before it is opened.
#[component]
pub(crate) fn FactsCard() -> impl IntoView {
    let session = session();
    let words = session.words();
    let is_open = RwSignal::new(false);
    let facts = move || {
        let device = session.answer.with(|answer| answer.device.clone());
        device.map(|device| device.facts()).unwrap_or_default()
    };
    let rows = move || {
        facts()
            .into_iter()
            .map(|fact| row(fact, words))
            .collect_view()
    };
    view! {
        <details
            class="card facts fold"
            data-testid="facts"
            on:toggle:target=move |event| is_open.set(is_unfolded(&event.target()))
        >
            <summary class="head">
                <h2>{words.of(Message::Facts)}</h2>
                <span class="about">{words.of(Message::FactsAbout)}</span>
            </summary>
            <Show when=move || is_open.get()>
                <div class="wide"><table><tbody>{rows}</tbody></table></div>
            </Show>
        </details>
    }
    .into_any()
}

fn is_unfolded(element: &web_sys::HtmlDetailsElement) -> bool {
    element.open()
}

fn row(fact: Fact, words: Words) -> AnyView {
    let quantity = fact.quantity;
    let basis = Basis {
        source: fact.source,
        confidence: fact.confidence,
    };
    view! {
        <tr>
            <th scope="row">{words.of(Message::Quantity(quantity))}</th>
            <td>
                {move || words.say(Message::Value(&fact.value))}
                <div class="source">{fact.source}</div>
            </td>
            <td>{badge(basis, words)}</td>
        </tr>
    }
    .into_any()
}
