
// The build appends these lines to the glue that wasm-bindgen makes: the worker that reads WGSL and compiled code.
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

const WORK = { read, compare, open: open_binary };

self.onmessage = async ({ data: { base, work, text, kernel, defines } }) => {
  if (base) return load(base);
  await ready;
  try {
    postMessage({ bytes: WORK[work](text, kernel, defines) });
  } catch {
    postMessage({ broken: true }); // a trap: this instance can no longer be trusted
  }
};
