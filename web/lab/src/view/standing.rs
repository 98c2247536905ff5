//! The adapter, and whatever stands in the way.

use lanescope_lab::AdapterCard;
use leptos::prelude::*;

use crate::session::Session;
use crate::words::Words;

/// What is to be said of the link, the adapter and the run.
#[component]
pub(crate) fn Standing() -> impl IntoView {
    let session = Session::here();
    let fault = move || {
        session
            .fault()
            .map(|fault| session.language().fault(&fault))
    };
    view! {
        <div class="lab-standing" aria-live="polite">
            <Show when=move || !session.strange().is_empty()>
                <p class="lab-warning" data-testid="lab-strange">
                    {move || session.language().strange(&session.strange())}
                </p>
            </Show>
            <Show when=move || session.is_unreadable()>
                <p class="lab-fault" data-testid="lab-unreadable">
                    {session.word(|words| words.unreadable)}
                </p>
            </Show>
            <Show when=move || session.adapter().is_some()>
                <p class="lab-adapter" data-testid="lab-adapter">
                    {move || session.adapter().map(|card| describe(&card, session.language()))}
                </p>
            </Show>
            <Show when=move || session.adapter().is_some_and(|card| card.is_software())>
                <SoftwareWarning />
            </Show>
            <Show when=move || session.fault().is_some()>
                <p class="lab-fault" data-testid="lab-fault" role="alert">
                    {fault}
                </p>
            </Show>
        </div>
    }
}

/// The adapter's name and kind, its backend and driver, each said once.
fn describe(card: &AdapterCard, language: Words) -> String {
    let parts = [
        card.name.as_str(),
        language.kind(card.kind),
        card.backend.as_str(),
        card.driver.as_str(),
    ];
    let mut distinct: Vec<&str> = Vec::new();
    for part in parts {
        if !part.is_empty() && !distinct.contains(&part) {
            distinct.push(part);
        }
    }
    distinct.join(" · ")
}

/// The warning for an adapter that is the processor, and a size it can do.
#[component]
fn SoftwareWarning() -> impl IntoView {
    let session = Session::here();
    let has_choice = move || {
        let small = session.experiment().small_size();
        let is_chosen = session.of_settings(|settings| settings.sizes == [small]);
        !session.is_running() && !small.is_empty() && !is_chosen
    };
    let choose = move |_| {
        session.choose_anew(|settings| {
            settings.sizes = vec![settings.experiment.small_size().to_owned()];
        });
    };
    view! {
        <p class="lab-warning" data-testid="lab-software">
            {session.word(|words| words.software)}
            <Show when=has_choice>
                <span>{" "}</span>
                <button
                    type="button"
                    class="button small"
                    id="lab-small"
                    data-testid="lab-small"
                    on:click=choose
                >
                    {session.word(|words| words.choose_small)}
                </button>
            </Show>
        </p>
    }
}
