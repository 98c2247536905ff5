//! Fixes for bank conflicts and wasted sectors, each proved by running the model on the changed
//! source.
//!
//! [`search`] tries every padding and swizzle of one array on the requests that a run recorded;
//! [`advise`] turns the best into changes of the source, runs the changed source, and keeps what
//! computes the same and costs less.
//!
//! ```
//! use lanescope_fixes::{Patterns, Place, Shape, search};
//! use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};
//!
//! // Eight lanes down a column of a tile of 8 x 32 words: all in bank 0.
//! let addresses: Vec<u64> = (0..8).map(|lane| lane * 128).collect();
//! let request = Request {
//!     space: Space::Shared,
//!     operation: Operation::Load,
//!     width: Width::Bytes4,
//!     active: LaneMask::first(8),
//!     addresses: &addresses,
//! };
//! let mut patterns = Patterns::new();
//! patterns.add(&request, 0);
//! let shape = Shape::new(&[8, 32], 4).unwrap();
//! let front = search(<&Device>::default(), &shape, patterns.all(), &|_| true).unwrap();
//! assert_eq!((front.now.wavefronts, front.bound), (8, 1));
//! let pad = Place::Pad { dimension: 1, elements: 1 };
//! assert!(front.found.iter().any(|found| found.place == pad && found.totals.wavefronts == 1));
//! ```
//!
//! Start reading at `advise.rs`: it runs the source and asks for each family of fixes in turn, the costliest waste first. A
//! fix is edits, found on `syntax`'s tree (`gather.rs`, `stage.rs`, `row_pitch.rs`, …), and a proof (`trial.rs`).
//!
//! It leaves out what it cannot prove: XORs of an array of several dimensions used through a pointer or of indices inside a
//! function-like macro, addresses that depend on data, and changes that need another algorithm.

mod advice;
mod advise;
mod advisor;
mod axes;
mod block_shape;
mod candidates;
mod carved;
mod change;
mod chunks;
mod code;
mod conditional_loop;
mod constants;
mod counted_loop;
mod edit;
mod effects;
mod evaluated;
mod first_add;
mod fix_properties;
mod fix_search;
mod fix_words;
mod gather;
#[cfg(test)]
mod gather_tests;
mod gathered_text;
mod global_memory;
mod guarded_load;
mod guards;
mod halving;
mod headline;
mod indentation;
mod instances;
mod inverse;
mod launched_text;
mod layout;
mod length_sum;
mod linear;
mod literal;
mod loop_head;
mod loop_order;
mod macro_indices;
mod member_rows;
mod mix;
mod monotone;
mod narrow;
mod neighbours;
mod order;
mod origin;
mod own_copy;
mod owners;
mod pattern;
mod pitch;
mod place;
mod price;
mod products;
mod question;
mod reader;
mod record;
mod record_split;
mod record_stage;
mod reductions;
mod relocation;
mod rewrite;
mod rise;
mod rooted;
mod row_pitch;
mod search;
mod sequential;
mod shared_arrays;
mod shared_neighbours;
mod shared_rows;
mod shift;
mod skips;
mod sought;
mod source;
mod stage;
mod strip_mine;
mod structure;
mod subgroup_sum;
mod sums;
mod thread_axes;
mod tile_layout;
mod tile_rows;
mod together;
mod trial;
mod unused_padding;
mod uses;
mod vector_type;
mod warp_shuffle;
mod wgsl_axes;
mod wgsl_code;
mod wgsl_indices;
mod wgsl_split;
mod wgsl_uses;
mod wgsl_vectors;
mod whole_launch;
mod widen;
mod wider;
mod wire;
mod written_out;

pub use advice::{Advice, ArrayAdvice, FixKind, Note, Progress, Proof, Rise, Step, Suggestion};
pub use advise::{advise, advise_as_found};
pub use edit::{Edit, apply};
pub use fix_search::FixSearch;
pub use linear::{LinearSearch, LinearSwizzle, MOST_LINEAR_BYTES, search_linear};
pub use order::simplest_first;
pub use pattern::{Evaluation, Pattern, Patterns, SharedTotals, evaluate};
pub use place::{Family, Place, Shape};
pub use price::{Occupancy, Registers, WEBGPU_SHARED_BYTES};
pub use question::Question;
pub use reader::{Callers, Instance, Reader, Version};
pub use record::{GlobalTotals, Totals};
pub use search::{Found, Front, search};
pub use source::Source;
pub use tile_layout::TileLayout;
