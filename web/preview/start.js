
// The build appends these lines to the glue that wasm-bindgen makes, so that one file with one integrity starts the page.
globalThis.lanescopeBoot.glance({ init: __wbg_init, glance, reopen, flush });
