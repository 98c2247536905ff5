//! What the page says of kinds of source, and of texts that are not read.

use lanescope_locale::source_kind::{self, SourceKindWords};

use super::Words;
use crate::answer::{NextStep, Step, Unread};

impl Words {
    /// What is said of kinds of source without names in it.
    pub(crate) const fn of_kinds(self) -> &'static SourceKindWords {
        SourceKindWords::of(self.0)
    }

    /// The headline over a text that is not read.
    pub(crate) fn unread(self, unread: &Unread) -> String {
        match unread {
            Unread::Language(name) => source_kind::other_language(self.0, name),
            Unread::NoKernel => self.of_kinds().no_kernel.to_owned(),
            Unread::Prose => self.of_kinds().no_code.to_owned(),
        }
    }

    /// The next step for it, before what is copied.
    pub(crate) const fn next_step(self, step: &NextStep) -> &'static str {
        let steps = &self.of_kinds().steps;
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

    /// That a second text of a kernel stands beside the first.
    pub(crate) fn set_beside(self, kernel: &str, kind: &str) -> String {
        source_kind::set_beside(self.0, kernel, kind)
    }
}
