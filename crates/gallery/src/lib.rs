//! The gallery: sources to begin with, each a [`Preset`] with a permanent id, and a short [`lesson`] on each.
//!
//! The page's menu of examples and the static pages that the build makes read the same table. Lessons hold no numbers
//! of their own: they name figures, which [`fill`] has computed by whoever publishes them.
//!
//! ```
//! use lanescope_gallery::{Language, PRESETS, fill, lesson, preset};
//!
//! let padded = preset("padded-tile").unwrap();
//! assert_eq!(padded.title(Language::English), "column of tile[32][33]");
//! assert!(lanescope_share::encode(&padded.state()).contains("tile[32][33]"));
//! assert!(PRESETS.iter().all(|preset| !lesson(preset.id, Language::Chinese).is_empty()));
//!
//! let told = fill("the request needs {wavefronts@1} wavefronts", &mut |figure| {
//!     (figure == "wavefronts@1").then(|| "32".to_owned())
//! });
//! assert_eq!(told.unwrap(), "the request needs 32 wavefronts");
//! ```
//!
//! Left out: the numbers themselves, and how a page looks.

mod compiled;
mod figures;
pub mod first;
mod lesson;
mod preset;
mod presets;
mod subject;

pub use compiled::{COMPILED, Compiled, compiled};
pub use figures::{UnknownFigure, fill};
pub use lanescope_locale::Language;
pub use lesson::lesson;
pub use preset::Preset;
pub use presets::{PRESETS, preset};
pub use subject::{SUBJECTS, Subject};
