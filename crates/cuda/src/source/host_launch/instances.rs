//! What a kernel's template is launched with, all over a text.

use std::collections::BTreeSet;

use lanescope_syntax::preprocessor::preprocess_bundle;
use lanescope_syntax::sink::Sink;

use super::{Text, with_structures};

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
