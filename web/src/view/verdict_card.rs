//! The answer: one sentence, and the numbers it stands on.

use std::sync::Arc;

use lanescope_lang::End;
use lanescope_model::Operation;
use leptos::prelude::*;

use crate::answer::{
    Amount, Answer, Headline, Inside, Metric, Picture, Verdict, decimal, global_totals, metrics,
    shared_totals,
};
use crate::session::session;
use crate::words::{Message, Words, grouped};

/// The verdict and its metrics.
#[component]
pub(crate) fn VerdictCard() -> impl IntoView {
    let session = session();
    let words = session.words();
    let ways = move || session.verdict.with(|verdict| verdict.ways.to_string());
    let tone = move || session.verdict.with(|verdict| tone(&verdict.headline));
    let headline = move || {
        session
            .verdict
            .with(|verdict| words.say(Message::Headline(&verdict.headline)))
    };
    let place = move || {
        session
            .verdict
            .with(|verdict| place(verdict, &session.answer.get(), words))
    };
    let sentences = move || {
        let insides = session.insides.get();
        sentences(
            &session.verdict.get(),
            &session.answer.get(),
            &insides,
            words,
        )
    };
    let shown = Memo::new(move |_| session.answer.with(|answer| metrics(answer)));
    let tiles = move || {
        shown
            .get()
            .iter()
            .map(|metric| tile(metric, words))
            .collect_view()
    };
    view! {
        <section class="card verdict" id="answer" tabindex="-1">
            <div role="status" aria-live="polite" aria-atomic="true">
                <h1 data-testid="verdict" data-ways=ways>
                    <span class=tone>{headline}</span>
                    <span>{place}</span>
                </h1>
                <p data-testid="sentence">{sentences}</p>
            </div>
            <div class="tiles" data-testid="metrics" role="group" aria-label=words.of(Message::Metrics)>
                {tiles}
            </div>
        </section>
    }
    .into_any()
}

const fn tone(headline: &Headline) -> &'static str {
    match headline {
        Headline::Conflict { .. } | Headline::Scattered { .. } | Headline::NoDevice => "bad",
        Headline::Free | Headline::Coalesced => "good",
        Headline::Nothing | Headline::Nobody | Headline::Unknown(_) => "calm",
    }
}

/// The line the headline is about, where there are several.
fn place(verdict: &Verdict, answer: &Arc<Answer>, words: Words) -> String {
    let is_one = answer.program.sites().len() <= 1;
    let line = verdict
        .site
        .filter(|_| !is_one)
        .map(|site| answer.line(site));
    line.map(|line| words.say(Message::OnLine(line)))
        .unwrap_or_default()
}

/// What stands under the headline.
pub(crate) fn sentences(
    verdict: &Verdict,
    answer: &Answer,
    insides: &[Inside],
    words: Words,
) -> String {
    let mut all = Vec::new();
    if let Headline::Unknown(unknown) = &verdict.headline {
        all.push(words.say(Message::Unknown(*unknown)));
    }
    all.extend(worst_bank(verdict, insides, words));
    for operation in [Operation::Load, Operation::Store, Operation::Atomic] {
        if let Some(totals) = shared_totals(answer, |other| other == operation) {
            all.push(words.say(Message::SharedSentence {
                totals: &totals,
                operation,
            }));
        }
    }
    if let Some(totals) = global_totals(answer, |_| true) {
        all.push(words.say(Message::GlobalSentence(&totals)));
    }
    all.extend(extent(answer, words));
    all.join(words.language().between_sentences())
}

/// Who meets whom in the bank that needs the most wavefronts of the request on screen.
fn worst_bank(verdict: &Verdict, insides: &[Inside], words: Words) -> Option<String> {
    let inside = insides
        .iter()
        .find(|inside| Some(inside.site) == verdict.site)?;
    let Ok(Picture::Banks(report)) = &inside.picture else {
        return None;
    };
    let banks = report.phases.iter().flat_map(|phase| &phase.banks);
    let worst = banks.max_by_key(|bank| (bank.words.len(), std::cmp::Reverse(bank.bank)))?;
    let lanes = worst
        .words
        .iter()
        .fold(0, |all, word| all | word.lanes.0)
        .count_ones();
    let several = worst.words.len() > 1;
    several.then(|| {
        words.say(Message::WorstBank {
            lanes,
            words: worst.words.len(),
            bank: worst.bank,
        })
    })
}

fn extent(answer: &Answer, words: Words) -> Option<String> {
    let outcome = answer.outcome.as_ref()?;
    if let End::Stopped(_) = outcome.end {
        return Some(words.say(Message::Stopped {
            requests: outcome.requests,
        }));
    }
    let (done, total) = (outcome.blocks_done, outcome.blocks_total);
    (done < total).then(|| words.say(Message::Extent { done, total }))
}

fn tile(metric: &Metric, words: Words) -> AnyView {
    let (amount, operation) = (metric.amount, metric.operation);
    let label = words.say(Message::Amount {
        amount: &amount,
        operation,
    });
    let name = metric
        .name
        .map(|name| view! { <code title=name>{name}</code> });
    view! {
        <div class="tile" data-metric=metric.name data-value=amount.value()>
            <b>{figure(&amount)}</b>
            <span>{label}</span>
            {name}
        </div>
    }
    .into_any()
}

/// The number as the eye reads it.
pub(crate) fn figure(amount: &Amount) -> String {
    match *amount {
        Amount::Wavefronts { most: count, .. }
        | Amount::IdealWavefronts(count)
        | Amount::Conflicts(count)
        | Amount::Units { count, .. }
        | Amount::IdealUnits { count, .. } => grouped(count),
        Amount::Ways(ways) => ways.to_string(),
        Amount::UnitsPerRequest { hundredths, .. } => decimal(hundredths),
        Amount::Used { basis_points, .. } => format!("{} %", decimal(basis_points)),
    }
}
