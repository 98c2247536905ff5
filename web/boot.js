// The page's keeper, in plain JS so that it stands when the WASM falls. It shows the page at a glance, puts the whole page
// in its place, brings that back from its address after a failure, and says so when a file is damaged or the page keeps
// failing.
"use strict";
(() => {
  // The build puts the names and the integrity of the files here.
  const GLANCE = { url: "{{glance.url}}", integrity: "{{glance.integrity}}" };
  const WHOLE = { url: "{{wasm.url}}", integrity: "{{wasm.integrity}}" };
  const STYLE = { url: "{{style.url}}", integrity: "{{style.integrity}}" };
  const SCRIPT = { url: "{{script.url}}", integrity: "{{script.integrity}}" };
  // What only the whole page reads: kernels, WGSL, layouts, traces.
  const FOR_WHOLE = /[#?&](k|w|y|by|r|ab)=|#kept$/;
  const FAILURES_MAX = 3; // within a minute: the page stays still
  const MINUTE_MS = 60_000;
  const BUSY_MS = 250; // a pointer that is down or a word that is being composed is waited for

  // What the tab holds of a text that the address may not tell yet: the former address, the present one, the one to be and
  // the entry's state, a line each.
  const LEFT = "lanescope.left";

  const { still, button, isFramed, tellFramed } = lanescopeStill;
  const isEmbed = () => "embed" in document.documentElement.dataset;
  const isHeld = !isEmbed() && isFramed();

  let root; // not there yet: this script runs before the body is read
  let first = null; // the doors of the page at a glance, while it is what is shown
  let app = null; // the doors of the whole page's glue, while the page is alive
  let wanted = null; // the module of the whole page, once it is sent for
  let styled = null; // its style sheet has come
  let then = ""; // the element to click when the whole page stands
  let isBusy = false;
  let failures = []; // when the last ones happened
  let recovering = false;
  let refused = false;

  // Leptos puts static markup in through `innerHTML`, so a policy must exist; it lets through what a template may hold.
  const MARKUP_REFUSED = /<\/?(script|iframe|frame|object|embed|link|meta|base|form)\b|[\s"'/]on\w+\s*=|javascript:/i;
  const OWN_SCRIPT = /^([a-z]+-[0-9a-f]{16}|sw)\.js$/;
  const MADE = `blob:${self.origin}/`; // a worker's script, checked by then; the policy lets no element run such
  const OWN_FILE = /\/[a-z]+-[0-9a-f]{16}\.(js|css)/;
  const folder = new URL(".", document.baseURI).href;
  globalThis.trustedTypes?.createPolicy("default", {
    createHTML: (markup) => (MARKUP_REFUSED.test(markup) ? null : markup),
    createScriptURL: (url) => {
      const { href } = new URL(url, folder);
      const isOwn = href.startsWith(folder) && OWN_SCRIPT.test(href.slice(folder.length));
      return isOwn || href.startsWith(MADE) ? url : null;
    },
  });

  // `fetch` refuses a file whose bytes are not those that were published.
  function compiled({ url, integrity }) {
    const module = fetch(url, { integrity })
      .then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(`status ${answer.status}`))))
      .then((bytes) => WebAssembly.compile(bytes));
    module.catch((failure) => refuse(url, failure));
    return module;
  }

  /** Sends for the whole page; once it stands, the element with id `next` is clicked. */
  function whole(next = "") {
    then ||= next;
    if (wanted) return;
    wanted = compiled(WHOLE);
    const style = document.createElement("link");
    styled = new Promise((resolve) => style.addEventListener("load", resolve));
    Object.assign(style, { rel: "stylesheet", href: STYLE.url, integrity: STYLE.integrity, crossOrigin: "" });
    const script = document.createElement("script");
    Object.assign(script, { type: "module", src: SCRIPT.url, integrity: SCRIPT.integrity, crossOrigin: "" });
    document.head.append(style, script);
  }
  globalThis.lanescopeWhole = whole;

  // The browser takes the address of a reload as that begins, and of Back a restored one; a visit is a new beginning.
  const { type } = performance.getEntriesByType("navigation")[0] ?? {};
  if (!isEmbed()) catchUp(type !== "navigate", type === "reload");
  const glance = isHeld || FOR_WHOLE.test(location.href) ? null : compiled(GLANCE);
  if (isHeld) tellFramed();
  else if (!glance) whole();

  // Called by the files of the glue with their doors.
  globalThis.lanescopeBoot = Object.freeze({
    async glance(doors) {
      if (!glance) return;
      root = document.getElementById("root");
      try {
        await doors.init({ module_or_path: await glance });
        if (app || refused) return;
        root.replaceChildren();
        if (doors.glance(root)) first = doors;
        stood();
      } catch (failure) {
        if (refused) return;
        console.warn("the page at a glance failed:", failure);
      }
      if (!first) return whole();
      // The rest comes when the first picture has been painted; in an article only when somebody needs it.
      if (!isEmbed()) requestAnimationFrame(() => setTimeout(whole));
    },

    async whole(doors) {
      try {
        await doors.init({ module_or_path: await wanted });
        await styled;
      } catch (failure) {
        return refuse(WHOLE.url, failure);
      }
      if (refused) return;
      while (isBusy) await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
      root = document.getElementById("root");
      app = doors;
      globalThis.lanescope = Object.freeze({ fault: (kind) => setTimeout(() => doors.fault(kind)) });
      try {
        takeOver();
      } catch (failure) {
        fail(failure);
      }
      keepForOffline();
    },
  });

  for (const [begins, ends] of [["pointerdown", "pointerup"], ["compositionstart", "compositionend"]]) {
    addEventListener(begins, () => (isBusy = true), true);
    addEventListener(ends, () => (isBusy = false), true);
  }
  addEventListener("pointercancel", () => (isBusy = false), true);
  addEventListener("pagehide", () => {
    const { href } = location;
    first?.flush();
    if (href !== location.href) keep(`\n${href}\n${location.href}\n0`);
  });
  addEventListener("hashchange", () => {
    if (first && !first.reopen()) whole();
  });

  /** Puts the whole page in the place of the page at a glance: the caret and what is in view stay. */
  function takeOver() {
    first?.flush();
    first = null;
    const focused = document.activeElement;
    const { id, selectionStart, selectionEnd } = focused ?? {};
    const { scrollX, scrollY } = window;
    show();
    // Its fields are filled once its effects have run.
    setTimeout(() => {
      const again = id && document.getElementById(id);
      if (again) again.focus({ preventScroll: true });
      if (again && typeof selectionStart === "number") again.setSelectionRange(selectionStart, selectionEnd);
      scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
      if (then) document.getElementById(then)?.click();
    });
  }

  function keep(left) {
    try {
      sessionStorage.setItem(LEFT, left);
    } catch {} // forbidden or full: the address is all there is
  }

  /** Puts what the tab holds into the address where it is `wanted`, and forgets it. A reload is of what was left last. */
  function catchUp(wanted, isReload) {
    try {
      const [former, from, to, ...state] = sessionStorage.getItem(LEFT)?.split("\n") ?? [];
      sessionStorage.removeItem(LEFT);
      if (to && (isReload || (wanted && [former, from].includes(location.href)))) history.replaceState(state.join("\n"), "", to);
    } catch {}
  }

  function show() {
    root.replaceChildren();
    app.mount(root);
    stood();
  }

  function stood() {
    performance.mark("lanescope:stands");
    document.getElementById("still")?.remove();
  }

  function fail(failure) {
    if (!app || recovering) return;
    recovering = true;
    console.warn("the page failed and starts again from its address:", failure);
    // Not before the stack is empty: frames of the failed instance may still be on it.
    queueMicrotask(recover);
  }

  function recover() {
    const start = performance.now();
    recovering = false;
    const now = Date.now();
    failures = [...failures.filter((time) => now - time < MINUTE_MS), now];
    if (failures.length >= FAILURES_MAX) return rest();
    const focused = document.activeElement?.id;
    try {
      app.reset(); // a fresh instance; closures of the old one now only throw
      catchUp(true);
      show();
      if (focused) document.getElementById(focused)?.focus();
      performance.measure("lanescope:recovery", { start });
    } catch (failure) {
      fail(failure);
    }
  }

  addEventListener("error", (event) => {
    const { target } = event;
    const file = target.src ?? (target.rel === "stylesheet" && target.href);
    if (target !== window) return file && isOwn(file) && refuse(file);
    if (isStale(event.error)) return event.preventDefault();
    // What other scripts of the page do (extensions, a host's analytics) is no failure of this page.
    if (!isOwn(event.filename) && !isOwn(event.error?.stack)) return;
    if (first) return whole();
    fail(event.error);
  }, true);

  addEventListener("unhandledrejection", (event) => {
    if (isStale(event.reason)) return event.preventDefault();
    if (isOwn(event.reason?.stack)) fail(event.reason);
  });

  // Whether an address, or the stack of an error, is of this page: its files, or its module (a trap, a stack overflow).
  function isOwn(text = "") {
    return text.includes("wasm-function[") || (text.includes(folder) && OWN_FILE.test(text));
  }

  // A timer or a listener that a former instance left behind.
  function isStale(error) {
    return /previous wasm instance/i.test(error?.message ?? "");
  }

  function refuse(url, failure) {
    refused = true;
    lanescopeStill.refuse(url, failure);
  }

  // Failed too often: the visitor's work is in the address.
  function rest() {
    try {
      app.reset(); // so that what the failed instance left behind rests too
    } catch {}
    app = null;
    catchUp(true);
    const says = ["The page failed three times in a minute and stopped. Your work is in this link:", "页面一分钟内三次出错,已停止。你的内容在此链接中:"];
    const link = document.createElement("input");
    link.readOnly = true;
    link.value = location.href;
    link.setAttribute("aria-label", "Link / 链接");
    link.dataset.testid = "still-link";
    const copy = () => (navigator.clipboard?.writeText(link.value) ?? Promise.reject()).catch(() => link.select());
    still(says, link, button("Copy / 复制", copy), button("Start again / 重新开始", () => location.reload()));
  }

  // After the first visit the page opens without a network. Never in an embed, where storage is another page's matter.
  function keepForOffline() {
    if (window.top !== window || isEmbed() || !isSecureContext) return;
    try {
      navigator.serviceWorker?.register("sw.js").catch(() => {});
    } catch {} // a sandbox forbids the very asking
  }
})();
