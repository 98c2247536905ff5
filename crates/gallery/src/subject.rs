//! What presets are about.

use crate::Language;
use lanescope_locale::gallery::GalleryWords;

/// The subjects of the presets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Tiles in shared memory, and transposes.
    Tiles,
    /// Reductions of one block.
    Reductions,
    /// Structures in global memory.
    Structures,
    /// Wide accesses, swizzles and alignment.
    Vectors,
    /// The first generation: half-warps and 16 banks.
    HalfWarps,
    /// A device described by its numbers.
    FourNumbers,
    /// Kernels from their first line to their last.
    Kernels,
}

/// Every subject, in the order of the menu.
pub const SUBJECTS: [Subject; 7] = [
    Subject::Tiles,
    Subject::Reductions,
    Subject::Structures,
    Subject::Vectors,
    Subject::HalfWarps,
    Subject::FourNumbers,
    Subject::Kernels,
];

impl Subject {
    /// The subject in words.
    #[must_use]
    pub const fn title(self, language: Language) -> &'static str {
        let words = GalleryWords::of(language);
        match self {
            Self::Tiles => words.subject_tiles,
            Self::Reductions => words.subject_reductions,
            Self::Structures => words.subject_structures,
            Self::Vectors => words.subject_vectors,
            Self::HalfWarps => words.subject_half_warps,
            Self::FourNumbers => words.subject_four_numbers,
            Self::Kernels => words.subject_kernels,
        }
    }
}
