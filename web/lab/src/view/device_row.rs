//! The device of the predictions.

use lanescope_model::Device;
use leptos::prelude::*;

use crate::session::Session;

/// A list of all devices.
#[component]
pub(crate) fn DeviceRow() -> impl IntoView {
    let session = Session::here();
    let options = Device::all().iter().map(|device| {
        view! {
            <option value=device.id() prop:selected=move || session.device() == device.id()>
                {device.name()}
            </option>
        }
    });
    view! {
        <div class="lab-row">
            <span class="lab-label" aria-hidden="true">
                {session.word(|words| words.predict_for)}
            </span>
            <select
                class="field lab-device"
                id="lab-device"
                data-testid="lab-device"
                aria-label=session.word(|words| words.predict_for)
                on:change=move |event| session.choose_device(event_target_value(&event))
            >
                {options.collect_view()}
            </select>
        </div>
    }
}
