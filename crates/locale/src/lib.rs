//! Localization: the languages that Lanescope speaks, and the conventions of each.
//!
//! A language is a folder of this crate that fills in [`Conventions`], a variant of [`Language`] and its place in
//! [`Language::ALL`]. Everything that offers, negotiates, stores or links a language goes through that list.
//!
//! ```
//! use lanescope_locale::Language;
//!
//! let chosen = Language::negotiate("zh-TW");
//! assert_eq!(chosen.bcp47(), "zh-CN");
//! assert_eq!(chosen.next().name(), "English");
//! assert_eq!(Language::of_tag("tlh"), None);
//! ```
//!
//! Left out: the sentences themselves, which stand where they are said.

mod conventions;
mod en;
mod language;
mod zh;

pub use conventions::{Conventions, Direction};
pub use language::Language;
