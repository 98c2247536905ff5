//! The bar at the top: where one is, the language and the colours.

use lanescope_locale::label::Label;
use lanescope_ui::emblem;

use super::Page;
use crate::controls;
use crate::element::{El, el};

impl Page {
    pub(super) fn header(&self) -> El {
        let label = |label| self.language.label(label);
        let home = el("a").set("href", "./").text(label(Label::Playground));
        let here = el("a")
            .set("href", "./lab.html")
            .set("aria-current", "page")
            .text(label(Label::Lab));
        let gallery = el("a").set("href", "gallery/").text(label(Label::Gallery));
        let name = el("span").text("Lanescope");
        el("header").class("top").with_each([
            el("a")
                .class("logo")
                .set("href", "./")
                .with(&emblem::banks())
                .with(&name),
            el("nav").with(&home).with(&gallery).with(&here),
            el("div").class("space"),
            controls::language_switch(self.language),
            controls::theme_switch(self.language),
        ])
    }
}
