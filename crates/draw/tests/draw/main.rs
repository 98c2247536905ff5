//! What the pictures show, and what holds of all of them.

mod pictures;
mod properties;
mod reports;
mod tiles;
