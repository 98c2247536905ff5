// What a page has besides when `lanescope serve` gives it: tabs of files, flags, and beside what is predicted what the real
// compiler makes of the text. The page that is built has none of it; only the program puts it in. It reads the page's
// state from its address, as everything does, and builds elements from text alone.

const PAUSE_MS = 250; // after the last change of the address
const LOOK_MS = 100; // an address that the page replaces tells nobody
const FILES_MS = 1_000;
const IDLE_MS = 300; // a request that a newer one has taken the place of

const WORDS = {
  en: {
    none: "No nvcc on this machine: numbers stay predicted. pip install 'lanescope[nvcc]' gives one.",
    found: (tools) => `Compiled with ${tools.nvcc}${tools.hipcc ? ` · hipcc: ${tools.hipcc}` : ""}${tools.triton ? " · Triton found" : ""}`,
    flags: "nvcc flags", save: "Save to", changed: "changed on disk; open it again", saved: "saved",
    waits: "compiling …", refused: "nvcc refuses this source", lost: "The server has stopped.",
    nothing: "Type a CUDA kernel: what nvcc makes of it is counted here.",
    predicted: "predicted", line: "line", access: "access", requests: "requests", counted: "counted",
    instructions: "instructions", units: "Units: wavefronts of shared memory, sectors of global memory.", listing: "SASS",
  },
  zh: {
    none: "本机没有 nvcc:数字仍为预测值。可用 pip install 'lanescope[nvcc]' 安装。",
    found: (tools) => `编译器:${tools.nvcc}${tools.hipcc ? ` · hipcc:${tools.hipcc}` : ""}${tools.triton ? " · 已找到 Triton" : ""}`,
    flags: "nvcc 选项", save: "保存到", changed: "磁盘上的文件已更改,请重新打开", saved: "已保存",
    waits: "正在编译……", refused: "nvcc 无法编译此源码", lost: "服务器已停止。",
    nothing: "输入 CUDA 内核,这里会显示 nvcc 实际编译结果的计数。",
    predicted: "预测", line: "行", access: "访问", requests: "请求", counted: "计数",
    instructions: "指令", units: "单位:共享内存为 wavefront,全局内存为 sector。", listing: "SASS",
  },
};
const words = () => WORDS[document.documentElement.lang.startsWith("zh") ? "zh" : "en"];

const strip = make("section", "served");
strip.dataset.testid = "served";
const tabs = make("span", "tabs");
const flags = Object.assign(make("input", "field flags"), { spellcheck: false });
const save = Object.assign(make("button", "button"), { hidden: true });
const state = make("span", "state");
const note = make("span", "muted");
const answer = make("div", "answer");
const bar = make("div", "row");
bar.append(tabs, flags, save, state, note);
strip.append(bar, answer);
state.setAttribute("role", "status");
state.dataset.testid = "served-state";
flags.dataset.testid = "served-flags";
save.dataset.testid = "served-save";

let files = [];
let open = null; // the file whose text is on screen, and the version that was read
let tools = {};
let asked = null; // what was compiled last
let seen = ""; // the address and flags as they were last seen
let since = 0;

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

const hasKernel = (text) => /(^|&)k=/.test(text);

function tell(text, kind = "") {
  state.textContent = text;
  state.className = `state ${kind}`;
}

async function compile() {
  const body = { link: link(), flags: flags.value, file: open?.file ?? null };
  const key = JSON.stringify(body);
  if (!tools.nvcc || !hasKernel(body.link) || key === asked) return;
  asked = key;
  tell(words().waits);
  const { status, value } = await ask("compile", body);
  if (key !== asked) return;
  if (status === 409) {
    setTimeout(() => { if (key === asked) asked = null; }, IDLE_MS);
  } else if (status !== 200) {
    show([], value.error);
  } else if (value.answer === "refused") {
    show(value.errors, words().refused);
    tellPage(body.link, value.errors.map(({ line, text }) => ["error", line ?? 0, text]));
  } else {
    showCounted(value);
    const lines = value.comparison?.lines ?? [];
    tellPage(body.link, lines.map(({ line, op, source, compiled }) => ["cost", line, op, source.units, compiled.units]));
  }
}

