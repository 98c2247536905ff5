//! Sums over the memory requests of a run: counts by place, line and kind of access, the verdict in a sentence, the
//! metrics with the profiler's names, and a view of the L1 cache. The page and the pictures in
//! other people's articles say the same.

mod certainty;
mod choice;
mod class_tally;
mod contention;
mod costliest;
mod counted;
mod counter;
mod finding;
mod headline;
mod kind;
mod l1;
mod metric;
mod number;
mod prediction_record;
mod repeats;
mod site;
mod status;
mod tally;
mod totals;
mod wire;
mod words;

pub use choice::{REQUESTS_AT_ONCE, blocks_at_once, companion, worst};
pub use class_tally::ClassTally;
pub use contention::Contention;
pub use costliest::{CostlyRequest, WorstRequest};
pub use counted::Counted;
pub use counter::Counter;
pub use finding::{Cost, Finding, Need, Waste};
pub use headline::{Headline, Verdict, global_totals, shared_totals, verdict};
pub use l1::{L1Counts, L1View, l1_bytes};
pub use metric::{Amount, Metric, metrics};
pub use number::grouped;
pub use prediction_record::{
    BlindSet, PREDICTION_RECORD, PredictionRecord, RecordRow, record_text,
};
pub use repeats::{Repeat, Repeats};

pub use certainty::{Basis, Status, status_of};
pub use kind::Kind;
pub use lanescope_locale::number::decimal;
pub use site::{GlobalTotals, SharedTotals, SiteTally};
pub use status::{Evidence, Reason, Standing, UncertainCopy, standing};
pub use tally::{Sums, Tally};
pub use totals::Totals;
