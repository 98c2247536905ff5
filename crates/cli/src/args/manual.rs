//! The command line of `lanescope completions` and `lanescope man`.

use clap::Args;
use clap_complete::Shell;

/// Print a shell's completions of this command line
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope completions bash > ~/.local/share/bash-completion/completions/lanescope\n  \
    lanescope completions zsh > \"${fpath[1]}/_lanescope\"")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

/// Print the manual page of this program, or of one of its commands
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope man > ~/.local/share/man/man1/lanescope.1\n  \
    lanescope man check | man -l -")]
pub(crate) struct ManArgs {
    /// The command; the whole program without it
    #[arg(value_name = "COMMAND")]
    pub(crate) name: Option<String>,

    /// Print every command in one text, as Markdown
    #[arg(long, conflicts_with = "name")]
    pub(crate) markdown: bool,
}
