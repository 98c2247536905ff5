//! Elements of a page, built and changed in place, drawings as such elements, and the words they have in common.

pub mod element;
pub mod emblem;
pub mod language;
pub mod page_port;
pub mod painter;
pub mod save;
pub mod shape;
pub mod slider;
pub mod storage;
pub mod theme;
pub mod variables;
pub mod window;
