//! A fix as text in another notation: `lanescope fix --as`.

use crate::args::fix::FixText;
use crate::launched::{Launched, spelt};
use anyhow::{Context as _, bail};
use lanescope_emit::Limits;
use lanescope_fixes::{FixKind, Place, Suggestion, TileLayout};
use lanescope_frontend::Language;
use lanescope_query::GivenShape;
use lanescope_share::{Source, State};
use lanescope_syntax::{Dialect, bundled_files};

/// What was picked in the notation that was asked for; `state` is what the fix was searched for.
///
/// # Errors
/// When the fix says nothing in this notation.
pub(crate) fn text(fix: &Suggestion, notation: FixText, state: &State) -> anyhow::Result<String> {
    match notation {
        FixText::Cuda => cuda(fix),
        FixText::Hip => spelt(&cuda(fix)?, Dialect::Hip),
        FixText::Wgsl => wgsl(fix, state),
        FixText::Cute => layouts(fix, |one| Some(one.cute.as_str())),
        FixText::CuteDsl => layouts(fix, |one| Some(one.cute_dsl.as_str())),
        FixText::Triton => layouts(fix, |one| one.triton.as_deref()),
    }
}

/// The changed source.
fn cuda(fix: &Suggestion) -> anyhow::Result<String> {
    let text = fix.source.text();
    if Language::of(&text) == Language::Wgsl {
        bail!("this is WGSL: --as wgsl prints it");
    }
    let files = bundled_files(&text);
    if files.len() > 1 {
        bail!("the source includes files: --format diff says what changes in each");
    }
    Ok(text)
}

/// The changed kernel as WGSL.
fn wgsl(fix: &Suggestion, state: &State) -> anyhow::Result<String> {
    let text = fix.source.text();
    if Language::of(&text) == Language::Wgsl {
        return Ok(text);
    }
    let mut changed = state.clone();
    changed.source = Source::Kernel(text);
    (changed.launch.grid, changed.launch.block) = (fix.launch.grid, fix.launch.block);
    let given = GivenShape {
        grid: true,
        block: true,
        dynamic_shared: true,
    };
    let mut launched = Launched::as_written(changed, given)?;
    launched.question.launch = fix.launch.clone();
    Ok(launched.emitted(Limits::default())?.text)
}

/// The layout of each array that the fix lays out anew, a line each.
fn layouts(
    fix: &Suggestion,
    spelled: impl Fn(&TileLayout) -> Option<&str>,
) -> anyhow::Result<String> {
    let what = || match fix.kind {
        FixKind::Place(Place::Linear(_)) => format!(
            "fix \"{}\" is no Swizzle<B,M,S>: CuTe and Triton have no layout for it",
            fix.kind
        ),
        _ => format!("fix \"{}\" is no layout in this notation", fix.kind),
    };
    if fix.layouts.is_empty() {
        bail!(what());
    }
    let mut text = String::new();
    for one in &fix.layouts {
        let layout = spelled(one).with_context(what)?;
        if fix.layouts.len() > 1 {
            text.push_str(&format!("{}: ", one.array));
        }
        text.push_str(layout);
        text.push('\n');
    }
    Ok(text)
}
