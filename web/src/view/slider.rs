//! A slider with its name and its value.

use leptos::prelude::*;

/// Steps from 0 to `last` (read as index); arrow keys step by one.
#[component]
pub(crate) fn Slider(
    #[prop(into)] id: String,
    testid: &'static str,
    #[prop(into)] label: Signal<String>,
    #[prop(into)] last: Signal<u64>,
    #[prop(into)] value: Signal<u64>,
    #[prop(into)] shown: Signal<String>,
    #[prop(optional, into)] name: Option<String>,
    change: Callback<u64>,
) -> impl IntoView {
    view! {
        <div class="slider">
            <label for=id.clone()>{label}</label>
            <input
                id=id.clone()
                type="range"
                min="0"
                step="1"
                data-testid=testid
                data-name=name
                prop:max=move || last.get().to_string()
                prop:value=move || value.get().to_string()
                aria-valuetext=shown
                on:input:target=move |event| {
                    if let Ok(index) = event.target().value().parse() {
                        change.run(index);
                    }
                }
            />
            <output for=id>{shown}</output>
        </div>
    }
}
