//! The command line of `lanescope link`, `svg` and `png`.

use super::count::CountArgs;
use super::expr::ExpressionArgs;
use super::launch::{ExtentArgs, KernelLaunchArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What a link or a picture is of.
#[derive(Args, Debug)]
pub(crate) struct SubjectArgs {
    #[command(flatten)]
    pub(crate) expression: ExpressionArgs,
    /// Kernel's source file instead of expressions; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["accesses", "declarations", "values"])]
    pub(crate) file: Option<PathBuf>,
    /// Link of the page instead of all else
    #[arg(long, value_name = "LINK", conflicts_with_all = ["accesses", "declarations", "values", "file"])]
    pub(crate) link: Option<String>,
    #[command(flatten)]
    pub(crate) extents: ExtentArgs,
    #[command(flatten)]
    pub(crate) count: CountArgs,
    #[command(flatten)]
    pub(crate) kernel: KernelLaunchArgs,
}

/// Print the link that opens an expression or a kernel in the page
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope link 'tile[tx][ty]' --decl 'float tile[32][33]' --block 32,32\n  \
    lanescope link --file transpose.cu --grid 32,32 --block 32,32 --arg nx=1024 --base https://example.org/lanescope/")]
pub(crate) struct LinkArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// Address of the page; without it the link begins at #
    #[arg(long, value_name = "URL", default_value = "")]
    pub(crate) base: String,
}

/// How much is run before the costliest request is chosen.
#[derive(Args, Debug)]
pub(crate) struct PictureLimits {
    /// Stop after so many requests of warps
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) max_requests: u64,
    /// Stop after so many steps of warps and blocks [default: 20 for each request]
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,
}

/// Draw the costliest request of an expression or a kernel as SVG
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope svg 'tile[tx][ty]' --decl 'float tile[32][32]' --block 32,32 > tile.svg\n  \
    lanescope svg --file transpose.cu --grid 32,32 --block 32,32 --arg nx=1024 --line 12 > line12.svg\n  \
    lanescope svg --link '#v=1&e=tile[tx][ty]&d=float tile[32][33]&b=32,32' > tile.svg")]
pub(crate) struct SvgArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// Line whose costliest request is drawn; without it the costliest of all
    #[arg(long, value_name = "N")]
    pub(crate) line: Option<u32>,
    /// Address of the page, for the link inside the picture
    #[arg(long, value_name = "URL", default_value = "")]
    pub(crate) base: String,
    #[command(flatten)]
    pub(crate) limits: PictureLimits,
}

/// Draw the costliest request of an expression or a kernel as PNG, with its link inside
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope png 'tile[tx][ty]' --decl 'float tile[32][32]' --block 32,32 > tile.png\n  \
    lanescope png --file transpose.cu --grid 32,32 --block 32,32 --theme dark --output transpose.png\n  \
    lanescope png --file transpose.cu --grid 32,32 --block 32,32 --card --output card.png\n\n\
    The link stands in an iTXt chunk with the keyword Source.")]
pub(crate) struct PngArgs {
    #[command(flatten)]
    pub(crate) picture: SvgArgs,
    /// Paint the card of the answer instead, 1200 by 630 pixels: code, verdict, before and after the best fix
    #[arg(long, conflicts_with = "scale")]
    pub(crate) card: bool,
    /// Ground of the picture
    #[arg(long, value_name = "THEME", default_value = "light")]
    pub(crate) theme: PictureTheme,
    /// Pixels to each of the picture's own
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=8))]
    pub(crate) scale: u16,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureTheme {
    Light,
    Dark,
}
