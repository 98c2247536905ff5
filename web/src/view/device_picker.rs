//! Which device the numbers are for.

use lanescope_share::{Broadcast, CustomDevice, Device};
use leptos::prelude::*;

use super::custom_device::CustomDeviceForm;
use crate::answer::all_devices;
use crate::session::session;
use crate::words::Message;

const CUSTOM: &str = "custom";

/// The devices by vendor, and one of the user's own.
#[component]
pub(crate) fn DevicePicker() -> impl IntoView {
    let session = session();
    let words = session.words();
    let device = Memo::new(move |_| session.state.with(|state| state.device.clone()));
    let is_custom = Memo::new(move |_| device.with(|device| matches!(device, Device::Custom(_))));
    let value = move || device.with(picked);
    let groups = all_devices().into_iter().map(|(vendor, devices)| {
        let option = |device: &'static lanescope_model::Device| {
            view! {
                <option value=device.id() selected=move || value() == device.id()>{device.name()}</option>
            }
        };
        let options = devices.into_iter().map(option).collect_view();
        view! { <optgroup label=words.of(Message::Vendor(vendor))>{options}</optgroup> }
    });
    let groups = groups.collect_view();
    view! {
        <div class="device-picker">
            <label for="device">{words.of(Message::Device)}</label>
            <select
                id="device"
                class="field"
                data-testid="device"
                prop:value=value
                on:change:target=move |event| {
                    let next = named(&event.target().value());
                    session.edit(|state| state.device = next);
                }
            >
                {groups}
                <option value=CUSTOM selected=move || is_custom.get()>{words.of(Message::CustomDevice)}</option>
            </select>
        </div>
        <Show when=move || is_custom.get()>
            <CustomDeviceForm/>
        </Show>
    }
}

/// The option that stands for `device`: a profile's own id, also where it was named by an alias.
fn picked(device: &Device) -> String {
    match device {
        Device::Known(id) => {
            let profile = lanescope_model::Device::by_id(id);
            profile
                .map_or(id.as_str(), |profile| profile.id())
                .to_owned()
        }
        Device::Custom(_) => CUSTOM.to_owned(),
    }
}

fn named(id: &str) -> Device {
    if id == CUSTOM {
        Device::Custom(START)
    } else {
        Device::Known(id.to_owned())
    }
}

/// What the form begins with: the GTX 580's numbers.
const START: CustomDevice = CustomDevice {
    banks: 32,
    bank_bits: 32,
    lanes: 32,
    broadcast: Broadcast::Any,
    sector_bytes: 32,
    line_bytes: 128,
};
