//! In which order lines stand, and the theoretical peak of the visitor's card.

use leptos::prelude::*;

use super::toggle::Toggle;
use crate::session::Session;
use crate::sheet::Order;
use crate::words::Word;

/// The toggles, the field, and the formula that both are about.
#[component]
pub(crate) fn StepOrder() -> impl IntoView {
    let session = Session::here();
    let order = session.order();
    let toggle = move |one: Order, id: &'static str, word: Word| {
        view! {
            <Toggle
                id=id.to_owned()
                label=Signal::derive(move || session.word(word)().to_owned())
                is_on=Signal::derive(move || order.get() == one)
                press=move || order.set(one)
            />
        }
    };
    view! {
        <p class="lab-note" data-testid="lab-formula">{session.word(|words| words.formula)}</p>
        <div class="lab-actions">
            <div class="lab-toggles" role="group" aria-label=session.word(|words| words.order_of)>
                {toggle(Order::Story, "lab-order-story", |words| words.order_story)}
                {toggle(Order::Speed, "lab-order-speed", |words| words.order_speed)}
            </div>
            <label class="lab-check" for="lab-peak">
                <span>{session.word(|words| words.peak)}</span>
                <input
                    class="field lab-peak-field"
                    id="lab-peak"
                    data-testid="lab-peak"
                    inputmode="decimal"
                    autocomplete="off"
                    placeholder="GB/s"
                    prop:value=move || session.typed_peak()
                    on:input=move |event| session.type_peak(event_target_value(&event))
                />
            </label>
        </div>
    }
}
