//! Files, and a link with or without the results.

use super::{PAGE, Page, edit};
use crate::controls::button;
use crate::element::{El, el};
use crate::words::Word;
use crate::{csv, save, slim};

impl Page {
    /// Files, and a link with or without the results.
    pub(super) fn exports(&self) -> El {
        let link = self.link(self.with_results);
        let field = el("input")
            .class("field lab-link")
            .set("id", "lab-link")
            .testid("lab-link")
            .set("readonly", "")
            .set("aria-label", self.word(Word::Link))
            .set("value", &link);
        let check = el("input")
            .set("type", "checkbox")
            .set("id", "lab-with")
            .testid("lab-with");
        check.put_flag("checked", self.with_results);
        let check = check.on("change", |_| {
            edit(&|page: &mut Page| page.with_results = !page.with_results);
        });
        let label = el("label").set("for", "lab-with").class("lab-check");
        let label = label
            .with(&check)
            .with(&el("span").text(self.word(Word::WithResults)));
        let copied = link.clone();
        el("div").class("lab-exports").with_each([
            button("lab-csv", self.word(Word::SaveCsv), "button small", || {
                export("csv")
            }),
            button(
                "lab-json",
                self.word(Word::SaveJson),
                "button small",
                || export("json"),
            ),
            label,
            field,
            button(
                "lab-copy",
                self.word(Word::CopyLink),
                "button small",
                move || {
                    save::clipboard(&copied);
                },
            ),
        ])
    }

    /// The whole address of what is shown.
    fn link(&self, with_results: bool) -> String {
        let mut state = self.shared();
        let report = self.report.as_ref().filter(|_| with_results);
        state.lab.results =
            report.and_then(|report| serde_json::to_string(&slim::report(report)).ok());
        let here = web_sys::window()
            .and_then(|window| window.location().href().ok())
            .unwrap_or_default();
        let page = here.split('#').next().unwrap_or_default();
        format!("{page}#{}", lanescope_share::encode(&state))
    }
}

/// Hands the report to the browser as a file.
fn export(kind: &str) {
    let text = PAGE.with(|cell| {
        let page = cell.borrow();
        let page = page.as_ref()?;
        let report = page.report.as_ref()?;
        match kind {
            "csv" => Some(csv::text(report, &page.forecast, &page.device)),
            _ => serde_json::to_string_pretty(report).ok(),
        }
    });
    if let Some(text) = text {
        save::file(
            &text,
            kind,
            if kind == "csv" {
                "text/csv"
            } else {
                "application/json"
            },
        );
    }
}
