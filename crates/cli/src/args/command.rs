//! The command line.

use super::check::CheckArgs;
use super::compare::CompareArgs;
use super::devices::DevicesArgs;
use super::expr::ExprArgs;
use super::fix::FixArgs;
use super::format::ColorArg;
use super::kernel::KernelArgs;
#[cfg(feature = "lab")]
use super::lab::{AdaptersArgs, LabArgs};
use super::layout::LayoutArgs;
use super::manual::{CompletionsArgs, ManArgs};
use super::picture::{LinkArgs, PngArgs, SvgArgs};
use super::run::EmitArgs;
#[cfg(feature = "lab")]
use super::run::RunArgs;
use super::trace::TraceArgs;
use crate::mcp::McpArgs;
use crate::serve::ServeArgs;
use crate::watch;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// See what a warp does to memory: shared-memory bank conflicts and global sectors, as the hardware counts them.
#[derive(Debug, Parser)]
#[command(
    name = "lanescope",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
#[command(
    after_help = "Numbers go to standard output, everything else to standard error.\n\
    Exit status: 0 when counted, predicted or counted under named assumptions, 3 when not fully counted,\n\
    1 when nothing could be, 2 for bad usage."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Stop after so many seconds, with what was found until then; 0 for no limit [default: 2 for pictures and where the launch is guessed, else none]
    #[arg(long, value_name = "S", global = true, value_parser = watch::parse_seconds)]
    pub(crate) max_seconds: Option<Duration>,
    /// File to write the answer to, instead of standard output
    #[arg(long, short, value_name = "FILE", global = true)]
    pub(crate) output: Option<PathBuf>,
    /// Whether what is wrong with a source is shown in colour: auto means where standard error is a terminal
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    pub(crate) color: ColorArg,
}

/// A picture is for a page that waits for it.
const PICTURE_SECONDS: Duration = Duration::from_secs(2);

impl Cli {
    /// The time that the command may take; `None` without limit.
    pub(crate) fn limit(&self) -> Option<Duration> {
        let default = match self.command {
            Command::Svg(_) | Command::Png(_) => Some(PICTURE_SECONDS),
            Command::Expr(_)
            | Command::Kernel(_)
            | Command::Fix(_)
            | Command::Check(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Trace(_)
            | Command::Compare(_)
            | Command::Layout(_)
            | Command::Devices(_)
            | Command::Serve(_)
            | Command::Mcp(_)
            | Command::Link(_)
            | Command::Emit(_) => None,
            #[cfg(feature = "lab")]
            Command::Lab(_) | Command::Adapters(_) | Command::Run(_) => None,
        };
        let limit = self.max_seconds.or(default);
        limit.filter(|limit| !limit.is_zero())
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Expr(ExprArgs),
    Kernel(KernelArgs),
    #[command(alias = "mend")]
    Fix(FixArgs),
    Check(CheckArgs),
    #[cfg(feature = "lab")]
    Run(RunArgs),
    Emit(EmitArgs),
    Trace(TraceArgs),
    Compare(CompareArgs),
    Layout(LayoutArgs),
    Devices(DevicesArgs),
    Serve(ServeArgs),
    Mcp(McpArgs),
    Link(LinkArgs),
    Svg(SvgArgs),
    Png(PngArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
    #[cfg(feature = "lab")]
    Lab(LabArgs),
    #[cfg(feature = "lab")]
    Adapters(AdaptersArgs),
}
