//! A file's kernels, and how each is launched.

use super::finding::{Finding, Level, extent};
use super::launch::{Directive, GivenLaunch, directives};
use super::rule::Rule;
use super::settings::Settings;
use lanescope_share::State;
use std::path::PathBuf;

/// A file with kernels.
#[derive(Debug)]
pub(super) struct SourceFile {
    pub(super) path: PathBuf,
    /// As findings name it: with `/`.
    pub(super) name: String,
    /// The file's own text.
    pub(super) text: String,
    /// The text with the files that it includes, the device, and macros for all.
    pub(super) state: State,
}

/// A kernel and one of its launches.
#[derive(Debug)]
pub(super) struct Launched<'f> {
    pub(super) file: &'f SourceFile,
    /// Its name without a template's arguments.
    pub(super) name: String,
    /// Where it stands, from 1.
    pub(super) line: u32,
    /// What is given of the launch.
    pub(super) given: GivenLaunch,
}

impl Launched<'_> {
    /// What is given of the launch, in words; empty where nothing is.
    pub(super) fn words(&self) -> String {
        let GivenLaunch {
            kernel,
            grid,
            block,
            dynamic_shared,
            arguments,
            defines,
            ..
        } = &self.given;
        let mut words = Vec::new();
        words.extend(
            kernel
                .as_ref()
                .filter(|kernel| **kernel != self.name)
                .map(|kernel| format!("kernel={kernel}")),
        );
        words.extend(grid.map(|grid| format!("grid={}", extent(grid))));
        words.extend(block.map(|block| format!("block={}", extent(block))));
        words.extend(dynamic_shared.map(|bytes| format!("dynamic-shared={bytes}")));
        words.extend(
            defines
                .iter()
                .map(|(name, value)| format!("define:{name}={value}")),
        );
        words.extend(
            arguments
                .iter()
                .map(|(name, value)| format!("{name}={value}")),
        );
        words.join(" ")
    }
}

/// The launches of a file's kernels, and what its comments say besides.
#[derive(Debug, Default)]
pub(super) struct Targets<'f> {
    pub(super) launched: Vec<Launched<'f>>,
    /// Comments that accept findings.
    pub(super) allowed: Vec<Directive>,
    /// Comments that cannot be read.
    pub(super) findings: Vec<Finding>,
    /// Kernels that a comment leaves out.
    pub(super) skipped: usize,
}

/// Lays the launches out of the kernels `names` that stand in the file's own text.
pub(super) fn targets<'f>(
    file: &'f SourceFile,
    names: &[String],
    settings: &Settings,
) -> Targets<'f> {
    let mut targets = Targets::default();
    let mut for_kernels = Vec::new();
    for directive in directives(&file.text) {
        match directive {
            Err((line, why)) => targets.findings.push(Finding::about(
                Rule::InvalidLaunch,
                Level::Error,
                (&file.name, line),
                "",
                format!("this comment cannot be read: {why}"),
            )),
            Ok(directive) => {
                let owner = owner(&file.text, &directive, names);
                let is_for_kernel = directive.launch.is_some() || directive.skips;
                if is_for_kernel && owner.is_none() {
                    targets.findings.push(Finding::about(
                        Rule::InvalidLaunch,
                        Level::Error,
                        (&file.name, directive.line),
                        "",
                        "no kernel stands behind this comment".to_owned(),
                    ));
                }
                for_kernels.extend(
                    owner
                        .filter(|_| is_for_kernel)
                        .map(|owner| (owner, directive.clone())),
                );
                if directive.allows.is_some() {
                    targets.allowed.push(directive);
                }
            }
        }
    }
    for name in names {
        targets.kernel(file, name, &for_kernels, settings);
    }
    targets
}

impl<'f> Targets<'f> {
    fn kernel(
        &mut self,
        file: &'f SourceFile,
        name: &str,
        comments: &[(String, Directive)],
        settings: &Settings,
    ) {
        let Some(at) = word(&file.text, name, 0) else {
            return;
        };
        let mine = || {
            comments
                .iter()
                .filter(|(owner, _)| owner == name)
                .map(|(_, directive)| directive)
        };
        if mine().any(|directive| directive.skips) {
            self.skipped += 1;
            return;
        }
        let line = line_of(&file.text, at);
        let mut given: Vec<GivenLaunch> = mine()
            .filter_map(|directive| directive.launch.clone())
            .collect();
        if given.is_empty() {
            given = settings.launches(&file.path, name);
        }
        if given.is_empty() {
            given.push(GivenLaunch::default());
        }
        self.launched
            .extend(given.into_iter().map(|given| Launched {
                file,
                name: name.to_owned(),
                line,
                given,
            }));
    }
}

/// The kernel that a comment is about: the one that it names, or else the next behind it.
fn owner(text: &str, directive: &Directive, names: &[String]) -> Option<String> {
    let named = directive
        .launch
        .as_ref()
        .and_then(|launch| launch.kernel.as_deref());
    if let Some(named) = named {
        let base = named.split('<').next().unwrap_or(named).trim();
        return names.iter().find(|name| *name == base).cloned();
    }
    let end = text[directive.at..]
        .find('\n')
        .map_or(text.len(), |end| directive.at + end);
    let places = names
        .iter()
        .filter_map(|name| Some((word(text, name, end)?, name)));
    places.min().map(|(_, name)| name.clone())
}

/// Where `name` stands in `text` as a word that a bracket or a template's arguments follow, from `from` on; the kernel's
/// own definition, where host code launches it before that.
fn word(text: &str, name: &str, from: usize) -> Option<usize> {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let rest = text.get(from..)?;
    let mut places = rest.match_indices(name).filter(|(at, _)| {
        let before = rest[..*at].chars().next_back();
        let after = rest[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    });
    let is_definition = |at: usize| rest[at + name.len()..].trim_start().starts_with('(');
    let first = places.clone().find(|(at, _)| is_definition(*at));
    first.or_else(|| places.next()).map(|(at, _)| from + at)
}

fn line_of(text: &str, at: usize) -> u32 {
    let before = text.bytes().take(at).filter(|byte| *byte == b'\n').count();
    u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
}
