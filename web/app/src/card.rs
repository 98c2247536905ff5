//! The card of what is on screen: code, verdict, before and after in the size that previews of links have.

use lanescope_draw::{Bar, Card, Theme, card_svg};
use lanescope_fixes::Totals;
use lanescope_locale::card;
use lanescope_share::Source;
use leptos::prelude::{Get as _, GetUntracked as _};

use crate::address;
use crate::answer::{Headline, Need, Reason, Status};
use crate::page::Page;
use crate::session::{Gain, Session};
use crate::words::Message;
use lanescope_ui::theme;

/// The card as SVG, in the theme that the reader has.
pub(crate) fn svg(session: Session) -> String {
    svg_of(&session.page(), session.gain.get_untracked().as_ref())
}

/// The same of a page, as a component follows it.
pub(crate) fn followed(session: Session, page: &Page) -> String {
    svg_of(page, session.gain.get().as_ref())
}

fn svg_of(page: &Page, gain: Option<&Gain>) -> String {
    let (language, status) = (page.language, page.answer.standing().status);
    let verdict = match status {
        // The status stands at the foot.
        Status::Predicted | Status::Assumed if !page.verdict.headline.is_good() => {
            language.say(&Message::Headline(&page.verdict.headline))
        }
        Status::Counted | Status::Partial | Status::Predicted | Status::Assumed => {
            language.say(&Message::Qualified(&page.verdict.headline, status))
        }
    };
    let site = page.verdict.site;
    let line = site.map(|site| page.answer.line(site));
    let amounts = amounts(page, gain);
    let bars = amounts.iter().map(|(name, [needed, all], said)| Bar {
        name,
        needed: *needed,
        all: *all,
        said,
    });
    let card = Card {
        verdict: &verdict,
        is_bad: page.verdict.headline.tone(status) == "bad",
        about: &about(page, gain),
        subject: &subject(page),
        code: &code(page),
        // The lines of an expression are counted in the field of accesses, below the declarations.
        line: line.map(|line| line + lines_above(page)),
        access: site.map_or("", |site| page.answer.text(site)),
        bars: &bars.collect::<Vec<_>>(),
        status: &standing(page),
        link: &address::link(&page.state),
        drawing: page.drawings.iter().flatten().next().map(AsRef::as_ref),
    };
    card_svg(&card, theme_of(page))
}

/// Its share of the waste, and what the fix makes of it.
fn about(page: &Page, gain: Option<&Gain>) -> Vec<String> {
    let language = page.language;
    let first = page.ranked.first();
    let first = first.filter(|one| page.is_kernel() && Some(one.tally.site) == page.verdict.site);
    let share = first.map(|one| card::share(language.language(), one.share_basis_points.into()));
    let gain = gain.map(|gain| match gain.ways {
        [before, after] if before > after => language.say(&Message::CardGain {
            change: &gain.change,
            before,
            after,
        }),
        _ => card::with(language.language(), &gain.change),
    });
    share.into_iter().chain(gain).collect()
}

/// The kernel and the device.
fn subject(page: &Page) -> String {
    let device = page.answer.device.as_ref();
    let device = device.map_or("", |device| device.name());
    match page.answer.program.name() {
        "" => device.to_owned(),
        name => format!("{name} · {device}"),
    }
}

/// Name, what is needed and all, and all in words: of what is on screen, and with the fix.
type Amount = (&'static str, [u64; 2], String);

fn amounts(page: &Page, gain: Option<&Gain>) -> Vec<Amount> {
    let language = page.language.language();
    let need = Need::of(&page.answer.sites);
    let is_of_units = matches!(
        page.verdict.headline,
        Headline::Scattered { .. } | Headline::Coalesced
    );
    let unit = need.unit.filter(|_| is_of_units);
    let of = |totals: &Totals| match unit {
        Some(_) => [totals.global.ideal, totals.global.units],
        None => [totals.shared.ideal, totals.shared.wavefronts],
    };
    let now = match unit {
        Some(_) => [need.ideal_units, need.units],
        None => [need.ideal_wavefronts, need.wavefronts],
    };
    // Both bars are of the runs that proved the fix.
    let pair = gain.map(|gain| gain.totals.each_ref().map(of));
    let pair = pair.filter(|[before, after]| after[1] < before[1]);
    let [first, second] = pair.map_or([now, [0; 2]], |pair| pair);
    if first[1] == 0 {
        return Vec::new();
    }
    let said = card::amount(language, first[1], unit);
    let mut bars = vec![(card::before(language), first, said)];
    if let Some(times) = (first[1] * 100).checked_div(second[1]) {
        let said = card::amount(language, second[1], unit);
        let said = format!("{said}, {}", card::fewer(language, times));
        bars.push((card::after(language), second, said));
    }
    bars
}

/// How far the answer can be relied on, and the first thing that it assumes.
fn standing(page: &Page) -> String {
    let standing = page.answer.standing();
    let language = page.language;
    let assumed = |reason: &&Reason| reason.status() == Status::Assumed;
    let assumed = standing.reasons.iter().find(assumed);
    let assumed = assumed.map(|one| language.say(&Message::Reason(one)));
    let given = assumed.map(|one| card::given(language.language(), &one));
    language.say(&Message::Standing(standing.status)) + &given.unwrap_or_default()
}

/// The theme that the reader has.
pub(crate) fn theme_of(page: &Page) -> Theme {
    if theme::is_dark(page.state.theme) {
        Theme::Dark
    } else {
        Theme::Light
    }
}

fn code(page: &Page) -> String {
    match &page.state.source {
        Source::Expression {
            accesses,
            declarations,
        } => format!("{declarations}\n{accesses}"),
        Source::Kernel(text) | Source::Trace(text) => text.clone(),
        Source::Layout { layout, access } => format!("{layout}\n{access}"),
    }
}

fn lines_above(page: &Page) -> u32 {
    match &page.state.source {
        Source::Expression { declarations, .. } => {
            u32::try_from(declarations.split('\n').count()).unwrap_or(0)
        }
        Source::Kernel(_) | Source::Layout { .. } | Source::Trace(_) => 0,
    }
}
