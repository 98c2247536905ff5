//! The gallery as static pages, a folder for each preset: `gallery/NAME/index.html` and `zh.html`, the picture as SVG
//! and as PNG, `oembed.json`. They are made by the engine that the page runs, need no script, and hold a live copy
//! where scripts run.

mod active_lanes;
mod figures;
mod html;
mod index;
mod lesson_page;
mod oembed;
mod picture;
mod tables;

use anyhow::{Context, Result};
use lanescope_gallery::{Language, PRESETS, Preset};
use lanescope_share::encode;

use crate::asset::Asset;
use figures::Figures;
use picture::Pictures;

pub(crate) use html::{Nav, Page, page, page_file};

/// What the pages have in common.
pub(crate) struct Frame<'a> {
    /// Where the page is published, with a slash at the end; empty where nobody said, and addresses are relative then.
    pub(crate) base: &'a str,
    /// The Content-Security-Policy of the page.
    pub(crate) policy: &'a str,
    /// The style sheet of the gallery.
    pub(crate) style: &'a Asset,
    /// The script of the custom element.
    pub(crate) element: &'a Asset,
    /// The icon.
    pub(crate) icon: &'a Asset,
}

/// One preset with its pictures and where it stands among the others.
struct Entry {
    preset: &'static Preset,
    link: String,
    pictures: Pictures,
    /// The access that is drawn beside it.
    beside: Option<Pictures>,
    /// The device that it was counted for.
    device: String,
    previous: Option<&'static Preset>,
    next: Option<&'static Preset>,
}

/// The picture of the first preset, a column of a tile, by its path under `dist/`.
pub(crate) fn first_picture(language: Language) -> String {
    let first = PRESETS.first().map_or("", |preset| preset.id);
    format!("gallery/{first}/{}", picture::file(language))
}

/// Every file of the gallery.
///
/// # Errors
/// When a lesson names a figure that there is not, or a preset has no picture.
pub(crate) fn build(frame: &Frame<'_>) -> Result<Vec<Asset>> {
    let mut figures = Figures::default();
    let mut files = Vec::new();
    let mut entries = Vec::new();
    for (index, preset) in PRESETS.iter().enumerate() {
        let entry = entry(index, preset, &mut figures).with_context(|| preset.id.to_owned())?;
        files.extend(
            entry_files(frame, &entry, &mut figures).with_context(|| preset.id.to_owned())?,
        );
        entries.push(entry);
    }
    for &language in Language::ALL {
        let file = if language == Language::DEFAULT {
            "index.html".to_owned()
        } else {
            html::page_file(language)
        };
        let page = index::page(frame, language, &entries);
        files.push(Asset::named(&format!("gallery/{file}"), page.into_bytes()));
    }
    Ok(files)
}

fn entry(index: usize, preset: &'static Preset, figures: &mut Figures) -> Result<Entry> {
    let state = preset.state();
    let analysed = figures.of(&state).context("it cannot be analysed")?;
    let link = encode(&state);
    Ok(Entry {
        preset,
        pictures: Pictures::of(&analysed.analysis, None)?,
        beside: preset
            .beside
            .map(|line| Pictures::of(&analysed.analysis, Some(line)))
            .transpose()?,
        device: analysed.analysis.question.device.name().to_owned(),
        link,
        previous: index.checked_sub(1).and_then(|index| PRESETS.get(index)),
        next: PRESETS.get(index + 1),
    })
}

fn entry_files(frame: &Frame<'_>, entry: &Entry, figures: &mut Figures) -> Result<Vec<Asset>> {
    let folder = format!("gallery/{}", entry.preset.id);
    let link = format!("{}#{}", frame.base, entry.link);
    let named = |name: &str, bytes: Vec<u8>| Asset::named(&format!("{folder}/{name}"), bytes);
    let mut files = vec![
        named("oembed.json", oembed::answer(frame, entry)?),
        named(picture::SMALL, entry.pictures.small().into_bytes()),
    ];
    for &language in Language::ALL {
        let file = if language == Language::DEFAULT {
            "index.html".to_owned()
        } else {
            html::page_file(language)
        };
        let svg = entry.pictures.svg(language, &link);
        files.push(named(&picture::file(language), svg.into_bytes()));
        if let Some(beside) = &entry.beside {
            let svg = beside.svg(language, &link);
            files.push(named(&picture::beside(language), svg.into_bytes()));
        }
        let png = entry.pictures.png(language, &link)?;
        files.push(named(&picture::pixels(language), png));
        let card = entry
            .pictures
            .card(entry.preset, language, &entry.device, &link)?;
        files.push(named(&picture::card(language), card));
        let page = lesson_page::page(frame, entry, language, figures)?;
        files.push(named(&file, page.into_bytes()));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link_preview::{CARD, CARD_SIZE};

    #[test]
    fn the_card_of_the_page_is_that_of_the_first_preset() {
        let first = PRESETS.first().map_or("", |preset| preset.id);
        let card = format!("gallery/{first}/{}", picture::card(Language::DEFAULT));
        assert_eq!(CARD, card);
        assert_eq!(CARD_SIZE, lanescope_draw::CARD_SIZE);
    }
}
