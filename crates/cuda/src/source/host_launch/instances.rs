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

/// A launch whose shape is constant for each of [`launched_instances`]; `None` where one of them has no such launch, or its
/// arguments mean something else at the top of `source`.
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
        is_shaped && one.is_template_known && one.dynamic_shared_bytes.is_some()
    };
    let of = |templates: &Vec<String>| {
        let mut own = launches.iter();
        own.find(|one| one.template_arguments == *templates && is_known(one))
            .cloned()
    };
    let all = launched_instances(source, kernel, defines);
    all.iter().map(of).collect()
}