/** Tells the page, which shows it at its lines, what was made of the text that `link` leads to. */
function tellPage(link, rows) {
  const lines = [["link", link], ...rows].map((row) => row.map((cell) => String(cell).replace(/[\t\r\n]+/g, " ")).join("\t"));
  dispatchEvent(new CustomEvent("lanescope:compiled", { detail: lines.join("\n") }));
}

function show(errors, why) {
  tell(why, "bad");
  const list = errors.map(({ line, text }) => make("div", "bad", line ? `${words().line} ${line}: ${text}` : text));
  answer.replaceChildren(...list);
}

function showCounted({ compiled, predicted, comparison, listing }) {
  const isCounted = compiled.status === "counted"; // else the sentence says how far it can be relied on
  tell(isCounted ? `${words().counted}: ${compiled.verdict}` : compiled.verdict, isCounted ? "counted" : "");
  const before = predicted && `${words().predicted}: ${predicted.verdict}`;
  const fold = document.createElement("details");
  fold.open = answer.querySelector("details")?.open ?? false;
  fold.append(make("summary", "", words().listing), make("pre", "", listing));
  answer.replaceChildren(make("div", "muted", before ?? ""), table(comparison), make("div", "muted", words().units), fold);
}

function table(comparison) {
  const all = document.createElement("table");
  const { line, access, requests, predicted, counted, instructions } = words();
  const row = (cells, name) => {
    const made = document.createElement("tr");
    made.append(...cells.map((cell) => make(name, "", String(cell))));
    return made;
  };
  const titles = [line, access, `${requests}, ${predicted}`, counted, predicted, counted, instructions];
  all.append(row(titles, "th"));
  for (const { line, op, source, compiled, instructions, difference } of comparison?.lines ?? []) {
    const names = [instructions.join(" "), difference].filter(Boolean).join(" · ");
    all.append(row([line, op, source.requests, compiled.requests, source.units, compiled.units, names], "td"));
  }
  return all;
}

async function openFile(file) {
  const { status, value } = await ask("open", { file, link: link() });
  if (status !== 200) return tell(value.error, "bad");
  open = { file, version: value.version, link: value.link };
  note.textContent = "";
  if (location.hash.slice(1) !== value.link) location.hash = value.link;
  showTabs();
}

async function saveFile() {
  if (!open) return;
  const { status, value } = await ask("save", { ...open, link: link() });
  if (status !== 200) return tell(value.error, "bad");
  open.version = value.version;
  open.link = link();
  note.textContent = words().saved;
}

function showTabs() {
  tabs.replaceChildren(...files.map(({ name }, number) => {
    const tab = make("button", "button tab", name);
    tab.setAttribute("aria-selected", String(open?.file === number));
    tab.addEventListener("click", () => openFile(number));
    return tab;
  }));
  save.hidden = !open;
  if (open) save.textContent = `${words().save} ${files[open.file]?.name}`;
}

/** Looks at the files: one that others have changed is read again, unless it was changed here too. */
async function lookAtFiles() {
  const { status, value } = await ask("status");
  if (status !== 200) return;
  const isFirst = !tools.disassembler && !tools.nvcc;
  ({ tools, files } = value);
  flags.placeholder = words().flags;
  flags.setAttribute("aria-label", words().flags);
  note.textContent ||= tools.nvcc ? words().found(tools) : words().none;
  if (isFirst && !open && files.length) await openFile(0);
  else showTabs();
  if (!open || files[open.file].version === open.version) return;
  if (isTouched()) note.textContent = words().changed;
  else await openFile(open.file);
}

const text = (fragment) => new URLSearchParams(fragment).get("k");
const isTouched = () => text(link()) !== text(open.link);

function look() {
  const now = `${location.href}\n${flags.value}`;
  if (now !== seen) {
    seen = now;
    since = performance.now();
  } else if (performance.now() - since >= PAUSE_MS) {
    compile().catch(() => tell(words().lost, "bad"));
  }
}

save.addEventListener("click", () => saveFile().catch(() => tell(words().lost, "bad")));
document.body.append(strip);
tell(words().nothing);
setInterval(look, LOOK_MS);
const watchFiles = () => lookAtFiles().catch(() => tell(words().lost, "bad")).then(() => setTimeout(watchFiles, FILES_MS));
watchFiles();
