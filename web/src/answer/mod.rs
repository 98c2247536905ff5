//! From the state of the page to everything it shows: no element of the page, no clock.

mod argument;
mod devices;
mod inside;
mod mends;
mod metric;
mod question;
mod run;
mod tally;
mod verdict;
mod whole;

pub(crate) use devices::{DeviceRow, all_devices, device_rows};
pub(crate) use inside::{Inside, Picture, insides, selecting, site_of};
pub(crate) use mends::{mends, with_mend};
pub(crate) use metric::{Amount, Metric, decimal, metrics};
pub(crate) use question::{Question, custom_error};
pub(crate) use run::{Answer, answer, layout_text};
pub(crate) use tally::{GlobalTotals, SharedTotals, SiteTally};
pub(crate) use verdict::{Headline, Verdict, global_totals, shared_totals, verdict};
pub(crate) use whole::Count;
