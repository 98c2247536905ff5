//! What shared-memory loads cost by stride, and the banks it looks like.

use lanescope_lab::StrideTable;

use crate::chart::small_bar;
use crate::element::{El, el};
use crate::words::{Word, Words};

/// The verdict, then a bar for each stride.
pub(crate) fn build(strides: &StrideTable, language: Words) -> El {
    let most = strides
        .steps
        .iter()
        .map(|step| step.relative)
        .fold(1.0, f64::max);
    let rows = strides.steps.iter().map(|step| {
        let bar = small_bar(step.relative / most);
        let cost = el("span").text(&format!("{:.2}", step.relative));
        el("tr")
            .with(&number(&step.stride_words.to_string()))
            .with(&el("td").class("number").with(&bar).with(&cost))
            .with(&number(&format!("{:.1} %", step.spread * 100.0)))
    });
    let names = [Word::Stride, Word::Cost, Word::Spread];
    let head = names.map(|word| {
        el("th")
            .set("scope", "col")
            .class("number")
            .text(language.word(word))
    });
    let table = el("table")
        .class("narrow")
        .testid("lab-strides")
        .with(&el("thead").with(&el("tr").with_each(head)))
        .with(&el("tbody").with_each(rows));
    let verdict = strides.banks.map_or_else(
        || language.word(Word::CannotTell).to_owned(),
        |banks| language.banks(banks),
    );
    let said = el("p")
        .class("lab-verdict")
        .testid("lab-banks")
        .text(&verdict);
    el("div")
        .with(&said)
        .with(&el("div").class("wide").with(&table))
}

fn number(text: &str) -> El {
    el("td").class("number").text(text)
}
