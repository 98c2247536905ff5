//! Which device the numbers are for.

use lanescope_share::{Broadcast, CustomDevice, Device};
use leptos::prelude::*;

use super::custom_device::CustomDeviceForm;
use crate::answer::{all_devices, is_historical};
use crate::session::Session;
use crate::words::Message;

const CUSTOM: &str = "custom";

/// The devices by vendor, and one of the user's own.
#[component]
pub(crate) fn DevicePicker(session: Session) -> impl IntoView {
    let picked = Memo::new(move |_| session.pages().with(|page| picked(&page.state.device)));
    let option = move |device: &'static lanescope_model::Device| {
        let id = device.id();
        let is_picked = move || picked.with(|picked| picked == id);
        view! {
            <option value=id prop:selected=is_picked>
                {device.name()}
            </option>
        }
    };
    let group = move |label: Message<'static>, devices: Vec<&'static lanescope_model::Device>| {
        view! {
            <optgroup label=session
                .text(label)>{devices.into_iter().map(option).collect_view()}</optgroup>
        }
    };
    let mut historical = Vec::new();
    let mut groups = Vec::new();
    for (vendor, devices) in all_devices() {
        let (old, new) = devices
            .into_iter()
            .partition(|device| is_historical(device));
        historical.extend::<Vec<_>>(old);
        groups.push(group(Message::Vendor(vendor), new));
    }
    let historical = group(Message::Historical, historical);
    let is_custom = move || picked.with(|picked| picked == CUSTOM);
    let choose = move |event| {
        let next = named(&event_target_value(&event));
        session.edit(|state| state.device = next);
    };
    view! {
        <div class="device-picker">
            <label for="device">{session.text(Message::Device)}</label>
            <select id="device" class="field" data-testid="device" on:change=choose>
                {groups.collect_view()}
                {historical}
                <option value=CUSTOM prop:selected=is_custom>
                    {session.text(Message::CustomDevice)}
                </option>
            </select>
            <CustomDeviceForm session />
        </div>
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
