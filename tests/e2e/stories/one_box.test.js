// One box: whatever is pasted, wherever on the page, is recognised and opened; the chip says as what, its menu overrules it, and each
// paste is one step of Back.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { story } from "../harness.js";

const text = (name) => readFile(new URL(`../texts/${name}`, import.meta.url), "utf8");
const golden = (name) => readFile(new URL(`../../golden/profiler/${name}`, import.meta.url), "utf8");

const WGSL = `var<workgroup> tile: array<f32, 1024>;
@group(0) @binding(0) var<storage, read_write> a: array<f32>;
@compute @workgroup_size(32, 32)
fn turn(@builtin(local_invocation_id) l: vec3<u32>) {
  tile[l.x * 32u + l.y] = a[l.x];
  workgroupBarrier();
  a[l.y] = tile[l.y * 32u + l.x];
}
`;
const SHARED = "#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\n!ttg.memdesc<64x64xf16, #shared>\n";

/** What is pasted, the kind that it is opened as, and what the chip says. */
const TEXTS = [
  ["a kernel", await text("gemm.cu"), "kernel", "CUDA · "],
  ["WGSL", WGSL, "kernel", "WGSL · turn"],
  ["PTX", await text("compiled.ptx"), "kernel", "PTX · "],
  ["SASS", await text("compiled.sass"), "kernel", "SASS · "],
  ["a CuTe layout", "Swizzle<3,3,3> o (8,64):(64,1)", "layout", "Layout"],
  ["a layout of Triton's IR", SHARED, "layout", "Layout"],
  ["a profiler's export", await golden("raw.csv"), "trace", "Profiler's export"],
  ["a trace", "instruction,lane0,lane1\nld.shared.b32,0,128\n", "trace", "Trace"],
  ["an index expression", "tile[threadIdx.x * 32 + threadIdx.y]", "expression", "Expression"],
];

/** Links to a kernel, and to another kind than what is pasted. */
const OPEN = { kernel: "#v=1&k=t.__global__ void own(float* a) { a[threadIdx.x] = 1; }", layout: "#v=1&y=(8,8):(8,1)" };

const panel = (scene, kind) => scene.page.locator(`#panel-${kind}:not([hidden])`).waitFor();
const chip = (scene, said) => scene.part("kind").filter({ hasText: said }).waitFor();

for (const [name, pasted, kind, said] of TEXTS) {
  story(`${name}, pasted on the page: recognised, opened, one step of Back`, {}, async (scene) => {
    const page = await scene.enter(kind === "expression" ? OPEN.kernel : "#v=1&e=own[tx]&d=float own[64]");
    await scene.part("verdict").waitFor();
    await scene.part("examples").waitFor();
    const entries = await page.evaluate(() => history.length);
    await scene.pasteOutside(pasted);
    await panel(scene, kind);
    await chip(scene, said);
    assert.equal(await page.evaluate(() => history.length), entries + 1, "one entry");
    await page.goBack();
    await panel(scene, kind === "expression" ? "kernel" : "expression");
    assert.match(decodeURIComponent(page.url()), /own/);
  });

  story(`${name}, pasted over the kernel in its editor`, { chromium: "Firefox's driver cannot select in a shadow root" }, async (scene) => {
    const page = await scene.enter(OPEN.kernel);
    await scene.editor().waitFor();
    // An export goes beside the kernel.
    const opened = said.startsWith("Profiler") ? "kernel" : kind;
    const entries = await page.evaluate(() => history.length);
    await scene.paste(pasted);
    await panel(scene, opened);
    if (opened === kind) await chip(scene, said);
    else await scene.part("measured-card").waitFor();
    await page.waitForFunction((before) => history.length === before + 1, entries);
    await page.goBack();
    await page.waitForFunction(() => document.getElementById("kernel")?.value.includes("own"));
    await page.waitForFunction(() => document.querySelector("[data-testid=measured-card]").hidden);
  });
}

