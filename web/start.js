
// The build appends these lines to the glue that wasm-bindgen makes, so that one file with one integrity starts the page.

// WGSL is read by a worker, one text at a time, the latest next; one that takes too long is ended.
const READER = "{{reader.url}}";
const READ_MS = 1_000;
const LOAD_MS = 20_000;

globalThis.lanescopeReader ??= (() => {
  let worker = null;
  let isReady = false;
  let busy = null;
  let next = null;
  let clock = 0;

  const limit = (ms, failure) => {
    clearTimeout(clock);
    clock = setTimeout(() => end(failure), ms);
  };

  const begin = () => {
    clearTimeout(clock);
    if (busy || !next || !isReady) return;
    busy = next;
    next = null;
    limit(READ_MS, "slow");
    worker.postMessage({ text: busy.text, kernel: busy.kernel, defines: busy.defines });
  };

  const answer = (bytes, failure) => {
    const { heard } = busy ?? next ?? {};
    if (!busy) next = null;
    busy = null;
    heard?.(bytes ?? null, failure ?? "");
    begin();
  };

  const end = (failure) => {
    clearTimeout(clock);
    worker?.terminate();
    worker = null;
    isReady = false;
    answer(null, failure);
    if (next) start();
  };

  const start = () => {
    worker = new Worker(READER, { type: "module" });
    limit(LOAD_MS, "missing");
    worker.onerror = () => end("missing");
    worker.onmessage = ({ data }) => {
      if (data.missing) return end("missing");
      if (data.broken) return end("slow");
      if (data.ready) isReady = true;
      if (data.ready) return begin();
      clearTimeout(clock);
      answer(data.bytes);
    };
  };

  return (text, kernel, defines, heard) => {
    next = { text, kernel, defines, heard };
    try {
      if (!worker) start();
    } catch {
      return end("missing");
    }
    begin();
  };
})();

globalThis.lanescopeBoot.whole({ init: __wbg_init, mount, reset: __wbg_reset_state, fault });
