// The Kernel tab's editor: paste, see, step, fix; without its file; by keyboard alone; for everyone.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { story } from "../harness.js";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
const EDITOR_FILE = /editor-[0-9a-f]{16}\.js$/;

const REDUCE = `// Sums of each block's numbers, strided.
__global__ void sums(const float* in, float* out, int n) {
  __shared__ float tile[32][32];
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x][0] = at < n ? in[at] : 0.0f;
  for (int stride = 16; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) {
      tile[threadIdx.x][0] += tile[threadIdx.x + stride][0];
    }
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0][0];
}
`;

const LAUNCHED = `__global__ void scaled(const float* in, float* out, int n) {
  __shared__ float held[128];
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  held[threadIdx.x] = in[at];
  out[at] = n * held[threadIdx.x];
}
int main() {
  const int count = 1 << 16;
  scaled<<<count / 128, 128>>>(from, to, 3);
}
`;

story("a pasted program is launched as its host code says, a kernel alone by a guess that is seen", {}, async (scene) => {
  const page = await scene.enter();
  await scene.openKernel();
  const shape = () => Promise.all(["grid", "block"].map((name) => scene.part(name).inputValue()));
  const guessed = (name) => scene.part(name).getAttribute("data-guess");
  await scene.paste(LAUNCHED);
  await page.waitForFunction(() => document.querySelector("[data-testid=block]").value === "128");
  assert.deepEqual(await shape(), ["512", "128"]);
  assert.equal(await page.locator("#argument-n").inputValue(), "3");
  assert.equal(await guessed("grid"), null);
  assert.equal(await scene.part("verdict").getAttribute("data-status"), "predicted");
  // Its kernel alone: another text, whose launch nobody gave.
  await scene.paste(LAUNCHED.replace(/int main[^]*/, "").replaceAll("scaled", "times"));
  await page.waitForFunction(() => document.querySelector("[data-testid=verdict]").dataset.status === "assumed");
  // No more threads than the tile has rows.
  await scene.paste(REDUCE);
  await page.waitForFunction(() => document.querySelector("[data-testid=block]").value === "32");
  assert.ok(await guessed("grid"));
  assert.ok(await guessed("block"));
  await page.waitForTimeout(500); // the address follows the text after a pause
  const link = page.url();
  assert.match(link, /&guess=gb/);
  await page.goto("about:blank");
  await page.goto(link);
  await page.locator("[data-testid=grid][data-guess]").waitFor();
  await scene.picture("guessed-launch", { fullPage: true });
  await scene.part("grid").fill("8");
  await scene.part("block").fill("16");
  await page.locator("[data-testid=block]:not([data-guess])").waitFor();
  assert.equal(await guessed("grid"), null);
});

story("paste, see, step, fix", {}, async (scene) => {
  const page = await scene.enter();
  await scene.openKernel();
  await scene.paste(REDUCE);
  await scene.part("block").fill("32");
  await verdict(scene, 32);
  await page.locator("#panel-kernel .gutter .chip.w32").first().waitFor();
  const rows = await page.evaluate(rowsOfGutter);
  assert.deepEqual(rows.map(({ line }) => line), [5, 9, 12]);
  for (const { line, heat, text } of rows) assert.ok(Math.abs(heat - text) < 1, `line ${line} begins at ${text}, its heat at ${heat}`);
  await page.locator('#panel-kernel .gutter [data-site="2"]').click();
  const steps = page.getByLabel("iteration").first();
  await steps.waitFor();
  const before = await scene.part("bank-grid").first().innerHTML();
  await steps.focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((old) => document.querySelector("[data-testid=bank-grid]").innerHTML !== old, before);
  await scene.picture("editor-step", { fullPage: true });

  await lineAt(scene, 2).click();
  await page.keyboard.press("End");
  for (let count = 0; count < 4; count += 1) await page.keyboard.press("Backspace");
  await page.keyboard.type("33];", { delay: 20 });
  assert.equal(await lineAt(scene, 2).innerText(), "  __shared__ float tile[32][33];");
  await verdict(scene, 1);
  await page.waitForTimeout(500); // the address follows the text after a pause
  const link = page.url();
  const [asPasted, undone] = ["  __shared__ float tile[32][32];", () => lineAt(scene, 2).innerText()];
  for (let press = 0; press < 12 && (await undone()) !== asPasted; press += 1) await page.keyboard.press("Control+z");
  assert.equal(await undone(), asPasted);
  await verdict(scene, 32);
  await page.goto("about:blank");
  await page.goto(link);
  await verdict(scene, 1);
  assert.equal(await lineAt(scene, 2).innerText(), "  __shared__ float tile[32][33];");
});

