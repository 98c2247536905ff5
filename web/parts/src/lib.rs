//! Elements of a page, built and changed in place, and drawings as such elements.

pub mod element;
pub mod painter;
