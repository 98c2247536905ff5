//! Mends for bank conflicts and wasted sectors, each proved by running the model on the changed
//! source.
mod candidates;
mod edit;
mod lexical;
mod pattern;
mod place;
mod search;

pub use edit::{Edit, apply};
pub use pattern::{Evaluation, Pattern, Patterns, SharedTotals, evaluate};
pub use place::{Family, Place, Shape};
pub use search::{Found, Front, search};
