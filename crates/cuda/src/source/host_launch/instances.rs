//! What a kernel's template is launched with, all over a text.

use std::collections::BTreeSet;

use lanescope_syntax::preprocessor::preprocess_bundle;
use lanescope_syntax::sink::Sink;

use super::{HostLaunch, Text, with_structures};

/// The lists of template arguments, each once, that `source` launches `kernel` with or instantiates it for, as text; a launch
/// of what is no template has an empty list.
#[must_use]
pub fn launched_instances(
    source: &str,
    kernel: &str,
    defines: &[(String, String)],
) -> BTreeSet<Vec<String>> {
    let mut sink = Sink::deaf();
    let tokens = with_structures(preprocess_bundle(source, defines, &mut sink));
    let text = Text {
        source,
        tokens: &tokens,
    };
    let launched = text.all_launches(kernel).into_iter();
    let explicit = (0..tokens.len()).filter_map(|at| text.instantiation(at, kernel));
    launched
        .map(|one| one.template_arguments)
        .chain(explicit)
        .collect()
}

/// The launches whose shape is constant, each shape once, of each of [`launched_instances`] in their order; `None` where one of
/// them has no such launch, or its arguments mean something else at the top of `source`.
#[must_use]
pub fn instance_launches(
    source: &str,
    kernel: &str,
    defines: &[(String, String)],
) -> Option<Vec<HostLaunch>> {
    let mut sink = Sink::deaf();
    let tokens = with_structures(preprocess_bundle(source, defines, &mut sink));
    let text = Text {
        source,
        tokens: &tokens,
    };
    let launches = text.all_launches(kernel);
    let is_known = |one: &HostLaunch| {
        let is_shaped = one.grid.is_some() && one.block.is_some();
        // What is no template has no arguments to know.
        let is_told = one.is_template_known || one.template_arguments.is_empty();
        is_shaped && is_told && one.dynamic_shared_bytes.is_some()
    };
    let mut found: Vec<HostLaunch> = Vec::new();
    for templates in launched_instances(source, kernel, defines) {
        let known = found.len();
        let is_own = |one: &&HostLaunch| one.template_arguments == templates && is_known(one);
        for launch in launches.iter().filter(is_own) {
            let is_alike = |one: &HostLaunch| {
                let shape = (one.grid, one.block, one.dynamic_shared_bytes);
                shape == (launch.grid, launch.block, launch.dynamic_shared_bytes)
            };
            if !found.get(known..).unwrap_or_default().iter().any(is_alike) {
                found.push(launch.clone());
            }
        }
        if found.len() == known {
            return None;
        }
    }
    Some(found)
}
