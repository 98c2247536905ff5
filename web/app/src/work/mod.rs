//! What takes longer than a frame: done by a worker, which is this very module again, or, where a
//! page may have none, here in slices.
//!
//! The page's half is [`Client`]; `start.js` starts the workers, watches them and ends them; the
//! worker's half is [`serve`].

mod at;
mod client;
mod inspection;
mod request;
mod response;
mod serve;
mod slices;

pub(crate) use at::At;
pub(crate) use client::{Client, Failure, Heard};
pub(crate) use request::Task;
pub(crate) use response::Response;
