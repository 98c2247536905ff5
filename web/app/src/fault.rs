//! Failures on demand, so that the tests can break the very bundle that visitors get.
//!
//! Reachable only by script that already runs in the page (`lanescope.fault("trap")` in the console): no link, no
//! message and no input leads here, and whoever can call it could as well close the tab.

use std::hint::black_box;

use leptos::prelude::{ArcRwSignal, Update};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::throw_str;

/// Bytes asked for at a time until there are no more.
const CHUNK_BYTES: usize = 64 << 20;

/// Fails in the way that `kind` names; an unknown name does nothing.
#[wasm_bindgen]
pub fn fault(kind: &str) {
    match kind {
        "panic" => panic!("a panic on demand"),
        "signal" => {
            ArcRwSignal::new(0).update(|_| panic!("a panic inside a signal's update on demand"))
        }
        "stack" => {
            black_box(overflow(1));
        }
        "trap" => trap(),
        "memory" => exhaust(),
        "exception" => throw_str("an exception on demand"),
        _ => {}
    }
}

#[expect(
    unconditional_recursion,
    reason = "overflowing the stack is what it is for"
)]
fn overflow(depth: u64) -> u64 {
    black_box(overflow(black_box(depth + 1))) + black_box(depth)
}

#[cfg(target_arch = "wasm32")]
fn trap() {
    core::arch::wasm32::unreachable()
}

#[cfg(not(target_arch = "wasm32"))]
fn trap() {
    std::process::abort()
}

fn exhaust() {
    loop {
        black_box(Vec::<u8>::with_capacity(CHUNK_BYTES)).leak();
    }
}
