//! A slider with its name and its value.

use leptos::prelude::*;

/// Where a slider stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) name: String,
    /// Of `0..=last`.
    pub(super) value: u64,
    pub(super) last: u64,
    /// The value in words.
    pub(super) shown: String,
}

/// A slider from 0 whose steps go to `change`; arrow keys step by one. Hidden where there is no position.
#[component]
pub(crate) fn Slider(
    testid: &'static str,
    position: Memo<Option<Position>>,
    change: impl Fn(u64) + 'static,
) -> impl IntoView {
    let read = move |of: fn(&Position) -> String| {
        move || position.with(|position| position.as_ref().map(of).unwrap_or_default())
    };
    let shown = read(|position| position.shown.clone());
    let name = read(|position| position.name.clone());
    let stepped = move |event| {
        if let Ok(index) = event_target_value(&event).parse() {
            change(index);
        }
    };
    view! {
        <div class="slider" hidden=move || position.with(Option::is_none)>
            <label>{name}</label>
            <input
                type="range"
                min="0"
                step="1"
                data-testid=testid
                aria-label=name
                max=read(|position| position.last.to_string())
                prop:value=read(|position| position.value.to_string())
                aria-valuetext=shown
                on:input=stepped
            />
            <output>{shown}</output>
        </div>
    }
}
