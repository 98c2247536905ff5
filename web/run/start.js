
// The build appends these lines to the glue that wasm-bindgen makes. The same file is the card's script and, in a worker,
// the one that runs kernels.
const WASM = { url: "{{wasm.url}}", integrity: "{{wasm.integrity}}" };
const STYLE = { url: "{{style.url}}", integrity: "{{style.integrity}}" };
const SILENCE_MS = 60_000; // a run must say how far it is
const SIMULATION_MS = 300_000; // but for the simulator, whose steps are bounded: it ends by itself, on a slow machine later
const TRANSLATE_MS = 20_000;

if (typeof document === "undefined") {
  let ready;
  self.onmessage = async ({ data }) => {
    try {
      if (data.module) ready = __wbg_init({ module_or_path: data.module });
      await ready;
      if ("hidden" in data) set_hidden(data.hidden);
      if (data.translate) return postMessage(translate(...data.translate));
      if (!data.run) return;
      const told = await adapterTold().catch(() => "{}");
      perform(data.run, data.files, told, (text) => postMessage(text));
    } catch {
      postMessage(null); // no text: a fault
    }
  };
}

/** The one card: its element, and once it stands what tells it what the page shows. */
let card = null;
let shown = ""; // the link to what the page shows now

/**
 * Shows the card in `root` for the link `fragment`, and runs it where that was pressed; `own` gives the address of this
 * script as it was checked.
 */
export async function open(root, fragment, isPressed, own) {
  shown = fragment;
  if (card?.root !== root) card = { root, begun: begin(root, isPressed, own) };
  try {
    (await card.begun)(shown);
  } catch (failure) {
    card = null;
    throw failure;
  }
}

/** The kernel of a link in another language, as `{ text, said }`; a worker of its own writes it, so that the page goes on. */
export async function translated(asked, own) {
  const [script, module] = await Promise.all([own(), compiled()]);
  const worker = new Worker(script, { type: "module" });
  try {
    return await new Promise((resolve, reject) => {
      setTimeout(reject, TRANSLATE_MS);
      worker.onmessage = ({ data }) => (typeof data === "string" ? resolve(JSON.parse(data)) : reject());
      worker.onerror = (event) => {
        event.preventDefault();
        reject();
      };
      worker.postMessage({ module });
      worker.postMessage({ translate: asked });
    });
  } finally {
    worker.terminate();
  }
}

async function begin(root, isPressed, own) {
  const [script, module] = await Promise.all([own(), compiled(), styled()]);
  await __wbg_init({ module_or_path: module });
  return mount(root, shown, isPressed, script, module);
}

async function compiled() {
  const answer = await fetch(new URL(WASM.url, document.baseURI), { integrity: WASM.integrity });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

function styled() {
  if (document.querySelector(`link[href="${STYLE.url}"]`)) return;
  const link = document.createElement("link");
  const loaded = new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", reject);
  });
  Object.assign(link, { rel: "stylesheet", integrity: STYLE.integrity, crossOrigin: "" });
  link.setAttribute("href", STYLE.url);
  document.head.append(link);
  return loaded;
}

function mount(root, fragment, isPressed, script, module) {
  let worker = null;
  let silence = 0;
  let isSimulating = false;

  const listen = () => {
    const most = isSimulating ? SIMULATION_MS : SILENCE_MS;
    silence = setTimeout(() => over({ fault: "timed_out", seconds: most / 1000 }), most);
  };

  const over = (fault) => {
    clearTimeout(silence);
    worker?.terminate();
    worker = null;
    hear(JSON.stringify({ Fault: fault }));
  };

  const take = (text) => {
    clearTimeout(silence);
    if (typeof text !== "string") return over({ fault: "device_lost" });
    if (text.startsWith('{"At":')) isSimulating = text === '{"At":"Simulating"}';
    if (!hear(text)) listen();
  };

  const start = () => {
    const made = new Worker(script, { type: "module" });
    made.onmessage = ({ data }) => worker === made && take(data);
    made.onerror = (event) => {
      event.preventDefault();
      if (worker === made) over({ fault: "device_lost" });
    };
    made.postMessage({ module });
    made.postMessage({ hidden: document.hidden });
    return made;
  };

  const run = (request, files) => {
    queueMicrotask(() => {
      if (!isSecureContext) return over({ fault: "insecure_page" });
      if (!navigator.gpu) return over({ fault: "no_web_gpu" });
      isSimulating = false;
      listen();
      worker ??= start();
      worker.postMessage({ run: request, files });
    });
  };

  // A GPU cannot be interrupted, nor can the simulator: who cancels ends the worker.
  const stop = () => over({ fault: "cancelled" });

  document.addEventListener("visibilitychange", () => worker?.postMessage({ hidden: document.hidden }));
  const [follow, hear] = show(root, fragment, isPressed, run, stop);
  return follow;
}
