//! Three numbers in one field: `32, 8`.

use leptos::prelude::*;

use crate::words::{Message, Words};

/// A field for a launch shape. `value` is what holds; what is typed and makes sense goes to
/// `change`.
#[component]
pub(crate) fn ShapeField(
    name: &'static str,
    label: Message<'static>,
    words: Words,
    value: Signal<[u32; 3]>,
    change: Callback<[u32; 3]>,
) -> impl IntoView {
    let typed = RwSignal::new(spell(value.get_untracked()));
    Effect::new(move || {
        let held = value.get();
        if typed.with_untracked(|text| read(text) != Some(held)) {
            typed.set(spell(held));
        }
    });
    let is_bad = move || typed.with(|text| read(text).is_none());
    let take = move |text: String| {
        let shape = read(&text);
        typed.set(text);
        if let Some(shape) = shape {
            change.run(shape);
        }
    };
    view! {
        <div>
            <label for=name>{words.of(label)}</label>
            <input
                id=name
                class="field"
                data-testid=name
                inputmode="numeric"
                autocomplete="off"
                spellcheck="false"
                prop:value=move || typed.get()
                on:input:target=move |event| take(event.target().value())
                aria-invalid=move || is_bad().to_string()
                title=move || is_bad().then(|| words.say(Message::NotAShape))
            />
        </div>
    }
}

/// A shape as the field shows it: without the ones at its end.
pub(crate) fn spell([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x}, {y}"),
        _ => format!("{x}, {y}, {z}"),
    }
}

/// One to three numbers from 1, with commas, blanks or `x` between.
fn read(text: &str) -> Option<[u32; 3]> {
    let parts = text.split([',', ' ', 'x', '×', ';', ',']).map(str::trim);
    let numbers: Option<Vec<u32>> = parts
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().ok().filter(|n| *n > 0))
        .collect();
    match *numbers? {
        [x] => Some([x, 1, 1]),
        [x, y] => Some([x, y, 1]),
        [x, y, z] => Some([x, y, z]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{read, spell};

    #[test]
    fn reads_what_it_spells() {
        for shape in [[32, 1, 1], [32, 8, 1], [1, 1, 4], [2, 1, 4]] {
            assert_eq!(read(&spell(shape)), Some(shape));
        }
    }

    #[test]
    fn refuses_what_is_no_shape() {
        for text in ["", "0", "a", "1,2,3,4", "-1", "99999999999", "1.5"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
