
// The build appends these lines to the glue that wasm-bindgen makes, so that one file with one integrity starts the page.

// WGSL is read by a worker, one text at a time, the latest next; one that takes too long is ended.
const READER = { url: "{{reader.url}}", integrity: "{{reader.integrity}}" };
const READ_MS = 1_000;
const COMPARE_MS = 20_000;
const LOAD_MS = 20_000;

/** Who has the worker do `work` ("read", "compare" or "open"), within so many milliseconds. */
const reader = (work, patience) => {
  let worker = null;
  let starting = null; // a token while the worker's script is fetched
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
    limit(patience, "slow");
    worker.postMessage({ work, text: busy.text, kernel: busy.kernel, defines: busy.defines });
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
    starting = null;
    isReady = false;
    answer(null, failure);
    if (next) start();
  };

  const start = () => {
    const token = {};
    starting = token;
    limit(LOAD_MS, "missing");
    checked(READER.url, READER.integrity).then(
      (url) => starting === token && startFrom(url),
      () => starting === token && end("missing"),
    );
  };

  const startFrom = (url) => {
    try {
      worker = new Worker(url, { type: "module" });
    } catch {
      return end("none");
    }
    worker.postMessage({ base: document.baseURI });
    worker.onerror = () => end(isReady ? "slow" : "none");
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
    if (!worker && !starting) start();
    begin();
  };
};

globalThis.lanescopeReader ??= reader("read", READ_MS);
// Lays a profiler's export beside the prediction: its "kernel" is the link to the kernel that is open.
globalThis.lanescopeCompare ??= reader("compare", COMPARE_MS);
// Opens a compiled file: its "text" is the bytes, its "kernel" the listing that is open.
globalThis.lanescopeOpen ??= reader("open", COMPARE_MS);

// A kernel's editor comes when the page is idle. Where it cannot come, the plain field stays: nobody need be told.
const EDITOR = { url: "{{editor.url}}", integrity: "{{editor.integrity}}" };
let editor = null;

function fetchModule({ url, integrity }) {
  // `import` checks no integrity; what was loaded ahead with one is what it gives.
  const link = document.createElement("link");
  const loaded = new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", reject);
  });
  Object.assign(link, { rel: "modulepreload", href: url, integrity, crossOrigin: "" });
  document.head.append(link);
  return loaded.then(() => import(link.href));
}

globalThis.lanescopeEditor = (heard) => {
  const idle = globalThis.requestIdleCallback ?? setTimeout;
  idle(() => {
    editor ??= fetchModule(EDITOR);
    editor.then(({ open }) => heard(open), () => {});
  });
};

// The run card is a module of its own, which comes when its button is pressed, or to show results that came with a link;
// then it is told what the page shows.
const RUN = { url: "{{run.url}}", integrity: "{{run.integrity}}" };
let run = null;

globalThis.lanescopeRun = (root, fragment, isPressed, heard) => {
  run ??= fetchModule(RUN);
  run.then(({ open }) => open(root, fragment, isPressed, () => checked(RUN.url, RUN.integrity))).then(
    () => heard(true),
    () => {
      run = null;
      heard(false);
    },
  );
};

/** Has the kernel of a link written in another language: `heard` takes the text, or none, and what is said of it. */
globalThis.lanescopeTranslate = (fragment, key, language, heard) => {
  run ??= fetchModule(RUN);
  run
    .then(({ translated }) => translated([fragment, key, language], () => checked(RUN.url, RUN.integrity)))
    .then(
      ({ text, said }) => heard(text ?? "", said.join(" ")),
      () => {
        run = null;
        heard("", "");
      },
    );
};

// What takes longer than a frame is done by a worker: this very file again, with the module that is compiled already. Each
// kind of work has one of its own, begun when it is wanted and ended when it rests, falls silent or is asked anew.
const BEGIN_MS = 20_000;
const SILENCE_MS = 20_000;
const REST_MS = 10_000;
const LONG_REST_MS = 20_000; // of the worker that every keystroke in a kernel asks
const RUSH_MS = 250; // what was superseded is ended unless it ends soon

