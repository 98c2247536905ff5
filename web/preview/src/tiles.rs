//! The verdict and its numbers.

use std::cmp::Reverse;

use lanescope_model::Operation;
use lanescope_tally::{Headline, Metric, Status, global_totals, metrics, shared_totals, verdict};
use lanescope_ui::element::{El, el};

use crate::answer::{Answer, Inside};
use crate::words::Words;

/// The card's elements.
pub(crate) struct Card {
    pub(crate) all: El,
    title: El,
    headline: El,
    place: El,
    sentence: El,
    tiles: El,
}

impl Card {
    pub(crate) fn new() -> Self {
        let (headline, place) = (el("span"), el("span"));
        let sentence = el("p").testid("sentence");
        let title = el("h1").testid("verdict").with(&headline).with(&place);
        let said = el("div")
            .set("role", "status")
            .set("aria-live", "polite")
            .set("aria-atomic", "true");
        let tiles = el("div")
            .class("tiles")
            .set("role", "group")
            .testid("metrics");
        let card = el("section").class("card verdict");
        let card = card.set("id", "answer").set("tabindex", "-1");
        let all = card.with(&said.with(&title).with(&sentence)).with(&tiles);
        Self {
            all,
            title,
            headline,
            place,
            sentence,
            tiles,
        }
    }

    /// Shows an answer: the line of the access that it is about.
    pub(crate) fn show(&self, answer: &Answer, insides: &[Inside], words: Words) -> u32 {
        let verdict = verdict(answer.counted());
        self.title.put("data-ways", &verdict.ways.to_string());
        self.headline
            .put("class", verdict.headline.tone(answer.status()));
        self.headline.put_text(&words.headline(&verdict.headline));
        let site = verdict.site.and_then(|site| answer.counted().site(site));
        let line = site.map_or(1, |site| answer.line(site));
        let is_one_of_several = site.is_some() && answer.glance.sites.len() > 1;
        let said = is_one_of_several.then(|| words.on_line(line));
        self.place.put_text(&said.unwrap_or_default());
        let mine = insides
            .iter()
            .find(|inside| Some(inside.site) == verdict.site);
        self.sentence.put_text(&sentences(answer, mine, words));
        self.tiles.put("aria-label", words.labels().metrics);
        let tiles: Vec<El> = metrics(answer.counted())
            .iter()
            .map(|metric| tile(metric, words))
            .collect();
        self.tiles.put_all(&tiles);
        line
    }

    /// Nothing is typed yet.
    pub(crate) fn clear(&self, words: Words) {
        self.headline
            .put("class", Headline::Nothing.tone(Status::Counted));
        self.headline.put_text(&words.headline(&Headline::Nothing));
        for part in [&self.place, &self.sentence, &self.tiles] {
            part.put_text("");
        }
    }
}

fn sentences(answer: &Answer, inside: Option<&Inside>, words: Words) -> String {
    let counted = answer.counted();
    let mut all: Vec<String> = inside
        .and_then(|inside| worst_bank(inside, words))
        .into_iter()
        .collect();
    for operation in [Operation::Load, Operation::Store] {
        if let Some(totals) = shared_totals(counted, |other| other == operation) {
            all.push(words.shared(&totals, operation));
        }
    }
    if let Some(totals) = global_totals(counted, |_| true) {
        all.push(words.global(&totals));
    }
    all.extend(words.extent(answer.blocks_done, answer.launch.grid_blocks()));
    all.join(words.space())
}

/// Who meets whom in the bank that needs the most wavefronts.
fn worst_bank(inside: &Inside, words: Words) -> Option<String> {
    let banks = inside
        .shared
        .as_ref()?
        .phases
        .iter()
        .flat_map(|phase| &phase.banks);
    let worst = banks.max_by_key(|bank| (bank.words.len(), Reverse(bank.bank)))?;
    let wanted = worst.words.iter().fold(0, |all, word| all | word.lanes.0);
    let count = worst.words.len();
    (count > 1).then(|| words.worst_bank(wanted.count_ones(), count, worst.bank))
}

fn tile(metric: &Metric, words: Words) -> El {
    let tile = el("div")
        .class("tile")
        .set("data-value", &metric.amount.value());
    let tile = tile
        .with(&el("b").text(&metric.amount.figure()))
        .with(&el("span").text(&words.amount(&metric.amount, metric.operation)));
    if let Some(name) = metric.name {
        tile.put("data-metric", name);
        tile.add(&el("code").set("title", name).text(name));
    }
    tile
}
