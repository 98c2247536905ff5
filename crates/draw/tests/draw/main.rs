//! What the pictures show, and what holds of all of them.

mod equations;
mod pictures;
mod properties;
mod reports;
mod stacks;
mod tiles;
