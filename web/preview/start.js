
// The build appends these lines to the glue that wasm-bindgen makes, so that one file with one integrity starts the page.
// The keeper hands over a compiled module, so that the glue's own way to one is left out.
const init = async ({ module_or_path }) => __wbg_finalize_init(await WebAssembly.instantiate(module_or_path, __wbg_get_imports()));
globalThis.lanescopeBoot.glance({ init, glance, reopen, flush });
