// Lanescope's model for other people's pages and for Node: a question in, numbers out. See README.md.
import * as glue from "./glue.js";

let opening = null;
let isOpen = false;

/**
 * Loads the WASM beside this file, once; the functions below can be called afterwards.
 * `wasm`: instead, an address, a `Response`, the bytes or a compiled module.
 */
export function load(wasm) {
  opening ??= open(wasm).catch((failure) => {
    opening = null;
    throw failure;
  });
  return opening;
}

async function open(wasm = new URL("lanescope.wasm", import.meta.url)) {
  const isFile = wasm instanceof URL && wasm.protocol === "file:";
  const source = isFile ? await bytesOf(wasm) : wasm;
  await glue.default({ module_or_path: source });
  isOpen = true;
}

/** What a file holds: Node's fetch reads none. Bundlers for browsers must not look for Node's module. */
async function bytesOf(file) {
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
  return readFile(file);
}

/** The report on a question: what each line costs, the totals, and what is to be said about the source. */
export function analyze(question) {
  return JSON.parse(call(() => glue.analyze(JSON.stringify(question))));
}

/** The picture of the question's costliest request as SVG; `line`: of the accesses on that line; `language`: "en" or "zh". */
export function svg(question, { line = 0, language = "en" } = {}) {
  return call(() => glue.svg(JSON.stringify(question), line, language));
}

/** The fixes of a question's source, best first, each proved on the changed source. */
export function fixes(question) {
  return JSON.parse(call(() => glue.fixes(JSON.stringify(question))));
}

/** A layout (CuTe, a swizzle, a TMA box, Triton's encodings) under its accesses; with `find`, what frees all of them. */
export function layout(question) {
  return JSON.parse(call(() => glue.layout(JSON.stringify(question))));
}

/** The answers to a recorded trace (CSV, JSON, NVBit's or Accel-Sim's), a row each. */
export function trace(text, { device = "" } = {}) {
  return JSON.parse(call(() => glue.trace(text, device)));
}

/** The link that opens the question in the page published at `base`. */
export function link(question, base = "") {
  return `${base}#${call(() => glue.link(JSON.stringify(question)))}`;
}

/** Runs `door`; after a failure of the WASM the next call has a fresh instance. */
function call(door) {
  if (!isOpen) throw new Error("await load() first");
  try {
    return door();
  } catch (failure) {
    if (failure instanceof WebAssembly.RuntimeError || failure instanceof RangeError) glue.__wbg_reset_state();
    throw failure;
  }
}
