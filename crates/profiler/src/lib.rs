//! Exports of Nsight Compute: what it measured of kernels, laid beside what is predicted.
//!
//! Read are the CSV pages `raw`, `details` and `source` (views `sass`, `cuda`, `ptx` and `cuda,sass`) of `ncu --csv`,
//! with several kernels a file, the profiler's own lines (`==PROF==`) and the program's output before the table, rows of
//! units, scaled units and digits in groups of three. A source page with SASS holds the code itself, so that one file
//! gives prediction and measurement.
//!
//! ```
//! use lanescope_profiler::{Value, read};
//!
//! let export = read(
//!     "==PROF== Connected to process 7\n\
//!      \"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\"\n\
//!      \"\",\"\",\"\",\"\",\"\",\"sector\"\n\
//!      \"0\",\"scale(float *, int)\",\"(128, 1, 1)\",\"(64, 1, 1)\",\"9.0\",\"1,024\"\n",
//! )?;
//! let kernel = &export.kernels[0];
//! assert_eq!(kernel.grid, Some([64, 1, 1]));
//! let sectors = kernel.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
//! assert_eq!(sectors, Some(Value::Count(1_024)));
//! # Ok::<(), lanescope_profiler::ProfilerError>(())
//! ```
//!
//! Left out: the binary report (`.ncu-rep`), of which `ncu --import` makes these pages, and everything but counters of
//! memory.

mod compare;
mod details;
mod error;
mod export;
mod kernel;
mod listing;
mod number;
mod printed;
mod raw;
mod signature;
mod source;
mod table;
mod total;

pub use compare::{
    Certainty, Comparison, Difference, InstructionRow, Predicted, Prediction, TotalRow, compare,
};
pub use error::{ProfilerError, Wanted};
pub use export::{Export, Page, SourceText, View, detects, read};
pub use kernel::{Access, Instruction, KernelProfile, Operation, Space, instance};
pub use listing::{LISTING_FIRST_LINE, listing};
pub use number::Value;
pub use signature::{ParameterType, parameter_types};
pub use total::Total;
