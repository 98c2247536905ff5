//! How an embed shows the state.

/// The choices of an embed; the page itself takes no notice of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Embed {
    /// The source is unfolded.
    pub source: bool,
    /// Picture and verdict only, without sliders.
    pub bare: bool,
}
