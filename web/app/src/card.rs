//! The card of what is on screen: code, verdict, before and after in the size that previews of links have.

use lanescope_draw::{Card, Theme, card_svg};
use lanescope_query::{CardAnswer, CardGain};
use lanescope_share::Source;
use leptos::prelude::{Get as _, GetUntracked as _};

use crate::address;
use crate::page::Page;
use crate::session::{Gain, Session};
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
    let site = page.verdict.site;
    let first = page.ranked.first();
    let first = first.filter(|one| page.is_kernel() && Some(one.tally.site) == site);
    let device = page.answer.device.as_ref();
    let text = CardAnswer {
        language: page.language,
        standing: &page.answer.standing(),
        verdict: &page.verdict,
        sites: &page.answer.sites,
        share_basis_points: first.map(|one| one.share_basis_points.into()),
        kernel: page.answer.program.name(),
        device: device.map_or("", |device| device.name()),
        gain: gain.map(|gain| CardGain {
            change: &gain.change,
            ways: gain.ways,
            totals: &gain.totals,
        }),
    }
    .text();
    let bars: Vec<_> = text.amounts.iter().map(|amount| amount.bar()).collect();
    let line = site.map(|site| page.answer.line(site));
    let card = Card {
        verdict: &text.verdict,
        is_bad: text.is_bad,
        about: &text.about,
        subject: &text.subject,
        code: &code(page),
        // The lines of an expression are counted in the field of accesses, below the declarations.
        line: line.map(|line| line + lines_above(page)),
        access: site.map_or("", |site| page.answer.text(site)),
        bars: &bars,
        status: &text.status,
        link: &address::link(&page.state),
        drawing: page.drawings.iter().flatten().next().map(AsRef::as_ref),
    };
    card_svg(&card, theme_of(page))
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
