//! Kernels whose fixes are compiled.

use crate::process;
use crate::real::{From, launches};
use anyhow::{Context as _, Result};
use lanescope_gallery::PRESETS;
use lanescope_share::Source;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A kernel and its launch, as the command line takes them.
pub(super) struct Case {
    /// For people.
    pub(super) name: String,
    pub(super) input: PathBuf,
    /// Folders to look in for the files that it includes.
    pub(super) folders: BTreeSet<PathBuf>,
    /// Options of the launch, each with its value.
    pub(super) arguments: Vec<(String, String)>,
}

impl Case {
    /// The options of the launch with `changed` instead of those of the same meaning.
    pub(super) fn relaunched(&self, changed: &[(String, String)]) -> Vec<(String, String)> {
        let mut arguments = self.arguments.clone();
        for (name, value) in changed {
            let given = |value: &str| value.split('=').next().map(str::to_owned);
            arguments
                .retain(|(old, of)| old != name || (name == "--arg" && given(of) != given(value)));
            arguments.push((name.clone(), value.clone()));
        }
        arguments
    }
}

/// The launches of these folders whose source is there.
///
/// # Errors
/// When a folder has none.
pub(super) fn recorded(folders: &[PathBuf]) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for folder in folders {
        cases.extend(
            launches(folder, From::Source)?
                .into_iter()
                .map(|launch| Case {
                    name: launch.name,
                    input: launch.input,
                    folders: launch.folders,
                    arguments: vec![("--launch".to_owned(), launch.record)],
                }),
        );
    }
    Ok(cases)
}

/// The kernels of the fixes' tests, among them all of the lab, and those of the gallery, written into `scratch`.
///
/// # Errors
/// When the tests fail, or the folder cannot be written.
pub(super) fn own(scratch: &Path) -> Result<Vec<Case>> {
    let folder = scratch.join("kernels");
    if folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let mut tests = process::cargo(&["test", "--quiet", "-p", "lanescope-fixes", "--tests"]);
    process::run(tests.env("LANESCOPE_KERNELS", &folder))?;
    write_gallery(&folder)?;
    let mut cases = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let input = entry?.path();
        if input.extension().is_some_and(|ending| ending == "cu") {
            cases.push(case_at(input)?);
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cases)
}

/// The kernel in a file, with the options of its launch, one a line, beside it.
fn case_at(input: PathBuf) -> Result<Case> {
    let beside = input.with_extension("launch");
    let text = fs::read_to_string(&beside)
        .with_context(|| format!("could not read {}", beside.display()))?;
    let options = text.lines().filter_map(|line| line.split_once(' '));
    Ok(Case {
        name: input
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        folders: BTreeSet::new(),
        arguments: options
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        input,
    })
}

fn write_gallery(folder: &Path) -> Result<()> {
    for preset in PRESETS {
        let state = preset.state();
        let Source::Kernel(text) = state.source else {
            continue;
        };
        let extent = |sides: [u32; 3]| sides.map(|side| side.to_string()).join(",");
        let mut launch = format!(
            "--grid {}\n--block {}\n",
            extent(state.launch.grid),
            extent(state.launch.block)
        );
        for (name, value) in &state.launch.arguments {
            launch.push_str(&format!("--arg {name}={value}\n"));
        }
        let path = folder.join(format!("gallery_{}.cu", preset.id));
        fs::write(path.with_extension("launch"), launch)?;
        fs::write(path, text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_fix_launches_with_takes_the_place_of_what_was_given() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let case = Case {
            name: String::new(),
            input: PathBuf::new(),
            folders: BTreeSet::new(),
            arguments: vec![
                pair("--block", "8,8,1"),
                pair("--arg", "n=4"),
                pair("--arg", "m=5"),
            ],
        };
        let changed = [pair("--block", "32,8,1"), pair("--arg", "n=6")];
        let expected = vec![
            pair("--arg", "m=5"),
            pair("--block", "32,8,1"),
            pair("--arg", "n=6"),
        ];
        assert_eq!(case.relaunched(&changed), expected);
    }
}