let compiled = null;
let isForbidden = false; // by a sandbox, or the browser has none: the page does the work itself, in slices

const desk = (isPatient) => {
  let worker = null;
  let starting = null; // a token while the worker's script is fetched
  let isReady = false;
  let job = null;
  let next = null; // of a patient one, which asks for one thing after another
  let clock = 0;

  const limit = (ms, failure) => {
    clearTimeout(clock);
    clock = setTimeout(end, ms, failure);
  };

  /** Ends the worker; whoever waits for it is told why: "none", "broken" or "silent". */
  const end = (failure) => {
    clearTimeout(clock);
    worker?.terminate();
    worker = null;
    starting = null;
    isReady = false;
    isForbidden ||= failure === "none";
    const heard = (next ?? job)?.heard;
    job = next = null;
    if (failure) heard?.(null, failure);
  };

  const begin = () => {
    isReady = true;
    if (!job) return limit(isPatient ? LONG_REST_MS : REST_MS, "");
    worker.postMessage({ asked: job.asked });
    limit(SILENCE_MS, "silent");
  };

  const tell = (told) => {
    limit(SILENCE_MS, "silent");
    try {
      job.heard(told, "");
    } catch (failure) {
      end(""); // whoever asked is gone
      throw failure;
    }
  };

  const hear = (data) => {
    if (data?.ready === true) return begin();
    if (data?.missing === true) return end("none");
    if (job && data?.told instanceof Uint8Array) return tell(data.told);
    if (data?.over !== true) return end("broken");
    job = next;
    next = null;
    begin();
  };

  const start = () => {
    const token = {};
    starting = token;
    limit(BEGIN_MS, "none");
    checkedSelf()
      .then((url) => starting === token && startFrom(url))
      .catch(() => starting === token && end("none"));
  };

  /** Has `latest` done next: soon, even if what is under way takes long. */
  const supersede = (latest) => {
    next = latest;
    const late = job;
    setTimeout(() => {
      if (job !== late || !next) return;
      const { asked, heard } = next;
      end("");
      job = { asked, heard };
      start();
    }, RUSH_MS);
  };

  const startFrom = (url) => {
    const made = new Worker(url, { type: "module" });
    worker = made;
    made.onmessage = ({ data }) => worker === made && hear(data);
    made.onmessageerror = () => worker === made && end("broken");
    made.onerror = (event) => {
      event.preventDefault();
      if (worker === made) end(isReady ? "broken" : "none");
    };
    made.postMessage({ module: compiled });
  };

  return (asked, heard) => {
    if (job && isReady && isPatient) return supersede({ asked, heard });
    if (job && isReady) end("");
    job = asked && { asked, heard };
    if (!job) return;
    if (isReady) return begin();
    try {
      if (isForbidden || !globalThis.Worker) throw new Error("no workers");
      if (!worker && !starting) start();
    } catch {
      setTimeout(end, 0, "none");
    }
  };
};

/** Has `asked` done, or nothing where it is null; `heard` takes each message, or null and the name of a failure. */
globalThis.lanescopeWork ??= (() => {
  const desks = {};
  return (kind, asked, heard) => (desks[kind] ??= desk(kind === "look"))(asked, heard);
})();

/** The worker's half: takes the module, then work. */
function serve() {
  let isReady = false;
  self.onmessage = async ({ data: { module, asked } }) => {
    try {
      if (module) {
        await __wbg_init({ module_or_path: module });
        isReady = true;
        return postMessage({ ready: true });
      }
      postMessage(work(asked, (told) => postMessage({ told })) ? { over: true } : { broken: true });
    } catch {
      postMessage(isReady ? { broken: true } : { missing: true }); // a trap: this instance can no longer be trusted
    }
  };
}

function init(module) {
  compiled = module.module_or_path;
  return __wbg_init(module);
}

if (typeof document === "undefined") serve();
else globalThis.lanescopeBoot.whole({ init, mount, reset: __wbg_reset_state, fault });
