//! Recorded kernel launches: grid, block, dynamic shared memory and the bytes of every argument, as a profiler or a
//! debugger sees them.
//!
//! A record is one JSON object; a file holds one object, or one object a line (JSON Lines). Arguments stand in the order
//! of the kernel's parameters, so that a record serves every input format: source text matches them by position, PTX and
//! SASS place their bytes in the parameter buffer.
//!
//! ```
//! use lanescope_launches::{LaunchRecord, nth};
//!
//! let text = r#"{"kernel": "scale", "grid": [2], "block": [32, 1, 1], "arguments": [
//!     {"name": "x", "bytes": 8, "pointer": {"base_off": 16, "range": 4096, "mod": 16}},
//!     {"name": "n", "bytes": 4, "hex": "40000000"}]}"#;
//! let record: LaunchRecord = nth(text, None)?;
//! assert_eq!(record.grid, [2, 1, 1]);
//! assert_eq!(record.arguments[0].pointer.map(|pointer| pointer.bytes_from_here()), Some(4080));
//! assert_eq!(record.arguments[1].integer(), Some(64));
//! # Ok::<(), lanescope_launches::LaunchError>(())
//! ```
//!
//! What buffers hold no recorder keeps; an argument's `contents` names a file of it (`values.npy`, `values.bin:f32`), which
//! [`ArrayContents`] reads.

mod argument;
mod array;
mod error;
mod mangled;
mod parameters;
mod read;
mod record;

pub use argument::{RecordedArgument, RecordedPointer};
pub use array::{ArrayContents, ArrayError, NumberKind, NumberType};
pub use error::LaunchError;
pub use mangled::plain_name;
pub use parameters::parameter_bytes;
pub use read::{all, nth};
pub use record::LaunchRecord;
