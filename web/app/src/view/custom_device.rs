//! A device as a few numbers of the user's own.

use lanescope_locale::hardware;
use lanescope_share::{Broadcast, CustomDevice, Device};
use leptos::prelude::*;

use crate::answer::custom_error;
use crate::session::Session;
use crate::words::Word;

type Number = fn(&mut CustomDevice) -> &mut u32;

const NUMBERS: [(&str, Word, Number); 5] = [
    (
        "custom-banks",
        |words| words.custom_banks,
        |numbers| &mut numbers.banks,
    ),
    (
        "custom-bits",
        |words| words.custom_bits,
        |numbers| &mut numbers.bank_bits,
    ),
    (
        "custom-lanes",
        |words| words.custom_lanes,
        |numbers| &mut numbers.lanes,
    ),
    (
        "custom-sector",
        |words| words.custom_sector,
        |numbers| &mut numbers.sector_bytes,
    ),
    (
        "custom-line",
        |words| words.custom_line,
        |numbers| &mut numbers.line_bytes,
    ),
];

const BROADCASTS: [(&str, Word, Broadcast); 3] = [
    ("none", |words| words.broadcast_none, Broadcast::None),
    ("one", |words| words.broadcast_one, Broadcast::OneWord),
    ("any", |words| words.broadcast_any, Broadcast::Any),
];

/// The form: shown for a device of the user's own.
#[component]
pub(crate) fn CustomDeviceForm(session: Session) -> impl IntoView {
    let numbers = Memo::new(move |_| session.pages().with(|page| numbers_of(&page.state.device)));
    let fields = NUMBERS.map(|(id, label, number)| {
        view! { <NumberField session numbers id label number /> }
    });
    let error = move || {
        let wrong = numbers.get().and_then(custom_error)?;
        Some(hardware::custom_error(session.language(), wrong))
    };
    view! {
        <div class="custom" data-testid="custom-device" hidden=move || numbers.get().is_none()>
            <div class="row">{fields.collect_view()} <BroadcastField session numbers /></div>
            <p class="hint" role="alert">
                {error}
            </p>
        </div>
    }
}

#[component]
fn NumberField(
    session: Session,
    numbers: Memo<Option<CustomDevice>>,
    id: &'static str,
    label: Word,
    number: Number,
) -> impl IntoView {
    let typed = move |event| {
        if let Ok(value) = event_target_value(&event).trim().parse() {
            change(session, |numbers| *number(numbers) = value);
        }
    };
    let held = move || {
        let mut numbers = numbers.get()?;
        Some(number(&mut numbers).to_string())
    };
    view! {
        <div>
            <label for=id>{session.word(label)}</label>
            <input
                id=id
                class="field"
                data-testid=id
                inputmode="numeric"
                prop:value=move || held().unwrap_or_default()
                on:input=typed
            />
        </div>
    }
}

#[component]
fn BroadcastField(session: Session, numbers: Memo<Option<CustomDevice>>) -> impl IntoView {
    let options = BROADCASTS.map(|(value, label, kind)| {
        let is_chosen = move || {
            numbers
                .get()
                .is_some_and(|numbers| numbers.broadcast == kind)
        };
        view! {
            <option value=value prop:selected=is_chosen>
                {session.word(label)}
            </option>
        }
    });
    let choose = move |event| {
        let value = event_target_value(&event);
        if let Some((_, _, kind)) = BROADCASTS.iter().find(|(name, _, _)| *name == value) {
            change(session, |numbers| numbers.broadcast = *kind);
        }
    };
    view! {
        <div>
            <label for="custom-broadcast">{session.word(|words| words.custom_broadcast)}</label>
            <select id="custom-broadcast" class="field" data-testid="custom-broadcast" on:change=choose>
                {options.collect_view()}
            </select>
        </div>
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
