//! A device as a few numbers of the user's own.

use lanescope_share::{Broadcast, CustomDevice, Device};

use crate::answer::custom_error;
use crate::element::{El, el};
use crate::session::Session;
use crate::words::Message;

type Number = fn(&mut CustomDevice) -> &mut u32;

const NUMBERS: [(&str, Message<'static>, Number); 5] = [
    ("custom-banks", Message::CustomBanks, |numbers| {
        &mut numbers.banks
    }),
    ("custom-bits", Message::CustomBits, |numbers| {
        &mut numbers.bank_bits
    }),
    ("custom-lanes", Message::CustomLanes, |numbers| {
        &mut numbers.lanes
    }),
    ("custom-sector", Message::CustomSector, |numbers| {
        &mut numbers.sector_bytes
    }),
    ("custom-line", Message::CustomLine, |numbers| {
        &mut numbers.line_bytes
    }),
];

const BROADCASTS: [(&str, Message<'static>, Broadcast); 3] = [
    ("none", Message::BroadcastNone, Broadcast::None),
    ("one", Message::BroadcastOne, Broadcast::OneWord),
    ("any", Message::BroadcastAny, Broadcast::Any),
];

/// The form: shown for a device of the user's own.
pub(crate) fn build(session: Session) -> El {
    let row = el("div").class("row");
    for (id, label, number) in NUMBERS {
        row.add(&number_field(session, id, label, number));
    }
    row.add(&broadcast_field(session));
    let error = el("p").class("hint").set("role", "alert");
    let form = el("div")
        .class("custom")
        .testid("custom-device")
        .with(&row)
        .with(&error);
    let followed = form.clone();
    session.follow(move |page, _| {
        let numbers = numbers_of(&page.state.device);
        followed.show(numbers.is_some());
        let wrong = numbers.and_then(custom_error);
        error.put_text(
            &wrong
                .map(|wrong| page.language.say(&Message::CustomError(wrong)))
                .unwrap_or_default(),
        );
    });
    form
}

fn number_field(session: Session, id: &str, label: Message<'static>, number: Number) -> El {
    let field = el("input")
        .set("id", id)
        .class("field")
        .testid(id)
        .set("inputmode", "numeric");
    let typed = field.clone();
    let field = field.on("input", move |_| {
        if let Ok(value) = typed.value().trim().parse() {
            change(session, |numbers| *number(numbers) = value);
        }
    });
    let followed = field.clone();
    session.follow(move |page, _| {
        if let Some(mut numbers) = numbers_of(&page.state.device) {
            followed.put_value(&number(&mut numbers).to_string());
        }
    });
    labelled(session, id, label, &field)
}

fn broadcast_field(session: Session) -> El {
    let id = "custom-broadcast";
    let select = el("select").set("id", id).class("field").testid(id);
    for (value, label, _) in BROADCASTS {
        select.add(&session.say(el("option").set("value", value), label));
    }
    let chosen = select.clone();
    let select = select.on("change", move |_| {
        let value = chosen.value();
        if let Some((_, _, kind)) = BROADCASTS.iter().find(|(name, _, _)| *name == value) {
            change(session, |numbers| numbers.broadcast = *kind);
        }
    });
    let followed = select.clone();
    session.follow(move |page, _| {
        let kind = numbers_of(&page.state.device).map(|numbers| numbers.broadcast);
        if let Some((value, _, _)) = BROADCASTS.iter().find(|(_, _, other)| Some(*other) == kind) {
            followed.put_value(value);
        }
    });
    labelled(session, id, Message::CustomBroadcast, &select)
}

fn labelled(session: Session, id: &str, label: Message<'static>, field: &El) -> El {
    el("div")
        .with(&session.say(el("label").set("for", id), label))
        .with(field)
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
