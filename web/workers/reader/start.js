
// The build appends these lines to the glue that wasm-bindgen makes: the worker that reads WGSL.
const WASM = { url: "{{wasm.url}}", integrity: "{{wasm.integrity}}" };

const ready = fetch(new URL(WASM.url, self.location.href), { integrity: WASM.integrity })
  .then((answer) => answer.arrayBuffer())
  .then((bytes) => __wbg_init({ module_or_path: bytes }));
ready.then(
  () => postMessage({ ready: true }),
  () => postMessage({ missing: true }),
);

self.onmessage = async ({ data: { text, kernel, defines } }) => {
  await ready;
  try {
    postMessage({ bytes: read(text, kernel, defines) });
  } catch {
    postMessage({ broken: true }); // a trap: this instance can no longer be trusted
  }
};
