//! `lanescope png`: the costliest request as a picture in pixels.

use crate::args::picture::{PictureTheme, PngArgs};
use crate::{card, output, svg};
use anyhow::bail;
use lanescope_draw::Theme;
use lanescope_raster::{svg_to_png, to_png};
use std::process::ExitCode;

/// Paints the picture.
///
/// # Errors
/// When a file cannot be read or written, there is nothing to draw, or standard output is a terminal.
pub(crate) fn run(args: &PngArgs) -> anyhow::Result<ExitCode> {
    let theme = match args.theme {
        PictureTheme::Light => Theme::Light,
        PictureTheme::Dark => Theme::Dark,
    };
    let drawn = svg::drawn(&args.picture)?;
    let link = &drawn.link;
    let png = if args.card {
        svg_to_png(&card::svg(&drawn, theme), 1, link)?
    } else {
        to_png(&drawn.drawing, theme, args.scale, link)?
    };
    if output::is_terminal() {
        bail!("a picture is no text; give --output FILE");
    }
    output::bytes(&png)?;
    Ok(drawn.exit_code)
}
