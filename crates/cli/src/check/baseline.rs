//! Findings that are accepted: those of a baseline, unless they have become worse.

use super::finding::{Accepted, Finding};
use super::outcome::Outcome;
use crate::{input, output};
use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The version of the file.
const VERSION: u32 = 1;

/// The file.
#[derive(Debug, Default, Deserialize, Serialize)]
struct File {
    version: u32,
    /// What each finding costs, by its fingerprint; of one without a number, nothing.
    findings: BTreeMap<String, Option<f64>>,
}

/// Writes the findings of `outcome` that no comment accepts.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn write(path: &Path, outcome: &Outcome) -> anyhow::Result<usize> {
    let mut file = File {
        version: VERSION,
        ..File::default()
    };
    for finding in outcome
        .findings()
        .filter(|one| one.accepted != Some(Accepted::Comment))
    {
        let worst = file
            .findings
            .entry(finding.fingerprint())
            .or_insert(finding.value);
        *worst = match (*worst, finding.value) {
            (Some(old), Some(new)) => Some(old.max(new)),
            (old, new) => old.or(new),
        };
    }
    std::fs::write(path, output::json(&file)?)
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(file.findings.len())
}

/// Accepts what the baseline at `path` has and is no worse.
///
/// # Errors
/// When it cannot be read.
pub(super) fn accept(path: &Path, outcome: &mut Outcome) -> anyhow::Result<()> {
    let text = input::text(path)?;
    let file: File = serde_json::from_str(&text)
        .with_context(|| format!("{} is no baseline", path.display()))?;
    if file.version != VERSION {
        bail!(
            "{} is of version {}; this program reads {VERSION}",
            path.display(),
            file.version
        );
    }
    for finding in outcome.findings_mut().filter(|one| one.accepted.is_none()) {
        if file
            .findings
            .get(&finding.fingerprint())
            .is_some_and(|old| !is_worse(finding, *old))
        {
            finding.accepted = Some(Accepted::Baseline);
        }
    }
    Ok(())
}

fn is_worse(finding: &Finding, old: Option<f64>) -> bool {
    match (finding.value, old) {
        (Some(new), Some(old)) => new > old,
        (Some(_), None) => true,
        (None, _) => false,
    }
}
