//! `lanescope check`: the kernels of files and folders, held to limits.

mod baseline;
mod count;
mod files;
mod finding;
mod github;
mod json;
mod junit;
mod launch;
mod markdown;
mod outcome;
mod rule;
mod sarif;
mod settings;
mod target;
mod text;

use crate::args::check::{CheckArgs, CheckFormat};
use crate::limits::Limits;
use crate::watch::Threads;
use crate::{clock, output, watch};
use finding::{Accepted, Finding, Level};
use launch::Directive;
use outcome::Outcome;
use rule::Rule;
use settings::Settings;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use target::SourceFile;

/// Checks the files and prints what is found.
///
/// # Errors
/// When the settings or the baseline cannot be read, a path names nothing, or the answer cannot be written.
pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let settings = Settings::of(args)?;
    let found = files::found(&args.paths, &settings)?;
    let mut outcome = Outcome::default();
    for why in found.unreadable {
        outcome.others.push(Finding::about(
            Rule::Unreadable,
            Level::Error,
            ("", 0),
            "",
            why,
        ));
    }
    for of_file in of_each(&found.files, args, &settings) {
        outcome.add(of_file);
    }
    if let Some(path) = &args.write_baseline {
        let count = baseline::write(path, &outcome)?;
        output::complain(&format!("{count} findings written to {}", path.display()));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(path) = &settings.baseline {
        baseline::accept(path, &mut outcome)?;
    }
    let text = match args.format {
        CheckFormat::Text => text::text(&outcome),
        CheckFormat::Json => json::text(&outcome)?,
        CheckFormat::Sarif => sarif::text(&outcome)?,
        CheckFormat::Github => github::text(&outcome),
        CheckFormat::Junit => junit::text(&outcome)?,
        CheckFormat::Markdown => markdown::text(&outcome, args.base.as_deref())?,
    };
    output::print(&text)?;
    Ok(ExitCode::from(outcome.exit(args.allow_uncounted).code()))
}

/// What comes of each file, in order; they are checked several at a time.
fn of_each(files: &[PathBuf], args: &CheckArgs, settings: &Settings) -> Vec<Outcome> {
    let outcomes: Vec<Mutex<Outcome>> = files.iter().map(|_| Mutex::default()).collect();
    // One compiler at a time, so that none is left where this process is killed.
    let threads = Threads::of(args.compile.then_some(NonZeroUsize::MIN));
    watch::each_file(threads, files.len(), |number| {
        if let (Some(path), Some(outcome)) = (files.get(number), outcomes.get(number)) {
            let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
            file(path, args, settings, &mut outcome);
        }
    });
    let inner =
        |outcome: Mutex<Outcome>| outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.into_iter().map(inner).collect()
}

/// Checks one file.
fn file(path: &Path, args: &CheckArgs, settings: &Settings, outcome: &mut Outcome) {
    let unreadable = |why: String| {
        let name = path.display().to_string();
        Finding::about(Rule::Unreadable, Level::Error, (&name, 1), "", why)
    };
    if clock::is_over() {
        outcome
            .others
            .push(unreadable("not checked: the time is up".to_owned()));
        return;
    }
    let source = match count::source_file(path, args) {
        Ok(Some(source)) => source,
        Ok(None) => return,
        Err(error) => return outcome.others.push(unreadable(format!("{error:#}"))),
    };
    outcome.files += 1;
    match count::kernels(&source, args) {
        Ok(names) => kernels(&source, &names, args, settings, outcome),
        Err(error) => outcome.others.push(unreadable(format!("{error:#}"))),
    }
}

fn kernels(
    source: &SourceFile,
    names: &[String],
    args: &CheckArgs,
    settings: &Settings,
    outcome: &mut Outcome,
) {
    let targets = target::targets(source, names, settings);
    outcome.skipped += targets.skipped;
    outcome.others.extend(targets.findings);
    for launched in &targets.launched {
        let given: Limits = launched.given.limits;
        let limits = given.or(settings.limits).or_default();
        let mut counted = count::counted(launched, limits, args);
        for finding in &mut counted.findings {
            if is_allowed(finding, source, &targets.allowed) {
                finding.accepted = Some(Accepted::Comment);
            }
        }
        outcome.launches.push(counted);
    }
}

/// Whether a comment on the finding's line, or alone on the one before it, accepts it.
fn is_allowed(finding: &Finding, source: &SourceFile, comments: &[Directive]) -> bool {
    let line = finding.region.line;
    let is_here = |comment: &&Directive| match comment.is_trailing {
        true => comment.line == line,
        false => comment.line.saturating_add(1) == line,
    };
    let accepts = |comment: &Directive| {
        let rules = comment.allows.as_deref().unwrap_or_default();
        rules.is_empty() || rules.iter().any(|rule| rule == finding.rule.key())
    };
    finding.rule.has_limit()
        && finding.file == source.name
        && comments.iter().filter(is_here).any(accepts)
}
