//! The forms in which what is on screen can be taken elsewhere.

use lanescope_draw::{Phrase, Theme, bank_text, sector_text, svg_size, to_svg_in};
use lanescope_gallery::{PRESETS, Preset};
use lanescope_locale::Language;
use lanescope_share::{Embed, State, encode};

use lanescope_ui::shape::spell;

use super::verdict_card::sentences;
use crate::address;
use crate::answer::{Picture, metrics};
use crate::export;
use crate::page::Page;
use crate::snippet::{Editable, Snippet, Still};

/// The name of the picture's file, which the Markdown names too.
pub(super) const PICTURE: &str = "lanescope";

/// Pixels that an embed is high unless somebody wants another height: a card with its line of code, verdict and picture.
pub(super) const EMBED_HEIGHT: i32 = 320;

/// The link.
pub(super) fn link(page: &Page) -> String {
    address::link(&page.state)
}

/// What a host's text is made of; `height` in pixels.
pub(super) fn snippet(
    page: &Page,
    height: i32,
    theme: Option<Theme>,
    editable: Editable,
    has_picture: bool,
) -> Snippet {
    let bare = State {
        theme: None,
        embed: Embed::default(),
        ..page.state.clone()
    };
    let still = has_picture.then(|| still(page, theme.unwrap_or_default()));
    Snippet {
        folder: folder(&link(page)).to_owned(),
        fragment: encode(&bare),
        headline: headline(page),
        still: still.flatten(),
        height,
        theme: theme.map_or("", |theme| match theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }),
        editable,
    }
}

/// The picture with itself in its address.
fn still(page: &Page, theme: Theme) -> Option<Still> {
    let drawing = page.drawings.iter().flatten().next()?;
    let svg = to_svg_in(drawing, theme);
    Some(Still {
        address: export::data_url(&svg),
        size: svg_size(drawing),
    })
}

/// The answer as Markdown: picture, source, numbers and link. A page without a server has no address for the picture of a
/// state, and hosts of Markdown show neither data in addresses nor SVG in the text: the picture is one of text, which shows
/// everywhere, and of a preset also its card in the gallery.
pub(super) fn markdown(page: &Page) -> String {
    let language = page.language;
    let headline = headline(page);
    let link = snippet(page, EMBED_HEIGHT, None, Editable::default(), false).link();
    let mut rows = String::new();
    for metric in metrics(page.answer.counted()) {
        let (amount, operation) = (&metric.amount, metric.operation);
        let label = amount.text(operation, language);
        let name = metric.name.unwrap_or_default();
        rows += &format!("| {} | {label} | {name} |\n", amount.figure());
    }
    let hosted = gallery_page(page).map(|folder| {
        let name = match language == Language::DEFAULT {
            true => "card.png".to_owned(),
            false => format!("card.{}.png", language.tag()),
        };
        format!("[![{headline}]({folder}{name})]({link})\n\n")
    });
    let card = hosted.unwrap_or_default();
    let [grid, block] = [page.answer.launch.grid, page.answer.launch.block].map(spell);
    format!(
        "{card}**[{headline}]({link})**\n\n{}\n\n{}```cuda\n{}\n```\n\n\
         | | | |\n| ---: | --- | --- |\n{rows}\n{} · block {block} · grid {grid} · [Lanescope]({link})\n",
        sentences(page),
        text_picture(page).unwrap_or_default(),
        page.answer.source.trim(),
        device(page),
    )
}

/// The first request on screen as code, below what asks it.
fn text_picture(page: &Page) -> Option<String> {
    let inside = page.insides.first()?;
    let say = |phrase: &Phrase<'_>| phrase.text(page.language);
    let picture = match inside.picture.as_ref().ok()? {
        Picture::Banks(report) => bank_text(report, &say),
        Picture::Sectors(report) => sector_text(report, &say),
    };
    let access = page.answer.text(inside.site).split_whitespace();
    let access = access.collect::<Vec<_>>().join(" ");
    let line = page.answer.line(inside.site);
    Some(format!("```text\n{line}: {access}\n{picture}\n```\n\n"))
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
    page.verdict.headline.text(page.language)
}

fn device(page: &Page) -> &str {
    let device = page.answer.device.as_ref();
    device.map_or("", |device| device.name())
}
