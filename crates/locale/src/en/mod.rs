//! English.

pub(crate) mod argument;
pub(crate) mod card;
pub(crate) mod compiled_error;
pub(crate) mod compiler;
pub(crate) mod construct;
pub(crate) mod diagnostic;
pub(crate) mod docs;
pub(crate) mod editor;
pub(crate) mod emit;
pub(crate) mod finding;
pub(crate) mod fix;
pub(crate) mod fix_note;
pub(crate) mod gallery;
pub(crate) mod hardware;
pub(crate) mod lab;
pub(crate) mod lab_fault;
pub(crate) mod label;
pub(crate) mod layout;
pub(crate) mod layout_fault;
pub(crate) mod link;
pub(crate) mod link_error;
pub(crate) mod measured;
pub(crate) mod opened;
pub(crate) mod other_text;
pub(crate) mod page;
pub(crate) mod parameter_role;
pub(crate) mod picture;
pub(crate) mod profiler_error;
pub(crate) mod ptx_fault;
pub(crate) mod run_card;
pub(crate) mod run_refusal;
pub(crate) mod sass_fault;
pub(crate) mod served;
pub(crate) mod share;
pub(crate) mod source_kind;
pub(crate) mod story;
pub(crate) mod titles;
pub(crate) mod trace;
pub(crate) mod trace_fault;
pub(crate) mod verdict;

use crate::{Conventions, Direction};

/// Conventions of English.
pub(crate) const CONVENTIONS: &Conventions = &Conventions {
    tag: "en",
    bcp47: "en",
    name: "English",
    direction: Direction::LeftToRight,
    between_sentences: " ",
    group_separator: ",",
};

/// A count in decimal, its digits in groups of three.
fn grouped(count: u64) -> String {
    crate::number::grouped(count, CONVENTIONS.group_separator)
}

/// `1 wavefront`, `32 wavefronts`.
fn plural(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(count))
}
