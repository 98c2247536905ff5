//! Lanescope's page, client side.
//!
//! The module does nothing until `boot.js` calls [`mount`]: when the page loads, and again in a fresh instance
//! after a failure. All state that must survive a failure therefore lives in the page's address.

#![allow(
    unreachable_pub,
    reason = "the macros of Leptos and wasm-bindgen make public items"
)]

mod address;
mod answer;
mod app;
mod background;
mod beside;
mod card;
mod compiled;
mod debounce;
mod document;
mod embed;
mod examples;
mod export;
mod fault;
mod highlight;
mod link_notice;
mod measured;
mod measured_column;
mod opened;
mod page;
mod painted;
mod png;
mod read_ahead;
mod reader;
mod recent;
mod session;
mod snippet;
mod tasks;
mod undo;
mod view;
mod words;
mod work;
mod workgroup_size;

use std::panic::set_hook;

use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlElement;

use crate::app::App;
use crate::embed::Embed;

fn main() {
    set_hook(Box::new(|panic| {
        leptos::logging::error!("{panic}");
    }));
}

/// Puts the page into `root`, in the state that the address tells; an embed where the document
/// says that it is one.
#[wasm_bindgen]
pub fn mount(root: HtmlElement) {
    if document::is_embed() {
        mount_to(root, || view! { <Embed /> }).forget();
    } else {
        mount_to(root, || view! { <App /> }).forget();
    }
}
