//! What the page begins with, of the gallery's presets.

use lanescope_gallery::{PRESETS, Preset};
use lanescope_share::State;

/// What an empty address opens.
pub(crate) fn first() -> State {
    PRESETS[0].state()
}

/// What a kernel begins with.
pub(crate) fn first_kernel() -> State {
    let first = PRESETS.iter().find(|preset| preset.is_kernel());
    first.map_or_else(self::first, Preset::state)
}
