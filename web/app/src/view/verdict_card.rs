//! The answer: one sentence, and the numbers it stands on.

use std::cmp::Reverse;

use lanescope_cuda::source::{Diagnostic, End, Severity};
use lanescope_model::Operation;

use super::count_all;
use super::list::List;
use super::reasons::Reasons;
use crate::answer::{Answer, Headline, Metric, Picture, global_totals, metrics, shared_totals};
use crate::element::{El, el};
use crate::page::Page;
use crate::session::Session;
use crate::words::{Language, Message};

/// The device for which a compiler's doing was measured.
const MEASURED: &str = "cc9.0";

/// The verdict and its metrics.
pub(crate) fn build(session: Session) -> El {
    let headline = el("span");
    let place = el("span");
    let sentence = el("p").testid("sentence");
    let title = el("h1").testid("verdict").with(&headline).with(&place);
    let said = el("div")
        .set("role", "status")
        .set("aria-live", "polite")
        .set("aria-atomic", "true");
    let mut reasons = Reasons::new();
    let said = said.with(&title).with(&reasons.all).with(&sentence);
    let tiles = session.name(
        el("div").class("tiles").testid("metrics"),
        "aria-label",
        Message::Metrics,
    );
    let tiles = tiles.set("role", "group");
    let card = el("section")
        .class("card verdict")
        .set("id", "answer")
        .set("tabindex", "-1");
    let card = card
        .with(&said)
        .with(&tiles)
        .with(&count_all::build(session));
    let mut shown = List::new(tiles);
    session.follow(move |page, _| {
        let language = page.language;
        title.put("data-ways", &page.verdict.ways.to_string());
        let standing = page.answer.standing();
        let (said, status) = (&page.verdict.headline, standing.status);
        title.put("data-status", status.key());
        headline.put("class", said.tone(status));
        headline.put_text(&language.say(&Message::Qualified(said, status)));
        reasons.put(page, &standing);
        place.put_text(&line(page));
        sentence.put_text(&sentences(page));
        let next = metrics(page.answer.counted());

        let next = next.into_iter().map(|metric| (metric, language));
        shown.put(next.collect(), |(metric, language)| tile(metric, *language));
    });
    card
}

fn has_errors(page: &Page) -> bool {
    let errors = |one: &Diagnostic| one.severity() == Severity::Error;
    page.answer.diagnostics.iter().any(errors) && page.verdict.headline != Headline::Nothing
}

/// The line the headline is about, where there are several.
fn line(page: &Page) -> String {
    let is_one = page.answer.program.sites().len() <= 1;
    let line = page
        .verdict
        .site
        .filter(|_| !is_one)
        .map(|site| page.answer.line(site));
    line.map(|line| page.language.say(&Message::OnLine(line)))
        .unwrap_or_default()
}

/// What stands under the headline.
pub(crate) fn sentences(page: &Page) -> String {
    let (answer, language) = (&page.answer, page.language);
    let mut all = Vec::new();
    if let Headline::Unknown(unknown) = &page.verdict.headline {
        all.push(language.say(&Message::Unknown(*unknown)));
    }
    if has_errors(page) {
        all.push(language.say(&Message::WithErrors));
    }
    all.extend(worst_bank(page));
    for operation in [Operation::Load, Operation::Store, Operation::Atomic] {
        if let Some(totals) = shared_totals(answer.counted(), |other| other == operation) {
            all.push(language.say(&Message::SharedSentence {
                totals: &totals,
                operation,
            }));
        }
    }
    if let Some(totals) = global_totals(answer.counted(), |_| true) {
        all.push(language.say(&Message::GlobalSentence(&totals)));
    }
    all.extend(extent(answer, language));
    all.extend(compiler(answer, language));
    all.join(language.between_sentences())
}

/// Who meets whom in the bank that needs the most wavefronts of the request on screen.
fn worst_bank(page: &Page) -> Option<String> {
    let inside = page
        .insides
        .iter()
        .find(|inside| Some(inside.site) == page.verdict.site)?;
    let Ok(Picture::Banks(report)) = &inside.picture else {
        return None;
    };
    let banks = report.phases.iter().flat_map(|phase| &phase.banks);
    let worst = banks.max_by_key(|bank| (bank.words.len(), Reverse(bank.bank)))?;
    let lanes = worst
        .words
        .iter()
        .fold(0, |all, word| all | word.lanes.0)
        .count_ones();
    let (words, bank) = (worst.words.len(), worst.bank);
    (words > 1).then(|| {
        page.language
            .say(&Message::WorstBank { lanes, words, bank })
    })
}

/// Which compiler's doing the counts follow, where that was not measured for the device.
fn compiler(answer: &Answer, language: Language) -> Option<String> {
    if answer.program.name().is_empty() {
        return None;
    }
    match lanescope_cuda::source::Language::of(&answer.source) {
        lanescope_cuda::source::Language::Wgsl => return Some(language.say(&Message::AsWritten)),
        lanescope_cuda::source::Language::Ptx => return Some(language.say(&Message::AsPtx)),
        // Nothing is left to a compiler.
        lanescope_cuda::source::Language::Sass => return None,
        lanescope_cuda::source::Language::Cuda => {}
    }
    let device = answer.device.as_ref()?;
    (device.id() != MEASURED).then(|| language.say(&Message::OtherCompiler))
}

fn extent(answer: &Answer, language: Language) -> Option<String> {
    let outcome = answer.outcome.as_ref()?;
    if let End::Stopped(_) = outcome.end {
        return Some(language.say(&Message::Stopped {
            requests: outcome.requests,
        }));
    }
    let (done, total) = (outcome.blocks_done, outcome.blocks_total);
    if done < total && answer.is_extrapolated {
        return Some(language.say(&Message::Extrapolated { done, total }));
    }
    if done < total {
        return Some(language.say(&Message::Extent { done, total }));
    }
    (total > 1).then(|| language.say(&Message::Exact { total }))
}

fn tile(metric: &Metric, language: Language) -> El {
    let (amount, operation) = (&metric.amount, metric.operation);
    let label = language.say(&Message::Amount { amount, operation });
    let tile = el("div").class("tile").set("data-value", &amount.value());
    let tile = tile
        .with(&el("b").text(&amount.figure()))
        .with(&el("span").text(&label));
    if let Some(name) = metric.name {
        tile.put("data-metric", name);
        tile.add(&el("code").set("title", name).text(name));
    }
    tile
}
