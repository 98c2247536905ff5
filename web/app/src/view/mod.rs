//! The components of the page, one a file, named as what they show. What is no view stands beside the component that it is
//! for: texts, places, files.

pub(crate) mod access_table;
mod badge;
mod beside_picture;
mod clipboard;
mod code;
mod compile_hint;
pub(crate) mod compiled_card;
mod compiler_choice;
mod count_all;
mod custom_device;
mod device_picker;
mod device_strip;
pub(crate) mod device_table;
mod diagnostics;
pub(crate) mod drop_anywhere;
mod editor;
mod equation_line;
mod example_menu;
mod expression_panel;
pub(crate) mod facts_card;
mod fix_chips;
mod fold;
mod gutter;
pub(crate) mod header;
pub(crate) mod heat_strip;
pub(crate) mod inside_card;
mod keep_beside;
mod kernel_form;
mod kernel_panel;
mod kernel_text;
mod l1_line;
mod launch_card;
mod layout_bits;
pub(crate) mod layout_card;
mod layout_grid;
mod layout_panel;
pub(crate) mod linked_access;
mod links;
mod list;
mod made;
pub(crate) mod measured_card;
mod movement;
pub(crate) mod notices;
mod picture;
mod play;
pub(crate) mod reasons;
mod save_buttons;
mod shape_field;
mod share_forms;
mod share_menu;
mod slider;
mod snippet_form;
pub(crate) mod source_card;
mod steps;
mod text_file;
pub(crate) mod trace_card;
mod trace_panel;
mod try_this;
mod typed;
pub(crate) mod variables;
pub(crate) mod verdict_card;
mod view_switch;

/// The most accesses that have a row or a chip of their own: a link may carry thousands, and a page of that many elements
/// is late.
const MOST_SITES: usize = 256;
