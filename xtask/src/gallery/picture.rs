//! The picture of a preset, in both languages.

use anyhow::Result;
use lanescope_draw::{Drawing, Theme, chinese, english, thumbnail, to_svg, with_link};
use lanescope_gallery::Language;
use lanescope_query::{Analysis, picture};
use lanescope_raster::to_png;

/// Drawings of one request.
pub(super) struct Pictures {
    english: Drawing,
    chinese: Drawing,
}

/// The name of the picture's file.
pub(super) const fn file(language: Language) -> &'static str {
    match language {
        Language::English => "picture.svg",
        Language::Chinese => "picture.zh.svg",
    }
}

/// The name of the file of the small picture, which is the same in all languages.
pub(super) const SMALL: &str = "small.svg";

/// The name of the file with its pixels.
pub(super) const fn pixels(language: Language) -> &'static str {
    match language {
        Language::English => "picture.png",
        Language::Chinese => "picture.zh.png",
    }
}

/// What [`to_svg`] puts around a drawing, on both sides together.
const MARGINS: i32 = 24;

impl Pictures {
    /// The dearest request of `analysis`.
    pub(super) fn of(analysis: &Analysis) -> Result<Self> {
        Ok(Self {
            english: picture(analysis, None, &english)?.drawing,
            chinese: picture(analysis, None, &chinese)?.drawing,
        })
    }

    pub(super) const fn drawing(&self, language: Language) -> &Drawing {
        match language {
            Language::English => &self.english,
            Language::Chinese => &self.chinese,
        }
    }

    /// As SVG, readable in dark and light, with the link inside.
    pub(super) fn svg(&self, language: Language, link: &str) -> String {
        with_link(&to_svg(self.drawing(language)), link)
    }

    /// Its boxes alone, as SVG, drawn out where they are but a strip.
    pub(super) fn small(&self) -> String {
        let small = thumbnail(&self.english);
        let (width, height) = (small.width + MARGINS, small.height + MARGINS);
        let tall = height.max(width * 3 / 10);
        let drawn_out = format!("preserveAspectRatio=\"none\" height=\"{tall}\"");
        to_svg(&small).replacen(&format!("height=\"{height}\""), &drawn_out, 1)
    }

    /// As PNG, for programs that show a preview of a link.
    pub(super) fn png(&self, language: Language, link: &str) -> Result<Vec<u8>> {
        Ok(to_png(self.drawing(language), Theme::Light, 1, link)?)
    }

    /// What the live copy needs at this width, in pixels, as `packages/element/lane-scope.js` reckons it.
    pub(super) const fn embed_height(&self, width: i32) -> i32 {
        let [across, down] = self.size();
        420 + width * down / across
    }

    /// Width and height of both, in pixels.
    pub(super) const fn size(&self) -> [i32; 2] {
        [self.english.width + MARGINS, self.english.height + MARGINS]
    }
}
