// The run card: on SwiftShader, which verifies every kernel and measures nothing worth a number.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { FOR_SPEED } from "../browsers.js";
import { story } from "../harness.js";

const NO_WEBGPU = "Firefox on Linux has no WebGPU";
const OVER_MS = 280_000;
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

const settings = { chromium: NO_WEBGPU, patience: 900_000 };

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

// The simulator goes to the end of its steps.
story("what cannot run is refused at its line, and what never ends is not run", { ...settings, flags: [FOR_SPEED] }, async (scene) => {
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

story("a launch of many blocks is sized without being run, and says how large it may be", settings, async (scene) => {
  const [, link] = KERNELS.find(([kernel]) => kernel === "tiled");
  const large = link.replace("g=16,8", "g=256,256").replace("nx=256", "nx=4096").replace("ny=128", "ny=4096");
  await run(scene, large);
  await over(scene);
  // Two arrays of 4096 x 4096 floats, and what the page gives a device of software.
  assert.match(await scene.part("run-fault").textContent(), /134,217,728 bytes in all.*at most 100,663,296/);
  await scene.part("lang-switch").click();
  await scene.part("run-fault").filter({ hasText: "共 134,217,728 字节" }).waitFor();
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

/** A transpose with all that a text in WGSL may bind: a uniform, two groups, an override that sizes its workgroup. */
const WGSL = `override SIDE: u32 = 8;
struct Shape { columns: u32, rows: u32 }
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(2) var<uniform> shape: Shape;
@group(2) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> tile: array<array<u32, 16>, 16>;
@compute @workgroup_size(SIDE, SIDE)
fn turn(@builtin(local_invocation_id) at: vec3<u32>, @builtin(workgroup_id) block: vec3<u32>) {
  let column = block.x * SIDE + at.x;
  let row = block.y * SIDE + at.y;
  tile[at.x][at.y] = input[row * shape.columns + column];
  workgroupBarrier();
  let across = block.y * SIDE + at.x;
  let down = block.x * SIDE + at.y;
  output[down * shape.rows + across] = tile[at.y][at.x];
}`;
const WGSL_LINK = `#k=${packed(WGSL)}&g=2,4&a=shape.columns=32&a=shape.rows=64&m=SIDE=16&lang=en`;

story("WGSL runs as it is, its overrides have fields, and its fix runs beside it", settings, async (scene) => {
  await run(scene, WGSL_LINK);
  await over(scene);
  assert.equal(await scene.part("run-fault").isVisible(), false, await scene.part("run-fault").textContent());
  assert.match(await scene.part("run-verdict").textContent(), /bit for bit/);
  assert.equal(await scene.part("run-wgsl").textContent(), WGSL);
  assert.equal(await scene.part("run-notes").locator("li").count(), 0);
  assert.equal(await scene.part("override-SIDE").inputValue(), "16");
  await scene.part("run-fix").first().click();
  await over(scene);
  await scene.part("run-equal").first().waitFor({ timeout: OVER_MS });
  assert.equal(await scene.part("run-equal").first().textContent(), "results equal");
  await over(scene);
  // Half as wide, twice as many blocks each way.
  const before = await scene.page.evaluate(() => location.hash);
  await scene.openFields();
  await scene.part("override-SIDE").fill("8");
  await scene.part("grid").fill("4,8");
  await scene.page.waitForFunction((before) => location.hash !== before && /SIDE=8/.test(location.hash), before);
  await scene.part("run-other").waitFor();
  await scene.part("run-again").click();
  await over(scene);
  assert.equal(await scene.part("run-fault").isVisible(), false, await scene.part("run-fault").textContent());
  assert.match(await scene.part("run-verdict").textContent(), /bit for bit/);
});

story("the block of a kernel in WGSL is typed into its text", settings, async (scene) => {
  const text = `@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(64)
fn k(@builtin(global_invocation_id) at: vec3<u32>) { a[at.x] = at.x; }`;
  await run(scene, `#k=${packed(text)}&g=4&lang=en`);
  await over(scene);
  assert.equal(await scene.part("block").inputValue(), "64");
  await scene.part("block").fill("16, 2");
  await scene.part("run-other").waitFor();
  await scene.part("run-again").click();
  await over(scene);
  assert.equal(await scene.part("run-wgsl").textContent(), text.replace("64", "16, 2"));
  assert.match(await scene.part("run-verdict").textContent(), /bit for bit/);
  assert.equal(await scene.part("block").inputValue(), "16, 2");
});

story("WGSL that the browser refuses is refused at its line", settings, async (scene) => {
  const wild = `@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(64)
fn k(@builtin(local_invocation_index) i: u32) {
  if (a[i] == 7u) {
    workgroupBarrier();
  }
  a[i] = i;
}`;
  await run(scene, `#k=${packed(wild)}&a=a=64,zero&lang=en`);
  await over(scene);
  assert.match(await scene.part("run-fault").textContent(), /line [45]\b.*workgroupBarrier/s);
});

const HIP = `#include <hip/hip_runtime.h>
__global__ void squares(const float* in, float* out, int n) {
  int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n) out[i] = in[i] * in[i];
}
int main() {
  float *in, *out;
  hipMalloc(&in, 4000);
  hipMalloc(&out, 4000);
  hipLaunchKernelGGL(squares, dim3(8), dim3(128), 0, 0, in, out, 1000);
}`;

story("HIP runs like CUDA", settings, async (scene) => {
  await run(scene, `#k=${packed(HIP)}&g=8&b=128&a=n=1000&lang=en`);
  await over(scene);
  assert.equal(await scene.part("run-fault").isVisible(), false, await scene.part("run-fault").textContent());
  assert.match(await scene.part("run-verdict").textContent(), /bit for bit/);
});

story("a kernel is copied as CUDA, HIP, WGSL, Metal and GLSL", settings, async (scene) => {
  await scene.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await scene.enter(`#k=${packed(HIP)}&g=8&b=128&a=n=1000&lang=en`);
  await scene.part("share").click();
  for (const [key, sign] of [
    ["cuda", "#include <cuda_runtime.h>"],
    ["hip", "hipMalloc(&in, 4000)"],
    ["wgsl", "@compute @workgroup_size(128"],
    ["msl", "kernel void squares"],
    ["glsl", "#version 430"],
  ]) {
    await scene.part(`copy-as-${key}`).click();
    const holds = (sign) => document.querySelector("[data-testid=copied-kernel]").value.includes(sign);
    await scene.page.waitForFunction(holds, sign, { timeout: OVER_MS });
    assert.ok((await scene.page.evaluate(() => navigator.clipboard.readText())).includes(sign), key);
  }
  const card = await scene.part("run-results").count();
  assert.equal(card, 0, "nothing runs");
  await scene.picture("copy-as");
});

story("what has no translation says why at its line", settings, async (scene) => {
  const double = "__global__ void k(double* v) {\n  v[threadIdx.x] *= 2.0;\n}";
  await scene.enter(`#k=${packed(double)}&b=32&lang=en`);
  await scene.part("share").click();
  await scene.part("copy-as-wgsl").click();
  await scene.part("copy-as-said").filter({ hasText: "line 2: double" }).waitFor({ timeout: OVER_MS });
});

story("results travel with a link, marked as measured elsewhere, and nothing runs where it opens", settings, async (scene) => {
  await scene.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const [, link] = KERNELS.find(([kernel]) => kernel === "tiled");
  await run(scene, link);
  await scene.part("run-fix").first().waitFor({ timeout: OVER_MS });
  await over(scene);
  await scene.part("run-fix").first().click();
  await scene.part("run-equal").first().waitFor({ timeout: OVER_MS });
  await over(scene);
  const clipboard = () => scene.page.evaluate(() => navigator.clipboard.readText());
  await scene.part("run-markdown").click();
  const markdown = await clipboard();
  assert.match(markdown, /^\*\*Measured on: .*swiftshader/i);
  assert.match(markdown, /\| as written \|.*\n.*×.*results equal/);
  assert.doesNotMatch(markdown, /wavefront|sector/i, "predictions are no results");
  await scene.part("run-link").click();
  const shared = await clipboard();
  assert.match(shared, /&res=[tz]\./);

  const other = await scene.context.newPage();
  await other.addInitScript(() => {
    const own = Worker.prototype.postMessage;
    globalThis.asked = 0;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message?.run) globalThis.asked += 1;
      return own.call(this, message, ...rest);
    };
  });
  await other.goto(shared);
  await scene.part("run-elsewhere", other).waitFor({ timeout: OVER_MS });
  assert.equal(await scene.part("run-elsewhere", other).textContent(), "Measured elsewhere");
  assert.match(await scene.part("run-elsewhere-results", other).textContent(), /as written.*results equal.*copy/s);
  assert.equal(await scene.part("run-results", other).isVisible(), false);
  assert.equal(await other.evaluate(() => globalThis.asked), 0, "nothing runs before a press");
  scene.page = other;
  await scene.picture("run-elsewhere");
  // Another text has other results.
  await scene.part("grid", other).fill("8,8");
  await scene.part("run-elsewhere", other).waitFor({ state: "hidden" });
  const isGone = () => !location.hash.includes("&res=");
  await other.waitForFunction(isGone);
});

for (const [name, kernel, launch, said] of [
  ["2^31 turns", "__global__ void k(int* a) { int s = 0; for (unsigned i = 0; i < 2147483648u; ++i) s ^= i * a[0]; a[threadIdx.x] = s; }", "&b=32&a=a=64,iota", /never end/],
  ["4 GiB buffers", "__global__ void k(float* a) { a[threadIdx.x] = 1; }", "&b=32&a=a=1073741824", /4,?294,?967,?296|4(\.0)? GiB|4,?096 MiB/],
]) {
  story(`hostile: ${name}: the page says so and goes on`, settings, async (scene) => {
    await run(scene, `#k=${packed(kernel)}${launch}&lang=en`);
    await over(scene);
    assert.match(await scene.part("run-fault").textContent(), said);
    // The same page, its card and its worker run the next text.
    const before = await scene.page.evaluate(() => location.hash);
    await scene.write("__global__ void k(int* a) { a[threadIdx.x] = threadIdx.x; }");
    await scene.page.waitForFunction((before) => location.hash !== before, before);
    await scene.openFields();
    const written = await scene.page.evaluate(() => location.hash);
    await scene.part("argument-a").fill("256,zero");
    await scene.page.waitForFunction((before) => location.hash !== before, written);
    await scene.part("run-again").click();
    await over(scene);
    assert.match(await scene.part("run-verdict").textContent(), /bit for bit/);
  });
}

story("hostile: a thousand barriers run and are verified", settings, async (scene) => {
  const ten = (name) => Array(10).fill(name).join(" ");
  const kernel = `#define ONE s[(t + 1) % 64] += t; __syncthreads();
#define TEN ${ten("ONE")}
#define HUNDRED ${ten("TEN")}
__global__ void k(int* a) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  ${ten("HUNDRED")}
  a[t] = s[t];
}`;
  await run(scene, `#k=${packed(kernel)}&b=64&a=a=64,zero&lang=en`);
  await over(scene);
  assert.equal(await scene.part("run-fault").isVisible(), false, await scene.part("run-fault").textContent());
  assert.match(await scene.part("run-verdict").textContent(), /bit for bit/);
});

story("hostile: a shader that the driver chokes on is told of, or can be left, and results stay", settings, async (scene) => {
  const [, link] = KERNELS.find(([kernel]) => kernel === "tiled");
  await run(scene, link);
  await over(scene);
  assert.match(await scene.part("run-verdict").textContent(), /bit for bit/);
  // No driver here chokes on what Tint lets through, so the worker's device stands in for one: the browser's answer about
  // the next pipelines is an internal error, which a driver's compiler makes, or does not come.
  const choke = (how) =>
    Promise.all(
      scene.page.workers().map((worker) =>
        worker.evaluate((how) => {
          if (!globalThis.GPUDevice) return;
          const answer = GPUDevice.prototype.popErrorScope;
          GPUDevice.prototype.popErrorScope = function () {
            GPUDevice.prototype.popErrorScope = answer;
            const real = answer.call(this);
            if (how === "silent") return new Promise(() => {});
            return real.then(() => new GPUInternalError("the driver's compiler ended: out of registers"));
          };
        }, how),
      ),
    );
  const fix = scene.part("run-fix").first();
  await fix.waitFor({ timeout: OVER_MS });
  await choke("refuses");
  await fix.click();
  await scene.part("run-fault").filter({ hasText: "out of registers" }).waitFor({ timeout: OVER_MS });
  await over(scene);
  assert.match(await scene.part("run-verdict").textContent(), /bit for bit/, "results are kept");
  await choke("silent");
  await fix.click();
  await scene.page.waitForTimeout(3_000);
  const isRunning = () => "running" in document.querySelector("[data-testid=run-again]").dataset;
  assert.equal(await scene.page.evaluate(isRunning), true, "the compiler is still at it");
  await scene.part("run-again").click();
  await scene.part("run-fault").filter({ hasText: "Cancelled" }).waitFor({ timeout: 5_000 });
  assert.match(await scene.part("run-verdict").textContent(), /bit for bit/, "results are kept");
  await fix.click();
  await scene.part("run-equal").waitFor({ timeout: OVER_MS });
  await over(scene);
  assert.equal(await scene.part("run-fault").isVisible(), false);
});

story("hostile: a hidden tab waits with its samples and goes on when it is seen", settings, async (scene) => {
  const [, link] = KERNELS.find(([kernel]) => kernel === "copyRow");
  await run(scene, link);
  await over(scene);
  const hide = (isHidden) =>
    scene.page.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  await hide(true);
  await scene.part("run-again").click();
  await scene.part("run-stage").filter({ hasText: "on the GPU" }).waitFor({ timeout: OVER_MS });
  await scene.page.waitForTimeout(2_000);
  const isRunning = () => "running" in document.querySelector("[data-testid=run-again]").dataset;
  assert.equal(await scene.page.evaluate(isRunning), true, "no sample is taken of a hidden tab");
  await hide(false);
  await over(scene);
  assert.equal(await scene.part("run-fault").isVisible(), false);
});

story("hostile: a GPU that dies in the middle of a run leaves page and results, and the next run works", settings, async (scene) => {
  const [, link] = KERNELS.find(([kernel]) => kernel === "padded");
  await run(scene, link);
  await over(scene);
  assert.match(await scene.part("run-verdict").textContent(), /bit for bit/);
  // A hidden tab waits with its samples: the GPU dies in between.
  const hide = (isHidden) =>
    scene.page.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  await hide(true);
  scene.expect(/GPU|device|lost/i);
  await scene.part("run-again").click();
  await scene.part("run-stage").filter({ hasText: "on the GPU" }).waitFor({ timeout: OVER_MS });
  const session = await scene.context.browser().newBrowserCDPSession();
  await session.send("Browser.crashGpuProcess").catch(() => {});
  await hide(false);
  await over(scene);
  assert.match(await scene.part("run-fault").textContent(), /lost|no GPU|device/i);
  assert.match(await scene.part("run-verdict").textContent(), /bit for bit/, "results are kept");
  await scene.part("run-again").click();
  await over(scene);
  assert.match(await scene.part("run-verdict").textContent(), /bit for bit/);
});
