// WGSL in the Kernel tab: read by a worker, run by the page's own engine.
import assert from "node:assert/strict";
import { followed, story } from "../harness.js";

const TILE = `const SIDE = 32u;
struct Params { columns: u32 }
@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;
var<workgroup> tile: array<array<f32, SIDE>, SIDE>;

@compute @workgroup_size(32, 32)
fn turn(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let at = group.xy * SIDE + local.xy;
    tile[local.y][local.x] = data[at.y * params.columns + at.x];
    workgroupBarrier();
    result[at.y * params.columns + at.x] = tile[local.x][local.y];
}
`;

story("pastes WGSL: the verdict, the padding that frees it, and the link", {}, async (scene) => {
  const page = await scene.enter();
  await scene.openKernel();
  await scene.write(TILE);
  await verdict(scene, 32);
  await followed(page);
  assert.equal(await scene.part("accesses-table").getByText("tile[local.x][local.y]").count(), 1);
  await scene.picture("wgsl-32-way", { fullPage: true });

  await scene.write(TILE.replace("f32, SIDE", "f32, 33"));
  await verdict(scene, 1);

  await scene.write(TILE);
  await verdict(scene, 32);
  await page.waitForTimeout(500); // the address follows the fields after a pause
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await verdict(scene, 32);
});

story("a mistake is shown at its place, in the list and in the text", {}, async (scene) => {
  const page = await scene.enter();
  await scene.openKernel();
  await scene.write(TILE.replace("= data[", "= date["));
  const said = scene.part("kernel-diagnostics").locator("li[data-code=wgsl]");
  await said.filter({ hasText: "`date`" }).waitFor();
  assert.equal(await said.getByRole("button").innerText(), "11:30");
  const mark = page.locator(".squiggle.error");
  assert.equal(await mark.innerText(), "date");
  await mark.hover();
  await page.locator(".said").filter({ hasText: "`date`" }).waitFor();
  await scene.picture("wgsl-mistake");
  await said.getByRole("button").click();
  assert.equal(await selected(scene), "date");
  await page.keyboard.type("data");
  await verdict(scene, 32);
  assert.equal(await said.count(), 0);
});

story("refuses what naga would not bear, says so at its place, and goes on", {}, async (scene) => {
  await scene.enter();
  await scene.openKernel();
  const nested = "@compute @workgroup_size(1)\nfn f() { let x = " + "(".repeat(200) + "1" + ")".repeat(200) + "; }";
  await scene.write(nested);
  const said = scene.part("kernel-diagnostics").locator("li[data-code=too-deep]");
  await said.waitFor();
  assert.match(await said.getByRole("button").innerText(), /^2:\d+$/);
  await scene.write(TILE);
  await verdict(scene, 32);
});

story("a text that takes too long to read is given up, and says so", {}, async (scene) => {
  await scene.page.addInitScript(holdTexts);
  await scene.enter();
  await scene.openKernel();
  await scene.write(TILE);
  await scene.part("kernel-diagnostics").locator("li[data-code=wgsl-slow]").waitFor();
  await scene.part("lang-switch").click();
  await scene.part("kernel-diagnostics").filter({ hasText: "耗时过长" }).waitFor();
  await scene.picture("wgsl-slow");
  await scene.write("__global__ void f(float* a) { a[32 * threadIdx.x] = 0; }");
  await scene.part("kernel-diagnostics").locator("li[data-code=wgsl-slow]").waitFor({ state: "detached" });
});

story("a reader that does not come is told", { change: without }, async (scene) => {
  scene.expect(/404|integrity/);
  await scene.enter();
  await scene.openKernel();
  await scene.write(TILE);
  await scene.part("kernel-diagnostics").locator("li[data-code=wgsl-missing]").waitFor();
});

const CUDA = `__global__ void spread(float* out, int pitch) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 1.0f;
  out[threadIdx.y * pitch + threadIdx.x] = tile[0][threadIdx.x];
}`;

story("what was given to the kernel before goes with it, and comes back with it", {}, async (scene) => {
  const page = await scene.enter();
  await scene.openKernel();
  await scene.write(CUDA);
  await scene.part("block").fill("32, 16");
  await scene.part("argument-pitch").fill("1024");
  await page.waitForFunction(() => /[#&]a=/.test(location.hash));
  await scene.write(TILE);
  await verdict(scene, 32);
  const block = scene.part("block");
  assert.equal(await block.inputValue(), "32, 32");
  assert.equal(await block.isEditable(), true);
  await page.getByText("@workgroup_size", { exact: false }).first().waitFor();
  await page.waitForFunction(() => !/[#&]a=/.test(location.hash));
  await scene.picture("wgsl-launch");
  await scene.write(CUDA);
  await page.waitForFunction(() => document.querySelector("[data-testid=argument-pitch]")?.value === "1024");
  assert.equal(await block.isEditable(), true);
  assert.equal(await block.inputValue(), "32, 16");
});

story("arguments of a kernel that was pasted over are gone", {}, async (scene) => {
  const page = await scene.enter();
  await scene.openKernel();
  await scene.write(CUDA);
  await scene.part("argument-pitch").fill("1024");
  await page.waitForFunction(() => /[#&]a=/.test(location.hash));
  await scene.write(CUDA.replaceAll("pitch", "columns"));
  await scene.part("argument-columns").waitFor();
  await page.waitForFunction(() => !/[#&]a=/.test(location.hash));
  assert.equal(await scene.part("kernel-diagnostics").locator("[data-code=unknown-argument]").count(), 0);
});

/** Runs in the page: no text reaches a reader, which is ready all the same. */
function holdTexts() {
  globalThis.Worker = class extends Worker {
    postMessage(data, ...more) {
      if (data.text === undefined) super.postMessage(data, ...more);
    }
  };
}

/** No reader. */
function without(path, bytes) {
  return /^wgsl-[^.]*\.js$/.test(path) ? null : bytes;
}

/** What is selected in the editor. */
function selected(scene) {
  return scene.editor().evaluate((content) => (content.getRootNode().getSelection?.() ?? document.getSelection()).toString());
}

/** Waits until the verdict is this n of n-way. */
async function verdict(scene, ways) {
  await scene.page.locator(`[data-testid=verdict][data-ways="${ways}"]`).waitFor();
}
