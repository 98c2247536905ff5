//! A slider with its name and its value.

use crate::element::{El, el, value_of};

/// A slider's elements.
#[derive(Clone)]
pub struct Slider {
    /// All of it.
    pub row: El,
    /// Its name.
    pub label: El,
    /// The slider itself.
    pub input: El,
    output: El,
}

impl Slider {
    /// A slider from 0 whose steps go to `change`; arrow keys step by one.
    #[must_use]
    pub fn new(id: &str, testid: &str, change: impl Fn(u64) + 'static) -> Self {
        let label = el("label").set("for", id);
        let input = el("input")
            .set("id", id)
            .set("type", "range")
            .set("min", "0")
            .set("step", "1");
        let input = input.testid(testid);
        let input = input.on("input", move |event| {
            if let Ok(index) = value_of(&event).parse() {
                change(index);
            }
        });
        let output = el("output").set("for", id);
        let row = el("div")
            .class("slider")
            .with(&label)
            .with(&input)
            .with(&output);
        Self {
            row,
            label,
            input,
            output,
        }
    }

    /// Shows position `value` of `0..=last`, in words `shown`.
    pub fn put(&self, value: u64, last: u64, shown: &str) {
        self.input.put("max", &last.to_string());
        self.input.put_value(&value.to_string());
        self.input.put("aria-valuetext", shown);
        self.output.put_text(shown);
    }
}
