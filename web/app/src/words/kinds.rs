//! What the page says of texts that are not read.

use lanescope_locale::Language;
use lanescope_locale::source_kind::{self, SourceKindWords};

use crate::answer::{NextStep, Step, Unread};

/// The headline over a text that is not read.
pub(crate) fn unread(language: Language, unread: &Unread) -> String {
    let words = SourceKindWords::of(language);
    match unread {
        Unread::Language(name) => source_kind::other_language(language, name),
        Unread::NoKernel => words.no_kernel.to_owned(),
        Unread::Prose => words.no_code.to_owned(),
    }
}

/// The next step for it, before what is copied.
pub(crate) const fn next_step(language: Language, step: &NextStep) -> &'static str {
    let steps = &SourceKindWords::of(language).steps;
    match step.step {
        Step::Triton => steps.triton,
        Step::OpenCl => steps.opencl,
        Step::Numba => steps.numba,
        Step::Fortran => steps.fortran,
        Step::Julia => steps.julia,
        Step::Shader => steps.shader,
        Step::ExpressionOfText => steps.expression_of_text,
        Step::Expression => steps.expression,
        Step::Kernel => steps.kernel,
    }
}
