//! Localization: the languages that Lanescope speaks, and every sentence in each.
//!
//! A language is a folder of this crate: its [`Conventions`], and a file for each area (what pictures say, what is said
//! of counts, of layouts, ...). An area's own module lists what there is to say, as functions, an enum or a structure of
//! texts; a folder in which one is missing does not compile. Code elsewhere says what it means and knows no language:
//! numbers, names and the model's terms go in, text comes out.
//!
//! ```
//! use lanescope_locale::{Language, verdict};
//!
//! let chosen = Language::negotiate("zh-TW");
//! assert_eq!(chosen.bcp47(), "zh-CN");
//! assert_eq!(verdict::conflict(chosen, 32, false), "32 路 bank 冲突");
//! assert_eq!(verdict::conflict(chosen.next(), 32, false), "32-way bank conflict");
//! assert_eq!(Language::of_tag("tlh"), None);
//! ```
//!
//! Left out: which sentence is said when, and the words of the command line, which is English.

#[macro_use]
mod folder;

pub mod argument;
pub mod card;
pub mod compiled_error;
pub mod compiled_fault;
pub mod compiler;
pub mod construct;
mod conventions;
pub mod diagnostic;
pub mod docs;
pub mod editor;
pub mod emit;
mod en;
pub mod finding;
pub mod fix;
pub mod fix_note;
pub mod gallery;
pub mod hardware;
pub mod lab;
pub mod lab_fault;
pub mod label;
mod language;
pub mod layout;
pub mod layout_fault;
pub mod link;
pub mod link_error;
pub mod measured;
mod names;
pub mod number;
pub mod opened;
pub mod other_text;
pub mod page;
pub mod parameter_role;
pub mod picture;
pub mod profiler_error;
pub mod ptx_fault;
pub mod run_card;
pub mod run_refusal;
pub mod sass_fault;
pub mod served;
pub mod share;
pub mod source_kind;
pub mod story;
pub mod trace;
pub mod trace_fault;
pub mod verdict;
mod zh;

pub use conventions::{Conventions, Direction};
pub use language::Language;
