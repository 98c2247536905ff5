//! `lanescope png --card`: the card of an answer, code, verdict, before and after in the size that previews of links have.

use crate::clock;
use crate::svg::Drawn;
use lanescope_draw::{Card, Theme, card_svg};
use lanescope_fixes::{Suggestion, simplest_first};
use lanescope_locale::Language;
use lanescope_query::{Analysis, CardAnswer, CardGain, findings};
use lanescope_report::advise;
use lanescope_share::State;
use lanescope_tally::{Verdict, verdict};

/// The card of what was drawn, as SVG.
pub(crate) fn svg(drawn: &Drawn, theme: Theme) -> String {
    let (analysis, state) = (&drawn.analysis, &drawn.state);
    let found = verdict(analysis.counted());
    let fix = best_fix(state, analysis);
    let text = CardAnswer {
        language: Language::English,
        standing: &analysis.standing,
        verdict: &found,
        sites: &analysis.sites,
        share_basis_points: share(analysis, &found),
        kernel: analysis.program().name(),
        device: analysis.question.device.name(),
        gain: fix.as_ref().map(gain),
    }
    .text();
    let bars: Vec<_> = text.amounts.iter().map(|amount| amount.bar()).collect();
    let source = &analysis.question.source;
    let site = found.site.and_then(|id| analysis.program().site(id));
    let card = Card {
        verdict: &text.verdict,
        is_bad: text.is_bad,
        about: &text.about,
        subject: &text.subject,
        code: source,
        line: site.map(|site| site.line),
        access: site.map_or("", |site| site.span.text(source)),
        bars: &bars,
        status: &text.status,
        link: &drawn.link,
        drawing: Some(&drawn.drawing),
    };
    card_svg(&card, theme)
}

/// The simplest fix that was proved within the time; `None` where there is none, or none is searched.
fn best_fix(state: &State, analysis: &Analysis) -> Option<Suggestion> {
    let mut keep_going = || !clock::is_over();
    let advice = advise(state, &analysis.question, None, &mut keep_going).ok()?;
    let first = *simplest_first(&advice.suggestions).first()?;
    advice.suggestions.get(first).cloned()
}

/// Of a kernel the verdict's share of the waste.
fn share(analysis: &Analysis, found: &Verdict) -> Option<u64> {
    let is_kernel = !analysis.program().name().is_empty();
    let first = findings(analysis).into_iter().next();
    let first = first.filter(|one| is_kernel && Some(one.tally.site) == found.site);
    first.map(|one| one.share_basis_points.into())
}

fn gain(fix: &Suggestion) -> CardGain<'_> {
    let most = |banks: &Vec<u32>| banks.iter().copied().max().unwrap_or(0);
    CardGain {
        change: &fix.snippet,
        ways: fix.banks.each_ref().map(most),
        totals: &fix.totals,
    }
}
