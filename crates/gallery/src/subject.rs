//! What presets are about.

use crate::Language;

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
        let [english, chinese] = self.titles();
        match language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    const fn titles(self) -> [&'static str; 2] {
        match self {
            Self::Tiles => ["Tiles and transposes", "分块与转置"],
            Self::Reductions => ["Reductions", "归约"],
            Self::Structures => ["Structures", "结构体"],
            Self::Vectors => ["Vectors, swizzles, alignment", "向量、重排与对齐"],
            Self::HalfWarps => [
                "CUDA 1.x: half-warps, 16 banks",
                "CUDA 1.x：半个 warp、16 个 bank",
            ],
            Self::FourNumbers => ["A device as four numbers", "用四个数描述的设备"],
            Self::Kernels => ["Whole kernels", "完整内核"],
        }
    }
}
