// What a page has besides when `lanescope serve` gives it: tabs of files, the compiler's flags, and a way to the real compiler,
// whose listing the page counts. The page that is built has none of it; only the program puts it in. It reads the page's
// state from its address, as everything does, and builds elements from text alone.
import WORDS from "./words.js"; // crates/locale/src/served.rs

const PAUSE_MS = 250; // after the last change of the address
const LOOK_MS = 100; // an address that the page replaces tells nobody
const FILES_MS = 1_000;
const IDLE_MS = 300; // a request that a newer one has taken the place of

const words = () => WORDS[document.documentElement.lang.slice(0, 2)] ?? WORDS.en;
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

const strip = make("section", "served");
strip.dataset.testid = "served";
const tabs = make("span", "tabs");
const flags = Object.assign(make("input", "field flags"), { spellcheck: false });
const save = Object.assign(make("button", "button small"), { hidden: true });
const state = make("span", "state");
const note = make("span", "muted");
const errors = make("div", "errors");
const bar = make("div", "row");
bar.append(tabs, flags, save, state, note);
strip.append(bar, errors);
state.setAttribute("role", "status");
for (const [name, element] of Object.entries({ tabs, flags, save, state, note, errors })) element.dataset.testid = `served-${name}`;

let files = [];
let open = null; // the file whose text is on screen, and the version that was read
let tools = {};
let asked = null; // what was compiled last
let toldFlags = ""; // its flags
let seen = ""; // the address, the flags and the language as they were last seen
let since = 0;
let said = () => words().nothing;
let noted = () => toolsFound();
let refused = []; // what is wrong with the text

function make(name, kind, text = "") {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.textContent = text;
  return element;
}

/** Asks the server that gave this page; its addresses stand below the page's own, so the token goes along. */
async function ask(path, body) {
  const options = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const reply = await fetch(new URL(`serve/${path}`, document.baseURI), options);
  return { status: reply.status, value: await reply.json() };
}

/** The page's state: its address, or what its entry of the history holds of a text too long for that. */
function link() {
  const fragment = location.hash.slice(1);
  return fragment === "kept" ? String(history.state).split("\n")[1] ?? "" : fragment;
}

/** The keys of an address that a compilation depends on (crates/share/src/keys.rs); others say what is looked into. */
const COMPILED_KEYS = ["k", "n", "t", "m", "a", "s", "g", "b", "guess", "gpu", "twice"];

/** What of an address is compiled; nothing where there is no kernel. */
function compiledPart(fragment) {
  const all = new URLSearchParams(fragment);
  return all.has("k") && JSON.stringify(COMPILED_KEYS.map((key) => all.getAll(key)));
}

/** Says how far the compiler is, in the page's language whenever that changes. */
function tell(saying, kind = "", wrong = []) {
  said = saying;
  refused = wrong;
  state.className = `state ${kind}`;
  sayAll();
}

function sayNote(noting) {
  noted = noting;
  sayAll();
}

function sayAll() {
  const { flags: label, save_to, line } = words();
  state.textContent = said();
  note.textContent = noted();
  flags.placeholder = label;
  flags.setAttribute("aria-label", label);
  save.hidden = !open;
  if (open) save.textContent = fill(save_to, { file: files[open.file]?.name });
  const place = (number) => (number ? `${fill(line, { line: number })}: ` : "");
  errors.replaceChildren(...refused.map(({ line: number, text }) => make("div", "bad", place(number) + text)));
}

/** The compilers of this machine, by their places. */
function toolsFound() {
  const { compiler, other_compiler, no_compiler } = words();
  if (!tools.known) return "";
  const first = tools.nvcc ? fill(compiler, { path: tools.nvcc }) : no_compiler;
  const others = [["hipcc", tools.hipcc], ["Triton", tools.triton]].filter(([, path]) => path);
  return [first, ...others.map(([name, path]) => fill(other_compiler, { name, path }))].join(" · ");
}

