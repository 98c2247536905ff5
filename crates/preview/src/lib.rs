//! A small reader of plain index expressions.
//!
//! It reads what most expressions are (arrays of numbers, vectors and plain structures; whole
//! numbers of 32 bits; one guard a line) and gives the very sites and requests that `lanescope-cuda` gives for the same text,
//! in a few kilobytes of code. Whatever else a text holds, and any text or run of which there
//! would be something to say, it leaves to the whole language: [`read`] and [`Glance::run`] then return `None`.
//!
//! ```
//! use lanescope_preview::read;
//! use lanescope_frontend::{Access, NamedLaunch};
//! use lanescope_model::Operation;
//!
//! let glance = read("float tile[32][33]", "tile[tx][ty]", Operation::Load).expect("plain");
//! let mut first = Vec::new();
//! let mut see = |access: &Access<'_>| {
//!     first = access.request.addresses[..3].to_vec();
//!     true
//! };
//! glance.run(&NamedLaunch::new([1, 1, 1], [32, 1, 1]), 32, &mut see).expect("all in range");
//! assert_eq!(first, [0, 132, 264]);
//!
//! // A loop is for the whole language.
//! assert!(read("float a[32]", "for (int i = 0; i < 4; ++i) a[i]", Operation::Load).is_none());
//! ```

mod code;
mod declare;
mod element;
mod expression;
mod read;
mod run;
mod statement;
mod token;
mod values;

pub use read::{Glance, read};
