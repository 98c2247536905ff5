//! The components of the page, one a file, named as what they show.
//!
//! No element inside a view is wholly static: Leptos would put it in through `innerHTML`, and the page's Trusted Types
//! policy lets no markup in at all.

mod bandwidth_chart;
mod choice_row;
mod device_row;
mod experiment_row;
mod exports;
pub(crate) mod header;
pub(crate) mod history_card;
mod kernel_row;
mod limits_list;
pub(crate) mod opening_card;
mod problem_sheet;
pub(crate) mod published_card;
mod ranking_line;
pub(crate) mod report_card;
mod result_row;
mod result_table;
mod run_buttons;
mod shape_row;
mod size_row;
mod small_bar;
mod standing;
mod step_order;
mod stride_costs;
mod sweep_grid;
mod toggle;
