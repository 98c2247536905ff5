//! Questions beyond the count of a launch, answered as JSON: the fixes of a source ([`Fixes`]), a layout with its accesses
//! ([`Layout`]) and a trace ([`Trace`]). The command line, Python and the ES module give the same documents; what
//! `lanescope-query` counts has its own there, [`Report`](lanescope_query::Report).
//!
//! ```
//! use lanescope_model::Device;
//! use lanescope_report::Trace;
//!
//! let text = "instruction,lane0,lane1\nld.shared.b32,0,128\n";
//! let json = Trace::open(text, <&Device>::default()).unwrap().json().unwrap();
//! assert!(json.contains("\"ways\": 2"));
//! ```

mod changed_file;
mod fix_reader;
mod fixes;
mod layout;
mod trace;
mod workgroup;

pub use changed_file::ChangedFile;
pub use fix_reader::FixReader;
pub use fixes::{Fixes, advise, launch_changes};
pub use layout::Layout;
pub use trace::{Agreement, MOST_FAULTS, Sum, Trace, TraceReport, Traced};
pub use workgroup::{asked_state, resize_workgroup};
