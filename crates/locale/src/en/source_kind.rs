//! Kinds of source in English.

use crate::source_kind::{NextStepWords, SourceKindWords};

pub(crate) const WORDS: &SourceKindWords = &SourceKindWords {
    read_as: "Read the text as",
    export: "Profiler's export",
    unknown: "Text",
    no_code: "No code that Lanescope reads is in this text",
    no_kernel: "No kernel is in this text",
    replace_instead: "Replace instead",
    take_away: "Take it away",
    steps: NextStepWords {
        triton: "Next: have Triton write down what it compiles, and paste the PTX that this prints.",
        opencl: "Next: NVIDIA's driver compiles it to PTX; paste what this prints.",
        numba: "Next: add this line behind the kernel's launch, and paste the PTX that it prints.",
        fortran: "Next: compile it and paste the PTX that this prints.",
        julia: "Next: launch it this way, and paste the PTX that it prints.",
        shader: "Next: translate it to WGSL, and paste what this prints.",
        expression_of_text: "Next: paste one of its accesses as an index expression. This is the first one.",
        expression: "Next: paste one of its accesses as an index expression, with the array's declaration, as here.",
        kernel: "Next: paste the part that begins with __global__, as here.",
    },
};

pub(crate) fn other_language(name: &str) -> String {
    format!("This is {name}, which Lanescope does not read")
}

pub(crate) fn set_beside(kernel: &str, kind: &str) -> String {
    format!("{kind} of {kernel}: set beside the source.")
}
