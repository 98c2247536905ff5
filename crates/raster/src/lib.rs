//! A picture as PNG: for feeds, mail and chat programs, which show no SVG.
//!
//! ```
//! use lanescope_draw::{Drawing, Theme};
//! use lanescope_raster::{link_of, to_png};
//!
//! let drawing = Drawing { width: 40, height: 20, ..Drawing::default() };
//! let png = to_png(&drawing, Theme::Light, 2, "https://example.org/#e=a[tx]")?;
//! assert!(png.starts_with(b"\x89PNG"));
//! assert_eq!(link_of(&png).as_deref(), Some("https://example.org/#e=a[tx]"));
//! # Ok::<(), lanescope_raster::RasterError>(())
//! ```
//!
//! Text is set in a Latin part of Roboto, Chinese in the characters of Droid Sans Fallback that pictures say; both are
//! compiled in (`fonts/`), so the same drawing makes the same pixels on every machine. Left out: all other scripts.

use lanescope_draw::{Drawing, Theme, to_svg_in};
use png::text_metadata::ITXtChunk;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use std::io::Cursor;
use std::sync::Arc;

/// Digits of one width, so that numbers stand under each other.
const FONT: &[u8] = include_bytes!("../fonts/Roboto-Latin.ttf");
const FAMILY: &str = "Roboto";

/// What that lacks is looked for here.
const CHINESE: &[u8] = include_bytes!("../fonts/DroidSansFallback-Chinese.ttf");

/// The keyword of the text chunk that holds the link.
const LINK: &str = "Source";

/// Most pixels of a picture, four bytes each.
const PIXELS_MAX: u64 = 64 << 20;

/// Why there are no pixels.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RasterError {
    /// More than 64 million pixels were asked for.
    #[error("{width} by {height} pixels are too many; ask for a smaller scale")]
    TooLarge {
        /// Pixels across.
        width: u64,
        /// Pixels down.
        height: u64,
    },
    /// The drawing is not one that can be painted.
    #[error("the picture cannot be painted: {0}")]
    Drawing(#[from] resvg::usvg::Error),
    /// The file cannot be written.
    #[error("the picture cannot be written: {0}")]
    Encoding(#[from] png::EncodingError),
}

/// `drawing` as a PNG of `scale` pixels to each of the drawing's own, with `link` in an `iTXt` chunk (keyword
/// `Source`).
///
/// # Errors
/// When the picture would be too large.
pub fn to_png(
    drawing: &Drawing,
    theme: Theme,
    scale: u16,
    link: &str,
) -> Result<Vec<u8>, RasterError> {
    svg_to_png(&to_svg_in(drawing, theme), scale, link)
}

/// An SVG of [`lanescope_draw`] whose colours are written out, as [`to_png`] makes a drawing.
///
/// # Errors
/// When the picture would be too large, or the text is no SVG.
pub fn svg_to_png(svg: &str, scale: u16, link: &str) -> Result<Vec<u8>, RasterError> {
    let tree = Tree::from_str(svg, &options())?;
    let scale = f32::from(scale.max(1));
    let [width, height] =
        [tree.size().width(), tree.size().height()].map(|side| pixels(side * scale));
    let too_large = || RasterError::TooLarge {
        width: width.into(),
        height: height.into(),
    };
    if u64::from(width) * u64::from(height) > PIXELS_MAX {
        return Err(too_large());
    }
    let mut pixmap = Pixmap::new(width, height).ok_or_else(too_large)?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixmap.as_mut(),
    );
    encode(pixmap, link)
}

fn options() -> Options<'static> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(FONT.to_vec());
    fonts.load_font_data(CHINESE.to_vec());
    fonts.set_sans_serif_family(FAMILY);
    fonts.set_monospace_family(FAMILY);
    Options {
        font_family: FAMILY.to_owned(),
        fontdb: Arc::new(fonts),
        ..Options::default()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a side of a drawing in whole pixels; what is not is clamped"
)]
fn pixels(length: f32) -> u32 {
    length.ceil().clamp(1.0, 1_000_000.0) as u32
}

fn encode(pixmap: Pixmap, link: &str) -> Result<Vec<u8>, RasterError> {
    let (width, height) = (pixmap.width(), pixmap.height());
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.add_itxt_chunk(LINK.to_owned(), link.to_owned())?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixmap.take_demultiplied())?;
    writer.finish()?;
    Ok(out)
}

/// The link inside a picture of [`to_png`]; `None` for any other bytes.
#[must_use]
pub fn link_of(png: &[u8]) -> Option<String> {
    let reader = png::Decoder::new(Cursor::new(png)).read_info().ok()?;
    let of_link = |chunk: &&ITXtChunk| chunk.keyword == LINK;
    let chunk = reader.info().utf8_text.iter().find(of_link)?;
    chunk.get_text().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use skrifa::{FontRef, MetadataProvider as _};

    /// The words of pictures grow: whoever adds one with a new character makes the font's part again, as
    /// `fonts/README.md` says.
    #[test]
    fn every_character_that_pictures_say_in_chinese_has_a_glyph() {
        let font = FontRef::new(CHINESE).unwrap();
        let words = concat!(
            include_str!("../../locale/src/zh/picture.rs"),
            include_str!("../../locale/src/zh/verdict.rs"),
            include_str!("../../locale/src/zh/titles.rs")
        );
        let lacks = |sign: &char| *sign > '\u{2000}' && font.charmap().map(*sign).is_none();
        assert_eq!(words.chars().filter(lacks).collect::<String>(), "");
    }
}
