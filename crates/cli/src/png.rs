//! `lanescope png`: the costliest request as a picture in pixels.

use crate::args::picture::{PictureTheme, PngArgs};
use crate::{output, svg};
use anyhow::bail;
use lanescope_draw::Theme;
use lanescope_raster::to_png;
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
    let svg::Drawn {
        drawing,
        link,
        exit_code,
    } = svg::drawn(&args.picture)?;
    let png = to_png(&drawing, theme, args.scale, &link)?;
    if output::is_terminal() {
        bail!("a picture is no text; give --output FILE");
    }
    output::bytes(&png)?;
    Ok(exit_code)
}
