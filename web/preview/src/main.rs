//! The page at a glance: a plain expression, its verdict and its picture.
//!
//! It comes first because it is small. In an article it is all there is; in the page of Lanescope the whole page
//! takes its place as soon as that has arrived. What it cannot read or say it leaves to the whole page:
//! [`glance`] then returns `false`, or it asks for the whole page through `lanescopeWhole`.

#![allow(
    unreachable_pub,
    reason = "the macros of wasm-bindgen make public items"
)]

mod answer;
mod browser;
mod controls;
mod page;
mod picture;
mod source;
mod tiles;
mod words;

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlElement;

use crate::page::Page;
use lanescope_ui::element::El;

thread_local! {
    static SHOWN: RefCell<Option<Rc<Page>>> = const { RefCell::new(None) };
}

fn main() {}

/// Shows what the address tells in `root`; `false` where that takes the whole page.
#[wasm_bindgen]
pub fn glance(root: HtmlElement) -> bool {
    let Some(page) = Page::open() else {
        return false;
    };
    page.build(&El::of(root.into()));
    page.show();
    SHOWN.set(Some(page));
    true
}

/// Takes what the address tells now; `false` where that takes the whole page.
#[wasm_bindgen]
pub fn reopen() -> bool {
    SHOWN.with_borrow(|shown| shown.as_ref().is_some_and(|page| page.reopen()))
}

/// Writes at once what the address does not tell yet.
#[wasm_bindgen]
pub fn flush() {
    SHOWN.with_borrow(|shown| shown.iter().for_each(|page| page.flush()));
}
