//! The forms in which what is on screen can be taken elsewhere.

use lanescope_draw::{Theme, svg_size, to_svg_in};
use lanescope_gallery::{PRESETS, Preset};
use lanescope_locale::Language;
use lanescope_share::{Embed, State, encode};

use lanescope_ui::shape::spell;

use super::verdict_card::sentences;
use crate::address;
use crate::answer::metrics;
use crate::export;
use crate::page::Page;
use crate::snippet::{Editable, Snippet};
use crate::words::Message;

/// The name of the picture's file, which the Markdown names too.
pub(super) const PICTURE: &str = "lanescope";

/// What each further picture of an embed has around it, in pixels.
const AROUND_ANOTHER: i32 = 150;
/// Pixels of a column, less an embed's margins.
const COLUMN: i32 = 686;

/// More than any picture has.
const MAX_SIDE: i32 = 100_000;

/// The link.
pub(super) fn link(page: &Page) -> String {
    address::link(&page.state)
}

/// What a host's text is made of; `height` in pixels, `None` for what the picture needs.
pub(super) fn snippet(
    page: &Page,
    height: Option<i32>,
    theme: Option<Theme>,
    editable: Editable,
) -> Snippet {
    let bare = State {
        theme: None,
        embed: Embed::default(),
        ..page.state.clone()
    };
    let fallback = fallback(page, theme.unwrap_or_default());
    let (picture, picture_size) = fallback.unwrap_or_default();
    Snippet {
        folder: folder(&link(page)).to_owned(),
        fragment: encode(&bare),
        headline: headline(page),
        picture,
        picture_size,
        height: height.unwrap_or_else(|| self::height(page, editable)),
        theme: theme.map_or("", |theme| match theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }),
        editable,
    }
}

/// The picture with itself in its address, and its width and height.
fn fallback(page: &Page, theme: Theme) -> Option<(String, [i32; 2])> {
    let drawing = page.drawings.iter().flatten().next()?;
    let svg = to_svg_in(drawing, theme);
    Some((export::data_url(&svg), svg_size(drawing)))
}

/// The answer as Markdown: source, numbers and link; the hosted card of a preset, else a person pastes the picture above.
pub(super) fn markdown(page: &Page) -> String {
    let language = page.language;
    let headline = headline(page);
    let link = snippet(page, None, None, Editable::default()).link();
    let mut rows = String::new();
    for metric in metrics(page.answer.counted()) {
        let (amount, operation) = (&metric.amount, metric.operation);
        let label = language.say(&Message::Amount { amount, operation });
        let name = metric.name.unwrap_or_default();
        rows += &format!("| {} | {label} | {name} |\n", amount.figure());
    }
    let hosted = gallery_page(page).map(|folder| {
        let name = match language.language() == Language::DEFAULT {
            true => "card.png".to_owned(),
            false => format!("card.{}.png", language.language().tag()),
        };
        format!("[![{headline}]({folder}{name})]({link})\n\n")
    });
    let card = hosted.unwrap_or_default();
    let [grid, block] = [page.answer.launch.grid, page.answer.launch.block].map(spell);
    format!(
        "{card}**[{headline}]({link})**\n\n{}\n\n```cuda\n{}\n```\n\n\
         | | | |\n| ---: | --- | --- |\n{rows}\n{} · block {block} · grid {grid} · [Lanescope]({link})\n",
        sentences(page),
        page.answer.source.trim(),
        device(page),
    )
}

/// The gallery's page of the state, which readers of oEmbed find a frame on; `None` where the state is no preset's.
pub(super) fn gallery_page(page: &Page) -> Option<String> {
    let preset = preset_of(&page.state)?;
    Some(format!("{}gallery/{}/", folder(&link(page)), preset.id))
}

fn preset_of(state: &State) -> Option<&'static Preset> {
    let bare = State {
        language: None,
        theme: None,
        ..state.clone()
    };
    let link = encode(&bare);
    PRESETS
        .iter()
        .find(|preset| encode(&preset.state()) == link)
}

/// The folder that the page is published in.
fn folder(link: &str) -> &str {
    let page = link.split('#').next().unwrap_or_default();
    page.rfind('/')
        .map_or("", |end| page.get(..=end).unwrap_or_default())
}

fn headline(page: &Page) -> String {
    page.language
        .say(&Message::Headline(&page.verdict.headline))
}

fn device(page: &Page) -> &str {
    let device = page.answer.device.as_ref();
    device.map_or("", |device| device.name())
}

/// What an embed needs, so that nothing moves when it comes.
pub(super) fn height(page: &Page, editable: Editable) -> i32 {
    let pictures = page.drawings.iter().flatten();
    let heights = pictures.map(|drawing| {
        AROUND_ANOTHER + drawing.height.min(MAX_SIDE) * COLUMN / drawing.width.clamp(1, MAX_SIDE)
    });
    editable.around_picture() - AROUND_ANOTHER + heights.sum::<i32>()
}
