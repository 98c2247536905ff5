//! What a release has beside its archives: checksums, installers, a Homebrew formula and its notes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use sha2::{Digest as _, Sha256};

use crate::workspace;

/// What `cargo xtask release` is told.
#[derive(Args)]
pub(crate) struct Options {
    /// The tag, which is the version of Cargo.toml with a v before it
    #[arg(long, value_name = "TAG")]
    tag: String,
    /// The repository's address, without a slash at its end
    #[arg(long, value_name = "URL")]
    repository: String,
    /// Where the archives are, and the rest is written
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    /// Where the archives can be downloaded [default: the tag's release of the repository on GitHub]
    #[arg(long, value_name = "URL")]
    downloads: Option<String>,
}

/// The files that are filled in, as they stand in `packages/install`.
const INSTALLERS: [&str; 2] = ["install.sh", "install.ps1"];
const FORMULA: &str = "lanescope.rb";
/// The archives that the formula names.
const OF_FORMULA: [&str; 4] = [
    "aarch64-macos",
    "x86_64-macos",
    "aarch64-linux",
    "x86_64-linux",
];
const CHECKSUMS: &str = "SHA256SUMS";
const NOTES: &str = "NOTES.md";

/// Writes them.
///
/// # Errors
/// When the tag is not the version, the changelog does not tell of it, or the folder has no archive.
pub(crate) fn prepare(options: &Options) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    ensure!(
        options.tag == format!("v{version}"),
        "the tag is {}, but Cargo.toml says {version}: set one of them",
        options.tag
    );
    let changelog = fs::read_to_string(workspace::root().join("CHANGELOG.md"))
        .context("could not read CHANGELOG.md")?;
    write(&options.folder.join(NOTES), &notes(&changelog, version)?)?;
    let downloads = options
        .downloads
        .clone()
        .unwrap_or_else(|| format!("{}/releases/download/{}", options.repository, options.tag));
    let release = Release {
        tag: options.tag.clone(),
        homepage: options.repository.clone(),
        downloads,
        checksums: checksums(&options.folder)?,
    };
    ensure!(
        !release.checksums.is_empty(),
        "{} has no archive: build them first",
        options.folder.display()
    );
    for name in INSTALLERS {
        write(&options.folder.join(name), &release.filled(name)?)?;
    }
    let archive = |machine: &str| format!("lanescope-{}-{machine}.tar.gz", options.tag);
    let has = |machine: &str| release.checksums.contains_key(&archive(machine));
    if OF_FORMULA.iter().all(|machine| has(machine)) {
        write(&options.folder.join(FORMULA), &release.filled(FORMULA)?)?;
    }
    let lines = checksums(&options.folder)?.into_iter();
    let lines = lines.map(|(name, checksum)| format!("{checksum}  {name}\n"));
    write(&options.folder.join(CHECKSUMS), &lines.collect::<String>())
}

/// A release, as far as its files name it.
struct Release {
    tag: String,
    homepage: String,
    downloads: String,
    /// By file.
    checksums: BTreeMap<String, String>,
}

impl Release {
    /// A file of `packages/install` with what it leaves open.
    fn filled(&self, name: &str) -> Result<String> {
        let path = workspace::root().join("packages/install").join(name);
        let text = fs::read_to_string(&path)
            .with_context(|| format!("could not read {}", path.display()))?;
        let mut text = text
            .replace("@ADDRESS@", &self.downloads)
            .replace("@HOMEPAGE@", &self.homepage)
            .replace("@PLAIN_VERSION@", self.tag.trim_start_matches('v'))
            .replace("@VERSION@", &self.tag);
        for (file, checksum) in &self.checksums {
            text = text.replace(&format!("@SHA256:{file}@"), checksum);
        }
        if let Some(at) = text.find("@SHA256:") {
            let rest = text.get(at..).unwrap_or_default();
            bail!(
                "{name} names {}, which is not here",
                rest.lines().next().unwrap_or_default()
            );
        }
        Ok(text)
    }
}

/// The checksums of a folder's files, but for the checksums themselves and the notes.
fn checksums(folder: &Path) -> Result<BTreeMap<String, String>> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("could not read the folder {}", folder.display()))?;
    let mut found = BTreeMap::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !entry.file_type()?.is_file() || [CHECKSUMS, NOTES].contains(&&*name) {
            continue;
        }
        let bytes = fs::read(entry.path()).with_context(|| format!("could not read {name}"))?;
        let digest = Sha256::digest(&bytes);
        let checksum = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        found.insert(name, checksum);
    }
    Ok(found)
}

/// What the changelog says of a version: the text under its heading.
fn notes(changelog: &str, version: &str) -> Result<String> {
    let is_heading = |line: &&str| line.starts_with("## ");
    let of_version = |line: &&str| is_heading(line) && line.contains(version);
    let mut lines = changelog.lines().skip_while(|line| !of_version(line));
    let Some(_) = lines.next() else {
        bail!("CHANGELOG.md has no heading for {version}: give what is unreleased that heading");
    };
    let text: Vec<&str> = lines.take_while(|line| !is_heading(line)).collect();
    Ok(format!("{}\n", text.join("\n").trim()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("could not write {}", path.display()))
}

#[cfg(test)]
mod tests;
