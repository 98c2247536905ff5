//! Runs of before.

use lanescope_lab::report::Report;

use super::{Origin, Page, edit};
use crate::controls::button;
use crate::element::{El, el};
use crate::history::{self, Entry};
use crate::words::{Word, name_of, size_name};

impl Page {
    pub(super) fn history(&self) -> El {
        let entries = history::entries();
        if entries.is_empty() {
            return el("div");
        }
        let rows = entries
            .into_iter()
            .enumerate()
            .map(|(i, entry)| self.past(i, entry));
        let clear = button(
            "lab-forget",
            self.word(Word::Forget),
            "button small",
            || {
                history::clear();
                edit(&|_: &mut Page| {});
            },
        );
        let title = el("h2").text(self.word(Word::History));
        let head = el("div")
            .class("head")
            .with(&title)
            .with(&el("span").class("about").text(self.word(Word::HistoryLead)));
        let head = head.with(&el("div").class("tools").with(&clear));
        let list = el("ul")
            .class("lab-history")
            .testid("lab-history")
            .with_each(rows);
        el("section").class("card").with(&head).with(&list)
    }

    /// A run of before, in a line.
    fn past(&self, index: usize, entry: Entry) -> El {
        let best = best_of(&entry.report);
        let sizes = entry
            .settings
            .sizes
            .iter()
            .map(|size| size_name(entry.settings.experiment, size));
        let sizes: Vec<_> = sizes.collect();
        let at = entry.at.get(..16).unwrap_or_default().replace('T', " ");
        let about = [
            self.word(name_of(entry.settings.experiment)).to_owned(),
            sizes.join(", "),
            entry.report.adapter.name.clone(),
            best,
        ];
        let about: Vec<_> = about.into_iter().filter(|part| !part.is_empty()).collect();
        let show = button(
            &format!("lab-past-{index}"),
            &at,
            "button small",
            move || {
                let entry = entry.clone();
                edit(&move |page: &mut Page| {
                    page.settings = entry.settings.clone();
                    page.report = Some(entry.report.clone());
                    page.origin = Origin::History;
                    page.fault = None;
                });
            },
        );
        show.put_flag("disabled", self.running);
        el("li")
            .with(&show)
            .with(&el("span").text(&about.join(" · ")))
    }
}

/// The fastest kernel of a report, or the banks that its strides look like.
fn best_of(report: &Report) -> String {
    if let Some(banks) = report.strides.as_ref().and_then(|strides| strides.banks) {
        return format!("{} × {} B", banks.count, banks.word_bytes);
    }
    let rows = report.experiments.iter().flat_map(|table| &table.results);
    let own =
        rows.filter(|row| row.kernel.starts_with("reduce") || row.kernel.starts_with("transpose"));
    let rates = own.filter_map(|row| Some((row, row.gigabytes_per_second()?)));
    let best = rates.max_by(|a, b| a.1.total_cmp(&b.1));
    best.map(|(row, rate)| format!("{} {} GB/s", row.kernel, crate::words::rate(rate)))
        .unwrap_or_default()
}
