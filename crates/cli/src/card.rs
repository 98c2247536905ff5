//! `lanescope png --card`: the card of an answer, code, verdict, before and after in the size that previews of links have.

use crate::svg::Drawn;
use crate::{clock, fix};
use lanescope_draw::{Bar, Card, Theme, card_svg};
use lanescope_fixes::{Suggestion, Totals, simplest_first};
use lanescope_locale::{Language, card, page};
use lanescope_query::{Analysis, findings};
use lanescope_share::State;
use lanescope_tally::{Headline, Need, Reason, Status, Verdict, verdict};

const LANGUAGE: Language = Language::English;

/// Name, what is needed and all, and all in words.
type Amount = (&'static str, [u64; 2], String);

/// The card of what was drawn, as SVG.
pub(crate) fn svg(drawn: &Drawn, theme: Theme) -> String {
    let (analysis, state) = (&drawn.analysis, &drawn.state);
    let found = verdict(analysis.counted());
    let fix = best_fix(state, analysis);
    let amounts = amounts(analysis, &found.headline, fix.as_ref());
    let bars: Vec<Bar<'_>> = amounts.iter().map(bar).collect();
    let source = &analysis.question.source;
    let site = found.site.and_then(|id| analysis.program().site(id));
    let card = Card {
        verdict: &headline(analysis, &found.headline),
        is_bad: found.headline.tone(analysis.standing.status) == "bad",
        about: &about(analysis, &found, fix.as_ref()),
        subject: &subject(analysis),
        code: source,
        line: site.map(|site| site.line),
        access: site.map_or("", |site| site.span.text(source)),
        bars: &bars,
        status: &standing(analysis),
        link: &drawn.link,
        drawing: Some(&drawn.drawing),
    };
    card_svg(&card, theme)
}

fn bar((name, [needed, all], said): &Amount) -> Bar<'_> {
    Bar {
        name,
        needed: *needed,
        all: *all,
        said,
    }
}

/// The simplest fix that was proved within the time; `None` where there is none, or none is searched.
fn best_fix(state: &State, analysis: &Analysis) -> Option<Suggestion> {
    let mut keep_going = || !clock::is_over();
    let advice = fix::advised(state, &analysis.question, None, &mut keep_going).ok()?;
    let first = *simplest_first(&advice.suggestions).first()?;
    advice.suggestions.get(first).cloned()
}

/// The verdict; what is predicted or assumed says so at the card's foot.
fn headline(analysis: &Analysis, headline: &Headline) -> String {
    match analysis.standing.status {
        Status::Predicted | Status::Assumed if !headline.is_good() => headline.text(LANGUAGE),
        status @ (Status::Counted | Status::Partial | Status::Predicted | Status::Assumed) => {
            headline.qualified(status, LANGUAGE)
        }
    }
}

/// Of a kernel the verdict's share of the waste, and what the fix makes of it.
fn about(analysis: &Analysis, found: &Verdict, fix: Option<&Suggestion>) -> Vec<String> {
    let is_kernel = !analysis.program().name().is_empty();
    let first = findings(analysis).into_iter().next();
    let first = first.filter(|one| is_kernel && Some(one.tally.site) == found.site);
    let share = first.map(|one| card::share(LANGUAGE, one.share_basis_points.into()));
    let gain = fix.map(|fix| {
        let most = |banks: &Vec<u32>| banks.iter().copied().max().unwrap_or(0);
        match fix.banks.each_ref().map(most) {
            [before, after] if before > after => {
                page::card_gain(LANGUAGE, &fix.snippet, before, after)
            }
            _ => card::with(LANGUAGE, &fix.snippet),
        }
    });
    share.into_iter().chain(gain).collect()
}

/// The kernel and the device.
fn subject(analysis: &Analysis) -> String {
    let device = analysis.question.device.name();
    match analysis.program().name() {
        "" => device.to_owned(),
        name => format!("{name} · {device}"),
    }
}

/// What the launch takes of the memory that the verdict is about, and with the fix.
fn amounts(analysis: &Analysis, headline: &Headline, fix: Option<&Suggestion>) -> Vec<Amount> {
    let need = Need::of(&analysis.sites);
    let is_of_units = matches!(headline, Headline::Scattered { .. } | Headline::Coalesced);
    let unit = need.unit.filter(|_| is_of_units);
    let of = |totals: &Totals| match unit {
        Some(_) => [totals.global.ideal, totals.global.units],
        None => [totals.shared.ideal, totals.shared.wavefronts],
    };
    let now = match unit {
        Some(_) => [need.ideal_units, need.units],
        None => [need.ideal_wavefronts, need.wavefronts],
    };
    let pair = fix.map(|fix| fix.totals.each_ref().map(of));
    let pair = pair.filter(|[before, after]| after[1] < before[1]);
    let [first, second] = pair.map_or([now, [0; 2]], |pair| pair);
    if first[1] == 0 {
        return Vec::new();
    }
    let said = card::amount(LANGUAGE, first[1], unit);
    let mut bars = vec![(card::before(LANGUAGE), first, said)];
    if let Some(times) = first[1].saturating_mul(100).checked_div(second[1]) {
        let said = card::amount(LANGUAGE, second[1], unit);
        let said = format!("{said}, {}", card::fewer(LANGUAGE, times));
        bars.push((card::after(LANGUAGE), second, said));
    }
    bars
}

/// How far the answer can be relied on, and the first thing that it assumes.
fn standing(analysis: &Analysis) -> String {
    let standing = &analysis.standing;
    let is_assumed = |reason: &&Reason| reason.status() == Status::Assumed;
    let assumed = standing.reasons.iter().find(is_assumed);
    let given = assumed.map(|one| card::given(LANGUAGE, &one.text(LANGUAGE)));
    standing.status.text(LANGUAGE).to_owned() + &given.unwrap_or_default()
}
