//! What nvcc makes of a source and of each of its fixes: `lanescope fix --compile`.

use crate::args::fix::FixArgs;
use crate::args::kernel::KernelArgs;
use crate::compiled::{self, Counted};
use crate::output;
use crate::sass_cost::SassCost;
use anyhow::{Context as _, bail};
use lanescope_fixes::{Advice, Suggestion};
use lanescope_frontend::NamedLaunch;
use lanescope_launches::LaunchRecord;
use lanescope_report::{ChangedFile, Fixes, launch_changes};
use lanescope_syntax::bundled_files;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The counts of a source and of its fixes.
#[derive(Debug, Serialize)]
pub(crate) struct Compiled {
    pub(crate) now: SassCost,
    /// In the order of the fixes; none of one that nvcc refuses, or that changes an included file.
    pub(crate) fixes: Vec<Option<SassCost>>,
}

/// Fixes with what is counted in their SASS.
#[derive(Serialize)]
pub(crate) struct Document {
    #[serde(flatten)]
    pub(crate) fixes: Fixes,
    pub(crate) sass: Compiled,
}

/// Compiles and counts the source, whose text with what it includes is `bundle`, and each of its fixes.
///
/// # Errors
/// When there is no compiler, or it refuses the source as it is.
pub(crate) fn counted(
    args: &FixArgs,
    record: Option<&LaunchRecord>,
    (name, bundle): (&str, &str),
    advice: &Advice,
) -> anyhow::Result<Compiled> {
    let own = bundled_files(bundle).into_iter();
    let mut own = own.filter(|file| file.path.is_empty());
    let text = own.next().context("there is no source")?.text;
    let now = sass(&version(args, &advice.launch, &[]), record, text)?;
    let fix = |(number, one): (usize, &Suggestion)| {
        let found = changed(name, bundle, one).and_then(|text| {
            let changes = launch_changes(advice, one);
            sass(&version(args, &one.launch, &changes), record, &text)
        });
        found
            .inspect_err(|why| output::complain(&format!("note: fix {number} in SASS: {why:#}")))
            .ok()
    };
    Ok(Compiled {
        now,
        fixes: (1..).zip(&advice.suggestions).map(fix).collect(),
    })
}

/// The source with the fix, where that changes no other file.
fn changed(name: &str, bundle: &str, fix: &Suggestion) -> anyhow::Result<String> {
    let files = ChangedFile::all(name, bundle, &fix.edits);
    match files.as_slice() {
        [] => {
            let all = bundled_files(bundle).into_iter();
            let mut own = all.filter(|file| file.path.is_empty());
            Ok(own.next().context("there is no source")?.text.to_owned())
        }
        [only] if only.is_source => only.changed().context("the edits of the fix overlap"),
        _ => bail!("it changes an included file"),
    }
}

/// `lanescope kernel - --compile` with the launch of a version.
fn version(args: &FixArgs, launch: &NamedLaunch, changes: &[(&'static str, String)]) -> KernelArgs {
    let mut kernel = args.kernel.clone();
    for (option, value) in changes {
        if let ("--arg", Some((name, value))) = (*option, value.split_once('=')) {
            kernel.arguments.retain(|(given, _)| given != name);
            kernel.arguments.push((name.to_owned(), value.to_owned()));
        }
    }
    if launch.dynamic_shared_bytes > 0 {
        kernel.dynamic_shared = u32::try_from(launch.dynamic_shared_bytes).ok();
    }
    // The text is compiled in a folder of its own.
    let beside = args.file.parent().filter(|_| args.file.as_os_str() != "-");
    let folders = beside.map(|folder| match folder.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => folder.to_owned(),
    });
    let absolute = |folder: PathBuf| std::path::absolute(&folder).unwrap_or(folder);
    kernel.folders = folders
        .into_iter()
        .chain(kernel.folders)
        .map(absolute)
        .collect();
    KernelArgs {
        compile: true,
        grid: Some(launch.grid),
        block: Some(launch.block),
        kernel,
        ..args.kernel_args(Path::new("-"))
    }
}

fn sass(args: &KernelArgs, record: Option<&LaunchRecord>, text: &str) -> anyhow::Result<SassCost> {
    let counted = compiled::compile(args, record, text.as_bytes())?;
    match counted {
        Counted::Analysis(counted) if counted.0.is_answered() => Ok(SassCost::of(&counted.0)),
        Counted::Analysis(_) | Counted::Nothing | Counted::Source => {
            bail!("its code could not be counted")
        }
    }
}
