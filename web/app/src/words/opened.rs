//! Why a compiled file opens nothing.

use lanescope_locale::Language;
use lanescope_locale::opened::{self, OpenedWords};

use crate::link_notice::{Contents, FileFault};

/// What `language` says of a file.
pub(super) fn fault(language: Language, fault: &FileFault) -> String {
    let words = OpenedWords::of(language);
    let text = match fault {
        FileFault::Foreign => words.foreign,
        FileFault::NoGpuCode => words.no_gpu_code,
        FileFault::Truncated => words.truncated,
        FileFault::Layout => words.of_32_bits,
        FileFault::Packed => words.packed,
        FileFault::TooLarge => words.too_large,
        FileFault::Slow => words.slow,
        FileFault::Missing => words.missing,
        FileFault::Large(Contents {
            kernels,
            architectures,
        }) => return opened::large(language, kernels, architectures),
        FileFault::OtherCode(Contents {
            kernels,
            architectures,
        }) => return opened::other_code(language, kernels, architectures),
    };
    text.into()
}
