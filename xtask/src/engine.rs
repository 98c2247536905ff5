//! Tasks that count and draw are done by a program of their own, `xtask-engine`: it has the whole engine in it, and this
//! one is built in a third of the time.

use anyhow::Result;
#[cfg(not(feature = "engine"))]
use clap::Args;

use crate::{native, process};

/// What follows a task's name: its own program reads it.
#[cfg(not(feature = "engine"))]
#[derive(Args)]
pub(crate) struct Words {
    #[arg(num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

#[cfg(not(feature = "engine"))]
impl Words {
    /// Hands the task over.
    ///
    /// # Errors
    /// When the program cannot be built, or the task fails.
    pub(crate) fn run(&self, task: &str) -> Result<()> {
        run(task, &self.words)
    }
}

/// Builds what stands beside the page in `dist/`: the gallery, the stories and the documentation.
///
/// # Errors
/// When one of them has a fault.
pub(crate) fn articles(base: &str) -> Result<()> {
    run("articles", &[format!("--base={base}")])
}

/// The same, by the `xtask-engine` that stands beside the tests.
///
/// # Errors
/// When the tests do not compile, or one of them has a fault.
pub(crate) fn articles_beside_tests() -> Result<()> {
    native::build()?;
    let mut engine = process::command_at(&native::program("xtask-engine"));
    process::run(engine.arg("articles"))
}

/// Builds `xtask-engine`, if it is not there yet, and has it do a task.
///
/// # Errors
/// When it cannot be built, or the task fails.
fn run(task: &str, words: &[String]) -> Result<()> {
    let mut engine = process::cargo(&["run", "--quiet", "--locked", "--package", "xtask"]);
    engine.args(["--bin", "xtask-engine", "--", task]);
    process::run(engine.args(words))
}
