
// The build appends these lines to the glue that wasm-bindgen makes. The same file is the page's script and, in a
// worker, the one that runs the kernels.
const WASM = { url: "{{wasm.url}}", integrity: "{{wasm.integrity}}" };
const ANSWER_MS = 5_000; // an adapter that was asked for must answer
const SILENCE_MS = 60_000; // a run must say how far it is

if (typeof document === "undefined") {
  const ready = [];
  self.onmessage = async ({ data }) => {
    if (data.module) ready.push(__wbg_init({ module_or_path: data.module }));
    await ready[0];
    if (data.run) perform(data.run, await adapterTold().catch(() => "{}"), (text) => postMessage(text));
    if (data.foresee) foresee(data.foresee, (text) => postMessage(text));
    if (data.cancel) cancel();
    if ("hidden" in data) set_hidden(data.hidden);
  };
} else if (!lanescopeLab.isHeld) {
  const MADE = `blob:${self.origin}/`; // the worker's script, checked by then; the policy lets no element run such
  // Markup is refused: no element of the lab's views is wholly static, which Leptos would put in through `innerHTML`.
  globalThis.trustedTypes?.createPolicy("default", {
    createScriptURL: (url) => (String(url).startsWith(MADE) ? url : null),
  });

  fetch(new URL(WASM.url, document.baseURI), { integrity: WASM.integrity })
    .then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(`status ${answer.status}`))))
    .then((bytes) => WebAssembly.compile(bytes))
    .then(async (module) => {
      await __wbg_init({ module_or_path: module });
      // Where it cannot come, the page works without.
      const script = await checkedSelf().catch(() => null);
      begin(module, script);
    })
    .catch((failure) => lanescopeLab.refuse(WASM.url, failure));
}

function begin(module, script) {
  if (lanescopeLab.isRefused()) return; // what is said stays
  document.getElementById("still")?.remove();
  let worker = null;
  let silence = 0;

  const hear = (text) => {
    if (text.startsWith('{"Predicted"')) return heard(text); // no sign of the run
    clearTimeout(silence);
    const over = heard(text);
    if (!over) silence = setTimeout(() => stop({ fault: "timed_out", seconds: SILENCE_MS / 1000 }), SILENCE_MS);
  };

  const stop = (fault) => {
    worker?.terminate();
    worker = null;
    hear(JSON.stringify({ Fault: fault }));
  };

  const start = () => {
    if (!script) throw new Error("no worker");
    const made = new Worker(script, { type: "module" });
    made.onmessage = ({ data }) => hear(String(data)); // what is no text is no message either: a fault
    made.onerror = () => stop({ fault: "device_lost" });
    made.postMessage({ module });
    made.postMessage({ hidden: document.hidden });
    return made;
  };

  const run = (request) => {
    if (!isSecureContext) return hear(JSON.stringify({ Fault: { fault: "insecure_page" } }));
    if (!navigator.gpu) return hear(JSON.stringify({ Fault: { fault: "no_web_gpu" } }));
    clearTimeout(silence);
    silence = setTimeout(() => stop({ fault: "adapter_silent", seconds: ANSWER_MS / 1000 }), ANSWER_MS);
    try {
      worker ??= start();
      worker.postMessage({ run: request });
    } catch {
      // No workers here: the same engine, in the page.
      adapterTold().then(
        (told) => perform(request, told, hear),
        () => perform(request, "{}", hear),
      );
    }
  };

  const stopRun = () => {
    cancel();
    worker?.postMessage({ cancel: true });
  };

  const ask = (questions) => {
    try {
      worker ??= start();
      worker.postMessage({ foresee: questions });
    } catch {
      setTimeout(() => foresee(questions, heard)); // in the page, but not while it is being made
    }
  };

  document.addEventListener("visibilitychange", () => {
    set_hidden(document.hidden);
    worker?.postMessage({ hidden: document.hidden });
  });
  const heard = show(document.getElementById("root"), run, stopRun, ask);
}
