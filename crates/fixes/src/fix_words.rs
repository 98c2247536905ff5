//! What a fix is called, in every language.

use lanescope_locale::Language;
use lanescope_locale::fix::{self, FixWords};

use crate::{FixKind, Place};

impl FixKind {
    /// The headline of the fix in `language`.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        let words = FixWords::of(language);
        match self {
            Self::Place(place) => place.text(language),
            Self::Narrowed(_) => words.narrowed.into(),
            Self::SplitShared => words.split_shared.into(),
            Self::SplitGlobal => words.split_global.into(),
            Self::Sequential => words.sequential.into(),
            Self::FirstAdd => words.first_add.into(),
            Self::WarpShuffle => words.warp_shuffle.into(),
            Self::LoopOrder => words.loop_order.into(),
            Self::SwapAxes => words.swap_axes.into(),
            Self::SwapInvocations => words.swap_invocations.into(),
            Self::BlockShape { width } => fix::block_shape(language, *width),
            Self::Stage => words.stage.into(),
            Self::AlignStructure { bytes } => fix::align_structure(language, *bytes),
            Self::AlignBase => words.align_base.into(),
            Self::Pitch { arrays, from, to } => fix::pitch(language, arrays, *from, *to),
            Self::Together(parts) => {
                let part =
                    |(array, place): &(String, Place)| format!("{array}: {}", place.text(language));
                parts.iter().map(part).collect::<Vec<_>>().join("; ")
            }
            Self::Widen { bytes } => fix::widen(language, *bytes),
        }
    }
}

impl Place {
    /// What it does with the elements of an array, in `language`.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        let words = FixWords::of(language);
        match self {
            Self::AsIs => words.as_is.into(),
            Self::Pad { elements, .. } => fix::pad(language, *elements),
            Self::PadEvery { group, elements } => fix::pad_every(language, *group, *elements),
            Self::Swizzle(swizzle) => fix::swizzle(language, &swizzle.to_string()),
            Self::RowXor { .. } => words.row_xor.into(),
            Self::Transposed => words.transposed.into(),
            Self::Linear(_) => words.linear.into(),
        }
    }
}
