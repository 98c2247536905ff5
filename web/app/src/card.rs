//! The card of what is on screen: code, verdict and picture in the size that previews of links have.

use lanescope_draw::{Card, Theme, card_svg};
use lanescope_share::Source;
use leptos::prelude::WithUntracked as _;

use crate::address;
use crate::page::Page;
use crate::session::Session;
use crate::words::Message;
use lanescope_ui::theme;

/// The card as SVG, in the theme that the reader has.
pub(crate) fn svg(session: Session) -> String {
    let page = session.page();
    let (language, status) = (page.language, page.answer.standing().status);
    let verdict = language.say(&Message::Qualified(&page.verdict.headline, status));
    let gain = session.gain.with_untracked(|gain| {
        let gain = gain.as_ref()?;
        Some(language.say(&Message::CardGain {
            change: &gain.change,
            before: gain.ways[0],
            after: gain.ways[1],
        }))
    });
    let line = page.verdict.site.map(|site| page.answer.line(site));
    let device = page
        .answer
        .device
        .as_ref()
        .map_or("", |device| device.name());
    let drawing = page.drawings.iter().flatten().next();
    card_svg(
        &Card {
            verdict: &verdict,
            gain: gain.as_deref().unwrap_or_default(),
            code: &code(&page),
            // The lines of an expression are counted in the field of accesses, below the declarations.
            line: line.map(|line| line + lines_above(&page)),
            device,
            link: &address::link(&page.state),
            drawing: drawing.map(AsRef::as_ref),
        },
        theme_of(&page),
    )
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
