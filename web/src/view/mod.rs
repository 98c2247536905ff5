//! The parts of the page.

mod access_table;
mod custom_device;
mod device_picker;
mod device_table;
mod diagnostics;
mod editor;
mod facts_card;
mod header;
mod inside_card;
mod launch_card;
mod mend_card;
mod notices;
mod picture;
mod shape_field;
mod share_menu;
mod slider;
mod source_card;
mod verdict_card;

pub(crate) use access_table::AccessTable;
pub(crate) use device_table::DeviceTable;
pub(crate) use facts_card::FactsCard;
pub(crate) use header::{Header, follow};
pub(crate) use inside_card::InsideCards;
pub(crate) use launch_card::LaunchCard;
pub(crate) use mend_card::MendCard;
pub(crate) use notices::Notices;
pub(crate) use source_card::SourceCard;
pub(crate) use verdict_card::VerdictCard;
