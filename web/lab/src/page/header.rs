//! The bar at the top: where one is, the language and the colours.

use super::Page;
use crate::controls;
use crate::element::{El, el, svg};
use crate::words::Word;

impl Page {
    pub(super) fn header(&self) -> El {
        let home = el("a").set("href", "./").text(self.word(Word::Playground));
        let here = el("a")
            .set("href", "./lab.html")
            .set("aria-current", "page")
            .text(self.word(Word::Lab));
        let name = el("span").text("Lanescope");
        el("header").class("top").with_all([
            el("a")
                .class("logo")
                .set("href", "./")
                .with(&logo())
                .with(&name),
            el("nav").with(&home).with(&here),
            el("div").class("space"),
            controls::language_switch(self.language),
            controls::theme_switch(self.language),
        ])
    }
}

fn logo() -> El {
    let bar = |x: &str, opacity: &str| {
        let place = svg("rect")
            .set("x", x)
            .set("y", "1")
            .set("width", "4")
            .set("height", "20");
        place
            .set("rx", "1")
            .set("opacity", opacity)
            .set("fill", "currentColor")
    };
    let bars = [("1", ".25"), ("6.3", ".25"), ("11.6", "1"), ("17", ".25")];
    svg("svg")
        .set("viewBox", "0 0 22 22")
        .set("aria-hidden", "true")
        .with_all(bars.map(|(x, opacity)| bar(x, opacity)))
}
