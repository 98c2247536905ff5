//! What the counts of a run add up to: the totals of each place, the verdict in a sentence, the metrics with the
//! profiler's names, in English and Chinese. The page and the pictures in other people's articles say the same.

mod carried;
pub mod chinese;
mod choice;
mod counted;
pub mod english;
mod headline;
mod metric;
mod number;
mod tally;

pub use choice::{REQUESTS_AT_ONCE, blocks_at_once, companion, worst};
pub use counted::Counted;
pub use headline::{Headline, Verdict, global_totals, shared_totals, verdict};
pub use metric::{Amount, Metric, metrics};
pub use number::{decimal, grouped};
pub use tally::{GlobalTotals, SharedTotals, SiteTally};
