//! Texts that the page and the pictures in articles have in common.

use crate::Language;

/// A text without numbers in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each says its own English")]
pub enum Label {
    Playground,
    Lab,
    Stories,
    SkipToAnswer,
    SwitchTheme,
    Trust,
    Expression,
    Kernel,
    Layout,
    Examples,
    ExpressionSource,
    Accesses,
    Bare,
    Launch,
    Grid,
    Block,
    Device,
    NotAShape,
    Metrics,
    NWay,
    Warp,
    PointAtIt,
    Used,
    Wasted,
    NotMoved,
    Share,
    SourceText,
    OpenInLanescope,
    InsideShared,
    InsideGlobal,
}

impl Label {
    /// In `language`.
    #[must_use]
    pub const fn text(self, language: Language) -> &'static str {
        in_folder!(language, label::text(self))
    }
}
