//! The block-shape sweep: kernels down, shapes across, bandwidth on a scale.

use crate::element::{El, el};
use crate::table::Line;
use crate::words::{Word, Words, rate};

/// The grid of a sweep, or nothing where no kernel ran in several shapes.
pub(crate) fn build(lines: &[Line], language: Words) -> Option<El> {
    let swept: Vec<_> = lines.iter().filter(|line| takes_shapes(line)).collect();
    let shapes = distinct(swept.iter().filter_map(|line| line.block()));
    if shapes.len() < 2 {
        return None;
    }
    let names = distinct(swept.iter().map(|line| line.name.clone()));
    let most = swept
        .iter()
        .filter_map(|line| line.gigabytes_per_second())
        .fold(0.0, f64::max);
    let head = shapes
        .iter()
        .map(|shape| el("th").set("scope", "col").class("number").text(shape));
    let corner = el("th")
        .set("scope", "col")
        .text(language.word(Word::Kernel));
    let rows = names.iter().map(|name| {
        let cells = shapes.iter().map(|shape| {
            let found = swept
                .iter()
                .find(|line| line.name == *name && line.block().as_ref() == Some(shape));
            cell(found.and_then(|line| line.gigabytes_per_second()), most)
        });
        let code = el("code").text(name);
        el("tr")
            .with(&el("th").set("scope", "row").with(&code))
            .with_each(cells)
    });
    let table = el("table")
        .testid("lab-sweep")
        .with(&el("thead").with(&el("tr").with(&corner).with_each(head)))
        .with(&el("tbody").with_each(rows));
    let title = el("h3").text(language.word(Word::Sweep));
    let region = el("div")
        .class("wide")
        .set("role", "region")
        .set("tabindex", "0");
    let region = region
        .set("aria-label", language.word(Word::Sweep))
        .with(&table);
    Some(el("div").with(&title).with(&region))
}

fn takes_shapes(line: &Line) -> bool {
    line.kernel.is_some_and(crate::settings::takes_shapes)
}

fn distinct(words: impl Iterator<Item = String>) -> Vec<String> {
    words.fold(Vec::new(), |mut all, word| {
        if !all.contains(&word) {
            all.push(word);
        }
        all
    })
}

/// A rate on one of five tints, the fullest for the fastest.
fn cell(found: Option<f64>, most: f64) -> El {
    let Some(found) = found else {
        return el("td").class("number").text("–");
    };
    let steps = ["t1", "t2", "t3", "t4", "t5"];
    let step = steps.into_iter().zip([0.3, 0.5, 0.7, 0.9, f64::INFINITY]);
    let tint = step.into_iter().find(|(_, below)| found / most < *below);
    let class = format!("number {}", tint.map_or("", |(name, _)| name));
    el("td").class(&class).text(&rate(found))
}