/** The other kinds: a link to each. */
const OTHERS = [
  ["expression", "#v=1&e=own[tx]&d=float own[64]"],
  ["layout", "#v=1&y=(8,8):(8,1)"],
  ["trace", `#v=1&r=${encodeURIComponent("t.instruction,lane0,lane1\nld.shared.b32,0,4\n")}`],
];
for (const [own, link] of OTHERS) {
  story(`whatever is pasted over the text of the kind ${own} is opened as what it is, in the same editor`, { patience: 120_000, chromium: "Firefox's driver cannot select in a shadow root" }, async (scene) => {
    const page = await scene.enter(link);
    await panel(scene, own);
    await scene.part("examples").waitFor();
    await scene.openKernel();
    await scene.readAs(own);
    await scene.editor(page, own).waitFor();
    await page.evaluate(() => (globalThis.box = document.querySelector(".source-text .whole")));
    for (const [, pasted, kind, said] of TEXTS.filter(([, , kind]) => kind !== own)) {
      await scene.paste(pasted, own);
      await panel(scene, kind);
      await chip(scene, said);
      await page.waitForFunction((kind) => document.getElementById(kind) === globalThis.box, kind);
      await page.goBack();
      await panel(scene, own);
      await page.waitForFunction((own) => document.getElementById(own)?.value.trim(), own);
    }
  });
}

