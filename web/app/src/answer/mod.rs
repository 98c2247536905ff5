//! From the state of the page to everything it shows: no element of the page, no clock.

mod argument;
mod counted_code;
mod devices;
mod equation;
mod expression_text;
mod findings;
mod fixes;
mod inside;
mod l1;
mod launch_fault;
mod next_step;
mod phases;
mod question;
mod recognised;
mod side_by_side;
mod source_text;
mod strip;
mod trace;

pub(crate) use counted_code::{
    CountedAccess, counted_accesses, kind, predicted_units, sites_at, source_line, totals,
};
pub(crate) use devices::{
    DeviceCount, DeviceRow, DeviceTallies, Grounds, all_devices, is_historical,
};
pub(crate) use equation::{equation, telling_lane};
pub(crate) use expression_text::parted;
pub(crate) use findings::{Ranked, is_open, ranked, worst_request};
pub(crate) use fixes::{Fixes, find_fixes, has_fixes, simplest_first, with_fix};
pub(crate) use inside::{Inside, Picture, Place, Seen, View, insides, seen, selecting, site_of};
pub(crate) use l1::{L1, has_l1, l1};
pub(crate) use lanescope_query::{
    Answer, BulkCopies, Count, Divergence, Effort, FirstRun, Whole, layout_text,
};
pub(crate) use lanescope_tally::{
    GlobalTotals, Headline, Metric, Need, Reason, SharedTotals, SiteTally, Standing, Status,
    Verdict, decimal, global_totals, metrics, shared_totals, verdict,
};
pub(crate) use launch_fault::too_many_threads;
pub(crate) use next_step::{NextStep, Step, Unread, next_step};
pub(crate) use phases::Folded;
pub(crate) use question::{Question, answer, at_edit, at_text, custom_error};
pub(crate) use recognised::{Kind, recognised, source_of};
pub(crate) use side_by_side::{LineCosts, SideBySide, SideLine, side_by_side};
pub(crate) use source_text::{SourceText, with_source};
pub(crate) use strip::{Moment, Strip, strip};
pub(crate) use trace::{Reading, difference, fits_link};
