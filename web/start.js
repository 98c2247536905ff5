
// The build appends these lines to the glue that wasm-bindgen makes, so that one file with one integrity starts the page.
globalThis.lanescopeBoot.whole({ init: __wbg_init, mount, reset: __wbg_reset_state, fault });
