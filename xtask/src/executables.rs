//! The executables of tests, several at a time: `cargo test` starts the next when the last has ended, and one that has a
//! single thread leaves the other cores idle.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::{panic, thread};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::process;
use crate::tally::Tally;

/// What cargo built, and the folder of its package, where its tests find their files.
#[derive(Debug, PartialEq, Eq)]
struct Executable {
    path: PathBuf,
    package: PathBuf,
}

/// Builds what `cargo`, a `cargo test`, would run, has `runner` run each of it, as many at a time as there are cores, and adds
/// up the results. What one of them prints stands together.
///
/// # Errors
/// When something does not compile, or `runner` cannot be started.
pub(crate) fn tally(cargo: &mut Command, runner: impl Fn() -> Command + Sync) -> Result<Tally> {
    let executables = Mutex::new(built(cargo)?.into_iter());
    let work = || -> Result<Tally> {
        let mut tally = Tally::default();
        while let Some(executable) = executables.lock().ok().and_then(|mut rest| rest.next()) {
            tally += executable.run(&mut runner())?;
        }
        Ok(tally)
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_fold(Tally::default(), |mut sum, worker| {
                sum += worker
                    .join()
                    .unwrap_or_else(|told| panic::resume_unwind(told))?;
                Ok(sum)
            })
    })
}

fn built(cargo: &mut Command) -> Result<Vec<Executable>> {
    cargo.args(["--no-run", "--message-format", "json-render-diagnostics"]);
    let messages = process::output(cargo)?;
    let executables: Vec<_> = messages.lines().filter_map(executable).collect();
    ensure!(!executables.is_empty(), "cargo built no tests");
    Ok(executables)
}

/// What a line of cargo's messages says was built, if it is an executable.
fn executable(message: &str) -> Option<Executable> {
    let message: Value = serde_json::from_str(message).ok()?;
    let text = |key: &str| message.get(key)?.as_str();
    Some(Executable {
        path: text("executable")?.into(),
        package: Path::new(text("manifest_path")?).parent()?.into(),
    })
}

impl Executable {
    fn run(&self, runner: &mut Command) -> Result<Tally> {
        let output = runner
            .arg(&self.path)
            .arg("--quiet")
            .current_dir(&self.package)
            .env("CARGO_MANIFEST_DIR", &self.package)
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("could not start {}", self.path.display()))?;
        let printed = String::from_utf8_lossy(&output.stdout);
        println!("{}\n{printed}", self.path.display());
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        let succeeded = output.status.success() || ended_well(&printed, output.status.code());
        Ok(Tally::of(printed.lines(), succeeded))
    }
}

/// Whether a program of tests whose end says otherwise had ended them all, and all well: Node now and then crashes at its own
/// end, by a signal, so without a code, when what it ran has returned.
fn ended_well(printed: &str, code: Option<i32>) -> bool {
    code.is_none()
        && printed
            .lines()
            .any(|line| line.starts_with("test result: ok."))
}

#[cfg(test)]
mod tests {
    use super::{Executable, ended_well, executable};

    #[test]
    fn a_crash_behind_the_last_test_is_none_of_the_tests() {
        let printed = "running 1 test\n.\ntest result: ok. 1 passed; 0 failed; 0 ignored\n";
        assert!(ended_well(printed, None));
        assert!(!ended_well(printed, Some(1)));
        assert!(!ended_well("running 1 test\n", None));
    }

    #[test]
    fn cargos_messages_name_executables_and_their_packages() {
        let built = r#"{"reason":"compiler-artifact","manifest_path":"/p/crates/ir/Cargo.toml","executable":"/p/target/ir-1"}"#;
        let expected = Executable {
            path: "/p/target/ir-1".into(),
            package: "/p/crates/ir".into(),
        };
        assert_eq!(executable(built), Some(expected));
        let library = r#"{"reason":"compiler-artifact","manifest_path":"/p/crates/ir/Cargo.toml","executable":null}"#;
        assert_eq!(executable(library), None);
        assert_eq!(executable("no message"), None);
    }
}