/** Both languages: what the chip and the editor say of an expression. */
const SAID = [["en", "Expression", "Declarations, then accesses"], ["zh", "表达式", "先写声明"]];
for (const [language, name, label] of SAID) {
  story(`an index expression is written in the editor of kernels: ${language}`, { chromium: "Firefox's driver cannot select in a shadow root" }, async (scene) => {
    const page = await scene.enter(`${OPEN.kernel}&lang=${language}`);
    await scene.editor().waitFor();
    await page.evaluate(() => (globalThis.box = document.getElementById("kernel")));
    const holds = (text) => page.waitForFunction((text) => globalThis.box === document.getElementById("expression") && globalThis.box.value === text, text);
    const ways = (ways) => page.locator(`[data-testid=verdict][data-ways="${ways}"]`).waitFor();
    await scene.paste("tile[threadIdx.x][threadIdx.y]");
    await chip(scene, name);
    await holds("float tile[32][32]\ntile[threadIdx.x][threadIdx.y]");
    await ways(32);
    await page.locator(".source-text label").filter({ hasText: label }).waitFor();
    await scene.picture(`one-editor-expression-${language}`);
    // What is typed is parted into what a link has always told apart.
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("End");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("3]");
    await holds("float tile[32][33]\ntile[threadIdx.x][threadIdx.y]");
    await ways(1);
    await page.waitForFunction(() => /[#&]d=float%20tile\[32\]\[33\]&/.test(location.hash.replaceAll("%5B", "[").replaceAll("%5D", "]") + "&"));
    // Accesses count their lines from one, as the link does.
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\ntile[threadIdx.x][threadIdx.x");
    await scene.part("diagnostics").getByText(/\b2\b/).first().waitFor();
    assert.equal((await page.locator(".source-text .gutter").innerText()).replace(/\s+/g, " ").trim().split(" ").at(-1), "2");
    await page.keyboard.type("]");
    await page.waitForFunction(() => document.querySelector("[data-testid=diagnostics]").hidden);
    // Another expression over all of it comes with its declarations.
    await scene.paste("other[threadIdx.x * 33]", "expression");
    await holds("float other[1024]\nother[threadIdx.x * 33]");
    await scene.paste("threadIdx.x * 33", "expression");
    await chip(scene, name);
    await holds("threadIdx.x * 33");
    await page.goBack();
    await holds("float other[1024]\nother[threadIdx.x * 33]");
    // A link opens as it did.
    await page.waitForTimeout(600);
    await page.reload();
    await panel(scene, "expression");
    await page.waitForFunction(() => document.getElementById("expression")?.value === "float other[1024]\nother[threadIdx.x * 33]");
  });

  story(`what can be pasted stands below the editor, whatever is in it: ${language}`, {}, async (scene) => {
    const page = await scene.enter(`#lang=${language}`);
    const hint = scene.part("paste-hint");
    const says = { en: /kernel, PTX, SASS, layout, CSV, trace/, zh: /内核、PTX、SASS、布局、CSV、轨迹/ };
    assert.match(await hint.innerText(), says[language]);
    await scene.openKernel();
    const [editor, below] = await page.evaluate(() => [".source-text .editor", "[data-testid=paste-hint]"].map((one) => document.querySelector(one).getBoundingClientRect()));
    assert.ok(below.height > 0 && below.top >= editor.bottom && below.right <= editor.right + 1, "below it, and whole");
    await page.evaluate(() => (location.hash = ""));
    await scene.open("embed.html#v=1&e=tile[tx][tz + 40]&d=float tile[32][33]&b=32,32");
    await page.reload();
    await page.waitForFunction(() => globalThis.lanescope);
    assert.equal(await hint.count(), 0, "nothing is pasted over an article's");
  });

  story(`a trace is written in the editor of kernels: ${language}`, { chromium: "Firefox's driver cannot select in a shadow root" }, async (scene) => {
    const page = await scene.enter(`${OPEN.kernel}&lang=${language}`);
    await scene.editor().waitFor();
    await page.evaluate(() => (globalThis.box = document.getElementById("kernel")));
    const rows = Array.from({ length: 32 }, (_, lane) => `0,${lane},${lane * 128}`);
    await scene.paste(`warp,lane,addr\n${rows.join("\n")}\n`);
    await chip(scene, language === "en" ? "Trace" : "轨迹");
    await page.waitForFunction(() => globalThis.box === document.getElementById("trace") && globalThis.box.value.startsWith("warp,lane,addr"));
    const sums = scene.part("trace-sums").filter({ hasText: /\b32\b/ });
    await sums.waitFor();
    await scene.picture(`one-editor-trace-${language}`);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("1,0,0\n1,1,4\n");
    await scene.part("trace-sums").filter({ hasText: /\b33\b/ }).waitFor();
    await page.waitForFunction(() => /[#&]r=/.test(location.hash));
    await page.waitForTimeout(600);
    await page.reload();
    await scene.part("trace-sums").filter({ hasText: /\b33\b/ }).waitFor();
    // The menu opens each kind in that same editor.
    await scene.editor(page, "trace").waitFor();
    await page.evaluate(() => (globalThis.box = document.getElementById("trace")));
    for (const kind of ["expression", "layout", "kernel", "trace"]) {
      await scene.readAs(kind);
      await page.waitForFunction((kind) => globalThis.box === document.getElementById(kind) && globalThis.box.value.trim(), kind);
    }
  });
}

/** Links as earlier versions wrote them: a field's own key, and no word on the kind. */
const LINKS = [
  ["#v=1&e=tile[tx][ty]&d=float tile[32][32]&b=32,32", "expression", "32-way"],
  [`#v=1&b=32,32&k=${encodeURIComponent("t.__global__ void turn(float* a) {\n  __shared__ float tile[32][32];\n  a[threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n}\n")}`, "kernel", "wavefronts"],
  ["#v=1&y=Swizzle<3,3,3> o (16,64):(64,1)&by=ldmatrix.x4", "layout", null],
  [OTHERS[2][1], "trace", null],
];
for (const [link, kind, said] of LINKS) {
  story(`an old link to the kind ${kind} opens what it opened`, {}, async (scene) => {
    await scene.enter(link);
    await panel(scene, kind);
    if (said) await scene.part("verdict").filter({ hasText: said }).waitFor();
    else await scene.part(`${kind}-card`).waitFor();
  });
}

story("a piece of a text that is pasted into a kernel stays in the kernel", {}, async (scene) => {
  const page = await scene.enter(OPEN.kernel);
  await scene.editor().click();
  await page.keyboard.press("Control+Home");
  for (const piece of ["tile[threadIdx.x]", "0,4,8,12", "float one = 1;"]) {
    await scene.pasteAtCaret(piece);
    await page.waitForFunction((held) => document.getElementById("kernel").value.includes(held), piece);
    assert.match(await page.evaluate(() => document.getElementById("kernel").value), /own/);
  }
});

story("what is pasted into a field that is none of the source's stays there", {}, async (scene) => {
  const page = await scene.enter(OPEN.kernel);
  await scene.editor().waitFor();
  await scene.part("grid").evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "(32,32):(33,1)");
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.waitForTimeout(300);
  await panel(scene, "kernel");
});

story("the menu of the chip: by keyboard, and it overrules what was recognised", {}, async (scene) => {
  const page = await scene.enter(OPEN.layout);
  await scene.part("examples").waitFor();
  await scene.pasteOutside("0,4,8,12\n16,20,24,28\n");
  await panel(scene, "trace");
  await scene.part("kind").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "kind-trace");
  assert.equal(await scene.part("kind-trace").getAttribute("aria-checked"), "true");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "kind");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.activeElement.id === "kind-trace");
  await page.keyboard.press("ArrowUp");
  await scene.picture("kind-menu");
  await page.keyboard.press("Enter");
  // The same text, read as a layout.
  await panel(scene, "layout");
  await page.waitForFunction(() => document.getElementById("layout").value.includes("16,20,24,28"));
  await page.goBack();
  await panel(scene, "trace");
});

/** Waits until the address has not changed for a second. */
async function addressRests(page) {
  for (let [before, now] = [null, await page.evaluate(() => location.hash)]; before !== now; ) {
    before = now;
    await page.waitForTimeout(1_000);
    now = await page.evaluate(() => location.hash);
  }
}

story("a kernel that replaces another is one step of Back, and what is typed is none", { chromium: "Firefox's driver cannot select in a shadow root" }, async (scene) => {
  const page = await scene.enter(OPEN.kernel);
  await scene.editor().waitFor();
  const entries = await page.evaluate(() => history.length);
  await scene.paste(await text("gemm.cu"));
  await chip(scene, "gemm");
  await page.waitForFunction((count) => history.length === count, entries + 1);
  const pasted = await page.evaluate(() => location.hash);
  await page.keyboard.type("// more");
  await page.waitForFunction(() => document.getElementById("kernel").value.includes("// more"));
  // The address follows a moment after the last key: on a busy machine after some of the keys, too.
  await page.waitForFunction((before) => location.hash !== before, pasted);
  await addressRests(page);
  assert.equal(await page.evaluate(() => history.length), entries + 1);
  await page.goBack();
  await page.waitForFunction(() => document.getElementById("kernel").value.includes("own"));
  await page.goForward();
  await page.waitForFunction(() => document.getElementById("kernel").value.includes("// more"));
});

/** Texts that are not read: what each is called, and what of it is in the next step. */
const UNREAD = [
  ["Metal", "#include <metal_stdlib>\nkernel void turn(device float* a [[buffer(0)]], uint2 at [[thread_position_in_threadgroup]]) {\n  threadgroup float tile[32][32];\n  tile[at.x][at.y] = a[at.x];\n}\n", "tile[threadIdx.x][threadIdx.y]"],
  ["Triton", "import triton\nimport triton.language as tl\n@triton.jit\ndef add_rows(x, y, n):\n    o = tl.program_id(0)\n    tl.store(y + o, tl.load(x + o))\n", "dump/*/add_rows.ptx"],
  ["OpenCL C", "__kernel void add(__global float* a) {\n  a[get_global_id(0)] = 1;\n}\n", "pyopencl"],
  ["", "Hello, could you look at my kernel? It is slow, and I do not know why.\nThanks!\n", "threadIdx"],
];
for (const [name, pasted, step] of UNREAD) {
  story(`${name || "prose"} is named, with the next step to copy, and nothing of a launch`, { context: { permissions: ["clipboard-read", "clipboard-write"] }, chromium: "Firefox lets no script read the clipboard unasked" }, async (scene) => {
    const page = await scene.enter("");
    await scene.part("examples").waitFor();
    await scene.pasteOutside(pasted);
    const way = scene.part("next-step");
    await way.filter({ hasText: step }).waitFor();
    if (name) await chip(scene, name);
    assert.match(await scene.part("verdict").innerText(), name ? new RegExp(`This is ${name}`) : /No code/);
    for (const hidden of ["grid", "compile-hint", "metrics", "fixes", "run-card"]) assert.ok(!(await scene.part(hidden).isVisible()), hidden);
    await scene.part("copy-step").click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(copied.includes(step), copied);
    await scene.picture(`unread-${name.split(" ")[0].toLowerCase() || "prose"}`);
    await scene.part("lang-switch").click();
    await page.waitForFunction(() => /[\u4e00-\u9fff]/.test(document.querySelector("[data-testid=next-step] p").textContent));
    assert.match(await scene.part("verdict").innerText(), /[\u4e00-\u9fff]/);
  });
}

story("an index expression of a language that is not read opens as an expression", { context: { permissions: ["clipboard-read", "clipboard-write"] }, chromium: "Firefox lets no script read the clipboard unasked" }, async (scene) => {
  const page = await scene.enter("");
  await scene.part("examples").waitFor();
  await scene.pasteOutside(UNREAD[0][1]);
  await scene.part("next-step").filter({ hasText: "tile" }).waitFor();
  await scene.part("copy-step").click();
  await scene.pasteOutside(await page.evaluate(() => navigator.clipboard.readText()));
  await panel(scene, "expression");
  await page.locator('[data-testid=verdict][data-ways="32"]').waitFor();
});

/** Both languages: what the notice says, and what a cell says of an access that costs what was predicted. */
const SECOND = [["en", "set beside the source", /nvcc: [\d,]+, as predicted/], ["zh", "源代码旁", /nvcc：[\d,]+，与预测一致/]];
for (const [language, notice, asPredicted] of SECOND) {
  story(`SASS of the kernel that is open is a column beside its source, or takes its place: ${language}`, {}, async (scene) => {
    const page = await scene.enter(`#lang=${language}`);
    await scene.openKernel();
    await scene.write(await readFile(new URL("../../../crates/gallery/kernels/four_sums.cu", import.meta.url), "utf8"));
    await chip(scene, "CUDA · four_sums");
    await page.locator("main:not([data-awaited])").waitFor();
    assert.equal(await scene.part("second-column").isVisible(), false);
    await scene.pasteOutside(await text("lines.sass"));
    await scene.part("second-column").filter({ hasText: "SASS" }).waitFor();
    await chip(scene, "CUDA · four_sums");
    const costs = scene.part("compiled-cost").filter({ visible: true });
    await costs.filter({ hasText: asPredicted }).first().waitFor();
    assert.equal(await costs.count(), await scene.part("ranked").locator("tbody tr[data-pick], tbody tr[data-share]").filter({ visible: true }).count(), "a cell a row");
    await scene.part("compiled-card").locator('[data-side="source"]').filter({ hasText: "__shared__" }).waitFor();
    await scene.part("notices").filter({ hasText: notice }).waitFor();
    await scene.picture(`beside-source-${language}`, { fullPage: true });
    // The link holds both.
    await page.waitForFunction(() => location.hash.includes("&ab="));
    await page.reload();
    await scene.part("second-column").filter({ hasText: "SASS" }).waitFor();
    // What is changed is no longer what was compiled.
    await scene.editor().click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("int more;");
    await scene.part("second-column").waitFor({ state: "hidden" });
    await page.goBack();
    await scene.part("second-column").waitFor({ state: "hidden" });
  });
}

story("SASS beside its source takes its place where that is wanted, and Back has the source", {}, async (scene) => {
  const page = await scene.enter("");
  await scene.openKernel();
  await scene.write(await readFile(new URL("../../../crates/gallery/kernels/four_sums.cu", import.meta.url), "utf8"));
  await chip(scene, "CUDA · four_sums");
  await page.locator("main:not([data-awaited])").waitFor();
  await scene.pasteOutside(await text("lines.sass"));
  await scene.part("second-column").filter({ hasText: "SASS" }).waitFor();
  await scene.part("replace-instead").click();
  await chip(scene, "SASS · ");
  await page.goBack();
  await chip(scene, "CUDA · ");
});

/** The tiled transpose of the exports, which was launched with 4 by 4 blocks of 32 by 32. */
async function tiled(scene, language, launch) {
  const page = await scene.enter(`#v=1&lang=${language}&n=transpose_tiled&${launch}&a=nx%3D128&a=ny%3D128&k=${encodeURIComponent(`t.${await golden("kernels.cu")}`)}`);
  await scene.editor().waitFor();
  await page.locator("main:not([data-awaited])").waitFor();
  return page;
}
const MEASURED = [["en", /^ncu: 16,384, as predicted$/], ["zh", /^ncu：16,384，与预测一致$/]];
for (const [language, ofLine] of MEASURED) {
  story(`a profiler's lines are a column beside the kernel that is open: ${language}`, {}, async (scene) => {
    await tiled(scene, language, "g=4,4&b=32,32");
    await scene.pasteOutside(await golden("source_cuda_sass.csv"));
    await scene.part("second-column").filter({ hasText: "ncu" }).waitFor({ timeout: 30_000 });
    const costs = scene.part("measured-cost").filter({ visible: true });
    await costs.filter({ hasText: ofLine }).first().waitFor();
    assert.equal(await costs.count(), await scene.part("ranked").locator("tbody tr[data-pick]").filter({ visible: true }).count(), "a cell a row");
    await scene.picture(`beside-measured-lines-${language}`);
    // A line that moved is found again by its text.
    const line = scene.part("ranked").locator("tbody tr[data-pick] .line").filter({ visible: true }).first();
    const before = Number(await line.innerText());
    await scene.editor().click();
    await scene.page.keyboard.press("Control+Home");
    await scene.pasteAtCaret("int more;\n");
    await line.filter({ hasText: String(before + 1) }).waitFor();
    await costs.filter({ hasText: ofLine }).first().waitFor();
    await scene.part("take-away").click();
    await scene.part("second-column").waitFor({ state: "hidden" });
  });
}

story("a profiler's counters are a column where it has no lines, and its launch is taken", {}, async (scene) => {
  const page = await tiled(scene, "en", "g=8,8&b=32,32");
  await scene.pasteOutside(await golden("raw.csv"));
  await panel(scene, "kernel");
  await scene.part("measured-totals").locator("tr[data-difference=equal]").first().waitFor({ timeout: 30_000 });
  // The launch on screen is another one: nothing is set beside it.
  assert.equal(await scene.part("second-column").isVisible(), false);
  await scene.part("measured-others").filter({ hasText: "launches of other kernels" }).waitFor();
  await scene.part("take-launch").first().click();
  await scene.part("second-column").filter({ hasText: "ncu" }).waitFor({ timeout: 30_000 });
  await scene.part("measured-cost").filter({ hasText: /^ncu: 16,384, as predicted$/ }).first().waitFor();
  await scene.picture("beside-measured", { fullPage: true });
  await scene.part("take-away").click();
  await scene.part("measured-card").waitFor({ state: "hidden" });
  await scene.part("second-column").waitFor({ state: "hidden" });
  await page.waitForFunction(() => /^4,\s*4/.test(document.getElementById("grid").value));
});
