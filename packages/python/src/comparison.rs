//! Predictions beside what a profiler measured.

use crate::subject::Subject;
use crate::watch::Watch;
use crate::{analysis, compiled};
use anyhow::bail;
use lanescope_profiler::{Comparison, Export, KernelProfile, ProfilerError, listing, read};
use lanescope_query::measured;

/// Which launch of a report is meant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// The kernel's name.
    pub(crate) kernel: Option<String>,
    /// The subject's name of the kernel: it chooses where none is given and the report has several.
    pub(crate) own: Option<String>,
    /// The launch's number among those of the kernel, from 1.
    pub(crate) nth: Option<usize>,
}

/// The comparison of a subject with a profiler's exports as JSON.
pub(crate) fn of(
    subject: Subject,
    exports: &[String],
    choice: &Choice,
    watch: &Watch,
) -> anyhow::Result<String> {
    let export = joined(exports)?;
    let profile = chosen(&export, choice)?;
    let state = subject.state()?;
    let comparison: Comparison = if let Some(text) = subject.compiled_text(&state) {
        let analysis = compiled::analysis(&subject, &state, text, watch)?;
        let is_of_listing = listing(profile).is_some_and(|listing| listing == text);
        measured(&analysis, profile, is_of_listing)?
    } else {
        let (analysis, _) = analysis::of(subject, watch)?;
        measured(&analysis, profile, false)?
    };
    Ok(serde_json::to_string(&comparison)?)
}

fn chosen<'e>(export: &'e Export, choice: &Choice) -> Result<&'e KernelProfile, ProfilerError> {
    match (
        export.chosen(choice.kernel.as_deref(), choice.nth),
        &choice.own,
    ) {
        (Err(error), Some(own)) if choice.kernel.is_none() => export
            .chosen(Some(own), choice.nth)
            // What there is to choose from is more than that it is not this one.
            .map_err(|own| match own {
                ProfilerError::SeveralLaunches { .. } => own,
                _ => error,
            }),
        (found, _) => found,
    }
}

/// The exports of one report as one.
fn joined(exports: &[String]) -> anyhow::Result<Export> {
    let mut all: Option<Export> = None;
    for text in exports {
        let page = read(text)?;
        match &mut all {
            Some(all) => all.join(page),
            None => all = Some(page),
        }
    }
    match all {
        Some(all) => Ok(all),
        None => bail!("no report"),
    }
}
