//! The command line of `lanescope mcp`.

use clap::Args;

/// Answer assistants over standard input and output, in the Model Context Protocol
///
/// Tools: analyse, fix, layout, devices. Nothing is read but what a call gives, nothing is run on a GPU or by a compiler, and
/// nothing leaves this machine.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    claude mcp add lanescope -- lanescope mcp\n  \
    npx @modelcontextprotocol/inspector lanescope mcp")]
pub(crate) struct McpArgs {}