async function compile() {
  const body = { link: link(), flags: flags.value, file: open?.file ?? null };
  const part = compiledPart(body.link);
  const key = JSON.stringify([part, body.flags, body.file]);
  if (!tools.nvcc || !part || key === asked) return;
  asked = key;
  tell(() => words().compiling);
  if (toldFlags !== body.flags) tellPage(""); // what the page shows is of other flags
  toldFlags = body.flags;
  const { status, value } = await ask("compile", body);
  if (key !== asked) return;
  if (status === 409) {
    setTimeout(() => { if (key === asked) asked = null; }, IDLE_MS);
  } else if (status !== 200) {
    tell(() => value.error, "bad");
  } else if (value.answer === "refused") {
    tell(() => words().refused, "bad", value.errors);
    tellPage(body.link, value.errors.map(({ line, text }) => ["error", line ?? 0, text]));
  } else {
    const isCounted = value.compiled.status === "counted"; // else the page says how far it can be relied on
    tell(() => (isCounted ? words().counted : ""), isCounted ? "counted" : "");
    const totals = value.comparison?.totals ?? [];
    const sums = totals.filter(({ compiled }) => compiled.requests > 0).map(({ op, compiled }) => ["total", op, compiled.units]);
    tellPage(body.link, [["file", value.file], ...Object.entries(value.assumed).map((one) => ["assumed", ...one]), ...(value.code ? [["code", value.code]] : []), ...sums]);
  }
}

/** Tells the page, which counts and shows it, what was made of the text that `link` leads to. */
function tellPage(link, rows = []) {
  const lines = [["link", link], ...rows].map((row) => row.map((cell) => String(cell).replace(/[\t\r\n]+/g, " ")).join("\t"));
  dispatchEvent(new CustomEvent("lanescope:compiled", { detail: lines.join("\n") }));
}

async function openFile(file) {
  const { status, value } = await ask("open", { file, link: link() });
  if (status !== 200) return tell(() => value.error, "bad");
  open = { file, version: value.version, link: value.link };
  noted = toolsFound;
  if (location.hash.slice(1) !== value.link) location.hash = value.link;
  showTabs();
}

async function saveFile() {
  if (!open) return;
  const { status, value } = await ask("save", { ...open, link: link() });
  if (status !== 200) return tell(() => value.error, "bad");
  open.version = value.version;
  open.link = link();
  sayNote(() => words().saved);
}

function showTabs() {
  tabs.replaceChildren(...files.map(({ name }, number) => {
    const tab = make("button", "button small tab", name);
    tab.setAttribute("aria-pressed", String(open?.file === number));
    tab.addEventListener("click", () => openFile(number));
    return tab;
  }));
  sayAll();
}

/** Looks at the files: one that others have changed is read again, unless it was changed here too. */
async function lookAtFiles() {
  const { status, value } = await ask("status");
  if (status !== 200) return;
  const isFirst = !tools.known;
  tools = { ...value.tools, known: true };
  files = value.files;
  if (isFirst && !open && files.length) await openFile(0);
  else if (isFirst) showTabs();
  if (!open || files[open.file].version === open.version) return;
  if (isTouched()) sayNote(() => words().changed);
  else await openFile(open.file);
}

const text = (fragment) => new URLSearchParams(fragment).get("k");
const isTouched = () => text(link()) !== text(open.link);

function look() {
  const now = `${location.href}\n${flags.value}\n${document.documentElement.lang}`;
  if (now !== seen) {
    seen = now;
    since = performance.now();
    sayAll();
  } else if (performance.now() - since >= PAUSE_MS) {
    compile().catch(() => tell(() => words().lost, "bad"));
  }
}

save.addEventListener("click", () => saveFile().catch(() => tell(() => words().lost, "bad")));
document.body.append(strip);
sayAll();
setInterval(look, LOOK_MS);
const watchFiles = () => lookAtFiles().catch(() => tell(() => words().lost, "bad")).then(() => setTimeout(watchFiles, FILES_MS));
watchFiles();
