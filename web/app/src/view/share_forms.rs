//! The forms in which what is on screen can be taken elsewhere.

use lanescope_draw::escape_xml;
use lanescope_gallery::{PRESETS, Preset};
use lanescope_share::{State, encode};

use lanescope_ui::shape::spell;

use super::verdict_card::sentences;
use crate::address;
use crate::answer::metrics;
use crate::page::Page;
use crate::words::Message;

/// The name of the picture's file, which the Markdown names too.
pub(super) const PICTURE: &str = "lanescope";

/// What an embed has around its first picture, in pixels, at the width of an article's column; and what each further
/// picture has.
const AROUND_PICTURE: i32 = 450;
const AROUND_ANOTHER: i32 = 150;
/// Pixels of a column, less an embed's margins.
const COLUMN: i32 = 686;

/// More than any picture has.
const MAX_SIDE: i32 = 100_000;

/// The link.
pub(super) fn link(page: &Page) -> String {
    address::link(&page.state)
}

/// The state as a frame in another page.
pub(super) fn frame(page: &Page) -> String {
    let embed = escape_xml(&link(page).replacen('#', "embed.html#", 1));
    let height = height(page);
    format!(
        "<iframe src=\"{embed}\" width=\"100%\" height=\"{height}\" loading=\"lazy\" \
         title=\"Lanescope\" style=\"border:0\"></iframe>\n"
    )
}

/// The state as the custom element in another page, with a picture for where scripts do not run.
pub(super) fn element(page: &Page) -> String {
    let link = link(page);
    let folder = escape_xml(folder(&link));
    let (link, headline) = (escape_xml(&link), escape_xml(&headline(page)));
    let height = height(page);
    format!(
        "<script type=\"module\" src=\"{folder}lane-scope.js\"></script>\n\
         <lane-scope src=\"{link}\" height=\"{height}\" \
         style=\"display:block;min-height:{height}px\"><a href=\"{link}\"><img src=\"{PICTURE}.svg\" \
         alt=\"{headline}\"></a></lane-scope>\n"
    )
}

/// The answer as Markdown: its picture (the file that is saved beside it), source and link.
pub(super) fn markdown(page: &Page) -> String {
    let language = page.language;
    let (headline, link) = (headline(page), link(page));
    let mut rows = String::new();
    for metric in metrics(page.answer.counted()) {
        let (amount, operation) = (&metric.amount, metric.operation);
        let label = language.say(&Message::Amount { amount, operation });
        let name = metric.name.unwrap_or_default();
        rows += &format!("| {} | {label} | {name} |\n", amount.figure());
    }
    let [grid, block] = [page.answer.launch.grid, page.answer.launch.block].map(spell);
    format!(
        "[![{headline}]({PICTURE}.svg)]({link})\n\n**{headline}**\n\n{}\n\n```cuda\n{}\n```\n\n\
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
fn height(page: &Page) -> i32 {
    let pictures = page.drawings.iter().flatten();
    let heights = pictures.map(|drawing| {
        AROUND_ANOTHER + drawing.height.min(MAX_SIDE) * COLUMN / drawing.width.clamp(1, MAX_SIDE)
    });
    AROUND_PICTURE - AROUND_ANOTHER + heights.sum::<i32>()
}
