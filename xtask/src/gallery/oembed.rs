//! What a reader of oEmbed gets: the frame of the live copy, and the picture.

use anyhow::Result;
use lanescope_draw::escape_xml;
use lanescope_gallery::Language;
use serde_json::json;

use super::{Entry, Frame};

const WIDTH: i32 = 720;

pub(super) fn answer(frame: &Frame<'_>, entry: &Entry) -> Result<Vec<u8>> {
    let Frame { base, .. } = frame;
    let title = entry.preset.title(Language::English);
    let height = entry.pictures.embed_height(WIDTH);
    let source = escape_xml(&format!("{base}embed.html#{}", entry.link));
    let html = format!(
        "<iframe src=\"{source}\" width=\"{WIDTH}\" height=\"{height}\" loading=\"lazy\" title=\"Lanescope: {}\" \
         style=\"border:0\"></iframe>",
        escape_xml(title)
    );
    let [thumbnail_width, thumbnail_height] = entry.pictures.size();
    let answer = json!({
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": "Lanescope",
        "provider_url": base,
        "html": html,
        "width": WIDTH,
        "height": height,
        "thumbnail_url": format!("{base}gallery/{}/picture.png", entry.preset.id),
        "thumbnail_width": thumbnail_width,
        "thumbnail_height": thumbnail_height,
    });
    Ok(format!("{answer:#}\n").into_bytes())
}
