//! What others published.

use super::Page;
use crate::chart;
use crate::element::{El, el};
use crate::published::{self, Publisher};
use crate::words::Word;

impl Page {
    pub(super) fn published(&self) -> El {
        let tables = Publisher::ALL.map(|publisher| self.publisher(publisher));
        let tables: Vec<_> = tables.into_iter().flatten().collect();
        if tables.is_empty() {
            return el("div");
        }
        let title = el("h2").text(self.word(Word::Published));
        let about = el("span")
            .class("about")
            .text(self.word(Word::PublishedLead));
        el("section")
            .class("card")
            .testid("lab-published")
            .with(&el("div").class("head").with(&title).with(&about))
            .with(&el("div").class("lab-columns").with_each(tables))
    }

    fn publisher(&self, publisher: Publisher) -> Option<El> {
        let runs = published::runs(publisher, self.settings.experiment);
        if runs.is_empty() {
            return None;
        }
        let rate = |run: &published::Run| run.rate.parse::<f64>().unwrap_or(0.0);
        let most = runs.iter().map(rate).fold(0.0, f64::max);
        let rows = runs.iter().map(|run| {
            let bar = chart::small_bar(rate(run) / most.max(f64::MIN_POSITIVE));
            let cell = el("td").class("number");
            let cell = if run.rate.is_empty() {
                cell
            } else {
                cell.with(&bar).with(&el("span").text(run.rate))
            };
            el("tr")
                .with(
                    &el("th")
                        .set("scope", "row")
                        .with(&el("code").text(run.kernel)),
                )
                .with(
                    &el("td")
                        .class("number")
                        .text(&run.size.replace(" x ", " × ")),
                )
                .with(&el("td").class("number").text(run.ms))
                .with(&cell)
        });
        let names = [
            (Word::Kernel, ""),
            (Word::Size, "number"),
            (Word::Time, "number"),
            (Word::Bandwidth, "number"),
        ];
        let head = names.map(|(word, class)| {
            el("th")
                .set("scope", "col")
                .class(class)
                .text(self.word(word))
        });
        let table = el("table")
            .with(&el("thead").with(&el("tr").with_each(head)))
            .with(&el("tbody").with_each(rows));
        let name = self.language.publisher(publisher);
        let region = el("div")
            .class("wide")
            .set("role", "region")
            .set("tabindex", "0")
            .set("aria-label", name);
        Some(
            el("div")
                .with(&el("h3").text(name))
                .with(&region.with(&table)),
        )
    }
}
