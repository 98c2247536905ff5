//! Which device the numbers are for.

use lanescope_share::{Broadcast, CustomDevice, Device};

use super::custom_device;
use crate::answer::all_devices;
use crate::element::{El, el};
use crate::session::Session;
use crate::words::Message;

const CUSTOM: &str = "custom";

/// The devices by vendor, and one of the user's own.
pub(crate) fn build(session: Session) -> El {
    let select = el("select")
        .set("id", "device")
        .class("field")
        .testid("device");
    for (vendor, devices) in all_devices() {
        let group = session.name(el("optgroup"), "label", Message::Vendor(vendor));
        for device in devices {
            group.add(&el("option").set("value", device.id()).text(device.name()));
        }
        select.add(&group);
    }
    select.add(&session.say(el("option").set("value", CUSTOM), Message::CustomDevice));
    let chosen = select.clone();
    let select = select.on("change", move |_| {
        let next = named(&chosen.value());
        session.edit(|state| state.device = next);
    });
    let followed = select.clone();
    session.follow(move |page, _| followed.put_value(&picked(&page.state.device)));
    let label = session.say(el("label").set("for", "device"), Message::Device);
    let parts = [label, select, custom_device::build(session)];
    el("div").class("device-picker").with_all(&parts)
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
