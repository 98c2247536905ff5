//! Reads WGSL, PTX and SASS for the page, compiled files and a profiler's exports, in a worker that the page ends when it takes too long.
//!
//! What comes back is the program as bytes, which the page's own engine runs: a change of the
//! launch asks nothing of the worker.

#![allow(unreachable_pub, reason = "wasm-bindgen exports public items")]

mod comparison;
mod fault;
mod opened;

use lanescope_frontend::KernelOptions;
use wasm_bindgen::prelude::wasm_bindgen;

fn main() {}

/// The program of `text` as [`lanescope_frontend::Parsed::of_wire`] reads it. `kernel` is empty where
/// none is named; `defines` has `NAME=VALUE` on each line.
#[wasm_bindgen]
pub fn read(text: &str, kernel: &str, defines: &str) -> Vec<u8> {
    let pairs = defines.lines().filter_map(|line| line.split_once('='));
    let options = KernelOptions {
        kernel: (!kernel.is_empty()).then(|| kernel.to_owned()),
        defines: pairs
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        ..KernelOptions::default()
    };
    let compiled = lanescope_compiled::read(text, options.kernel.as_deref());
    compiled
        .unwrap_or_else(|| lanescope_wgsl::parse(text, &options))
        .to_wire()
}

/// What a profiler measured beside what is predicted, as lines of text in UTF-8 (`comparison.rs`). `link` is the state of
/// the kernel that is open.
#[wasm_bindgen]
pub fn compare(export: &str, link: &str) -> Vec<u8> {
    comparison::comparisons(export, link).into_bytes()
}

/// What a compiled file comes to as text, in UTF-8 (`opened.rs`), beside the listing that is open.
#[wasm_bindgen]
pub fn open_binary(file: &[u8], listing: &str) -> Vec<u8> {
    opened::answer(file, listing).into_bytes()
}
