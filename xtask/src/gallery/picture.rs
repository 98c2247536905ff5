//! The picture of a preset, in every language.

use anyhow::Result;
use lanescope_draw::{Card, Drawing, Theme, card_svg, in_language, thumbnail, to_svg, with_link};
use lanescope_gallery::{Language, Preset};
use lanescope_query::{Analysis, picture};
use lanescope_raster::{svg_to_png, to_png};
use lanescope_share::Source;

/// Drawings of one request, one a language.
pub(super) struct Pictures {
    default: Drawing,
    /// The other languages.
    translated: Vec<(Language, Drawing)>,
}

/// The name of the small picture's file, which is the same in all languages.
pub(super) const SMALL: &str = "small.svg";

/// The name of the picture's file.
pub(super) fn file(language: Language) -> String {
    named("picture", language, "svg")
}

/// The name of the file of the picture beside it.
pub(super) fn beside(language: Language) -> String {
    named("beside", language, "svg")
}

/// The name of the file with its pixels.
pub(super) fn pixels(language: Language) -> String {
    named("picture", language, "png")
}

/// The name of the card, which previews of links show.
pub(super) fn card(language: Language) -> String {
    named("card", language, "png")
}

fn named(stem: &str, language: Language, extension: &str) -> String {
    if language == Language::DEFAULT {
        return format!("{stem}.{extension}");
    }
    format!("{stem}.{}.{extension}", language.tag())
}

/// What [`to_svg`] puts around a drawing, on both sides together.
const MARGINS: i32 = 24;

impl Pictures {
    /// The costliest request of `analysis`, of a line's accesses or of all.
    pub(super) fn of(analysis: &Analysis, line: Option<u32>) -> Result<Self> {
        let drawing = |language| -> Result<Drawing> {
            Ok(picture(analysis, line, &in_language(language))?.drawing)
        };
        let others = Language::ALL
            .iter()
            .copied()
            .filter(|language| *language != Language::DEFAULT);
        Ok(Self {
            default: drawing(Language::DEFAULT)?,
            translated: others
                .map(|language| Ok((language, drawing(language)?)))
                .collect::<Result<_>>()?,
        })
    }

    pub(super) fn drawing(&self, language: Language) -> &Drawing {
        let own = self.translated.iter().find(|(own, _)| *own == language);
        own.map_or(&self.default, |(_, drawing)| drawing)
    }

    /// As SVG, readable in dark and light, with the link inside.
    pub(super) fn svg(&self, language: Language, link: &str) -> String {
        with_link(&to_svg(self.drawing(language)), link)
    }

    /// Its boxes alone, as SVG, drawn out where they are but a strip.
    pub(super) fn small(&self) -> String {
        let small = thumbnail(&self.default);
        let (width, height) = (small.width + MARGINS, small.height + MARGINS);
        let tall = height.max(width * 3 / 10);
        let drawn_out = format!("preserveAspectRatio=\"none\" height=\"{tall}\"");
        to_svg(&small).replacen(&format!("height=\"{height}\""), &drawn_out, 1)
    }

    /// As PNG, for programs that show a preview of a link.
    pub(super) fn png(&self, language: Language, link: &str) -> Result<Vec<u8>> {
        Ok(to_png(self.drawing(language), Theme::Light, 1, link)?)
    }

    /// The card of `preset` as PNG: source and picture under the picture's one line.
    pub(super) fn card(
        &self,
        preset: &Preset,
        language: Language,
        device: &str,
        link: &str,
    ) -> Result<Vec<u8>> {
        let drawing = self.drawing(language);
        let code = source(&preset.state().source);
        let card = Card {
            verdict: &drawing.title,
            about: &[preset.title(language).to_owned()],
            subject: device,
            code: &code,
            link,
            drawing: Some(drawing),
            ..Card::default()
        };
        Ok(svg_to_png(&card_svg(&card, Theme::Light), 1, link)?)
    }

    /// What the live copy needs at this width, in pixels, as `packages/element/lane-scope.js` reckons it.
    pub(super) const fn embed_height(&self, width: i32) -> i32 {
        let [across, down] = self.size();
        420 + width * down / across
    }

    /// Width and height, the same in every language, in pixels.
    pub(super) const fn size(&self) -> [i32; 2] {
        [self.default.width + MARGINS, self.default.height + MARGINS]
    }
}

/// The text of a source, as a card shows it.
fn source(source: &Source) -> String {
    match source {
        Source::Expression {
            accesses,
            declarations,
        } => format!("{declarations}\n{accesses}"),
        Source::Kernel(text) | Source::Trace(text) => text.clone(),
        Source::Layout { layout, access } => format!("{layout}\n{access}"),
    }
}