story("what is typed is coloured, what is wrong is marked, and the fix can be taken back", {}, async (scene) => {
  const page = await scene.enter();
  await scene.openKernel();
  await scene.paste("__global__ void f(float* a) {\n  a[threadIdx.x] = blockIdy.x;\n}\n");
  const said = scene.part("kernel-diagnostics").locator("li").first();
  await said.filter({ hasText: "blockIdx" }).waitFor();
  assert.equal(await page.locator(".squiggle.error").first().innerText(), "blockIdy");
  assert.equal(await scene.editor().getAttribute("aria-invalid"), "true");
  assert.equal(await page.locator(".cm-content .builtin").innerText(), "threadIdx");
  await scene.picture("editor-mistake");
  await said.locator("[data-fix]").click();
  await page.locator(".squiggle.error").waitFor({ state: "detached" });
  assert.match(await lineAt(scene, 1).innerText(), /blockIdx\.x/);
  await lineAt(scene, 0).click();
  await page.keyboard.press("Control+z");
  await page.locator(".squiggle.error").waitFor();
});

let release;
const gate = new Promise((resolve) => (release = resolve));
const late = (path, bytes) => (EDITOR_FILE.test(path) ? gate.then(() => bytes) : bytes);

story("text, caret and what can be undone pass to the editor when it comes late", { change: late }, async (scene) => {
  const page = scene.page;
  await scene.enter();
  await scene.readAs("kernel");
  const field = page.locator("textarea#kernel");
  await field.fill(REDUCE);
  await page.waitForTimeout(700); // what is typed after a pause is undone by itself
  await field.evaluate((area) => area.setSelectionRange(3, 3));
  await page.keyboard.type("All ");
  release();
  await scene.editor().waitFor();
  assert.equal(await page.locator("textarea#kernel").count(), 0);
  assert.equal(await lineAt(scene, 0).innerText(), "// All Sums of each block's numbers, strided.");
  await page.keyboard.type("the ");
  assert.equal(await lineAt(scene, 0).innerText(), "// All the Sums of each block's numbers, strided.");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  assert.equal(await lineAt(scene, 0).innerText(), "// Sums of each block's numbers, strided.");
  await page.keyboard.press("Control+Shift+Z");
  assert.equal(await lineAt(scene, 0).innerText(), "// All Sums of each block's numbers, strided.");
});

const BROKEN = {
  "is missing": (path, bytes) => (EDITOR_FILE.test(path) ? null : bytes),
  "is not as it was published": (path, bytes) => (EDITOR_FILE.test(path) ? Buffer.concat([bytes, Buffer.from(" ")]) : bytes),
};
for (const [how, change] of Object.entries(BROKEN)) {
  story(`without the editor, whose file ${how}, the plain field works`, { change }, async (scene) => {
    scene.expect(/404/, /integrity|MIME type/i);
    const page = await scene.enter();
    const answered = page.waitForResponse(EDITOR_FILE);
    await scene.readAs("kernel");
    await answered;
    const field = page.locator("textarea#kernel");
    await field.fill(REDUCE);
    await scene.part("block").fill("32");
    await verdict(scene, 32);
    await field.fill(REDUCE.replace("[32][32]", "[32][33]"));
    await verdict(scene, 1);
    assert.equal(await page.locator("#still").count(), 0);
    await scene.picture("editor-absent");
  });
}

