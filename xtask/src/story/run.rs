//! `run`: kernels of the lab on the reader's GPU, inside the story, at a press.
//!
//! `:::run reduce kernels=reduce_divergent,reduce_sequential size=33554432`

use anyhow::{Context, Result, ensure};
use lanescope_draw::escape_xml;
use lanescope_gallery::Language;
use lanescope_kernels::{Family, Kernel, KernelId};
use lanescope_share::{Lab, State, encode};

use super::block::Directive;
use super::teller::{ROOT, Teller};

/// What the lab can be asked to run, by its permanent names.
const EXPERIMENTS: [(&str, Family); 4] = [
    ("transpose", Family::Transpose),
    ("reduce", Family::Reduction),
    ("reduce-u32", Family::Reduction),
    ("stride", Family::Stride),
];

pub(super) fn run(teller: &Teller<'_>, directive: &Directive) -> Result<String> {
    let language = (teller.language != Language::DEFAULT).then_some(teller.language);
    let state = State {
        lab: lab(directive)?,
        language,
        ..State::default()
    };
    let words = teller.words;
    Ok(format!(
        "<lane-run id=\"{id}\" class=\"card\">\n<p>{about}</p>\n\
         <p class=\"foot\"><button type=\"button\" class=\"btn start\">{run}</button> \
         <a href=\"{ROOT}lab.html#{link}\">{lab}</a></p>\n</lane-run>\n",
        id = teller.figure("run"),
        about = words.about_run,
        run = words.run,
        lab = words.lab,
        link = escape_xml(&encode(&state)),
    ))
}

/// Whether the lab reads `size` as one of its own.
fn is_size(size: &str, family: Family) -> bool {
    let is_side = |side: &str| side.parse::<u32>().is_ok_and(|side| side > 0);
    match (family, size.split_once('x')) {
        (Family::Transpose, Some((rows, columns))) => is_side(rows) && is_side(columns),
        (Family::Reduction, None) => is_side(size),
        (Family::Transpose | Family::Reduction | Family::Stride | Family::Ceiling, _) => false,
    }
}

/// The settings that the directive names; a kernel that there is not is a fault.
fn lab(directive: &Directive) -> Result<Lab> {
    let experiment = directive
        .words()
        .next()
        .context("say what is run: `:::run EXPERIMENT kernels=A,B size=N`")?;
    let known = EXPERIMENTS.iter().find(|(name, _)| *name == experiment);
    let (_, family) = known.with_context(|| {
        let names = EXPERIMENTS.map(|(name, _)| name).join(", ");
        format!("there is no experiment `{experiment}`: there are {names}")
    })?;
    let list = |name: &str| -> Vec<String> {
        let words = directive.option(name).into_iter();
        words
            .flat_map(|all| all.split(','))
            .map(str::to_owned)
            .collect()
    };
    let variants = list("kernels");
    for name in &variants {
        ensure!(
            KernelId::by_name(name).is_some_and(|id| Kernel::of(id).family == *family),
            "`{experiment}` has no kernel `{name}`"
        );
    }
    let sizes = list("size");
    for size in &sizes {
        ensure!(
            is_size(size, *family),
            "`{experiment}` takes no size `{size}`: write elements, as in size=16777216, or for transposes size=4096x4096"
        );
    }
    Ok(Lab {
        experiment: Some(experiment.to_owned()),
        sizes,
        variants,
        ..Lab::default()
    })
}
