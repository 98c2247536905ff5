// The run card: on SwiftShader, which verifies every kernel and measures nothing worth a number.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { story } from "../harness.js";

const NO_WEBGPU = "Firefox on Linux has no WebGPU";
const OVER_MS = 50_000;
const text = (name) => readFileSync(new URL(`../../../crates/lab/tests/emitted/${name}.cu`, import.meta.url), "utf8");
const packed = (source) => `t.${encodeURIComponent(source)}`;

// A device of software takes 256 threads of a block; the text is the article's otherwise.
const TRANSPOSES = text("transposes").replace("#define BDIMX 32", "#define BDIMX 16").replace("#define BDIMY 32", "#define BDIMY 16");
const REDUCTIONS = text("reductions");
const KERNELS = [
  ...["copyRow", "copyCol", "naiveRow", "naiveCol", "unrolledRow", "diagonalRow", "tiled", "padded"].map((kernel) => [
    kernel,
    `#k=${packed(TRANSPOSES)}&n=${kernel}&b=16,16&g=16,8&a=nx=256&a=ny=128&lang=en`,
  ]),
  ...["divergent", "interleaved", "sequential"].map((kernel) => [
    kernel,
    `#k=${packed(REDUCTIONS)}&n=${kernel}&b=256&g=16&s=1024&a=n=4096&lang=en`,
  ]),
];

const settings = { chromium: NO_WEBGPU, patience: 180_000 };

/** Waits until no run is under way. */
async function over(scene, page = scene.page) {
  const isOver = () => {
    const button = document.querySelector("[data-testid=run-again]");
    return button && !("running" in button.dataset);
  };
  await page.waitForFunction(isOver, null, { timeout: OVER_MS }).catch(async () => {
    assert.fail(`still at: ${await scene.part("run-stage", page).textContent()}`);
  });
}

/** Opens a kernel and presses the card's button. */
async function run(scene, link) {
  await scene.enter(link);
  assert.equal(await scene.part("run-results").count(), 0, "nothing runs before a press");
  // By the keyboard: while fixes are sought the list above may grow, and a pointer would wait until nothing moves.
  await scene.part("run-open").press("Enter");
  await scene.part("run-again").waitFor({ timeout: OVER_MS });
}

for (const [kernel, link] of KERNELS) {
  story(`${kernel}, pasted with its host code, runs and is verified`, settings, async (scene) => {
    await run(scene, link);
    await over(scene);
    assert.equal(await scene.part("run-fault").isVisible(), false, await scene.part("run-fault").textContent());
    assert.match(await scene.part("run-verdict").textContent(), /bit for bit/);
    assert.match(await scene.part("run-adapter").textContent(), /swiftshader/i);
    assert.match(await scene.part("run-results").textContent(), /as written.*copy/s);
  });
}

story("a fix runs beside the kernel, with its ratio and equal results", settings, async (scene) => {
  const [, link] = KERNELS.find(([kernel]) => kernel === "tiled");
  await run(scene, link);
  await scene.part("run-fix").first().waitFor({ timeout: OVER_MS });
  await over(scene);
  await scene.part("run-fix").first().click();
  await scene.part("run-equal").first().waitFor({ timeout: OVER_MS });
  assert.equal(await scene.part("run-equal").first().textContent(), "results equal");
  await over(scene);
  await scene.part("run-card").scrollIntoViewIfNeeded();
  await scene.picture("run-card");
  await scene.part("lang-switch").click();
  await scene.part("run-equal").filter({ hasText: "结果相同" }).first().waitFor();
});

story("what cannot run is refused at its line, and what never ends is not run", settings, async (scene) => {
  const double = "__global__ void k(double* v) {\n  v[threadIdx.x] *= 2.0;\n}";
  await run(scene, `#k=${packed(double)}&b=32&lang=en`);
  await over(scene);
  assert.match(await scene.part("run-fault").textContent(), /line 2: double/);
  const endless = "__global__ void k(int* a) { while (a[0] == 0) a[1 + threadIdx.x] += 1; }";
  const before = await scene.page.evaluate(() => location.hash);
  await scene.write(endless);
  await scene.page.waitForFunction((before) => location.hash !== before, before);
  await scene.part("run-again").click();
  await over(scene);
  assert.match(await scene.part("run-fault").textContent(), /never end/);
});

story("a run that is cancelled ends within a quarter of a second, and the next one runs", settings, async (scene) => {
  const [, link] = KERNELS.find(([kernel]) => kernel === "padded");
  await run(scene, link);
  await over(scene);
  await scene.part("run-again").click();
  const took = await scene.page.evaluate(async () => {
    const button = document.querySelector("[data-testid=run-again]");
    const until = async (is) => {
      while (!is()) await new Promise((resolve) => setTimeout(resolve));
    };
    await until(() => "running" in button.dataset);
    const begun = performance.now();
    button.click();
    await until(() => !("running" in button.dataset));
    return performance.now() - begun;
  });
  console.log(`    a run is cancelled in ${took.toFixed(1)} ms`);
  assert.match(await scene.part("run-fault").textContent(), /Cancelled/);
  assert.match(await scene.part("run-verdict").textContent(), /bit for bit/, "results are kept");
  await scene.part("run-again").click();
  await over(scene);
  assert.equal(await scene.part("run-fault").isVisible(), false);
});

story("a message of the card's worker that cannot be read, and one that breaks, leave page and results", settings, async (scene) => {
  await scene.page.addInitScript(() => {
    const Real = globalThis.Worker;
    globalThis.Worker = class extends Real {
      postMessage(asked) {
        if (!asked.run || !globalThis.breaks) return super.postMessage(asked);
        setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data: globalThis.breaks.data })));
      }
    };
  });
  const [, link] = KERNELS.find(([kernel]) => kernel === "copyRow");
  await run(scene, link);
  await over(scene);
  for (const [data, said] of [["{", /could not be understood/], [null, /was lost/]]) {
    await scene.page.evaluate((data) => (globalThis.breaks = { data }), data);
    await scene.part("run-again").click();
    await scene.part("run-fault").filter({ hasText: said }).waitFor();
    assert.match(await scene.part("run-verdict").textContent(), /bit for bit/);
  }
  await scene.page.evaluate(() => delete globalThis.breaks);
  await scene.part("run-again").click();
  await over(scene);
  assert.equal(await scene.part("run-fault").isVisible(), false);
});

story("without WebGPU the card says so", settings, async (scene) => {
  await scene.context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "gpu", { get: () => undefined });
  });
  await run(scene, KERNELS[0][1]);
  await scene.part("run-fault").filter({ hasText: "no WebGPU" }).waitFor();
});

for (const [name, context] of [
  ["wide-light", { viewport: { width: 1440, height: 900 }, colorScheme: "light" }],
  ["wide-dark", { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }],
  ["narrow-light", { viewport: { width: 390, height: 844 }, colorScheme: "light" }],
  ["narrow-dark", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }],
]) {
  story(`the run card fits, ${name}`, { ...settings, context }, async (scene) => {
    const [, link] = KERNELS.find(([kernel]) => kernel === "tiled");
    await run(scene, link);
    await over(scene);
    const wide = await scene.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= context.viewport.width, `${wide} pixels wide`);
    await scene.part("run-card").scrollIntoViewIfNeeded();
    await scene.picture(`run-card-${name}`);
  });
}
