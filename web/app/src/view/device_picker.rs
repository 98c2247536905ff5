//! Which device the numbers are for.

use lanescope_locale::hardware;
use lanescope_locale::page::PageWords;
use lanescope_share::{Broadcast, CustomDevice, Device};
use leptos::prelude::*;

use super::custom_device::CustomDeviceForm;
use crate::answer::{all_devices, is_historical};
use crate::session::Session;

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
    let options = move |devices: Vec<&'static lanescope_model::Device>| {
        devices.into_iter().map(option).collect_view()
    };
    let mut historical = Vec::new();
    let mut groups = Vec::new();
    for (vendor, devices) in all_devices() {
        let (old, new) = devices
            .into_iter()
            .partition(|device| is_historical(device));
        historical.extend::<Vec<_>>(old);
        let name = move || hardware::vendor(session.language(), vendor);
        groups.push(view! { <optgroup label=name>{options(new)}</optgroup> });
    }
    let historical = options(historical);
    let is_custom = move || picked.with(|picked| picked == CUSTOM);
    let profile = move || picked.with(|picked| lanescope_model::Device::by_id(picked));
    let name = move || profile().map(lanescope_model::Device::name);
    let short = Memo::new(move |_| match picked.get() {
        custom if custom == CUSTOM => {
            ShortName::of(PageWords::of(session.language()).custom_device)
        }
        id => ShortName::of(profile().map_or(&id, |profile| profile.name())),
    });
    let choose = move |event| {
        let next = named(&event_target_value(&event));
        session.edit(|state| state.device = next);
    };
    view! {
        <div class="device-picker">
            <label for="device">{session.word(|words| words.label.device)}</label>
            <span class="device-short" aria-hidden="true">
                <b>{move || short.with(|short| short.chip.clone())}</b>
                <span>{move || short.with(|short| short.family.clone())}</span>
            </span>
            <select id="device" class="field" data-testid="device" title=name on:change=choose>
                {groups.collect_view()}
                <optgroup label=session.word(|words| words.historical)>{historical}</optgroup>
                <option value=CUSTOM prop:selected=is_custom>
                    {session.word(|words| words.custom_device)}
                </option>
            </select>
            <CustomDeviceForm session />
        </div>
    }
}

/// A device as the row of a kernel's launch names it, where its whole name has no room.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ShortName {
    /// The first chip of the profile.
    chip: String,
    /// What the profile is called among its vendor's, where a chip stands for it.
    family: String,
}

impl ShortName {
    /// Of a profile's whole name: `NVIDIA CC 9.0 (Hopper: H100, H200)` is H100, CC 9.0.
    fn of(name: &str) -> Self {
        let (family, about) = name.split_once(" (").unwrap_or((name, ""));
        let about = about.trim_end_matches(')');
        let chips = match about.split_once(": ") {
            Some((_, chips)) => Some(chips),
            None => about.contains(", ").then_some(about),
        };
        let Some(chip) = chips.and_then(|chips| chips.split(", ").next()) else {
            return Self {
                chip: family.to_owned(),
                family: String::new(),
            };
        };
        let vendor = ["NVIDIA ", "AMD "].into_iter();
        let family = vendor.fold(family, |family, vendor| {
            family.strip_prefix(vendor).unwrap_or(family)
        });
        Self {
            chip: chip.trim_start_matches("GeForce ").to_owned(),
            family: family.to_owned(),
        }
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

#[cfg(test)]
mod tests {
    use super::ShortName;
    use crate::answer::all_devices;

    #[test]
    fn a_device_is_named_by_its_first_chip() {
        let short = |name| {
            let ShortName { chip, family } = ShortName::of(name);
            [chip, family].join("|")
        };
        assert_eq!(short("NVIDIA CC 9.0 (Hopper: H100, H200)"), "H100|CC 9.0");
        assert_eq!(
            short("NVIDIA CC 5.x (Maxwell: GeForce GTX 980)"),
            "GTX 980|CC 5.x"
        );
        assert_eq!(
            short("AMD GCN, CDNA1, CDNA2 (Radeon VII, MI100, MI250)"),
            "Radeon VII|GCN, CDNA1, CDNA2"
        );
        assert_eq!(short("Intel Xe (sub-groups of 16)"), "Intel Xe|");
        assert_eq!(short("Apple M series"), "Apple M series|");
    }

    #[test]
    fn no_short_name_stands_for_two_devices() {
        let mut names: Vec<ShortName> = all_devices()
            .into_iter()
            .flat_map(|(_, devices)| devices)
            .map(|device| ShortName::of(device.name()))
            .collect();
        let all = names.len();
        names.sort_by(|name, other| (&name.chip, &name.family).cmp(&(&other.chip, &other.family)));
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