story("by keyboard alone: into the editor, out again, and a search", {}, async (scene) => {
  const page = await scene.enter();
  await scene.openKernel();
  for (let press = 0; press < 60 && !(await isInEditor(scene)); press += 1) await page.keyboard.press("Tab");
  assert.ok(await isInEditor(scene), "the editor is reached by Tab");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(REDUCE);
  await verdict(scene, 32);
  await page.keyboard.press("Control+f");
  await page.keyboard.type("stride");
  await page.keyboard.press("Enter");
  await page.locator(".cm-searchMatch-selected").waitFor();
  await scene.picture("editor-search");
  await page.keyboard.press("Escape");
  await page.locator(".cm-search").waitFor({ state: "detached" });
  assert.ok(await isInEditor(scene), "the focus comes back");
  await page.keyboard.press("Tab");
  assert.ok(!(await isInEditor(scene)), "Tab leaves the editor");
  await page.keyboard.press("Shift+Tab");
  assert.ok(await isInEditor(scene), "and comes back");
});

story("an example takes the place of the text; the page's undo brings it back", {}, async (scene) => {
  const page = await scene.enter();
  await scene.openKernel();
  await scene.paste(REDUCE);
  await scene.part("examples").selectOption("kernel-transpose");
  await scene.editor().filter({ hasNotText: "Sums of each" }).waitFor();
  await scene.part("verdict").click();
  await page.keyboard.press("Control+z");
  await scene.editor().filter({ hasText: "Sums of each" }).waitFor();
});

story("it stands again after a failure of the page, with its text", {}, async (scene) => {
  const page = await scene.enter();
  await scene.openKernel();
  await scene.paste(REDUCE);
  await page.waitForTimeout(500); // the address follows the text after a pause
  scene.expect(/./);
  await page.evaluate(() => globalThis.lanescope.fault("panic"));
  await page.waitForFunction(() => performance.getEntriesByName("lanescope:recovery").length > 0);
  await scene.editor().filter({ hasText: "Sums of each" }).waitFor();
});

story("in Chinese: its name and its own words", { context: { locale: "zh-CN" } }, async (scene) => {
  const page = await scene.enter();
  await scene.openKernel();
  await scene.editor().focus();
  await page.keyboard.press("Control+f");
  await page.getByPlaceholder("查找").waitFor();
  assert.match(await scene.editor().getAttribute("aria-label"), /CUDA、HIP/);
  await scene.part("lang-switch").click();
  await scene.part("kernel").and(page.getByLabel(/^CUDA, HIP/)).waitFor();
});

for (const colorScheme of ["light", "dark"]) {
  story(`nothing that axe finds, ${colorScheme}`, { context: { colorScheme } }, async (scene) => {
    const page = await scene.enter();
    await scene.openKernel();
    await scene.paste(`${REDUCE}int n = unknown;\n`);
    await page.locator(".squiggle").first().waitFor();
    await scene.editor().focus();
    await page.keyboard.press("Control+f");
    await page.locator(".cm-search").waitFor();
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join("; ")}`), []);
    await scene.picture(`editor-${colorScheme}`, { fullPage: true });
  });

  story(`at 360 pixels, ${colorScheme}`, { context: { ...PHONE, colorScheme } }, async (scene) => {
    const page = await scene.enter();
    await scene.openKernel();
    await scene.paste(REDUCE);
    await verdict(scene, 32);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `the page is ${wide} pixels wide`);
    await scene.picture(`editor-narrow-${colorScheme}`);
  });
}

/** The editor's line with this index. */
function lineAt(scene, index) {
  return scene.editor().locator(".cm-line").nth(index);
}

/** Runs in the page: where the lines that have heat begin, in the gutter and in the text. */
function rowsOfGutter() {
  const top = (element) => element.getBoundingClientRect().top;
  const lines = document.getElementById("kernel").shadowRoot.querySelectorAll(".cm-line");
  const rows = [...document.querySelectorAll("#panel-kernel .gutter > div")].filter((row) => row.querySelector(".chip"));
  return rows.map((row) => {
    const line = Number(row.querySelector("span").textContent);
    return { line, heat: top(row), text: top(lines[line - 1]) };
  });
}

/** Whether the focus is in the editor's text. */
function isInEditor(scene) {
  return scene.editor().evaluate((content) => content.getRootNode().activeElement === content);
}

/** Waits until the verdict is this n of n-way. */
async function verdict(scene, ways) {
  await scene.page.locator(`[data-testid=verdict][data-ways="${ways}"]`).waitFor();
}
