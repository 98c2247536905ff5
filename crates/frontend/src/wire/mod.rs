//! Programs, launches and outcomes as bytes.

mod program;
mod run;
