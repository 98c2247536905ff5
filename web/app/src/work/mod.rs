//! What takes longer than a frame: done by a worker, which is this very module again, or, where a
//! page may have none, here in slices.
//!
//! The page's half is [`Desk`]; `start.js` starts the workers, watches them and ends them; the
//! worker's half is [`serve`].

mod asked;
mod desk;
mod serve;
mod slices;
mod told;

pub(crate) use asked::Task;
pub(crate) use desk::{Desk, Failure, Heard};
pub(crate) use told::Told;
