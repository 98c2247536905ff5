
// The build appends these lines to the glue that wasm-bindgen makes: the worker that reads WGSL.
const WASM = { url: "{{wasm.url}}", integrity: "{{wasm.integrity}}" };

let ready;

// The script runs from memory: the page says where its files lie.
function load(base) {
  ready = fetch(new URL(WASM.url, base), { integrity: WASM.integrity })
    .then((answer) => answer.arrayBuffer())
    .then((bytes) => __wbg_init({ module_or_path: bytes }));
  ready.then(
    () => postMessage({ ready: true }),
    () => postMessage({ missing: true }),
  );
}

self.onmessage = async ({ data: { base, work, text, kernel, defines } }) => {
  if (base) return load(base);
  await ready;
  try {
    postMessage({ bytes: work === "compare" ? compare(text, kernel) : read(text, kernel, defines) });
  } catch {
    postMessage({ broken: true }); // a trap: this instance can no longer be trusted
  }
};
