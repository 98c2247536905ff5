//! What the page is for, the form, and where the run stands.

use wasm_bindgen::JsValue;

use super::{Page, change, edit, start};
use crate::controls::{self, button};
use crate::element::{El, el};
use crate::standing;
use crate::words::Word;

impl Page {
    /// What the page is for, the form, and where the run stands.
    pub(super) fn opening(&self) -> El {
        let run = button("lab-run", self.word(Word::Run), "button primary", start);
        run.put_flag("disabled", self.running);
        let cancel = button("lab-cancel", self.word(Word::Cancel), "button", || {
            change(|page| {
                let _ = page.stop.call0(&JsValue::NULL);
            });
        });
        cancel.put_flag("disabled", !self.running);
        let actions = el("div").class("lab-actions").with(&run).with(&cancel);
        let actions = if self.running {
            actions.with(&self.bar).with(&self.status)
        } else {
            actions
        };
        el("section")
            .class("card lab-opening")
            .with(&el("h1").text(self.word(Word::Title)))
            .with(&el("p").class("lab-note").text(self.word(Word::Lead)))
            .with(&controls::build(self))
            .with(&actions)
            .with(&self.standing())
    }

    /// The adapter, and whatever stands in the way.
    fn standing(&self) -> El {
        let place = el("div").class("lab-standing").set("aria-live", "polite");
        let said =
            |class: &str, testid: &str, text: &str| el("p").class(class).testid(testid).text(text);
        if !self.strange.is_empty() {
            let text = self.language.strange(&self.strange);
            let _ = place
                .clone()
                .with(&said("lab-warning", "lab-strange", &text));
        }
        if self.unreadable {
            let _ = place.clone().with(&said(
                "lab-fault",
                "lab-unreadable",
                self.word(Word::Unreadable),
            ));
        }
        if let Some(card) = &self.adapter {
            let _ = place.clone().with(&standing::adapter(card, self.language));
            if card.is_software() {
                let _ = place.clone().with(&self.software());
            }
        }
        if let Some(fault) = &self.fault {
            let text = self.language.fault(fault);
            let note = said("lab-fault", "lab-fault", &text).set("role", "alert");
            let _ = place.clone().with(&note);
        }
        place
    }

    /// The warning for an adapter that is the processor, and a size it can do.
    fn software(&self) -> El {
        let note = el("p")
            .class("lab-warning")
            .testid("lab-software")
            .text(self.word(Word::Software));
        let small = self.settings.experiment.small_size();
        if self.running || small.is_empty() || self.settings.sizes == [small] {
            return note;
        }
        let choose = button(
            "lab-small",
            self.word(Word::ChooseSmall),
            "button small",
            move || {
                edit(&|page: &mut Page| {
                    page.settings.sizes = vec![small.to_owned()];
                    page.report = None;
                });
            },
        );
        note.with(&el("span").text(" ")).with(&choose)
    }

    pub(super) fn paint_progress(&self) {
        match &self.progress {
            Some((done, total, kernel)) => {
                self.bar.put("max", &total.to_string());
                self.bar.put("value", &done.to_string());
                let at = if kernel.is_empty() {
                    self.word(Word::InTurn)
                } else {
                    kernel.as_str()
                };
                self.status.put_text(&format!("{done} / {total} · {at}"));
            }
            None => self.status.put_text(self.word(Word::Waiting)),
        }
    }
}
