//! A device as a few numbers of the user's own.

use lanescope_share::{Broadcast, CustomDevice, Device};
use leptos::prelude::*;

use crate::answer::custom_error;
use crate::session::{Session, session};
use crate::words::Message;

/// Banks, bits, lanes, broadcast, sector, line.
#[component]
pub(crate) fn CustomDeviceForm() -> impl IntoView {
    let session = session();
    let words = session.words();
    let numbers = Memo::new(move |_| session.state.with(|state| numbers_of(&state.device)));
    let number = move |id: &'static str,
                       label: Message<'static>,
                       read: fn(&CustomDevice) -> u32,
                       write: fn(&mut CustomDevice, u32)| {
        view! {
            <div>
                <label for=id>{words.of(label)}</label>
                <input
                    id=id
                    class="field"
                    data-testid=id
                    inputmode="numeric"
                    prop:value=move || numbers.get().map(|numbers| read(&numbers).to_string())
                    on:input:target=move |event| {
                        if let Ok(value) = event.target().value().trim().parse() {
                            change(session, |numbers| write(numbers, value));
                        }
                    }
                />
            </div>
        }
    };
    let broadcast = move |value: &'static str, label: Message<'static>, kind: Broadcast| {
        let is_chosen = move || {
            numbers
                .get()
                .is_some_and(|numbers| numbers.broadcast == kind)
        };
        view! { <option value=value selected=is_chosen>{words.of(label)}</option> }
    };
    let error = move || {
        let error = numbers.get().and_then(custom_error)?;
        Some(
            view! { <p class="hint bad" role="alert">{words.say(Message::CustomError(error))}</p> },
        )
    };
    view! {
        <div class="row custom" data-testid="custom-device">
            {number("custom-banks", Message::CustomBanks, |n| n.banks, |n, v| n.banks = v)}
            {number("custom-bits", Message::CustomBits, |n| n.bank_bits, |n, v| n.bank_bits = v)}
            {number("custom-lanes", Message::CustomLanes, |n| n.lanes, |n, v| n.lanes = v)}
            <div>
                <label for="custom-broadcast">{words.of(Message::CustomBroadcast)}</label>
                <select
                    id="custom-broadcast"
                    class="field"
                    on:change:target=move |event| {
                        let kind = broadcast_named(&event.target().value());
                        change(session, |numbers| numbers.broadcast = kind);
                    }
                >
                    {broadcast("none", Message::BroadcastNone, Broadcast::None)}
                    {broadcast("one", Message::BroadcastOne, Broadcast::OneWord)}
                    {broadcast("any", Message::BroadcastAny, Broadcast::Any)}
                </select>
            </div>
            {number("custom-sector", Message::CustomSector, |n| n.sector_bytes, |n, v| n.sector_bytes = v)}
            {number("custom-line", Message::CustomLine, |n| n.line_bytes, |n, v| n.line_bytes = v)}
        </div>
        {error}
    }
}

fn numbers_of(device: &Device) -> Option<CustomDevice> {
    match device {
        Device::Custom(numbers) => Some(*numbers),
        Device::Known(_) => None,
    }
}

fn change(session: Session, change: impl FnOnce(&mut CustomDevice)) {
    session.edit(|state| {
        if let Device::Custom(numbers) = &mut state.device {
            change(numbers);
        }
    });
}

fn broadcast_named(name: &str) -> Broadcast {
    match name {
        "none" => Broadcast::None,
        "one" => Broadcast::OneWord,
        _ => Broadcast::Any,
    }
}
